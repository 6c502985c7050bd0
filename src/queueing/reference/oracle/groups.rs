//! Groups of servers behind the one line of a station: which group takes whom.

use super::Oracle;
use super::station::Rank;
use super::{Event, Phase};
use crate::model::GroupRules;
use crate::outcome::GroupRecord;
use serde::{Deserialize, Serialize};
use tickless_core::time::Time;

/// What a group of a station has done, and has now.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Group {
    /// Servers on duty that are in order; none while the server walks.
    pub(super) servers: u64,
    /// Servers that serve a token, or hold one.
    pub(super) taken: u64,
    /// The number of the shift in force.
    pub(super) shift: u64,
    /// How long servers were taken, together, in ticks; and up to when this is.
    busy: u128,
    counted_until: Time,
    /// The tokens of each class that its servers have taken.
    tokens: Vec<u64>,
    /// In how many batches, where there are any.
    batches: u64,
    /// Of a server that goes round: the place of the class with which it is, and how many more it serves in this turn.
    pub(super) turn: u32,
    pub(super) left: u64,
}

impl Group {
    fn new(rules: &GroupRules) -> Self {
        Self { servers: rules.first_servers().into(), tokens: vec![0; rules.classes.len()], ..Self::default() }
    }

    pub(super) fn has_free_server(&self) -> bool {
        self.taken < self.servers
    }

    /// Counts how long servers were taken, up to now: before one takes or leaves a token.
    fn count(&mut self, warmup: Time, now: Time) {
        let since = self.counted_until.max(warmup);
        if now > since {
            self.busy += u128::from(now.ticks() - since.ticks()) * u128::from(self.taken);
        }
        self.counted_until = now;
    }

    /// The record at `clock`.
    pub(super) fn record(&mut self, warmup: Time, clock: Time) -> GroupRecord {
        self.count(warmup, clock);
        GroupRecord { busy: self.busy, batches: self.batches, tokens: self.tokens.clone() }
    }
}

impl Oracle<'_> {
    /// The groups of a station at time 0, and their second shifts.
    pub(super) fn open_groups(&mut self, id: u32) {
        let groups = &self.rules.stations[id as usize].groups;
        if groups.is_empty() {
            return;
        }
        self.stations[id as usize].groups = groups.iter().map(Group::new).collect();
        (0..groups.len() as u32).for_each(|group| self.schedule_shift_of(id, group, 1));
        self.count_servers_of_groups(id);
        self.sets_out_to_walk(id);
        self.begin_breakdowns(id);
    }

    pub(super) fn count_servers_of_groups(&mut self, id: u32) {
        let station = &mut self.stations[id as usize];
        let groups = self.rules.stations[id as usize].groups.iter().zip(&station.groups);
        // One that walks is on duty, too.
        let servers = groups.map(|(rules, of)| if rules.walks() { 1 } else { of.servers }).sum();
        station.set_servers(servers);
    }

    fn schedule_shift_of(&mut self, id: u32, group: u32, number: u64) {
        let rules = &self.rules.stations[id as usize].groups[group as usize];
        if let Some((time, _)) = rules.shift_schedule.as_ref().and_then(|shifts| shifts.shift(number)) {
            self.events.push(Event { time, phase: Phase::Shift, entity: id, token: group });
        }
    }

    /// A shift of a group begins.
    pub(super) fn change_shift_of(&mut self, id: u32, group: u32, now: Time) {
        self.count_downtime_of_groups(id, now);
        let rules = &self.rules.stations[id as usize].groups[group as usize];
        let of = &mut self.stations[id as usize].groups[group as usize];
        let number = of.shift + 1;
        if let Some((_, servers)) = rules.shift_schedule.as_ref().and_then(|shifts| shifts.shift(number)) {
            (of.shift, of.servers) = (number, servers.into());
            self.count_in_order(id, group);
        }
        self.count_servers_of_groups(id);
        self.serve_next(id, now);
        self.schedule_shift_of(id, group, number + 1);
    }

    /// The group with a free server that prefers a class most, of several the first.
    pub(super) fn free_group(&self, id: u32, class: u32) -> Option<u32> {
        let rules = &self.rules.stations[id as usize].groups;
        let groups = (0..).zip(rules).zip(&self.stations[id as usize].groups);
        let free = groups
            .filter(|(_, now)| now.has_free_server())
            .filter_map(|((number, group), _)| Some((group.classes[class as usize].preference?, number)));
        free.min().map(|(_, number)| number)
    }

    /// A token takes a server of a group where it can, else it joins the line.
    pub(super) fn line_up_for_groups(&mut self, place: u32, now: Time) {
        let (id, class) = (self.tokens[place].at, self.tokens[place].class);
        let has_bulks = self.rules.stations[id as usize].has_bulks();
        if !has_bulks && let Some(group) = self.free_group(id, class) {
            self.takes_group(place, group, now, (true, false));
            return self.serve(place, now);
        }
        self.begins_to_wait(place);
        self.waits(place);
        if has_bulks {
            self.serve_with(id, class, now);
            self.walk_on(id, now);
        }
    }

    /// The first group that has a free server and somebody to serve, and how many at once.
    pub(super) fn next_batch(&self, id: u32) -> Option<(u32, u32)> {
        let rules = &self.rules.stations[id as usize].groups;
        let groups = (0..).zip(rules).zip(&self.stations[id as usize].groups);
        let mut able = groups.filter(|(_, of)| of.has_free_server());
        able.find_map(|((number, _), _)| Some((number, self.batch_of(id, number))).filter(|(_, count)| *count > 0))
    }

    /// Of the tokens that wait at a station the one that a group serves next.
    pub(super) fn preferred(&self, id: u32, number: u32) -> Option<(Rank, u32)> {
        let waiting = &self.stations[id as usize].waiting;
        let group = &self.rules.stations[id as usize].groups[number as usize];
        // Who has been interrupted goes on with its group.
        if group.failures.is_some()
            && let Some(first) = waiting.first_of(self.rules.classes() + number)
        {
            return Some(first);
        }
        let mut firsts = group.serves.iter().filter_map(|class| waiting.first_of(*class));
        if group.first_in_line { firsts.min() } else { firsts.next() }
    }

    /// A server of a group takes a token: whether that is the first of its batch, and whether others come behind it.
    pub(super) fn takes_group(&mut self, place: u32, group: u32, now: Time, (is_first, shares): (bool, bool)) {
        let counted = self.counted(now);
        self.count_downtime_of_groups(self.tokens[place].at, now);
        let token = &mut self.tokens[place];
        token.takes_server_of(group, shares);
        let has_bulks = self.rules.stations[token.at as usize].has_bulks();
        let of = &mut self.stations[token.at as usize].groups[group as usize];
        if is_first {
            of.count(self.model.warmup(), now);
            of.taken += 1;
            of.batches += if has_bulks { counted } else { 0 };
        }
        of.tokens[token.class as usize] += if token.begun { 0 } else { counted };
    }

    /// The server of a token that leaves is free, if its station has groups.
    pub(super) fn leaves_group(&mut self, place: u32, now: Time) {
        let token = &self.tokens[place];
        if self.rules.stations[token.at as usize].groups.is_empty() || token.shares_server() {
            return;
        }
        let (id, group) = (token.at, token.group());
        self.count_downtime_of_groups(id, now);
        let of = &mut self.stations[id as usize].groups[group as usize];
        of.count(self.model.warmup(), now);
        of.taken -= 1;
    }
}
