//! Servers that serve several tokens at once. All members of a batch have a service of the same length, and leave one after the other at its end:
//! the last one frees the server.

use super::Oracle;
use super::station::Rank;
use super::token::Token;
use crate::model::GroupRules;
use tickless_core::random::Stream;
use tickless_core::time::Time;

/// The flag of a token beside the number of its group: its server is still taken when it leaves.
const SHARES: u32 = 1 << 31;

impl Token {
    /// Its group of servers, where it has one.
    pub(super) fn group(&self) -> u32 {
        self.server & !SHARES
    }

    /// Whether another member of its batch leaves behind it.
    pub(super) fn shares_server(&self) -> bool {
        self.server & SHARES != 0
    }

    /// It is in service with a group; `shares` where another member of its batch leaves behind it.
    pub(super) fn takes_server_of(&mut self, group: u32, shares: bool) {
        self.server = group | if shares { SHARES } else { 0 };
    }
}

impl Oracle<'_> {
    /// How many tokens a group would serve at once now; 0 where it waits for more.
    pub(super) fn batch_of(&self, id: u32, number: u32) -> u32 {
        let group = &self.rules.stations[id as usize].groups[number as usize];
        if group.walks() {
            return u32::from(self.left_in_turn(id, number) > 0);
        }
        let waiting = &self.stations[id as usize].waiting;
        let all: usize = group.serves.iter().map(|class| waiting.len_of(*class)).sum();
        let interrupted = if group.failures.is_some() { waiting.len_of(self.rules.classes() + number) } else { 0 };
        let count = (all + interrupted).min(group.bulk.most as usize) as u32;
        // Who has waited long enough has had its event.
        let mut firsts = group.serves.iter().filter_map(|class| waiting.first_of(*class));
        let is_late = |(_, place): (Rank, u32)| self.tokens[place].gives_up == Time::NEVER;
        let begins = count >= group.bulk.least || group.bulk.wait.is_some() && firsts.any(is_late);
        if begins { count } else { 0 }
    }

    /// One more token of a class waits at a station, or has waited long enough: the group that prefers the class most, of those that begin
    /// to serve now, takes a batch.
    pub(super) fn serve_with(&mut self, id: u32, class: u32, now: Time) {
        let begins = |(_, _, count): &(u32, u32, u32)| *count > 0;
        let rules = &self.rules.stations[id as usize].groups;
        let groups = (0..).zip(rules).zip(&self.stations[id as usize].groups);
        let free = groups.filter(|(_, of)| of.has_free_server());
        let able = free.filter_map(|((number, group), _)| {
            Some((group.classes[class as usize].preference?, number, self.batch_of(id, number)))
        });
        if let Some((_, group, count)) = able.filter(begins).min() {
            self.serve_batch(id, (group, count), now);
        }
    }

    /// A server of a group takes so many tokens out of the line, and serves them.
    pub(super) fn serve_batch(&mut self, id: u32, (group, count): (u32, u32), now: Time) {
        let rules = &self.rules.stations[id as usize].groups[group as usize];
        let mut service = None;
        for number in 1..=count {
            let (next, switches) = match rules.polling {
                None => (self.preferred(id, group), false),
                Some(_) if rules.walks() => (self.takes_in_turn(id, group), false),
                Some(_) => self.polled(id, group),
            };
            let Some((rank, place)) = next else { return };
            self.stations[id as usize].waiting.remove(&rank);
            self.takes_group(place, group, now, (number == 1, number < count));
            if rules.gathers() {
                let token = &mut self.tokens[place];
                let stream = &mut self.stations[id as usize].stream;
                let service = *service.get_or_insert_with(|| {
                    let service = first_service(token, rules, self.rules, (count, now), stream);
                    let switching = rules.switching.as_ref().filter(|_| switches);
                    switching.map_or(service, |law| Time::from_ticks(service.ticks() + law.service(stream).ticks()))
                });
                token.draw_way_after(service, stream, self.rules);
            }
            self.serve(place, now);
        }
    }

    /// The token that a server that goes round serves next, and whether it goes to another class for that.
    fn polled(&mut self, id: u32, group: u32) -> (Option<(Rank, u32)>, bool) {
        let rules = &self.rules.stations[id as usize].groups[group as usize];
        let waiting = &self.stations[id as usize].waiting;
        let of = &self.stations[id as usize].groups[group as usize];
        let (before, count) = (of.turn, rules.serves.len() as u32);
        let (mut turn, mut left) = (of.turn, of.left);
        let waits = |turn: u32| waiting.len_of(rules.serves[turn as usize]);
        if left == 0 || waits(turn) == 0 {
            let Some(next) = (1..=count).map(|step| (before + step) % count).find(|turn| waits(*turn) > 0) else {
                return (None, false);
            };
            (turn, left) = (next, rules.turn_of(waits(next)));
        }
        let first = waiting.first_of(rules.serves[turn as usize]);
        let of = &mut self.stations[id as usize].groups[group as usize];
        (of.turn, of.left) = (turn, left - 1);
        (first, turn != before)
    }

    /// A token has waited so long for others to come that its service may begin without them.
    pub(super) fn waits_no_longer(&mut self, place: u32, now: Time) {
        self.tokens[place].gives_up = Time::NEVER;
        let (id, class) = (self.tokens[place].at, self.tokens[place].class);
        self.serve_with(id, class, now);
    }
}

/// The service of a batch, drawn for its first token.
fn first_service(
    token: &Token,
    group: &GroupRules,
    rules: &crate::model::Rules,
    (count, now): (u32, Time),
    stream: &mut Stream,
) -> Time {
    let visit = rules.visit(token.at, token.class);
    let service = group.classes[token.class as usize].service(visit, &token.values, stream);
    let factors = rules.stations[token.at as usize].time_factors.as_ref();
    group.bulk.longer(factors.map_or(service, |factors| factors.longer(service, now)), count)
}
