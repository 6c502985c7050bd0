//! Logical processes on a device: in rounds up to the lookahead behind the earliest event of all, with a set of pending
//! events for each process.

mod global;
mod layout;
mod limits;
mod pending;
mod records;
mod simulation;
mod state;

use super::{Outcome, PholdModel, ProcessDetails, ProcessError};
use crate::device::{AdapterDescription, BufferSpec, BufferUse, Device};
use crate::engine::{ModelParts, Options};
use crate::kernels::{Mounts, Source};
use crate::random::{StreamKey, logarithm_table};
use crate::run::{Run, Watch};
use crate::time::Time;

pub use pending::{Pending, PendingReport, PendingSet, UnknownSet};

/// How many events a process executes in a round. It changes no result.
///
/// ```
/// use tickless::processes::gpu::PerRound;
/// assert_eq!(PerRound::default().name(), "all");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PerRound {
    /// All that are before the bound.
    #[default]
    All,
    /// The earliest, where it is before the bound.
    One,
}

impl PerRound {
    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::All, Self::One].into_iter().find(|events| events.name() == name)
    }

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::One => "one",
        }
    }
}

/// How logical processes run on a device. None of it changes a result.
///
/// ```
/// use tickless::processes::gpu::{PendingSet, ProcessOptions};
/// let options = ProcessOptions { pending: PendingSet::Splay.into(), ..ProcessOptions::default() };
/// assert_eq!(options.most_pending, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessOptions {
    /// How pending events are kept.
    pub pending: Pending,
    /// How many events a process executes in a round.
    pub per_round: PerRound,
    /// The most pending events that a process may have, with [`PendingSet::GlobalHeap`] in the mean over all; `None` for
    /// what fits the device.
    pub most_pending: Option<u32>,
    /// For how many pending events of a process there is room at first; `None` for what seems enough. It grows.
    pub room: Option<u32>,
    /// How many events a process may send messages of in a round; `None` for what seems enough.
    pub outbox: Option<u32>,
    /// Events of a node of [`PendingSet::GlobalHeap`], 1 to [`MOST_NODE`], rounded up to a power of two, and no more than
    /// there are where their number never grows; `None` for what suits the model.
    pub node: Option<u32>,
    /// How rounds are cut up.
    pub rounds: Options,
}

/// The most events of a node of [`PendingSet::GlobalHeap`]: a larger one has hardly more to gain from fewer launches.
pub const MOST_NODE: u32 = 1 << 20;

/// A model of logical processes for a device.
///
/// Its WGSL defines two functions:
///
/// - `start(id, stream)` plans the first events of a process, by `plan(time, carried)`;
/// - `execute(event, stream)` executes an event of the process `process.id` at the time `process.now`, and sends messages
///   by `send(destination, delay, carried)`. What the event carries is `carried_by(event)`; `process.word` is a word of
///   state. It may change nothing but that and what only this process reads and writes.
///
/// `stream` is a `ptr<function, Stream>`, for `draw(stream)`. What it needs it imports from the modules of `shaders/`:
/// `import package::lib::pcg32::{Stream, draw};`, `import package::processes::send::{plan, send};`,
/// `import package::processes::records::{process};`, `import events::{Event, carried_by};`. Buffers are declared without a
/// number.
#[derive(Clone, Debug)]
pub struct DeviceModel {
    /// Its name.
    pub label: &'static str,
    /// How many processes there are.
    pub processes: u32,
    /// The least delay of a message; a tick or more.
    pub lookahead: Time,
    /// The horizon.
    pub until: Time,
    /// What gives every process its stream.
    pub key: StreamKey,
    /// The most events of a process at the start.
    pub starting: u32,
    /// The most messages that an event sends.
    pub most_sent: u32,
    /// How many events a process executes in a round in the mean, roughly.
    pub burst: f64,
    /// Words that a message carries, 0 to 3.
    pub payload_words: usize,
    /// The module with both functions.
    pub source: Source,
    /// Its buffers, named as in its kernels; `logarithms` too where it draws exponential times.
    pub buffers: Vec<BufferSpec>,
}

impl From<&PholdModel> for DeviceModel {
    fn from(model: &PholdModel) -> Self {
        let phold = records::Phold::from(model);
        let table = bytemuck::cast_slice(logarithm_table()).to_vec();
        // At the start no increment has passed, and more of them end in the first round than in a later one.
        let share = 1.0 - (-model.lookahead().units() / model.mean().units()).exp();
        Self {
            label: "phold",
            processes: model.processes(),
            lookahead: model.lookahead(),
            until: model.until(),
            key: model.key(),
            starting: model.population(),
            most_sent: 1,
            burst: f64::from(model.population()) * share,
            payload_words: 0,
            source: "processes/phold".into(),
            buffers: vec![
                BufferSpec::filled("phold", BufferUse::Uniform, bytemuck::bytes_of(&phold).to_vec()),
                BufferSpec::filled("logarithms", BufferUse::Storage, table),
            ],
        }
    }
}

impl DeviceModel {
    /// What it mounts, whatever its events are kept in.
    fn mounts(&self) -> Mounts {
        Mounts::default()
            .with("model", self.source.clone())
            .with("faults", "lib/faults")
            .with("logarithm_rows", "lib/logarithms")
    }
}

/// The kernels and buffers of a model.
///
/// # Errors
/// A model that does not fit the adapter.
pub fn parts(
    model: &DeviceModel,
    options: &ProcessOptions,
    adapter: &AdapterDescription,
) -> Result<ModelParts, ProcessError> {
    if options.pending.set() == PendingSet::GlobalHeap {
        let layout = global::Layout::new(model, options, adapter)?;
        return Ok(layout.every_kernel(model, adapter, &options.rounds)?);
    }
    let layout = layout::Layout::new(model, options.pending.set(), options, adapter)?;
    Ok(layout.parts(model, layout::Begin::Start, adapter, &options.rounds)?)
}

/// Runs a model on a device; [`run`](super::run) does so for one that the heap runs as well.
///
/// # Errors
/// As [`run`](super::run).
pub fn run(
    model: &DeviceModel,
    device: &dyn Device,
    options: ProcessOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, ProcessDetails>, ProcessError> {
    if model.lookahead == Time::ZERO {
        return Err(ProcessError::NoLookahead);
    }
    match options.pending.set() {
        PendingSet::GlobalHeap => global::run(model, device, &options, watch),
        _ => simulation::run(model, device, &options, watch),
    }
}

#[cfg(test)]
mod tests;
