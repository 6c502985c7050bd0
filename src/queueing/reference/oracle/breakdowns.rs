//! Servers of groups that fail and are repaired. They are numbered group by group. Who is interrupted waits in a list of its group, whose next free
//! server goes on with it.

use super::super::later;
use super::{Event, Oracle, Phase};
use tickless_core::time::Time;

impl Oracle<'_> {
    /// At time 0 all are in order.
    pub(super) fn begin_breakdowns(&mut self, id: u32) {
        let rules = &self.rules.stations[id as usize];
        if !rules.has_failing_groups() {
            return;
        }
        let servers: u32 = rules.groups.iter().map(|group| group.servers).sum();
        self.stations[id as usize].in_order = vec![true; servers as usize];
        self.stations[id as usize].count_downtime_from(self.model.warmup());
        (0..servers).for_each(|server| self.schedule_breakdown(id, server, Time::ZERO));
    }

    /// The group of a server, and the number of the first one of that group.
    fn group_of_server(&self, id: u32, server: u32) -> (u32, u32) {
        let (mut group, mut first) = (0, 0);
        let groups = &self.rules.stations[id as usize].groups;
        while server >= first + groups[group].servers {
            first += groups[group].servers;
            group += 1;
        }
        (group as u32, first)
    }

    /// Draws how long a server stays as it is, if it fails at all.
    fn schedule_breakdown(&mut self, id: u32, server: u32, now: Time) {
        let (group, _) = self.group_of_server(id, server);
        let Some([up, down]) = &self.rules.stations[id as usize].groups[group as usize].failures else { return };
        let station = &mut self.stations[id as usize];
        let in_order = station.in_order[server as usize];
        let time = later(now, if in_order { up } else { down }.service(&mut station.stream));
        self.events.push(Event { time, phase: Phase::Failure, entity: id, token: server });
    }

    /// A server fails, or is repaired.
    pub(super) fn change_server_of_group(&mut self, id: u32, server: u32, now: Time) {
        let (group, _) = self.group_of_server(id, server);
        self.count_downtime_of_groups(id, now);
        let station = &mut self.stations[id as usize];
        let in_order = !station.in_order[server as usize];
        station.in_order[server as usize] = in_order;
        self.count_in_order(id, group);
        self.count_servers_of_groups(id);
        if in_order {
            self.serve_next(id, now);
        } else {
            self.interrupt_last_of(id, group, now);
        }
        self.schedule_breakdown(id, server, now);
    }

    /// Interrupts services of a group for which there is no server, from the last one on.
    fn interrupt_last_of(&mut self, id: u32, group: u32, now: Time) {
        loop {
            let station = &self.stations[id as usize];
            let of = &station.groups[group as usize];
            if of.taken <= of.servers {
                return;
            }
            let last = station.serving.places().filter(|place| self.tokens[*place].group() == group).last();
            let Some(last) = last else { return };
            self.interrupt(id, self.rank(last), now);
        }
    }

    /// Counts the servers of a group that are on duty and in order: the first ones are on duty.
    pub(super) fn count_in_order(&mut self, id: u32, group: u32) {
        if !self.rules.stations[id as usize].has_failing_groups() {
            return;
        }
        let groups = &self.rules.stations[id as usize].groups;
        let first: u32 = groups[..group as usize].iter().map(|group| group.servers).sum();
        let station = &mut self.stations[id as usize];
        let on_duty = groups[group as usize].on_duty(station.groups[group as usize].shift);
        let servers = &station.in_order[first as usize..(first + on_duty) as usize];
        let count = servers.iter().filter(|in_order| **in_order).count() as u64;
        station.groups[group as usize].servers = count;
    }

    /// Counts how long servers of groups have been out of order, up to now: before one fails, is repaired, takes or leaves a token.
    pub(super) fn count_downtime_of_groups(&mut self, id: u32, now: Time) {
        let rules = &self.rules.stations[id as usize];
        if !rules.has_failing_groups() {
            return;
        }
        let station = &mut self.stations[id as usize];
        let groups = rules.groups.iter().zip(&station.groups).filter(|(rules, _)| rules.failures.is_some());
        let down = groups.map(|(rules, of)| {
            let on_duty = u64::from(rules.on_duty(of.shift));
            on_duty - of.servers.max(of.taken.min(on_duty))
        });
        let down = down.sum();
        station.adds_downtime(now, down);
    }
}
