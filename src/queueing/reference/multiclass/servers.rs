//! How many servers a station has: shifts, failures and repairs.

use std::cmp::Reverse;

use super::super::later;
use super::sharing::Sharing;
use super::{Key, NOBODY, Phase, Simulation};
use crate::queueing::multiclass::Order;
use crate::time::Time;

impl Simulation<'_> {
    /// The servers of a station at time 0.
    pub(super) fn open(&mut self, id: u32) {
        let rules = &self.rules.stations[id as usize];
        let servers = self.model.servers(id);
        let first = rules.roster.as_ref().and_then(|roster| roster.shift(0));
        self.stations[id as usize].on_duty = first.map_or(servers, |(_, servers)| servers);
        if rules.order == Order::Sharing {
            self.stations[id as usize].sharing = Some(Sharing::new(self.rules.classes()));
        }
        self.schedule_shift(id, 1);
        if rules.failures.is_some() {
            self.stations[id as usize].in_order = vec![true; servers as usize];
            (0..u64::from(servers)).for_each(|server| self.schedule_failure(id, server, Time::ZERO));
        }
    }

    fn schedule_shift(&mut self, id: u32, number: u64) {
        let shift = self.rules.stations[id as usize].roster.as_ref().and_then(|roster| roster.shift(number));
        if let Some((time, _)) = shift {
            self.events.push(Reverse(Key { time, phase: Phase::Shift, entity: id, number, token: NOBODY }));
        }
    }

    /// A shift begins.
    pub(super) fn change_shift(&mut self, id: u32, number: u64, now: Time) {
        let Some(roster) = &self.rules.stations[id as usize].roster else { return };
        if let Some((_, servers)) = roster.shift(number) {
            self.stations[id as usize].on_duty = servers;
        }
        if roster.interrupts {
            self.interrupt_last(id, now);
        }
        self.serve_next(id, now);
        self.schedule_shift(id, number + 1);
    }

    /// Draws how long a server stays as it is.
    fn schedule_failure(&mut self, id: u32, server: u64, now: Time) {
        let Some([up, down]) = &self.rules.stations[id as usize].failures else { return };
        let station = &mut self.stations[id as usize];
        let law = if station.in_order[server as usize] { up } else { down };
        let time = later(now, law.service(&mut station.stream));
        self.events.push(Reverse(Key { time, phase: Phase::Failure, entity: id, number: server, token: NOBODY }));
    }

    /// A server fails, or is repaired.
    pub(super) fn change_server(&mut self, id: u32, server: u64, now: Time) {
        let in_order = &mut self.stations[id as usize].in_order[server as usize];
        *in_order = !*in_order;
        if *in_order {
            self.serve_next(id, now);
        } else {
            self.interrupt_last(id, now);
        }
        self.schedule_failure(id, server, now);
    }
}
