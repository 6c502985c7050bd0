// multiclass/servers/steady: a station always has the same servers.

import full::{taken};
import groups::{gathers_here};
import package::lib::pcg32::{Stream};
import package::multiclass::parameters::{NONE};
import package::multiclass::pending::{Event, number_of_token};
import package::multiclass::stations::station::{site};
import package::multiclass::stations::visits::{call_next};

fn begin_servers(id: u32, stream: ptr<function, Stream>) {}

// The servers of a station: `all` by the model, `kept` when it was closed.
fn servers_of(all: u32, kept: u32) -> u32 { return all; }

// No server fails.
fn close_servers() {}

// The most servers that a station may still have, of `most` in all.
fn most_servers_of(id: u32, most: u32) -> u32 { return most; }

// Whether the event in a place is of servers.
fn is_change(place: u32) -> bool { return false; }

fn change(place: u32, event: Event) {}

// Comes behind the services that have begun.
fn end_change() {}

// The next token to be interrupted, or NONE.
fn next_paused() -> u32 { return NONE; }

// The number of an event in a place among those of its time, kind and station.
fn number_of(event: Event, place: u32) -> u32 { return number_of_token(event.token, place); }

// Whether a server of the open station is free for an arriving token, which it takes then.
fn has_server() -> bool { return taken() < site.rules.servers; }

// Whether servers are gone, or go amid services.
fn loses_servers() -> bool { return false; }

// A token has left its server.
fn gives_server() {}

// The token that is served after one that goes, or NONE: where a token waits, every other server is taken.
fn follower() -> u32 { return call_next(); }

// The next token to be served besides, or NONE.
fn next_served() -> u32 {
    if (gathers_here()) { return call_next(); }
    return NONE;
}
