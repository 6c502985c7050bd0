//! The layout of a device with one heap for all processes, and its kernels.

use super::shape::{KEY, Shape, cargo_words, most_events};
use crate::ProcessError;
use crate::gpu::limits;
use crate::gpu::model::DeviceModel;
use crate::gpu::options::{MOST_NODE, ProcessOptions};
use crate::gpu::records::{Parameters, Process};
use tickless_device::{AdapterDescription, BufferSpec, BufferUse, DeviceError};
use tickless_engine::{ModelParts, ModelStatus, Options, Sizes, Stage, StageKernel, Work, workgroup};
use tickless_kernels::Mounts;

/// Threads in a workgroup that suit a GPU.
const THREADS: u32 = 128;

/// The sizes of all buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu) struct Layout {
    pub(super) shape: Shape,
    pub(super) carrying: bool,
    /// Events that a process may execute in a round.
    events: u32,
    /// The most pending events of all processes.
    allowed: u64,
}

impl Layout {
    /// The first layout of a model.
    ///
    /// # Errors
    /// Where it does not fit the adapter, or is not allowed.
    pub(in crate::gpu) fn new(
        model: &DeviceModel,
        options: &ProcessOptions,
        adapter: &AdapterDescription,
    ) -> Result<Self, ProcessError> {
        if let Some(node) = options.node.filter(|node| !(1..=MOST_NODE).contains(node)) {
            return Err(ProcessError::Node { node, most: MOST_NODE });
        }
        limits::check_processes(model, adapter)?;
        let processes = u64::from(model.processes);
        let pending = processes * u64::from(model.starting);
        let layout = Self {
            shape: Shape::of(model, options.node),
            carrying: model.payload_words > 0,
            events: if options.one_event_a_round { 1 } else { u32::MAX },
            allowed: options.most_pending.map_or(u64::MAX, |room| processes.saturating_mul(room.into())),
        };
        layout.checked(model, pending, None, adapter)
    }

    /// A layout with room for `pending` events, and some more.
    ///
    /// # Errors
    /// Where they are more than allowed, or than fit.
    pub(super) fn grown(
        &self,
        model: &DeviceModel,
        pending: u64,
        clock: f64,
        adapter: &AdapterDescription,
    ) -> Result<Self, ProcessError> {
        Self { shape: self.shape.grown(pending), ..*self }.checked(model, pending, Some(clock), adapter)
    }

    fn checked(
        self,
        model: &DeviceModel,
        pending: u64,
        clock: Option<f64>,
        adapter: &AdapterDescription,
    ) -> Result<Self, ProcessError> {
        let processes = u64::from(model.processes);
        if pending > self.allowed {
            let needed = u32::try_from(pending.div_ceil(processes)).unwrap_or(u32::MAX);
            let (clock, most) = (clock.unwrap_or(0.0), (self.allowed / processes) as u32);
            return Err(ProcessError::MeanPending { clock, needed, most });
        }
        let fits = most_events(self.carrying, adapter);
        if self.shape.events() > fits {
            let numbers = [self.shape.events(), fits];
            return Err(limits::too_many_in_all(model, pending, numbers, clock, adapter).into());
        }
        Ok(self)
    }

    /// The kernels and buffers of a model at work.
    ///
    /// # Errors
    /// For this and the next two functions: a number of threads in a workgroup that is not allowed.
    pub(super) fn rounds(
        &self,
        model: &DeviceModel,
        adapter: &AdapterDescription,
        options: &Options,
    ) -> Result<ModelParts, DeviceError> {
        let workgroup = workgroup(THREADS, adapter, options)?;
        Ok(self.parts(model, [vec![], self.stages(model)], self.shape.events(), workgroup))
    }

    /// The kernels that plan the first events.
    pub(super) fn start(
        &self,
        model: &DeviceModel,
        adapter: &AdapterDescription,
        options: &Options,
    ) -> Result<ModelParts, DeviceError> {
        let planned = u64::from(model.processes) * u64::from(model.starting);
        let workgroup = workgroup(THREADS, adapter, options)?;
        Ok(self.parts(model, [vec![self.first(model)], vec![]], planned, workgroup))
    }

    /// Both kinds of kernels together.
    pub(in crate::gpu) fn every_kernel(
        &self,
        model: &DeviceModel,
        adapter: &AdapterDescription,
        options: &Options,
    ) -> Result<ModelParts, DeviceError> {
        Ok(ModelParts { first: vec![self.first(model)], ..self.rounds(model, adapter, options)? })
    }

    fn parts(&self, model: &DeviceModel, [first, round]: [Vec<Stage>; 2], events: u64, workgroup: u32) -> ModelParts {
        ModelParts {
            label: model.label,
            entities: model.processes,
            lookahead: model.lookahead,
            sizes: Sizes { workgroup, elements: 1, blocks: 1 },
            buffers: self.buffers(model, events),
            first,
            round,
            rounds_each: 1,
            status: ModelStatus::default(),
            last: vec![],
            results: vec![],
        }
    }

    /// The modules mounted for the choices of all kernels.
    fn mounts(&self, model: &DeviceModel) -> Mounts {
        model
            .mounts()
            .with("events", if self.carrying { "global_heap/carrying" } else { "global_heap/bare" })
            .with("insertion", "global_heap/post")
            .with("outgoing", "global_heap/post")
    }

    fn first(&self, model: &DeviceModel) -> Stage {
        Stage::of_threads(StageKernel::new("global_heap/initialize", &self.mounts(model)), model.processes)
    }

    fn stages(&self, model: &DeviceModel) -> Vec<Stage> {
        let mounts = self.mounts(model);
        let constants = self.shape.constants();
        let stage = |label, work| Stage { kernel: StageKernel::new(label, &mounts).with_constants(&constants), work };
        let told = |label, work| {
            let Stage { mut kernel, work } = stage(label, work);
            kernel.mounts = kernel.mounts.with("root", label);
            Stage { kernel, work }
        };
        let [even, odd] = self.shape.threads();
        let mut stages = vec![
            told("global_heap/execute", Work::Threads([model.processes, odd])),
            stage("global_heap/sort", Work::Workgroups(self.shape.blocks())),
        ];
        for pass in self.shape.passes() {
            let Stage { kernel, work } = stage("global_heap/merge", Work::Threads([self.shape.sorted, 0]));
            stages.push(Stage { kernel: kernel.with_constants(&pass.constants()), work });
        }
        stages.push(told("global_heap/settle", Work::Threads([even, 0])));
        stages
    }

    fn buffers(&self, model: &DeviceModel, events: u64) -> Vec<BufferSpec> {
        let parameters = Parameters {
            key: model.key.bits(),
            lookahead: model.lookahead.ticks(),
            processes: model.processes,
            slots: model.starting,
            outbox: 0,
            most_sent: model.most_sent,
            events: self.events,
            starting: model.starting,
            state_words: model.state_words,
            inbox_shift: 0,
        };
        let processes = u64::from(model.processes);
        let mut buffers = vec![
            BufferSpec::storage("processes", processes, size_of::<Process>() as u64),
            BufferSpec::storage("keys", events, KEY),
            BufferSpec::storage("cargo", events, 4 * cargo_words(self.carrying) as u64),
            BufferSpec::storage("heap_words", self.shape.words() as u64, 4),
            BufferSpec::storage("inboxes", processes, 4),
            BufferSpec::filled("parameters", BufferUse::Uniform, bytemuck::bytes_of(&parameters).to_vec()),
        ];
        buffers.extend(model.buffers());
        buffers
    }
}
