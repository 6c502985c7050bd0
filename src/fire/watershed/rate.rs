//! Rain and soaking, in whole units a step that add up to the rate.

use tickless_core::time::Time;

/// Half a unit, in 2^-64.
const HALF: u64 = 1 << 63;

/// Units a step: a whole number and a fraction, in 2^-64. Not each step but the sum over steps is rounded, so that
/// after any number of steps it is at most half a unit away from the rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rate {
    pub(super) whole: u32,
    pub(super) part: u64,
    /// The fraction divided by the odd factor of the step, modulo 2^64: times the odd factor of a time, it is the sum of
    /// the fractions of the steps up to that time. So a kernel need not divide.
    pub(super) spread: u64,
    /// Factors of two in the ticks of a step.
    pub(super) shift: u32,
}

impl Rate {
    /// A rate of `units` units in each step.
    pub(super) fn new(units: f64, step: Time) -> Self {
        let part = (units.fract() * 18_446_744_073_709_551_616.0) as u64;
        let shift = step.ticks().trailing_zeros();
        let spread = part.wrapping_mul(inverse(step.ticks() >> shift));
        Self { whole: units as u32, part, spread, shift }
    }

    /// Whether the rate is 0.
    pub(super) fn is_zero(&self) -> bool {
        self.whole == 0 && self.part == 0
    }

    /// The units of the step that ends at a time, which is a multiple of the step.
    #[inline]
    pub(super) fn share(&self, time: Time) -> u32 {
        let parts = (time.ticks() >> self.shift).wrapping_mul(self.spread).wrapping_add(HALF);
        self.whole + u32::from(parts < self.part)
    }

    /// The units of the first `steps` steps.
    pub(super) fn sum(&self, steps: u64) -> u64 {
        let parts = u128::from(self.part) * u128::from(steps) + u128::from(HALF);
        u64::from(self.whole) * steps + (parts >> 64) as u64
    }

    /// The units of a share of a step, from 0 to 1, behind `steps` whole ones.
    pub(super) fn rest(&self, steps: u64, share: f64) -> u32 {
        let parts = |parts: u64| parts as f64 / 18_446_744_073_709_551_616.0;
        let behind = parts(self.part.wrapping_mul(steps).wrapping_add(HALF));
        (behind + share * (f64::from(self.whole) + parts(self.part))) as u32
    }
}

/// The inverse of an odd number, modulo 2^64.
fn inverse(odd: u64) -> u64 {
    // Each of Newton's steps doubles the number of right bits; three are right at the start.
    (0..5).fold(odd, |found, _| found.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(found))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_inverse_is_one(number in any::<u64>()) {
            prop_assert_eq!(inverse(number | 1).wrapping_mul(number | 1), 1);
        }

        /// The steps add up to the sum, which is the rate times the time.
        #[test]
        fn shares_add_up(units in 0.0..1000.0_f64, seconds in 0.001..1000.0_f64, first in 0..1_000_000_u64) {
            let step = Time::from_units(seconds).unwrap();
            let rate = Rate::new(units, step);
            for steps in first + 1..first + 50 {
                let share = rate.share(Time::from_ticks(steps * step.ticks()));
                prop_assert_eq!(rate.sum(steps) - rate.sum(steps - 1), u64::from(share));
                prop_assert!((rate.sum(steps) as f64 - units * steps as f64).abs() <= 0.501);
            }
        }
    }

    #[test]
    fn a_rest_ends_where_a_whole_step_does() {
        let rate = Rate::new(28.4, Time::UNIT);
        for steps in 0..100 {
            let whole = rate.share(Time::from_ticks((steps + 1) << 32));
            assert!(rate.rest(steps, 0.999_999_999).abs_diff(whole) <= 1);
            let half = rate.sum(steps) + u64::from(rate.rest(steps, 0.5));
            assert!((half as f64 - 28.4 * (steps as f64 + 0.5)).abs() <= 0.501);
        }
    }
}
