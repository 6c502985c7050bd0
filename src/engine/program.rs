//! The five steps as a program.

use super::Control;
use super::batch::BatchSize;
use crate::device::{
    AdapterDescription, AdapterKind, BufferSpec, BufferUse, DeviceError, Dispatch, Kernel, KernelId, Program, Step,
    compose,
};
use crate::time::Time;

/// The blocks that the entities are cut into where there are enough: each workgroup reads a word of each.
const BLOCKS: u32 = 512;
/// The threads that these blocks have where they are tiles.
const TILED: u32 = 1 << 18;
/// Turns of a round in a tile: the third finds little to do, for what comes from other tiles is still that of the last round
/// (measured: docs/performance.md).
const TURNS: u32 = 2;
/// Entities of a tile: workgroup memory, of which every adapter has 16 KiB, holds no more.
const LARGEST_TILE: u32 = 256;
/// Threads that a multiprocessor should have at work at once in tiles, which wait for memory: compilers take more registers
/// than that allows.
const TOGETHER: u32 = 1024;
/// Blocks of entities that exchange messages: one of them works long in a round, so each should have a thread of its own as
/// long as every workgroup can read a word of each block.
const EXCHANGING: u32 = 2048;
/// Rows of `summaries`, as in `shaders/lib/summaries.wgsl`.
const SUMMARIES: u64 = 4;

/// How rounds are cut up. None of it changes a result.
///
/// ```
/// use tickless::engine::{BatchSize, Options};
/// let options = Options { workgroup: 64, batch: BatchSize::Rounds(10), ..Options::default() };
/// assert_eq!(options.elements, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Threads in a workgroup: a power of two from 32 to 1024, or 0 for what suits the adapter.
    pub workgroup: u32,
    /// Entities of a block per thread: of selection a multiple of 4 up to 256; of those that exchange messages any; in tiles
    /// the tiles of a workgroup; `None` for what suits the number of entities.
    pub elements: Option<u32>,
    /// Rounds in a submission.
    pub batch: BatchSize,
    /// Rounds after which they are numbered anew, so that their number never overflows; 0 for 2³¹.
    pub renumber: u32,
    /// Whether the appointments of a torus are made in tiles; `None` for what suits the adapter.
    pub tiles: Option<bool>,
}

impl Options {
    /// Whether they are: tiles spare launches and memory, but a software adapter pays for every barrier of every thread.
    pub(crate) fn in_tiles(&self, adapter: &AdapterDescription) -> bool {
        self.tiles.unwrap_or(adapter.kind != AdapterKind::Software)
    }
}

/// A kernel that runs once, over `threads` threads, before the first round.
#[derive(Clone, Debug)]
pub struct FirstKernel {
    /// The stem of its file.
    pub label: &'static str,
    /// Its WGSL files.
    pub sources: Vec<&'static str>,
    /// One thread an entity, token or whatever it starts.
    pub threads: u32,
}

/// The kernel of step 4, which defines `depart(slot, entity)`, or of step 5, which defines `arrive(slot)`.
#[derive(Clone, Debug)]
pub struct StageKernel {
    /// The stem of its file.
    pub label: &'static str,
    /// Its WGSL files.
    pub sources: Vec<&'static str>,
}

/// What a model adds to the engine's own steps.
#[derive(Clone, Debug)]
pub struct ModelParts {
    /// The model's name.
    pub label: &'static str,
    /// How many entities have a next event.
    pub entities: u32,
    /// The least time between an event and what it schedules.
    pub lookahead: Time,
    /// The model's buffers, named as in its kernels.
    pub buffers: Vec<BufferSpec>,
    /// What makes the state at time 0.
    pub first: Vec<FirstKernel>,
    /// What a round does.
    pub steps: Steps,
    /// What [`Rounds::run_last`](super::Rounds::run_last) runs once, behind the last round.
    pub last: Vec<Stage>,
}

/// How far a round may go, and what happens in it.
#[derive(Clone, Debug)]
pub enum Steps {
    /// Up to a bound that all entities share: the engine's steps 1 to 3 and two of the model's.
    Window {
        /// Step 4.
        departure: StageKernel,
        /// Step 5.
        arrival: StageKernel,
        /// Workgroups of step 5 that decide together what arrives: where there are any, its kernel also defines `crowds()`,
        /// this number, and `arrive_together(crowd, lane)`.
        crowds: u32,
    },
    /// As far as what the others published in the last round allows each of them.
    Appointments {
        /// One dispatch, made twice: with `PARITY` 0 and 1, in turns.
        round: StageKernel,
        /// Over so many threads.
        threads: u32,
    },
    /// The same over a grid of entities that is cut into tiles, one for the threads of a workgroup: its kernel takes a number
    /// of turns in a round, in which the entities of a tile see each other.
    Tiles {
        /// One dispatch, made twice: with `PARITY` 0 and 1, in turns.
        round: StageKernel,
        /// Entities in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// Up to a bound that all entities share, each as many events as it has; what they send is taken in behind them.
    Messages {
        /// The dispatch in which they execute and send.
        execution: StageKernel,
        /// The one in which they take in what was sent to them.
        exchange: StageKernel,
    },
    /// Dispatches of the model's own, which decide by themselves how far a round goes.
    Stages(Vec<Stage>),
}

/// A dispatch of a model's own.
#[derive(Clone, Debug)]
pub struct Stage {
    /// WGSL that it alone is made with.
    pub constants: String,
    /// What it runs.
    pub kernel: StageKernel,
    /// On how much.
    pub work: Work,
}

/// How much a dispatch has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// So many workgroups.
    Workgroups(u32),
    /// Two kinds of threads, so many of each; the second kind begins with a workgroup of its own.
    Threads([u32; 2]),
}

impl ModelParts {
    /// What blocks are cut from.
    fn threads(&self) -> u32 {
        match self.steps {
            Steps::Window { .. } | Steps::Messages { .. } | Steps::Stages(_) => self.entities,
            Steps::Appointments { threads, .. } => threads,
            Steps::Tiles { width, height, .. } => width * height,
        }
    }

    /// Blocks of which there may be one for each workgroup.
    fn tiles(&self, [tile_width, tile_height]: [u32; 2]) -> Option<u32> {
        match self.steps {
            Steps::Tiles { width, height, .. } => Some(width.div_ceil(tile_width) * height.div_ceil(tile_height)),
            Steps::Window { .. } | Steps::Appointments { .. } | Steps::Messages { .. } | Steps::Stages(_) => None,
        }
    }
}

impl Steps {
    fn crowds(&self) -> u32 {
        match self {
            Self::Window { crowds, .. } => *crowds,
            Self::Appointments { .. } | Self::Tiles { .. } | Self::Messages { .. } | Self::Stages(_) => 0,
        }
    }

    /// Rounds of the model in one of the program.
    pub(super) fn rounds_each(&self) -> u64 {
        match self {
            Self::Window { .. } | Self::Messages { .. } | Self::Stages(_) => 1,
            Self::Appointments { .. } | Self::Tiles { .. } => 2,
        }
    }
}

macro_rules! shader {
    ($stem:literal) => {
        include_str!(concat!("../../shaders/", $stem, ".wgsl"))
    };
}

/// What every kernel is compiled with on an adapter: the configuration, 64-bit words, time and the entry point.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) workgroup: u32,
    elements: u32,
    /// Whether there may be any number of these.
    any_elements: bool,
    tile: [u32; 2],
    int64: bool,
    subgroups: bool,
}

impl Frame {
    fn new(model: &ModelParts, adapter: &AdapterDescription, options: &Options) -> Self {
        let software = adapter.kind == AdapterKind::Software;
        // A software adapter pays for every barrier of every thread: few threads, many entities each.
        let tiled = matches!(model.steps, Steps::Tiles { .. });
        let suited = match adapter.backend.as_str() {
            _ if software => 64,
            // Few entities should still keep every multiprocessor at work.
            _ if matches!(model.steps, Steps::Messages { .. }) => {
                if model.entities <= 64 * EXCHANGING {
                    64
                } else {
                    128
                }
            }
            _ if matches!(model.steps, Steps::Stages(_)) => 128,
            // Barriers of few warps; in Vulkan larger tiles are faster.
            "cuda" if tiled => 128,
            _ => 256,
        };
        let workgroup =
            if options.workgroup == 0 { suited.min(adapter.capabilities.workgroup_threads) } else { options.workgroup };
        let tile = tile(workgroup, &model.steps);
        let elements = options.elements.unwrap_or_else(|| match model.tiles(tile) {
            None if matches!(model.steps, Steps::Messages { .. }) => {
                model.threads().div_ceil(EXCHANGING).div_ceil(workgroup).max(1)
            }
            None => {
                let blocks = if software { 64 } else { BLOCKS };
                model.threads().div_ceil(blocks).div_ceil(workgroup).next_power_of_two().clamp(4, 128)
            }
            Some(tiles) => tiles.div_ceil(TILED / workgroup),
        });
        let subgroup = adapter.capabilities.subgroup_size;
        let subgroups = subgroup > 0 && workgroup.is_multiple_of(subgroup);
        let any = !matches!(model.steps, Steps::Window { .. } | Steps::Appointments { .. });
        Self { workgroup, elements, any_elements: any, tile, int64: adapter.capabilities.int64, subgroups }
    }

    /// Entities of a block.
    fn block(&self) -> u32 {
        self.workgroup * self.elements
    }

    fn constants(&self) -> String {
        let Self { workgroup, elements, tile: [width, height], .. } = self;
        let tile = format!(
            "const TILE_WIDTH: u32 = {width}u;\nconst TILE_HEIGHT: u32 = {height}u;\nconst TURNS: u32 = {TURNS}u;\n"
        );
        format!("const WORKGROUP: u32 = {workgroup}u;\nconst ELEMENTS: u32 = {elements}u;\n{tile}")
    }

    /// All WGSL of a kernel.
    fn parts<'a>(&self, constants: &'a str, sources: &[&'a str]) -> Vec<&'a str> {
        let wide = if self.int64 { shader!("lib/wide_native") } else { shader!("lib/wide_words") };
        let entry = if self.subgroups { shader!("lib/entry_subgroups") } else { shader!("lib/entry_plain") };
        let mut parts = vec![constants, wide, shader!("lib/wide"), shader!("lib/time"), shader!("lib/dispatch"), entry];
        parts.extend_from_slice(sources);
        parts
    }
}

/// The columns and rows of a tile: as square as powers of two allow, but no higher than it must be.
fn tile(workgroup: u32, steps: &Steps) -> [u32; 2] {
    let Steps::Tiles { height, .. } = *steps else { return [0; 2] };
    let square = 1 << (workgroup.ilog2() / 2);
    // A border is no longer than the workgroup has threads.
    let rows = height.next_power_of_two().clamp(square.min(4), square);
    [workgroup / rows, rows]
}

/// The whole program of a model on an adapter.
///
/// # Errors
/// A kernel that does not parse, or an option that no kernel can be made with.
pub fn round_program(
    model: ModelParts,
    adapter: &AdapterDescription,
    options: &Options,
) -> Result<Program, DeviceError> {
    let frame = Frame::new(&model, adapter, options);
    check(&frame, adapter)?;
    let mut builder = Builder { frame, program: Program { label: model.label.into(), ..Default::default() } };
    builder.buffers(&model);
    for kernel in &model.first {
        builder.first(kernel)?;
    }
    builder.steps(&model)?;
    builder.program.last = builder.staged(&model.last)?;
    Ok(builder.program)
}

fn check(frame: &Frame, adapter: &AdapterDescription) -> Result<(), DeviceError> {
    let fail = |what: &str, asked: u32, available: &str| {
        let (what, asked, available) = (what.to_owned(), asked.to_string(), available.to_owned());
        Err(DeviceError::Limit { what, asked, available, adapter: adapter.name.clone(), remedy: String::new() })
    };
    let Frame { workgroup, elements, .. } = *frame;
    let tiled = frame.tile != [0; 2];
    if tiled && workgroup > LARGEST_TILE {
        return fail("threads in a workgroup that is a tile", workgroup, "a power of two from 32 to 256");
    }
    if !workgroup.is_power_of_two() || !(32..=1024).contains(&workgroup) {
        return fail("threads in a workgroup", workgroup, "a power of two from 32 to 1024");
    }
    if frame.any_elements && elements == 0 {
        let what = if tiled { "tiles of a workgroup" } else { "entities of a block per thread" };
        return fail(what, elements, "1 or more");
    }
    if !frame.any_elements && (!elements.is_multiple_of(4) || !(4..=256).contains(&elements)) {
        return fail("entities of a block per thread", elements, "a multiple of 4 up to 256");
    }
    Ok(())
}

struct Builder {
    frame: Frame,
    program: Program,
}

impl Builder {
    fn buffers(&mut self, model: &ModelParts) {
        let (entities, blocks) = (u64::from(model.entities), self.blocks(model));
        let control = Control {
            minimum: 0,
            bound: 0,
            limit: 0,
            lookahead: model.lookahead.ticks(),
            events: 0,
            worked: 0,
            entities: model.entities,
            blocks,
            round: 0,
            finished: 0,
            running: 0,
            selected: 0,
            fault: 0,
            fault_entity: u32::MAX,
            crowds: model.steps.crowds(),
            working: 0,
            drift: 0,
            scale: 1,
            halted: 0,
            room: 0,
        };
        let control = BufferSpec::filled("control", BufferUse::Storage, bytemuck::bytes_of(&control).to_vec());
        self.program.status = Some(self.program.buffer(control));
        self.program.buffer(BufferSpec::storage("next_event", entities, 8));
        self.program.buffer(BufferSpec::storage(
            "summaries",
            u64::from(blocks) * SUMMARIES + u64::from(model.steps.crowds()),
            8,
        ));
        for spec in &model.buffers {
            self.program.buffer(spec.clone());
        }
        if let Some(tiles) = model.tiles(self.frame.tile) {
            let [width, height] = self.frame.tile;
            let border = 3 * u64::from(tiles) * 2 * u64::from(width + height);
            self.program.buffer(BufferSpec::storage("appointments", border, 8));
        }
    }

    fn blocks(&self, model: &ModelParts) -> u32 {
        match model.tiles(self.frame.tile) {
            None => model.threads().div_ceil(self.frame.block()).max(1),
            Some(tiles) => tiles.div_ceil(self.frame.elements).max(1),
        }
    }

    fn kernel(&mut self, label: &str, sources: &[&str]) -> Result<KernelId, DeviceError> {
        let constants = self.frame.constants();
        let kernel = compose(label, &self.frame.parts(&constants, sources))?;
        Ok(self.program.kernel(kernel))
    }

    fn first(&mut self, kernel: &FirstKernel) -> Result<(), DeviceError> {
        if kernel.threads == 0 {
            return Ok(());
        }
        let id = self.kernel(kernel.label, &kernel.sources)?;
        let workgroups = kernel.threads.div_ceil(self.frame.workgroup);
        self.program.first.push(Step { kernel: id, dispatch: Dispatch::Workgroups(workgroups) });
        Ok(())
    }

    /// The two dispatches of a round: its points of global synchronization.
    fn steps(&mut self, model: &ModelParts) -> Result<(), DeviceError> {
        let dispatch = Dispatch::Workgroups(self.blocks(model));
        match &model.steps {
            Steps::Window { departure, arrival, crowds } => {
                self.window(departure, arrival, [dispatch, Dispatch::Workgroups(self.blocks(model) + crowds)])
            }
            Steps::Appointments { round, .. } => self.appointments(round, dispatch, 0),
            Steps::Tiles { round, .. } => self.appointments(round, dispatch, TOGETHER),
            Steps::Messages { execution, exchange } => {
                for stage in [execution, exchange] {
                    let sources = [&[shader!("lib/control")], &stage.sources[..]].concat();
                    let kernel = self.kernel(stage.label, &sources)?;
                    self.program.round.push(Step { kernel, dispatch });
                }
                Ok(())
            }
            Steps::Stages(stages) => {
                self.program.round = self.staged(stages)?;
                Ok(())
            }
        }
    }

    fn staged(&mut self, stages: &[Stage]) -> Result<Vec<Step>, DeviceError> {
        let step = |Stage { constants, kernel, work }: &Stage| {
            let sources = [&[constants.as_str()], &kernel.sources[..]].concat();
            let workgroups = match *work {
                Work::Workgroups(workgroups) => workgroups,
                Work::Threads(kinds) => kinds.iter().map(|threads| threads.div_ceil(self.frame.workgroup)).sum(),
            };
            let kernel = self.kernel(kernel.label, &sources)?;
            Ok(Step { kernel, dispatch: Dispatch::Workgroups(workgroups) })
        };
        stages.iter().map(step).collect()
    }

    fn window(
        &mut self,
        departure: &StageKernel,
        arrival: &StageKernel,
        [dispatch, arrivals]: [Dispatch; 2],
    ) -> Result<(), DeviceError> {
        let shared = [shader!("lib/control"), shader!("lib/summaries")];
        let with = |own: &[&'static str], stage: &[&'static str]| [&shared, own, stage].concat();
        let initialize = self.kernel("engine/initialize", &with(&[shader!("engine/initialize")], &[]))?;
        let steps_1_to_4 = [
            shader!("engine/minimum"),
            shader!("engine/bound"),
            shader!("engine/select"),
            shader!("engine/schedule"),
            shader!("engine/departures"),
        ];
        let departure = self.kernel(departure.label, &with(&steps_1_to_4, &departure.sources))?;
        let mut step_5 = vec![shader!("engine/schedule"), shader!("engine/arrivals")];
        if arrivals == dispatch {
            step_5.push(shader!("engine/no_crowds"));
        }
        let arrival = self.kernel(arrival.label, &with(&step_5, &arrival.sources))?;
        self.program.first.push(Step { kernel: initialize, dispatch });
        self.program.round = vec![Step { kernel: departure, dispatch }, Step { kernel: arrival, dispatch: arrivals }];
        Ok(())
    }

    fn appointments(&mut self, round: &StageKernel, dispatch: Dispatch, together: u32) -> Result<(), DeviceError> {
        for parity in ["const PARITY: u32 = 0u;\n", "const PARITY: u32 = 1u;\n"] {
            let sources = [&[parity, shader!("lib/control")], &round.sources[..]].concat();
            let constants = self.frame.constants();
            let kernel = compose(round.label, &self.frame.parts(&constants, &sources))?;
            let kernel = self.program.kernel(Kernel { together, ..kernel });
            self.program.round.push(Step { kernel, dispatch });
        }
        Ok(())
    }
}
