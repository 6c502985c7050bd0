// multiclass/servers/no_absences: servers neither set up nor go away.

// The station that opens has so many servers away and ready; and what it has of them when it closes.
fn open_absences(away: u32, ready: u32) {}
fn away_servers() -> u32 { return 0u; }
fn ready_servers() -> u32 { return 0u; }

fn begin_absences(id: u32) {}

// Whether a server serves only who waits, as it has to be set up before.
fn sets_up() -> bool { return false; }

// A server of the open station has nobody, or comes back in the event of a place.
fn frees_server() {}
fn come_back(place: u32) {}

// Whether a free server may serve the next token; it does.
fn is_ready() -> bool { return true; }
fn takes_ready() {}
fn is_ready_at(id: u32, at_once: u32) -> bool { return true; }

// Whether a server of a station, of which so many are away, comes back to somebody who waits.
fn comes_to_some(away: u32, waiting: u32) -> bool { return false; }

// Free servers of the open station set up, or go away.
fn rest() {}
