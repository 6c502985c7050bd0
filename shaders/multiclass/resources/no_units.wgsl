// multiclass/resources/no_units: tokens need no units of resources.

import full::{waits_for_ever};
import package::multiclass::parameters::{NONE};
import package::multiclass::stations::station::{site};

// Opens the open station's words of resources.
fn open_units() {}
fn close_units() {}

// All units of all resources are free.
fn begin_units() {}

// Whether grants come behind each event, so that events stay apart.
fn divides_events() -> bool { return false; }

// Whether tokens wait for units at the open station: before they join the line; below, with their servers.
fn seizes() -> bool { return false; }
fn seizes_at_service() -> bool { return false; }

// Whether servers of the open station rest behind the grants only.
fn rests_later() -> bool { return false; }

// A token comes to the open station. Returns the flag of a token outside the line.
fn stays_at(token: u32) -> u32 { return 0u; }

// A token of the open station is blocked; below, no longer.
fn stays_held(token: u32) {}
fn stays_served(token: u32) {}

// A token waits for its siblings at the open station. Its units become another token's; below, it has none.
fn stands_aside(token: u32) {}
fn pass_units(token: u32, other: u32) {}

// The list of the first priority for a token with these flags; below, tokens outside the line of a station, open or not.
fn line_of(about: u32) -> u32 { return 0u; }
fn outside_line() -> u32 { return 0u; }
fn outside_at(id: u32) -> u32 { return 0u; }

// A token waits for a server again, whose service has not begun, or was interrupted.
fn puts_back(token: u32, is_begun: bool) {}
fn loses_units(token: u32) {}

// A token waits no longer since it has lost its patience; below, leaves the open station, or leaves the network.
fn gives_up_units(token: u32, about: u32) {}
fn gives_units(token: u32) {}
fn gives_all_units(token: u32) {}

// Gives units, and perhaps a server, to the next token of all, whose station it opens. Returns whether there is one.
fn grants_next() -> bool { return false; }

// The token that got a server with its units, or NONE.
fn granted() -> u32 { return NONE; }

// A station in a deadlock, over units or room, or NONE: the station that was opened last, if it is suspected.
fn standing(is_suspect: bool) -> u32 {
    if (is_suspect && waits_for_ever()) { return site.id; }
    return NONE;
}
