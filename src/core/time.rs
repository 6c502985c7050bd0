//! Simulated time: unsigned 64-bit fixed point, 32 integer bits and 32 fraction bits of the model's time unit.

#[doc(hidden)]
pub mod decimals;

use std::fmt;

use serde::{Deserialize, Serialize};

/// A point or a span of simulated time in ticks of 2⁻³² of the model's time unit.
///
/// The range is 0 to 4.29·10⁹ units with a resolution of 2.3·10⁻¹⁰. [`Time::NEVER`], the largest value, marks
/// "no event". Integer ticks order events in the same way on every device.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::time::Time;
/// let t = Time::from_units(1.5).unwrap();
/// assert_eq!(t.ticks(), 3 << 31);
/// assert_eq!(t.units(), 1.5);
/// assert!(t < Time::NEVER);
/// assert!(Time::from_units(f64::NAN).is_none());
/// ```
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    bytemuck::Pod,
    bytemuck::Zeroable,
)]
#[serde(transparent)]
#[repr(transparent)]
pub struct Time(u64);

impl Time {
    /// The start of every run.
    pub const ZERO: Self = Self(0);
    /// "No event": later than every time that a run can reach.
    pub const NEVER: Self = Self(u64::MAX);
    /// One time unit.
    pub const UNIT: Self = Self(1 << 32);

    /// A time of `ticks` · 2⁻³² units.
    pub const fn from_ticks(ticks: u64) -> Self {
        Self(ticks)
    }

    /// The number of ticks.
    pub const fn ticks(self) -> u64 {
        self.0
    }

    /// The tick nearest to `units`; `None` if it is negative, not a number, or 2³² units and more.
    #[inline]
    pub fn from_units(units: f64) -> Option<Self> {
        let ticks = (units * 4_294_967_296.0).round();
        // 2^64 as a float: every smaller float is at most 2^64 - 2048, so the cast below is exact.
        (units >= 0.0 && ticks < 18_446_744_073_709_551_616.0).then_some(Self(ticks as u64))
    }

    /// The time in units, rounded to the nearest double.
    #[inline]
    pub fn units(self) -> f64 {
        self.0 as f64 / 4_294_967_296.0
    }

    /// A sum of times, in ticks, in units: rounded to the nearest double.
    #[inline]
    pub fn sum_in_units(ticks: u128) -> f64 {
        ticks as f64 / 4_294_967_296.0
    }

    /// `self + span`, or `None` where it would reach [`Time::NEVER`].
    #[inline]
    pub fn checked_add(self, span: Self) -> Option<Self> {
        self.0.checked_add(span.0).map(Self).filter(|t| *t < Self::NEVER)
    }
}

/// An interval of at least one tick, with the constants for finding its multiples without division: the twin of
/// `shaders/lib/interval.wgsl`.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::time::{Interval, Time};
/// let interval = Interval::new(Time::from_ticks(5)).unwrap();
/// assert_eq!([0, 1, 5, 6].map(|t| interval.next_multiple(Time::from_ticks(t)).ticks()), [0, 5, 5, 10]);
/// assert!(Interval::new(Time::ZERO).is_none());
/// ```
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    ticks: u64,
    reciprocal: u64,
    shift: u32,
}

impl Interval {
    /// The interval of a length from one tick to 2⁶² ticks.
    #[inline]
    pub fn new(length: Time) -> Option<Self> {
        let ticks = length.0;
        let shift = u64::BITS - ticks.wrapping_sub(1).leading_zeros();
        // It fits: were it 2^64, `ticks` would be 2^(shift - 1) at most.
        (1..=1 << 62).contains(&ticks).then(|| {
            let reciprocal = (1_u128 << (63 + shift)).div_ceil(ticks.into()) as u64;
            Self { ticks, reciprocal, shift }
        })
    }

    /// Its length.
    pub const fn length(self) -> Time {
        Time(self.ticks)
    }

    /// 2^(63 + [`shift`](Self::shift)) / length, rounded up.
    pub const fn reciprocal(self) -> u64 {
        self.reciprocal
    }

    /// The least exponent of 2 that gives a number of ticks not below the length.
    pub const fn shift(self) -> u32 {
        self.shift
    }

    /// The first multiple at or after a time of at most 2⁶³ ticks.
    pub const fn next_multiple(self, time: Time) -> Time {
        Time(time.0.div_ceil(self.ticks) * self.ticks)
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NEVER { write!(f, "never") } else { write!(f, "{} ({} ticks)", self.units(), self.0) }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NEVER { f.pad("never") } else { fmt::Display::fmt(&self.units(), f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_round_to_the_nearest_tick() {
        assert_eq!(Time::from_units(0.0), Some(Time::ZERO));
        assert_eq!(Time::from_units(1.0), Some(Time::UNIT));
        assert_eq!(Time::from_units(2.0_f64.powi(-33) * 1.01), Some(Time::from_ticks(1)));
        assert_eq!(Time::from_units(4_294_967_295.0).map(Time::units), Some(4_294_967_295.0));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for bad in [-1e-9, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 4_294_967_296.0] {
            assert_eq!(Time::from_units(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_addition_never_wraps() {
        let late = Time::from_ticks(u64::MAX - 5);
        assert_eq!(late.checked_add(Time::from_ticks(4)), Some(Time::from_ticks(u64::MAX - 1)));
        assert_eq!(late.checked_add(Time::from_ticks(5)), None);
        assert_eq!(late.checked_add(Time::from_ticks(6)), None);
    }
}
