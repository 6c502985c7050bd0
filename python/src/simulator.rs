//! A network as a function of numbers.

use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use tickless::experiments::{self, Overrides, PointOutcome};

use crate::backend::Backend;
use crate::errors::{of_argument, of_model, of_run};
use crate::network::Network;
use crate::process::is_no_fork;
use crate::watch::Signals;

/// A network whose keys take numbers.
#[pyclass(frozen, module = "tickless")]
pub struct Simulator {
    simulator: experiments::Simulator,
    inputs: Vec<String>,
    replications: u32,
    backend: String,
}

/// Estimates and their standard errors, a line for each point.
type Found<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

#[pymethods]
impl Simulator {
    #[new]
    #[pyo3(signature = (network, inputs, outputs, *, replications=20, backend="auto"))]
    fn new(
        network: &Bound<'_, Network>,
        inputs: Vec<String>,
        outputs: Vec<String>,
        replications: u32,
        backend: &str,
    ) -> PyResult<Self> {
        is_no_fork()?;
        if replications == 0 {
            return Err(of_argument("replications", 0, "1 or more"));
        }
        let simulator = experiments::Simulator::new(&network.get().text, &inputs, &outputs).map_err(of_model)?;
        Ok(Self { simulator, inputs, replications, backend: backend.to_owned() })
    }

    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.inputs.clone()
    }

    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.simulator.measures().iter().map(|measure| measure.name().to_owned()).collect()
    }

    /// Runs all points at once.
    #[pyo3(signature = (theta, seed=None, common=true, *, progress=false))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        theta: PyReadonlyArray2<'py, f64>,
        seed: Option<u64>,
        common: bool,
        progress: bool,
    ) -> PyResult<Found<'py>> {
        is_no_fork()?;
        let numbers: Vec<Vec<f64>> = theta.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
        let outputs = self.simulator.measures().len();
        let mut watch = Signals::new(py, progress)?;
        let run = py.detach(|| -> PyResult<Result<Vec<PointOutcome>, PyErr>> {
            let overrides = Overrides { seed, ..Overrides::default() };
            let points = self.simulator.points(&numbers, common, &overrides).map_err(of_model)?;
            let Some(model) = points.models().next() else { return Ok(Ok(vec![])) };
            let all = u32::try_from(u64::from(self.replications) * numbers.len() as u64).unwrap_or(u32::MAX);
            let backend = Backend::named(&self.backend, || tickless::cli::suits_a_gpu(model, all))?;
            let run = self.simulator.run(&points, self.replications, backend.target(), Default::default(), &mut watch);
            Ok(run.map(|run| run.outcome).map_err(|error| of_run(&error.error, error.to_string())))
        })?;
        watch.ended(py)?;
        let outcomes = run?;
        let estimate = |of: fn(&PointOutcome, usize) -> f64| -> PyResult<Bound<'py, PyArray2<f64>>> {
            let row = |point: &PointOutcome| (0..outputs).map(|output| of(point, output)).collect();
            let rows: Vec<Vec<f64>> = outcomes.iter().map(row).collect();
            match rows.is_empty() {
                true => Ok(PyArray2::zeros(py, [0, outputs], false)),
                false => Ok(PyArray2::from_vec2(py, &rows)?),
            }
        };
        Ok((estimate(mean)?, estimate(standard_error)?))
    }
}

/// Not a number where no replication has the figure.
fn mean(point: &PointOutcome, output: usize) -> f64 {
    let estimate = point.sample(output).estimate();
    if estimate.count == 0 { f64::NAN } else { point.sample(output).figure }
}

/// Not a number of fewer than two replications.
fn standard_error(point: &PointOutcome, output: usize) -> f64 {
    let estimate = point.sample(output).estimate();
    estimate.standard_deviation.map_or(f64::NAN, |deviation| deviation / (estimate.count as f64).sqrt())
}
