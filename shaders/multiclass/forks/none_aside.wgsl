// multiclass/forks/none_aside: nobody stands aside.

// Opens the number of tokens of the open station that stand aside.
fn open_aside() {}
fn close_aside() {}

// Tokens of a station, open or not, that stand aside.
fn aside_here() -> u32 { return 0u; }
fn aside_at(id: u32) -> u32 { return 0u; }
