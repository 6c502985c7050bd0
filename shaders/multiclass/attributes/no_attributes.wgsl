// multiclass/attributes/no_attributes: tokens carry nothing.

import package::lib::time::{Time};
import package::multiclass::stations::service::{drawn_time};
import package::multiclass::parameters::{NONE};
import package::multiclass::state::{mine};
import word64::{wide, wide_add};

// A token of a class gets its values, drawn from the stream in a row of the state; `known` is the row of the values that its trace says, or NONE.
fn gets_values(token: u32, words: u32, class_of: u32, known: u32) {}
// The row of the values of the next tokens of a source, or NONE.
fn values_of_next(source: u32) -> u32 { return NONE; }
// A copy carries what its token does.
fn copies_values(token: u32, copy: u32) {}

// A service of a token of a class by a law, or by what the token carries.
fn service_by(law: u32, token: u32, class_of: u32) -> Time { return drawn_time(law); }

// When a token of a class gives up that has come to the open station now, by a law or by what it carries.
fn gives_up_at(law: u32, token: u32, class_of: u32) -> Time { return wide_add(mine.now, drawn_time(law)); }

// Whether a token may come when its patience has ended.
fn may_be_late() -> bool { return false; }

// By what a token is in line where the open station orders by an attribute.
fn value_in_line(token: u32) -> Time { return wide(0u, 0u); }

// The first of some routes up to whose value an attribute of a token is.
fn way_by_value(token: u32, number: u32, first: u32, last: u32) -> u32 { return last; }
