//! Replications of a network as arrays of 64 bits and back, to the bit: what a shard of an ensemble keeps.
//!
//! With R replications: `stations` R rows of 15 words a station, as `FacilityRecord::NAMES` has them; `times` (begin and end of
//! the measured time), `counts` (`in_transit`, `tokens_before`, `lost_before`), `sources`, `sinks` (`tokens`, `from_sources`,
//! `sojourn` low and high) and `causality_errors` R rows; `waiting` and `services` the lists of all replications one after the
//! other, whose lengths are in `lengths`. Where distributions are recorded their lists are `recorded`, with lengths in
//! `recorded_lengths`: of the stations and sinks, then of the classes that the network names at each, then of the targets of sinks and of the
//! classes there. Of a network of classes, disciplines or patience `classes` has 29 words for each class at each station, those
//! of `ClassRecord::names`, and `class_sinks` each class at each sink. Where a series is
//! noted, `series` has its columns one after the other; `folded` has the lists of `Folded` so. `resources` has 4 words for each
//! resource, `groups` its time in two words, its batches and its tokens by class for each group of servers, `forks` copies and joined where tokens split, `down` two words a station where servers fail, `absent` where they set up or go away.

use super::{
    ClassRecord, Distributions, Folded, ForkRecord, GroupRecord, NetworkModel, NetworkOutcome, ResourceRecord, Series,
    SinkRecord,
};
use tickless_core::archive::{self, ArchiveError, Arrays, wrong};
use tickless_core::memory;
use tickless_core::statistics::{Distribution, FacilityRecord, Outcome, halves, sum_of};
use tickless_core::time::Time;

/// Words of a station and of a sink.
const STATION: usize = FacilityRecord::WORDS;
const SINK: usize = SinkRecord::WORDS;
/// Words of a class at a station.
const CLASS: usize = ClassRecord::WORDS;
/// Lists of an observed station.
const LISTS: usize = Distribution::LISTS;

/// The arrays of whole replications with all their records.
///
/// # Errors
/// Too little memory.
pub fn arrays_of(outcomes: &[NetworkOutcome]) -> Result<Arrays, ArchiveError> {
    let rows = outcomes.len();
    let records: Vec<_> = outcomes.iter().map(|outcome| &outcome.stations.facilities[..]).collect();
    let stations = archive::rows(&records, FacilityRecord::words, "the records of the stations")?;
    let ticks = |times: &Vec<Time>| times.iter().map(|time| time.ticks()).collect::<Vec<_>>();
    let all = |of: &dyn Fn(&NetworkOutcome) -> Vec<u64>| outcomes.iter().flat_map(of).collect::<Vec<_>>();
    let mut arrays = Arrays::default();
    arrays.add("stations", rows, stations);
    arrays.add("times", rows, all(&|o| vec![o.stations.from.ticks(), o.stations.until.ticks()]));
    arrays.add("counts", rows, all(&|o| vec![o.in_transit, o.tokens_before, o.lost_before]));
    arrays.add("sources", rows, all(&|o| o.sources.clone()));
    arrays.add("sinks", rows, all(&|o| o.sinks.iter().flat_map(SinkRecord::words).collect()));
    arrays.add("causality_errors", rows, all(&|o| o.causality_errors.clone()));
    arrays.add("lengths", rows, all(&|o| vec![o.stations.queue.len() as u64, o.stations.services.len() as u64]));
    if outcomes.iter().any(|outcome| !outcome.classes.is_empty()) {
        arrays.add("classes", rows, all(&|o| o.classes.iter().flat_map(ClassRecord::words).collect()));
        arrays.add("class_sinks", rows, all(&|o| o.class_sinks.iter().flat_map(SinkRecord::words).collect()));
    }
    if outcomes.iter().any(|outcome| outcome.series.is_some()) {
        let columns = |o: &NetworkOutcome| o.series.iter().flat_map(|series| series.columns.concat()).collect();
        arrays.add("series", rows, all(&columns));
    }
    if outcomes.iter().any(|outcome| outcome.folded.is_some()) {
        arrays.add("folded", rows, all(&|o| o.folded.iter().flat_map(|folded| folded.lists.concat()).collect()));
    }
    if outcomes.iter().any(|outcome| !outcome.resources.is_empty()) {
        arrays.add("resources", rows, all(&|o| o.resources.iter().flat_map(ResourceRecord::words).collect()));
    }
    if outcomes.iter().any(|outcome| !outcome.groups.is_empty()) {
        arrays.add("groups", rows, all(&|o| o.groups.iter().flat_map(GroupRecord::words).collect()));
    }
    if outcomes.iter().any(|outcome| outcome.forks.is_some()) {
        arrays.add("forks", rows, all(&|o| o.forks.iter().flat_map(|forks| [forks.copies, forks.joined]).collect()));
    }
    if outcomes.iter().any(|outcome| !outcome.down.is_empty()) {
        arrays.add("down", rows, all(&|o| o.down.iter().flat_map(|down| halves(*down)).collect()));
    }
    if outcomes.iter().any(|outcome| !outcome.absent.is_empty()) {
        arrays.add("absent", rows, all(&|o| o.absent.iter().flat_map(|absent| halves(*absent)).collect()));
    }
    arrays.add_list("waiting", all(&|o| ticks(&o.stations.queue)));
    arrays.add_list("services", all(&|o| ticks(&o.stations.services)));
    if outcomes.iter().all(|outcome| outcome.distributions.is_some()) {
        let lists =
            |o: &NetworkOutcome| o.distributions.iter().flat_map(|all| lists_of(all)).cloned().collect::<Vec<_>>();
        arrays.add("recorded_lengths", rows, all(&|o| lists(o).iter().map(|list| list.len() as u64).collect()));
        arrays.add_list("recorded", all(&|o| lists(o).concat()));
    }
    Ok(arrays)
}

fn lists_of(recorded: &Distributions) -> impl Iterator<Item = &Vec<u64>> {
    fn visits(all: &[Distribution]) -> impl Iterator<Item = &Vec<u64>> {
        all.iter().flat_map(|one| one.lists().map(|(_, list)| list))
    }
    let bins =
        visits(&recorded.stations).chain(&recorded.sinks).chain(visits(&recorded.classes)).chain(&recorded.class_sinks);
    bins.chain(&recorded.sink_targets).chain(&recorded.class_sink_targets).chain([&recorded.longest])
}

/// Takes lists of given lengths one after the other.
struct Lists {
    name: &'static str,
    words: std::vec::IntoIter<u64>,
}

impl Lists {
    fn take(arrays: &mut Arrays, name: &'static str) -> Result<Self, ArchiveError> {
        Ok(Self { name, words: arrays.take_list(name)?.into_iter() })
    }

    fn next(&mut self, length: u64) -> Result<Vec<u64>, ArchiveError> {
        let left = self.words.len() as u64;
        if length > left {
            return Err(wrong(self.name, format!("has {left} words left for a list of {length}")));
        }
        Ok(self.words.by_ref().take(length as usize).collect())
    }

    fn end(self) -> Result<(), ArchiveError> {
        match self.words.len() {
            0 => Ok(()),
            left => Err(wrong(self.name, format!("has {left} words that belong to no list"))),
        }
    }
}

/// The replications from the arrays of [`arrays_of`].
///
/// # Errors
/// [`ArchiveError::Array`] for arrays of another model, or of another number of replications.
pub fn outcomes_of(
    model: &NetworkModel,
    replications: usize,
    mut arrays: Arrays,
) -> Result<Vec<NetworkOutcome>, ArchiveError> {
    let rows = replications;
    let [stations, sources, sinks] = [model.stations(), model.sources(), model.sinks()].map(|count| count as usize);
    let errors = if model.approximate().is_some() { stations } else { 0 };
    let records = arrays.take("stations", rows, stations * STATION)?;
    let times = arrays.take("times", rows, 2)?;
    let counts = arrays.take("counts", rows, 3)?;
    let sent = arrays.take("sources", rows, sources)?;
    let left = arrays.take("sinks", rows, sinks * SINK)?;
    let causality_errors = arrays.take("causality_errors", rows, errors)?;
    let lengths = arrays.take("lengths", rows, 2)?;
    let count = model.classes().len();
    let of_classes = |arrays: &mut Arrays, name, width: usize| match count {
        0 => Ok(vec![]),
        _ => arrays.take(name, rows, width * count),
    };
    let classes = of_classes(&mut arrays, "classes", stations * CLASS)?;
    let class_sinks = of_classes(&mut arrays, "class_sinks", sinks * SINK)?;
    let noted = model.noted() as usize;
    let numbers = if noted > 0 { arrays.take("series", rows, noted)? } else { vec![] };
    let by_bins = Folded::words(model) as usize;
    let folded = if by_bins > 0 { arrays.take("folded", rows, by_bins)? } else { vec![] };
    let held = ResourceRecord::WORDS * model.resources().len();
    let resources = if held > 0 { arrays.take("resources", rows, held)? } else { vec![] };
    let of_group = GroupRecord::LEAST_WORDS + count;
    let by_groups = of_group * model.groups().len();
    let groups = if by_groups > 0 { arrays.take("groups", rows, by_groups)? } else { vec![] };
    let has_forks = model.rules().changes_numbers();
    let forks = if has_forks { arrays.take("forks", rows, 2)? } else { vec![] };
    let stations_of = model.stations() as usize;
    let mut of_servers = |name, has: bool| -> Result<Vec<u128>, ArchiveError> {
        let all = if has { arrays.take(name, rows, 2 * stations_of)? } else { vec![] };
        Ok(all.chunks_exact(2).map(|halves| sum_of([halves[0], halves[1]])).collect())
    };
    let down = of_servers("down", model.rules().has_failures())?;
    let absent = of_servers("absent", model.rules().has_absences())?;
    let (mut waiting, mut services) = (Lists::take(&mut arrays, "waiting")?, Lists::take(&mut arrays, "services")?);
    let mut recorded = recorded_of(model, rows, &mut arrays)?.into_iter();
    memory::room_of(8 * records.len() as u64, "the stations of the replications")?;
    let mut outcomes = memory::with_room(rows, "the replications of the shard")?;
    let ticks = |words: Vec<u64>| words.into_iter().map(Time::from_ticks).collect();
    let of_station = stations;
    for row in 0..rows {
        let part = |words: &[u64], each: usize| words[row * each..][..each].to_vec();
        let facilities = records[row * stations * STATION..][..stations * STATION].as_chunks().0;
        let stations = Outcome {
            facilities: facilities.iter().map(|words| FacilityRecord::from_words(*words)).collect(),
            queue: ticks(waiting.next(lengths[2 * row])?),
            services: ticks(services.next(lengths[2 * row + 1])?),
            from: Time::from_ticks(times[2 * row]),
            until: Time::from_ticks(times[2 * row + 1]),
            added_up: None,
        };
        outcomes.push(NetworkOutcome {
            stations,
            sources: part(&sent, sources),
            sinks: part(&left, sinks * SINK).as_chunks().0.iter().map(|words| SinkRecord::from_words(*words)).collect(),
            in_transit: counts[3 * row],
            tokens_before: counts[3 * row + 1],
            lost_before: counts[3 * row + 2],
            causality_errors: part(&causality_errors, errors),
            distributions: recorded.next().map(Box::new),
            classes: part(&classes, count * of_station * CLASS)
                .as_chunks()
                .0
                .iter()
                .map(|words| ClassRecord::from_words(*words))
                .collect(),
            class_sinks: part(&class_sinks, count * sinks * SINK)
                .as_chunks()
                .0
                .iter()
                .map(|words| SinkRecord::from_words(*words))
                .collect(),
            resources: part(&resources, held).as_chunks().0.iter().map(|words| ResourceRecord::of(*words)).collect(),
            groups: part(&groups, by_groups).chunks(of_group).map(GroupRecord::of).collect(),
            forks: has_forks.then(|| ForkRecord { copies: forks[2 * row], joined: forks[2 * row + 1] }),
            down: down.chunks(stations_of).nth(row).unwrap_or_default().to_vec(),
            absent: absent.chunks(stations_of).nth(row).unwrap_or_default().to_vec(),
            batches: vec![],
            folded: model.folding().map(|_| Box::new(Folded::of(model, &part(&folded, by_bins)))),
            series: model.series_step().map(|_| Box::new(Series::of(model, &part(&numbers, noted)))),
        });
    }
    waiting.end()?;
    services.end()?;
    Ok(outcomes)
}

/// The recorded distributions of each replication; empty where the model observes no station.
fn recorded_of(model: &NetworkModel, rows: usize, arrays: &mut Arrays) -> Result<Vec<Distributions>, ArchiveError> {
    if !model.records_times() {
        return Ok(vec![]);
    }
    let (observed, sinks, classes) = (model.observed().len(), model.sinks() as usize, model.named_classes() as usize);
    let lengths = arrays.take(
        "recorded_lengths",
        rows,
        (LISTS * observed + Distributions::SINK_LISTS * sinks) * (1 + classes) + 1,
    )?;
    let mut lists = Lists::take(arrays, "recorded")?;
    let mut lengths = lengths.into_iter();
    let mut list = || lists.next(lengths.next().unwrap_or(0));
    let visits = |list: &mut dyn FnMut() -> Result<Vec<u64>, ArchiveError>| {
        let mut one = Distribution::default();
        one.lists_mut().into_iter().try_for_each(|place| list().map(|list| *place = list))?;
        Ok::<_, ArchiveError>(one)
    };
    let mut all = vec![];
    for _ in 0..rows {
        let mut one = Distributions::default();
        for _ in 0..observed {
            one.stations.push(visits(&mut list)?);
        }
        for _ in 0..sinks {
            one.sinks.push(list()?);
        }
        for _ in 0..observed * classes {
            one.classes.push(visits(&mut list)?);
        }
        for _ in 0..sinks * classes {
            one.class_sinks.push(list()?);
        }
        for _ in 0..sinks {
            one.sink_targets.push(list()?);
        }
        for _ in 0..sinks * classes {
            one.class_sink_targets.push(list()?);
        }
        one.longest = list()?;
        all.push(one);
    }
    lists.end()?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Network, Observed, Source, Station, combined_digest};
    use tickless_core::run::unwatched;
    use tickless_device::Target;

    /// Replications with every part that an outcome can have.
    fn runs(network: Network) -> (NetworkModel, Vec<NetworkOutcome>) {
        let mut network = network.until(60.0).warmup(10.0);
        let desk = network.station(Station::new("desk", "exponential:2".parse().unwrap()).tokens(3).servers(2));
        let back = network.station(Station::new("back", "uniform:1,9".parse().unwrap()).capacity(3));
        let exit = network.sink("exit");
        network.source(Source::new("in", "exponential:1".parse().unwrap(), desk));
        network.route(desk, back, 0.7, 2.0);
        network.route(desk, exit, 0.3, 0.0);
        network.route(back, desk, 1.0, 0.0);
        let model = network.check().unwrap();
        let run = crate::run(&model, 3..8, Target::Heap, Default::default(), &mut unwatched()).unwrap();
        (model, run.outcome)
    }

    #[test]
    fn replications_come_back_to_the_bit() {
        for network in [
            Network::new(),
            Network::new().distributions(Observed::All),
            Network::new().distributions(Observed::Stations(vec!["back".into()])),
            Network::new().distributions(Observed::All).quantiles(vec![1.0]),
            Network::new().approximate(0.5),
        ] {
            let (model, outcomes) = runs(network);
            assert!(outcomes.iter().any(|outcome| !outcome.stations.queue.is_empty() && outcome.lost_before > 0));
            let arrays = arrays_of(&outcomes).unwrap();
            let back = outcomes_of(&model, outcomes.len(), arrays).unwrap();
            assert_eq!(back, outcomes);
            assert_eq!(combined_digest(&back), combined_digest(&outcomes));
        }
    }

    #[test]
    fn arrays_of_another_model_are_refused() {
        let (model, outcomes) = runs(Network::new());
        let arrays = || arrays_of(&outcomes).unwrap();
        let said = |found: Result<Vec<NetworkOutcome>, ArchiveError>| found.unwrap_err().to_string();
        assert!(said(outcomes_of(&model, 4, arrays())).contains("`stations` has the shape [5, 30], and [4, 30]"));
        let (recording, _) = runs(Network::new().distributions(Observed::All));
        assert!(said(outcomes_of(&recording, 5, arrays())).contains("`recorded_lengths` is missing"));
        let (approximate, _) = runs(Network::new().approximate(0.5));
        assert!(said(outcomes_of(&approximate, 5, arrays())).contains("`causality_errors`"));
        for name in ["waiting", "services"] {
            for longer in [false, true] {
                let mut changed = arrays();
                let mut list = changed.take_list(name).unwrap();
                let length = list.len();
                list.resize(if longer { length + 1 } else { length - 1 }, 7);
                changed.add_list(name, list);
                assert!(said(outcomes_of(&model, 5, changed)).contains(&format!("`{name}` has ")), "{name}");
            }
        }
    }
}
