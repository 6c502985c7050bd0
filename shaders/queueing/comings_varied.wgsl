// queueing/comings_varied: the tokens of a source come several at a time, or by rates, phases or a trace. The second word of a source with
// phases counts changes without tokens. The twin of queueing/comings_by_law.

import intervals::{begin_intervals, brings_tokens, next_arrival};
import package::lib::law::{Law};
import package::lib::pcg32::{Stream};
import package::lib::time::{Time};
import package::multiclass::sources::batch_sizes::{size_of_batch};
import package::queueing::origin::{Origin};
import source_words::{second_word, set_second_word};
import word64::{Wide, wide, wide_add};

fn first_coming(entity: u32, source: u32, row: vec4<u32>, law: Law, start: Time, stream: ptr<function, Stream>) -> Time {
    begin_intervals(source, start);
    return next_arrival(source, row.x, start, stream);
}

fn next_coming(origin: Origin, row: vec4<u32>, law: Law, time: Time, stream: ptr<function, Stream>) -> Time {
    return next_arrival(origin.number, row.x, time, stream);
}

// Tokens of a batch for which there was no slot are still to come.
fn coming_now(origin: ptr<function, Origin>, limit: Wide, stream: ptr<function, Stream>) -> u32 {
    let source = (*origin).number;
    if ((*origin).left == 0u) {
        if (!brings_tokens(source)) {
            set_second_word(source, wide_add(second_word(source), wide(1u, 0u)));
            return 0u;
        }
        (*origin).left = size_of_batch(source, (*origin).sent, limit, stream);
    }
    return (*origin).left;
}

fn more_are_coming(origin: ptr<function, Origin>) -> bool {
    (*origin).left -= 1u;
    return (*origin).left != 0u;
}
