//! How many servers a station has: shifts, failures and repairs, set-ups, idle servers, and servers that go away or are on standby.

use super::super::later;
use super::sharing::Sharing;
use super::station::Station;
use super::wear::Server;
use super::{Event, NOBODY, Oracle, Phase};
use tickless_core::random::EffectiveLaw;
use tickless_core::time::Time;

impl Station {
    /// A set-up begins that may be called off, or servers on standby start: its number.
    fn begins_absence(&mut self) -> u32 {
        let number = self.next_absence();
        self.under_way.push(number);
        number
    }

    fn next_absence(&mut self) -> u32 {
        let number = self.absences_begun;
        self.absences_begun = number.wrapping_add(1) % NOBODY;
        number
    }

    /// Whether a set-up has not been called off, or a server is still idle; servers that come back otherwise have no number, and those that walk the
    /// number of their group.
    pub(super) fn comes_back(&self, number: u32) -> bool {
        number == NOBODY || !self.groups.is_empty() || self.under_way.contains(&number) || self.idle.contains(&number)
    }
}

impl Oracle<'_> {
    /// The servers of a station at time 0.
    pub(super) fn open(&mut self, id: u32) {
        let rules = &self.rules.stations[id as usize];
        if let Some(sharing) = Sharing::new(rules, self.rules.classes()) {
            self.stations[id as usize].sharing = Some(sharing);
        }
        self.open_groups(id);
        self.stations[id as usize].away = rules.standby.map_or(0, |standby| standby.servers.into());
        if rules.shift_schedule.is_some() || rules.failures.is_some() {
            self.open_changing_servers(id);
        }
        if self.has_resources {
            self.open_units(id);
        }
    }

    /// Servers that go off duty, or fail.
    fn open_changing_servers(&mut self, id: u32) {
        let rules = &self.rules.stations[id as usize];
        let servers = self.model.servers(id);
        let first = rules.shift_schedule.as_ref().and_then(|shift_schedule| shift_schedule.shift(0));
        self.stations[id as usize].on_duty = first.map_or(servers, |(_, servers)| servers);
        self.schedule_shift(id, 1);
        if rules.failures.is_some() {
            self.stations[id as usize].in_order = vec![true; servers as usize];
            self.stations[id as usize].count_downtime_from(self.model.warmup());
            let by_use = if rules.by_use { servers as usize } else { 0 };
            self.stations[id as usize].wear = vec![Server::default(); by_use];
            (0..servers).for_each(|server| self.schedule_failure(id, server, Time::ZERO));
        }
        self.stations[id as usize].count_servers();
    }

    fn schedule_shift(&mut self, id: u32, number: u64) {
        let shift = self.rules.stations[id as usize]
            .shift_schedule
            .as_ref()
            .and_then(|shift_schedule| shift_schedule.shift(number));
        if let Some((time, _)) = shift {
            self.events.push(Event { time, phase: Phase::Shift, entity: id, token: NOBODY });
        }
    }

    /// A shift begins.
    pub(super) fn change_shift(&mut self, id: u32, now: Time) {
        let Some(shift_schedule) = &self.rules.stations[id as usize].shift_schedule else { return };
        let number = self.stations[id as usize].shift + 1;
        let servers = self.servers_decided(id).or(shift_schedule.shift(number).map(|(_, servers)| servers));
        if let Some(servers) = servers {
            let station = &mut self.stations[id as usize];
            station.count_downtime(now);
            (station.shift, station.on_duty) = (number, servers);
            station.count_servers();
        }
        if shift_schedule.interrupts {
            self.interrupt_last(id, now);
        }
        self.serve_next(id, now);
        self.schedule_shift(id, number + 1);
    }

    /// Free servers set up where somebody waits, or go away where nobody does. One that is set up stays so while somebody waits, for units.
    pub(super) fn rest(&mut self, id: u32, now: Time) {
        let rules = &self.rules.stations[id as usize];
        if rules.standby.is_some() {
            return self.calls_standby(id, now);
        }
        let Some(law) = rules.setup.as_ref().or(rules.vacation.as_ref()) else { return };
        let station = &mut self.stations[id as usize];
        let waiting = station.waiting.len() as u64;
        let is_off = waiting == 0 && rules.off_after.is_none();
        station.ready = if is_off { 0 } else { station.ready.min(station.free_servers()) };
        let sets_up = rules.setup.is_some();
        while station.free_servers() > station.ready
            && if sets_up { station.away + station.ready < waiting } else { waiting == 0 }
        {
            let time = later(now, law.service(&mut station.stream));
            station.count_absences(self.model.warmup(), now);
            station.away += 1;
            let token = if rules.calls_off || rules.off_after.is_some() { station.begins_absence() } else { NOBODY };
            self.events.push(Event { time, phase: Phase::Return, entity: id, token });
        }
        while rules.calls_off && station.away > 0 && station.away + station.ready > waiting {
            station.count_absences(self.model.warmup(), now);
            station.away -= 1;
            station.under_way.pop();
        }
        if let Some(law) = &rules.off_after {
            self.counts_idle(id, law, now);
        }
    }

    /// Idle servers are off after a time, the last to be idle serves first. While tokens wait for units, no server is idle.
    fn counts_idle(&mut self, id: u32, law: &EffectiveLaw, now: Time) {
        let station = &mut self.stations[id as usize];
        let idle = if station.waiting.is_empty() { station.ready as usize } else { 0 };
        station.idle.truncate(idle);
        while station.idle.len() < idle {
            let (time, token) = (later(now, law.service(&mut station.stream)), station.next_absence());
            station.idle.push(token);
            self.events.push(Event { time, phase: Phase::Return, entity: id, token });
        }
    }

    /// Servers on standby come where so many wait, and serve.
    fn calls_standby(&mut self, id: u32, now: Time) {
        let Some(standby) = self.rules.stations[id as usize].standby else { return };
        let station = &mut self.stations[id as usize];
        if station.away == 0 || (station.waiting.len() as u64) < u64::from(standby.comes_at) {
            return;
        }
        if let Some(law) = &self.rules.stations[id as usize].standby_start {
            if station.under_way.is_empty() {
                let (time, token) = (later(now, law.service(&mut station.stream)), station.begins_absence());
                self.events.push(Event { time, phase: Phase::Return, entity: id, token });
            }
            return;
        }
        station.count_absences(self.model.warmup(), now);
        station.away = 0;
        self.serve_next(id, now);
    }

    /// A service has ended: servers on standby go where so few wait.
    pub(super) fn leaves_standby(&mut self, id: u32, now: Time) {
        let Some(standby) = self.rules.stations[id as usize].standby else { return };
        let station = &mut self.stations[id as usize];
        if station.away == 0 && station.waiting.len() as u64 <= u64::from(standby.goes_at) {
            station.count_absences(self.model.warmup(), now);
            station.away = standby.servers.into();
        }
    }

    /// A server is set up, comes back, is off after it was idle, or has walked to a class.
    pub(super) fn come_back(&mut self, id: u32, number: u32, now: Time) {
        if !self.rules.stations[id as usize].groups.is_empty() {
            return self.ends_walk(id, number, now);
        }
        let station = &mut self.stations[id as usize];
        if let Some(place) = station.idle.iter().position(|other| *other == number) {
            station.idle.remove(place);
            station.ready -= 1;
            return;
        }
        station.under_way.retain(|other| *other != number);
        station.count_absences(self.model.warmup(), now);
        if self.rules.stations[id as usize].has_standby {
            station.away = 0;
        } else {
            station.away -= 1;
            station.ready += 1;
        }
        self.serve_next(id, now);
    }

    /// Draws how long a server stays as it is.
    fn schedule_failure(&mut self, id: u32, server: u32, now: Time) {
        let Some([up, down]) = &self.rules.stations[id as usize].failures else { return };
        let station = &mut self.stations[id as usize];
        let in_order = station.in_order[server as usize];
        let span = if in_order { up } else { down }.service(&mut station.stream);
        if in_order && !station.wear.is_empty() {
            return self.renew(id, server, span);
        }
        self.schedule_change(id, server, later(now, span));
    }

    /// A server fails, or is repaired.
    pub(super) fn change_server(&mut self, id: u32, server: u32, now: Time) {
        if !self.rules.stations[id as usize].groups.is_empty() {
            return self.change_server_of_group(id, server, now);
        }
        let station = &mut self.stations[id as usize];
        let in_order = !station.in_order[server as usize];
        station.count_downtime(now);
        station.in_order[server as usize] = in_order;
        station.count_servers();
        let by_use = self.rules.stations[id as usize].by_use;
        match (in_order, by_use) {
            (true, false) => self.serve_next(id, now),
            (false, false) => {
                self.interrupt_last(id, now);
                // An idle server may be out of order.
                self.rest(id, now);
            }
            (true, true) => {
                self.schedule_failure(id, server, now);
                return self.serve_next(id, now);
            }
            (false, true) => {
                if let Some(place) = self.served_by(id, server) {
                    self.interrupt(id, self.rank(place), now);
                }
                // Another server may be free.
                self.serve_next(id, now);
            }
        }
        self.schedule_failure(id, server, now);
    }
}
