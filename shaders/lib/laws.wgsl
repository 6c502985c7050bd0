// lib/laws: the service laws of a model of one's own, by their places in the list that the model gives: three rows each. The twin
// of src/device/laws.rs.

import package::lib::law::{Law, law_of_rows};
import law_rows::{FIRST_LAW};
import logarithm_rows::{logarithm_row};

// The n-th law, from 0 on.
fn law(n: u32) -> Law {
    let row = FIRST_LAW + 3u * n;
    return law_of_rows(logarithm_row(row), logarithm_row(row + 1u), logarithm_row(row + 2u));
}
