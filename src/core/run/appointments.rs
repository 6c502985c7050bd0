//! Figures of a run by appointments.

use crate::time::Time;

/// How well stations kept each other at work in a run by appointments (Nicol 1988).
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::{run::Appointments, time::Time};
/// let mut both = Appointments { working: 0.2, drift: Time::from_ticks(7) };
/// both.join(100, &Appointments { working: 0.4, drift: Time::from_ticks(5) }, 300);
/// assert!((both.working - 0.35).abs() < 1e-12);
/// assert_eq!(both.drift, Time::from_ticks(7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Appointments {
    /// The share of stations that decided a visit in a round, in the mean over rounds; from 0 to 1.
    pub working: f64,
    /// How far at most a decided arrival was beyond the earliest undecided one, to a part in 2³¹ of the horizon.
    pub drift: Time,
}

impl Appointments {
    /// The figures of two runs together, with `rounds` and `more` rounds.
    pub fn join(&mut self, rounds: u64, other: &Self, more: u64) {
        let part = more as f64 / (rounds + more).max(1) as f64;
        self.working += (other.working - self.working) * part;
        self.drift = self.drift.max(other.drift);
    }
}
