// multiclass/servers/no_walks: no server walks to classes of which nobody waits.

import package::lib::pcg32::{Stream};
import package::multiclass::parameters::{NONE};
import package::multiclass::servers::group_rows::{Groups};

// Whether the server of a group with this row about batches walks.
fn walks(bulk: u32) -> bool { return false; }

// At time 0 servers of a station set out.
fn begin_walks(id: u32, stream: ptr<function, Stream>) {}

// At the open station the server of a group has come to the next class, by the event in a place: the group. Below, free servers go on.
fn comes_to_class(place: u32, group: u32) -> u32 { return NONE; }
fn walks_here() {}

// How many tokens a server still serves in its turn, 0 where nobody waits; below, the list from which it takes the next one.
fn left_in_turn(groups: Groups, number: u32) -> u32 { return 0u; }
fn list_in_turn(groups: Groups, number: u32) -> u32 { return NONE; }
