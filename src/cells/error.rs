//! Errors of models of cells, before and during a run.

use super::log::LogError;
use super::space::SpaceError;
use tickless_core::memory::NoMemory;
use tickless_core::number::{Written, named};
use tickless_core::ranks::TransportError;
use tickless_core::run::Interrupted;
use tickless_core::time::Time;
use tickless_device::DeviceError;

/// Why a model of cells cannot run, or what ended its run without a result.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::{cells::CellError, time::Time};
/// let error = CellError::Past { cell: 3, now: Time::UNIT, next: Time::ZERO };
/// assert!(error.to_string().starts_with("cell 3 plans its next event at 0 and it is 1 already"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CellError {
    /// The device refused, failed or went away.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A watch ended the set-up on the heap.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The log of outputs cannot be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// A checkpoint of another model.
    #[error("the checkpoint has {found} {what}, and this model has {expected}: go on with the model that left it")]
    Checkpoint {
        /// The quantity that differs.
        what: &'static str,
        /// Its value in the checkpoint.
        found: u64,
        /// Its value in the model.
        expected: u64,
    },
    /// An invalid space.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// Ranks that cannot go on together.
    #[error(transparent)]
    Ranks(#[from] TransportError),
    /// More ranks than layers.
    #[error("{ranks} ranks are asked for a space with {layers} {} across its longest side: use as many or fewer", named(*.layers, "layer"))]
    TooManyRanks {
        /// The ranks.
        ranks: u32,
        /// The layers.
        layers: u32,
    },
    /// Bands of layers that do not fit the ranks.
    #[error(
        "{bands} {} with {layers} {} in all are given, for {ranks} {} and a space with {expected}: give each rank a band of 1 \
             or more, and all of them together the layers that there are",
        named(*.bands, "band"), named(*.layers, "layer"), named(*.ranks, "rank")
    )]
    Bands {
        /// The bands given.
        bands: u64,
        /// The layers in them.
        layers: u64,
        /// The ranks.
        ranks: u64,
        /// The layers of the space.
        expected: u64,
    },
    /// A cell that another rank hears sends after that rank has gone on.
    #[error(
        "cell {cell} sends at {now}, and the lookahead of the model has let other ranks go on to {bound}: let lookahead_of of no \
             cell be less than lookahead",
        now = now.units(), bound = bound.units()
    )]
    Forestalled {
        /// The cell.
        cell: u32,
        /// The time.
        now: Time,
        /// The time that other ranks have reached.
        bound: Time,
    },
    /// More words than a cell may have.
    #[error("the {what} of a cell has {words} words; it may have {most}")]
    Words {
        /// The kind of the words.
        what: &'static str,
        /// The words of the model.
        words: usize,
        /// The most words allowed.
        most: usize,
    },
    /// A model that only the heap can run.
    #[error("{why}")]
    HeapOnly {
        /// The reason, and what to do.
        why: &'static str,
    },
    /// No replications.
    #[error("0 replications are asked; it must be from 1 to {}", u32::MAX)]
    NoReplications,
    /// Replications that a model does not have.
    #[error("{why}")]
    Replications {
        /// Why not, and what to do.
        why: String,
    },
    /// A horizon that is none.
    #[error("the horizon is {}; it must be at least 2^-32 and at most 2^31", Written(until.units()))]
    Until {
        /// The horizon.
        until: Time,
    },
    /// A time advance that ends before it begins.
    #[error("cell {cell} plans its next event at {next} and it is {now} already: a time advance is 0 or more", next = next.units(), now = now.units())]
    Past {
        /// The cell.
        cell: u32,
        /// The time.
        now: Time,
        /// The time of its planned event.
        next: Time,
    },
    /// An output earlier than the lookahead allows.
    #[error(
        "cell {cell} answers an input at {now} with an event at {next}, and its lookahead is {lookahead}: give the model the \
             least time that it takes",
        now = now.units(), next = next.units(), lookahead = lookahead.units()
    )]
    Lookahead {
        /// The cell.
        cell: u32,
        /// The time.
        now: Time,
        /// The time of its planned event.
        next: Time,
        /// The lookahead of the cell in the model.
        lookahead: Time,
    },
    /// Time that does not go on: an illegitimate model (Zeigler, Praehofer and Kim 2000).
    #[error("{cycles} cycles of events at {now}, and time does not go on: give cells time advances above 0", now = now.units())]
    Illegitimate {
        /// The time.
        now: Time,
        /// How often cells had events at this time, one after the other.
        cycles: u64,
    },
    /// An error of a cell of a rule file.
    #[error("{file}: cell {place} at {now} ms: {what}", now = now.units())]
    Rule {
        /// The file.
        file: String,
        /// The cell as the file counts it: (row,column) or (row,column,plane).
        place: String,
        /// The time.
        now: Time,
        /// The error, and what to do.
        what: String,
    },
    /// Cells of a rule file whose time does not go on.
    #[error("{file}: {cycles} cycles of events at {now} ms, and time does not go on: give rules delays above 0", now = now.units())]
    Instant {
        /// The file.
        file: String,
        /// The time.
        now: Time,
        /// How often cells had events at this time, one after the other.
        cycles: u64,
    },
    /// An error that a model reports for a cell.
    #[error("cell {cell} at {now}: {what}", now = now.units())]
    Model {
        /// The cell.
        cell: u32,
        /// The time.
        now: Time,
        /// The error, and what to do.
        what: String,
    },
}

impl CellError {
    /// Whether a watch has ended the set-up, so that there is no result.
    pub(super) fn is_interrupted(&self) -> bool {
        matches!(self, Self::Interrupted(_) | Self::Device(DeviceError::Interrupted))
    }
}
