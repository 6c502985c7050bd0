// multiclass/attributes/rows: what the model table says of what tokens carry: a row for each station, the laws of each attribute by class, and
// a row for each source; then the values of traces, two rows for each of their rows. The sizes of services lie by themselves.
//
// Reads: parameters, model_table.

import package::lib::time::{Time};
import package::multiclass::parameters::{model_row, plan};
import word64::{wide};

// The attribute by which a station orders.
struct OrderBy { number: u32 }

fn order_attribute(id: u32) -> u32 {
    let row = model_row(plan.attributes + id);
    return OrderBy(row.x).number;
}

// The law of an attribute of tokens that begin in a class.
struct AttributeLaw { law: u32 }

fn attribute_law(number: u32, class_of: u32) -> u32 {
    let row = model_row(plan.attributes + plan.stations + number * plan.classes + class_of);
    return AttributeLaw(row.x).law;
}

// The first row of the values of a source's trace, or NONE where it has none.
struct SourceValues { first: u32 }

fn source_values(source: u32) -> u32 {
    let row = model_row(plan.attributes + plan.stations + plan.attribute_count * plan.classes + source);
    return SourceValues(row.x).first;
}

// Two values of a row of a trace; never where they are drawn.
struct TraceValues {
    first: Time,
    second: Time,
}

fn trace_values(first: u32, number: u32) -> Time {
    let row = model_row(first + number / 2u);
    let values = TraceValues(wide(row.x, row.y), wide(row.z, row.w));
    if ((number & 1u) == 0u) { return values.first; }
    return values.second;
}

// The attribute that is the service of a class at a station, where it has no law, and by what it is multiplied, in units of 2^-20.
struct Size {
    number: u32,
    factor: u32,
}

fn size_of(id: u32, class_of: u32) -> Size {
    let row = model_row(plan.sizes + id * plan.classes + class_of);
    return Size(row.x, row.y);
}

// In place of a law of patience: the token gives up by what it carries.
const BY_VALUE: u32 = 0xfffffffeu;

// The attribute that is the patience of a class at a station, by what it is multiplied, and whether it counts from the source: behind the sizes.
struct PatienceBy {
    number: u32,
    factor: u32,
    from_source: u32,
}

fn patience_by(id: u32, class_of: u32) -> PatienceBy {
    let row = model_row(plan.sizes + plan.stations * plan.classes + id * plan.classes + class_of);
    return PatienceBy(row.x, row.y, row.z);
}
