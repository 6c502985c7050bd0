//! The records at the end, from the words of the replications.

use rayon::prelude::*;

use super::batch::Batch;
use super::fold;
use super::histograms::Observed;
use super::layout::{Kind, Layout};
use super::records::{ARRIVAL, DEPARTURE, PHASE};
use super::rows::{
    AbsenceTimes, Down, Downtime, Event, Kept, Places, Population, Progress, Sent, ServerCounts, Sink, SinkCarries,
    Standstill,
};
use super::station::Serving;
use crate::model::Rules;
use crate::outcome::together;
use crate::{FoldedTimeError, MemberError, NetworkModel, NetworkOutcome, QueueingError, SinkRecord};
use tickless_core::statistics::{Outcome, sum_of};
use tickless_core::time::Time;
use tickless_engine::Rounds;

/// How words are read.
pub(super) struct Reading<'a> {
    pub(super) model: &'a NetworkModel,
    pub(super) rules: &'a Rules,
    pub(super) layout: &'a Layout,
    /// The clock at which the records end.
    pub(super) clock: Time,
}

/// The words of all replications, as far as they have been used.
pub(super) struct Words<'a> {
    layout: &'a Layout,
    /// Up to the last place of a token that was ever used.
    first: Vec<u64>,
    /// From the first event on.
    events: Vec<u64>,
}

impl<'a> Words<'a> {
    /// The words of each replication before `before`, and the words of events before `last`.
    fn read(rounds: &mut Rounds, layout: &'a Layout, before: u32, last: u32) -> Result<Self, QueueingError> {
        let each = layout.parameters.replications as usize;
        let begin = layout.record(Kind::Event, 0) as usize;
        let first = rounds.read_part("replication_state", 0, before as usize * each)?;
        let events =
            rounds.read_part("replication_state", begin * each, (last as usize).saturating_sub(begin) * each)?;
        Ok(Self { layout, first, events })
    }

    fn replications(&self) -> usize {
        self.layout.parameters.replications as usize
    }

    pub(super) fn at(&self, replication: usize, word: u32) -> u64 {
        self.word(self.layout.place(replication, word))
    }

    /// A word of the buffer.
    fn word(&self, place: usize) -> u64 {
        let events = self.layout.record(Kind::Event, 0) as usize * self.replications();
        if place < events { self.first[place] } else { self.events[place - events] }
    }

    /// A row of a record, whose first word is given.
    pub(super) fn row<T: Kept>(&self, replication: usize, record: u32) -> T {
        // The words of a record lie side by side.
        let place = self.layout.place(replication, record + 2 * T::NUMBER);
        let [[a, b], [c, d]] = [place, place + 1].map(|place| halves(self.word(place)));
        T::from([a, b, c, d])
    }

    pub(super) fn pair(&self, replication: usize, word: u32) -> [u32; 2] {
        halves(self.at(replication, word))
    }
}

fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// The records of all replications, and the number of services that have ended in them.
///
/// # Errors
/// The first error of a replication, with its network.
pub(super) fn outcomes(
    batch: &Batch<'_>,
    layout: &Layout,
    rounds: &mut Rounds,
) -> Result<(Vec<NetworkOutcome>, u64), MemberError> {
    let clock = rounds.clock();
    let reading = |number: usize| {
        let model = batch.network(number);
        Reading { model, rules: model.rules(), layout, clock }
    };
    let header = Words::read(rounds, layout, layout.record(Kind::Source, 0), 0).map_err(MemberError::of_all)?;
    let largest =
        |of: fn(Places) -> u32| (0..header.replications()).map(|number| of(header.row(number, 0))).max().unwrap_or(0);
    let (pending, used) = (largest(|places| places.pending), largest(|places| places.used));
    let all = Words::read(rounds, layout, layout.record(Kind::Token, used), layout.record(Kind::Event, pending));
    let all = all.map_err(MemberError::of_all)?;
    let stuck = |number: usize| Some((number, header.row::<Standstill>(number, 0).stuck.checked_sub(1)?));
    if let Some((number, from)) = (0..header.replications()).find_map(stuck) {
        return Err(batch.error(number, reading(number).standstill(&all, number, from)));
    }
    let completions = (0..header.replications()).map(|number| header.row::<Progress>(number, 0).completed).sum();
    let observed = Observed::read(rounds, batch.first(), layout).map_err(MemberError::of_all)?;
    let outcome = |number: usize| reading(number).outcome((&all, &observed), number);
    let outcomes: Vec<_> = (0..header.replications()).into_par_iter().map(outcome).collect();
    if let Some(number) = outcomes.iter().position(|outcome| !fold::fits(batch.first(), outcome)) {
        return Err(batch.error(number, FoldedTimeError.into()));
    }
    Ok((outcomes, completions))
}

impl Reading<'_> {
    /// How long the servers of each station were out of order without a token, in ticks; empty where no server fails.
    fn down(&self, all: &Words<'_>, number: usize) -> Vec<u128> {
        let (p, warmup) = (&self.layout.parameters, self.model.warmup().ticks());
        let station = |id: u32| {
            let words = self.layout.record(Kind::Station, id) + 2 * p.downtime;
            let Downtime { since, sum } = all.row(number, words);
            let Down { upper, servers } = all.row(number, words);
            let left = self.clock.ticks().saturating_sub(since.max(warmup));
            sum_of([sum, upper.into()]) + u128::from(left) * u128::from(servers)
        };
        (0..if p.downtime > 0 { p.stations } else { 0 }).map(station).collect()
    }

    /// How long the servers of each station set up or were away, in ticks; empty where none do.
    fn absent(&self, all: &Words<'_>, number: usize) -> Vec<u128> {
        const BITS: u32 = 96;
        let (p, warmup) = (&self.layout.parameters, self.model.warmup());
        let station = |id: u32| {
            let words = self.layout.record(Kind::Station, id);
            let ServerCounts { away, .. } = all.row(number, words);
            let AbsenceTimes { sum, upper, .. } = all.row(number, words + 2 * p.absence);
            let still = u128::from(self.clock.max(warmup).ticks()) * u128::from(away);
            sum_of([sum, upper.into()]).wrapping_add(still) & ((1 << BITS) - 1)
        };
        (0..if self.rules.has_absences() { p.stations } else { 0 }).map(station).collect()
    }

    fn outcome(&self, (all, observed): (&Words<'_>, &Observed<'_>), number: usize) -> NetworkOutcome {
        let Self { model, rules, layout, clock } = self;
        let p = &layout.parameters;
        let mut serving = vec![vec![]; p.stations as usize];
        let mut in_transit = 0;
        let Places { pending, .. } = all.row(number, 0);
        let Population { before, lost, .. } = all.row(number, 0);
        for place in p.fixed..pending {
            let Event { time, what, token } = all.row(number, layout.record(Kind::Event, place));
            match what & PHASE {
                DEPARTURE => serving[(what & !PHASE) as usize].push(Serving { end: time, token, event: Some(place) }),
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
        for ((id, serving), aside) in (0..).zip(serving).zip(self.aside(all, number)) {
            let of_classes = self.station((all, number, id), (serving, &aside), &mut stations);
            stations.facilities.push(together(&of_classes));
            classes.extend(of_classes);
        }
        let sink = |place: u32| {
            let words = layout.record(Kind::Sink, place);
            let Sink { tokens, from_sources, sojourn } = all.row(number, words);
            let SinkCarries { times } = all.row(number, words);
            let sojourn = sum_of([sojourn, times]);
            SinkRecord { tokens: tokens.into(), from_sources: from_sources.into(), sojourn }
        };
        let class_sinks: Vec<_> = (0..model.sinks() * p.classes).map(sink).collect();
        let source = |source: u32| all.row::<Sent>(number, layout.record(Kind::Source, source)).counted.into();
        let sum = |classes: &[SinkRecord]| classes.iter().fold(SinkRecord::default(), |all, one| all.and(one));
        let sinks = class_sinks.chunks(rules.classes() as usize).map(sum).collect();
        // A plain network has no records by class.
        let (classes, class_sinks) = if rules.plain { (vec![], vec![]) } else { (classes, class_sinks) };
        NetworkOutcome {
            stations,
            sources: (0..p.sources).map(source).collect(),
            sinks,
            in_transit,
            tokens_before: before.into(),
            lost_before: lost.into(),
            causality_errors: vec![],
            distributions: observed.distributions(number, *clock),
            classes,
            class_sinks,
            series: observed.series(number, *clock).map(Box::new),
            folded: observed.folded(number, *clock).map(Box::new),
            resources: self.resources(all, number),
            forks: self.forks(all, number),
            down: self.down(all, number),
            absent: self.absent(all, number),
            groups: self.groups(all, number),
            batches: vec![],
        }
    }
}
