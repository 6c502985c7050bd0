//! The sums of the records of a replication, of a network or a part of it: the base of figures.

use rayon::prelude::*;

use super::{MANY, Whose};
use crate::outcome::{ResourceRecord, independent};
use crate::{ClassRecord, CostsOf, NetworkModel, NetworkOutcome, SinkRecord};
use tickless_core::statistics::{FacilityRecord, Totals};
use tickless_core::time::Time;

/// The sums of the records of one replication, of the network or of a part of it.
#[derive(Default)]
pub struct Sums {
    /// How long it was measured, in time units.
    pub measured: f64,
    /// The counts and times of tokens at stations.
    pub tokens: ClassRecord,
    /// The servers of stations with a fixed number of servers.
    pub(super) shared: Servers,
    /// The servers of a station whose servers go by shifts.
    pub(super) scheduled: Servers,
    /// How long a station was empty, and how long it was full, in time units; 0 where no distribution is recorded.
    pub(super) empty: f64,
    pub(super) full: f64,
    /// In approximate time.
    pub causality_errors: Option<u64>,
    /// The tokens that left by a sink.
    pub sink: SinkRecord,
    /// The tokens that a source sent.
    pub sent: u64,
    pub resource: ResourceRecord,
    /// Whether its units are used up, and not held.
    pub(super) is_stock: bool,
    /// How long servers of a group were taken, together, in ticks; the tokens that they took, and in how many batches, where they serve several
    /// tokens at once.
    pub(super) group_busy: u128,
    pub group_tokens: u64,
    pub(super) group_batches: u64,
    /// The units of the resource, or the mean number of servers of the group.
    pub(super) units: f64,
    /// The costs.
    pub(super) cost: f64,
}

/// How long servers of a station were busy, together, in ticks, where they serve several tokens at once.
fn busy_servers(model: &NetworkModel, station: u32, outcome: &NetworkOutcome) -> Option<u128> {
    let rules = model.rules_of(station);
    let before = || (0..station).map(|id| model.rules_of(id).groups.len()).sum();
    rules.has_bulks().then(|| outcome.groups.iter().skip(before()).take(rules.groups.len()).map(|of| of.busy).sum())
}

/// A sum in time units.
pub(super) fn units(sum: u128) -> f64 {
    Time::sum_in_units(sum)
}

/// The times of servers, in time units.
#[derive(Clone, Copy, Default)]
pub(super) struct Servers {
    busy: f64,
    /// The time in which they hold tokens that are not served.
    blocked: f64,
    /// The time in which they are out of order, without a token.
    down: f64,
    set_up: f64,
    /// On vacation.
    away: f64,
    /// Their whole time.
    all: f64,
}

impl Servers {
    pub(super) fn busy(self) -> [f64; 2] {
        [self.busy, self.all]
    }

    pub(super) fn blocked(self) -> [f64; 2] {
        [self.blocked, self.all]
    }

    pub(super) fn down(self) -> [f64; 2] {
        [self.down, self.all]
    }

    pub(super) fn set_up(self) -> [f64; 2] {
        [self.set_up, self.all]
    }

    pub(super) fn away(self) -> [f64; 2] {
        [self.away, self.all]
    }

    /// The remaining time.
    pub(super) fn idle(self) -> [f64; 2] {
        [(self.all - self.busy - self.blocked - self.down - self.set_up - self.away).max(0.0), self.all]
    }
}

impl Sums {
    /// The sums of each replication, or of each batch of the only one.
    pub fn of(model: &NetworkModel, whose: Whose, outcomes: &[NetworkOutcome]) -> Vec<Self> {
        independent(outcomes).par_iter().with_min_len(MANY).map(|outcome| Self::of_one(model, whose, outcome)).collect()
    }

    /// The sums of one replication.
    ///
    /// # Panics
    /// Where the model has no such station, class, sink, source or resource, or the outcome no records.
    pub fn of_one(model: &NetworkModel, whose: Whose, outcome: &NetworkOutcome) -> Self {
        let measured = outcome.stations.measured();
        let all = Self { measured, ..Self::default() };
        let count = model.classes().len();
        let cost = |of| if model.has_costs() { model.cost_in(of, outcome) } else { 0.0 };
        match whose {
            Whose::Network => {
                let sums = Self { cost: cost(CostsOf::Everything), ..all }.of_network(model, outcome);
                Self { causality_errors: outcome.all_causality_errors(), ..sums }
            }
            Whose::Station(id) => {
                let record = outcome.stations.facilities[id as usize];
                let classes = outcome.classes.get(id as usize * count..(id as usize + 1) * count);
                let tokens = ClassRecord { record, ..ClassRecord::default() }.and_own_of(classes.unwrap_or_default());
                let causality_errors = outcome.causality_errors.get(id as usize).copied();
                let all = Self { tokens, causality_errors, cost: cost(CostsOf::Station(id)), ..all };
                all.at(model, id, outcome).with_levels(model, id, outcome)
            }
            Whose::Class { station, class } => {
                let tokens = outcome.classes[station as usize * count + class as usize];
                Self { tokens, ..all }.at(model, station, outcome)
            }
            Whose::Sink(id) => Self { sink: outcome.sinks[id as usize], cost: cost(CostsOf::Sink(id)), ..all },
            Whose::ClassAtSink { sink, class } => {
                Self { sink: outcome.class_sinks[sink as usize * count + class as usize], ..all }
            }
            Whose::Source(id) => Self { sent: outcome.sources[id as usize], ..all },
            Whose::Resource(id) => {
                let units = model.mean_units(id, outcome.stations.from, outcome.stations.until);
                let (resource, is_stock) = (outcome.resources[id as usize], model.is_stock(id));
                Self { resource, is_stock, units, cost: cost(CostsOf::Resource(id)), ..all }
            }
            Whose::Group(number) => {
                let (record, rules) = (&outcome.groups[number as usize], model.group(number));
                let units = rules.mean_servers(outcome.stations.from, outcome.stations.until);
                let takes_several = model.rules_of(model.groups()[number as usize].0).takes_several();
                let (group_busy, group_batches) = (record.busy, if takes_several { record.batches } else { 0 });
                Self { group_busy, group_batches, group_tokens: record.tokens.iter().sum(), units, ..all }
            }
        }
    }

    /// With the times of servers of a station.
    fn at(self, model: &NetworkModel, station: u32, outcome: &NetworkOutcome) -> Self {
        let (from, until) = (outcome.stations.from, outcome.stations.until);
        let sets_up = model.rules_of(station).setup.is_some();
        let absent = units(outcome.absent.get(station as usize).copied().unwrap_or_default());
        let of_servers = Servers {
            set_up: if sets_up { absent } else { 0.0 },
            away: if sets_up { 0.0 } else { absent },
            busy: units(busy_servers(model, station, outcome).unwrap_or(self.tokens.record.busy)),
            blocked: units(self.tokens.blocked),
            down: units(outcome.down.get(station as usize).copied().unwrap_or_default()),
            all: self.measured * model.servers_between(station, from, until),
        };
        match (model.has_infinite_servers(station), model.has_shifts(station)) {
            (true, _) => self,
            (_, true) => Self { scheduled: of_servers, ..self },
            (_, false) => Self { shared: of_servers, ..self },
        }
    }

    /// With how long an observed station was empty and full.
    fn with_levels(self, model: &NetworkModel, station: u32, outcome: &NetworkOutcome) -> Self {
        let place = model.observed().binary_search(&station).ok();
        let recorded = place.and_then(|place| outcome.distributions.as_ref()?.stations.get(place));
        let at = |level: usize| {
            let time = recorded.and_then(|recorded| recorded.present.get(level).copied());
            units(time.unwrap_or_default().into())
        };
        Self { empty: at(0), full: at(model.capacity(station) as usize), ..self }
    }

    /// Of all stations together.
    fn of_network(self, model: &NetworkModel, outcome: &NetworkOutcome) -> Self {
        let Totals { arrivals, starts, completions, losses, busy, waiting, service, presence, serving, queued, .. } =
            outcome.stations.totals();
        let in_service = Time::NEVER;
        let record = FacilityRecord {
            arrivals,
            starts,
            completions,
            losses,
            busy,
            waiting,
            service,
            presence,
            in_service,
            serving,
            queued,
        };
        let tokens = ClassRecord { record, ..ClassRecord::default() }.and_own_of(&outcome.classes);
        let others = || (0..model.stations()).filter(|id| !model.has_fixed_servers(*id));
        let servers = model.all_servers() - others().map(|id| u64::from(model.servers(id))).sum::<u64>();
        let of_tokens = |id: u32| outcome.stations.facilities[id as usize].busy;
        let elsewhere = others().map(of_tokens).sum::<u128>();
        // Of servers that serve several tokens at once the time of the servers counts, not that of the tokens.
        let all = (0..model.stations()).filter(|id| model.has_fixed_servers(*id));
        let of_batches = all.filter_map(|id| busy_servers(model, id, outcome).map(|busy| (of_tokens(id), busy)));
        let (tokens_served, of_servers) = of_batches.fold((0, 0), |sums, of| (sums.0 + of.0, sums.1 + of.1));
        let classes = model.classes().len();
        let of_others = |id: u32| &outcome.classes[id as usize * classes..(id as usize + 1) * classes];
        let blocked = others().filter(|_| classes > 0).flat_map(of_others).map(|class| class.blocked).sum::<u128>();
        let down = others().filter_map(|id| outcome.down.get(id as usize)).sum::<u128>();
        let absent = |is_so: fn(&NetworkModel, u32) -> bool| {
            let times = (0..).zip(&outcome.absent).filter(|(id, _)| model.has_fixed_servers(*id) && is_so(model, *id));
            times.map(|(_, time)| *time).sum::<u128>()
        };
        let shared = Servers {
            busy: units(busy - elsewhere - tokens_served + of_servers),
            blocked: units(tokens.blocked - blocked),
            down: units(outcome.down.iter().sum::<u128>() - down),
            set_up: units(absent(|model, id| model.rules_of(id).setup.is_some())),
            away: units(absent(|model, id| model.rules_of(id).goes_away())),
            all: self.measured * servers as f64,
        };
        Self { tokens, shared, ..self }
    }

    pub(super) fn starts(&self) -> f64 {
        self.tokens.record.starts as f64
    }

    /// Tokens that found no room, did not join or lost their patience.
    pub(super) fn left_unserved(&self) -> u64 {
        self.tokens.record.losses + self.tokens.balked + self.tokens.reneged
    }

    /// The share of some tokens among those that arrived.
    pub(super) fn share_of(&self, tokens: u64) -> [f64; 2] {
        [tokens as f64, self.tokens.record.arrivals as f64]
    }

    /// The sum of the visits' durations, and their number.
    pub fn stays(&self) -> [f64; 2] {
        let ClassRecord { record, joining, joined, .. } = self.tokens;
        let blocked = units(self.tokens.blocked_after());
        let all = units(record.waiting) + units(record.service) + blocked + units(joining);
        [all, self.starts() + joined as f64]
    }
}
