//! Cells on the sequential simulator: Parallel DEVS's own cycle at every instant, from a future event list on a heap.

use std::time::{Duration, Instant};

use super::log::{CellLog, LogError, Sender};
use super::model::check as check_model;
use super::{Cell, CellError, CellModel, CellOutcome, Inputs, Moment, Space};
use crate::heap::{Event, EventList, Handler, execute};
use crate::memory;
use crate::run::{Asking, FEW_CYCLES, Progress, Run, Watch};
use crate::time::Time;

/// Runs a model, replication after replication, one instant at a time, with kernels or without. A log takes everything
/// that cells send. Where the watch ends a run of several replications, those that are finished are kept, and if there is
/// none the first as far as it has come.
///
/// # Errors
/// [`CellError`] where the model does what it must not, or says so itself, and where the log is not written.
pub fn run(
    model: &impl CellModel,
    mut log: Option<&mut dyn CellLog>,
    watch: &mut dyn Watch,
) -> Result<Run<CellOutcome>, CellError> {
    check_model(model)?;
    let begin = Instant::now();
    let mut all = Run {
        outcome: CellOutcome { size: model.space().size(), ..CellOutcome::default() },
        events: 0,
        rounds: None,
        clock: model.until(),
        wall: Duration::ZERO,
        device: None,
        setup: Duration::ZERO,
        timings: vec![],
        interrupted: false,
        details: (),
    };
    if model.replications() > 1 {
        all.outcome.reserve(model)?;
    }
    for replication in 0..model.replications() {
        let began = begin.elapsed();
        let sender = log.as_deref_mut().map(|log| Sender::new(log, replication));
        let mut simulation = match Simulation::begin(model, replication, sender, &mut Asking::new(watch)) {
            Err(CellError::Interrupted(_)) if replication > 0 => {
                all.interrupted = true;
                break;
            }
            simulation => simulation?,
        };
        all.setup += begin.elapsed() - began;
        let (before, wall) = (all.outcome.transitions, all.wall);
        let mut adding = |progress: &Progress| {
            let (events, elapsed) = (before + progress.events, wall + progress.elapsed);
            watch.look(&Progress { events, elapsed, ..*progress })
        };
        let started = Instant::now();
        let summary = execute(&mut simulation, model.until(), &mut adding)?;
        if let Some(log) = &mut simulation.log {
            log.flush().map_err(LogError::Write)?;
        }
        all.wall += started.elapsed();
        all.interrupted = summary.interrupted;
        if summary.interrupted && replication > 0 {
            break;
        }
        all.clock = summary.clock;
        simulation.finish(&mut all.outcome);
        if summary.interrupted {
            break;
        }
    }
    all.events = all.outcome.transitions;
    Ok(all)
}

/// Of what a cell was part in this instant.
const QUIET: u8 = 0;
const IMMINENT: u8 = 1;
const SENDING: u8 = 2;
const HEARING: u8 = 4;

struct Simulation<'a, M> {
    model: &'a M,
    space: &'a Space,
    replication: u32,
    events: EventList,
    next: Vec<Time>,
    last: Vec<Time>,
    state: Vec<u32>,
    output: Vec<u32>,
    /// Bits of [`IMMINENT`], [`SENDING`] and [`HEARING`].
    parts: Vec<u8>,
    /// The cells with any of them.
    busy: Vec<u32>,
    transitions: u64,
    imminent: u64,
    /// The time of the last cycle, never before the first; how many cycles there were at that time before it.
    now: Time,
    cycles: u64,
    log: Option<Sender<'a>>,
}

/// What a cell hears of the others.
struct Heard<'a> {
    space: &'a Space,
    own: usize,
    place: [u32; 3],
    parts: &'a [u8],
    output: &'a [u32],
    words: usize,
}

impl Inputs for Heard<'_> {
    fn exists(&self, n: usize) -> bool {
        self.space.at(self.place, self.space.offsets()[n]).is_some()
    }

    fn arrives(&self, n: usize) -> bool {
        let neighbour = self.space.at(self.place, self.space.offsets()[n]);
        neighbour.is_some_and(|cell| self.parts[cell as usize] & SENDING != 0)
    }

    fn word(&self, n: usize, word: usize) -> u32 {
        let neighbour = self.space.at(self.place, self.space.offsets()[n]);
        neighbour.map_or(0, |cell| self.output[cell as usize * self.words + word])
    }

    fn own_output(&self) -> &[u32] {
        &self.output[self.own * self.words..][..self.words]
    }
}

impl<M: CellModel> Handler for Simulation<'_, M> {
    type Error = CellError;

    /// A cell that has changed its mind has left the old event in the list.
    fn next(&mut self) -> Time {
        while let Some(event) = self.events.first() {
            if self.next[event.entity as usize] == event.time {
                return event.time;
            }
            self.events.pop();
        }
        Time::NEVER
    }

    fn stands_still(&self) -> Option<CellError> {
        (self.cycles > FEW_CYCLES).then(|| self.model.illegitimate(self.now, self.cycles))
    }

    /// The cycle: imminent cells, their outputs, routing, transitions. Several cycles may be at one time, one after the
    /// other.
    fn handle(&mut self, now: Time) -> Result<u64, CellError> {
        self.cycles = if self.now == now { self.cycles + 1 } else { 0 };
        self.now = now;
        if self.cycles > self.space.most_cycles() {
            return Err(self.model.illegitimate(now, self.cycles));
        }
        while self.next() == now {
            let cell = self.events.pop().map_or(0, |event| event.entity);
            if self.parts[cell as usize] == QUIET {
                self.parts[cell as usize] = IMMINENT;
                self.busy.push(cell);
            }
        }
        let imminent = self.busy.len();
        self.imminent += imminent as u64;
        for place in 0..imminent {
            self.send(self.busy[place], now)?;
        }
        let transitions = self.busy.len() as u64;
        self.transitions += transitions;
        for place in 0..self.busy.len() {
            self.change(self.busy[place], now)?;
        }
        while let Some(cell) = self.busy.pop() {
            self.parts[cell as usize] = QUIET;
        }
        Ok(transitions)
    }
}

impl<'a, M: CellModel> Simulation<'a, M> {
    fn begin(
        model: &'a M,
        replication: u32,
        log: Option<Sender<'a>>,
        asking: &mut Asking<'_>,
    ) -> Result<Self, CellError> {
        let space = model.space();
        let cells = space.cells() as usize;
        let mut state = memory::filled(0, cells * model.state_words(), "the states of the cells")?;
        let mut output = memory::filled(0, cells * model.output_words(), "the outputs of the cells")?;
        let mut next = memory::with_room(cells, "the times of the cells")?;
        for id in 0..cells {
            let own = &mut state[id * model.state_words()..][..model.state_words()];
            let out = &mut output[id * model.output_words()..][..model.output_words()];
            next.push(model.initialize(Cell { id: id as u32, replication }, own, out)?);
            asking.made(1)?;
        }
        let until = model.until();
        let planned = || next.iter().enumerate().filter(|(_, time)| **time < until);
        // A list that grows takes twice as much.
        memory::room::<[Event; 2]>(planned().count(), "the events of the cells")?;
        let events = planned().map(|(id, &time)| Event { time, entity: id as u32, payload: 0 }).collect();
        let last = memory::filled(Time::ZERO, if model.elapsed() { cells } else { 0 }, "the times of the cells")?;
        let parts = memory::filled(QUIET, cells, "the parts of the cells")?;
        let (busy, transitions, imminent) = (vec![], 0, 0);
        Ok(Self {
            model,
            space,
            replication,
            events,
            next,
            last,
            state,
            output,
            parts,
            busy,
            transitions,
            imminent,
            now: Time::NEVER,
            cycles: 0,
            log,
        })
    }

    /// The output of an imminent cell, on its way to all that hear it.
    #[inline]
    fn send(&mut self, id: u32, now: Time) -> Result<(), CellError> {
        let cell = Cell { id, replication: self.replication };
        let (states, outputs) = (self.model.state_words(), self.model.output_words());
        let state = &self.state[id as usize * states..][..states];
        let output = &mut self.output[id as usize * outputs..][..outputs];
        if !self.model.output(cell, now, state, output)? {
            return Ok(());
        }
        if let Some(log) = &mut self.log {
            log.push(id, now, output).map_err(LogError::Write)?;
        }
        self.parts[id as usize] |= SENDING;
        let place = self.space.place(id);
        for offset in self.space.offsets() {
            if let Some(hearer) = self.space.at(place, offset.map(|d| -d)) {
                let part = &mut self.parts[hearer as usize];
                if *part == QUIET {
                    self.busy.push(hearer);
                }
                *part |= HEARING;
            }
        }
        Ok(())
    }

    /// The transition of a cell, and what it plans.
    #[inline]
    fn change(&mut self, id: u32, now: Time) -> Result<(), CellError> {
        let (place, states, words) = (id as usize, self.model.state_words(), self.model.output_words());
        let (part, planned) = (self.parts[place], self.next[place]);
        let elapsed = match self.last.get_mut(place) {
            Some(last) => Time::from_ticks(now.ticks() - std::mem::replace(last, now).ticks()),
            None => Time::ZERO,
        };
        let moment = Moment { now, elapsed, imminent: part & IMMINENT != 0 };
        let (parts, output, space) = (&self.parts[..], &self.output[..], self.space);
        let heard = Heard { space, own: place, place: space.place(id), parts, output, words };
        let state = &mut self.state[place * states..][..states];
        let cell = Cell { id, replication: self.replication };
        let next = self.model.transition(cell, moment, planned, state, &heard)?;
        check(self.model, id, moment, planned, next)?;
        self.next[place] = next;
        if next < self.model.until() && (next != planned || moment.imminent) {
            self.events.push(Event { time: next, entity: id, payload: 0 });
        }
        Ok(())
    }

    /// Adds the cells of this replication.
    fn finish(self, outcome: &mut CellOutcome) {
        outcome.replications += 1;
        add(&mut outcome.state, self.state);
        add(&mut outcome.output, self.output);
        add(&mut outcome.next, self.next);
        add(&mut outcome.last, self.last);
        outcome.transitions += self.transitions;
        outcome.imminent += self.imminent;
    }
}

/// Adds the values of a replication. Those of the only one are taken as they are.
fn add<T>(all: &mut Vec<T>, mut own: Vec<T>) {
    if all.capacity() == 0 { *all = own } else { all.append(&mut own) }
}

/// What a transition must not plan.
fn check(model: &impl CellModel, cell: u32, moment: Moment, planned: Time, next: Time) -> Result<(), CellError> {
    let now = moment.now;
    if next < now {
        return Err(CellError::Past { cell, now, next });
    }
    if !moment.imminent && next != planned {
        let lookahead = model.lookahead_of(cell);
        if next.ticks() - now.ticks() < lookahead.ticks() {
            return Err(CellError::Lookahead { cell, now, next, lookahead });
        }
    }
    Ok(())
}
