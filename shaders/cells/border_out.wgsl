// cells/border_out (in a cycle that all ranks are in, after cells/departure; a thread a cell that other ranks hear)
// What: says which of them send, and what.
// Reads: border, cells. Writes: exports.
// Afterwards: each has its words there: whether it sends (1), and its output.

import package::cells::border::{border, exports, heard_cells};
import package::cells::cell::{MARK, SENDING, output_word, word_of};
import constants::{OUTPUT_WORDS, WORKGROUP};

fn run(group: u32, lane: u32) {
    let number = group * WORKGROUP + lane;
    if (number >= heard_cells()) { return; }
    let slot = border[number + 1u];
    let first = number * (OUTPUT_WORDS + 1u);
    exports[first] = select(0u, 1u, word_of(slot, MARK) == SENDING);
    for (var word = 0u; word < OUTPUT_WORDS; word += 1u) { exports[first + 1u + word] = output_word(slot, word); }
}
