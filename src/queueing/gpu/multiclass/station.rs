//! The records of each class at a station.

use super::layout::Kind;
use super::outcome::{Reading, Words};
use super::records::{CLASS, COUNTED, INTERRUPTED, REPEATED};
use super::rows::{
    AccountCounts, AccountIntegrals, AccountLeavers, AccountShared, AccountTimes, AccountTurns, Carries, Detail,
    Interruption, Kept, Links, RareCarries, RareCounts, RareTimes, Service, Times,
};
use crate::outcome::ClassRecord;
use tickless_core::statistics::{FacilityRecord, Outcome, sum_of};
use tickless_core::time::Time;

/// A token that is served, and the place of its event, where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Serving {
    /// When the service ends, in ticks.
    pub(super) end: u64,
    pub(super) token: u32,
    pub(super) event: Option<u32>,
}

/// A token that is at a station.
struct Token {
    class: usize,
    flags: u32,
    edge: u32,
    arrived: u64,
    start: u64,
    service: u64,
    since: u64,
}

impl Reading<'_> {
    /// The records of the classes at a station, from its services in progress, each with its end, and the tokens that wait for siblings.
    /// Waiting tokens and services are added to the lists of all stations.
    pub(super) fn station(
        &self,
        (all, number, id): (&Words<'_>, usize, u32),
        (mut serving, aside): (Vec<Serving>, &[u32]),
        stations: &mut Outcome,
    ) -> Vec<ClassRecord> {
        let (warmup, clock) = (self.model.warmup(), self.clock);
        let mut accounts: Vec<_> =
            (0..self.layout.parameters.classes).map(|class| self.account(all, number, id, class)).collect();
        let token = |place: u32| self.token(all, number, place);
        let ([mut in_line, outside], shares) = (self.listed(all, number, id), self.is_shared(id));
        let mut by_clock = self.by_clock(all, (number, id), &mut in_line);
        if shares {
            let served = self.served(all, number, (id, &by_clock));
            by_clock.iter().zip(served).for_each(|(place, served)| accounts[token(*place).class].record.busy += served);
        }
        // Of the tokens served by the clock only the first has an event.
        by_clock.retain(|place| serving.iter().all(|first| first.token != *place));
        let by_clock = by_clock.into_iter();
        serving.extend(by_clock.map(|token| Serving { end: Time::NEVER.ticks(), token, event: None }));
        serving.sort_unstable();
        stations.services.extend(serving.iter().skip(1).map(|served| Time::from_ticks(served.end)));
        for (end, token) in serving.into_iter().map(|served| (served.end, self.served_token(all, number, served))) {
            let account = &mut accounts[token.class];
            serves(account, &token, [shares, self.knows_services(id)], [warmup, clock]);
            let record = &mut account.record;
            if !shares {
                record.busy += counted(token.start, warmup, clock);
            }
            record.serving += 1;
            record.in_service = record.in_service.min(Time::from_ticks(end));
        }
        let blocked = self.blocked(all, number, id);
        for token in in_line.iter().chain(&outside).chain(&blocked).chain(aside).map(|place| token(*place)) {
            let account = &mut accounts[token.class];
            holds(account, &token, warmup, clock);
            account.record.queued += 1;
            stations.queue.push(Time::from_ticks(token.arrived));
        }
        for token in blocked.iter().map(|place| token(*place)) {
            // For a held token since when it is held, which stands in the place of the start of its service.
            let (account, held) = (&mut accounts[token.class], counted(token.start, warmup, clock));
            account.blocked += held;
            let target = self.rules.edges[token.edge as usize].target;
            account.stopped += if self.rules.stations[target as usize].before { held } else { 0 };
        }
        for token in aside.iter().map(|place| token(*place)) {
            accounts[token.class].joining += counted(token.arrived, warmup, clock);
        }
        if shares {
            accounts.iter_mut().for_each(|account| account.record.busy = self.in_ticks(id, account.record.busy));
        }
        accounts
    }

    /// The counts and times of tokens that have left.
    fn account(&self, all: &Words<'_>, number: usize, station: u32, class: u32) -> ClassRecord {
        let p = &self.layout.parameters;
        let first = self.layout.record(Kind::Account, station * p.classes + class);
        let counts: AccountCounts = self.account_row(all, number, first);
        let times: AccountTimes = self.account_row(all, number, first);
        let integrals: AccountIntegrals = self.account_row(all, number, first);
        let leavers: AccountLeavers = self.account_row(all, number, first);
        let turns: AccountTurns = self.account_row(all, number, first);
        let AccountShared { served } = self.account_row(all, number, first);
        let annex = self.layout.record(Kind::Annex, station * p.classes + class);
        let often: Carries = self.annex_row(all, number, annex);
        let often_rare: RareCarries = self.annex_row(all, number, annex);
        let rare: RareTimes = self.annex_row(all, number, annex);
        let RareCounts { joins, joined, abandoned } = self.annex_row(all, number, annex);
        let wide = |value: u64, carries: u32| sum_of([value, carries.into()]);
        // Those that share servers have the upper bits of what they were served in the account.
        let busy = if served > 0 { sum_of([integrals.busy, served]) } else { wide(integrals.busy, often.busy) };
        ClassRecord {
            record: FacilityRecord {
                arrivals: counts.arrivals.into(),
                starts: counts.starts.into(),
                completions: counts.completions.into(),
                losses: counts.losses.into(),
                busy,
                waiting: wide(times.waiting, often.waiting),
                service: wide(times.service, often.service),
                presence: wide(integrals.presence, often.presence),
                in_service: Time::NEVER,
                serving: 0,
                queued: 0,
            },
            balked: leavers.balked.into(),
            reneged: leavers.reneged.into(),
            patience: wide(leavers.patience, often_rare.patience),
            preemptions: turns.preemptions.into(),
            blocked: wide(turns.blocked, often_rare.blocked),
            stopped: wide(rare.stopped, often_rare.stopped),
            joining: wide(rare.joining, often_rare.joining),
            joins: joins.into(),
            joined: joined.into(),
            abandoned: abandoned.into(),
        }
    }

    /// A row of an account; rows that a network does not use are missing.
    fn account_row<T: Kept>(&self, all: &Words<'_>, number: usize, first: u32) -> T {
        let is_there = 2 * T::NUMBER < self.layout.own_account_words;
        if is_there { all.row(number, first) } else { T::from([0; 4]) }
    }

    /// The same of its annex, which is missing where no sum passes 64 bits.
    fn annex_row<T: Kept>(&self, all: &Words<'_>, number: usize, first: u32) -> T {
        if self.layout.carries { self.account_row(all, number, first) } else { T::from([0; 4]) }
    }

    /// A token in service. Where networks are lean its event has the beginning of the service.
    fn served_token(&self, all: &Words<'_>, number: usize, served: Serving) -> Token {
        let token = self.token(all, number, served.token);
        match served.event.filter(|_| self.layout.features.is_lean()) {
            None => token,
            Some(place) => {
                let Detail { start, .. } = all.row(number, self.layout.record(Kind::Event, place));
                Token { start, service: served.end - start, ..token }
            }
        }
    }

    fn token(&self, all: &Words<'_>, number: usize, place: u32) -> Token {
        let first = self.token_at(place);
        let Links { about, edge, .. } = self.links(all, number, place);
        let Times { arrived, .. } = self.times(all, number, place);
        let Service { start, service } = match self.layout.features.is_lean() {
            true => Service { start: 0, service: 0 },
            false => all.row(number, first),
        };
        Token {
            class: (about & CLASS) as usize,
            flags: about & !CLASS,
            edge,
            arrived,
            start,
            service,
            since: match about {
                _ if about & INTERRUPTED != 0 => all.row::<Interruption>(number, first).since,
                _ if about & REPEATED != 0 => all.at(number, first + 2 * self.layout.parameters.repeated),
                _ => arrived,
            },
        }
    }
}

/// The counted part of the time from one to another.
fn counted(from: u64, warmup: Time, clock: Time) -> u128 {
    clock.ticks().saturating_sub(from.max(warmup.ticks())).into()
}

/// A token that is still here.
fn holds(class: &mut ClassRecord, token: &Token, warmup: Time, clock: Time) {
    class.record.arrivals += u64::from(token.flags & COUNTED != 0);
    class.record.presence += counted(token.arrived, warmup, clock);
}

/// A token in service.
fn serves(class: &mut ClassRecord, token: &Token, [shares, knows_services]: [bool; 2], [warmup, clock]: [Time; 2]) {
    holds(class, token, warmup, clock);
    if token.start >= warmup.ticks() {
        // Where all share, a wait for units counts at its end.
        class.record.waiting += if shares { 0 } else { u128::from(token.start - token.since) };
        if token.flags & INTERRUPTED == 0 {
            class.record.starts += 1;
            class.record.service += if knows_services { u128::from(token.service) } else { 0 };
        }
    }
}
