//! A run of cells at its clock, from which another run resumes.

pub(super) mod going;

use std::ops::Range;

use super::replications::Replications;
use super::{CellError, CellModel, CellOutcome};
use tickless_core::archive::{ArchiveError, Arrays, wrong};
use tickless_core::memory::{self, NoMemory};
use tickless_core::time::Time;

/// The state of a run of cells: its first replications, each up to a clock of its own. The others have not begun. A run of a
/// [`Restartable`](tickless_core::run::Restartable) model resumes from it on any backend, with the digest of an uninterrupted run.
///
/// ```
/// use std::ops::ControlFlow;
/// use tickless::{cells::{self, Watershed}, device::Target, run::{Progress, Restartable, unwatched}};
/// let model = Watershed::new(9, 9, (0..81).map(f64::from).collect()).until(9000.0).check()?;
/// let mut stop = |_: &Progress| ControlFlow::Break(());
/// let restartable = |from| Restartable { model: &model, from };
/// let first = cells::run(restartable(None), 0..1, Target::Heap, Default::default(), &mut stop)?;
/// assert!(first.interrupted);
/// let rest = restartable(Some(&first.outcome));
/// let rest = cells::run(rest, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// let whole = cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(rest.outcome.outcome.digest(), whole.outcome.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// The cells of the replications that have begun, with their arrays.
    pub outcome: CellOutcome,
    /// The clock of each: every event before this time has happened. The horizon where the replication has ended.
    pub clocks: Vec<Time>,
}

impl Checkpoint {
    /// That of a run in which no replication has begun.
    pub(super) fn of_none(model: &Replications<'_, impl CellModel>) -> Self {
        let (size, first_replication) = (model.space().size(), model.first());
        Self { outcome: CellOutcome { size, first_replication, ..CellOutcome::default() }, clocks: vec![] }
    }

    /// A copy, or the checkpoint of a run in which no replication has begun.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn copied(model: &Replications<'_, impl CellModel>, from: Option<&Self>) -> Result<Self, NoMemory> {
        let Some(from) = from else { return Ok(Self::of_none(model)) };
        from.room_for_a_copy()?;
        Ok(from.clone())
    }

    fn room_for_a_copy(&self) -> Result<(), NoMemory> {
        let CellOutcome { state, output, next, last, .. } = &self.outcome;
        let bytes =
            size_of_val(&state[..]) + size_of_val(&output[..]) + size_of_val(&next[..]) + size_of_val(&last[..]);
        memory::room_of(bytes as u64, "a copy of the checkpoint")
    }

    fn none_has_ended(&self, model: &impl CellModel) -> bool {
        self.clocks.iter().all(|clock| *clock < model.until())
    }

    /// Whether the checkpoint holds no work: of fronts before they have settled.
    pub(super) fn begins_again(&self, model: &impl CellModel) -> bool {
        model.fronts().is_some() && self.none_has_ended(model)
    }

    /// Refuses a checkpoint of another model.
    ///
    /// # Errors
    /// [`CellError::Checkpoint`].
    pub(super) fn check(&self, model: &Replications<'_, impl CellModel>) -> Result<(), CellError> {
        let Self { outcome, clocks } = self;
        let other = |what, found: u64, expected: u64| Err(CellError::Checkpoint { what, found, expected });
        let [found, expected] = [outcome.size, model.space().size()];
        if found != expected {
            let place = (0..2).find(|along| found[*along] != expected[*along]).unwrap_or(2);
            return other(["columns", "rows", "planes"][place], found[place].into(), expected[place].into());
        }
        let (count, most) = (clocks.len() as u64, u64::from(model.count()));
        if outcome.first_replication != model.first() || count != u64::from(outcome.replications) || count > most {
            return other("replications", outcome.replications.into(), most);
        }
        let cells = outcome.cells() * outcome.replications as usize;
        let lengths = [
            ("next own events", outcome.next.len(), cells),
            ("words of states", outcome.state.len(), cells * model.state_words()),
            ("words of outputs", outcome.output.len(), cells * model.output_words()),
            ("times of last transitions", outcome.last.len(), if model.elapsed() { cells } else { 0 }),
        ];
        if let Some((what, found, expected)) = lengths.into_iter().find(|(_, found, expected)| found != expected) {
            return other(what, found as u64, expected as u64);
        }
        let each = outcome.cells();
        for (place, clock) in clocks.iter().enumerate() {
            if *clock > model.until() {
                return other("ticks before it", clock.ticks(), model.until().ticks());
            }
            let own = place * each..(place + 1) * each;
            if let Some(next) = outcome.next[own.clone()].iter().find(|next| *next < clock) {
                return other("ticks before a next own event", next.ticks(), clock.ticks());
            }
            if let Some(last) = outcome.last.get(own).and_then(|last| last.iter().find(|last| *last > clock)) {
                return other("ticks before a last transition", last.ticks(), clock.ticks());
            }
        }
        Ok(())
    }

    /// The first replications that have not ended and have the same clock.
    fn group(&self, until: Time) -> Option<Range<u32>> {
        let start = self.clocks.iter().position(|clock| *clock < until)?;
        let alike = self.clocks[start..].iter().take_while(|clock| **clock == self.clocks[start]).count();
        Some(start as u32..(start + alike) as u32)
    }

    /// The arrays of a checkpoint file.
    ///
    /// # Errors
    /// Too little memory.
    #[doc(hidden)]
    pub fn arrays(&self) -> Result<Arrays, ArchiveError> {
        let CellOutcome { state, output, next, last, transitions, imminent, .. } = &self.outcome;
        let bytes = 4 * (state.len() + output.len()) + 8 * (next.len() + last.len());
        memory::room_of(bytes as u64, "the arrays of a checkpoint")?;
        let ticks = |times: &[Time]| times.iter().map(|time| time.ticks()).collect();
        let mut arrays = Arrays::default();
        arrays.add_list("run", vec![*transitions, *imminent]);
        arrays.add_list("clocks", ticks(&self.clocks));
        arrays.add_halves("state", state);
        arrays.add_halves("output", output);
        arrays.add_list("next", ticks(next));
        arrays.add_list("last", ticks(last));
        Ok(arrays)
    }

    /// What [`Checkpoint::arrays`] was made of, for these replications of this model.
    ///
    /// # Errors
    /// An array that does not fit the model.
    #[doc(hidden)]
    pub fn from_arrays<M: CellModel>(model: &M, numbers: Range<u32>, mut arrays: Arrays) -> Result<Self, ArchiveError> {
        let all = numbers.len();
        let model = &Replications::new(model, numbers).map_err(|error| wrong("clocks", error.to_string()))?;
        let run = arrays.take_list("run")?;
        let [transitions, imminent] = run[..] else {
            return Err(wrong("run", format!("is {run:?}")));
        };
        let times = |ticks: Vec<u64>| ticks.into_iter().map(Time::from_ticks).collect();
        let clocks: Vec<Time> = times(arrays.take_list("clocks")?);
        let replications = clocks.len();
        if replications > all {
            return Err(wrong("clocks", format!("has {replications} replications, and there are {all}")));
        }
        let cells = model.space().cells() as usize * replications;
        let outcome = CellOutcome {
            size: model.space().size(),
            replications: replications as u32,
            first_replication: model.first(),
            state: arrays.take_halves("state", cells.saturating_mul(model.state_words()))?,
            output: arrays.take_halves("output", cells.saturating_mul(model.output_words()))?,
            next: times(arrays.take_list("next")?),
            last: times(arrays.take_list("last")?),
            transitions,
            imminent,
            added_up: None,
        };
        let checkpoint = Self { outcome, clocks };
        checkpoint.check(model).map_err(|error| wrong("run", format!("does not fit ({error})")))?;
        Ok(checkpoint)
    }
}
