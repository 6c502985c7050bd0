//! A run of cells as it stands at its clock, and what goes on from there.

use std::borrow::Cow;
use std::ops::Range;
use std::time::Duration;

use super::gpu::{CellKernels, CellOptions, DeviceCells, FirstPassage};
use super::{Cell, CellError, CellModel, CellOutcome, Inputs, Moment, Space, run};
use crate::archive::{ArchiveError, Arrays, wrong};
use crate::device::Target;
use crate::memory;
use crate::run::{Run, Watch};
use crate::time::Time;

/// All that a run of cells has: its first replications, each up to a clock of its own. The others have not begun.
/// [`run_from`] goes on from it on any backend, to the digest of a run that nothing has stopped.
///
/// ```
/// use std::ops::ControlFlow;
/// use tickless::{cells::{self, Watershed}, device::Target, run::{Progress, unwatched}};
/// let model = Watershed::new(9, 9, (0..81).map(f64::from).collect()).until(9000.0).check()?;
/// let mut stop = |_: &Progress| ControlFlow::Break(());
/// let first = cells::run_from(&model, None, Target::Heap, Default::default(), &mut stop)?;
/// assert!(first.interrupted);
/// let rest = cells::run_from(&model, Some(&first.outcome), Target::Heap, Default::default(), &mut unwatched())?;
/// let whole = cells::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(rest.outcome.outcome.digest(), whole.outcome.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The cells of the replications that have begun, with their arrays.
    pub outcome: CellOutcome,
    /// Of each of them: every event before this time has happened. The horizon where it has ended.
    pub clocks: Vec<Time>,
}

/// Some replications of a model, which may begin where a checkpoint has left them.
struct Part<'a, M> {
    model: &'a M,
    numbers: Range<u32>,
    from: Option<&'a CellOutcome>,
}

impl<M> Part<'_, M> {
    /// Where a cell lies in the arrays of the checkpoint.
    fn place(&self, cell: Cell) -> Option<(&CellOutcome, usize)> {
        let from = self.from?;
        Some((from, (cell.replication - from.first_replication) as usize * from.cells() + cell.id as usize))
    }
}

impl<M: CellModel> CellModel for Part<'_, M> {
    fn space(&self) -> &Space {
        self.model.space()
    }

    fn replications(&self) -> u32 {
        self.numbers.len() as u32
    }

    fn first_replication(&self) -> u32 {
        self.numbers.start
    }

    fn illegitimate(&self, now: Time, cycles: u64) -> CellError {
        self.model.illegitimate(now, cycles)
    }

    fn until(&self) -> Time {
        self.model.until()
    }

    fn lookahead(&self) -> Time {
        self.model.lookahead()
    }

    fn lookahead_of(&self, cell: u32) -> Time {
        self.model.lookahead_of(cell)
    }

    fn state_words(&self) -> usize {
        self.model.state_words()
    }

    fn output_words(&self) -> usize {
        self.model.output_words()
    }

    fn elapsed(&self) -> bool {
        self.model.elapsed()
    }

    fn initialize(&self, cell: Cell, state: &mut [u32], output: &mut [u32]) -> Result<Time, CellError> {
        let Some((from, place)) = self.place(cell) else { return self.model.initialize(cell, state, output) };
        state.copy_from_slice(&from.state[place * state.len()..][..state.len()]);
        output.copy_from_slice(&from.output[place * output.len()..][..output.len()]);
        Ok(from.next[place])
    }

    fn last_transition(&self, cell: Cell) -> Time {
        self.place(cell).map_or(Time::ZERO, |(from, place)| from.last[place])
    }

    fn output(&self, cell: Cell, now: Time, state: &[u32], output: &mut [u32]) -> Result<bool, CellError> {
        self.model.output(cell, now, state, output)
    }

    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        self.model.transition(cell, moment, next, state, inputs)
    }
}

impl<M: DeviceCells> DeviceCells for Part<'_, M> {
    fn kernels(&self) -> CellKernels {
        self.model.kernels()
    }

    fn starting_otherwise(&self, replication: u32) -> Option<Vec<u32>> {
        if self.from.is_some() { None } else { self.model.starting_otherwise(replication) }
    }

    fn first_passage(&self) -> Option<FirstPassage> {
        // Times that are known already come in order.
        if self.from.is_some() { None } else { self.model.first_passage() }
    }

    fn fault(&self, bits: u32) -> String {
        self.model.fault(bits)
    }

    fn failure(&self, cell: u32, now: Time, bits: u32) -> CellError {
        self.model.failure(cell, now, bits)
    }
}

/// Runs a model from a checkpoint on, or from time 0, to what another run can go on from: where the watch stops it, or the
/// horizon. Events, rounds and times are those of this run alone. There is no log.
///
/// A watch that [pauses](Watch::pause) a run of several replications lets those under way come to their end, but on a device
/// the first ones, which stay as they are. First passages whose delays do not change begin again where none has ended: they
/// take a moment.
///
/// # Errors
/// As [`run`](super::run); [`CellError::Checkpoint`] where it is not of this model.
pub fn run_from<M: DeviceCells>(
    model: &M,
    from: Option<&Checkpoint>,
    target: Target<'_>,
    options: CellOptions<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint>, CellError> {
    let options = CellOptions { log: None, figures_only: false, ..options };
    let from = from.filter(|from| !from.clocks.is_empty());
    if let Some(from) = from {
        from.check(model)?;
    }
    let until = model.until();
    let at_once = matches!(target, Target::Device(_)) && !options.ordered;
    let begins_again = |from: &&Checkpoint| {
        let none_has_ended = from.clocks.iter().all(|clock| *clock < until);
        at_once && none_has_ended && model.first_passage().is_some_and(|passage| !passage.changing)
    };
    let from = from.filter(|from| !begins_again(from));
    let mut going = Going { model, target, options, all: None };
    let nothing = || CellOutcome {
        size: model.space().size(),
        first_replication: model.first_replication(),
        ..CellOutcome::default()
    };
    let mut at = match from {
        Some(from) => Cow::Borrowed(from),
        None => Cow::Owned(Checkpoint { outcome: nothing(), clocks: vec![] }),
    };
    let mut goes_on = true;
    while let Some(group) = at.group(until).filter(|_| goes_on) {
        goes_on = going.part(&mut at, group, watch)?;
    }
    let begun = at.clocks.len() as u32;
    if goes_on && begun < model.replications() {
        going.part(&mut at, begun..model.replications(), watch)?;
    }
    let run = going.ended(&at);
    own(&mut at)?;
    Ok(run.map(|()| at.into_owned()))
}

/// A run in parts: replications that have the same clock.
struct Going<'a, 'log, M> {
    model: &'a M,
    target: Target<'a>,
    options: CellOptions<'log>,
    /// What all parts took.
    all: Option<Run<()>>,
}

impl<M: DeviceCells> Going<'_, '_, M> {
    /// Runs some replications, counted from the first of the model, as far as the watch lets them. Returns whether all of them
    /// have ended.
    fn part(
        &mut self,
        at: &mut Cow<'_, Checkpoint>,
        group: Range<u32>,
        watch: &mut dyn Watch,
    ) -> Result<bool, CellError> {
        let Self { model, target, options, all } = self;
        let base = model.first_replication();
        let from = (group.start < at.clocks.len() as u32).then_some(&at.outcome);
        let part = Part { model: *model, numbers: base + group.start..base + group.end, from };
        let run = match run(&part, *target, CellOptions { log: None, ..*options }, watch) {
            // What was done before stays.
            Err(error) if error.is_interrupted() && !at.clocks.is_empty() && all.is_some() => return Ok(false),
            run => run?,
        };
        let ended = !run.interrupted && run.clock == model.until();
        let (clock, count) = (run.clock, run.outcome.replications as usize);
        let mut found = None;
        let run = run.map(|outcome| found = Some(outcome));
        match all {
            Some(all) => all.add(&run),
            None => *all = Some(run),
        }
        if let Some(outcome) = found {
            take(at, group.start as usize, outcome, vec![clock; count])?;
        }
        Ok(ended)
    }

    fn ended(self, at: &Checkpoint) -> Run<()> {
        let until = self.model.until();
        let clock = at.clocks.iter().copied().min().unwrap_or(until);
        let interrupted = clock < until || at.outcome.replications < self.model.replications();
        let nothing = || Run {
            outcome: (),
            events: 0,
            rounds: None,
            clock,
            wall: Duration::ZERO,
            device: None,
            setup: Duration::ZERO,
            timings: vec![],
            interrupted,
            threads: None,
            details: (),
        };
        let run = self.all.unwrap_or_else(nothing);
        Run { clock, interrupted, ..run }
    }
}

/// Takes in replications from this one on, and where they stand.
fn take(
    at: &mut Cow<'_, Checkpoint>,
    first: usize,
    mut outcome: CellOutcome,
    clocks: Vec<Time>,
) -> Result<(), CellError> {
    if first == 0 && clocks.len() >= at.clocks.len() {
        outcome.transitions += at.outcome.transitions;
        outcome.imminent += at.outcome.imminent;
        *at = Cow::Owned(Checkpoint { outcome, clocks });
        return Ok(());
    }
    let at = own(at)?;
    at.outcome.put(first, outcome)?;
    let end = at.clocks.len().min(first + clocks.len());
    at.clocks.splice(first..end, clocks);
    Ok(())
}

/// The checkpoint itself, of which there is a copy from here on where it is somebody else's.
fn own<'c>(at: &'c mut Cow<'_, Checkpoint>) -> Result<&'c mut Checkpoint, CellError> {
    if matches!(at, Cow::Borrowed(_)) {
        let CellOutcome { state, output, next, last, .. } = &at.outcome;
        let bytes =
            size_of_val(&state[..]) + size_of_val(&output[..]) + size_of_val(&next[..]) + size_of_val(&last[..]);
        memory::room_of(bytes as u64, "a copy of the checkpoint")?;
    }
    Ok(at.to_mut())
}

impl Checkpoint {
    /// Refuses one that is not of this model.
    ///
    /// # Errors
    /// [`CellError::Checkpoint`].
    fn check(&self, model: &impl CellModel) -> Result<(), CellError> {
        let Self { outcome, clocks } = self;
        let other = |what, found: u64, expected: u64| Err(CellError::Checkpoint { what, found, expected });
        let [found, expected] = [outcome.size, model.space().size()];
        if found != expected {
            let place = (0..2).find(|along| found[*along] != expected[*along]).unwrap_or(2);
            return other(["columns", "rows", "planes"][place], found[place].into(), expected[place].into());
        }
        let (count, most) = (clocks.len() as u64, u64::from(model.replications()));
        if outcome.first_replication != model.first_replication()
            || count != u64::from(outcome.replications)
            || count > most
        {
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

    /// The first replications that have not ended and stand at the same time.
    fn group(&self, until: Time) -> Option<Range<u32>> {
        let start = self.clocks.iter().position(|clock| *clock < until)?;
        let alike = self.clocks[start..].iter().take_while(|clock| **clock == self.clocks[start]).count();
        Some(start as u32..(start + alike) as u32)
    }

    /// The arrays of its file.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn arrays(&self) -> Result<Arrays, ArchiveError> {
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

    /// What [`Checkpoint::arrays`] was made of, for this model.
    ///
    /// # Errors
    /// An array that is not of it.
    pub(crate) fn from_arrays(model: &impl CellModel, mut arrays: Arrays) -> Result<Self, ArchiveError> {
        let run = arrays.take_list("run")?;
        let [transitions, imminent] = run[..] else {
            return Err(wrong("run", format!("is {run:?}")));
        };
        let times = |ticks: Vec<u64>| ticks.into_iter().map(Time::from_ticks).collect();
        let clocks: Vec<Time> = times(arrays.take_list("clocks")?);
        let replications = clocks.len();
        if replications > model.replications() as usize {
            let all = model.replications();
            return Err(wrong("clocks", format!("has {replications} replications, and there are {all}")));
        }
        let cells = model.space().cells() as usize * replications;
        let outcome = CellOutcome {
            size: model.space().size(),
            replications: replications as u32,
            first_replication: model.first_replication(),
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
