//! The sums of a station with one server. A service counts with its start; everything else follows from the services and
//! from the tokens that are there at the end of the warm-up and at the end of the run.

use tickless_core::statistics::FacilityRecord;
use tickless_core::time::Time;

/// The sums of a station.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// The waiting times of the services that have started since the counting began.
    waiting: u128,
    /// Their service times. They do not overlap, so that 64 bits hold them.
    service: u64,
    /// Services that have started, the warm-up included.
    pub(super) starts: u64,
}

/// The state of a station at a time.
pub(super) struct Present {
    pub(super) clock: Time,
    /// When the service in progress ends; never where there is none.
    pub(super) end: Time,
    pub(super) queued: u64,
    /// The time that tokens in the queue have waited, together.
    pub(super) waited: u128,
}

/// The state of a station at the end of the warm-up.
pub(super) struct Opening {
    starts: u64,
    /// Services that are in progress and do not count.
    serving: u64,
    /// The remaining time of these services.
    remaining: u64,
    /// Tokens that have been accepted.
    accepted: u64,
    /// The time that tokens in the queue have waited, which their waiting times will contain.
    waited: u128,
}

impl Present {
    fn serving(&self) -> u64 {
        u64::from(self.end != Time::NEVER)
    }

    /// The remaining time of the service in progress.
    fn remaining(&self) -> u64 {
        if self.end == Time::NEVER { 0 } else { self.end.ticks() - self.clock.ticks() }
    }
}

impl Tally {
    /// A service starts after a wait.
    #[inline]
    pub(super) fn start(&mut self, wait: u64, service: Time) {
        self.starts += 1;
        self.waiting += u128::from(wait);
        self.service += service.ticks();
    }

    /// Ends the warm-up. Services that have started count only if they started at time 0 and there is no warm-up.
    pub(super) fn open(&mut self, present: &Present) -> Opening {
        let accepted = self.starts + present.queued;
        if present.clock == Time::ZERO {
            return Opening { starts: 0, serving: 0, remaining: 0, accepted, waited: 0 };
        }
        (self.waiting, self.service) = (0, 0);
        let (serving, remaining) = (present.serving(), present.remaining());
        Opening { starts: self.starts, serving, remaining, accepted, waited: present.waited }
    }

    /// The record at a time, without tokens in service and in the queue.
    pub(super) fn record(&self, opening: &Opening, present: &Present, losses: u64) -> FacilityRecord {
        let starts = self.starts - opening.starts;
        let busy = u128::from(self.service) + u128::from(opening.remaining) - u128::from(present.remaining());
        FacilityRecord {
            arrivals: self.starts + present.queued - opening.accepted + losses,
            starts,
            completions: starts + opening.serving - present.serving(),
            losses,
            busy,
            waiting: self.waiting,
            service: self.service.into(),
            // The waits are whole: add the waits of tokens in the queue so far, take away the waits before the end of
            // the warm-up.
            presence: busy + self.waiting + present.waited - opening.waited,
            ..FacilityRecord::default()
        }
    }
}
