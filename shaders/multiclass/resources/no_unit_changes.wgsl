// multiclass/resources/no_unit_changes: all units of resources are always there.

import package::lib::pcg32::{Stream};
import package::multiclass::pending::{Event};

// How many units are not there at time 0.
fn units_off_at_first(kind: u32) -> u32 { return 0u; }

// At time 0: when the units change that a station keeps.
fn begin_unit_changes(id: u32, stream: ptr<function, Stream>) {}

// Something happens to servers or units that the open station keeps. Returns whether to units.
fn changes_units(place: u32, event: Event) -> bool { return false; }

// The free units of a resource that may be given to a token.
fn given_freely(free: u32) -> u32 { return free; }
