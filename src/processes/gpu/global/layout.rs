//! How much of everything there is on a device with one heap for all processes, and its kernels.

use super::contents::cargo_words;
use super::shape::Shape;
use crate::device::{AdapterDescription, BufferSpec, BufferUse};
use crate::engine::{FirstKernel, ModelParts, Stage, StageKernel, Steps, Work, library};
use crate::processes::ProcessError;
use crate::processes::gpu::records::{Parameters, Process};
use crate::processes::gpu::{DeviceModel, MOST_NODE, PerRound, ProcessOptions, limits};

macro_rules! shader {
    ($stem:literal) => {
        include_str!(concat!("../../../../shaders/", $stem, ".wgsl"))
    };
}

/// Bytes of a key.
const KEY: u64 = 16;

/// How much of everything there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::processes::gpu) struct Layout {
    pub(super) shape: Shape,
    pub(super) carrying: bool,
    /// Events that a process may execute in a round.
    events: u32,
    /// Of all processes.
    allowed: u64,
}

impl Layout {
    /// What a model starts with.
    ///
    /// # Errors
    /// Where that does not fit the adapter, or is not allowed.
    pub(in crate::processes::gpu) fn new(
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
            shape: Self::shape(model, options.node),
            carrying: model.payload_words > 0,
            events: if options.per_round == PerRound::One { 1 } else { u32::MAX },
            allowed: options.most_pending.map_or(u64::MAX, |room| processes.saturating_mul(room.into())),
        };
        layout.checked(model, pending, None, adapter)
    }

    /// Whether the adapter has room for what a model starts with.
    pub(in crate::processes::gpu) fn fits(model: &DeviceModel, adapter: &AdapterDescription) -> bool {
        Self::shape(model, None).events() <= most_events(model.payload_words > 0, adapter)
    }

    fn shape(model: &DeviceModel, node: Option<u32>) -> Shape {
        let processes = f64::from(model.processes);
        let pending = u64::from(model.processes) * u64::from(model.starting);
        Shape::new(pending, processes * model.burst, model.most_sent, node)
    }

    /// With room for so many events, and more than that.
    ///
    /// # Errors
    /// Where they are more than are allowed or fit.
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
    pub(super) fn rounds(&self, model: &DeviceModel) -> ModelParts {
        self.parts(model, vec![], self.stages(model), self.shape.events())
    }

    /// What plans the first events.
    pub(super) fn start(&self, model: &DeviceModel) -> ModelParts {
        let planned = u64::from(model.processes) * u64::from(model.starting);
        self.parts(model, vec![self.first(model)], vec![], planned)
    }

    /// Both together.
    pub(in crate::processes::gpu) fn every_kernel(&self, model: &DeviceModel) -> ModelParts {
        self.parts(model, vec![self.first(model)], self.stages(model), self.shape.events())
    }

    fn parts(&self, model: &DeviceModel, first: Vec<FirstKernel>, stages: Vec<Stage>, events: u64) -> ModelParts {
        ModelParts {
            label: model.label,
            entities: model.processes,
            lookahead: model.lookahead,
            buffers: self.buffers(model, events),
            first,
            steps: Steps::Stages(stages),
            last: vec![],
        }
    }

    /// What every kernel has.
    fn shared(&self) -> Vec<&'static str> {
        let event = if self.carrying { shader!("global_heap/carrying") } else { shader!("global_heap/bare") };
        vec![shader!("pending/order"), shader!("global_heap/events"), event]
    }

    /// What a model's functions need.
    fn acting(&self, model: &DeviceModel, own: &[&'static str]) -> Vec<&'static str> {
        let around = [
            shader!("processes/records"),
            library::PCG32,
            library::STREAM,
            shader!("processes/send"),
            shader!("global_heap/post"),
        ];
        [&self.shared()[..], &around, own, &model.sources].concat()
    }

    fn first(&self, model: &DeviceModel) -> FirstKernel {
        let sources = [&[library::CONTROL], &self.acting(model, &[shader!("global_heap/initialize")])[..]].concat();
        FirstKernel { label: "global_heap/initialize", sources, threads: model.processes }
    }

    fn stages(&self, model: &DeviceModel) -> Vec<Stage> {
        let stage = |label, sources, work| Stage {
            constants: self.shape.constants(),
            kernel: StageKernel { label, sources },
            work,
        };
        let [even, odd] = self.shape.threads();
        let areas = shader!("global_heap/areas");
        let with = |own: &[&'static str]| [&self.shared()[..], &[areas], own].concat();
        let level = [areas, shader!("global_heap/rank"), shader!("global_heap/level")];
        let execute = self.acting(model, &[&level[..], &[library::CONTROL, shader!("global_heap/execute")]].concat());
        let settle = [library::CONTROL, shader!("processes/records"), shader!("global_heap/settle")];
        let settle = with(&[&level[1..], &settle].concat());
        let mut stages = vec![
            stage("global_heap/execute", execute, Work::Threads([model.processes, odd])),
            stage("global_heap/sort", with(&[shader!("global_heap/sort")]), Work::Workgroups(self.shape.blocks())),
        ];
        for pass in self.shape.passes() {
            let sources = with(&[shader!("global_heap/rank"), shader!("global_heap/merge")]);
            let merge = stage("global_heap/merge", sources, Work::Threads([self.shape.sorted, 0]));
            stages.push(Stage { constants: merge.constants + &pass.constants(), ..merge });
        }
        stages.push(stage("global_heap/settle", settle, Work::Threads([even, 0])));
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
            unused: 0,
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
        buffers.extend(model.buffers.iter().cloned());
        buffers
    }
}

/// The most places of events that a buffer has.
fn most_events(carrying: bool, adapter: &AdapterDescription) -> u64 {
    let limits = &adapter.capabilities;
    let each = KEY.max(4 * cargo_words(carrying) as u64);
    (limits.buffer_size.min(limits.binding_size) / each).min(1 << 32)
}
