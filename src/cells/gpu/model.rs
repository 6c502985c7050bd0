//! The part of a model of cells for devices.

use crate::{CellError, CellModel};
use tickless_core::random::EffectiveLaw;
use tickless_core::time::Time;
use tickless_device::BufferSpec;
use tickless_kernels::{Mounts, Source};

/// The kernels of a model.
///
/// Its WGSL defines two functions:
///
/// - `cell_output(cell: u32) -> bool`, for an imminent cell before its transition: it may call `set_output(cell, word, value)`,
///   and returns whether the output is sent;
/// - `cell_transition(cell: u32, imminent: bool) -> Time` changes the state by `set_state_word(cell, word, value)` and returns
///   when the next own event is, `never()` if there is none.
///
/// Both may read `now`, `planned` (the time of the own event), `elapsed`, `cell_id`, `replication`, `state_word(cell, word)` and
/// `output_word(cell, word)`; the second also `neighbour_exists(n)`, `neighbour_arrives(n)` and `neighbour_word(n, word)`.
/// `raise(fault, cell_id)` of the choice `faults` ends the run. `stream_from(cell, word)` and `keep_stream(cell, word, stream)` are for
/// [random numbers](crate::Cell::stream). Each name is imported from its module (docs/wgsl.md), and buffers are declared without a number.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::{cells::gpu::CellKernels, kernels::Source, random::ServiceLaw};
/// let own = Source::own("flip.wgsl", "fn cell_output(cell: u32) -> bool { return true; }");
/// let kernels = CellKernels { laws: vec!["gamma:2,10".parse::<ServiceLaw>()?.effective(None)], ..CellKernels::of("flip", own) };
/// assert_eq!(kernels.label, "flip");
/// # Ok::<(), tickless::random::LawError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CellKernels {
    /// The model's name.
    pub label: &'static str,
    /// The modules that it mounts; the module `model` has both functions.
    pub mounts: Mounts,
    /// The laws that it draws from: [`EffectiveLaw::service`] in Rust is `service_time(law(n), &stream)` in WGSL, for the n-th of them from
    /// 0 on.
    pub laws: Vec<EffectiveLaw>,
    /// Its buffers, named as in its WGSL.
    pub buffers: Vec<BufferSpec>,
}

impl CellKernels {
    /// The kernels of a module with both functions, without laws and buffers.
    pub fn of(label: &'static str, source: impl Into<Source>) -> Self {
        Self { label, mounts: Mounts::default().with("model", source), laws: vec![], buffers: vec![] }
    }
}

/// What a device needs of a model of cells, the twins of [`CellModel::output`] and [`CellModel::transition`] before all.
pub trait DeviceCells: CellModel {
    /// Its kernels; `None` where it has none, and no device runs it.
    fn kernels(&self) -> Option<CellKernels> {
        None
    }

    /// The cells of a replication that may start otherwise than in replication 0; `None` where any cell may.
    fn starting_otherwise(&self, replication: u32) -> Option<Vec<u32>> {
        (replication == 0).then(Vec::new)
    }

    /// The first passage, if no order of events matters. A run then takes far fewer rounds.
    fn first_passage(&self) -> Option<FirstPassage> {
        None
    }

    /// The message for a fault that a function of the model raised, and what to do.
    fn fault(&self, bits: u32) -> String {
        format!("the model has set the fault {bits}")
    }

    /// The same as an error that names the cell.
    #[doc(hidden)]
    fn failure(&self, cell: u32, now: Time, bits: u32) -> CellError {
        CellError::Model { cell, now, what: self.fault(bits) }
    }
}

/// A model in which every cell has one event at most: at a time of its own, or when the first passage from a neighbour at that
/// neighbour's event arrives. A cell sends then, always and only then; its state is the time of its event (low word, high word),
/// all ones before it. A passage takes more than no time.
///
/// ```
/// use tickless::{cells::gpu::{FirstPassage, Passing}, time::Time};
/// let passing = Passing::Delays { delays: "cells/fire_delay".into(), changing: false };
/// let passage = FirstPassage { passing, starts: vec![], usual: Time::UNIT };
/// assert!(passage.starts.is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct FirstPassage {
    /// How passages go from cell to cell.
    pub passing: Passing,
    /// Replication, cell, and the time of the event that the cell has by itself; each cell once.
    pub starts: Vec<(u32, u32, Time)>,
    /// A usual delay. No result depends on it.
    pub usual: Time,
}

/// How a first passage goes from cell to cell. The buffers of its module are those of [`CellKernels`].
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::{cells::gpu::Passing, kernels::Mounts};
/// let modules = Mounts::default().with("fronts", "cells/fire_fronts");
/// let passing = Passing::Fronts { modules, reach: 3 };
/// assert!(!passing.changes());
/// ```
#[derive(Clone, Debug)]
pub enum Passing {
    /// From each neighbour after a delay.
    Delays {
        /// The module that defines `passage_delay(n: u32, out: Time) -> Time`, the delay to the cell `cell_id` of the
        /// `replication` from its n-th neighbour for a passage that sets out at a time, `never()` if none comes from
        /// there.
        delays: Source,
        /// Whether a delay depends on the time of departure, so that a later departure may arrive earlier.
        changing: bool,
    },
    /// From between two neighbours: the twin of [`Fronts`](crate::Fronts).
    Fronts {
        /// The modules that kernels mount, among them `fronts`, which defines `front_ends(edge: u32) -> vec2<u32>`, the two neighbours of an
        /// edge (there are as many edges as neighbours); `front_over(place: u32, edge: u32, from: Time, to: Time, known: Time) -> Time`,
        /// `known` or the earliest time at which a front reaches the cell `cell_id` of the `replication` over an edge whose ends it reaches at
        /// these times, the first before the horizon, the second perhaps `never()`: it is later than the earlier of the two, and by
        /// `front_least(edge: u32) -> Time` at least. For each block of cells, `front_begin(time: Time)` gets the time of the earliest change
        /// before `front_cell(place: u32, offset: vec2<i32>)` gets each cell that may be asked for, by its offset from the entered cell, and
        /// then `front_ready(lane: u32)` is called.
        modules: Mounts,
        /// The largest distance of a neighbour along an axis.
        reach: u32,
    },
}

impl Passing {
    /// Whether a later departure may arrive earlier.
    pub fn changes(&self) -> bool {
        matches!(self, Self::Delays { changing: true, .. })
    }
}
