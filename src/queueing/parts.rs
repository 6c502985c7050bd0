//! The results of ranks at the end of a run of a network, put together on rank 0.

use super::ClassRecord;
use super::model::Rules;
use super::partition::Partition;
use super::{NetworkModel, NetworkOutcome, SinkRecord};
use tickless_core::ranks::{Transport, TransportError};
use tickless_core::run::Sums;
use tickless_core::statistics::{AddedUp, FacilityRecord, Outcome, Totals, halves, sum_of};
use tickless_core::time::Time;

/// What a rank has, in words: counts and sinks, sources, then either sums or records, and these by class.
fn pack(own: &NetworkOutcome, numbers: &[u32], figures_only: bool) -> Vec<u64> {
    let NetworkOutcome { stations, sources, sinks, in_transit, tokens_before, lost_before, .. } = own;
    let NetworkOutcome { classes, class_sinks, down, absent, .. } = own;
    let Outcome { facilities, queue, services, from, until, .. } = stations;
    let mut words = vec![*in_transit, *tokens_before, *lost_before, from.ticks(), until.ticks()];
    words.extend(sinks.iter().chain(class_sinks).flat_map(SinkRecord::words));
    words.extend(sources);
    if figures_only {
        words.extend(stations.totals().words());
        words.extend(stations.sums_of(|place| numbers[place].into()).lanes());
        return words;
    }
    words.reserve(FacilityRecord::WORDS * facilities.len() + queue.len() + services.len());
    words.extend(facilities.iter().flat_map(FacilityRecord::words));
    words.extend(queue.iter().chain(services).map(|time| time.ticks()));
    words.extend(classes.iter().flat_map(ClassRecord::words));
    words.extend(down.iter().chain(absent).flat_map(|time| halves(*time)));
    words
}

/// The remaining words of a rank.
struct Words<'a>(&'a [u64]);

impl<'a> Words<'a> {
    fn take(&mut self, count: usize) -> &'a [u64] {
        self.0.split_off(..count.min(self.0.len())).unwrap_or_default()
    }

    fn next<const N: usize>(&mut self) -> [u64; N] {
        let mut words = [0; N];
        let taken = self.take(N);
        words[..taken.len()].copy_from_slice(taken);
        words
    }
}

/// The whole outcome on rank 0, `None` on others. The stations of this rank have `numbers` in the whole network.
///
/// # Errors
/// [`TransportError`].
pub(super) fn gather(
    model: &NetworkModel,
    cut: &Partition,
    own: NetworkOutcome,
    numbers: &[u32],
    figures_only: bool,
    transport: &mut dyn Transport,
) -> Result<Option<NetworkOutcome>, TransportError> {
    if transport.ranks() == 1 {
        return Ok(Some(own));
    }
    // Of classes the figures are those of records.
    let figures_only = figures_only && model.rules_of_classes().is_none();
    let own = with_times_of_servers(model, own);
    let words = pack(&own, numbers, figures_only);
    drop(own);
    let all = transport.gather(words)?;
    if transport.rank() > 0 {
        return Ok(None);
    }
    Ok(Some(whole(model, cut, &all, figures_only)))
}

/// With times of servers of each station of a rank, if they fail, set up or go away on any rank.
fn with_times_of_servers(model: &NetworkModel, own: NetworkOutcome) -> NetworkOutcome {
    let stations = own.stations.facilities.len();
    let of = |all: &[u128], has: bool| {
        (0..if has { stations } else { 0 }).map(|place| all.get(place).copied().unwrap_or(0)).collect()
    };
    let down = of(&own.down, model.rules().has_failures());
    let absent = of(&own.absent, model.rules().has_absences());
    NetworkOutcome { down, absent, ..own }
}

/// Puts together what all ranks have.
fn whole(model: &NetworkModel, cut: &Partition, all: &[Vec<u64>], figures_only: bool) -> NetworkOutcome {
    let mut ranks: Vec<Words> = all.iter().map(|words| Words(words)).collect();
    let nothing = Outcome {
        facilities: vec![],
        queue: vec![],
        services: vec![],
        from: Time::ZERO,
        until: Time::ZERO,
        added_up: None,
    };
    let mut outcome = NetworkOutcome::closed(nothing, 0);
    let classes = model.rules_of_classes().map_or(0, Rules::classes);
    outcome.sinks = vec![SinkRecord::default(); model.sinks() as usize];
    outcome.class_sinks = vec![SinkRecord::default(); (model.sinks() * classes) as usize];
    for words in &mut ranks {
        let [in_transit, tokens_before, lost_before, from, until] = words.next();
        outcome.in_transit += in_transit;
        outcome.tokens_before += tokens_before;
        outcome.lost_before += lost_before;
        (outcome.stations.from, outcome.stations.until) = (Time::from_ticks(from), Time::from_ticks(until));
        for sink in outcome.sinks.iter_mut().chain(&mut outcome.class_sinks) {
            *sink = sink.and(&SinkRecord::from_words(words.next()));
        }
    }
    let of_source = |source| {
        let [sent] = ranks[cut.rank_of(model.inflow(source).target) as usize].next();
        sent
    };
    outcome.sources = (0..model.sources()).map(of_source).collect();
    if figures_only {
        let mut added_up = AddedUp { totals: Totals::default(), sums: Sums::default() };
        for words in &mut ranks {
            added_up.totals = added_up.totals + Totals::from_words(words.next());
            added_up.sums += Sums::from(words.next());
        }
        outcome.stations.added_up = Some(added_up);
        return outcome;
    }
    let of_station = |station| FacilityRecord::from_words(ranks[cut.rank_of(station) as usize].next());
    let stations = &mut outcome.stations;
    stations.facilities = (0..model.stations()).map(of_station).collect();
    let mut times = |count: fn(&FacilityRecord) -> u64| -> Vec<Time> {
        let of_station = |(station, record): (u32, &FacilityRecord)| {
            ranks[cut.rank_of(station) as usize].take(count(record) as usize)
        };
        let times = (0..).zip(&stations.facilities).flat_map(of_station);
        times.map(|ticks| Time::from_ticks(*ticks)).collect()
    };
    stations.queue = times(|record| record.queued);
    stations.services = times(|record| record.serving.saturating_sub(1));
    let places = (0..model.stations()).flat_map(|station| (0..classes).map(move |_| cut.rank_of(station)));
    outcome.classes = places.map(|rank| ClassRecord::from_words(ranks[rank as usize].next())).collect();
    let mut times = |has: bool| -> Vec<u128> {
        let stations = if has { model.stations() } else { 0 };
        (0..stations).map(|station| sum_of(ranks[cut.rank_of(station) as usize].next())).collect()
    };
    outcome.down = times(model.rules().has_failures());
    outcome.absent = times(model.rules().has_absences());
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Network, Station};

    /// Five stations and two sources, with every field of its own value.
    fn outcome() -> NetworkOutcome {
        let mut value = 1_u64 << 40;
        let mut next = || {
            value += 1;
            value
        };
        let facilities = (0..5).map(|station: u64| {
            let words = std::array::from_fn(|_| next());
            FacilityRecord { serving: station, queued: 4 - station, ..FacilityRecord::from_words(words) }
        });
        let stations = Outcome {
            facilities: facilities.collect(),
            queue: (1..11).map(Time::from_ticks).collect(),
            services: (11..17).map(Time::from_ticks).collect(),
            from: Time::UNIT,
            until: Time::from_ticks(1 << 40),
            added_up: None,
        };
        let sinks = vec![SinkRecord { tokens: 8, from_sources: 7, sojourn: 5 << 70 | 3 }];
        let (sources, causality_errors) = (vec![20, 21], vec![]);
        let (in_transit, tokens_before, lost_before) = (30, 31, 32);
        NetworkOutcome {
            stations,
            sources,
            sinks,
            in_transit,
            tokens_before,
            lost_before,
            causality_errors,
            distributions: None,
            classes: vec![],
            class_sinks: vec![],
            series: None,
            folded: None,
            resources: vec![],
            forks: None,
            down: vec![],
            absent: vec![],
            groups: vec![],
            batches: vec![],
        }
    }

    /// The stations of a rank; the first rank also has the numbers of the whole network.
    fn part(whole: &NetworkOutcome, cut: &Partition, rank: u32) -> (NetworkOutcome, Vec<u32>) {
        let numbers: Vec<u32> = cut.stations_of(rank).collect();
        let (mut own, mut queue, mut services) =
            (whole.clone(), &whole.stations.queue[..], &whole.stations.services[..]);
        let mut classes = whole.classes.chunks(2);
        (own.classes, own.down, own.absent) = (vec![], vec![], vec![]);
        (own.stations.facilities, own.stations.queue, own.stations.services) = (vec![], vec![], vec![]);
        for (station, record) in (0..).zip(&whole.stations.facilities) {
            let waiting = queue.split_off(..record.queued as usize).unwrap();
            let serving = services.split_off(..record.serving.saturating_sub(1) as usize).unwrap();
            let classes = classes.next().unwrap_or_default();
            if numbers.contains(&station) {
                own.stations.facilities.push(*record);
                own.stations.queue.extend(waiting);
                own.stations.services.extend(serving);
                own.classes.extend(classes);
                // A rank where no server fails has nothing of that.
                own.down.extend(whole.down.get(station as usize).filter(|_| rank == 2));
                own.absent.extend(whole.absent.get(station as usize).filter(|_| rank == 2));
            }
        }
        own.sources = vec![];
        if rank > 0 {
            own.sinks = vec![SinkRecord::default()];
            own.class_sinks.iter_mut().for_each(|sink| *sink = SinkRecord::default());
            (own.in_transit, own.tokens_before, own.lost_before) = (0, 0, 0);
        }
        (own, numbers)
    }

    /// Records by class come from the rank of their station, and those of sinks are added up.
    #[test]
    fn parts_by_class_are_the_whole() {
        let mut network = network();
        network.class(Class::new("one"));
        network.class(Class::new("two"));
        let further = Station::new("f", "constant:1".parse().unwrap()).tokens(1);
        let law = || "constant:1".parse().unwrap();
        let further = further.failures(law(), law()).setup(law());
        let station = network.station(further);
        network.route(station, station, 1.0, 0.0);
        let model = network.check().unwrap();
        let cut = Partition::of_stations(vec![1, 0, 1, 2, 0, 2]);
        let mut expected = outcome();
        expected.sources = vec![];
        expected.stations.facilities.push(FacilityRecord::default());
        let record = |place: u64| ClassRecord::from_words(std::array::from_fn(|word| 100 * place + word as u64));
        expected.classes = (0..12).map(record).collect();
        expected.class_sinks = (1..3).map(|tokens| SinkRecord { tokens, ..SinkRecord::default() }).collect();
        expected.down = vec![0, 0, 0, 0, 0, 5 << 70];
        expected.absent = vec![0, 0, 0, 0, 0, 7 << 70];
        let words = |change: fn(&mut NetworkOutcome)| -> Vec<Vec<u64>> {
            let mut whole = expected.clone();
            change(&mut whole);
            let parts = (0..3).map(|rank| part(&whole, &cut, rank));
            let packed =
                |(own, numbers): (NetworkOutcome, Vec<u32>)| pack(&with_times_of_servers(&model, own), &numbers, false);
            parts.map(packed).collect()
        };
        let put = |change| whole(&model, &cut, &words(change), false);
        assert_eq!(put(|_| ()), expected);
        let changes: [fn(&mut NetworkOutcome); 5] = [
            |o| o.classes[7].reneged += 1,
            |o| o.classes.swap(0, 1),
            |o| o.class_sinks[1].tokens += 1,
            |o| o.down[5] += 1 << 64,
            |o| o.absent[5] += 1 << 64,
        ];
        for change in changes {
            assert_ne!(put(change), expected);
            assert_ne!(put(change).digest(), expected.digest());
        }
    }

    /// Five stations and a sink.
    fn network() -> Network {
        let mut network = Network::new();
        let sink = network.sink("exit");
        for name in ["a", "b", "c", "d", "e"] {
            let station = network.station(Station::new(name, "constant:1".parse().unwrap()).tokens(1));
            network.route(station, sink, 1.0, 0.0);
        }
        network
    }

    #[test]
    fn parts_are_the_whole() {
        let mut expected = outcome();
        expected.sources = vec![];
        let model = network().check().unwrap();
        let cut = Partition::of_stations(vec![1, 0, 1, 2, 0]);
        let words = |figures_only: bool, change: fn(&mut NetworkOutcome)| -> Vec<Vec<u64>> {
            let mut whole = expected.clone();
            change(&mut whole);
            let parts = (0..3).map(|rank| part(&whole, &cut, rank));
            parts.map(|(own, numbers)| pack(&own, &numbers, figures_only)).collect()
        };
        let put = |figures_only, change| whole(&model, &cut, &words(figures_only, change), figures_only);
        assert_eq!(put(false, |_| ()), expected);
        let figures = put(true, |_| ());
        assert_eq!(figures.stations.totals(), expected.stations.totals());
        assert_eq!(figures.digest(), expected.digest());
        assert_eq!(figures.first_difference(&expected), None);
        let changes: [fn(&mut NetworkOutcome); 6] = [
            |o| o.stations.facilities[2].presence += 1,
            |o| o.stations.queue[3] = Time::UNIT,
            |o| o.stations.services[5] = Time::UNIT,
            |o| o.stations.facilities.swap(0, 2),
            |o| o.sinks[0].sojourn += 1 << 64,
            |o| o.in_transit += 1,
        ];
        for change in changes {
            assert_ne!(put(false, change), expected);
            assert_ne!(put(true, change).digest(), expected.digest());
        }
    }
}
