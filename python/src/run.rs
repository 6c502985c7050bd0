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
    sample: Sample,
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
        self.sample.values().collect::<Vec<f64>>().to_pyarray(py)
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
        let estimate = Estimate::ratio(pairs);
        Ok(Figure { unit: measure.unit(self.model.words()), measure, sample, estimate })
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
