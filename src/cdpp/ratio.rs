//! Constants of rules as exact fractions, while a rule is read.

use super::Fixed;
use super::factor::Factor;
use super::fixed::FRACTION;
use super::numerals::{FixedError, without_exponent};

/// A fraction in its lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ratio {
    above: i128,
    /// From 1 on.
    below: i128,
}

fn divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { divisor(b, a % b) }
}

impl Ratio {
    /// A fraction; `None` where a term is too large, or the lower one 0.
    fn new(above: Option<i128>, below: Option<i128>) -> Option<Self> {
        let (above, below) = (above?, below.filter(|below| *below != 0)?);
        let common = i128::try_from(divisor(above.unsigned_abs(), below.unsigned_abs())).ok()?;
        let common = if below < 0 { -common } else { common };
        Some(Self { above: above / common, below: below / common })
    }

    /// A number as written, without a sign. Digits behind the 38th do not count.
    pub fn parse(text: &str) -> Result<Self, FixedError> {
        let text = &*without_exponent(text)?;
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if text.bytes().any(|b| !b.is_ascii_digit() && b != b'.')
            || fraction.contains('.')
            || text.len() < 1 + usize::from(text.contains('.'))
        {
            return Err(FixedError::Form);
        }
        let (mut above, mut below) = (0_i128, 1_i128);
        for digit in whole.bytes() {
            above = above
                .checked_mul(10)
                .and_then(|above| above.checked_add((digit - b'0').into()))
                .ok_or(FixedError::Range)?;
        }
        for digit in fraction.trim_end_matches('0').bytes() {
            let more = above.checked_mul(10).and_then(|above| above.checked_add((digit - b'0').into()));
            let Some((more, unit)) = more.zip(below.checked_mul(10)) else {
                // However small, it is not 0.
                above = above.max(1);
                break;
            };
            (above, below) = (more, unit);
        }
        Self::new(Some(above), Some(below)).ok_or(FixedError::Range)
    }

    /// The fraction of a number; `None` for `?`.
    pub fn of(number: Fixed) -> Option<Self> {
        if number.is_undefined() { None } else { Self::new(Some(number.bits().into()), Some(1 << FRACTION)) }
    }

    pub fn negated(self) -> Self {
        Self { above: -self.above, ..self }
    }

    pub fn plus(self, other: Self) -> Option<Self> {
        let [left, right] = [self.above.checked_mul(other.below), other.above.checked_mul(self.below)];
        Self::new(left?.checked_add(right?), self.below.checked_mul(other.below))
    }

    pub fn times(self, other: Self) -> Option<Self> {
        Self::new(self.above.checked_mul(other.above), self.below.checked_mul(other.below))
    }

    /// `None` for 0.
    pub fn inverse(self) -> Option<Self> {
        Self::new(Some(self.below), Some(self.above))
    }

    /// The nearest number; `None` where that is out of range.
    pub fn nearest(self) -> Option<Fixed> {
        let (size, below) = (self.above.unsigned_abs(), self.below.unsigned_abs());
        let (mut steps, mut rest) = (size / below, size % below);
        for _ in 0..FRACTION {
            rest <<= 1;
            steps = steps.checked_mul(2)? | u128::from(rest >= below);
            rest -= if rest >= below { below } else { 0 };
        }
        let steps = steps.checked_add(u128::from(rest >= below - rest))?;
        Fixed::signed(u64::try_from(steps).ok()?, self.above < 0)
    }

    /// The number, where it has no more bits.
    pub fn exact(self) -> Option<Fixed> {
        self.nearest().filter(|number| Self::of(*number) == Some(self))
    }

    /// The nearest number, where that differs by at most a millionth of it.
    pub fn kept(self) -> Option<Fixed> {
        let nearest = self.nearest()?;
        let error = nearest.value()? - self.value();
        (error.abs() <= 1e-6 * self.value().abs()).then_some(nearest)
    }

    /// As a factor of products; `None` for 0, and where it is too large or too small.
    pub fn factor(self) -> Option<Factor> {
        let (size, below) = (self.above.unsigned_abs(), self.below.unsigned_abs());
        let (mut mantissa, mut rest, mut shift) = (size / below, size % below, 0);
        while mantissa < 1 << 63 && shift < Factor::MOST_SHIFT {
            rest <<= 1;
            mantissa = mantissa << 1 | u128::from(rest >= below);
            rest -= if rest >= below { below } else { 0 };
            shift += 1;
        }
        // Rounded up: halves of a step stay halves.
        let mantissa = u64::try_from(mantissa).ok()?.saturating_add(u64::from(rest > 0));
        (mantissa >= 1 << 63 && shift > 0).then_some(Factor { mantissa, shift, negative: self.above < 0 })
    }

    /// The bits of 2^64 times a fraction from 0 to below 1.
    pub fn chance(self) -> Option<u64> {
        let (above, below) = (u128::try_from(self.above).ok()?, self.below.unsigned_abs());
        let (mut found, mut rest) = (0_u64, above);
        for _ in 0..64 {
            rest <<= 1;
            found = found << 1 | u64::from(rest >= below);
            rest -= if rest >= below { below } else { 0 };
        }
        (above < below).then_some(found)
    }

    /// About this number.
    pub fn value(self) -> f64 {
        self.above as f64 / self.below as f64
    }
}
