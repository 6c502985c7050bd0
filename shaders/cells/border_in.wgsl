// cells/border_in (in a cycle that all ranks are in, before cells/arrival; a thread a cell of another rank that sends)
// What: gives it its output, as if it had sent it here.
// Reads: imports. Writes: cells, fronts.
// Afterwards: it is marked as sending at the time of the cycle; the blocks with cells that hear it are busy.

import package::cells::border::{imported_cells, imports};
import package::cells::cell::{MARK, SENDING, SENT_AT, put_word, set_output};
import package::cells::fronts::{busy_place, fronts, marked_place};
import package::cells::meet::{wake};
import package::cells::space::{BLOCK_CELLS, enter};
import constants::{OUTPUT_WORDS, WORKGROUP};

fn run(group: u32, lane: u32) {
    let number = group * WORKGROUP + lane;
    if (number >= imported_cells()) { return; }
    let first = 3u + number * (OUTPUT_WORDS + 1u);
    let slot = imports[first];
    let block = slot / BLOCK_CELLS;
    _ = enter(slot);
    for (var word = 0u; word < OUTPUT_WORDS; word += 1u) { set_output(slot, word, imports[first + 1u + word]); }
    put_word(slot, MARK, SENDING);
    put_word(slot, SENT_AT, imports[1]);
    put_word(slot, SENT_AT + 1u, imports[2]);
    atomicStore(&fronts[busy_place(block)], 1u);
    atomicStore(&fronts[marked_place(block)], 1u);
    wake(block, slot % BLOCK_CELLS);
}
