//! The result of a run, of any family.

use std::ffi::CString;
use std::path::PathBuf;

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use tickless::cli::embedded::{Given, Prepared, Ran};

use crate::backend::Backend;
use crate::errors::of_command;
use crate::options::given;
use crate::process::is_no_fork;
use crate::run::Run;
use crate::table::Table;
use crate::watch::Signals;

/// A run of any model that has come to its end. In a notebook it shows its answers and its picture; as a text it is what the command prints.
#[pyclass(frozen, subclass, name = "Result", module = "tickless")]
pub struct Ended {
    pub ran: Box<dyn Ran>,
    /// For people, and as JSON.
    texts: PyOnceLock<[String; 2]>,
    fields: PyOnceLock<Py<PyAny>>,
}

impl Ended {
    /// Runs a model.
    pub fn of(py: Python<'_>, prepared: Box<dyn Prepared>, backend: &str, progress: bool) -> PyResult<Py<Self>> {
        let mut watch = Signals::new(py, progress)?;
        let backend = py.detach(|| Backend::named(backend, || prepared.suits_a_gpu()))?;
        let ran = py.detach(|| prepared.run((backend.name, backend.device()), &mut watch));
        watch.ended(py)?;
        let ran = ran.map_err(of_command)?;
        for note in ran.notes() {
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(note)?, 1)?;
        }
        let is_network = ran.network().is_some();
        let ended = Self { ran, texts: PyOnceLock::new(), fields: PyOnceLock::new() };
        if !is_network {
            return Py::new(py, ended);
        }
        let run = Bound::new(py, PyClassInitializer::from(ended).add_subclass(Run))?;
        Ok(run.into_super().unbind())
    }

    /// What it ran on, in words.
    pub fn place(&self) -> &str {
        self.ran.backend().1.unwrap_or("the heap")
    }

    fn texts(&self, py: Python<'_>) -> PyResult<&[String; 2]> {
        is_no_fork()?;
        self.texts.get_or_try_init(py, || py.detach(|| self.ran.texts()).map_err(of_command))
    }

    /// The file of an option.
    fn file(
        &self,
        py: Python<'_>,
        (name, path): (&str, PathBuf),
        options: Option<&Bound<'_, PyDict>>,
        is_written: bool,
    ) -> PyResult<Vec<u8>> {
        is_no_fork()?;
        let mut all: Vec<Given> = vec![(name.to_owned(), vec![path.display().to_string()])];
        all.extend(given(options)?);
        py.detach(|| self.ran.file(&all, is_written)).map_err(of_command)
    }
}

#[pymethods]
impl Ended {
    #[getter]
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        is_no_fork()?;
        Ok(py.detach(|| self.ran.digest()))
    }

    #[getter]
    fn backend(&self) -> &'static str {
        self.ran.backend().0
    }

    #[getter]
    fn adapter(&self) -> Option<&str> {
        self.ran.backend().1
    }

    #[getter]
    fn events(&self) -> u64 {
        self.ran.events()
    }

    #[getter]
    fn wall_seconds(&self) -> f64 {
        self.ran.seconds()[0]
    }

    #[getter]
    fn setup_seconds(&self) -> f64 {
        self.ran.seconds()[1]
    }

    /// The fields of the command's JSON as attributes, at any depth: `result.fields.statistics`; docs/reference describes them.
    #[getter]
    fn fields(&self, py: Python<'_>) -> PyResult<&Py<PyAny>> {
        let [_, json] = self.texts(py)?;
        let read = || Ok::<_, PyErr>(py.import("tickless._fields")?.getattr("of_json")?.call1((json,))?.unbind());
        self.fields.get_or_try_init(py, read)
    }

    /// The same as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let [_, json] = self.texts(py)?;
        py.import("json")?.getattr("loads")?.call1((json,))
    }

    /// What the command writes to a CSV file, as a table for any dataframe.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The option of the file: of a network `stations`, `classes`, `series`, `histograms`, `folded` and `visits`, of PHOLD
    ///     `processes_csv`, of searches `results`, of a fire `growth`, of rules `values`.
    /// **options
    ///     Options that belong to it, such as `sample="1/100"` of visits.
    ///
    /// Returns
    /// -------
    /// Table
    ///     Its columns are of whole numbers, numbers or texts; an empty field is null.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     A name that there is not, one of a file that is no table, or what the run has not kept, with the option that keeps it.
    #[pyo3(signature = (name, /, **options))]
    fn table(&self, py: Python<'_>, name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
        Table::of_csv(&self.file(py, (name, PathBuf::from("table.csv")), options, false)?)
    }

    /// Writes a file of the command.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The option of the file, such as `arrival`, `perimeters` and `picture` of a fire.
    /// path : str or os.PathLike
    ///     Where it is written.
    /// **options
    ///     Options that belong to it, such as `perimeters_every=30`.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     As `table`; a path with the ending of another format.
    /// OSError
    ///     A path that cannot be written.
    #[pyo3(signature = (name, path, /, **options))]
    fn write(&self, py: Python<'_>, name: &str, path: PathBuf, options: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        self.file(py, (name, path), options, true).map(drop)
    }

    /// Writes the page of the command's `--report`: answers, pictures and tables in one HTML file that needs no other.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    ///     Where it is written.
    ///
    /// Raises
    /// ------
    /// OSError
    ///     A path that cannot be written.
    fn report(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        is_no_fork()?;
        py.detach(|| self.ran.report(&path)).map_err(of_command)
    }

    /// The same run once more, with the same bits.
    ///
    /// Parameters
    /// ----------
    /// backend : str, optional
    ///     Another backend than that of the run.
    /// progress : bool
    ///     Whether a bar of tqdm shows how far the run is.
    ///
    /// Raises
    /// ------
    /// ModelError
    ///     A file that has changed since the run.
    #[pyo3(signature = (*, backend=None, progress=false))]
    fn rerun(&self, py: Python<'_>, backend: Option<&str>, progress: bool) -> PyResult<Py<Self>> {
        is_no_fork()?;
        let prepared = py.detach(|| self.ran.again()).map_err(of_command)?;
        Self::of(py, prepared, backend.unwrap_or(self.backend()), progress)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        is_no_fork()?;
        py.detach(|| self.ran.frame()).map_err(of_command)
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<&str> {
        Ok(&self.texts(py)?[0])
    }

    fn __repr__(&self) -> String {
        format!("tickless.Result of {} events on {}", self.events(), self.place())
    }
}
