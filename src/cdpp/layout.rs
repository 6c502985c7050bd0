//! The layout of the words of a cell, and its waiting values.

use super::cell_space::Waiting;
use super::fixed::Fixed;
use super::interpreter::{Given, RuleFault};
use tickless_core::time::Time;

/// Words of a state.
pub(super) const MOST_WORDS: usize = 1024;
/// The word of the number of the next entry.
const CURSOR: usize = 1;
/// The default for the values that may wait, where as many fit.
const USUAL_WAITING: usize = 4;

/// The layout of the words of a cell. The first are its values, a number for each port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Ports; 1 in a file without ports.
    pub ports: usize,
    /// Words of a number.
    pub width: usize,
    /// Whether waiting entries say which ports they set: in a file with ports.
    masked: bool,
    /// The state of its stream: two words, if rules draw.
    pub stream: Option<usize>,
    /// The number of the next entry from outside, where there may be entries.
    pub cursor: Option<usize>,
    /// Its state variables.
    pub variables: usize,
    /// How many values wait, and then the values; or for each port the value that waits or was sent last.
    pub waiting: usize,
    /// How many entries may wait for a transport delay, each with values of one or more ports.
    pub room: usize,
    kind: Waiting,
}

impl Layout {
    /// The layout with the usual room, or as much as fits: 0 where none fits. `ports` is 0 in a file without ports.
    pub fn new([ports, variables]: [usize; 2], width: usize, draws: bool, has_inputs: bool, kind: Waiting) -> Self {
        let (masked, ports, variables) = (ports > 0, ports.max(1), width * variables);
        let stream = draws.then_some(width * ports);
        let first = stream.map_or(width * ports, |at| at + 2);
        let cursor = has_inputs.then_some(first);
        let kept = if kind == Waiting::Inertial { CURSOR + 2 } else { CURSOR };
        let first = first + if has_inputs { kept } else { 0 };
        let layout =
            Self { ports, width, masked, stream, cursor, variables: first, waiting: first + variables, room: 0, kind };
        Self { room: USUAL_WAITING.min(layout.most_waiting()), ..layout }
    }

    /// The word with the time, low word first, at which a value with an inertial delay is due, where a value from outside may
    /// come before.
    pub fn due(&self) -> Option<usize> {
        self.cursor.filter(|_| self.kind == Waiting::Inertial).map(|cursor| cursor + CURSOR)
    }

    /// The most values that may wait, of those that fit.
    pub fn most_waiting(&self) -> usize {
        MOST_WORDS.saturating_sub(self.waiting + 1) / self.entry()
    }

    /// The same with this room.
    pub fn with_max_waiting(self, room: usize) -> Self {
        Self { room, ..self }
    }

    /// The same with numbers of this width, and the usual room.
    pub fn with_width(&self, width: usize) -> Self {
        let ports = if self.masked { self.ports } else { 0 };
        let variables = self.count_of_variables();
        Self::new([ports, variables], width, self.stream.is_some(), self.cursor.is_some(), self.kind)
    }

    /// The number of state variables.
    pub fn count_of_variables(&self) -> usize {
        (self.waiting - self.variables) / self.width
    }

    /// Whether values wait for a transport delay.
    pub fn waits_for_transport(&self) -> bool {
        self.kind == Waiting::Transport
    }

    /// Words of the state.
    pub fn words(&self) -> usize {
        match self.kind {
            Waiting::Transport => self.waiting + 1 + self.room * self.entry(),
            Waiting::Inertial => self.waiting + self.width * self.ports,
        }
    }

    /// The least words of a state.
    pub fn least_words(&self) -> usize {
        self.with_max_waiting(1).words()
    }

    /// Words of an entry that waits for a transport delay: its time, low word first; in a file with ports a bit for each
    /// port that it sets; and a value for each port, 0 where it sets none.
    pub fn entry(&self) -> usize {
        2 + self.width * self.ports + usize::from(self.masked)
    }

    pub fn at(&self, n: usize) -> usize {
        self.waiting + 1 + n * self.entry()
    }

    fn time(&self, state: &[u32], n: usize) -> Time {
        let at = self.at(n);
        Time::from_ticks(u64::from(state[at + 1]) << 32 | u64::from(state[at]))
    }

    fn sets(&self, state: &[u32], n: usize) -> u32 {
        if self.masked { state[self.at(n) + 2] } else { 1 }
    }

    pub fn values_at(&self, n: usize) -> usize {
        self.at(n + 1) - self.width * self.ports
    }

    /// The time of the first waiting entry.
    pub fn first(&self, state: &[u32]) -> Time {
        if state[self.waiting] == 0 { Time::NEVER } else { self.time(state, 0) }
    }

    /// The values of the cell when the first waiting entry is sent.
    pub fn sent(&self, state: &[u32], values: &mut [u32]) {
        let (sets, from) = (self.sets(state, 0), self.values_at(0));
        for port in 0..self.ports {
            let at = if sets >> port & 1 == 1 { from } else { 0 };
            Fixed::read(&state[at..], port, self.width).write(values, port, self.width);
        }
    }

    /// Removes the first waiting entry.
    pub fn take(&self, state: &mut [u32]) {
        let (sets, from) = (self.sets(state, 0), self.values_at(0));
        for port in (0..self.ports).filter(|port| sets >> port & 1 == 1) {
            Fixed::read(&state[from..], port, self.width).write(state, port, self.width);
        }
        state.copy_within(self.at(1)..self.at(state[self.waiting] as usize), self.at(0));
        state[self.waiting] -= 1;
    }

    /// Puts the values of a rule behind entries of the same time and earlier. Of values of one port and time only the
    /// last is kept.
    pub fn put(&self, state: &mut [u32], given: &Given, time: Time) -> Result<(), RuleFault> {
        let count = state[self.waiting] as usize;
        let before = (0..count).rev().find(|n| self.time(state, *n) <= time);
        let place = match before {
            Some(same) if self.time(state, same) == time => same,
            _ if count == self.room => return Err(RuleFault::Room),
            _ => {
                let place = before.map_or(0, |n| n + 1);
                state.copy_within(self.at(place)..self.at(count), self.at(place + 1));
                state[self.at(place)..self.at(place + 1)].fill(0);
                self.set_time(state, place, time);
                state[self.waiting] += 1;
                place
            }
        };
        for (port, value) in given.values() {
            value.write(&mut state[self.values_at(place)..], port, self.width);
            if self.masked {
                state[self.at(place) + 2] |= 1 << port;
            }
        }
        Ok(())
    }

    fn set_time(&self, state: &mut [u32], n: usize, time: Time) {
        let (at, ticks) = (self.at(n), time.ticks());
        state[at..at + 2].copy_from_slice(&[ticks as u32, (ticks >> 32) as u32]);
    }

    /// The state of a cell whose first own event is at time 0: every port is sent then.
    pub fn start(&self, state: &mut [u32], value: impl Fn(usize) -> Fixed, variables: &[Fixed]) {
        let fill = |words: &mut [u32]| (0..self.ports).for_each(|port| value(port).write(words, port, self.width));
        fill(state);
        for (n, variable) in variables.iter().enumerate() {
            variable.write(&mut state[self.variables..], n, self.width);
        }
        if self.kind == Waiting::Inertial {
            fill(&mut state[self.waiting..]);
            return;
        }
        state[self.waiting] = 1;
        self.set_time(state, 0, Time::ZERO);
        if self.masked {
            state[self.at(0) + 2] = (1 << self.ports) - 1;
        }
        fill(&mut state[self.values_at(0)..]);
    }
}
