//! A run of a network, and its figures.

use std::sync::Arc;

use numpy::{PyArray1, ToPyArray as _};
use pyo3::prelude::*;
use tickless::experiments::{Measure, Sample};
use tickless::queueing::{NetworkModel, NetworkOutcome, combined_digest};
use tickless_core::statistics::Estimate;

use crate::errors::of_model;
use crate::network::{Arguments, Network};
use crate::process::is_no_fork;
use crate::table::Table;

/// A figure over the replications of a run.
#[pyclass(frozen, module = "tickless")]
pub struct Figure {
    measure: Measure,
    unit: String,
    /// One a replication; not a number where a replication has none.
    values: Vec<f64>,
    estimate: Estimate,
}

#[pymethods]
impl Figure {
    #[getter]
    fn name(&self) -> &str {
        self.measure.name()
    }

    #[getter]
    fn unit(&self) -> &str {
        &self.unit
    }

    #[getter]
    fn mean(&self) -> f64 {
        if self.estimate.count == 0 { f64::NAN } else { self.estimate.mean }
    }

    #[getter]
    fn standard_deviation(&self) -> Option<f64> {
        self.estimate.standard_deviation
    }

    #[getter]
    fn half_width(&self) -> Option<f64> {
        self.estimate.half_width
    }

    #[getter]
    fn count(&self) -> u64 {
        self.estimate.count
    }

    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.values.to_pyarray(py)
    }

    /// Draws how the values of the replications are distributed, with their mean and its 95 % interval.
    ///
    /// Parameters
    /// ----------
    /// ax
    ///     The axes of matplotlib to draw on; new ones without it.
    ///
    /// Returns
    /// -------
    /// matplotlib.axes.Axes
    ///     The axes.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     Where matplotlib is missing.
    #[pyo3(signature = (*, ax=None))]
    fn plot<'py>(slf: &Bound<'py, Self>, ax: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tickless._plots")?.call_method1("distribution", (slf, ax))
    }

    fn __float__(&self) -> f64 {
        self.mean()
    }

    fn __repr__(&self) -> String {
        let interval = self.half_width().map(|half| format!(" ± {half:.3}")).unwrap_or_default();
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        format!("{}: {:.6}{interval}{unit}", self.name(), self.mean())
    }
}

/// A run of a network that has come to its end.
#[pyclass(frozen, module = "tickless")]
pub struct Run {
    pub network: Py<Network>,
    pub arguments: Arguments,
    pub model: Arc<NetworkModel>,
    pub outcomes: Vec<NetworkOutcome>,
    pub backend: &'static str,
    pub adapter: Option<String>,
    pub events: u64,
    pub wall_seconds: f64,
    pub setup_seconds: f64,
}

#[pymethods]
impl Run {
    #[getter]
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        is_no_fork()?;
        Ok(py.detach(|| combined_digest(&self.outcomes).to_string()))
    }

    #[getter]
    fn replications(&self) -> usize {
        self.outcomes.len()
    }

    #[getter]
    fn backend(&self) -> &'static str {
        self.backend
    }

    #[getter]
    fn adapter(&self) -> Option<&str> {
        self.adapter.as_deref()
    }

    #[getter]
    fn events(&self) -> u64 {
        self.events
    }

    #[getter]
    fn wall_seconds(&self) -> f64 {
        self.wall_seconds
    }

    #[getter]
    fn setup_seconds(&self) -> f64 {
        self.setup_seconds
    }

    #[getter]
    fn until(&self) -> f64 {
        self.model.until().units()
    }

    #[getter]
    fn warmup(&self) -> f64 {
        self.model.warmup().units()
    }

    /// A figure by its path.
    fn __getitem__(&self, py: Python<'_>, path: &str) -> PyResult<Figure> {
        is_no_fork()?;
        let measure = Measure::parse(path).map_err(of_model)?;
        let pairs = py.detach(|| measure.of(&self.model, &self.outcomes)).map_err(of_model)?;
        let sample = Sample::of(&pairs);
        let values = sample.values().zip(&pairs).map(|(value, [_, below])| if *below > 0.0 { value } else { f64::NAN });
        let values = values.collect();
        let estimate = Estimate::ratio(pairs);
        Ok(Figure { unit: measure.unit(self.model.words()), measure, values, estimate })
    }

    /// The paths of all figures.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        is_no_fork()?;
        let all = py.detach(|| Measure::all(&self.model, &self.outcomes));
        Ok(all.iter().map(|(measure, _)| measure.name().to_owned()).collect())
    }

    /// All figures.
    fn figures(&self, py: Python<'_>) -> PyResult<Table> {
        is_no_fork()?;
        let all = py.detach(|| Measure::all(&self.model, &self.outcomes));
        let with_unit = |(measure, estimate): (Measure, Estimate)| {
            let unit = measure.unit(self.model.words());
            (measure, unit, estimate)
        };
        Table::of(&all.into_iter().map(with_unit).collect::<Vec<_>>())
    }

    /// The values of figures as a frame of pandas: a line a replication, a column a figure.
    ///
    /// Parameters
    /// ----------
    /// figures
    ///     A path of figures or several, in which ``*`` stands for any text; all figures without it.
    ///
    /// Returns
    /// -------
    /// pandas.DataFrame
    ///     With the paths as columns and ``replication``, from 0 on, as index; not a number where a replication has no value.
    ///     ``run.figures().to_pandas()`` has means and intervals in place of values.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     Where pandas is missing.
    /// ModelError
    ///     A path that leads nowhere.
    #[pyo3(signature = (figures=None))]
    fn to_pandas<'py>(slf: &Bound<'py, Self>, figures: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tickless._conversions")?.call_method1("frame", (slf, figures))
    }

    /// The values of figures as a dataset of xarray, by replications, stations, classes, groups of servers, sinks and resources.
    ///
    /// Parameters
    /// ----------
    /// figures
    ///     A path of figures or several, in which ``*`` stands for any text; all figures without it.
    ///
    /// Returns
    /// -------
    /// xarray.Dataset
    ///     A variable a kind of figure, by its path without names: ``station.utilization`` has dimensions ``replication`` and
    ///     ``station``, ``station.class.mean_waiting_time`` has ``class``, too. Names are coordinates; what there is not is not a number.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     Where xarray is missing.
    /// ModelError
    ///     A path that leads nowhere.
    #[pyo3(signature = (figures=None))]
    fn to_xarray<'py>(slf: &Bound<'py, Self>, figures: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tickless._conversions")?.call_method1("dataset", (slf, figures))
    }

    /// Draws means of figures with their 95 % intervals.
    ///
    /// Parameters
    /// ----------
    /// figures
    ///     A path of figures or several, of one unit, in which ``*`` stands for any text: ``station.*.utilization``.
    /// ax
    ///     The axes of matplotlib to draw on; new ones without it.
    ///
    /// Returns
    /// -------
    /// matplotlib.axes.Axes
    ///     The axes.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     Where matplotlib is missing.
    /// ModelError
    ///     A path that leads nowhere.
    /// ValueError
    ///     Figures of several units.
    #[pyo3(signature = (figures, *, ax=None))]
    fn plot<'py>(
        slf: &Bound<'py, Self>,
        figures: Bound<'py, PyAny>,
        ax: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tickless._plots")?.call_method1("intervals", (slf, figures, ax))
    }

    /// The same run once more.
    #[pyo3(signature = (*, backend=None, progress=false))]
    fn rerun(&self, py: Python<'_>, backend: Option<&str>, progress: bool) -> PyResult<Run> {
        let arguments = self.arguments.clone();
        let backend = backend.unwrap_or(self.backend);
        Network::runs(&self.network, py, arguments, backend, progress)
    }

    fn __repr__(&self) -> String {
        let on = self.adapter.as_deref().unwrap_or("the heap");
        let count = self.outcomes.len();
        format!("tickless.Run of {count} replications until {} on {on}", self.model.until().units())
    }
}
