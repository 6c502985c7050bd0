//! The digest of a run, and the first difference of two.
//!
//! SHA-256 over the following, everything little-endian and 64 bits wide: the numbers of facilities, of waiting tokens and of services in
//! progress, and four sums. To these each facility adds the weights of the upper 64 bits of `busy, waiting, service, presence`, then of
//! `arrivals, starts, completions, losses` and the lower 64 bits of those sums, each waiting token the record `facility, arrival`, each service
//! in progress the record `facility, end`.

use std::ops::Add;

use super::{AddedUp, FacilityRecord, Outcome, Totals};
use crate::run::{Difference, Digest, Place, Record, RecordKind, Sums};
use crate::time::Time;

/// `count` times of a list from `begin` on, as far as it has them.
fn part(times: &[Time], begin: usize, count: usize) -> &[Time] {
    times.get(begin..).map_or(&[], |times| &times[..count.min(times.len())])
}

/// Services in progress beside the one that ends first.
fn others(record: &FacilityRecord) -> usize {
    (record.serving as usize).saturating_sub(1)
}

/// The sums of the counts and times of a facility.
fn of_facility(facility: u64, record: &FacilityRecord) -> Sums {
    let words = record.words();
    let numbers: [u64; FacilityRecord::SUMS] = std::array::from_fn(|place| words[place]);
    Sums::weighed(Record::of(RecordKind::Station).word(facility), numbers)
}

impl Outcome {
    /// The digest: equal for equal runs, whatever the backend.
    pub fn digest(&self) -> Digest {
        let Totals { facilities, queued, serving, .. } = self.totals();
        Digest::of(|hashing| {
            hashing.record([facilities, queued, serving]);
            hashing.sums(self.added_up.map_or_else(|| self.sums(), |added_up| added_up.sums));
        })
    }

    /// The sums of all records.
    fn sums(&self) -> Sums {
        self.sums_of(|place| place as u64)
    }

    /// The sums of all records, of facilities with these numbers.
    #[doc(hidden)]
    pub fn sums_of(&self, number: impl Fn(usize) -> u64 + Send + Sync) -> Sums {
        let facilities = &self.facilities;
        let all = |kind: RecordKind, facility: usize, times: &[Time]| {
            let of_time = |time: &Time| Record::of(kind).word(number(facility)).word(time.ticks()).sums();
            times.iter().map(of_time).fold(Sums::default(), Sums::add)
        };
        let of_record = |place: usize, begin: usize| {
            let record = &facilities[place];
            let all_numbers = of_facility(number(place), record);
            let waiting = part(&self.queue, begin, record.queued as usize);
            // The service that ends first is in the record.
            let first = if record.in_service == Time::NEVER { &[] } else { &[record.in_service][..] };
            all_numbers + all(RecordKind::WaitingToken, place, waiting) + all(RecordKind::Service, place, first)
        };
        let of_others = |place: usize, begin: usize| {
            all(RecordKind::Service, place, part(&self.services, begin, others(&facilities[place])))
        };
        let records = Sums::of_parts(facilities.len(), |place| facilities[place].queued as usize, of_record);
        if self.services.is_empty() {
            return records;
        }
        records + Sums::of_parts(facilities.len(), |place| others(&facilities[place]), of_others)
    }

    /// The sums, whether there are records or not.
    fn sums_of_all(&self) -> AddedUp {
        self.added_up.unwrap_or_else(|| AddedUp { totals: self.totals(), sums: self.sums() })
    }

    /// The first facility and field in which two runs of one model differ, or `None` where they are equal. Where one of the
    /// runs has no records it is the first total that differs, or else `sums of the digest[i]`.
    pub fn first_difference(&self, other: &Self) -> Option<Difference> {
        if self.added_up.is_some() || other.added_up.is_some() {
            return self.sums_of_all().first_difference(&other.sums_of_all());
        }
        if self.facilities.len() != other.facilities.len() {
            let (left, right) = (self.facilities.len() as u64, other.facilities.len() as u64);
            return Difference::find(Place::WHOLE, "number of facilities", left, right);
        }
        let (mut waiting, mut service) = (0, 0);
        for (facility, (a, b)) in self.facilities.iter().zip(&other.facilities).enumerate() {
            let place = Place::of("facility", facility);
            let mut pairs = FacilityRecord::NAMES.into_iter().zip(a.words().into_iter().zip(b.words()));
            let found = pairs.find_map(|(name, (left, right))| Difference::find(place, name, left, right));
            // Both are of equal length, since the records are equal.
            let queued = waiting..waiting + a.queued as usize;
            let serving = service..service + others(a);
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

impl AddedUp {
    fn first_difference(&self, other: &Self) -> Option<Difference> {
        let mut pairs = Totals::NAMES.into_iter().zip(self.totals.words().into_iter().zip(other.totals.words()));
        let totals = pairs.find_map(|(name, (left, right))| Difference::find(Place::WHOLE, name, left, right));
        let sums = || {
            let [left, right] = [self.sums, other.sums].map(Sums::lanes);
            Difference::find_in(Place::WHOLE, ("sums of the digest", 0), left, right)
        };
        totals.or_else(sums)
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
        Outcome {
            facilities: vec![record, idle, record],
            queue,
            services,
            from: Time::ZERO,
            until: Time::UNIT,
            added_up: None,
        }
    }

    #[test]
    fn one_changed_value_anywhere_is_caught() {
        let base = outcome();
        assert_eq!(base.first_difference(&base), None);
        type Change = fn(&mut FacilityRecord);
        let changes: [(&str, Change); 12] = [
            ("waiting (high)", |r| r.waiting += 1 << 64),
            ("presence (high)", |r| r.presence += 3 << 64),
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
