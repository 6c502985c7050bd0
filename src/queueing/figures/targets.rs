//! Shares of times within targets.

use super::{Sums, Whose};
use crate::outcome::independent;
use crate::{Distributions, NetworkModel, NetworkOutcome};
use tickless_core::statistics::Estimate;
use tickless_core::time::Time;

/// What lasts no longer than a target.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::figures::Lasting;
/// assert_eq!(Lasting::Waiting.key(), "waiting_within");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasting {
    /// Waits, of the services that started.
    Waiting,
    /// The same waits, of these services and the tokens that found no room, did not join or lost their patience.
    Served,
    /// Visits, as `system` of [`tickless_core::statistics::Distribution`] has them.
    System,
    /// Times in the network, of the tokens from sources that left.
    Network,
}

impl Lasting {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Waiting, Self::Served, Self::System, Self::Network];

    /// Its name in results and measures.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Waiting => "waiting_within",
            Self::Served => "served_within",
            Self::System => "system_within",
            Self::Network => "time_within",
        }
    }

    /// The name of a quantile in measures; `None` where there is none.
    pub const fn quantile(self) -> Option<&'static str> {
        match self {
            Self::Waiting => Some("waiting_quantile"),
            Self::Served => None,
            Self::System => Some("system_quantile"),
            Self::Network => Some("time_quantile"),
        }
    }

    /// Those of an owner's targets.
    fn of(model: &NetworkModel, whose: Whose) -> &'static [Self] {
        match whose {
            Whose::Station(id) | Whose::Class { station: id, .. } if may_leave(model, id) => &Self::ALL[..3],
            Whose::Station(_) | Whose::Class { .. } => &[Self::Waiting, Self::System],
            Whose::Sink(_) | Whose::ClassAtSink { .. } => &[Self::Network],
            Whose::Network | Whose::Source(_) | Whose::Resource(_) | Whose::Group(_) => &[],
        }
    }

    /// The counts by targets and by bins.
    fn counts<'a>(self, model: &NetworkModel, whose: Whose, recorded: &'a Distributions) -> Option<Counts<'a>> {
        let classes = model.named_classes() as usize;
        let of_sink = |targets: &'a [Vec<u64>], bins: &'a [Vec<u64>], (place, at): (usize, usize)| {
            Some(Counts {
                targets: targets.get(place)?,
                bins: bins.get(place)?,
                longest: recorded.longest.get(at).copied(),
            })
        };
        let place = |id: u32| model.observed().binary_search(&id).ok();
        let of = match whose {
            Whose::Class { station, class } if classes > 0 => {
                recorded.classes.get(place(station)? * classes + class as usize)?
            }
            Whose::Station(id) | Whose::Class { station: id, .. } => recorded.stations.get(place(id)?)?,
            Whose::ClassAtSink { sink, class } if classes > 0 => {
                let place = sink as usize * classes + class as usize;
                let at = recorded.sinks.len() + place;
                return of_sink(&recorded.class_sink_targets, &recorded.class_sinks, (place, at));
            }
            Whose::Sink(sink) | Whose::ClassAtSink { sink, .. } => {
                return of_sink(&recorded.sink_targets, &recorded.sinks, (sink as usize, sink as usize));
            }
            Whose::Network | Whose::Source(_) | Whose::Resource(_) | Whose::Group(_) => return None,
        };
        let longest = |place: usize| of.longest.get(place).copied();
        Some(match self {
            Self::System => Counts { targets: &of.system_targets, bins: &of.system, longest: longest(1) },
            _ => Counts { targets: &of.waiting_targets, bins: &of.waiting, longest: longest(0) },
        })
    }
}

/// The counts of times in a replication.
struct Counts<'a> {
    targets: &'a [u64],
    bins: &'a [u64],
    /// The longest time in ticks, where it is recorded.
    longest: Option<u64>,
}

/// Whether tokens may leave a station without a service.
fn may_leave(model: &NetworkModel, station: u32) -> bool {
    let rules = model.rules_of(station);
    let is_full = model.capacity(station) < u32::MAX
        || (0..model.rules().classes()).any(|class| model.visit_of(station, class).capacity < u32::MAX);
    is_full || !rules.balking.is_empty() || model.rules().has_patience(station)
}

/// The share of times within a target, over replications.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, run::unwatched};
/// use tickless::queueing::{self, Network, Sink, Source, Station, figures::{Lasting, Whose}};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "constant:1".parse()?));
/// let exit = network.add_sink(Sink::new("exit").targets(vec![1.0, 0.5]));
/// network.source(Source::new("in", "constant:2".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let model = network.check()?;
/// let run = queueing::run(&model, 0..2, Target::Heap, Default::default(), &mut unwatched())?;
/// let all = model.within(Whose::Sink(0), &run.outcome);
/// // All stay for just one time unit: that is within 1, and not within 0.5.
/// assert_eq!(all.iter().map(|one| (one.target, one.share.mean)).collect::<Vec<_>>(), [(0.5, 0.0), (1.0, 1.0)]);
/// assert!(all.iter().all(|one| one.lasting == Lasting::Network));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within {
    /// What lasts no longer.
    pub lasting: Lasting,
    /// The target, in time units.
    pub target: f64,
    /// From 0 to 1; `count` 0 where there was no such time.
    pub share: Estimate,
}

/// How far a target that is named may be from one that there is, as a share of it.
const NEARLY: f64 = 1e-3;

impl NetworkModel {
    /// The quantiles that results tell; empty where these are 0.5, 0.9, 0.95 and 0.99.
    #[doc(hidden)]
    pub fn quantiles(&self) -> &[f64] {
        &self.description().quantiles
    }

    /// The targets of all stations, sinks and classes, each once, in order ([`crate::Station::targets`]).
    pub fn targets(&self) -> &[Time] {
        &self.targets
    }

    /// Whether single times are recorded: in bins, or by targets.
    #[doc(hidden)]
    pub fn records_times(&self) -> bool {
        self.scale.is_some() || !self.targets.is_empty()
    }

    /// Whether the longest times are recorded as they are: where the largest quantile is asked for, which is 1.
    #[doc(hidden)]
    pub fn records_longest(&self) -> bool {
        self.scale.is_some() && self.description().asks_for_longest()
    }

    /// The targets of a station, of a class there, of a sink, or of a class there, which has those of the sink, too; in order, in time units.
    pub fn targets_of(&self, whose: Whose) -> Vec<f64> {
        let network = self.description();
        let mut all = match whose {
            _ if self.targets().is_empty() => vec![],
            Whose::Station(id) | Whose::Class { station: id, .. } => {
                network.stations[id as usize].own_targets().to_vec()
            }
            Whose::Sink(id) => network.sinks[id as usize].targets.clone(),
            Whose::ClassAtSink { sink, class } => {
                let of_class = network.classes.get(class as usize).map_or(&[][..], |class| &class.targets);
                [&network.sinks[sink as usize].targets[..], of_class].concat()
            }
            Whose::Network | Whose::Source(_) | Whose::Resource(_) | Whose::Group(_) => vec![],
        };
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }

    /// The shares of times within each target of an owner.
    ///
    /// # Panics
    /// Where the model has no such owner, or the outcome no records.
    pub fn within(&self, whose: Whose, outcomes: &[NetworkOutcome]) -> Vec<Within> {
        let targets = self.targets_of(whose);
        // Stations of a torus, which are computed, have none.
        let lasting = if targets.is_empty() { &[][..] } else { Lasting::of(self, whose) };
        let each = targets.into_iter().flat_map(|target| lasting.iter().map(move |of| (*of, target)));
        let share = |(lasting, target)| {
            let pairs = self.pairs_within(whose, (lasting, target), outcomes).unwrap_or_default();
            Within { lasting, target, share: Estimate::ratio(pairs) }
        };
        each.map(share).collect()
    }

    /// In each replication the time that a share of its times does not exceed, in time units, above 1, or above 0 where there was none; `None`
    /// where these times are not recorded. That of the share 1 is the longest time, which has to be recorded as it is.
    #[doc(hidden)]
    pub fn quantiles_of(
        &self,
        whose: Whose,
        (lasting, below): (Lasting, f64),
        outcomes: &[NetworkOutcome],
    ) -> Option<Vec<[f64; 2]>> {
        let scale = self.scale()?;
        let is_seen = match whose {
            Whose::Station(id) | Whose::Class { station: id, .. } => self.observed().contains(&id),
            _ => true,
        };
        let is_kept = below < 1.0 || self.records_longest();
        if lasting == Lasting::Served || !is_seen || !is_kept || !Lasting::of(self, whose).contains(&lasting) {
            return None;
        }
        let quantile = |outcome: &NetworkOutcome| {
            let counts = lasting.counts(self, whose, outcome.distributions.as_deref()?)?;
            let time = scale.quantile(counts.bins, below)?;
            let longest = counts.longest.map(|ticks| Time::from_ticks(ticks).units());
            Some(if below < 1.0 { time.min(longest.unwrap_or(time)) } else { longest.unwrap_or(time) })
        };
        Some(
            independent(outcomes)
                .iter()
                .map(|outcome| quantile(outcome).map_or([0.0; 2], |time| [time, 1.0]))
                .collect(),
        )
    }

    /// In each replication how many times are within a target, and of how many; `None` where the owner has no such target.
    #[doc(hidden)]
    pub fn pairs_within(
        &self,
        whose: Whose,
        (lasting, target): (Lasting, f64),
        outcomes: &[NetworkOutcome],
    ) -> Option<Vec<[f64; 2]>> {
        let is_own = Lasting::of(self, whose).contains(&lasting);
        // Nobody writes a third of a minute with all its digits.
        let own = self.targets_of(whose).into_iter().filter(|own| (own - target).abs() <= NEARLY * own);
        let nearest = own.min_by(|a, b| (a - target).abs().total_cmp(&(b - target).abs()))?;
        let place = self.targets().binary_search(&Time::from_units(nearest).filter(|_| is_own)?).ok()?;
        let pair = |outcome: &NetworkOutcome| {
            let recorded = outcome.distributions.as_deref();
            let counts = recorded.and_then(|recorded| lasting.counts(self, whose, recorded));
            let counts = counts.map_or(&[][..], |counts| counts.targets);
            let left = if lasting == Lasting::Served { Sums::of_one(self, whose, outcome).left_unserved() } else { 0 };
            let within = counts.iter().take(place + 1).sum::<u64>();
            [within as f64, (counts.iter().sum::<u64>() + left) as f64]
        };
        Some(independent(outcomes).iter().map(pair).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facade::{device::Target, run::unwatched};
    use crate::{Class, Network, Observed, Sink, Source, Station};

    /// Four tokens of a class wait for 0, 0.25, 0.5 and 0.75 time units and are served for one; one of another class finds no room.
    #[test]
    fn shares_are_those_of_single_tokens() {
        let law = |text: &str| text.parse().expect("a law");
        let mut network = Network::new().until(10.0).distributions(Observed::All).quantiles(vec![1.0]);
        let one = network.class(Class::new("one").targets(vec![1.5]));
        let other = network.class(Class::new("other"));
        let desk = network.station(Station::new("desk", law("constant:1")).capacity(2).targets(vec![0.5, 0.0, 1.5]));
        let exit = network.add_sink(Sink::new("exit").targets(vec![1.25]));
        network.source(Source::new("a", law("constant:0.75"), desk).class(one).limit(4));
        network.source(Source::new("b", law("constant:2.4"), desk).class(other).limit(1));
        network.route(desk, exit, 1.0, 0.0);
        let model = network.check().expect("a model");
        assert_eq!(model.targets(), [0.0, 0.5, 1.25, 1.5].map(|target| Time::from_units(target).expect("a time")));
        let run = crate::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
        let shares = |whose| -> Vec<_> {
            let all = model.within(whose, &run.outcome).into_iter();
            all.map(|one| (one.lasting.key(), one.target, (one.share.count > 0).then_some(one.share.mean))).collect()
        };
        let of_desk = |[waiting, served, system]: [[Option<f64>; 3]; 3]| -> Vec<_> {
            let each = |place: usize, target| {
                let keys = ["waiting_within", "served_within", "system_within"];
                keys.into_iter().zip([waiting, served, system]).map(move |(key, of)| (key, target, of[place]))
            };
            each(0, 0.0).chain(each(1, 0.5)).chain(each(2, 1.5)).collect()
        };
        let [waiting, system] = [[0.25, 0.75, 1.0], [0.0, 0.0, 0.75]].map(|all| all.map(Some));
        assert_eq!(shares(Whose::Station(0)), of_desk([waiting, [0.2, 0.6, 0.8].map(Some), system]));
        assert_eq!(shares(Whose::Class { station: 0, class: 0 }), of_desk([waiting, waiting, system]));
        assert_eq!(shares(Whose::Class { station: 0, class: 1 }), of_desk([[None; 3], [Some(0.0); 3], [None; 3]]));
        let key = "time_within";
        assert_eq!(shares(Whose::Sink(0)), [(key, 1.25, Some(0.5))]);
        assert_eq!(shares(Whose::ClassAtSink { sink: 0, class: 0 }), [(key, 1.25, Some(0.5)), (key, 1.5, Some(0.75))]);
        let longest = |whose, lasting| model.quantiles_of(whose, (lasting, 1.0), &run.outcome);
        let [desk, one] = [Whose::Station(0), Whose::Class { station: 0, class: 0 }];
        for whose in [desk, one] {
            assert_eq!(longest(whose, Lasting::Waiting), Some(vec![[0.75, 1.0]]));
            assert_eq!(longest(whose, Lasting::System), Some(vec![[1.75, 1.0]]));
        }
        // Nobody of the other class was served.
        assert_eq!(longest(Whose::Class { station: 0, class: 1 }, Lasting::Waiting), Some(vec![[0.0; 2]]));
        for whose in [Whose::Sink(0), Whose::ClassAtSink { sink: 0, class: 0 }] {
            assert_eq!(longest(whose, Lasting::Network), Some(vec![[1.75, 1.0]]));
        }
        let plain = Network { quantiles: vec![], ..model.description().clone() }.check().expect("a model");
        assert_eq!(plain.quantiles_of(Whose::Sink(0), (Lasting::Network, 1.0), &run.outcome), None);
        let bare =
            Network { distributions: Observed::Nothing, ..plain.description().clone() }.check().expect("a model");
        assert_eq!(bare.quantiles_of(Whose::Sink(0), (Lasting::Network, 0.5), &run.outcome), None);
        let run = crate::run(&bare, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
        assert_eq!(bare.within(Whose::Sink(0), &run.outcome), model.within(Whose::Sink(0), &run.outcome));
        // No target of 1 is counted.
        assert_eq!(model.pairs_within(Whose::Sink(0), (Lasting::Network, 1.0), &run.outcome), None);
    }
}
