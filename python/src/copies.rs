//! Copies of a network under control, for environments in which something learns.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use self_cell::self_cell;
use tickless::queueing::QueueingError;
use tickless::queueing::control::{self, Control, ControlledModel, Decision, Epoch, Places, Seen};
use tickless::run::unwatched;

use crate::backend::Backend;
use crate::errors::{of_argument, of_model, of_run};
use crate::network::Network;
use crate::process::is_no_fork;

/// From so many copies on a GPU is worth it.
const MANY: u32 = 64;

type AtWork<'a> = Box<dyn control::Copies + 'a>;

self_cell!(
    /// Copies, and the network that they are of.
    struct Held {
        owner: ControlledModel,
        #[not_covariant]
        dependent: AtWork,
    }
);

/// Copies of a network that stop for decisions.
#[pyclass(frozen, module = "tickless")]
pub struct Copies {
    held: Mutex<Held>,
    decisions: Vec<Decision>,
    is_terminating: bool,
    count: usize,
    /// What a unit of what is earned is worth, and what divides it: ticks are 2^-32 time units.
    weights: Vec<f64>,
    backend: Backend,
}

/// What is observed; the reward; the times; which copies are at the horizon.
type Looks<'py> =
    (Bound<'py, PyArray2<i32>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>);

/// The same before Python has it.
struct Numbers {
    observed: Vec<i32>,
    rewards: Vec<f64>,
    times: Vec<f64>,
    ended: Vec<bool>,
}

impl Numbers {
    fn arrays(self, py: Python<'_>) -> PyResult<Looks<'_>> {
        let copies = self.ended.len();
        let columns = self.observed.len() / copies.max(1);
        Ok((
            PyArray1::from_vec(py, self.observed).reshape([copies, columns])?,
            PyArray1::from_vec(py, self.rewards),
            PyArray1::from_vec(py, self.times),
            PyArray1::from_vec(py, self.ended),
        ))
    }
}

/// Ticks in a time unit.
const TICKS: f64 = 4_294_967_296.0;

fn of_copies(error: QueueingError) -> PyErr {
    match error {
        QueueingError::Decision { .. } | QueueingError::Words { .. } => PyValueError::new_err(error.to_string()),
        error => of_run(&error, error.to_string()),
    }
}

#[pymethods]
impl Copies {
    #[new]
    #[pyo3(signature = (network, decisions, observed, earned, *, every, interrupts, until, copies, seed, backend))]
    #[allow(clippy::too_many_arguments)] // as Python calls them by name
    fn new(
        py: Python<'_>,
        network: &Bound<'_, Network>,
        decisions: Vec<String>,
        observed: Vec<String>,
        earned: Vec<(String, f64)>,
        every: Option<f64>,
        interrupts: bool,
        until: Option<f64>,
        copies: u32,
        seed: u64,
        backend: &str,
    ) -> PyResult<Self> {
        is_no_fork()?;
        if copies == 0 {
            return Err(of_argument("num_envs", 0, "1 or more"));
        }
        let epoch = every.map_or(Epoch::Event, Epoch::Every);
        let (earned, weights): (Vec<_>, Vec<f64>) = earned.into_iter().unzip();
        let asked = Control { decisions, observed, earned, epoch, interrupts };
        let described = network.get().described.clone();
        let described = until.into_iter().fold(described, tickless::queueing::Network::until);
        let model = described.control(&asked).map_err(of_model)?;
        let ticks = model.earned_over_time().map(|over_time| if over_time { TICKS } else { 1.0 });
        let weights = weights.iter().zip(ticks).map(|(weight, ticks)| weight / ticks).collect();
        let backend = py.detach(|| Backend::named(backend, || copies >= MANY))?;
        let (decisions, is_terminating) = (model.decisions().to_vec(), model.is_terminating());
        let held = py.detach(|| Held::try_new(model, |model| begin(model, backend, (copies, seed))));
        let held = Mutex::new(held.map_err(of_copies)?);
        Ok(Self { held, decisions, is_terminating, count: copies as usize, weights, backend })
    }

    /// The path of each decision, its words, and the largest value of each.
    #[getter]
    fn decisions(&self) -> Vec<(String, u32, u32)> {
        let of = |decision: &Decision| (decision.path.clone(), decision.words, decision.most);
        self.decisions.iter().map(of).collect()
    }

    /// Whether the horizon is the system's own end.
    #[getter]
    fn is_terminating(&self) -> bool {
        self.is_terminating
    }

    #[getter]
    fn backend(&self) -> &'static str {
        self.backend.name
    }

    #[getter]
    fn adapter(&self) -> Option<String> {
        self.backend.adapter()
    }

    /// Addresses in the memory of a CUDA device: of the decisions, what is observed, what is earned, the times, and 1 where a copy is at the
    /// horizon.
    #[getter]
    fn places(&self) -> Option<(u64, u64, u64, u64, u64)> {
        let Places { decided, observed, earned, clocks, ended } =
            self.lock().with_dependent(|_, copies| copies.places())?;
        Some((decided, observed, earned, clocks, ended))
    }

    /// What each number that is earned is worth.
    #[getter]
    fn weights(&self) -> Vec<f64> {
        self.weights.clone()
    }

    /// All copies begin anew.
    fn reset<'py>(&self, py: Python<'py>, seed: Option<u64>) -> PyResult<Looks<'py>> {
        self.works(py, |copies| Ok(self.looks(copies.reset(seed)?)))?.arrays(py)
    }

    /// Carries out decisions, a line for each copy, and goes on to the next ones.
    fn step<'py>(&self, py: Python<'py>, decided: PyReadonlyArray2<'py, u32>) -> PyResult<Looks<'py>> {
        if decided.shape()[0] != self.count {
            return Err(of_argument("the number of actions", decided.shape()[0], &format!("{}", self.count)));
        }
        let words = decided.as_slice().map_err(|_| PyValueError::new_err("actions must lie in rows"))?;
        self.works(py, |copies| Ok(self.looks(copies.step(words)?)))?.arrays(py)
    }

    /// The same with decisions in the memory of the device, where what is seen stays.
    fn step_there(&self, py: Python<'_>) -> PyResult<()> {
        self.works(py, |copies| copies.step_there())
    }
}

/// Copies at time 0.
fn begin(model: &ControlledModel, backend: Backend, (copies, seed): (u32, u64)) -> Result<AtWork<'_>, QueueingError> {
    match backend.device() {
        None => model.on_the_heap(copies, seed),
        Some(device) => model.on_device(device, copies, seed, &mut unwatched()),
    }
}

impl Copies {
    /// One thread at a time.
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the copies work without the interpreter.
    fn works<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn control::Copies) -> Result<T, QueueingError> + Send,
    ) -> PyResult<T> {
        is_no_fork()?;
        py.detach(|| self.lock().with_dependent_mut(|_, copies| work(&mut **copies))).map_err(of_copies)
    }

    fn looks(&self, seen: &Seen) -> Numbers {
        Numbers {
            observed: bytemuck::cast_slice(seen.observed()).to_vec(),
            rewards: self.rewards(seen),
            times: seen.clocks().iter().map(|ticks| *ticks as f64 / TICKS).collect(),
            ended: seen.ended().iter().map(|ended| *ended != 0).collect(),
        }
    }

    /// What has been earned, by its weights, one term after the other.
    fn rewards(&self, seen: &Seen) -> Vec<f64> {
        if self.weights.is_empty() {
            return vec![0.0; self.count];
        }
        let of_copy = |earned: &[u64]| earned.iter().zip(&self.weights).map(|(sum, weight)| *sum as f64 * weight).sum();
        seen.earned().chunks(self.weights.len()).map(of_copy).collect()
    }
}
