// cells/stream: the random stream of a cell. Its state is two words of the cell's state, which the host has set at the start; its
// key is that of the replication. The twin of Cell::stream_from in src/cells/model.rs.

import package::cells::cell::{set_state_word, state_word};
import package::cells::space::{cell_id, replication};
import package::lib::pcg32::{Stream};
import package::lib::stream::{entity_increment, split_mix_64};
import package::lib::wide::{wide_xor};
import word64::{wide, wide_high, wide_low, wide_multiply};

var<uniform> cell_seed: vec2<u32>;   // what the keys of all replications have of the seed

// The stream of the cell at work, from its words `word` and `word + 1`.
fn stream_from(cell: u32, word: u32) -> Stream {
    let apart = wide_multiply(wide(replication, 0u), wide(0x7f4a7c15u, 0x9e3779b9u));
    let key = split_mix_64(wide_xor(wide(cell_seed.x, cell_seed.y), apart));
    return Stream(wide(state_word(cell, word), state_word(cell, word + 1u)), entity_increment(key, cell_id));
}

// Keeps its state there.
fn keep_stream(cell: u32, word: u32, stream: Stream) {
    set_state_word(cell, word, wide_low(stream.state));
    set_state_word(cell, word + 1u, wide_high(stream.state));
}
