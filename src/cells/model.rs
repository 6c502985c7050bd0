//! What a model of cells is: a Parallel DEVS atomic model in each of them (Chow and Zeigler 1994).

use std::ops::Range;

use super::{CellError, Fronts, Space};
use tickless_core::time::Time;

/// The latest horizon.
const LATEST: Time = Time::from_ticks(1 << 63);

/// The most words of a state.
const MOST_STATE: usize = 1024;
/// The most words of an output.
pub(super) const MOST_OUTPUT: usize = 16;

/// Refuses a model that no backend runs.
///
/// # Errors
/// [`CellError::Words`] and [`CellError::Until`].
pub(super) fn check(model: &impl CellModel) -> Result<(), CellError> {
    let until = model.until();
    let [state, output] = [model.state_words(), model.output_words()];
    for (what, words, most) in [("state", state, MOST_STATE), ("output", output, MOST_OUTPUT)] {
        if words > most {
            return Err(CellError::Words { what, words, most });
        }
    }
    if until > Time::ZERO && until <= LATEST { Ok(()) } else { Err(CellError::Until { until }) }
}

/// Which cell, and of which replication of the space.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// let cell = tickless::cells::Cell { id: 7, replication: 0 };
/// assert_eq!(cell.id, 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its number in the space.
    pub id: u32,
    /// The number of the replication.
    pub replication: u32,
}

/// Of what kind a transition is, and when.
///
/// It is internal where the cell is imminent and nothing arrives, external where something arrives and it is not imminent,
/// confluent where both are so.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::{cells::Moment, time::Time};
/// let moment = Moment { now: Time::UNIT, elapsed: Time::ZERO, imminent: true };
/// assert!(moment.imminent);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The time.
    pub now: Time,
    /// Time since the last transition of the cell, or since 0; 0 where the model has no [`CellModel::elapsed`].
    pub elapsed: Time,
    /// Whether the cell's own time advance ends now.
    pub imminent: bool,
}

/// What a cell hears: the outputs of its neighbours.
///
/// A test of a model can bring inputs of its own.
pub trait Inputs {
    /// Whether there is a cell at the n-th offset.
    fn exists(&self, n: usize) -> bool;
    /// Whether an output of the n-th neighbour arrives now: whether it is in the bag.
    fn arrives(&self, n: usize) -> bool;
    /// A word of the last output of the n-th neighbour, of now where one arrives; before its first the word that it was
    /// initialized with, and 0 where there is no cell.
    fn word(&self, n: usize, word: usize) -> u32;
    /// The last output of the cell itself.
    fn own_output(&self) -> &[u32];
}

/// A model of cells: the same Parallel DEVS atomic model in every cell, coupled to its neighbours.
///
/// What a cell does may depend on nothing but what it is given here and on the model: then every backend gives the same run.
/// State and outputs are words, as many in every cell.
pub trait CellModel: Sync {
    /// The cells and their coupling.
    fn space(&self) -> &Space;

    /// The model with what it needs of these replications, where it makes that once before a run of them; `None` where it is at hand.
    /// What is drawn of a replication is drawn by its number.
    ///
    /// # Errors
    /// Replications that the model does not have; whatever else keeps it from running.
    fn prepared(&self, _replications: &Range<u32>) -> Result<Option<Self>, CellError>
    where
        Self: Sized,
    {
        Ok(None)
    }

    /// The error of a run whose time stands still.
    #[doc(hidden)]
    fn illegitimate(&self, now: Time, cycles: u64) -> CellError {
        CellError::Illegitimate { now, cycles }
    }

    /// The horizon, above 0 and at most 2^31 time units: every event before it happens.
    fn until(&self) -> Time;

    /// The least time from an input to an output that it can cause, 0 if there is none. A cell whose output a past input
    /// has planned may change it as it likes, but to no earlier time than that.
    fn lookahead(&self) -> Time;

    /// The same of one cell, where cells differ: on a device a run then takes fewer rounds. None is less than
    /// [`Self::lookahead`].
    fn lookahead_of(&self, _cell: u32) -> Time {
        self.lookahead()
    }

    /// Of cells that have no events but when fronts reach them: then no order of events matters, and neither `output` nor
    /// `transition` is called.
    fn fronts(&self) -> Option<&dyn Fronts> {
        None
    }

    /// Words of state of a cell, at most 1024.
    fn state_words(&self) -> usize;

    /// Words of an output, at most 16.
    fn output_words(&self) -> usize;

    /// Whether transitions are told how much time has passed since the last.
    fn elapsed(&self) -> bool {
        false
    }

    /// Makes the state at time 0, which is all zeros before, and what neighbours see as the last output. Returns when the
    /// first own event is; [`Time::NEVER`] if there is none.
    ///
    /// # Errors
    /// Whatever ends the run without a result.
    fn initialize(&self, cell: Cell, state: &mut [u32], output: &mut [u32]) -> Result<Time, CellError>;

    /// When the last transition of a cell was, where it has [`CellModel::elapsed`] times and goes on from a checkpoint.
    #[doc(hidden)]
    fn last_transition(&self, _cell: Cell) -> Time {
        Time::ZERO
    }

    /// The output function of an imminent cell, before its transition. `output` holds the last one. Returns whether anything
    /// is sent; where not, `output` must stay as it is.
    ///
    /// # Errors
    /// Whatever ends the run without a result.
    fn output(&self, cell: Cell, now: Time, state: &[u32], output: &mut [u32]) -> Result<bool, CellError>;

    /// The transition functions and the time advance: changes the state, and returns when the next own event is, now or
    /// later; [`Time::NEVER`] if there is none.
    ///
    /// # Errors
    /// Whatever ends the run without a result.
    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError>;
}
