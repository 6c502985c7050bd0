//! The records at the end, from the words of the replications.

use rayon::prelude::*;

use super::layout::Layout;
use super::records::{
    ACCOUNT_WORDS, ARRIVAL, CLASS, COUNTED, INTERRUPTED, NONE, PHASE, Parameters, SINK_WORDS, SOURCE_WORDS,
    STATION_WORDS,
};
use crate::engine::Rounds;
use crate::queueing::multiclass::{ClassRecord, Rules, together};
use crate::queueing::{NetworkModel, NetworkOutcome, QueueingError, SinkRecord};
use crate::statistics::{FacilityRecord, Outcome};
use crate::time::Time;

/// How words are read.
pub(super) struct Reading<'a> {
    pub(super) model: &'a NetworkModel,
    pub(super) rules: &'a Rules,
    pub(super) layout: &'a Layout,
    /// Where the records are cut.
    pub(super) clock: Time,
}

/// The words of all replications from a block on.
struct Words {
    first: u32,
    words: Vec<u64>,
    replications: usize,
}

impl Words {
    /// So many of each replication, from one at the begin of a block on.
    fn read(rounds: &mut Rounds, first: u32, count: u32, replications: u32) -> Result<Self, QueueingError> {
        let each = replications as usize;
        let words = rounds.read_part("held", first as usize * each, count.next_multiple_of(4) as usize * each)?;
        Ok(Self { first, words, replications: each })
    }

    fn at(&self, replication: usize, word: u32) -> u64 {
        let word = (word - self.first) as usize;
        self.words[(word / 4 * self.replications + replication) * 4 + word % 4]
    }

    fn pair(&self, replication: usize, word: u32) -> [u32; 2] {
        let word = self.at(replication, word);
        [word as u32, (word >> 32) as u32]
    }
}

/// What is read of all replications.
struct Held {
    /// Up to the last place that was ever used.
    all: Words,
    times: Words,
    events: Words,
}

/// A class at a station while its record is made: sums that 64 bits may not hold yet.
#[derive(Clone, Copy, Default)]
struct Account {
    record: ClassRecord,
    busy: u128,
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
    /// The records of all replications, and how many services have ended in them.
    pub(super) fn outcomes(&self, rounds: &mut Rounds) -> Result<(Vec<NetworkOutcome>, u64), QueueingError> {
        let p = self.layout.parameters;
        let read = |rounds: &mut Rounds, first, count| Words::read(rounds, first, count, p.replications);
        let header = read(rounds, 0, 8)?;
        let largest = |word: u32, half: usize| {
            (0..header.replications).map(|number| header.pair(number, word)[half]).max().unwrap_or(0)
        };
        let (pending, used) = (largest(0, 0), largest(1, 0));
        let held = Held {
            all: read(rounds, 0, p.tokens_at + used * p.token_words)?,
            times: read(rounds, p.times_at, pending)?,
            events: read(rounds, p.events_at, pending)?,
        };
        let completions = (0..header.replications).map(|number| header.at(number, 4)).sum();
        let outcomes = (0..header.replications).into_par_iter().map(|number| self.outcome(&held, number));
        Ok((outcomes.collect::<Result<_, _>>()?, completions))
    }

    fn outcome(&self, held: &Held, number: usize) -> Result<NetworkOutcome, QueueingError> {
        let Self { model, rules, layout, clock } = self;
        let (p, all) = (&layout.parameters, &held.all);
        let mut serving = vec![vec![]; p.stations as usize];
        let mut in_transit = 0;
        let [pending, _] = all.pair(number, 0);
        for place in p.sources + 1..pending {
            let [event, token] = held.events.pair(number, p.events_at + place);
            match event & PHASE {
                0 => serving[event as usize].push((held.times.at(number, p.times_at + place), token)),
                ARRIVAL => in_transit += 1,
                _ => {}
            }
        }
        let mut stations = Outcome {
            facilities: Vec::with_capacity(serving.len()),
            queue: vec![],
            services: vec![],
            from: model.warmup(),
            until: *clock,
            added_up: None,
        };
        let mut classes = Vec::with_capacity((p.stations * p.classes) as usize);
        for (id, serving) in (0..).zip(&mut serving) {
            let mut accounts: Vec<_> = (0..p.classes).map(|class| self.account(all, number, id, class)).collect();
            serving.sort_unstable();
            stations.services.extend(serving.iter().skip(1).map(|(end, _)| Time::from_ticks(*end)));
            for &(end, token) in &*serving {
                let token = self.token(all, number, token);
                let account = &mut accounts[token.class];
                account.serves(&token, model.warmup(), *clock);
                let record = &mut account.record.record;
                record.serving += 1;
                record.in_service = record.in_service.min(Time::from_ticks(end));
            }
            let lists = p.stations_at + id * p.station_words + STATION_WORDS;
            for level in 0..p.level_count {
                let [mut place, _] = all.pair(number, lists + level);
                while place != NONE {
                    let token = self.token(all, number, place);
                    let account = &mut accounts[token.class];
                    account.holds(&token, model.warmup(), *clock);
                    account.record.record.queued += 1;
                    stations.queue.push(Time::from_ticks(token.arrived));
                    [_, place] = all.pair(number, p.tokens_at + place * p.token_words);
                }
            }
            let first = classes.len();
            for account in accounts {
                classes.push(account.finish(id)?);
            }
            stations.facilities.push(together(id, &classes[first..])?);
        }
        let sink = |place: u32| {
            let words = p.sinks_at + place * SINK_WORDS;
            let [tokens, from_sources] = all.pair(number, words).map(u64::from);
            let sojourn = u128::from(all.at(number, words + 2)) << 64 | u128::from(all.at(number, words + 1));
            SinkRecord { tokens, from_sources, sojourn }
        };
        let class_sinks: Vec<_> = (0..model.sinks() * p.classes).map(sink).collect();
        let source = |source: u32| all.pair(number, p.sources_at + SOURCE_WORDS * source + 1)[1].into();
        let sum = |classes: &[SinkRecord]| classes.iter().fold(SinkRecord::default(), |all, one| all.and(one));
        Ok(NetworkOutcome {
            stations,
            sources: (0..p.sources).map(source).collect(),
            sinks: class_sinks.chunks(rules.classes() as usize).map(sum).collect(),
            in_transit,
            tokens_before: all.pair(number, 2)[1].into(),
            lost_before: all.pair(number, 3)[1].into(),
            causality_errors: vec![],
            distributions: None,
            classes,
            class_sinks,
            series: None,
            resources: vec![],
            forks: None,
        })
    }

    /// What those have done that are gone.
    fn account(&self, all: &Words, number: usize, station: u32, class: u32) -> Account {
        let p = &self.layout.parameters;
        let first = p.accounts_at + (station * p.classes + class) * ACCOUNT_WORDS;
        let pair = |word: u32| all.pair(number, first + word).map(u64::from);
        let wide = |word: u32| u128::from(all.at(number, first + word));
        let ([arrivals, starts], [completions, losses]) = (pair(0), pair(1));
        let ([balked, reneged], [preemptions, _]) = (pair(6), pair(8));
        let in_service = Time::NEVER;
        let record = FacilityRecord { arrivals, starts, completions, losses, in_service, ..FacilityRecord::default() };
        let patience = all.at(number, first + 7);
        Account {
            record: ClassRecord { record, balked, reneged, patience, preemptions, blocked: 0 },
            busy: wide(5),
            waiting: wide(2),
            service: wide(3),
            presence: wide(4),
        }
    }

    fn token(&self, all: &Words, number: usize, place: u32) -> Token {
        let p: &Parameters = &self.layout.parameters;
        let first = p.tokens_at + place * p.token_words;
        let [about, _] = all.pair(number, first + 1);
        let at = |word: u32| all.at(number, first + word);
        Token {
            class: (about & CLASS) as usize,
            flags: about & !CLASS,
            arrived: at(2),
            start: at(4),
            service: at(5),
            since: if about & INTERRUPTED != 0 { at(9) } else { at(2) },
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
    fn serves(&mut self, token: &Token, warmup: Time, clock: Time) {
        self.holds(token, warmup, clock);
        self.busy += counted(token.start, warmup, clock);
        if token.start >= warmup.ticks() {
            self.waiting += u128::from(token.start - token.since);
            if token.flags & INTERRUPTED == 0 {
                self.record.record.starts += 1;
                self.service += u128::from(token.service);
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
        Ok(ClassRecord { record, ..self.record })
    }
}
