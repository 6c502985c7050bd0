//! The records of each class at each station, from `shaders/queueing/classes.wgsl`: a class at a station is a place, whose visits
//! are counted like those of a station.

use rayon::prelude::*;

use super::layout::{CLASS_SUMS, Layout, SOURCE_WORDS, halves};
use crate::NetworkModel;
use crate::describe::{Routing, ShiftSchedule};
use crate::gpu::multiclass::{Features, batches, intervals};
use crate::gpu::records::{NONE, Station, Token};
use crate::model::Rules;
use crate::outcome::{ClassRecord, together};
use tickless_core::statistics::Outcome;
use tickless_core::time::Time;
use tickless_kernels::Mounts;

/// The mounts of a network of classes.
pub(super) fn mounts(model: &NetworkModel, rules: &Rules) -> Mounts {
    let features = Features::of(model, rules);
    let by_turns = rules.stations.iter().any(|station| station.routing == Routing::RoundRobin);
    let has_shifts = rules.stations.iter().any(|station| station.shift_schedule.is_some());
    Mounts::default()
        .with("classes", "queueing/classes")
        .with("shifts", if has_shifts { "queueing/shifts" } else { "queueing/no_shifts" })
        .with("routes", if by_turns { "queueing/routes_by_turns" } else { "queueing/routes_by_chance" })
        .with("comings", if features.come_by_law() { "queueing/comings_by_law" } else { "queueing/comings_varied" })
        .with("intervals", features.intervals())
        .with("source_words", "queueing/source_words")
}

/// The arrivals and batches of sources, in rows; returns the places of those of the first source.
pub(super) fn source_rows(rules: &Rules, words: &mut Vec<[u32; 4]>) -> [u32; 2] {
    let of_intervals = words.len() as u32;
    intervals(rules, words);
    let of_batches = words.len() as u32;
    batches(rules, words);
    [of_intervals, of_batches]
}

/// The first words of each station: whether its routes go in turn, and its shifts, whose rows are numbered from `first`; and the rows of
/// the shifts.
pub(super) fn station_rows(rules: &Rules, mut first: u32) -> (Vec<[u32; 3]>, Vec<[u32; 4]>) {
    let (mut stations, mut shifts) = (Vec::with_capacity(rules.stations.len()), vec![]);
    for station in &rules.stations {
        let lengths = station.shift_schedule.as_ref().map_or(vec![], |shift_schedule| shift_schedule.lengths());
        stations.push([u32::from(station.routing == Routing::RoundRobin), first, lengths.len() as u32]);
        first += lengths.len() as u32;
        shifts.extend(lengths.into_iter().map(|(length, servers)| {
            let [low, high] = halves(length);
            [low, high, servers, 0]
        }));
    }
    (stations, shifts)
}

/// The shifts that begin after time 0 and before `time`: they are events.
fn shifts_begun(rules: &Rules, time: Time) -> u64 {
    let rosters = rules.stations.iter().filter_map(|station| station.shift_schedule.as_ref());
    let begun = |shift_schedule: &ShiftSchedule| {
        (1..).take_while(|number| shift_schedule.shift(*number).is_some_and(|(at, _)| at < time)).count()
    };
    rosters.map(|shift_schedule| begun(shift_schedule) as u64).sum()
}

/// Events that bring no token, of all replications: shifts before a time, and changes of phase.
pub(super) fn changes(rules: &Rules, layout: &Layout, annex: &[u64], time: Time) -> u64 {
    let first =
        layout.places.class_sums as usize + CLASS_SUMS as usize * rules.visits.len() * layout.replications.len();
    let of_all = annex[first..].chunks(SOURCE_WORDS as usize).take(layout.sources() as usize);
    let has_phases = rules.sources.iter().map(|source| source.phases.is_some()).cycle();
    let phases: u64 = of_all.zip(has_phases).filter(|(_, has)| *has).map(|(words, _)| words[1]).sum();
    phases + layout.replications.len() as u64 * shifts_begun(rules, time)
}

/// The sums of each place of all replications. Afterwards tokens are at places, not at stations.
pub(super) fn by_place(rules: &Rules, layout: &Layout, annex: &[u64], tokens: &mut [Token]) -> Vec<Station> {
    let classes = rules.classes();
    tokens.par_iter_mut().filter(|token| token.station != NONE).for_each(|token| {
        // Its route belongs to the class that it had there.
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

/// The records of the stations and of their classes, from those of the places of a replication.
pub(super) fn of_stations(by_place: Outcome, rules: &Rules) -> (Outcome, Vec<ClassRecord>) {
    let count = rules.classes();
    let of_class = |record: &_| ClassRecord { record: *record, ..ClassRecord::default() };
    let classes: Vec<ClassRecord> = by_place.facilities.iter().map(of_class).collect();
    let (mut queue, mut services) = (by_place.queue.into_iter(), by_place.services.into_iter());
    let mut all = Outcome { facilities: vec![], queue: vec![], services: vec![], ..by_place };
    for classes in classes.chunks(count as usize) {
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
        all.facilities.push(together(classes));
    }
    (all, classes)
}
