//! Rounds as a program: the dispatches of a model, framed by the engine's steps where the model asks for them.

use bytemuck::Zeroable as _;
use rayon::prelude::*;

use super::control::{Control, ModelStatus};
use super::sizes::Sizes;
use tickless_core::time::Time;
use tickless_device::{
    AdapterDescription, BufferSpec, BufferUse, DeviceError, Dispatch, Kernel, KernelId, Placement, Program, Step,
};
use tickless_kernels::{Mounts, Source};

/// Rows of `summaries`, as in `shaders/lib/summaries.wgsl`.
const SUMMARIES: u64 = 4;

/// A kernel: its module, and what that module needs.
///
/// ```
/// # use tickless_engine::facade as tickless;
/// use tickless::{engine::StageKernel, kernels::Mounts};
/// let first = StageKernel::new("engine/initialize", &Mounts::default()).with_constants("const TURNS: u32 = 2u;");
/// assert_eq!(first.label, "engine/initialize");
/// ```
#[derive(Clone, Debug)]
pub struct StageKernel {
    /// The stem of its file: the name in errors and timings.
    pub label: &'static str,
    /// WGSL constants that its modules import from `constants`, beside those of the engine.
    pub constants: String,
    /// The modules mounted for its choices; for `kernel` the file of the label unless another is mounted.
    pub mounts: Mounts,
    /// Threads that a multiprocessor should have at work at once, see [`Kernel::resident_threads`]; 0 leaves it to the compiler.
    pub resident_threads: u32,
    /// Whether it reduces by operations of subgroups where an adapter has them. A driver may run such an operation with some lanes only where
    /// lanes have left a loop at different turns before, and only the first lane of a subgroup writes what it has found: a value is lost.
    pub subgroups: bool,
}

impl StageKernel {
    /// The kernel of a file.
    pub fn new(label: &'static str, mounts: &Mounts) -> Self {
        let mounts = Mounts::default().with("kernel", label).and(mounts);
        Self { label, constants: String::new(), mounts, resident_threads: 0, subgroups: true }
    }

    /// With more constants.
    #[must_use]
    pub fn with_constants(mut self, constants: &str) -> Self {
        self.constants += constants;
        self
    }

    /// A kernel of the engine that calls this one: its file is mounted for a choice of the frame, unless something is
    /// already.
    fn framed(mut self, frame: &'static str, choice: &'static str) -> Self {
        self.mounts = Mounts::default().with(choice, self.label).and(&self.mounts).with("kernel", frame);
        self
    }
}

/// A dispatch.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The kernel.
    pub kernel: StageKernel,
    /// The size of the dispatch.
    pub work: Work,
}

impl Stage {
    /// A thread of this kernel for each of `threads` items.
    pub fn of_threads(kernel: StageKernel, threads: u32) -> Self {
        Self { kernel, work: Work::Threads([threads, 0]) }
    }
}

/// The size of a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A workgroup for each block of [`Sizes`], and this many besides.
    Blocks(u32),
    /// This many workgroups.
    Workgroups(u32),
    /// Two kinds of threads, with their numbers; the second kind begins with a workgroup of its own. Where both are 0 there
    /// is no dispatch.
    Threads([u32; 2]),
}

/// The model's parts of a program.
#[derive(Clone, Debug)]
pub struct ModelParts {
    /// The model's name.
    pub label: &'static str,
    /// The number of entities, which have a next event each.
    pub entities: u32,
    /// The least time between an event and an event that it schedules.
    pub lookahead: Time,
    /// How dispatches are cut.
    pub sizes: Sizes,
    /// The model's buffers, named as in its kernels.
    pub buffers: Vec<BufferSpec>,
    /// The dispatches that make the state at time 0.
    pub first: Vec<Stage>,
    /// The dispatches of a round.
    pub round: Vec<Stage>,
    /// Rounds of the model in one round of the program: more than 1 where rounds alternate, 0 where the status counts the
    /// rounds run.
    pub rounds_each: u32,
    /// The model's words of the status.
    pub status: ModelStatus,
    /// The dispatches that [`Rounds::run_last`](super::Rounds::run_last) runs behind the last round.
    pub last: Vec<Stage>,
    /// The dispatches that add up the results of the run.
    pub results: Vec<Stage>,
}

impl ModelParts {
    /// The status before the first round.
    fn first_status(&self) -> Vec<u8> {
        let control = Control {
            lookahead: self.lookahead.ticks(),
            entities: self.entities,
            blocks: self.sizes.blocks,
            fault_entity: u32::MAX,
            extra_groups: self.extra_groups(),
            turns: 1,
            ..Control::zeroed()
        };
        [bytemuck::bytes_of(&control), &self.status.first].concat()
    }

    /// Checks the program of these parts, before anything is allocated.
    ///
    /// # Errors
    /// A kernel that does not link or parse, a buffer that does not fit its kernels, a limit of the adapter.
    pub fn check(&self, adapter: &AdapterDescription) -> Result<(), DeviceError> {
        let Self { label, entities, lookahead, sizes, rounds_each, .. } = *self;
        let [first, round, last, results] = [&self.first, &self.round, &self.last, &self.results].map(Clone::clone);
        // Contents may be large.
        let buffers = self.buffers.iter().map(|buffer| BufferSpec { contents: None, ..*buffer }).collect();
        let status = self.status.clone();
        let parts =
            Self { label, entities, lookahead, sizes, buffers, first, round, rounds_each, status, last, results };
        round_program(parts, adapter)?.check(adapter)
    }

    /// The most workgroups of a round's dispatch beside those of the blocks.
    fn extra_groups(&self) -> u32 {
        let extra = |stage: &Stage| if let Work::Blocks(extra) = stage.work { extra } else { 0 };
        self.round.iter().map(extra).max().unwrap_or(0)
    }
}

/// Rounds that share a bound: the engine's steps 1 to 3, then `depart(slot, entity)` of the first kernel; in a second dispatch
/// `arrive(slot)` of the other kernel, and the joint decisions of `extra_groups` workgroups beside the blocks.
pub fn shared_bound(departure: StageKernel, arrival: StageKernel, extra_groups: u32) -> Vec<Stage> {
    vec![
        Stage { kernel: departure.framed("engine/departures", "departures"), work: Work::Blocks(0) },
        Stage { kernel: arrival.framed("engine/arrivals", "arrivals"), work: Work::Blocks(extra_groups) },
    ]
}

/// The dispatch that [`shared_bound`] needs before the first round, behind all that make the state at time 0.
pub fn first_summaries() -> Stage {
    Stage { kernel: StageKernel::new("engine/initialize", &Mounts::default()), work: Work::Blocks(0) }
}

/// The whole program of a model on an adapter.
///
/// # Errors
/// A kernel that does not link or parse.
pub fn round_program(mut model: ModelParts, adapter: &AdapterDescription) -> Result<Program, DeviceError> {
    let mut program = Program { label: model.label.into(), ..Default::default() };
    let control = BufferSpec::filled("control", BufferUse::Storage, model.first_status());
    program.status = Some(program.buffer(control));
    program.buffer(BufferSpec::storage("next_event", model.entities.into(), 8));
    let summaries = u64::from(model.sizes.blocks) * SUMMARIES + u64::from(model.extra_groups());
    program.buffer(
        BufferSpec::storage("summaries", summaries, 8)
            .placed(Placement::Rows { rows: SUMMARIES as u32, words: model.sizes.blocks }),
    );
    program.buffers.append(&mut model.buffers);
    let linker = Linker::new(&model, adapter);
    // Kernels are linked in parallel, and of several errors the first is reported.
    let stages = [&model.first, &model.round, &model.last, &model.results];
    let [first, round, last, results] = stages.map(|stages| stages.iter().filter_map(|stage| linker.step(stage)));
    let all = [first, round, last, results].map(Iterator::collect::<Vec<_>>);
    let linked: Vec<_> = all.par_iter().flatten().map(|(kernel, _)| linker.link(kernel)).collect();
    let mut linked = linked.into_iter();
    let mut steps = |list: &[(&StageKernel, Dispatch)]| -> Result<Vec<Step>, DeviceError> {
        let step = |((_, dispatch), kernel): (&(_, Dispatch), Result<Kernel, DeviceError>)| {
            let kernel = kernel?;
            // A kernel of several steps is compiled once.
            let known = program.kernels.iter().position(|known| known.is_same(&kernel)).map(KernelId);
            Ok(Step { kernel: known.unwrap_or_else(|| program.kernel(kernel)), dispatch: *dispatch })
        };
        list.iter().zip(linked.by_ref()).map(step).collect()
    };
    let [first, round, last, results] = all.each_ref().map(|list| steps(list));
    (program.first, program.round, program.last, program.results) = (first?, round?, last?, results?);
    Ok(program)
}

/// The modules with which every kernel of a program is linked.
struct Linker {
    sizes: Sizes,
    int64: bool,
    subgroups: bool,
    /// The module of the model's words of the status.
    status: &'static str,
}

impl Linker {
    fn new(model: &ModelParts, adapter: &AdapterDescription) -> Self {
        let subgroup = adapter.capabilities.subgroup_size;
        let subgroups = subgroup > 0 && model.sizes.workgroup.is_multiple_of(subgroup);
        Self { sizes: model.sizes, int64: adapter.capabilities.int64, subgroups, status: model.status.module }
    }

    /// The kernel and its dispatch, unless there is nothing to do.
    fn step<'s>(&self, Stage { kernel, work }: &'s Stage) -> Option<(&'s StageKernel, Dispatch)> {
        let workgroups = match *work {
            Work::Blocks(beside) => self.sizes.blocks + beside,
            Work::Workgroups(workgroups) => workgroups,
            Work::Threads([0, 0]) => return None,
            Work::Threads(kinds) => kinds.iter().map(|threads| threads.div_ceil(self.sizes.workgroup)).sum(),
        };
        Some((kernel, Dispatch::Workgroups(workgroups)))
    }

    fn link(&self, kernel: &StageKernel) -> Result<Kernel, DeviceError> {
        let Sizes { workgroup, elements, .. } = self.sizes;
        let sizes = format!("const WORKGROUP: u32 = {workgroup}u;\nconst ELEMENTS: u32 = {elements}u;\n");
        let entry = if self.subgroups && kernel.subgroups { "lib/entry_subgroups" } else { "lib/entry_plain" };
        let mounts = Mounts::default()
            .with("constants", Source::Text(sizes + &kernel.constants))
            .with("word64", if self.int64 { "lib/wide_native" } else { "lib/wide_words" })
            .with("workgroup", entry)
            .with("model_status", self.status)
            .and(&kernel.mounts);
        let linked = Kernel::link(kernel.label, entry, &mounts)?;
        Ok(Kernel { resident_threads: kernel.resident_threads, ..linked })
    }
}
