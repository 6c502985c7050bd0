//! The digest of a run, and the first difference of two.
//!
//! SHA-256 over the facilities in id order, everything little-endian and 64 bits wide: `arrivals, starts,
//! completions, losses, busy, waiting, service, presence, in_service, queued`, then the `queued` arrival times of
//! the waiting tokens in the order of the queue. `in_service` is all ones where no service is in progress. Where several
//! are in progress (of several servers), `serving` and the ends of all but the first follow.

use super::{FacilityRecord, Outcome};
use crate::run::{Difference, Digest, Place};
use crate::time::Time;

/// The fields of a record in the order of the digest.
fn hashed(record: &FacilityRecord) -> [(&'static str, u64); 10] {
    [
        ("arrivals", record.arrivals),
        ("starts", record.starts),
        ("completions", record.completions),
        ("losses", record.losses),
        ("busy", record.busy),
        ("waiting", record.waiting),
        ("service", record.service),
        ("presence", record.presence),
        ("in_service", record.in_service.ticks()),
        ("queued", record.queued),
    ]
}

impl Outcome {
    /// The digest: equal for equal runs whatever the backend.
    pub fn digest(&self) -> Digest {
        Digest::of(|hashing| {
            let (mut queue, mut services) = (self.queue.iter(), self.services.iter());
            for record in &self.facilities {
                hashing.record(hashed(record).map(|(_, value)| value));
                hashing.times(queue.by_ref().take(record.queued as usize));
                if record.serving > 1 {
                    hashing.number(record.serving);
                    hashing.times(services.by_ref().take(record.serving as usize - 1));
                }
            }
        })
    }

    /// The first facility and field in which two runs of one model differ, or `None` where they are equal.
    pub fn first_difference(&self, other: &Self) -> Option<Difference> {
        if self.facilities.len() != other.facilities.len() {
            let (left, right) = (self.facilities.len() as u64, other.facilities.len() as u64);
            return Difference::find(Place::WHOLE, "number of facilities", left, right);
        }
        let (mut waiting, mut service) = (0, 0);
        for (facility, (a, b)) in self.facilities.iter().zip(&other.facilities).enumerate() {
            let place = Place::of("facility", facility);
            let serving = |record: &FacilityRecord| ("serving", record.serving);
            let mut pairs = hashed(a).into_iter().chain([serving(a)]).zip(hashed(b).into_iter().chain([serving(b)]));
            let found = pairs.find_map(|((name, left), (_, right))| Difference::find(place, name, left, right));
            // Of equal length where the records are equal.
            let queued = waiting..waiting + a.queued as usize;
            let serving = service..service + (a.serving as usize).saturating_sub(1);
            (waiting, service) = (queued.end, serving.end);
            let times = |name, left: &[Time], right: &[Time]| {
                let [left, right] = [left, right].map(|times| times.iter().map(|time| time.ticks()));
                Difference::find_in(place, name, left, right)
            };
            let found = found
                .or_else(|| times(("queue", 0), &self.queue[queued.clone()], &other.queue[queued]))
                .or_else(|| times(("services", 1), &self.services[serving.clone()], &other.services[serving]));
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> Outcome {
        let record = FacilityRecord { in_service: Time::from_ticks(9), serving: 3, queued: 2, ..Default::default() };
        let idle = FacilityRecord { in_service: Time::NEVER, ..Default::default() };
        let queue = [3, 4, 5, 6].map(Time::from_ticks).to_vec();
        let services = [10, 11, 12, 13].map(Time::from_ticks).to_vec();
        Outcome { facilities: vec![record, idle, record], queue, services, from: Time::ZERO, until: Time::UNIT }
    }

    #[test]
    fn one_changed_value_anywhere_is_caught() {
        let base = outcome();
        assert_eq!(base.first_difference(&base), None);
        type Change = fn(&mut FacilityRecord);
        let changes: [(&str, Change); 10] = [
            ("arrivals", |r| r.arrivals += 1),
            ("starts", |r| r.starts += 1),
            ("completions", |r| r.completions += 1),
            ("losses", |r| r.losses += 1),
            ("busy", |r| r.busy += 1),
            ("waiting", |r| r.waiting += 1),
            ("service", |r| r.service += 1),
            ("presence", |r| r.presence += 1),
            ("in_service", |r| r.in_service = Time::from_ticks(77)),
            ("serving", |r| r.serving += 2),
        ];
        for facility in 0..3 {
            for (field, change) in changes {
                let mut other = outcome();
                change(&mut other.facilities[facility]);
                let found = base.first_difference(&other).unwrap();
                assert_eq!((found.place, found.field.as_str()), (Place::of("facility", facility), field));
                assert_ne!(base.digest(), other.digest(), "{field}");
            }
        }
        let mut other = outcome();
        other.queue[3] = Time::from_ticks(7);
        let found = base.first_difference(&other).unwrap();
        assert_eq!(
            (found.place, found.field.as_str(), found.left, found.right),
            (Place::of("facility", 2), "queue[1]", 6, 7)
        );
        assert_ne!(base.digest(), other.digest());
        let mut other = outcome();
        other.services[2] = Time::from_ticks(14);
        let found = base.first_difference(&other).unwrap();
        assert_eq!(
            (found.place, found.field.as_str(), found.left, found.right),
            (Place::of("facility", 2), "services[1]", 12, 14)
        );
        assert_ne!(base.digest(), other.digest());
        other.facilities.pop();
        assert_eq!(base.first_difference(&other).unwrap().field, "number of facilities");
    }
}
