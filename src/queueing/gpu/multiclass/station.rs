//! What each class has done at a station.

use super::layout::Kind;
use super::outcome::{Reading, Words};
use super::records::{CLASS, COUNTED, INTERRUPTED, REPEATED};
use crate::QueueingError;
use crate::multiclass::ClassRecord;
use tickless_core::statistics::{FacilityRecord, Outcome};
use tickless_core::time::Time;

/// A class at a station while its record is made: sums that 64 bits may not hold yet.
#[derive(Clone, Copy, Default)]
struct Account {
    record: ClassRecord,
    busy: u128,
    blocked: u128,
    waiting: u128,
    service: u128,
    presence: u128,
}

/// A token that is at a station.
struct Token {
    class: usize,
    flags: u32,
    arrived: u64,
    start: u64,
    service: u64,
    since: u64,
}

impl Reading<'_> {
    /// The records of the classes at a station, whose services in progress are given, each with its end, and who waits for siblings. Who waits and what is served is
    /// added to those of all stations.
    pub(super) fn station(
        &self,
        (all, number, id): (&Words<'_>, usize, u32),
        (mut serving, aside): (Vec<(u64, u32)>, &[u32]),
        stations: &mut Outcome,
    ) -> Result<Vec<ClassRecord>, QueueingError> {
        let (warmup, clock) = (self.model.warmup(), self.clock);
        let mut accounts: Vec<_> =
            (0..self.layout.parameters.classes).map(|class| self.account(all, number, id, class)).collect();
        let token = |place: u32| self.token(all, number, place);
        let ([mut in_line, outside], shares) = (self.listed(all, number, id), self.is_shared(id));
        let mut by_clock = self.by_clock(all, (number, id), &mut in_line);
        if shares {
            let served = self.served(all, number, (id, &by_clock));
            by_clock.iter().zip(served).for_each(|(place, served)| accounts[token(*place).class].busy += served);
        }
        // Of these only the first has an event.
        by_clock.retain(|place| serving.iter().all(|(_, first)| first != place));
        serving.extend(by_clock.into_iter().map(|place| (Time::NEVER.ticks(), place)));
        serving.sort_unstable();
        stations.services.extend(serving.iter().skip(1).map(|(end, _)| Time::from_ticks(*end)));
        for (end, token) in serving.into_iter().map(|(end, place)| (end, token(place))) {
            let account = &mut accounts[token.class];
            account.serves(&token, [shares, self.knows_services(id)], [warmup, clock]);
            if !shares {
                account.busy += counted(token.start, warmup, clock);
            }
            let record = &mut account.record.record;
            record.serving += 1;
            record.in_service = record.in_service.min(Time::from_ticks(end));
        }
        let blocked = self.blocked(all, number, id);
        for token in in_line.iter().chain(&outside).chain(&blocked).chain(aside).map(|place| token(*place)) {
            let account = &mut accounts[token.class];
            account.holds(&token, warmup, clock);
            account.record.record.queued += 1;
            stations.queue.push(Time::from_ticks(token.arrived));
        }
        for token in blocked.iter().map(|place| token(*place)) {
            // It has waited since its service has ended.
            accounts[token.class].blocked += counted(token.start, warmup, clock);
        }
        if shares {
            accounts.iter_mut().for_each(|account| account.busy = self.in_ticks(id, account.busy));
        }
        accounts.into_iter().map(|account| account.finish(id)).collect()
    }

    /// What those have done that are gone.
    fn account(&self, all: &Words<'_>, number: usize, station: u32, class: u32) -> Account {
        let p = &self.layout.parameters;
        let first = self.layout.record(Kind::Account, station * p.classes + class);
        // Words that a network does not use are not there.
        let at = |word: u32| if word < self.layout.own_account_words { all.at(number, first + word) } else { 0 };
        let pair = |word: u32| [at(word) & u64::from(u32::MAX), at(word) >> 32];
        let wide = |word: u32| u128::from(at(word));
        let ([arrivals, starts], [completions, losses]) = (pair(0), pair(1));
        let ([balked, reneged], [preemptions, _]) = (pair(6), pair(8));
        let in_service = Time::NEVER;
        let record = FacilityRecord { arrivals, starts, completions, losses, in_service, ..FacilityRecord::default() };
        let patience = at(7);
        Account {
            record: ClassRecord { record, balked, reneged, patience, preemptions, blocked: 0 },
            busy: wide(10) << 64 | wide(5),
            blocked: wide(9),
            waiting: wide(2),
            service: wide(3),
            presence: wide(4),
        }
    }

    fn token(&self, all: &Words<'_>, number: usize, place: u32) -> Token {
        let first = self.token_at(place);
        let [about, _] = all.pair(number, first + 1);
        let at = |word: u32| all.at(number, first + word);
        Token {
            class: (about & CLASS) as usize,
            flags: about & !CLASS,
            arrived: at(2),
            start: at(4),
            service: at(5),
            since: match about {
                _ if about & INTERRUPTED != 0 => at(9),
                _ if about & REPEATED != 0 => at(2 * self.layout.parameters.repeated),
                _ => at(2),
            },
        }
    }
}

/// How much of the time from one to another is counted.
fn counted(from: u64, warmup: Time, clock: Time) -> u128 {
    clock.ticks().saturating_sub(from.max(warmup.ticks())).into()
}

impl Account {
    /// A token that is still here.
    fn holds(&mut self, token: &Token, warmup: Time, clock: Time) {
        self.record.record.arrivals += u64::from(token.flags & COUNTED != 0);
        self.presence += counted(token.arrived, warmup, clock);
    }

    /// One that is in service.
    fn serves(&mut self, token: &Token, [shares, knows_services]: [bool; 2], [warmup, clock]: [Time; 2]) {
        self.holds(token, warmup, clock);
        if token.start >= warmup.ticks() {
            // Where all share, its wait for units counts at the end.
            self.waiting += if shares { 0 } else { u128::from(token.start - token.since) };
            if token.flags & INTERRUPTED == 0 {
                self.record.record.starts += 1;
                self.service += if knows_services { u128::from(token.service) } else { 0 };
            }
        }
    }

    fn finish(self, station: u32) -> Result<ClassRecord, QueueingError> {
        let sum = |name, value: u128| {
            u64::try_from(value).map_err(|_| QueueingError::Overflow { sum: name, facility: station })
        };
        let record = FacilityRecord {
            busy: sum("busy time", self.busy)?,
            waiting: sum("sum of waiting times", self.waiting)?,
            service: sum("sum of service times", self.service)?,
            presence: sum("time integral of the number present", self.presence)?,
            ..self.record.record
        };
        Ok(ClassRecord { record, blocked: sum("time of blocked servers", self.blocked)?, ..self.record })
    }
}
