//! The records at the end, from the words of the replications.

use rayon::prelude::*;

use super::layout::Layout;
use super::records::{ARRIVAL, DEPARTURE, PHASE, SINK_WORDS};
use crate::engine::Rounds;
use crate::queueing::multiclass::{Rules, together};
use crate::queueing::{NetworkModel, NetworkOutcome, QueueingError, SinkRecord};
use crate::statistics::Outcome;
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
pub(super) struct Words {
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

    pub(super) fn at(&self, replication: usize, word: u32) -> u64 {
        let word = (word - self.first) as usize;
        self.words[(word / 4 * self.replications + replication) * 4 + word % 4]
    }

    pub(super) fn pair(&self, replication: usize, word: u32) -> [u32; 2] {
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
        let stuck = |number: usize| Some((number, header.pair(number, 6)[1].checked_sub(1)?));
        if let Some((number, from)) = (0..header.replications).find_map(stuck) {
            return Err(self.deadlock(&held.all, number, from));
        }
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
        for place in p.fixed..pending {
            let [event, token] = held.events.pair(number, p.events_at + place);
            match event & PHASE {
                DEPARTURE => {
                    let end = held.times.at(number, p.times_at + place);
                    serving[(event & !PHASE) as usize].push((end, token));
                }
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
        for (id, serving) in (0..).zip(serving) {
            let of_classes = self.station((all, number, id), serving, &mut stations)?;
            stations.facilities.push(together(id, &of_classes)?);
            classes.extend(of_classes);
        }
        let sink = |place: u32| {
            let words = p.sinks_at + place * SINK_WORDS;
            let [tokens, from_sources] = all.pair(number, words).map(u64::from);
            let sojourn = u128::from(all.at(number, words + 2)) << 64 | u128::from(all.at(number, words + 1));
            SinkRecord { tokens, from_sources, sojourn }
        };
        let class_sinks: Vec<_> = (0..model.sinks() * p.classes).map(sink).collect();
        let source = |source: u32| all.pair(number, p.sources_at + p.source_words * source + 1)[1].into();
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
        })
    }
}
