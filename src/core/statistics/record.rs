//! The final record of a facility, the totals of all records, and both as words.
//!
//! The words of a record are those that a digest weighs, an archive keeps and a message carries: one list for all of
//! them.

use std::ops::Add;

use crate::time::Time;

/// The counts and sums of one facility from the end of the warm-up to the end of the run. All sums are in ticks.
///
/// ```
/// # use tickless_core::facade as tickless;
/// let record = tickless::statistics::FacilityRecord::default();
/// assert_eq!(record.completions, 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FacilityRecord {
    /// Tokens that arrived; those present at time 0 do not count.
    pub arrivals: u64,
    /// Services that started; those that start at time 0 count.
    pub starts: u64,
    /// Services that ended.
    pub completions: u64,
    /// Arrivals that found no room; always 0 where queues are unlimited.
    pub losses: u64,
    /// Busy time of all servers together, cut at both ends of the measured time.
    pub busy: u128,
    /// Waiting times of the services that started, counted whole at the start.
    pub waiting: u128,
    /// Service times of the services that started, uncut.
    pub service: u128,
    /// The time integral of the number present, cut at both ends.
    pub presence: u128,
    /// The earliest end of a service in progress, or [`Time::NEVER`].
    pub in_service: Time,
    /// Services in progress: at most 1 where there is one server.
    pub serving: u64,
    /// How many tokens wait.
    pub queued: u64,
}

/// The words of a sum: the lower 64 bits, then the upper ones.
#[doc(hidden)]
pub const fn halves(sum: u128) -> [u64; 2] {
    [sum as u64, (sum >> 64) as u64]
}

/// The sum with these words.
#[doc(hidden)]
pub const fn sum_of([low, high]: [u64; 2]) -> u128 {
    (high as u128) << 64 | low as u128
}

impl FacilityRecord {
    /// The number of words of a record.
    #[doc(hidden)]
    pub const WORDS: usize = 15;
    /// The number of words that add up: the first ones, which the digest weighs. Upper halves of sums come first: where they are 0
    /// their weight is 0.
    pub(super) const SUMS: usize = 12;
    /// The name of each word.
    #[doc(hidden)]
    pub const NAMES: [&'static str; Self::WORDS] = [
        "busy (high)",
        "waiting (high)",
        "service (high)",
        "presence (high)",
        "arrivals",
        "starts",
        "completions",
        "losses",
        "busy",
        "waiting",
        "service",
        "presence",
        "in_service",
        "serving",
        "queued",
    ];

    /// Its words.
    #[doc(hidden)]
    pub fn words(&self) -> [u64; Self::WORDS] {
        let Self { arrivals, starts, completions, losses, in_service, serving, queued, .. } = *self;
        let [[b, b_high], [w, w_high], [s, s_high], [p, p_high]] =
            [self.busy, self.waiting, self.service, self.presence].map(halves);
        let in_service = in_service.ticks();
        let high = [b_high, w_high, s_high, p_high];
        let low = [arrivals, starts, completions, losses, b, w, s, p, in_service, serving, queued];
        let mut words = high.into_iter().chain(low);
        std::array::from_fn(|_| words.next().unwrap_or_default())
    }

    /// The record with these words.
    #[doc(hidden)]
    pub fn from_words(words: [u64; Self::WORDS]) -> Self {
        let [b_high, w_high, s_high, p_high, rest @ ..] = words;
        let [arrivals, starts, completions, losses, b, w, s, p, in_service, serving, queued] = rest;
        let [busy, waiting, service, presence] = [[b, b_high], [w, w_high], [s, s_high], [p, p_high]].map(sum_of);
        let in_service = Time::from_ticks(in_service);
        Self { arrivals, starts, completions, losses, busy, waiting, service, presence, in_service, serving, queued }
    }

    /// The record with the counts and sums of another; tokens in service and in the queue stay as they are.
    #[must_use]
    #[doc(hidden)]
    pub fn and_sums_of(self, other: &Self) -> Self {
        Self {
            arrivals: self.arrivals + other.arrivals,
            starts: self.starts + other.starts,
            completions: self.completions + other.completions,
            losses: self.losses + other.losses,
            busy: self.busy + other.busy,
            waiting: self.waiting + other.waiting,
            service: self.service + other.service,
            presence: self.presence + other.presence,
            ..self
        }
    }
}

/// The totals of the records of all facilities. Times are in ticks.
///
/// ```
/// # use tickless_core::facade as tickless;
/// let totals = tickless::statistics::Totals::default();
/// assert_eq!((totals.facilities, totals.busy), (0, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many facilities there are.
    pub facilities: u64,
    /// Tokens that arrived.
    pub arrivals: u64,
    /// Services that started.
    pub starts: u64,
    /// Services that ended.
    pub completions: u64,
    /// Arrivals that found no room.
    pub losses: u64,
    /// Time that servers were busy.
    pub busy: u128,
    /// Waiting times of the services that started.
    pub waiting: u128,
    /// Their service times.
    pub service: u128,
    /// The time integral of the number present.
    pub presence: u128,
    /// Services in progress.
    pub serving: u64,
    /// Tokens that wait.
    pub queued: u64,
}

impl Totals {
    /// The totals of one facility.
    #[doc(hidden)]
    pub fn of(record: &FacilityRecord) -> Self {
        Self {
            facilities: 1,
            arrivals: record.arrivals,
            starts: record.starts,
            completions: record.completions,
            losses: record.losses,
            busy: record.busy,
            waiting: record.waiting,
            service: record.service,
            presence: record.presence,
            serving: record.serving,
            queued: record.queued,
        }
    }
}

impl Add for Totals {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            facilities: self.facilities + other.facilities,
            arrivals: self.arrivals + other.arrivals,
            starts: self.starts + other.starts,
            completions: self.completions + other.completions,
            losses: self.losses + other.losses,
            busy: self.busy + other.busy,
            waiting: self.waiting + other.waiting,
            service: self.service + other.service,
            presence: self.presence + other.presence,
            serving: self.serving + other.serving,
            queued: self.queued + other.queued,
        }
    }
}

impl Totals {
    /// The number of words.
    #[doc(hidden)]
    pub const WORDS: usize = 15;
    /// The name of each word.
    pub(super) const NAMES: [&'static str; Self::WORDS] = [
        "number of facilities",
        "arrivals of all",
        "starts of all",
        "completions of all",
        "losses of all",
        "serving of all",
        "queued of all",
        "busy of all",
        "busy of all (high)",
        "waiting of all",
        "waiting of all (high)",
        "service of all",
        "service of all (high)",
        "presence of all",
        "presence of all (high)",
    ];

    /// Their words.
    #[doc(hidden)]
    pub fn words(&self) -> [u64; Self::WORDS] {
        let Self { facilities, arrivals, starts, completions, losses, serving, queued, .. } = *self;
        let counts = [facilities, arrivals, starts, completions, losses, serving, queued];
        let sums = [self.busy, self.waiting, self.service, self.presence].map(halves);
        let mut words = counts.iter().chain(sums.as_flattened()).copied();
        std::array::from_fn(|_| words.next().unwrap_or_default())
    }

    /// The totals with these words.
    #[doc(hidden)]
    pub fn from_words(words: [u64; Self::WORDS]) -> Self {
        let [facilities, arrivals, starts, completions, losses, serving, queued, sums @ ..] = words;
        let [b, b_high, w, w_high, s, s_high, p, p_high] = sums;
        let [busy, waiting, service, presence] = [[b, b_high], [w, w_high], [s, s_high], [p, p_high]].map(sum_of);
        Self { facilities, arrivals, starts, completions, losses, busy, waiting, service, presence, serving, queued }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_back() {
        let words = std::array::from_fn(|place| 1 << 63 | place as u64);
        assert_eq!(FacilityRecord::from_words(words).words(), words);
        assert_eq!(Totals::from_words(words).words(), words);
        let record = FacilityRecord { waiting: 3 << 64 | 4, ..FacilityRecord::default() };
        let place = |name| FacilityRecord::NAMES.iter().position(|other| *other == name).unwrap();
        assert_eq!(["waiting", "waiting (high)"].map(|name| record.words()[place(name)]), [4, 3]);
    }
}
