//! The interface of a model of cells: a Parallel DEVS atomic model in each cell (Chow and Zeigler 1994).

use std::ops::Range;

use super::{CellError, Fronts, Space};
use tickless_core::random::{Stream, StreamKey};
use tickless_core::time::Time;

/// The latest horizon.
const LATEST: Time = Time::from_ticks(1 << 63);

/// The most words of a state.
const MOST_STATE: usize = 1024;
/// The most words of an output.
pub(super) const MOST_OUTPUT: usize = 32;

/// Refuses a model that no backend can run.
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

/// A cell of a replication of the space.
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

impl Cell {
    /// Its random stream before the first draw. [`CellModel::initialize`] keeps the words of it in the cell's state.
    ///
    /// ```
    /// # use tickless_cells::facade as tickless;
    /// use tickless::cells::Cell;
    /// let (cell, seed) = (Cell { id: 7, replication: 2 }, 1);
    /// let mut state = [0, 0, 0];
    /// state[1..].copy_from_slice(&cell.stream(seed).words());
    /// // In each transition:
    /// let mut stream = cell.stream_from(seed, [state[1], state[2]]);
    /// let draw = stream.draw();
    /// state[1..].copy_from_slice(&stream.words());
    /// assert_eq!(draw, cell.stream(seed).draw());
    /// assert_eq!(stream, cell.stream_from(seed, [state[1], state[2]]));
    /// ```
    pub fn stream(self, seed: u64) -> Stream {
        self.key(seed).stream(self.id)
    }

    /// Its random stream, from the words that its state has of it, under the seed of [`CellModel::seed`].
    pub fn stream_from(self, seed: u64, words: [u32; 2]) -> Stream {
        self.key(seed).stream_from(self.id, words)
    }

    fn key(self, seed: u64) -> StreamKey {
        StreamKey::new(seed, self.replication.into())
    }
}

/// The time and the kind of a transition.
///
/// It is internal where the cell is imminent and no output arrives, external where an output arrives and the cell is not
/// imminent, confluent where both hold.
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

/// The outputs of the neighbours of a cell.
///
/// A test of a model can bring inputs of its own.
pub trait Inputs {
    /// Whether an output of the n-th neighbour arrives now (is in the bag).
    fn arrives(&self, n: usize) -> bool;
    /// The last output of the n-th neighbour, including an output of now; before its first output the words of its
    /// initialization. `None` where there is no cell at the n-th offset.
    fn output(&self, n: usize) -> Option<&[u32]>;
    /// The last output of the cell itself.
    fn own_output(&self) -> &[u32];

    /// Whether there is a cell at the n-th offset.
    fn exists(&self, n: usize) -> bool {
        self.output(n).is_some()
    }

    /// A word of the [output](Self::output) of the n-th neighbour; 0 where there is no cell.
    ///
    /// # Panics
    /// Where outputs have no such word.
    fn word(&self, n: usize, word: usize) -> u32 {
        self.output(n).map_or(0, |words| words[word])
    }
}

/// A model of cells: the same Parallel DEVS atomic model in every cell, coupled to its neighbours.
///
/// A transition may depend on nothing but its arguments and the model: then every backend gives the same run. State and
/// outputs are words, as many in every cell.
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

    /// The least time from an input to an output that it can cause, 0 if there is none. A cell that has planned an
    /// output because of an earlier input may change the output, but not to an earlier time than this.
    fn lookahead(&self) -> Time;

    /// The lookahead of one cell, where cells differ: on a device a run then takes fewer rounds. It is at least
    /// [`Self::lookahead`].
    fn lookahead_of(&self, _cell: u32) -> Time {
        self.lookahead()
    }

    /// The fronts of a model whose cells have no other events: then no order of events matters, and neither `output` nor
    /// `transition` is called.
    fn fronts(&self) -> Option<&dyn Fronts> {
        None
    }

    /// The seed of the cells' random streams: what a model whose cells draw gives to [`Cell::stream`] and [`Cell::stream_from`]. Devices
    /// ask for it here.
    fn seed(&self) -> u64 {
        0
    }

    /// Words of state of a cell, at most 1024.
    fn state_words(&self) -> usize;

    /// Words of an output, at most 16.
    fn output_words(&self) -> usize;

    /// Whether transitions are told the time since the last one.
    fn elapsed(&self) -> bool {
        false
    }

    /// Makes the state at time 0, which is all zeros before, and the output that neighbours see as the last one. Returns
    /// when the first own event is; [`Time::NEVER`] if there is none.
    ///
    /// # Errors
    /// Whatever ends the run without a result.
    fn initialize(&self, cell: Cell, state: &mut [u32], output: &mut [u32]) -> Result<Time, CellError>;

    /// When the last transition of a cell was, where the model has [`CellModel::elapsed`] times and resumes from a
    /// checkpoint.
    #[doc(hidden)]
    fn last_transition(&self, _cell: Cell) -> Time {
        Time::ZERO
    }

    /// The output function of an imminent cell, before its transition. `output` holds the last output. Returns whether an
    /// output is sent; if not, `output` must stay as it is.
    ///
    /// # Errors
    /// Whatever ends the run without a result.
    fn output(&self, cell: Cell, now: Time, state: &[u32], output: &mut [u32]) -> Result<bool, CellError>;

    /// The transition functions and the time advance: changes the state, and returns the time of the next own event,
    /// now or later; [`Time::NEVER`] if there is none.
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
