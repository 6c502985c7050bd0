// queueing/restored: the tokens at each station where a run resumes from a checkpoint, instead of the tokens of time 0.
// Reads: ranges.

var<storage, read_write> ranges: array<vec2<u32>>;   // of each station: its first token, and its number of tokens

fn initial_tokens(station: u32) -> vec2<u32> { return ranges[station]; }
