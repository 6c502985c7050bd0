// multiclass/queues/known_order: the first token of a line is the next one.

// Whether a list is a line of the open station in which the next token is drawn.
fn is_random(list: u32) -> bool { return false; }

// The last token of a line that has come to the station before a token, or NONE, and how many have.
fn come_before(token: u32, list: u32) -> vec2<u32> { return vec2<u32>(); }

// A token stands in a list, behind all others or between them; below, it stands there no longer.
fn joins_line(token: u32, list: u32, is_last: bool) {}
fn leaves_line(token: u32, list: u32) {}

// The next token of a line, given the first; the next token leaves the tree of the line.
fn takes_from_line(list: u32, first: u32) -> u32 { return first; }
