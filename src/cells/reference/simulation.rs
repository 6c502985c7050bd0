//! The cells of a simulator, and their events in an instant.

use super::Area;
use crate::outcome::Arrays;
use crate::{Cell, CellError, CellModel, Inputs, Moment, Space};
use tickless_core::heap::{Event, EventList, Handler};
use tickless_core::memory;
use tickless_core::run::{Asking, FEW_CYCLES};
use tickless_core::time::Time;

/// The flags of a cell in an instant.
const QUIET: u8 = 0;
const IMMINENT: u8 = 1;
const SENDING: u8 = 2;
const HEARING: u8 = 4;

/// The cells of an area, by their numbers there.
pub(crate) struct Simulation<'a, M, A> {
    model: &'a M,
    space: &'a Space,
    pub(crate) area: A,
    replication: u32,
    events: EventList,
    /// The arrays; outputs also of cells that are only heard.
    own: Arrays<'a>,
    /// Bits of [`IMMINENT`], [`SENDING`] and [`HEARING`].
    parts: Vec<u8>,
    /// The own cells with any of these flags.
    busy: Vec<u32>,
    /// The other cells that send.
    heard: Vec<u32>,
    transitions: u64,
    imminent: u64,
    /// The time of the last cycle, never before the first; the number of cycles at that time before it.
    now: Time,
    cycles: u64,
}

/// The outputs that a cell hears.
struct Heard<'a, A> {
    space: &'a Space,
    area: &'a A,
    own: usize,
    place: [u32; 3],
    parts: &'a [u8],
    output: &'a [u32],
    words: usize,
}

impl<A: Area> Heard<'_, A> {
    #[inline]
    fn neighbour(&self, n: usize) -> Option<usize> {
        self.space.place_at(self.place, self.space.offsets()[n]).map(|there| self.area.index(there) as usize)
    }
}

impl<A: Area> Inputs for Heard<'_, A> {
    fn arrives(&self, n: usize) -> bool {
        self.neighbour(n).is_some_and(|cell| self.parts[cell] & SENDING != 0)
    }

    fn output(&self, n: usize) -> Option<&[u32]> {
        self.neighbour(n).map(|cell| &self.output[cell * self.words..][..self.words])
    }

    fn own_output(&self) -> &[u32] {
        &self.output[self.own * self.words..][..self.words]
    }
}

impl<M: CellModel, A: Area> Handler for Simulation<'_, M, A> {
    type Error = CellError;

    /// A cell with a new plan has left the old event in the list.
    fn next(&mut self) -> Time {
        self.first_of(|simulation| &mut simulation.events)
    }

    fn stands_still(&self) -> Option<CellError> {
        (self.cycles > FEW_CYCLES).then(|| self.model.illegitimate(self.now, self.cycles))
    }

    /// The cycle: imminent cells, their outputs, routing, transitions. Several cycles may be at one time, one after the
    /// other.
    fn handle(&mut self, now: Time) -> Result<u64, CellError> {
        self.send_all(now)?;
        self.change_all(now)
    }
}

impl<'a, M: CellModel, A: Area> Simulation<'a, M, A> {
    /// Begins in arrays that are all 0.
    pub(crate) fn begin(
        model: &'a M,
        replication: u32,
        mut area: A,
        own: Arrays<'a>,
        asking: &mut Asking<'_>,
    ) -> Result<Self, CellError> {
        let (states, outputs) = (model.state_words(), model.output_words());
        for (index, next) in (0..).zip(own.next.iter_mut()) {
            let place = index as usize;
            let (state, output) =
                (&mut own.state[place * states..][..states], &mut own.output[place * outputs..][..outputs]);
            let cell = Cell { id: area.id(index), replication };
            *next = model.initialize(cell, state, output)?;
            if let Some(last) = own.last.get_mut(place) {
                *last = model.last_transition(cell);
            }
            asking.made(1)?;
        }
        for index in area.own()..area.cells() {
            let output = &mut own.output[index as usize * outputs..][..outputs];
            model.initialize(Cell { id: area.id(index), replication }, &mut vec![0; states], output)?;
            asking.made(1)?;
        }
        let until = model.until();
        let planned = || own.next.iter().enumerate().filter(|(_, time)| **time < until);
        // A growing list takes twice its memory.
        memory::room::<[Event; 2]>(planned().count(), "the events of the cells")?;
        let event = |(index, &time): (usize, &Time)| Event { time, entity: index as u32, payload: 0 };
        planned().map(event).for_each(|event| area.plans(event));
        let events = planned().map(event).collect();
        let parts = memory::filled(QUIET, area.cells() as usize, "the parts of the cells")?;
        let (space, busy, heard, now) = (model.space(), vec![], vec![], Time::NEVER);
        let (transitions, imminent, cycles) = (0, 0, 0);
        Ok(Self {
            model,
            space,
            area,
            replication,
            events,
            own,
            parts,
            busy,
            heard,
            transitions,
            imminent,
            now,
            cycles,
        })
    }

    /// When the first event of a list is, among events that cells still plan.
    pub(crate) fn first_of(&mut self, list: impl Fn(&mut Self) -> &mut EventList) -> Time {
        while let Some(event) = list(self).first() {
            if self.own.next[event.entity as usize] == event.time {
                return event.time;
            }
            list(self).pop();
        }
        Time::NEVER
    }

    /// The outputs of the cells that are imminent now, if there are any.
    pub(crate) fn send_all(&mut self, now: Time) -> Result<(), CellError> {
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
        Ok(())
    }

    /// The transitions of the cells that are imminent or hear others now. Returns their number.
    pub(crate) fn change_all(&mut self, now: Time) -> Result<u64, CellError> {
        let transitions = self.busy.len() as u64;
        self.transitions += transitions;
        for place in 0..self.busy.len() {
            self.change(self.busy[place], now)?;
        }
        while let Some(cell) = self.busy.pop().or_else(|| self.heard.pop()) {
            self.parts[cell as usize] = QUIET;
        }
        Ok(transitions)
    }

    /// Sends the output of an imminent cell to all cells that hear it.
    #[inline]
    fn send(&mut self, index: u32, now: Time) -> Result<(), CellError> {
        let place = self.area.place(index);
        let cell = Cell { id: self.space.cell(place), replication: self.replication };
        let (states, outputs) = (self.model.state_words(), self.model.output_words());
        let state = &self.own.state[index as usize * states..][..states];
        let output = &mut self.own.output[index as usize * outputs..][..outputs];
        if !self.model.output(cell, now, state, output)? {
            return Ok(());
        }
        self.area.sends(index, now, output)?;
        self.parts[index as usize] |= SENDING;
        self.tell(place);
        Ok(())
    }

    /// An output that a cell of another simulator sends now, which these cells hear.
    pub(crate) fn hear(&mut self, index: u32, output: &[u32]) {
        self.own.output[index as usize * output.len()..][..output.len()].copy_from_slice(output);
        self.parts[index as usize] |= SENDING;
        self.heard.push(index);
        self.tell(self.area.place(index));
    }

    /// Gives a transition to own cells that hear the cell at a place.
    #[inline]
    fn tell(&mut self, place: [u32; 3]) {
        for offset in self.space.offsets() {
            let there = self.space.place_at(place, offset.map(|d| -d));
            if let Some(hearer) = there.and_then(|there| self.area.own_index(there)) {
                let part = &mut self.parts[hearer as usize];
                if *part == QUIET {
                    self.busy.push(hearer);
                }
                *part |= HEARING;
            }
        }
    }

    /// The transition of a cell, and its next event.
    #[inline]
    fn change(&mut self, index: u32, now: Time) -> Result<(), CellError> {
        let (own, states, words) = (index as usize, self.model.state_words(), self.model.output_words());
        let (part, planned) = (self.parts[own], self.own.next[own]);
        let elapsed = match self.own.last.get_mut(own) {
            Some(last) => Time::from_ticks(now.ticks() - std::mem::replace(last, now).ticks()),
            None => Time::ZERO,
        };
        let moment = Moment { now, elapsed, imminent: part & IMMINENT != 0 };
        let (area, parts, output, space) = (&self.area, &self.parts[..], &self.own.output[..], self.space);
        let place = area.place(index);
        let heard = Heard { space, area, own, place, parts, output, words };
        let state = &mut self.own.state[own * states..][..states];
        let cell = Cell { id: area.id(index), replication: self.replication };
        let next = self.model.transition(cell, moment, planned, state, &heard)?;
        check(self.model, cell.id, moment, planned, next)?;
        self.own.next[own] = next;
        if next < self.model.until() && (next != planned || moment.imminent) {
            let event = Event { time: next, entity: index, payload: 0 };
            self.events.push(event);
            self.area.plans(event);
        }
        Ok(())
    }

    /// The least time from an input to an output, and the horizon.
    pub(crate) fn times(&self) -> [Time; 2] {
        [self.model.lookahead(), self.model.until()]
    }

    /// The area, and the number of transitions: of all cells, and of imminent ones.
    pub(crate) fn end(self) -> (A, [u64; 2]) {
        (self.area, [self.transitions, self.imminent])
    }
}

/// Refuses plans that a transition must not make.
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
