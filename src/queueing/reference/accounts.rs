//! The counts and integrals of a station from the end of the warm-up on.

use serde::{Deserialize, Serialize};
use tickless_core::statistics::FacilityRecord;
use tickless_core::time::Time;

/// The counts and integrals of a station. The integral of a number over time is the sum of the times at which it falls, less those at which
/// it rises: one addition a change.
#[derive(Serialize, Deserialize)]
#[repr(C)]
pub(super) struct Accounts {
    warmup: Time,
    arrivals: u64,
    present: u64,
    serving: u64,
    /// The times at which tokens have gone, less those at which they have come.
    presence: i128,
    /// The times at which services have ended, less those at which they have begun.
    busy: i128,
    waiting: u128,
    service: u128,
    starts: u64,
    completions: u64,
    losses: u64,
}

impl Accounts {
    pub(super) fn new(warmup: Time) -> Self {
        Self {
            warmup,
            arrivals: 0,
            present: 0,
            serving: 0,
            presence: 0,
            busy: 0,
            waiting: 0,
            service: 0,
            starts: 0,
            completions: 0,
            losses: 0,
        }
    }

    /// Tokens here.
    pub(super) fn present(&self) -> u64 {
        self.present
    }

    /// Services that have ended, from the end of the warm-up on.
    pub(super) fn completions(&self) -> u64 {
        self.completions
    }

    /// Tokens that found no room, from then on.
    pub(super) fn losses(&self) -> u64 {
        self.losses
    }

    /// Tokens in service.
    pub(super) fn serving(&self) -> u64 {
        self.serving
    }

    /// A time as the integrals count it.
    #[inline]
    fn time(&self, now: Time) -> i128 {
        now.max(self.warmup).ticks().into()
    }

    #[inline]
    fn counted(&self, now: Time) -> u64 {
        u64::from(now >= self.warmup)
    }

    /// An arrival that finds room, or none.
    #[inline]
    pub(super) fn arrives(&mut self, now: Time, full: bool) {
        let counted = self.counted(now);
        self.arrivals += counted;
        self.losses += counted * u64::from(full);
    }

    /// Adds tokens that are here at time 0.
    pub(super) fn begins(&mut self, count: u64) {
        self.presence -= i128::from(count) * self.time(Time::ZERO);
        self.present += count;
    }

    /// Adds services of these tokens that began before counting.
    pub(super) fn serves(&mut self, count: u64) {
        self.busy -= i128::from(count) * self.time(Time::ZERO);
        self.serving += count;
    }

    /// A token is here from now on.
    #[inline]
    pub(super) fn enters(&mut self, now: Time) {
        self.presence -= self.time(now);
        self.present += 1;
    }

    /// A service starts after a wait.
    #[inline]
    pub(super) fn starts(&mut self, now: Time, wait: Time, service: Time) {
        self.busy -= self.time(now);
        self.serving += 1;
        if now >= self.warmup {
            self.starts += 1;
            self.waiting += u128::from(wait.ticks());
            self.service += u128::from(service.ticks());
        }
    }

    /// A service goes on after a wait that interrupted it.
    pub(super) fn resumes(&mut self, now: Time, wait: Time) {
        self.busy -= self.time(now);
        self.serving += 1;
        self.waiting += u128::from(self.counted(now) * wait.ticks());
    }

    /// A service that ends has lasted this much longer than with a server of its own.
    pub(super) fn lasts(&mut self, now: Time, longer: Time) {
        self.waiting += u128::from(self.counted(now) * longer.ticks());
    }

    /// A service that ends has taken this long, which was not known at its start.
    pub(super) fn took(&mut self, now: Time, service: Time) {
        self.service += u128::from(self.counted(now) * service.ticks());
    }

    /// A service is interrupted.
    pub(super) fn pauses(&mut self, now: Time) {
        self.busy += self.time(now);
        self.serving -= 1;
    }

    /// A service ends, and its token stays.
    pub(super) fn is_held(&mut self, now: Time) {
        self.busy += self.time(now);
        self.serving -= 1;
        self.completions += self.counted(now);
    }

    /// A token that is not in service leaves.
    pub(super) fn gives_up(&mut self, now: Time) {
        self.presence += self.time(now);
        self.present -= 1;
    }

    /// A service ends, and its token leaves.
    #[inline]
    pub(super) fn departs(&mut self, now: Time) {
        let time = self.time(now);
        (self.presence, self.busy) = (self.presence + time, self.busy + time);
        self.serving -= 1;
        self.present -= 1;
        self.completions += self.counted(now);
    }

    /// Arrivals, starts and losses, waiting time, and the integrals of the number present and in service up to `clock`.
    #[inline]
    pub(super) fn totals(&self, clock: Time) -> [u128; 6] {
        let FacilityRecord { arrivals, starts, losses, waiting, presence, busy, .. } = self.record(clock);
        let [arrivals, starts, losses] = [arrivals, starts, losses].map(u128::from);
        [arrivals, starts, losses, waiting, presence, busy]
    }

    /// The record at `clock`, without what is in service and in the queue.
    #[inline]
    pub(super) fn record(&self, clock: Time) -> FacilityRecord {
        let time = self.time(clock);
        let up_to_clock = |sum: i128, number: u64| {
            let integral = sum + time * i128::from(number);
            debug_assert!(integral >= 0, "the clock {clock:?} is before a change");
            integral as u128
        };
        FacilityRecord {
            arrivals: self.arrivals,
            starts: self.starts,
            completions: self.completions,
            losses: self.losses,
            busy: up_to_clock(self.busy, self.serving),
            waiting: self.waiting,
            service: self.service,
            presence: up_to_clock(self.presence, self.present),
            ..FacilityRecord::default()
        }
    }
}
