//! The layout of a device, and the parts that the engine runs.

use std::ops::RangeInclusive;

use super::crossing::Crossing;
use super::limits::{self, WORD, first_room, most_words};
use super::model::DeviceModel;
use super::options::ProcessOptions;
use super::records::{Parameters, Process, inbox_shift};
use super::totals;
use crate::ProcessError;
use tickless_device::{AdapterDescription, AdapterKind, BufferSpec, BufferUse, DeviceError};
use tickless_engine::pending::PendingSet;
use tickless_engine::{ModelParts, ModelStatus, Options, Sizes, Stage, StageKernel, Work, workgroup};
use tickless_kernels::Mounts;

/// Words of a message.
pub(super) const MESSAGE_WORDS: u64 = 2;
/// Where a process executes so many events in a round, and they are at least this share of its pending events, putting them in order is
/// faster than heaps (measured: docs/performance/processes.md): each of them is compared with each, and all pending events are looked
/// at.
const MANY_IMMINENT: RangeInclusive<f64> = 14.0..=900.0;
const SHARE_IMMINENT: f64 = 0.1;
/// The fewest and the most processes whose imminent events a workgroup puts in order.
const IMMINENT_EACH: [u32; 2] = [4, 32];
/// Workgroups that put events in order, where there are enough processes: each reads a word of every block.
const ORDERING: u32 = 8192;
/// The most processes that one workgroup has: its memory holds three words of each.
const PROCESSES_ALONE: u32 = 1024;
/// ... and the most events of a round in the mean, which one multiprocessor executes.
const EVENTS_ALONE: f64 = 200.0;
/// Threads of that workgroup.
const THREADS_ALONE: u32 = 256;
/// The most blocks of a GPU, where blocks are no larger than a workgroup.
const BLOCKS: u32 = 2048;

/// The sizes of all buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) set: PendingSet,
    pub(super) carrying: bool,
    /// Slots of each set.
    pub(super) slots: u32,
    /// Messages of a process.
    pub(super) outbox: u32,
    events: u32,
    /// The most slots that a set may have: as the user allows and the adapter has.
    allowed: u32,
    fits: u32,
    /// Whether the device adds up the results.
    pub(super) figures_only: bool,
    /// An inbox has 2^this words.
    pub(super) inbox_shift: u32,
    /// The parts into which sets without order are cut.
    parts: u32,
}

/// The state of the events of a run when kernels are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin {
    /// At time 0.
    Start,
    /// Some messages are still in inboxes.
    Again,
}

impl Layout {
    /// The first layout of a model.
    ///
    /// # Errors
    /// Where even the least layout does not fit the adapter.
    pub(super) fn new(
        model: &DeviceModel,
        options: &ProcessOptions,
        adapter: &AdapterDescription,
    ) -> Result<Self, ProcessError> {
        if options.pending != PendingSet::Auto {
            return Self::with(model, options.pending.chosen(), options, adapter);
        }
        let many = MANY_IMMINENT.contains(&model.burst) && model.burst >= SHARE_IMMINENT * f64::from(model.starting);
        let alone = is_alone(model, PendingSet::HeapOfFours, adapter, &options.rounds);
        let many = many && !alone && !options.one_event_a_round && adapter.kind != AdapterKind::Software;
        match Self::with(model, PendingSet::Unsorted, options, adapter) {
            // The sets have room to grow.
            Ok(layout) if many && layout.fits >= 2 * layout.slots => Ok(layout),
            _ => Self::with(model, PendingSet::HeapOfFours, options, adapter),
        }
    }

    fn with(
        model: &DeviceModel,
        set: PendingSet,
        options: &ProcessOptions,
        adapter: &AdapterDescription,
    ) -> Result<Self, ProcessError> {
        limits::check_processes(model, adapter)?;
        if set == PendingSet::Unsorted {
            limits::check_imminent(model, adapter)?;
        }
        let (carrying, processes) = (model.payload_words > 0, u64::from(model.processes));
        let words = u64::from(set.slots_each() * set.slot_words(carrying));
        let most = most_words(adapter);
        let fits = u32::try_from(most / (processes * words)).unwrap_or(u32::MAX).min(u32::MAX / 4);
        let needed = model.starting.saturating_add(set.spare()).max(1);
        let allowed = options.most_pending.map_or(u32::MAX, |room| room.saturating_add(set.spare()));
        if needed > allowed {
            return Err(ProcessError::Pending { clock: 0.0, needed: model.starting, most: allowed - set.spare() });
        }
        if needed > fits {
            let numbers = [needed - set.spare(), fits.saturating_sub(set.spare())];
            return Err(limits::too_many_each(model, set, numbers, None, adapter).into());
        }
        let room = options.room.unwrap_or_else(|| first_room(model.starting)).max(model.starting);
        let slots = room.saturating_add(set.spare()).max(1).checked_next_multiple_of(4).unwrap_or(u32::MAX);
        let slots = slots.min(allowed).min(fits);
        let burst = match (options.one_event_a_round, options.outbox) {
            (true, _) => 1,
            (false, Some(events)) => events.max(1),
            (false, None) => room_for_burst(model.burst),
        };
        let outbox = match set {
            // Messages go to their places; only those of an event, and one before it, stay where there is no room.
            PendingSet::Unsorted => u64::from(model.most_sent) + 1,
            _ => u64::from(burst) * u64::from(model.most_sent.max(1)),
        };
        let least = u64::from(model.most_sent) + u64::from(set == PendingSet::Unsorted);
        limits::check_messages(model, least * MESSAGE_WORDS * WORD, adapter)?;
        let fitting = most / (processes * MESSAGE_WORDS);
        let outbox = outbox.min(fitting) as u32;
        let events = if options.one_event_a_round { 1 } else { u32::MAX };
        let figures_only = options.figures_only && totals::can_add_up(model, set);
        let parts = if set == PendingSet::Unsorted { options.parts.unwrap_or(adapter.gpus).max(1) } else { 1 };
        let inbox_shift = inbox_shift(model.processes, adapter.gpus);
        Ok(Self { set, carrying, slots, outbox, events, allowed, fits, figures_only, inbox_shift, parts })
    }

    /// More slots for each set, at least `needed`, and some more, so that it does not happen often.
    ///
    /// # Errors
    /// Where more slots are needed than are allowed or fit.
    pub(super) fn grown(
        &self,
        model: &DeviceModel,
        needed: u32,
        clock: f64,
        adapter: &AdapterDescription,
    ) -> Result<Self, ProcessError> {
        let spare = self.set.spare();
        if needed > self.allowed {
            return Err(ProcessError::Pending { clock, needed: needed - spare, most: self.allowed - spare });
        }
        if needed > self.fits {
            let numbers = [needed - spare, self.fits - spare];
            return Err(limits::too_many_each(model, self.set, numbers, Some(clock), adapter).into());
        }
        let more = needed.saturating_add(needed / 4).max(self.slots.saturating_add(self.slots / 2));
        let slots = more.checked_next_multiple_of(4).unwrap_or(u32::MAX).min(self.allowed).min(self.fits);
        Ok(Self { slots, ..*self })
    }

    /// With at least `slots` slots: events that a process has not executed for want of room do not count for the user's
    /// limit.
    ///
    /// # Errors
    /// Where more slots are needed than fit.
    pub(super) fn with_slots(
        self,
        model: &DeviceModel,
        slots: u32,
        clock: f64,
        adapter: &AdapterDescription,
    ) -> Result<Self, ProcessError> {
        if slots > self.fits {
            return Err(limits::too_many_each(model, self.set, [slots, self.fits], Some(clock), adapter).into());
        }
        Ok(Self { slots: self.slots.max(slots), ..self })
    }

    /// The rows between `blocks` blocks of processes by which messages cross between parts, if they do.
    pub(super) fn crossing(&self, model: &DeviceModel, blocks: u32, adapter: &AdapterDescription) -> Option<Crossing> {
        let slot_words = u64::from(model.processes) * self.set_words() as u64;
        Crossing::new(model, self.parts, blocks, slot_words, adapter)
    }

    /// Words of 16 bytes in a set.
    pub(super) fn set_words(&self) -> usize {
        (self.slots * self.set.slots_each()) as usize * self.slot_words()
    }

    /// Messages of all outboxes.
    pub(super) fn outboxes(&self, model: &DeviceModel) -> u64 {
        u64::from(model.processes) * u64::from(self.outbox)
    }

    pub(super) fn slot_words(&self) -> usize {
        self.set.slot_words(self.carrying) as usize
    }

    /// The kernels and buffers of a model.
    ///
    /// # Errors
    /// Sizes that are not allowed.
    pub(super) fn parts(
        &self,
        model: &DeviceModel,
        begin: Begin,
        adapter: &AdapterDescription,
        options: &Options,
    ) -> Result<ModelParts, DeviceError> {
        let alone = is_alone(model, self.set, adapter, options);
        let sizes = if alone {
            sizes_alone(model.processes, adapter)?
        } else {
            sizes(model.processes, self.set, adapter, options)?
        };
        let crossing = self.crossing(model, sizes.blocks, adapter);
        let mounts = self.mounts(model, crossing);
        let constants = crossing.map(Crossing::constants).unwrap_or_default();
        let kernel = |label, again: bool| {
            let again = format!("const AGAIN: bool = {again};\n");
            StageKernel::new(label, &mounts).with_constants(&(constants.clone() + &again))
        };
        let first = |label| Stage::of_threads(kernel(label, true), model.processes);
        let stage = |label| Stage { kernel: kernel(label, false), work: Work::Blocks(0) };
        let (again, round) = match self.set {
            _ if alone => {
                let mounts = mounts.clone().with("outgoing", "processes/alone_outbox");
                let kernel = StageKernel::new("processes/alone", &mounts);
                (first("processes/enqueue"), vec![Stage { kernel, work: Work::Workgroups(1) }])
            }
            PendingSet::Unsorted => {
                let [least, most] = IMMINENT_EACH;
                let each = (model.processes / ORDERING.saturating_mul(adapter.gpus)).clamp(least, most);
                let order =
                    kernel("processes/order_imminent", false).with_constants(&format!("const EACH: u32 = {each}u;\n"));
                let order = Stage { kernel: order, work: Work::Workgroups(model.processes.div_ceil(each)) };
                let execute = "processes/execute_imminent";
                // The kernel leaves a word for each block.
                let deliver = crossing.map(|_| stage("processes/deliver_crossing"));
                let round = [order, stage(execute)].into_iter().chain(deliver).collect();
                (Stage { kernel: kernel(execute, true), work: Work::Blocks(0) }, round)
            }
            set => {
                let enqueue = if set.is_parallel() { "processes/enqueue_together" } else { "processes/enqueue" };
                (first(enqueue), vec![stage("processes/execute"), stage(enqueue)])
            }
        };
        let mut parts = ModelParts {
            label: model.label,
            entities: model.processes,
            lookahead: model.lookahead,
            sizes,
            buffers: self.buffers(model, crossing),
            first: if begin == Begin::Start { vec![first("processes/initialize"), again] } else { vec![again] },
            round,
            rounds_each: u32::from(!alone),
            status: ModelStatus::default(),
            last: vec![],
            results: vec![],
        };
        if self.figures_only {
            let slots = model.processes.saturating_mul(self.slots * self.set.slots_each());
            totals::add_up(&mut parts, model, self.set, slots, |label| kernel(label, false), adapter.kind);
        }
        Ok(parts)
    }

    /// The modules mounted for the choices of all kernels.
    fn mounts(&self, model: &DeviceModel, crossing: Option<Crossing>) -> Mounts {
        let crossing = if crossing.is_some() { "processes/crossing" } else { "processes/no_crossing" };
        model.mounts().and(&self.set.mounts(self.carrying)).with("crossing", crossing)
    }

    fn buffers(&self, model: &DeviceModel, crossing: Option<Crossing>) -> Vec<BufferSpec> {
        let parameters = Parameters {
            key: model.key.bits(),
            lookahead: model.lookahead.ticks(),
            processes: model.processes,
            slots: self.slots * self.set.slots_each(),
            outbox: self.outbox,
            most_sent: model.most_sent,
            events: self.events,
            starting: model.starting,
            state_words: model.state_words,
            inbox_shift: self.inbox_shift,
        };
        let processes = u64::from(model.processes);
        let mut buffers = vec![
            BufferSpec::storage("processes", processes, size_of::<Process>() as u64),
            BufferSpec::storage("slots", processes * self.set_words() as u64, WORD),
            BufferSpec::storage("messages", self.outboxes(model) * MESSAGE_WORDS, WORD),
            BufferSpec::storage("inboxes", processes << self.inbox_shift, 4),
            BufferSpec::filled("parameters", BufferUse::Uniform, bytemuck::bytes_of(&parameters).to_vec()),
        ];
        buffers.extend(crossing.map(Crossing::buffer));
        buffers.extend(model.buffers());
        buffers
    }
}

/// Blocks of processes: a process works long in a round, so each should have a thread of its own as long as every
/// workgroup can read a word of each block; and few processes should still keep every multiprocessor at work.
fn sizes(
    processes: u32,
    set: PendingSet,
    adapter: &AdapterDescription,
    options: &Options,
) -> Result<Sizes, DeviceError> {
    // For sets without order many workgroups read a word of each block before every round.
    let blocks = if set == PendingSet::Unsorted { BLOCKS } else { BLOCKS.saturating_mul(adapter.gpus) };
    let suited = if processes <= blocks.saturating_mul(64) { 64 } else { 128 };
    let workgroup = workgroup(suited, adapter, options)?;
    let each = options.elements.unwrap_or_else(|| processes.div_ceil(blocks).div_ceil(workgroup).max(1));
    Sizes::blocks_of(
        processes,
        workgroup,
        each,
        workgroup.saturating_mul(each),
        "entities of a block per thread",
        adapter,
    )
}

/// Whether one workgroup has all processes: where rounds have few events, and the user has not set the sizes.
fn is_alone(model: &DeviceModel, set: PendingSet, adapter: &AdapterDescription, options: &Options) -> bool {
    let each_alone = !set.is_parallel() && set != PendingSet::Unsorted;
    let few = model.processes <= PROCESSES_ALONE && f64::from(model.processes) * model.burst <= EVENTS_ALONE;
    let uncut = options.elements.is_none() && options.workgroup == 0;
    each_alone && few && uncut && adapter.capabilities.workgroup_threads >= THREADS_ALONE
}

/// The sizes of a single block.
fn sizes_alone(processes: u32, adapter: &AdapterDescription) -> Result<Sizes, DeviceError> {
    let each = processes.div_ceil(THREADS_ALONE);
    let block = THREADS_ALONE * each;
    Sizes::blocks_of(processes, THREADS_ALONE, each, block, "entities of a block per thread", adapter)
}

/// The events that a process executes in nearly every round; with more events it goes on in the next round.
fn room_for_burst(mean: f64) -> u32 {
    (mean + 4.0 * mean.sqrt() + 3.0).min(f64::from(u32::MAX)) as u32
}
