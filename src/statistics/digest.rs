//! The digest of a run, and the first difference of two.
//!
//! SHA-256 over the facilities in id order, everything little-endian and 64 bits wide: `arrivals, starts,
//! completions, losses, busy, waiting, service, presence, in_service, queued`, then the `queued` arrival times of
//! the waiting tokens in the order of the queue. `in_service` is all ones where no service is in progress. Where several
//! are in progress (of several servers), `serving` and the ends of all but the first follow.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::{FacilityRecord, Outcome};

/// The 256 bits that two equal runs share.
///
/// ```
/// use tickless::queueing::{Torus, reference};
/// let run = |seed| reference::simulate(&Torus::new(4, 4).seed(seed).check().unwrap(), &mut tickless::run::unwatched());
/// assert_eq!(run(1)?.outcome.digest(), run(1)?.outcome.digest());
/// assert_ne!(run(1)?.outcome.digest(), run(2)?.outcome.digest());
/// # Ok::<(), tickless::RunError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of these 256 bits.
    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its 256 bits.
    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// Where two runs first differ.
///
/// ```
/// use tickless::queueing::{Torus, reference};
/// let model = Torus::new(4, 4).check()?;
/// let one = reference::simulate(&model, &mut tickless::run::unwatched())?.outcome;
/// let mut two = one.clone();
/// two.facilities[5].waiting += 1;
/// let difference = one.first_difference(&two).unwrap();
/// assert_eq!((difference.facility, difference.field.as_str()), (5, "waiting"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first facility that differs.
    pub facility: usize,
    /// Its first field that differs.
    pub field: String,
    /// The value in the first run.
    pub left: u64,
    /// The value in the second run.
    pub right: u64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "facility {}, field {}: {} against {}", self.facility, self.field, self.left, self.right)
    }
}

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
        let mut hash = Sha256::new();
        let (mut queue, mut services) = (self.queue.iter(), self.services.iter());
        for record in &self.facilities {
            let mut bytes = [0; 80];
            for (place, (_, value)) in bytes.chunks_exact_mut(8).zip(hashed(record)) {
                place.copy_from_slice(&value.to_le_bytes());
            }
            hash.update(bytes);
            for time in queue.by_ref().take(record.queued as usize) {
                hash.update(time.ticks().to_le_bytes());
            }
            if record.serving > 1 {
                hash.update(record.serving.to_le_bytes());
                for time in services.by_ref().take(record.serving as usize - 1) {
                    hash.update(time.ticks().to_le_bytes());
                }
            }
        }
        Digest(hash.finalize().into())
    }

    /// The first facility and field in which two runs of one model differ, or `None` where they are equal.
    pub fn first_difference(&self, other: &Self) -> Option<Difference> {
        let difference = |facility, field: String, left, right| Some(Difference { facility, field, left, right });
        if self.facilities.len() != other.facilities.len() {
            let (left, right) = (self.facilities.len() as u64, other.facilities.len() as u64);
            return difference(left.min(right) as usize, "number of facilities".into(), left, right);
        }
        let (mut at, mut service) = (0, 0);
        for (facility, (a, b)) in self.facilities.iter().zip(&other.facilities).enumerate() {
            let serving = |record: &FacilityRecord| ("serving", record.serving);
            let pairs = hashed(a).into_iter().chain([serving(a)]).zip(hashed(b).into_iter().chain([serving(b)]));
            for ((name, left), (_, right)) in pairs {
                if left != right {
                    return difference(facility, name.into(), left, right);
                }
            }
            for place in 0..a.queued as usize {
                let (left, right) = (self.queue[at + place].ticks(), other.queue[at + place].ticks());
                if left != right {
                    return difference(facility, format!("queue[{place}]"), left, right);
                }
            }
            at += a.queued as usize;
            let further = (a.serving as usize).saturating_sub(1);
            for place in 0..further {
                let (left, right) = (self.services[service + place].ticks(), other.services[service + place].ticks());
                if left != right {
                    return difference(facility, format!("services[{}]", place + 1), left, right);
                }
            }
            service += further;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Time;

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
                assert_eq!((found.facility, found.field.as_str()), (facility, field));
                assert_ne!(base.digest(), other.digest(), "{field}");
            }
        }
        let mut other = outcome();
        other.queue[3] = Time::from_ticks(7);
        let found = base.first_difference(&other).unwrap();
        assert_eq!((found.facility, found.field.as_str(), found.left, found.right), (2, "queue[1]", 6, 7));
        assert_ne!(base.digest(), other.digest());
        let mut other = outcome();
        other.services[2] = Time::from_ticks(14);
        let found = base.first_difference(&other).unwrap();
        assert_eq!((found.facility, found.field.as_str(), found.left, found.right), (2, "services[1]", 12, 14));
        assert_ne!(base.digest(), other.digest());
        other.facilities.pop();
        assert_eq!(base.first_difference(&other).unwrap().field, "number of facilities");
    }
}
