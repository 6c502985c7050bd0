// multiclass/attributes/attributes: what tokens carry: the twin of src/queueing/model/attributes.rs. A token has its values, two a row, from its
// row `values` on.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import intervals::{next_row};
import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_maximum};
import package::multiclass::attributes::rows::{BY_VALUE, attribute_law, order_attribute, patience_by, size_of, source_values, trace_values};
import package::multiclass::parameters::{NONE, law_at, plan};
import package::multiclass::queues::orders::{AGEING, EARLIEST_DUE};
import package::multiclass::routes::rules::{edge_delay};
import package::multiclass::rows::{far_row_at, row_at, row_of, set_far_row, set_row};
import package::multiclass::servers::group_rows::{longer_time};
import package::multiclass::state::{mine};
import package::multiclass::stations::service::{drawn_time};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{times_of, token_at};
import word64::{wide, wide_add, wide_less};

fn value_row(token: u32, number: u32) -> u32 { return token_at(token) + plan.values + number / 2u; }

fn value_of(token: u32, number: u32) -> Time {
    let row = far_row_at(value_row(token, number));
    if ((number & 1u) == 0u) { return wide(row.x, row.y); }
    return wide(row.z, row.w);
}

// A value of a row of a trace, or one that is drawn where the trace has none.
fn known_or_drawn(known: u32, number: u32, class_of: u32, stream: ptr<function, Stream>) -> Time {
    if (number >= plan.attribute_count) { return wide(0u, 0u); }
    if (known != NONE) {
        let value = trace_values(known, number);
        if (wide_differs(value, never())) { return value; }
    }
    return service_time(law_at(attribute_law(number, class_of)), stream);
}

fn gets_values(token: u32, words: u32, class_of: u32, known: u32) {
    let about = row_at(words);
    var stream = Stream(wide(about.x, about.y), wide(about.z, about.w));
    for (var number = 0u; number < plan.attribute_count; number += 2u) {
        let first = known_or_drawn(known, number, class_of, &stream);
        let second = known_or_drawn(known, number + 1u, class_of, &stream);
        set_far_row(value_row(token, number), row_of(first, second));
    }
    set_row(words, row_of(stream.state, stream.increment));
}

fn values_of_next(source: u32) -> u32 {
    let first = source_values(source);
    if (first == NONE) { return NONE; }
    return first + 2u * (next_row(source) - 1u);
}

fn copies_values(token: u32, copy: u32) {
    for (var number = 0u; number < plan.attribute_count; number += 2u) {
        set_far_row(value_row(copy, number), far_row_at(value_row(token, number)));
    }
}

fn service_by(law: u32, token: u32, class_of: u32) -> Time {
    if (law != NONE) { return drawn_time(law); }
    let size = size_of(site.id, class_of);
    return longer_time(value_of(token, size.number), size.factor);
}

fn gives_up_at(law: u32, token: u32, class_of: u32) -> Time {
    if (law != BY_VALUE) { return wide_add(mine.now, drawn_time(law)); }
    let by = patience_by(site.id, class_of);
    let entered = times_of(token).entered;
    var since = mine.now;
    if (by.from_source != 0u) { since = entered; }
    if (!wide_differs(since, never())) { since = wide(0u, 0u); }
    return wide_maximum(wide_add(since, longer_time(value_of(token, by.number), by.factor)), mine.now);
}

fn may_be_late() -> bool { return true; }

fn value_in_line(token: u32) -> Time {
    let value = value_of(token, order_attribute(site.id));
    let times = times_of(token);
    if (site.rules.order == AGEING) { return wide_add(times.arrived, value); }
    if (site.rules.order != EARLIEST_DUE || !wide_differs(times.entered, never())) { return value; }
    return wide_add(times.entered, value);
}

fn way_by_value(token: u32, number: u32, first: u32, last: u32) -> u32 {
    let value = value_of(token, number);
    var edge = first;
    while (edge < last && wide_less(edge_delay(edge).up_to, value)) { edge += 1u; }
    return edge;
}
