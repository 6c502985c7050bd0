//! Results from the records of a network, replication by replication.

use rayon::prelude::*;

use super::layout::{EXIT, Layout};
use super::{classes, observations};
use crate::QueueingError;
use crate::gpu::records::{Station, Token};
use crate::gpu::state::{State, Totals, counts, fault, made_of};
use crate::{Distributions, NetworkModel, NetworkOutcome, SinkRecord};
use tickless_core::time::Time;
use tickless_engine::Rounds;

/// All sums, at a time before which every arrival has been decided.
pub(super) struct Sums {
    pub(super) stations: Vec<Totals>,
    pub(super) sent: Vec<u64>,
    /// Events that brought no token.
    pub(super) changes: u64,
    /// In approximate time, the causality errors of each station.
    errors: Vec<u64>,
    /// The sinks of every replication.
    sinks: Vec<SinkRecord>,
    /// The distributions of every replication, if recorded.
    recorded: Option<Vec<Distributions>>,
}

impl Sums {
    /// Tokens from sources since time 0.
    pub(super) fn sent(&self) -> u64 {
        self.sent.iter().sum()
    }

    /// Ends of services since time 0.
    pub(super) fn completions(&self) -> u64 {
        self.stations.iter().map(|station| station.completions).sum()
    }
}

/// The records as they lie on the device.
pub(super) struct Records {
    stations: Vec<Station>,
    tokens: Vec<Token>,
    next_event: Vec<u64>,
    annex: Vec<u64>,
    /// Only where distributions are recorded.
    links: Vec<u32>,
    time: Time,
}

impl Records {
    /// Bytes of the records and of the results from them.
    pub(super) fn bytes(layout: &Layout) -> u64 {
        let (stations, entities) = (layout.parameters.stations, layout.parameters.entities);
        let station = size_of::<Station>() as u64 * u64::from(stations);
        let token = (size_of::<Token>() as u64 + 8) * u64::from(entities);
        let links = if layout.levels.is_some() {
            4 * (u64::from(layout.parameters.links) + 3 * u64::from(entities))
        } else {
            0
        };
        station + token + links + 8 * layout.annex + made_of(stations * layout.places.classes, entities)
    }

    /// Reads the records of a model whose distributions are recorded or not.
    pub(super) fn read(rounds: &mut Rounds, model: &NetworkModel) -> Result<Self, QueueingError> {
        fault(rounds.control(), model.stations())?;
        Ok(Self {
            stations: rounds.read("stations")?,
            tokens: rounds.read("tokens")?,
            next_event: rounds.read("next_event")?,
            annex: rounds.read("annex")?,
            links: if model.scale().is_some() { rounds.read("links")? } else { vec![] },
            time: rounds.clock(),
        })
    }
}

/// The whole state on the device.
pub(super) struct NetworkState {
    pub(super) state: State,
    pub(super) annex: Vec<u64>,
    /// Only where distributions are recorded.
    links: Vec<u32>,
    /// In approximate time, when the token in each place arrives next.
    arrivals: Vec<u64>,
    /// When the next token of each source comes.
    pub(super) next_sent: Vec<u64>,
}

impl NetworkState {
    /// The state from the records.
    pub(super) fn new(records: Records, model: &NetworkModel, layout: &Layout) -> Result<Self, QueueingError> {
        let Records { mut stations, mut tokens, next_event, annex, links, time } = records;
        if let Some(rules) = model.rules_of_classes() {
            stations = classes::by_place(rules, layout, &annex, &mut tokens);
        }
        let delay = |token: &Token| model.edges()[token.edge as usize].delay.ticks();
        let source = |source: u32| next_event[(source * layout.parameters.cell) as usize];
        let next_sent = (0..layout.sources()).map(source).collect();
        if let Some(approximation) = &layout.approximation {
            let departs = |place, token: &Token, _| approximation.departure(&annex, place, token, delay(token));
            let state = State::of_network(time, &stations, tokens, next_event.clone(), departs)?;
            return Ok(Self { state, annex, links, arrivals: next_event, next_sent });
        }
        let departs = |_, token: &Token, arrival| arrival - delay(token);
        let state = State::of_network(time, &stations, tokens, next_event, departs)?;
        Ok(Self { state, annex, links, arrivals: vec![], next_sent })
    }

    pub(super) fn sums(&self, model: &NetworkModel, layout: &Layout) -> Sums {
        let each = model.places() as usize;
        let stations = self.state.totals(|place| model.tokens_in((place % each) as u32));
        let origins = layout.places.origins as usize;
        let sent = (0..layout.sources() as usize).map(|source| self.annex[origins + 3 * source + 1]).collect();
        let changes =
            model.rules_of_classes().map_or(0, |rules| classes::changes(rules, layout, &self.annex, self.time()));
        let mut recorded = observations::read((&self.state, &self.annex, &self.links), model, layout);
        let errors = layout.approximation.map_or(vec![], |lags| lags.errors(&self.annex, stations.len()));
        let sinks = self.sinks(model, layout, recorded.as_deref_mut());
        Sums { stations, sent, changes, errors, sinks, recorded }
    }

    /// The tokens that have left by each sink. A way out counts a token when its last visit is decided; tokens still
    /// here are subtracted.
    fn sinks(
        &self,
        model: &NetworkModel,
        layout: &Layout,
        mut recorded: Option<&mut [Distributions]>,
    ) -> Vec<SinkRecord> {
        let count = model.class_count();
        let (sinks, ways) = ((model.sinks() * count) as usize, layout.exits.len());
        let replications = layout.parameters.stations / model.stations();
        let mut records = vec![SinkRecord::default(); sinks * replications as usize];
        for exit in 0..ways * replications as usize {
            let place = layout.places.exits as usize + EXIT as usize * exit;
            let record = &mut records[exit / ways * sinks + layout.exits[exit % ways] as usize];
            let [low, top, counts] = [self.annex[place], self.annex[place + 1], self.annex[place + 2]];
            record.sojourn += u128::from(top as u32) << 64 | u128::from(low);
            record.tokens += counts & u64::from(u32::MAX);
            record.from_sources += counts >> 32;
        }
        let leaving = |(_, token, _): &(usize, &Token, u64)| model.is_sink(model.edges()[token.edge as usize].target);
        let leaving: Vec<_> = self.visits(model).filter(leaving).collect();
        for (place, token, departure) in leaving {
            let edge = &model.edges()[token.edge as usize];
            let sink = (edge.target - model.stations()) * count + edge.becomes;
            let replication = (token.station / model.places()) as usize;
            let record = &mut records[replication * sinks + sink as usize];
            record.tokens -= 1;
            // When the token came in, plus one tick; 0: it was there at time 0.
            let born = self.annex[layout.places.births as usize + 2 * place];
            if born > 0 {
                record.from_sources -= 1;
                let arrival = self.arrivals.get(place).copied().unwrap_or(departure + edge.delay.ticks());
                let stay = arrival + 1 - born;
                record.sojourn -= u128::from(stay);
                if let Some((recorded, scale)) = recorded.as_deref_mut().zip(model.scale()) {
                    recorded[replication].sinks[sink as usize][scale.bin(stay)] -= 1;
                }
            }
        }
        records
    }

    /// The tokens in the network whose last visit is decided, with their departure. By appointments a token that has left may
    /// still have its record.
    pub(super) fn visits<'a>(
        &'a self,
        model: &'a NetworkModel,
    ) -> impl ParallelIterator<Item = (usize, &'a Token, u64)> {
        self.state.visits().filter(|(place, token, departure)| {
            let edge = &model.edges()[token.edge as usize];
            let arrival = self.arrivals.get(*place).copied().unwrap_or(departure + edge.delay.ticks());
            edge.target < model.stations() || arrival >= self.state.time.ticks()
        })
    }

    /// Tokens between stations, by replication.
    fn in_transit(&self, model: &NetworkModel, replications: usize) -> Vec<u64> {
        let gone = self.visits(model).filter(|(.., left)| *left < self.state.time.ticks());
        counts(replications, gone.map(|(_, token, _)| (token.station / model.places()) as usize))
    }

    /// The records of every replication since `before`, or since time 0.
    pub(super) fn outcomes(&self, model: &NetworkModel, sums: &Sums, before: Option<&Sums>) -> Vec<NetworkOutcome> {
        let (each, sources, classes) =
            (model.places() as usize, model.sources() as usize, model.class_count() as usize);
        let sinks = model.sinks() as usize * classes;
        let replications = sums.stations.len() / each;
        let in_transit = self.in_transit(model, replications);
        (0..replications)
            .into_par_iter()
            .map(|replication| {
                let range = replication * each..(replication + 1) * each;
                let then = before.map(|sums| &sums.stations[..]);
                let stations = self.state.outcome(range.clone(), &sums.stations, then, model.warmup());
                let (stations, of_classes) = match model.rules_of_classes() {
                    None => (stations, vec![]),
                    Some(rules) => classes::of_stations(stations, rules),
                };
                let sent = |sums: &Sums, source: usize| sums.sent[replication * sources + source];
                let sink = |sums: &Sums, sink: usize| sums.sinks[replication * sinks + sink];
                // Empty in exact time.
                let errors = sums.errors.get(range.clone()).unwrap_or_default();
                let losses = |sums: &Sums| sums.stations[range.clone()].iter().map(|station| station.losses).sum();
                let lost_before: u64 = before.map_or(0, losses);
                let there = || {
                    let Some(sums) = before else { return u64::from(model.tokens()) };
                    let out: u64 = (0..sinks).map(|place| sink(sums, place).tokens).sum();
                    let came: u64 = (0..sources).map(|place| sent(sums, place)).sum();
                    u64::from(model.tokens()) + came - out - lost_before
                };
                let tokens_before = there();
                let sinks: Vec<SinkRecord> = (0..sinks)
                    .map(|place| sink(sums, place).since(&before.map_or_else(SinkRecord::default, |b| sink(b, place))))
                    .collect();
                let all = |sinks: &[SinkRecord]| sinks.iter().fold(SinkRecord::default(), |all, one| all.and(one));
                NetworkOutcome {
                    stations,
                    sources: (0..sources)
                        .map(|place| sent(sums, place) - before.map_or(0, |before| sent(before, place)))
                        .collect(),
                    sinks: sinks.chunks(classes).map(all).collect(),
                    in_transit: in_transit[replication],
                    tokens_before,
                    lost_before,
                    causality_errors: errors
                        .iter()
                        .enumerate()
                        .map(|(place, count)| count - before.map_or(0, |before| before.errors[range.start + place]))
                        .collect(),
                    classes: of_classes,
                    class_sinks: if model.rules_of_classes().is_some() { sinks } else { vec![] },
                    series: None,
                    folded: None,
                    resources: vec![],
                    forks: None,
                    down: vec![],
                    absent: vec![],
                    groups: vec![],
                    batches: vec![],
                    distributions: sums.recorded.as_ref().map(|recorded| {
                        let then = before.and_then(|sums| sums.recorded.as_ref());
                        observations::since(&recorded[replication], then.map(|then| &then[replication]))
                    }),
                }
            })
            .collect()
    }

    /// The time that the device has reached.
    pub(super) fn time(&self) -> Time {
        self.state.time
    }
}
