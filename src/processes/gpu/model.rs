//! The part of a model of logical processes for devices.

use super::options::MOST_NODE;
use super::records::Phold;
use crate::{Payload as _, PholdModel, ProcessError, ProcessModel};
use tickless_core::random::{EffectiveLaw, StreamKey};
use tickless_core::time::Time;
use tickless_device::{BufferSpec, BufferUse, laws};
use tickless_kernels::{Mounts, Source};

/// A model of logical processes for a device.
///
/// Its WGSL defines two functions:
///
/// - `start(id, stream)` plans the first events of a process, by `plan(time, carried)`;
/// - `execute(event, stream)` executes an event of the process `process.id` at the time `process.now`, and sends messages
///   by `send(destination, delay, carried)`. The event's words are `carried_by(event)`, and `source_of(event)` and
///   `sequence_of(event)` say who sent it. `process.word` is the first word of state, and `state_word(number)` and
///   `set_state_word(number, value)` are for all words. It may change only these words and memory that only this process
///   uses. `start` may set them too; they are 0 before it.
///
/// `stream` is a `ptr<function, Stream>`, for `draw(stream)`. Other names are imported from the modules of `shaders/`:
/// `import package::lib::pcg32::{Stream, draw};`, `import package::processes::send::{plan, send};`, `import
/// package::processes::records::{process};`, `import package::processes::state::{state_word, set_state_word};`, `import
/// events::{Event, carried_by};` (docs/wgsl.md lists them). Buffers are declared without a number. Errors in the text name its line
/// ([`Source::own`]).
#[derive(Clone, Debug)]
pub struct DeviceModel {
    /// Its name.
    pub label: &'static str,
    /// The number of processes.
    pub processes: u32,
    /// The least delay of a message; a tick or more.
    pub lookahead: Time,
    /// The horizon.
    pub until: Time,
    /// The key of the processes' streams.
    pub key: StreamKey,
    /// The most events of a process at the start.
    pub starting: u32,
    /// The most messages that an event sends.
    pub most_sent: u32,
    /// The number of events that a process executes in a round in the mean, roughly.
    pub burst: f64,
    /// Words that a message carries, 0 to 3.
    pub payload_words: usize,
    /// Words of the state of a process, 1 or more: as many as [`ProcessModel::State`](crate::ProcessModel::State) has.
    pub state_words: u32,
    /// The module with both functions.
    pub source: Source,
    /// The laws that it draws from: [`EffectiveLaw::service`] in Rust is `service_time(law(n), stream)` in WGSL, for the n-th of them from 0
    /// on.
    pub laws: Vec<EffectiveLaw>,
    /// Its buffers, named as in its kernels.
    pub buffers: Vec<BufferSpec>,
}

impl From<&PholdModel> for DeviceModel {
    fn from(model: &PholdModel) -> Self {
        let phold = Phold::from(model);
        // At the start no increment has passed, and more of them end in the first round than in a later one.
        let share = 1.0 - (-model.lookahead().units() / model.mean().units()).exp();
        Self {
            starting: model.population(),
            burst: f64::from(model.population()) * share,
            buffers: vec![BufferSpec::filled("phold", BufferUse::Uniform, bytemuck::bytes_of(&phold).to_vec())],
            ..Self::of(model, "phold", "processes/phold".into())
        }
    }
}

impl DeviceModel {
    /// The kernels of a model of processes, which has said the five numbers that both have. One event of a process at the start, one message
    /// of an event, one word of state and no buffers, where nothing else is said:
    ///
    /// ```
    /// # use tickless_processes::facade as tickless;
    /// # use tickless::processes::{PholdModel, gpu::DeviceModel};
    /// # fn of(model: &PholdModel) -> DeviceModel {
    /// DeviceModel { starting: 3, most_sent: 2, ..DeviceModel::of(model, "phold", "processes/phold".into()) }
    /// # }
    /// ```
    pub fn of<M: ProcessModel>(model: &M, label: &'static str, source: Source) -> Self {
        Self {
            label,
            processes: model.processes(),
            lookahead: model.lookahead(),
            until: model.until(),
            key: model.key(),
            starting: 1,
            most_sent: 1,
            burst: 1.0,
            payload_words: M::Payload::WORDS,
            state_words: 1,
            source,
            laws: vec![],
            buffers: vec![],
        }
    }

    /// Refuses numbers that no device can run.
    ///
    /// # Errors
    /// [`ProcessError::NoLookahead`], [`ProcessError::DeviceModel`].
    pub(super) fn check(&self) -> Result<(), ProcessError> {
        if self.lookahead == Time::ZERO {
            return Err(ProcessError::NoLookahead);
        }
        let (payload_words, most_sent) = (self.payload_words as f64, f64::from(self.most_sent));
        let most = f64::from(u32::MAX);
        let fields = [
            ("processes", self.processes.into(), 1.0..=most),
            ("most_sent", most_sent, 0.0..=f64::from(MOST_NODE)),
            ("burst", self.burst, 0.0..=most),
            ("payload_words", payload_words, 0.0..=3.0),
            ("state_words", self.state_words.into(), 1.0..=most),
        ];
        match fields.into_iter().find(|(_, value, allowed)| !allowed.contains(value)) {
            None => Ok(()),
            Some((field, value, allowed)) => {
                Err(ProcessError::DeviceModel { field, value, least: *allowed.start(), most: *allowed.end() })
            }
        }
    }

    /// Refuses kernels of another model.
    ///
    /// # Errors
    /// [`ProcessError::Disagree`].
    pub(crate) fn check_against<M: ProcessModel>(&self, model: &M) -> Result<(), ProcessError> {
        let of_model = Self::of(model, self.label, self.source.clone());
        let said = |of: &Self| {
            [
                ("processes", of.processes.to_string()),
                ("lookahead", of.lookahead.to_string()),
                ("until", of.until.to_string()),
                ("key", format!("{:?}", of.key)),
                ("payload_words", of.payload_words.to_string()),
            ]
        };
        let differs = said(self).into_iter().zip(said(&of_model)).find(|(device, model)| device != model);
        let Some(((field, device), (_, model))) = differs else { return Ok(()) };
        Err(ProcessError::Disagree { field, device, model })
    }

    /// The words of state beside the first.
    pub(super) fn more_words(&self) -> Option<BufferSpec> {
        let words = u64::from(self.processes) * u64::from(self.state_words.saturating_sub(1));
        (words > 0).then(|| BufferSpec::storage("more_words", words, 4))
    }

    /// The buffers of the words of state beside the first, of its laws, and its own.
    pub(super) fn buffers(&self) -> impl Iterator<Item = BufferSpec> {
        self.more_words().into_iter().chain([laws::of_model(&self.laws).1]).chain(self.buffers.iter().cloned())
    }

    /// The modules that it mounts, whatever set its events are kept in.
    pub(super) fn mounts(&self) -> Mounts {
        laws::of_model(&self.laws)
            .0
            .with("model", self.source.clone())
            .with("faults", "lib/faults")
            .with("outside", "processes/outside")
    }
}
