//! Cells that fronts reach: no event of a cell but that, found by label correction from a future event list.

use super::log::{CellLog, LogError};
use super::outcome::Arrays;
use super::{Cell, CellError, CellModel, Space};
use crate::heap::{Event, EventList, Handler, Summary, execute};
use crate::memory;
use crate::run::{Asking, Watch, Whole};
use crate::time::Time;

/// A model in which a cell has one event at most: at its start, or when the first front reaches it. A front goes from what lies
/// between two neighbours that it has reached, so what it brings to a cell follows from two times. Its state is the time of its
/// event (low word, high word), all ones before it.
///
/// What decides the result: `arrival` is monotone (where no time of a neighbour is later, what it returns is not later), what a front
/// brings from between two neighbours is later than the earlier of their times, and what a neighbour without a time brings is
/// [`Time::NEVER`]. docs/semantics.md says why then no order matters.
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

    /// The earliest time at which a front reaches a cell from between its n-th neighbour and those beside that one, on both sides.
    fn arrival(&self, cell: Cell, n: usize, times: &Times<'_>) -> Time;
}

/// When fronts have reached the neighbours of a cell, as far as that is known.
#[derive(Clone, Copy, Debug)]
pub struct Times<'a> {
    space: &'a Space,
    /// Of every cell of the replication.
    all: &'a [Time],
    until: Time,
    place: [u32; 3],
}

impl<'a> Times<'a> {
    /// Of the neighbours of a cell, from the times of all cells of its replication; nothing sets out at `until` or later.
    pub fn new(space: &'a Space, all: &'a [Time], until: Time, cell: u32) -> Self {
        Self { space, all, until, place: space.place(cell) }
    }

    /// That of the n-th neighbour; never where there is none, or at the horizon and later: nothing sets out then.
    pub fn of(&self, n: usize) -> Time {
        let time = self.space.at(self.place, self.space.offsets()[n]).map_or(Time::NEVER, |id| self.all[id as usize]);
        if time < self.until { time } else { Time::NEVER }
    }
}

/// Cells that are corrected as long as there is an earlier time for one of them.
struct Correction<'a> {
    space: &'a Space,
    fronts: &'a dyn Fronts,
    replication: u32,
    until: Time,
    times: &'a mut [Time],
    open: EventList,
}

impl Handler for Correction<'_> {
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

    /// The earliest cell whose time others have not heard of tells those whose neighbour it is. One of them may get a time before
    /// that of this cell, from its other end: then the list goes back to it.
    fn handle(&mut self, _: Time) -> Result<u64, CellError> {
        let Some(event) = self.open.pop() else { return Ok(0) };
        let place = self.space.place(event.entity);
        for (n, offset) in self.space.offsets().iter().enumerate() {
            let Some(id) = self.space.at(place, offset.map(|along| -along)) else { continue };
            let times = Times::new(self.space, self.times, self.until, id);
            let time = self.fronts.arrival(Cell { id, replication: self.replication }, n, &times);
            if time < self.times[id as usize] {
                self.times[id as usize] = time;
                if time < self.until {
                    self.open.push(Event { time, entity: id, payload: 0 });
                }
            }
        }
        Ok(1)
    }
}

/// Runs a replication in arrays that are all 0; how many cells have had their event, and what the executive did. Where the watch
/// stops it, nothing is known of any time: the cells are as at their start.
///
/// # Errors
/// More memory than there is, and what the log says.
pub(super) fn simulate(
    model: &impl CellModel,
    fronts: &dyn Fronts,
    replication: u32,
    arrays: Arrays<'_>,
    (log, watch): (Option<&mut dyn CellLog>, &mut dyn Watch),
) -> Result<(u64, Summary), CellError> {
    let (space, until, starts) = (model.space(), model.until(), fronts.starts(replication));
    let begin = |times: &mut [Time]| {
        times.fill(Time::NEVER);
        starts.iter().for_each(|&(cell, time)| times[cell as usize] = time);
    };
    let cells = arrays.next.len();
    // A list that grows takes twice as much. Cells that are corrected while they wait are in it more than once; few are.
    memory::room::<[Event; 2]>(cells, "the fronts of a replication")?;
    begin(arrays.next);
    Asking::new(watch).made(cells as u64)?;
    let event = |&(entity, time): &(u32, Time)| Event { time, entity, payload: 0 };
    let open = starts.iter().filter(|start| start.1 < until).map(event).collect();
    let mut correction = Correction { space, fronts, replication, until, times: &mut *arrays.next, open };
    // A pause would have it begin again for ever where it takes longer than the time between two.
    let mut summary = execute(&mut correction, until, &mut Whole(watch))?;
    if summary.interrupted {
        summary.clock = Time::ZERO;
        begin(arrays.next);
        arrays.state.fill(u32::MAX);
        return Ok((0, summary));
    }
    if let Some(log) = log {
        write(log, replication, arrays.next, until)?;
    }
    let mut reached = 0;
    for (state, next) in arrays.state.chunks_exact_mut(2).zip(arrays.next) {
        let ticks = if *next < until { std::mem::replace(next, Time::NEVER).ticks() } else { u64::MAX };
        reached += u64::from(ticks < u64::MAX);
        state.copy_from_slice(&[ticks as u32, (ticks >> 32) as u32]);
    }
    Ok((reached, summary))
}

/// Gives a log what the cells of a replication send when they have their events.
fn write(log: &mut dyn CellLog, replication: u32, times: &[Time], until: Time) -> Result<(), CellError> {
    let sent = (0..).zip(times).filter(|(_, time)| **time < until).map(|(id, time)| (*time, id));
    let mut sent: Vec<(Time, u32)> = sent.collect();
    sent.sort_unstable();
    for (time, id) in sent {
        log.sent(Cell { id, replication }, time, &[]).map_err(LogError::Write)?;
    }
    Ok(())
}
