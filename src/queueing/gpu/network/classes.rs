//! What each class did at each station, from the records of `shaders/queueing/classes.wgsl`: a class at a station is a place, whose
//! visits are counted as those of a station.

use rayon::prelude::*;

use super::layout::{CLASS_SUMS, Layout, SOURCE_WORDS};
use crate::kernels::Mounts;
use crate::queueing::gpu::multiclass::{Features, batches, intervals};
use crate::queueing::gpu::records::{NONE, Station, Token};
use crate::queueing::multiclass::{ClassRecord, Routing, Rules, together};
use crate::queueing::{NetworkModel, QueueingError};
use crate::statistics::Outcome;
use crate::time::Time;

/// What a network of classes mounts.
pub(super) fn mounts(model: &NetworkModel, rules: &Rules) -> Mounts {
    let features = Features::of(model, rules);
    let by_turns = rules.stations.iter().any(|station| station.routing == Routing::RoundRobin);
    Mounts::default()
        .with("classes", "queueing/classes")
        .with("routes", if by_turns { "queueing/routes_by_turns" } else { "queueing/routes_by_chance" })
        .with("comings", if features.come_by_law() { "queueing/comings_by_law" } else { "queueing/comings_varied" })
        .with("intervals", features.intervals())
        .with("source_words", "queueing/source_words")
}

/// How tokens of sources come, and how many at a time, in rows; where those of the first source are.
pub(super) fn source_rows(rules: &Rules, words: &mut Vec<[u32; 4]>) -> [u32; 2] {
    let of_intervals = words.len() as u32;
    intervals(rules, words);
    let of_batches = words.len() as u32;
    batches(rules, words);
    [of_intervals, of_batches]
}

/// Changes of phase without a token, of all sources together, which are events.
pub(super) fn changes(rules: &Rules, layout: &Layout, annex: &[u64]) -> u64 {
    let first =
        layout.places.class_sums as usize + CLASS_SUMS as usize * rules.visits.len() * layout.replications.len();
    let of_all = annex[first..].chunks(SOURCE_WORDS as usize).take(layout.sources() as usize);
    let has_phases = rules.sources.iter().map(|source| source.phases.is_some()).cycle();
    of_all.zip(has_phases).filter(|(_, has)| *has).map(|(words, _)| words[1]).sum()
}

/// The sums of each place of all replications. Tokens are at places from then on.
pub(super) fn by_place(rules: &Rules, layout: &Layout, annex: &[u64], tokens: &mut [Token]) -> Vec<Station> {
    let classes = rules.classes();
    tokens.par_iter_mut().filter(|token| token.station != NONE).for_each(|token| {
        // Its route is one of the class that it had there.
        let place = rules.visits.partition_point(|visit| visit.end <= token.edge);
        token.station = token.station * classes + place as u32 % classes;
    });
    let (first, count) = (layout.places.class_sums as usize, layout.parameters.stations * classes);
    let sums = annex[first..].chunks(CLASS_SUMS as usize).take(count as usize);
    let halves = |word: u64| (word as u32, (word >> 32) as u32);
    let station = |words: &[u64]| {
        let ((visits, losses), (service_top, waiting_top)) = (halves(words[2]), halves(words[3]));
        let [service, waiting] = [words[0], words[1]];
        Station { state: 0, free: 0, service, waiting, visits, losses, service_top, waiting_top }
    };
    sums.map(station).collect()
}

/// The records of the stations, and those of their classes, of the places of a replication.
pub(super) fn of_stations(
    by_place: Result<Outcome, QueueingError>,
    rules: &Rules,
) -> Result<(Outcome, Vec<ClassRecord>), QueueingError> {
    let count = rules.classes();
    let by_place = by_place.map_err(|error| match error {
        QueueingError::Overflow { sum, facility } => QueueingError::Overflow { sum, facility: facility / count },
        error => error,
    })?;
    let of_class = |record: &_| ClassRecord { record: *record, ..ClassRecord::default() };
    let classes: Vec<ClassRecord> = by_place.facilities.iter().map(of_class).collect();
    let (mut queue, mut services) = (by_place.queue.into_iter(), by_place.services.into_iter());
    let mut all = Outcome { facilities: vec![], queue: vec![], services: vec![], ..by_place };
    for (id, classes) in (0..).zip(classes.chunks(count as usize)) {
        let number = |of: fn(&ClassRecord) -> u64| classes.iter().map(of).sum::<u64>() as usize;
        // In the order of arrival, and of the ends.
        let first = all.queue.len();
        all.queue.extend(queue.by_ref().take(number(|class| class.record.queued)));
        all.queue[first..].sort_unstable();
        let ends = classes.iter().map(|class| class.record.in_service).filter(|end| *end != Time::NEVER);
        let others = services.by_ref().take(number(|class| class.record.serving.saturating_sub(1)));
        let mut ends: Vec<Time> = ends.chain(others).collect();
        ends.sort_unstable();
        all.services.extend(ends.into_iter().skip(1));
        all.facilities.push(together(id, classes)?);
    }
    Ok((all, classes))
}
