//! The end of a run of a network.

mod batch_means;
mod classes;
mod folded;
mod groups;
mod resources;
mod series;
mod visits;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use batch_means::independent;
pub use classes::{ClassRecord, ForkRecord};
pub(crate) use classes::{ClassSinks, together};
pub use folded::{Folded, FoldedRecord};
pub use groups::GroupRecord;
pub use resources::ResourceRecord;
pub use series::Series;
use tickless_core::run::{Difference, Digest, Place};
use tickless_core::statistics::{Distribution, Outcome, add_counts as add, halves, longest_of_both, sum_of, trim};
use tickless_core::time::Time;
pub use visits::{Left, Visit};

/// The record of a sink.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::SinkRecord::default().tokens, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SinkRecord {
    /// Tokens that left here after the warm-up.
    pub tokens: u64,
    /// Of these, the tokens that came from a source.
    pub from_sources: u64,
    /// The time that these spent in the network, in ticks: 128 bits, since a few million stays pass 64.
    pub sojourn: u128,
}

impl SinkRecord {
    /// The sum of this record and another.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self {
            tokens: self.tokens + other.tokens,
            from_sources: self.from_sources + other.from_sources,
            sojourn: self.sojourn + other.sojourn,
        }
    }

    /// The number of its words.
    pub(super) const WORDS: usize = 4;

    /// Its words.
    pub(super) fn words(&self) -> [u64; Self::WORDS] {
        let [low, high] = halves(self.sojourn);
        [self.tokens, self.from_sources, low, high]
    }

    /// The record with these words.
    pub(super) fn from_words([tokens, from_sources, low, high]: [u64; Self::WORDS]) -> Self {
        Self { tokens, from_sources, sojourn: sum_of([low, high]) }
    }

    fn named(&self, place: &str) -> [(String, u64); 4] {
        let [tokens, from_sources, low, high] = self.words();
        let fields = [("tokens", tokens), ("from_sources", from_sources), ("sojourn", low), ("sojourn (high)", high)];
        fields.map(|(field, value)| (format!("{place}.{field}"), value))
    }

    /// The difference from an earlier record.
    pub(super) fn since(&self, before: &Self) -> Self {
        Self {
            tokens: self.tokens - before.tokens,
            from_sources: self.from_sources - before.from_sources,
            sojourn: self.sojourn - before.sojourn,
        }
    }
}

/// Recorded times and numbers beside their means (see [`super::Network::distributions`]).
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert!(tickless::queueing::Distributions::default().stations.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distributions {
    /// For each observed station, in the order of [`super::NetworkModel::observed`].
    pub stations: Vec<Distribution>,
    /// For each sink, the tokens from sources that left there, by the bin of their time in the network.
    pub sinks: Vec<Vec<u64>>,
    /// For each class at each observed station, station by station; empty for a network without classes. `present` counts the tokens of
    /// the class.
    pub classes: Vec<Distribution>,
    /// The same for each class at each sink, sink by sink.
    pub class_sinks: Vec<Vec<u64>>,
    /// For each sink, the tokens from sources that left there, by the number of targets below their time in the network; empty lists without
    /// targets ([`super::NetworkModel::targets`]).
    pub sink_targets: Vec<Vec<u64>>,
    /// The same for each class at each sink, sink by sink.
    pub class_sink_targets: Vec<Vec<u64>>,
    /// The longest time in the network of a token from a source that left at each sink, and behind these of each class at each sink, in ticks;
    /// empty where longest times are not recorded ([`super::NetworkModel::records_longest`]).
    pub longest: Vec<u64>,
}

impl Distributions {
    /// Lists of each sink, or of each class at each sink.
    #[doc(hidden)]
    pub const SINK_LISTS: usize = 2;

    /// Without trailing zeros, so that equal distributions are equal.
    #[must_use]
    pub(super) fn trimmed(mut self) -> Self {
        for list in [&mut self.stations, &mut self.classes] {
            *list = std::mem::take(list).into_iter().map(Distribution::trimmed).collect();
        }
        let sinks = self.sinks.iter_mut().chain(&mut self.class_sinks);
        sinks
            .chain(&mut self.sink_targets)
            .chain(&mut self.class_sink_targets)
            .chain([&mut self.longest])
            .for_each(trim);
        self
    }

    /// Adds the distributions of other times.
    fn add(&mut self, other: &Self) {
        let pairs = self.stations.iter_mut().zip(&other.stations);
        for (now, then) in pairs.chain(self.classes.iter_mut().zip(&other.classes)) {
            now.add(then);
        }
        self.longest = longest_of_both(std::mem::take(&mut self.longest), &other.longest);
        let pairs = self.sinks.iter_mut().zip(&other.sinks);
        pairs.chain(self.class_sinks.iter_mut().zip(&other.class_sinks)).for_each(|(now, then)| add(now, then));
    }

    /// The lists in the digest: all but lists of times that no token had.
    fn digested(&self) -> impl Iterator<Item = &[u64]> {
        let is_rare = |name: &str| {
            name.contains("targets")
                || name.ends_with("longest")
                || name.ends_with(".blocked")
                || name.ends_with(".joining")
        };
        self.lists().filter(move |(name, list)| !(is_rare(name) && list.is_empty())).map(|(_, list)| list)
    }

    /// Every list, with its name.
    pub(super) fn lists(&self) -> impl Iterator<Item = (String, &[u64])> {
        fn of_visits<'a>(name: &'a str, all: &'a [Distribution]) -> impl Iterator<Item = (String, &'a [u64])> {
            all.iter().enumerate().flat_map(move |(place, one)| {
                one.lists().map(|(field, list)| (format!("distributions.{name}[{place}].{field}"), &list[..]))
            })
        }
        fn of_sinks<'a>(name: &'a str, all: &'a [Vec<u64>]) -> impl Iterator<Item = (String, &'a [u64])> {
            let all = all.iter().enumerate();
            all.map(move |(place, list)| (format!("distributions.{name}[{place}]"), &list[..]))
        }
        of_visits("stations", &self.stations)
            .chain(of_sinks("sinks", &self.sinks))
            .chain(of_visits("classes", &self.classes))
            .chain(of_sinks("class_sinks", &self.class_sinks))
            .chain(of_sinks("sink_targets", &self.sink_targets))
            .chain(of_sinks("class_sink_targets", &self.class_sink_targets))
            .chain([("distributions.longest".to_owned(), &self.longest[..])])
    }
}

/// The results that two equal runs share: the stations' records, and the tokens that came in and went out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkOutcome {
    /// The stations.
    pub stations: Outcome,
    /// Tokens that each source sent after the warm-up.
    pub sources: Vec<u64>,
    /// The record of each sink.
    pub sinks: Vec<SinkRecord>,
    /// Tokens between stations at the end.
    pub in_transit: u64,
    /// Tokens in the network at the end of the warm-up; at the end of the run there are these, plus the tokens of sources,
    /// minus those that left or were lost, plus the copies that were made and minus those that were joined
    /// ([`ForkRecord`]).
    pub tokens_before: u64,
    /// Tokens lost before the end of the warm-up, which no station counts. They follow from the rest, and are not in the
    /// digest.
    pub lost_before: u64,
    /// In approximate time, the causality errors of each station after the warm-up: arrivals whose original time lies before
    /// that of the last accepted arrival at the station. Empty in exact time, which has none.
    pub causality_errors: Vec<u64>,
    /// Recorded distributions, if the network asks for them.
    pub distributions: Option<Box<Distributions>>,
    /// For every class at every station, station by station; empty for a network without classes, disciplines and
    /// patience.
    pub classes: Vec<ClassRecord>,
    /// For every class at every sink, sink by sink.
    pub class_sinks: ClassSinks,
    /// The numbers of tokens over time, if the network asks for them ([`super::Network::series`]).
    pub series: Option<Box<Series>>,
    /// What happened in each bin of a period, if the network asks for it ([`super::Network::fold`]).
    pub folded: Option<Box<Folded>>,
    /// For every resource.
    pub resources: Vec<ResourceRecord>,
    /// For every group of servers, station by station ([`super::NetworkModel::groups`]).
    pub groups: Vec<GroupRecord>,
    /// The record of copies, where tokens split.
    pub forks: Option<ForkRecord>,
    /// For every station how long its servers, added together, were out of order without a token, in ticks, cut at both ends of the measured
    /// time; empty for a network whose servers never fail.
    pub down: Vec<u128>,
    /// For every station how long its servers, added together, set up or were away, in ticks, cut at both ends of the measured time; empty
    /// for a network whose servers do neither.
    pub absent: Vec<u128>,
    /// The batches of the measured time, from which the intervals of this replication come; empty without batch means
    /// ([`super::batch_means`]). They are not in the digest.
    pub batches: Vec<NetworkOutcome>,
}

/// The digest of one replication, or SHA-256 over the digests of several.
pub fn combined_digest(outcomes: &[NetworkOutcome]) -> Digest {
    if let [outcome] = outcomes {
        return outcome.digest();
    }
    let each: Vec<Digest> = outcomes.par_iter().map(NetworkOutcome::digest).collect();
    Digest::of(|hashing| each.iter().for_each(|digest| hashing.digest(digest)))
}

/// The first replication in which two runs of one model differ, and where in it.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::device::Target;
/// use tickless::queueing::{self, Network, Station, first_difference};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "constant:1".parse()?).tokens(2));
/// network.route(desk, desk, 1.0, 0.0);
/// let model = network.check()?;
/// let run = queueing::run(&model, 0..3, Target::Heap, Default::default(), &mut tickless::run::unwatched())?;
/// let one = run.outcome;
/// let mut two = one.clone();
/// two[1].stations.facilities[0].arrivals += 1;
/// let difference = first_difference(&one, &two).unwrap().to_string();
/// assert!(difference.starts_with("replication 1, facility 0, field arrivals: "), "{difference}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_difference(first: &[NetworkOutcome], other: &[NetworkOutcome]) -> Option<Difference> {
    let of_pair = |(replication, (one, two)): (u32, (&NetworkOutcome, &NetworkOutcome))| {
        let difference = one.first_difference(two)?;
        Some(Difference { place: difference.place.in_replication(replication), ..difference })
    };
    let counts = || Difference::find(Place::WHOLE, "number of replications", first.len() as u64, other.len() as u64);
    (0..).zip(first.iter().zip(other)).find_map(of_pair).or_else(counts)
}

impl NetworkOutcome {
    /// This outcome of the rest of a run, added to the one before, up to the clock of a checkpoint: this one counts from there,
    /// or from the end of the warm-up if that is later.
    pub(super) fn behind(self, before: &Self, clock: Time, warmup: Time) -> Self {
        let mut all = self;
        all.stations.from = warmup;
        all.lost_before += before.lost_before;
        if clock < warmup {
            return all;
        }
        all.tokens_before = before.tokens_before;
        let pairs = all.stations.facilities.iter_mut().zip(&before.stations.facilities);
        pairs.for_each(|(now, then)| *now = now.and_sums_of(then));
        all.sources.iter_mut().zip(&before.sources).for_each(|(now, then)| *now += then);
        all.causality_errors.iter_mut().zip(&before.causality_errors).for_each(|(now, then)| *now += then);
        all.sinks.iter_mut().zip(&before.sinks).for_each(|(now, then)| *now = now.and(then));
        if let Some((now, then)) = all.distributions.as_mut().zip(before.distributions.as_ref()) {
            now.add(then);
        }
        all
    }

    /// Bytes of its lists.
    pub(super) fn list_bytes(&self) -> usize {
        let Outcome { facilities, queue, services, .. } = &self.stations;
        let recorded =
            self.distributions.as_ref().map_or(0, |all| all.lists().map(|(_, list)| size_of_val(list)).sum());
        size_of_val(&facilities[..])
            + size_of_val(&queue[..])
            + size_of_val(&services[..])
            + size_of_val(&self.sources[..])
            + size_of_val(&self.sinks[..])
            + size_of_val(&self.causality_errors[..])
            + size_of_val(&self.classes[..])
            + size_of_val(&self.class_sinks[..])
            + size_of_val(&self.resources[..])
            + size_of_val(&self.groups[..])
            + size_of_val(&self.down[..])
            + size_of_val(&self.absent[..])
            + self.noted().map(|(_, list)| size_of_val(list)).sum::<usize>()
            + recorded
    }

    /// For a closed network in exact time without transit delays.
    pub(super) fn closed(stations: Outcome, tokens: u64) -> Self {
        Self {
            stations,
            sources: vec![],
            sinks: vec![],
            in_transit: 0,
            tokens_before: tokens,
            lost_before: 0,
            causality_errors: vec![],
            distributions: None,
            classes: vec![],
            class_sinks: vec![],
            series: None,
            folded: None,
            resources: vec![],
            groups: vec![],
            forks: None,
            down: vec![],
            absent: vec![],
            batches: vec![],
        }
    }

    /// The noted numbers of tokens, list by list with names.
    fn noted(&self) -> impl Iterator<Item = (String, &[u64])> {
        let columns = self.series.iter().flat_map(|series| &series.columns).enumerate();
        let folded = self.folded.iter().flat_map(|folded| &folded.lists).enumerate();
        let folded = folded.map(|(place, list)| (format!("folded[{place}]"), &list[..]));
        columns.map(|(place, column)| (format!("series[{place}]"), &column[..])).chain(folded)
    }

    /// Tokens in the network at the end.
    pub fn tokens(&self) -> u64 {
        self.stations.statistics().tokens_present + self.in_transit
    }

    /// The causality errors of all stations together, or `None` in exact time.
    pub fn all_causality_errors(&self) -> Option<u64> {
        (!self.causality_errors.is_empty()).then(|| self.causality_errors.iter().sum())
    }

    /// SHA-256 over the stations' digest, then, everything little-endian and 64 bits wide (`sojourn` 128): each source's
    /// number; `tokens, from_sources, sojourn` of each sink; `in_transit`; in approximate time each station's
    /// `causality_errors`; where distributions are recorded, of each observed station `waiting`, `system` and `present`,
    /// `blocked`, `joining` and `targets` where these have something, and then each sink's, and then of the classes that the network names likewise,
    /// and then targets of sinks where these have something, each as its length and its values; of a network of classes, disciplines or patience each class's record at
    /// each station, in the order of [`ClassRecord`]'s fields up to `blocked`; behind all of these, where anything in them is not 0, of each
    /// class at each station `stopped` and `joining` (128 bits each), `joins`, `joined` and the upper 64 bits of `patience`, `blocked`, `busy`,
    /// `waiting`, `service` and `presence`; each class's record at each sink; where a series is noted, of each class in the network
    /// and then at each station its numbers, as their count and themselves; where there is a fold, of each class at each station and then
    /// of each resource its words by bins, likewise; of each
    /// resource `grants`, `in_use` and `held` (128 bits); where tokens split `copies` and `joined`; of each group of servers `busy` (128 bits)
    /// and its tokens by class; where servers fail `down` of each
    /// station (128 bits), and where servers set up or go away `absent` likewise.
    pub fn digest(&self) -> Digest {
        Digest::of(|hashing| {
            hashing.digest(&self.stations.digest());
            hashing.numbers(self.sources.iter().copied());
            self.sinks.iter().for_each(|sink| hashing.record(sink.words()));
            hashing.number(self.in_transit);
            hashing.numbers(self.causality_errors.iter().copied());
            self.distributions.iter().flat_map(|all| all.digested()).for_each(|list| hashing.list(list));
            hashing.numbers(ClassRecord::digested(&self.classes));
            self.class_sinks.iter().for_each(|sink| hashing.record(sink.words()));
            self.noted().for_each(|(_, list)| hashing.list(list));
            self.resources.iter().for_each(|resource| hashing.record(resource.words()));
            self.forks.iter().for_each(|forks| hashing.record([forks.copies, forks.joined]));
            self.groups.iter().for_each(|group| hashing.numbers(group.words()));
            self.down.iter().chain(&self.absent).for_each(|time| hashing.record(halves(*time)));
        })
    }

    /// Where two runs of one model first differ: at a station, or else (without a facility) in `sources[i]`, a field of
    /// `sinks[i]`, `in_transit`, `tokens_before`, `lost_before`, `causality_errors[i]` or a place of a distribution or a series.
    pub fn first_difference(&self, other: &Self) -> Option<Difference> {
        self.stations.first_difference(&other.stations).or_else(|| {
            let (ours, theirs) = (self.named(), other.named());
            if let Some((field, left, right)) = longer(self.distributions.as_deref(), other.distributions.as_deref()) {
                return Some(Difference { place: Place::WHOLE, field, left, right });
            }
            if ours.len() != theirs.len() {
                let (left, right) = (ours.len() as u64, theirs.len() as u64);
                return Difference::find(Place::WHOLE, "number of sources, sinks and counts", left, right);
            }
            let mut pairs = ours.iter().zip(&theirs);
            pairs.find_map(|((field, left), (_, right))| Difference::find(Place::WHOLE, field, *left, *right))
        })
    }

    /// All numbers beside those of the stations, with names.
    fn named(&self) -> Vec<(String, u64)> {
        let sources = self.sources.iter().enumerate().map(|(place, sent)| (format!("sources[{place}]"), *sent));
        let sinks = self.sinks.iter().enumerate().flat_map(|(place, sink)| sink.named(&format!("sinks[{place}]")));
        let before = [("tokens_before", self.tokens_before), ("lost_before", self.lost_before)];
        let others = [("in_transit", self.in_transit)].into_iter().chain(before);
        let errors = self.causality_errors.iter().enumerate();
        let errors = errors.map(|(place, count)| (format!("causality_errors[{place}]"), *count));
        let recorded = self.distributions.iter().flat_map(|recorded| recorded.lists()).flat_map(|(name, list)| {
            list.iter().enumerate().map(move |(place, value)| (format!("{name}[{place}]"), *value)).collect::<Vec<_>>()
        });
        let others = others.map(|(name, value)| (name.to_owned(), value));
        let classes = self.classes.iter().enumerate().flat_map(|(place, class)| {
            ClassRecord::names()
                .zip(class.words())
                .map(move |(field, value)| (format!("classes[{place}].{field}"), value))
        });
        let left =
            self.class_sinks.iter().enumerate().flat_map(|(place, sink)| sink.named(&format!("class_sinks[{place}]")));
        let noted = self.noted().flat_map(|(name, list)| {
            list.iter().enumerate().map(move |(place, value)| (format!("{name}[{place}]"), *value)).collect::<Vec<_>>()
        });
        let forks = self.forks.iter().flat_map(|forks| [("copies", forks.copies), ("joined", forks.joined)]);
        let forks = forks.map(|(field, value)| (format!("forks.{field}"), value));
        let resources = self.resources.iter().enumerate();
        let resources = resources.flat_map(|(place, resource)| resource.named(&format!("resources[{place}]")));
        let groups = self.groups.iter().enumerate();
        let groups = groups.flat_map(|(place, group)| group.named(&format!("groups[{place}]")));
        let of_servers = [("down", &self.down), ("absent", &self.absent)].into_iter().flat_map(|(name, times)| {
            times.iter().enumerate().flat_map(move |(place, time)| {
                let [low, high] = halves(*time);
                [(format!("{name}[{place}]"), low), (format!("{name}[{place}] (high)"), high)]
            })
        });
        let classes = classes.chain(left).chain(noted).chain(resources).chain(forks).chain(groups).chain(of_servers);
        sources.chain(sinks).chain(others).chain(errors).chain(recorded).chain(classes).collect()
    }
}

/// The first list whose length differs in two recordings, with both lengths.
fn longer(ours: Option<&Distributions>, theirs: Option<&Distributions>) -> Option<(String, u64, u64)> {
    let lengths = |recorded: Option<&Distributions>| -> Vec<(String, u64)> {
        let lists = recorded.into_iter().flat_map(Distributions::lists);
        lists.map(|(name, list)| (format!("length of {name}"), list.len() as u64)).collect()
    };
    let (ours, theirs) = (lengths(ours), lengths(theirs));
    let none = |(name, _): &(String, u64)| (name.clone(), 0);
    (0..ours.len().max(theirs.len())).find_map(|place| {
        let (a, b) = (ours.get(place), theirs.get(place));
        let (name, left) = a.cloned().or_else(|| b.map(none))?;
        let (_, right) = b.cloned().or_else(|| a.map(none))?;
        (left != right || a.is_none() != b.is_none()).then_some((name, left, right))
    })
}

#[cfg(test)]
mod tests;
