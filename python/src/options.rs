//! Options of the command as arguments by name.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};
use tickless::cli::embedded::Given;

/// Options by their names. `None` and `False` are as if they were left out, `True` is a flag, and a list has several values.
pub fn given(options: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<Given>> {
    let mut all = vec![];
    for (name, value) in options.into_iter().flatten() {
        let name = name.extract()?;
        if value.is_none() {
            continue;
        }
        if let Ok(flag) = value.cast::<PyBool>() {
            all.extend(flag.is_true().then_some((name, vec![])));
            continue;
        }
        let is_list = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
        let values = if is_list {
            value.try_iter()?.map(|one| word(&one?)).collect()
        } else {
            word(&value).map(|one| vec![one])
        };
        // An option without values would be a flag.
        all.extend(Some((name, values?)).filter(|(_, values)| !values.is_empty()));
    }
    Ok(all)
}

/// As Python shows it: a number has all its digits.
fn word(value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.str()?.extract()
}
