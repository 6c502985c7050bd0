//! Errors, as exceptions of Python with the library's texts.

use std::io;

use pyo3::exceptions::{PyException, PyValueError};
use pyo3::{PyErr, create_exception};
use tickless::cli::CommandError;
use tickless::cli::embedded::Fault;
use tickless::queueing::QueueingError;

create_exception!(tickless, TicklessError, PyException, "What ends tickless without a result.");
create_exception!(tickless, ModelError, TicklessError, "A model that cannot run, or has no such part.");
create_exception!(tickless, DeviceError, TicklessError, "A device that does not open, or cannot run a model.");
create_exception!(tickless, RunError, TicklessError, "A run that ended without a result.");

/// A model that is wrong.
pub fn of_model(error: impl ToString) -> PyErr {
    ModelError::new_err(error.to_string())
}

/// A device that does not open.
pub fn of_device(error: impl ToString) -> PyErr {
    DeviceError::new_err(error.to_string())
}

/// A run without a result; `said` is the whole text.
pub fn of_run(error: &QueueingError, said: String) -> PyErr {
    match error {
        QueueingError::Device(_) => DeviceError::new_err(said),
        _ => RunError::new_err(said),
    }
}

/// What the command refuses, or a run without a result.
pub fn of_command(error: CommandError) -> PyErr {
    let said = error.to_string();
    match Fault::of(&error) {
        Fault::Usage => PyValueError::new_err(said),
        Fault::File(kind) => io::Error::new(kind, said).into(),
        Fault::Model => ModelError::new_err(said),
        Fault::Device => DeviceError::new_err(said),
        Fault::Run => RunError::new_err(said),
    }
}

/// An argument that is out of range.
pub fn of_argument(name: &str, value: impl std::fmt::Display, allowed: &str) -> PyErr {
    PyValueError::new_err(format!("{name} is {value}; it must be {allowed}"))
}
