//! Cells on the sequential simulator: Parallel DEVS's own cycle at every instant, from a future event list on a heap.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::log::{CellLog, LogError, Sender};
use super::model::check as check_model;
use super::outcome::Arrays;
use super::{Cell, CellError, CellModel, CellOutcome, Inputs, Moment, Space, fronts};
use crate::heap::{Event, EventList, Handler, Summary, execute};
use crate::memory;
use crate::run::{Asking, FEW_CYCLES, Interrupted, Run, Watch, cores, in_order, replications};
use crate::time::Time;

/// Runs a model on all cores, one replication on each, with kernels or without. A log takes everything that cells send, of one
/// replication after the other. Where the watch ends a run of several replications, those before the first that has not ended
/// are kept, and if there is none the first as far as it has come.
///
/// # Errors
/// [`CellError`] where the model does what it must not, or says so itself, and where the log is not written.
pub fn run(
    model: &impl CellModel,
    log: Option<&mut dyn CellLog>,
    watch: &mut dyn Watch,
) -> Result<Run<CellOutcome>, CellError> {
    run_on(model, None, log, watch)
}

/// The same on so many cores at the most, or on all of them. The cores share nothing that decides a replication.
///
/// # Errors
/// The same.
pub fn run_on(
    model: &impl CellModel,
    most_cores: Option<NonZeroUsize>,
    log: Option<&mut dyn CellLog>,
    watch: &mut dyn Watch,
) -> Result<Run<CellOutcome>, CellError> {
    check_model(model)?;
    let (base, count) = (model.first_replication(), model.replications());
    let mut all = Run {
        outcome: CellOutcome::zeroed(model)?,
        events: 0,
        rounds: None,
        clock: model.until(),
        wall: Duration::ZERO,
        device: None,
        setup: Duration::ZERO,
        timings: vec![],
        interrupted: false,
        threads: Some(1),
        details: (),
    };
    // What a replication writes into, until it is taken.
    let arrays: Vec<_> = all.outcome.split(count).map(|arrays| Mutex::new(Some(arrays))).collect();
    let own = |number: u32| arrays[number as usize].lock().ok().and_then(|mut arrays| arrays.take());
    let (mut ended, mut transitions, mut imminent) = (0, 0, 0);
    let take = |number: u32, run: Result<Ended, CellError>| {
        let run = match run {
            Err(CellError::Interrupted(_)) if number > 0 => return Ok(ControlFlow::Break(())),
            run => run?,
        };
        let interrupted = run.summary.interrupted;
        if !interrupted || number == 0 {
            (ended, transitions, imminent) = (ended + 1, transitions + run.transitions, imminent + run.imminent);
            (all.clock, all.wall, all.setup) = (run.summary.clock, all.wall + run.summary.wall, all.setup + run.setup);
        }
        Ok(if interrupted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let started = Instant::now();
    match log {
        Some(log) => {
            let simulate = |number: u32, watch: &mut dyn Watch| {
                simulate(model, base.saturating_add(number), own(number), Some(&mut *log), watch)
            };
            in_order(count, model.until(), simulate, take, watch)?;
        }
        None => {
            let simulate = |number: u32, watch: &mut dyn Watch| {
                simulate(model, base.saturating_add(number), own(number), None, watch)
            };
            let bytes = u64::from(model.space().cells()) * EACH;
            let words = 4 * (model.state_words() + model.output_words()) as u64;
            let outcome = u64::from(model.space().cells()) * (words + 16) * u64::from(count);
            let threads = cores(most_cores, count as usize, bytes, outcome);
            replications(count, threads, model.until(), simulate, take, watch)?;
            all.threads = Some(threads);
            if count > 1 {
                (all.wall, all.setup) = (started.elapsed(), Duration::ZERO);
            }
        }
    }
    drop(arrays);
    if ended == 0 {
        // The watch has ended the run before the first began.
        return Err(Interrupted.into());
    }
    all.outcome.truncate(ended, count);
    (all.outcome.transitions, all.outcome.imminent) = (transitions, imminent);
    all.interrupted = ended < count || all.clock < model.until();
    all.events = transitions;
    Ok(all)
}

/// Bytes of a cell while its replication runs, beside its state, output and times: its part in an instant, and its events.
const EACH: u64 = 64;

/// A replication that has ended, beside its arrays.
struct Ended {
    transitions: u64,
    imminent: u64,
    summary: Summary,
    setup: Duration,
}

/// Runs a replication in arrays that are all 0; without any it does not begin.
fn simulate(
    model: &impl CellModel,
    replication: u32,
    arrays: Option<Arrays<'_>>,
    log: Option<&mut dyn CellLog>,
    watch: &mut dyn Watch,
) -> Result<Ended, CellError> {
    let begin = Instant::now();
    let arrays = arrays.ok_or(Interrupted)?;
    if let Some(model_fronts) = model.fronts() {
        let (reached, summary) = fronts::simulate(model, model_fronts, replication, arrays, (log, watch))?;
        let setup = begin.elapsed().saturating_sub(summary.wall);
        return Ok(Ended { transitions: reached, imminent: reached, summary, setup });
    }
    let sender = log.map(|log| Sender::new(log, replication));
    let mut simulation = Simulation::begin(model, replication, arrays, sender, &mut Asking::new(watch))?;
    let setup = begin.elapsed();
    let summary = execute(&mut simulation, model.until(), watch)?;
    if let Some(log) = &mut simulation.log {
        log.flush().map_err(LogError::Write)?;
    }
    Ok(Ended { transitions: simulation.transitions, imminent: simulation.imminent, summary, setup })
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
    own: Arrays<'a>,
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
            if self.own.next[event.entity as usize] == event.time {
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
        own: Arrays<'a>,
        log: Option<Sender<'a>>,
        asking: &mut Asking<'_>,
    ) -> Result<Self, CellError> {
        let space = model.space();
        let (states, outputs) = (model.state_words(), model.output_words());
        for (id, next) in own.next.iter_mut().enumerate() {
            let (state, output) = (&mut own.state[id * states..][..states], &mut own.output[id * outputs..][..outputs]);
            let cell = Cell { id: id as u32, replication };
            *next = model.initialize(cell, state, output)?;
            if let Some(last) = own.last.get_mut(id) {
                *last = model.last_transition(cell);
            }
            asking.made(1)?;
        }
        let until = model.until();
        let planned = || own.next.iter().enumerate().filter(|(_, time)| **time < until);
        // A list that grows takes twice as much.
        memory::room::<[Event; 2]>(planned().count(), "the events of the cells")?;
        let events = planned().map(|(id, &time)| Event { time, entity: id as u32, payload: 0 }).collect();
        let parts = memory::filled(QUIET, own.next.len(), "the parts of the cells")?;
        let (busy, transitions, imminent) = (vec![], 0, 0);
        Ok(Self {
            model,
            space,
            replication,
            events,
            own,
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
        let state = &self.own.state[id as usize * states..][..states];
        let output = &mut self.own.output[id as usize * outputs..][..outputs];
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
        let (part, planned) = (self.parts[place], self.own.next[place]);
        let elapsed = match self.own.last.get_mut(place) {
            Some(last) => Time::from_ticks(now.ticks() - std::mem::replace(last, now).ticks()),
            None => Time::ZERO,
        };
        let moment = Moment { now, elapsed, imminent: part & IMMINENT != 0 };
        let (parts, output, space) = (&self.parts[..], &self.own.output[..], self.space);
        let heard = Heard { space, own: place, place: space.place(id), parts, output, words };
        let state = &mut self.own.state[place * states..][..states];
        let cell = Cell { id, replication: self.replication };
        let next = self.model.transition(cell, moment, planned, state, &heard)?;
        check(self.model, id, moment, planned, next)?;
        self.own.next[place] = next;
        if next < self.model.until() && (next != planned || moment.imminent) {
            self.events.push(Event { time: next, entity: id, payload: 0 });
        }
        Ok(())
    }
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
