// multiclass/servers/no_absences: servers neither set up nor go away.

// The station that opens has so many servers away and ready; below, its numbers when it closes.
fn open_absences(away: u32, ready: u32) {}
fn away_servers() -> u32 { return 0u; }
fn ready_servers() -> u32 { return 0u; }

fn begin_absences(id: u32) {}

// A server of the open station becomes free; below, comes back in the event of a place.
fn frees_server() {}
fn come_back(place: u32) {}

// Whether a free server may serve the next token; below, it does.
fn is_ready() -> bool { return true; }
fn takes_ready() {}
fn is_ready_at(id: u32, at_once: u32) -> bool { return true; }

// Whether one of a station's away servers comes back to a waiting token.
fn comes_to_some(away: u32, waiting: u32) -> bool { return false; }

// Free servers of the open station set up, or go away.
fn rest() {}
