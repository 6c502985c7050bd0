//! Cells that fronts reach: a cell has no other event, and label correction from a future event list finds its time.

mod distributed;

use super::distributed::Band;
use super::log::{CellLog, LogError};
use super::outcome::Arrays;
use super::reference::{Area, Whole};
use super::{Cell, CellError, CellModel, Space};
use tickless_core::heap::{Event, EventList, Handler, Summary, execute};
use tickless_core::memory;
use tickless_core::run::{self, Asking, Watch};
use tickless_core::time::Time;

/// A model in which a cell has one event at most: at its start, or when the first front reaches it. A front goes from a point
/// between two neighbours that it has reached, so its arrival at a cell follows from two times. The state of a cell is the time
/// of its event (low word, high word), all ones before it.
///
/// The result follows from these conditions: `arrival` is monotone (where no time of a neighbour is later, its result is not later),
/// a front arrives later than the earlier of the times of the two neighbours between which it comes, and it never arrives
/// ([`Time::NEVER`]) from neighbours without a time. docs/semantics.md says why then no order matters.
///
/// ```
/// use tickless::cells::CellModel;
/// use tickless::cells::fire::{Fire, Ignition, Landscape, Weather};
/// let meadow = Landscape::uniform(9, 9, 30.0, 1)?;
/// let model = Fire::new(meadow, Weather::still()).ignite([Ignition::cell(4, 4)]).check()?;
/// assert_eq!(model.fronts().unwrap().starts(0), [(40, tickless::time::Time::ZERO)]);
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
pub trait Fronts: Sync {
    /// The cells of a replication that have their events by themselves, and when; each cell at most once.
    fn starts(&self, replication: u32) -> Vec<(u32, Time)>;

    /// The earliest time at which a front reaches a cell from between its n-th neighbour and the neighbours on both sides of that one.
    /// If this is not before the [known](Times::known) time of the cell, any time not before it may be returned.
    fn arrival(&self, cell: Cell, n: usize, times: &Times<'_>) -> Time;
}

/// Known times at which fronts have reached the neighbours of a cell.
#[derive(Clone, Copy, Debug)]
pub struct Times<'a> {
    space: &'a Space,
    /// The times of all cells of the replication, or of a band.
    all: &'a [Time],
    band: Option<&'a Band<'a>>,
    until: Time,
    place: [u32; 3],
}

impl<'a> Times<'a> {
    /// The times for the neighbours of a cell, from those of all cells of its replication; no front sets out at `until`
    /// or later.
    pub fn new(space: &'a Space, all: &'a [Time], until: Time, cell: u32) -> Self {
        Self { space, all, band: None, until, place: space.place(cell) }
    }

    /// The same for a cell at a place of an area.
    #[inline]
    fn within(area: &'a impl Area, space: &'a Space, all: &'a [Time], until: Time, place: [u32; 3]) -> Self {
        Self { space, all, band: area.band(), until, place }
    }

    /// The known time of the cell itself.
    #[inline]
    pub fn known(&self) -> Time {
        self.at(self.place)
    }

    #[inline]
    fn at(&self, place: [u32; 3]) -> Time {
        self.all[self.band.map_or_else(|| self.space.cell(place), |band| band.index(place)) as usize]
    }

    /// The time of the n-th neighbour; never where there is no neighbour, or at the horizon and later: no front sets
    /// out then.
    pub fn of(&self, n: usize) -> Time {
        let Some(there) = self.space.place_at(self.place, self.space.offsets()[n]) else { return Time::NEVER };
        let time = self.at(there);
        if time < self.until { time } else { Time::NEVER }
    }
}

/// The cells of an area, which are corrected as long as an earlier time is found for any of them.
pub(super) struct Correction<'a, A> {
    space: &'a Space,
    pub(super) area: A,
    fronts: &'a dyn Fronts,
    replication: u32,
    until: Time,
    /// The times of own cells, and behind them those of cells that they only hear.
    times: &'a mut [Time],
    open: EventList,
}

impl<A: Area> Handler for Correction<'_, A> {
    type Error = CellError;

    /// A cell that was corrected has left its old time in the list.
    fn next(&mut self) -> Time {
        while let Some(event) = self.open.first() {
            if self.times[event.entity as usize] == event.time {
                return event.time;
            }
            self.open.pop();
        }
        Time::NEVER
    }

    /// The earliest cell whose time is news corrects the cells that hear it. One of these may get a time before that of this
    /// cell, from the other end of an edge: then the list goes back to it.
    fn handle(&mut self, _: Time) -> Result<u64, CellError> {
        let Some(event) = self.open.pop() else { return Ok(0) };
        let place = self.area.place(event.entity);
        for (n, offset) in self.space.offsets().iter().enumerate() {
            let Some(there) = self.space.place_at(place, offset.map(|along| -along)) else { continue };
            let Some(index) = self.area.own_index(there) else { continue };
            let times = Times::within(&self.area, self.space, self.times, self.until, there);
            let cell = Cell { id: self.space.cell(there), replication: self.replication };
            let time = self.fronts.arrival(cell, n, &times);
            if self.correct(index, time) && time < self.until {
                self.area.plans(Event { time, entity: index, payload: 0 });
            }
        }
        Ok(1)
    }

    fn stands_still(&self) -> Option<Self::Error> {
        None
    }
}

impl<'a, A: Area> Correction<'a, A> {
    /// Begins with the cells that have events by themselves, in an array of all times of the area.
    ///
    /// # Errors
    /// Too little memory; a watch that ends the set-up.
    pub(super) fn begin(
        (space, fronts): (&'a Space, &'a dyn Fronts),
        (replication, until): (u32, Time),
        mut area: A,
        times: &'a mut [Time],
        asking: &mut Asking<'_>,
    ) -> Result<Self, CellError> {
        // A growing list takes twice its memory. Cells corrected while they wait are in it more than once; few are.
        memory::room::<[Event; 2]>(times.len(), "the fronts of a replication")?;
        times.fill(Time::NEVER);
        asking.made(times.len() as u64)?;
        let mut open = EventList::new();
        for (cell, time) in fronts.starts(replication) {
            let Some(entity) = area.own_index(space.place(cell)) else { continue };
            times[entity as usize] = time;
            if time < until {
                let event = Event { time, entity, payload: 0 };
                open.push(event);
                area.plans(event);
            }
        }
        Ok(Self { space, area, fronts, replication, until, times, open })
    }

    /// Gives a cell a time, if it is earlier than its own; returns whether it is.
    #[inline]
    fn correct(&mut self, index: u32, time: Time) -> bool {
        let own = &mut self.times[index as usize];
        if time >= *own {
            return false;
        }
        *own = time;
        if time < self.until {
            self.open.push(Event { time, entity: index, payload: 0 });
        }
        true
    }

    /// The cells at the end: times before the horizon in their states, other times as their next events. Returns how many cells have
    /// had their event. Where the watch has stopped the run, no time is final: the cells are as at their start.
    pub(super) fn end(self, state: &mut [u32], interrupted: bool) -> u64 {
        if interrupted {
            at_start((self.space, self.fronts), self.replication, &self.area, (state, self.times));
            return 0;
        }
        let mut reached = 0;
        for (state, next) in state.chunks_exact_mut(2).zip(self.times) {
            let ticks = if *next < self.until { std::mem::replace(next, Time::NEVER).ticks() } else { u64::MAX };
            reached += u64::from(ticks < u64::MAX);
            state.copy_from_slice(&[ticks as u32, (ticks >> 32) as u32]);
        }
        reached
    }
}

/// The cells of an area at time 0: states and times.
pub(super) fn at_start(
    (space, fronts): (&Space, &dyn Fronts),
    replication: u32,
    area: &impl Area,
    (state, times): (&mut [u32], &mut [Time]),
) {
    state.fill(u32::MAX);
    times.fill(Time::NEVER);
    for (cell, time) in fronts.starts(replication) {
        if let Some(own) = area.own_index(space.place(cell)) {
            times[own as usize] = time;
        }
    }
}

/// Runs a replication in arrays that are all 0; returns how many cells have had their event, and the summary of the executive.
/// Where the watch stops it, no time is final: the cells are as at their start.
///
/// # Errors
/// Too little memory, and errors of the log.
pub(super) fn simulate(
    model: &impl CellModel,
    fronts: &dyn Fronts,
    replication: u32,
    arrays: Arrays<'_>,
    (log, watch): (Option<&mut dyn CellLog>, &mut dyn Watch),
) -> Result<(u64, Summary), CellError> {
    let (space, until, Arrays { state, next, .. }) = (model.space(), model.until(), arrays);
    let whole = Whole { space, log: None };
    let asking = &mut Asking::new(watch);
    let mut correction = Correction::begin((space, fronts), (replication, until), whole, next, asking)?;
    // If it paused it might begin again for ever, where it takes longer than the time between two pauses.
    let mut summary = execute(&mut correction, until, &mut run::Whole(watch))?;
    let reached = correction.end(state, summary.interrupted);
    if summary.interrupted {
        summary.clock = Time::ZERO;
    } else if let Some(log) = log {
        write(log, replication, state)?;
    }
    Ok((reached, summary))
}

/// Gives a log the outputs that the cells of a replication, with these states, have sent at their events.
///
/// # Errors
/// Errors of the log.
pub(super) fn write(log: &mut dyn CellLog, replication: u32, state: &[u32]) -> Result<(), CellError> {
    let ticks = |[low, high]: &[u32; 2]| u64::from(*low) | u64::from(*high) << 32;
    let sent = (0..).zip(state.as_chunks().0.iter().map(ticks)).filter(|(_, ticks)| *ticks < u64::MAX);
    let mut sent: Vec<(u64, u32)> = sent.map(|(id, ticks)| (ticks, id)).collect();
    sent.sort_unstable();
    for (ticks, id) in sent {
        log.sent(Cell { id, replication }, Time::from_ticks(ticks), &[]).map_err(LogError::Write)?;
    }
    Ok(())
}
