//! What a callable is given: a process or a cell at work.

use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tickless::random::{EffectiveLaw, Stream};
use tickless::time::Time;

use crate::errors::of_argument;

/// A message that a process sends, or at the start an event of its own.
pub struct Sent {
    pub destination: u32,
    /// From now, or since 0.
    pub delay: Time,
    pub carried: [u32; 3],
}

/// A process or a cell at work. Times are ticks, of which a time unit has 2^32.
#[pyclass(module = "tickless")]
pub struct Acting {
    #[pyo3(get)]
    pub id: u32,
    /// Ticks.
    #[pyo3(get)]
    pub now: u64,
    pub stream: Stream,
    pub laws: Arc<[EffectiveLaw]>,
    pub sent: Vec<Sent>,
    /// How many words a message carries.
    pub words: usize,
    pub phase: Phase,
}

/// What a callable may do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Plan first events.
    Start,
    /// Send messages.
    Event,
    /// Neither, as a cell.
    Cell,
}

impl Acting {
    /// Refuses what belongs to another phase.
    fn check_phase(&self, phase: Phase, does: &str, instead: &str) -> PyResult<()> {
        if self.phase == phase { Ok(()) } else { Err(PyRuntimeError::new_err(format!("{does}: {instead}"))) }
    }

    fn send_words(&mut self, destination: u32, delay: u64, carried: &Bound<'_, PyTuple>) -> PyResult<()> {
        let given: Vec<u32> = carried.extract()?;
        if given.len() != self.words {
            return Err(of_argument("the number of words carried", given.len(), &format!("{}", self.words)));
        }
        let mut carried = [0; 3];
        carried[..given.len()].copy_from_slice(&given);
        self.sent.push(Sent { destination, delay: Time::from_ticks(delay), carried });
        Ok(())
    }
}

#[pymethods]
impl Acting {
    /// The next 32 random bits: `draw` of WGSL.
    fn draw(&mut self) -> u32 {
        self.stream.draw()
    }

    /// The next time of the n-th law, in ticks: `service_time(law(n), ...)` of WGSL.
    fn service(&mut self, law: usize) -> PyResult<u64> {
        let laws = self.laws.clone();
        let of = laws.get(law).ok_or_else(|| {
            PyIndexError::new_err(format!("there is no law {law}; the model has {}, from 0 on", laws.len()))
        })?;
        Ok(of.service(&mut self.stream).ticks())
    }

    /// A message, which arrives so many ticks from now.
    #[pyo3(signature = (destination, delay, *carried))]
    fn send(&mut self, destination: u32, delay: u64, carried: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.check_phase(Phase::Event, "a process sends messages in `execute`", "plan events of its own in `start`")?;
        self.send_words(destination, delay, carried)
    }

    /// At the start: an event of the process itself, at a time in ticks.
    #[pyo3(signature = (time, *carried))]
    fn plan(&mut self, time: u64, carried: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.check_phase(Phase::Start, "a process plans events in `start`", "send messages in `execute`")?;
        self.send_words(self.id, time, carried)
    }
}
