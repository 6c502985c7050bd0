//! What each class did at each station, from the records of `shaders/queueing/classes.wgsl`: a class at a station is a place, whose
//! visits are counted as those of a station.

use rayon::prelude::*;

use super::layout::{CLASS_SUMS, Layout};
use crate::queueing::QueueingError;
use crate::queueing::gpu::records::{NONE, Station, Token};
use crate::queueing::multiclass::{ClassRecord, Rules, together};
use crate::statistics::Outcome;
use crate::time::Time;

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
