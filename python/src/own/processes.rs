//! Logical processes of a user's own.

use std::marker::PhantomData;

use numpy::{PyArray1, PyArray2, PyArrayMethods as _, ToPyArray as _};
use pyo3::prelude::*;
use tickless::processes::gpu::{self, DeviceModel};
use tickless::processes::{self, Message, Outbox, Outcome, Payload, ProcessDetails, ProcessError, ProcessModel};
use tickless::random::{Stream, StreamKey};
use tickless::run::Run;
use tickless::time::Time;

use super::acting::{Acting, Phase, Sent};
use super::parts::{Buffer, Parts, Said, said, time};
use crate::backend::Backend;
use crate::errors::{DeviceError, ModelError, RunError, of_argument, of_model};
use crate::process::is_no_fork;
use crate::watch::Signals;

/// Logical processes of a user's own.
#[pyclass(frozen, module = "tickless")]
pub struct Processes {
    count: u32,
    lookahead: Time,
    until: Time,
    state_words: u32,
    payload_words: usize,
    starting: u32,
    most_sent: u32,
    parts: Parts,
    /// What begins a process, and what executes an event.
    callables: Option<[Py<PyAny>; 2]>,
}

type Ran = Run<Outcome, ProcessDetails>;
/// The state a line a process; events executed, messages sent and pending, of each process.
type Records<'py> =
    (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>);

#[pymethods]
impl Processes {
    #[new]
    #[pyo3(signature = (count, lookahead, until, *, state_words, payload_words, starting, most_sent, kernels, laws, buffers, callables))]
    #[allow(clippy::too_many_arguments)] // as Python calls them by name
    fn new(
        count: u32,
        lookahead: f64,
        until: f64,
        state_words: u32,
        payload_words: usize,
        starting: u32,
        most_sent: u32,
        kernels: Option<String>,
        laws: Vec<String>,
        buffers: Vec<Buffer>,
        callables: Option<(Py<PyAny>, Py<PyAny>)>,
    ) -> PyResult<Self> {
        if count == 0 {
            return Err(of_argument("count", 0, "1 or more"));
        }
        Ok(Self {
            count,
            lookahead: time("lookahead", lookahead, "from 2^-32 time units to below 2^32")?,
            until: time("until", until, "from 2^-32 time units to below 2^32")?,
            state_words,
            payload_words,
            starting,
            most_sent,
            parts: Parts::new(kernels, &laws, buffers)?,
            callables: callables.map(|(start, execute)| [start, execute]),
        })
    }

    /// Runs the model.
    #[pyo3(signature = (seed, backend, *, progress))]
    fn run<'py>(&self, py: Python<'py>, seed: u64, backend: &str, progress: bool) -> PyResult<(Said, Records<'py>)> {
        is_no_fork()?;
        let backend = self.parts.backend(py, backend)?;
        let ran = self.runs(py, seed, backend, progress)?;
        let records = &ran.outcome.processes;
        let words = ran.outcome.state.to_pyarray(py).reshape([self.count as usize, self.state_words as usize])?;
        let of_each = (
            records.iter().map(|record| record.executed).collect::<Vec<_>>().to_pyarray(py),
            records.iter().map(|record| record.sent).collect::<Vec<_>>().to_pyarray(py),
            records.iter().map(|record| record.pending).collect::<Vec<_>>().to_pyarray(py),
        );
        Ok((said(&ran, ran.outcome.digest().to_string(), backend), (words, of_each.0, of_each.1, of_each.2)))
    }

    /// The first difference between the heap and a device, in words.
    #[pyo3(signature = (seed, backend, *, progress))]
    fn first_difference(&self, py: Python<'_>, seed: u64, backend: &str, progress: bool) -> PyResult<Option<String>> {
        is_no_fork()?;
        let on = |name| self.runs(py, seed, self.parts.backend(py, name)?, progress);
        let (heap, device) = (on("heap")?, on(backend)?);
        Ok(heap.outcome.first_difference(&device.outcome).map(|difference| difference.to_string()))
    }
}

impl Processes {
    fn runs(&self, py: Python<'_>, seed: u64, backend: Backend, progress: bool) -> PyResult<Ran> {
        let mut watch = Signals::new(py, progress)?;
        let key = StreamKey::new(seed, 0);
        let ran = match backend.device() {
            Some(device) => {
                let model = self.device_model(key);
                let model = model.ok_or_else(|| {
                    of_model("the model has no `kernels`, which a device needs: give them, or run it on the heap")
                })?;
                py.detach(|| gpu::run(&model, device, Default::default(), &mut watch))
            }
            None => {
                let [start, execute] = self.callables.as_ref().ok_or_else(|| {
                    of_model("the model has no `start` and `execute`, which the heap needs: give them, or run it on a device")
                })?;
                let called = Called { of: self, key, start, execute };
                py.detach(|| called.on_the_heap(&mut watch))
            }
        };
        watch.ended(py)?;
        ran.map_err(of_process)
    }

    fn device_model(&self, key: StreamKey) -> Option<DeviceModel> {
        Some(DeviceModel {
            label: "own",
            processes: self.count,
            lookahead: self.lookahead,
            until: self.until,
            key,
            starting: self.starting,
            most_sent: self.most_sent,
            burst: 1.0,
            payload_words: self.payload_words,
            state_words: self.state_words,
            source: self.parts.source()?,
            laws: self.parts.laws(),
            buffers: self.parts.buffers(),
        })
    }
}

/// The model of callables, for the heap.
struct Called<'a> {
    of: &'a Processes,
    key: StreamKey,
    start: &'a Py<PyAny>,
    execute: &'a Py<PyAny>,
}

impl Called<'_> {
    fn on_the_heap(&self, watch: &mut Signals) -> Result<Ran, ProcessError> {
        match self.of.payload_words {
            0 => Carrying::<[u32; 0]>(self, PhantomData).runs(watch),
            1 => Carrying::<[u32; 1]>(self, PhantomData).runs(watch),
            2 => Carrying::<[u32; 2]>(self, PhantomData).runs(watch),
            _ => Carrying::<[u32; 3]>(self, PhantomData).runs(watch),
        }
    }

    /// Lets a callable act; what it sends.
    fn acts(
        &self,
        callable: &Py<PyAny>,
        (id, now): (u32, Time),
        stream: &mut Stream,
        state: &mut [u32],
        message: Option<(Vec<u32>, u32, u32)>,
    ) -> Result<Vec<Sent>, ProcessError> {
        let acts = |py: Python<'_>| -> PyResult<Vec<Sent>> {
            let acting = Acting {
                id,
                now: now.ticks(),
                stream: stream.clone(),
                laws: self.of.parts.laws.clone(),
                sent: vec![],
                words: self.of.payload_words,
                phase: if message.is_some() { Phase::Event } else { Phase::Start },
            };
            let (acting, words) = (Bound::new(py, acting)?, state.to_pyarray(py));
            callable.call1(py, (&acting, &words, message))?;
            state.copy_from_slice(&words.readonly().as_slice()?[..state.len()]);
            let mut acting = acting.borrow_mut();
            *stream = acting.stream.clone();
            Ok(std::mem::take(&mut acting.sent))
        };
        Python::attach(acts).map_err(|raised| ProcessError::Model(Box::new(raised)))
    }
}

/// The same with messages that carry so many words.
struct Carrying<'a, P>(&'a Called<'a>, PhantomData<P>);

impl<P: Payload> Carrying<'_, P> {
    fn runs(&self, watch: &mut Signals) -> Result<Ran, ProcessError> {
        processes::run(self, tickless::device::Target::Heap, Default::default(), watch)
    }

    fn payload(carried: [u32; 3]) -> P {
        let mut payload = P::ZERO;
        payload.as_mut().copy_from_slice(&carried[..P::WORDS]);
        payload
    }
}

impl<P: Payload> ProcessModel for Carrying<'_, P> {
    type State = Vec<u32>;
    type Payload = P;

    fn processes(&self) -> u32 {
        self.0.of.count
    }

    fn lookahead(&self) -> Time {
        self.0.of.lookahead
    }

    fn until(&self) -> Time {
        self.0.of.until
    }

    fn key(&self) -> StreamKey {
        self.0.key
    }

    fn device_model(&self) -> Option<DeviceModel> {
        self.0.of.device_model(self.0.key)
    }

    fn initialize(
        &self,
        process: u32,
        stream: &mut Stream,
        first: &mut Vec<(Time, P)>,
    ) -> Result<Vec<u32>, ProcessError> {
        let mut state = vec![0; self.0.of.state_words as usize];
        let planned = self.0.acts(self.0.start, (process, Time::ZERO), stream, &mut state, None)?;
        first.extend(planned.into_iter().map(|event| (event.delay, Self::payload(event.carried))));
        Ok(state)
    }

    fn execute(
        &self,
        message: &Message<P>,
        state: &mut Vec<u32>,
        stream: &mut Stream,
        outbox: &mut impl Outbox<P>,
    ) -> Result<(), ProcessError> {
        let of = (message.payload.as_ref().to_vec(), message.source, message.sequence);
        let at = (message.destination, message.time);
        let sent = self.0.acts(self.0.execute, at, stream, state, Some(of))?;
        let mut send = |one: Sent| outbox.send(one.destination, one.delay, Self::payload(one.carried));
        sent.into_iter().try_for_each(&mut send)
    }
}

/// A run without a result; what a callable raised as it is.
fn of_process(error: ProcessError) -> PyErr {
    let said = error.to_string();
    match error {
        ProcessError::Model(own) => own.downcast::<PyErr>().map_or_else(|_| RunError::new_err(said), |raised| *raised),
        ProcessError::Device(_) => DeviceError::new_err(said),
        ProcessError::NoLookahead | ProcessError::DeviceModel { .. } | ProcessError::Disagree { .. } => {
            ModelError::new_err(said)
        }
        _ => RunError::new_err(said),
    }
}
