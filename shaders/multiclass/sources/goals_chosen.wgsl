// multiclass/sources/goals_chosen: sources choose among several stations when a token comes.
// Reads: parameters, model_table. Reads and writes: replication_state.

import batches::{batch_behind};
import decisions::{turn_of_source_decided};
import package::lib::pcg32::{Stream, draw};
import package::lib::wide::{multiply_high};
import package::multiclass::parameters::{NONE};
import package::multiclass::routes::rules::{Routing, edge_at};
import package::multiclass::routes::ways_chosen::{BY_CHANCE, BY_TURNS, chosen};
import package::multiclass::rows::{row_at, row_of, set_row, source_at};
import package::multiclass::sources::rules::{choice_at, inflow_of};
import package::multiclass::sources::sources::{sent_by};
import package::multiclass::stations::station::{site};
import word64::{wide};

// Where the next token of a source goes.
fn goal_of_next(source: u32, class_of: u32) -> u32 {
    let inflow = inflow_of(source);
    if (inflow.choice == 0u) { return inflow.goal; }
    let choice = choice_at(inflow.choice);
    let first = choice.first + class_of * choice.count;
    let words = source_at(source);
    let about = row_at(words);
    var stream = Stream(wide(about.x, about.y), wide(about.z, about.w));
    // No station is open: what all hold is in their rows.
    site.id = NONE;
    var edge = first;
    if (choice.rule == BY_CHANCE) {
        edge += multiply_high(draw(&stream), choice.count);
    } else if (choice.rule == BY_TURNS) {
        let turn = (sent_by(source).all - 1u - batch_behind()) % choice.count;
        edge += turn_of_source_decided(source, turn, choice.count);
    } else {
        edge = chosen(Routing(choice.rule, choice.number), first, first + choice.count - 1u, &stream);
    }
    set_row(words, row_of(stream.state, stream.increment));
    return edge_at(edge).goal;
}
