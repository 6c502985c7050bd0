//! Models of the command's families.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tickless::cli::embedded::{Given, Prepared};
use tickless::cli::prepare_family;

use crate::errors::of_command;
use crate::options::given;
use crate::process::is_no_fork;
use crate::result::Ended;

/// A model of a family, checked, with its options; `torus`, `phold`, `search`, `fire`, `watershed` and `rules` make one.
///
/// Parameters
/// ----------
/// family : str
///     The name of one of them.
/// **options
///     The options of the command by their names, with `_` for `-`. `None` and `False` leave an option out, `True` is a flag, and a list
///     has several values.
///
/// Raises
/// ------
/// ValueError
///     An option that the family has not, with the nearest name, or a value that it does not take.
/// ModelError
///     A model that cannot run, or a fault in one of its files.
/// OSError
///     A file that cannot be read.
#[pyclass(frozen, module = "tickless")]
pub struct Model {
    family: String,
    options: Vec<Given>,
    /// For the first run that changes no option.
    checked: Mutex<Option<Box<dyn Prepared>>>,
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (family, /, **options))]
    fn new(py: Python<'_>, family: String, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        is_no_fork()?;
        let options = given(options)?;
        let checked = py.detach(|| prepare_family(&family, &options)).map_err(of_command)?;
        Ok(Self { family, options, checked: Mutex::new(Some(checked)) })
    }

    /// The name of the family.
    #[getter]
    fn family(&self) -> &str {
        &self.family
    }

    /// Runs the model.
    ///
    /// Parameters
    /// ----------
    /// backend : str
    ///     `auto`, `heap`, `wgpu` or `cuda`.
    /// progress : bool
    ///     Whether a bar of tqdm shows how far the run is.
    /// **options
    ///     Options in place of those of the model, such as `until`, `replications`, `seed`, and of networks `precision`.
    ///
    /// Returns
    /// -------
    /// Result
    ///     What came of it. What the command notes of a run is a `UserWarning`.
    ///
    /// Raises
    /// ------
    /// ValueError, ModelError, OSError
    ///     As the model.
    /// DeviceError
    ///     A device that does not open or cannot run the model.
    /// RunError
    ///     A run that ended without a result.
    /// KeyboardInterrupt
    ///     Ctrl-C, which ends the run at its next batch.
    #[pyo3(signature = (*, backend="auto", progress=false, **options))]
    fn run(
        &self,
        py: Python<'_>,
        backend: &str,
        progress: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<Ended>> {
        is_no_fork()?;
        let others = given(options)?;
        let checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner).take_if(|_| others.is_empty());
        let is_kept = |(name, _): &&Given| !others.iter().any(|(other, _)| other == name);
        let all: Vec<Given> = self.options.iter().filter(is_kept).chain(&others).cloned().collect();
        let prepared =
            py.detach(|| checked.map_or_else(|| prepare_family(&self.family, &all), Ok)).map_err(of_command)?;
        Ended::of(py, prepared, backend, progress)
    }

    fn __repr__(&self) -> String {
        let value = |values: &[String]| if values.is_empty() { "True".into() } else { values.join(", ") };
        let options = self.options.iter().map(|(name, values)| format!(", {name}={}", value(values)));
        format!("tickless.Model({}{})", self.family, options.collect::<String>())
    }
}
