// multiclass/sources/batch_of_one: sources send one token at a time.

import package::lib::pcg32::{Stream};
import package::multiclass::places::{has_place};
import word64::{Wide};

// Whether there is room for the tokens of the event in a place.
fn has_room(place: u32) -> bool { return has_place(); }

fn draw_batch(source: u32, sent: u32, limit: Wide, stream: ptr<function, Stream>) -> u32 { return 1u; }

// The tokens of the batch behind the present one; below, the next of them comes.
fn batch_behind() -> u32 { return 0u; }
fn next_of_batch() -> bool { return false; }
