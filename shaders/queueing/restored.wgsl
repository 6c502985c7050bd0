// queueing/restored: the tokens at each station where a run goes on from a checkpoint, in place of those of time 0.
// Reads: ranges.

var<storage, read_write> ranges: array<vec2<u32>>;   // of each station: its first token, and how many there are

fn initial_tokens(station: u32) -> vec2<u32> { return ranges[station]; }
