// multiclass/resources/no_units: tokens need no units of resources.

import full::{waits_for_ever};
import package::multiclass::parameters::{NONE};
import package::multiclass::stations::station::{site};

// What of resources the open station has at hand.
fn open_units() {}
fn close_units() {}

// All units of all resources are free.
fn begin_units() {}

// Whether grants come behind each event, so that no two can be one.
fn divides_events() -> bool { return false; }

// Whether tokens wait for units at the open station: before they join the line, or with their servers.
fn seizes() -> bool { return false; }
fn seizes_at_service() -> bool { return false; }

// Whether servers of the open station rest behind the grants only.
fn rests_later() -> bool { return false; }

// A token comes to the open station. Returns the flag of one that stands outside the line.
fn stays_at(token: u32) -> u32 { return 0u; }

// A token of the open station holds its server, without room where it goes; or no longer.
fn stays_held(token: u32) {}
fn stays_served(token: u32) {}

// A token waits for its siblings at the open station. What it holds is another's then.
fn stands_aside(token: u32) {}
fn pass_units(token: u32, other: u32) {}

// The list of the first priority that a token with these flags waits in; tokens outside the line of a station, open or not.
fn line_of(about: u32) -> u32 { return 0u; }
fn outside_line() -> u32 { return 0u; }
fn outside_at(id: u32) -> u32 { return 0u; }

// A token waits no longer since it has lost its patience, leaves the open station, or leaves the network.
fn puts_back(token: u32) {}
fn gives_up_units(token: u32, about: u32) {}
fn gives_units(token: u32) {}
fn gives_all_units(token: u32) {}

// Gives units, and perhaps a server, to the token that is next of all, whose station it opens. Returns whether there is one.
fn grants_next() -> bool { return false; }

// Who got a server with them, or NONE.
fn granted() -> u32 { return NONE; }

// A station whose tokens wait for ever, for units or for room, or NONE: the one that was opened last, if that is suspected.
fn standing(is_suspect: bool) -> u32 {
    if (is_suspect && waits_for_ever()) { return site.id; }
    return NONE;
}
