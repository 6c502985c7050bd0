//! Cells of a user's own.

use std::sync::{Mutex, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1, PyReadonlyArray2, ToPyArray as _};
use pyo3::prelude::*;
use tickless::cells::gpu::{CellKernels, DeviceCells};
use tickless::cells::{self, Border, Cell, CellError, CellModel, CellOutcome, Inputs, Moment, Space};
use tickless::random::Stream;
use tickless::run::Run;
use tickless::time::Time;

use super::acting::{Acting, Phase};
use super::parts::{Buffer, Parts, Said, said, time};
use crate::backend::Backend;
use crate::errors::{DeviceError, ModelError, RunError, of_argument, of_model};
use crate::process::is_no_fork;
use crate::watch::Signals;

/// Cells of a user's own.
#[pyclass(frozen, module = "tickless")]
pub struct Cells {
    space: Space,
    until: Time,
    lookahead: Time,
    state_words: usize,
    output_words: usize,
    /// The words of the state of each cell at time 0, and when its first own event is.
    initial: Vec<u32>,
    first: Vec<u64>,
    /// The word of the state from which on its stream lies.
    stream: Option<usize>,
    elapsed: bool,
    parts: Parts,
    /// What gives the output of a cell, and what its next state and event are.
    callables: Option<[Py<PyAny>; 2]>,
}

/// The words of all states, a line a cell; of all last outputs; when the next events are, in ticks.
type Arrays<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray2<u32>>, Bound<'py, PyArray1<u64>>);

#[pymethods]
impl Cells {
    #[new]
    #[pyo3(signature = (size, offsets, *, wrapped, lookahead, until, initial, first, output_words, stream, elapsed, kernels, laws, buffers, callables))]
    #[allow(clippy::too_many_arguments)] // as Python calls them by name
    fn new(
        size: [u32; 3],
        offsets: Vec<[i32; 3]>,
        wrapped: bool,
        lookahead: f64,
        until: f64,
        initial: PyReadonlyArray2<'_, u32>,
        first: PyReadonlyArray1<'_, u64>,
        output_words: usize,
        stream: Option<usize>,
        elapsed: bool,
        kernels: Option<String>,
        laws: Vec<String>,
        buffers: Vec<Buffer>,
        callables: Option<(Py<PyAny>, Py<PyAny>)>,
    ) -> PyResult<Self> {
        let border = if wrapped { Border::Wrapped } else { Border::Open };
        let lookahead = Time::from_units(lookahead)
            .ok_or_else(|| of_argument("lookahead", lookahead, "from 0 to below 2^32 time units"))?;
        Ok(Self {
            space: Space::new(size, border, offsets).map_err(of_model)?,
            until: time("until", until, "from 2^-32 time units to 2^31")?,
            lookahead,
            state_words: initial.as_array().ncols(),
            output_words,
            initial: initial.as_array().iter().copied().collect(),
            first: first.as_array().iter().copied().collect(),
            stream,
            elapsed,
            parts: Parts::new(kernels, &laws, buffers)?,
            callables: callables.map(|(output, transition)| [output, transition]),
        })
    }

    /// Runs the model.
    #[pyo3(signature = (seed, replications, backend, *, progress))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        replications: u32,
        backend: &str,
        progress: bool,
    ) -> PyResult<(Said, Arrays<'py>)> {
        is_no_fork()?;
        let backend = self.parts.backend(py, backend)?;
        let ran = self.runs(py, (seed, replications), backend, progress)?;
        let outcome = &ran.outcome;
        let lines = outcome.next.len();
        let array = |words: &[u32], of_each: usize| words.to_pyarray(py).reshape([lines, of_each]);
        let state = array(&outcome.state, self.state_words)?;
        let output = array(&outcome.output, self.output_words)?;
        let next: Vec<u64> = outcome.next.iter().map(|time| time.ticks()).collect();
        Ok((said(&ran, ran.outcome.digest().to_string(), backend), (state, output, next.to_pyarray(py))))
    }

    /// The first difference between the heap and a device, in words.
    #[pyo3(signature = (seed, replications, backend, *, progress))]
    fn first_difference(
        &self,
        py: Python<'_>,
        seed: u64,
        replications: u32,
        backend: &str,
        progress: bool,
    ) -> PyResult<Option<String>> {
        is_no_fork()?;
        let on = |name| self.runs(py, (seed, replications), self.parts.backend(py, name)?, progress);
        let (heap, device) = (on("heap")?, on(backend)?);
        Ok(heap.outcome.first_difference(&device.outcome).map(|difference| difference.to_string()))
    }
}

impl Cells {
    fn runs(
        &self,
        py: Python<'_>,
        (seed, replications): (u64, u32),
        backend: Backend,
        progress: bool,
    ) -> PyResult<Run<CellOutcome>> {
        match backend.device() {
            Some(_) if self.parts.kernels.is_none() => {
                return Err(of_model(
                    "the model has no `kernels`, which a device needs: give them, or run it on the heap",
                ));
            }
            None if self.callables.is_none() => {
                return Err(of_model(
                    "the model has no `output_of` and `transition`, which the heap needs: give them, or run it on a device",
                ));
            }
            _ => {}
        }
        let mut watch = Signals::new(py, progress)?;
        let model = Model { of: self, seed, raised: Mutex::new(None) };
        let ran = py.detach(|| cells::run(&model, 0..replications, backend.target(), Default::default(), &mut watch));
        watch.ended(py)?;
        ran.map_err(|error| {
            let raised = model.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
            raised.unwrap_or_else(|| of_cells(&error))
        })
    }
}

/// The model with a seed.
struct Model<'a> {
    of: &'a Cells,
    seed: u64,
    /// What a callable raised.
    raised: Mutex<Option<PyErr>>,
}

impl Model<'_> {
    /// The stream of a cell, from its state.
    fn stream(&self, cell: Cell, state: &[u32]) -> Stream {
        match self.of.stream {
            None => cell.stream(self.seed),
            Some(word) => cell.stream_from(self.seed, [state[word], state[word + 1]]),
        }
    }

    /// Lets a callable act: it is given the cell at work and what `given` makes, and returns something.
    fn acts<T>(
        &self,
        which: usize,
        (cell, now): (Cell, Time),
        state: &mut [u32],
        act: impl FnOnce(Python<'_>, &Py<PyAny>, &Bound<'_, Acting>, &Bound<'_, PyArray1<u32>>) -> PyResult<T>,
    ) -> Result<T, CellError> {
        let acts = |py: Python<'_>| -> PyResult<T> {
            let [output, transition] =
                self.of.callables.as_ref().ok_or_else(|| of_model("the model has no callables"))?;
            let acting = Acting {
                id: cell.id,
                now: now.ticks(),
                stream: self.stream(cell, state),
                laws: self.of.parts.laws.clone(),
                sent: vec![],
                words: 0,
                phase: Phase::Cell,
            };
            let (acting, words) = (Bound::new(py, acting)?, state.to_pyarray(py));
            let given = act(py, if which == 0 { output } else { transition }, &acting, &words)?;
            if which == 1 {
                state.copy_from_slice(&words.readonly().as_slice()?[..state.len()]);
                if let Some(word) = self.of.stream {
                    state[word..word + 2].copy_from_slice(&acting.borrow().stream.words());
                }
            }
            Ok(given)
        };
        Python::attach(acts).map_err(|raised| {
            let what = raised.to_string();
            self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
            CellError::Model { cell: cell.id, now, what }
        })
    }
}

impl CellModel for Model<'_> {
    fn space(&self) -> &Space {
        &self.of.space
    }

    fn until(&self) -> Time {
        self.of.until
    }

    fn lookahead(&self) -> Time {
        self.of.lookahead
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn state_words(&self) -> usize {
        self.of.state_words
    }

    fn output_words(&self) -> usize {
        self.of.output_words
    }

    fn elapsed(&self) -> bool {
        self.of.elapsed
    }

    fn initialize(&self, cell: Cell, state: &mut [u32], _: &mut [u32]) -> Result<Time, CellError> {
        let first = cell.id as usize * state.len();
        state.copy_from_slice(&self.of.initial[first..first + state.len()]);
        if let Some(word) = self.of.stream {
            state[word..word + 2].copy_from_slice(&cell.stream(self.seed).words());
        }
        Ok(Time::from_ticks(self.of.first[cell.id as usize]))
    }

    fn output(&self, cell: Cell, now: Time, state: &[u32], output: &mut [u32]) -> Result<bool, CellError> {
        let mut state = state.to_vec();
        self.acts(0, (cell, now), &mut state, |py, callable, acting, words| {
            let out = output.to_pyarray(py);
            let is_sent = callable.call1(py, (acting, words, &out, cell.replication))?.is_truthy(py)?;
            if is_sent {
                output.copy_from_slice(&out.readonly().as_slice()?[..output.len()]);
            }
            Ok(is_sent)
        })
    }

    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        let neighbours = 0..self.of.space.offsets().len();
        let arrives: Vec<bool> = neighbours.clone().map(|n| inputs.arrives(n)).collect();
        let exists: Vec<bool> = neighbours.clone().map(|n| inputs.exists(n)).collect();
        let width = self.of.output_words;
        let heard: Vec<u32> =
            neighbours.flat_map(|n| inputs.output(n).map_or_else(|| vec![0; width], <[u32]>::to_vec)).collect();
        self.acts(1, (cell, moment.now), state, |py, callable, acting, words| {
            let heard = heard.to_pyarray(py).reshape([exists.len(), width])?;
            let about = (cell.replication, moment.imminent, next.ticks(), moment.elapsed.ticks());
            let given = (acting, words, about, arrives.to_pyarray(py), exists.to_pyarray(py), heard);
            let planned: Option<u64> = callable.call1(py, given)?.extract(py)?;
            Ok(planned.map_or(Time::NEVER, Time::from_ticks))
        })
    }
}

impl DeviceCells for Model<'_> {
    fn kernels(&self) -> Option<CellKernels> {
        let own = self.of.parts.source()?;
        Some(CellKernels {
            laws: self.of.parts.laws(),
            buffers: self.of.parts.buffers(),
            ..CellKernels::of("own", own)
        })
    }
}

fn of_cells(error: &CellError) -> PyErr {
    let said = error.to_string();
    match error {
        CellError::Device(_) => DeviceError::new_err(said),
        CellError::Words { .. } | CellError::Until { .. } | CellError::Space(_) => ModelError::new_err(said),
        _ => RunError::new_err(said),
    }
}
