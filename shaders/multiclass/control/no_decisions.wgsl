// multiclass/control/no_decisions: servers, orders and routes are those of the model.

// The servers of the open station in a shift that has so many; whether they wait for a decision.
fn servers_decided(servers: u32) -> u32 { return servers; }
fn waits_for_decision() -> bool { return false; }

// The list of a class of this priority at the open station. Below, the list whose first token is served next, where `first` is that by priority; NONE
// where nobody is.
fn own_list(class_of: u32, level: u32) -> u32 { return level; }
fn list_decided(first: u32) -> u32 { return first; }

// The route of tokens of the open station, or of a source, among `count`, which take `turn` else.
fn turn_decided(turn: u32, count: u32) -> u32 { return turn; }
fn turn_of_source_decided(source: u32, turn: u32, count: u32) -> u32 { return turn; }
