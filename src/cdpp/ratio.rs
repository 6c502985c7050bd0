//! Constants of rules as exact fractions, while a rule is read; where a fraction would be too long, as one of 96 bits.

use super::Fixed;
use super::factor::Factor;
use super::fixed::FRACTION;
use super::numerals::{FixedError, without_exponent};
use super::series::{BITS, times};

/// A fraction in its lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ratio {
    above: i128,
    /// From 1 on.
    below: i128,
}

/// The bits of a number that is rounded, and the most of a fraction.
const KEPT: u32 = 96;
const MOST_FRACTION: u32 = 126;

fn divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { divisor(b, a % b) }
}

impl Ratio {
    /// A fraction; `None` where a term is too large, or the lower one 0.
    pub fn new(above: Option<i128>, below: Option<i128>) -> Option<Self> {
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

    /// The sum, exact where a fraction can be as long, and else to [`KEPT`] bits or so; `None` where it is too large.
    pub fn plus(self, other: Self) -> Option<Self> {
        let [left, right] = [self.above.checked_mul(other.below), other.above.checked_mul(self.below)];
        let sum = left.zip(right).and_then(|(left, right)| left.checked_add(right));
        Self::new(sum, self.below.checked_mul(other.below)).or_else(|| {
            let most =
                [self, other].iter().filter_map(|number| number.mantissa()).map(|(_, exponent)| exponent).max()?;
            let bits = (KEPT as i32 + 20 - most).clamp(0, MOST_FRACTION as i32) as u32;
            Self::rounded(self.scaled(bits)?.checked_add(other.scaled(bits)?)?, -(bits as i32), Some(bits))
        })
    }

    /// The product, as a sum.
    pub fn times(self, other: Self) -> Option<Self> {
        Self::new(self.above.checked_mul(other.above), self.below.checked_mul(other.below)).or_else(|| {
            let ((left, ahead), (right, behind)) = self.mantissa().zip(other.mantissa())?;
            let product = times(left, if (self.above < 0) == (other.above < 0) { right } else { -right });
            Self::rounded(product, ahead + behind - BITS as i32, None)
        })
    }

    /// A number and a power of 2 as its factor, to [`KEPT`] bits, with at most so many of the fraction where that is given; else it does
    /// not become 0. `None` where it is too large.
    pub fn rounded(number: i128, exponent: i32, most: Option<u32>) -> Option<Self> {
        let size = number.unsigned_abs();
        let above = 128 - size.leading_zeros() as i32 + exponent;
        let fraction = (KEPT as i32 - above).min(most.unwrap_or(MOST_FRACTION) as i32).min(MOST_FRACTION as i32);
        if fraction < 0 {
            return None;
        }
        let found = match -exponent - fraction {
            less @ 1..128 => (size >> (less - 1)).div_ceil(2),
            128.. => 0,
            more => size << -more,
        };
        let found = i128::try_from(if number != 0 && most.is_none() { found.max(1) } else { found }).ok()?;
        Self::new(Some(if number < 0 { -found } else { found }), Some(1 << fraction))
    }

    /// Its size as a number from 1 to below 2 in 2^-120, rounded down, and the exponent of 2 of its factor; `None` for 0.
    pub fn mantissa(self) -> Option<(i128, i32)> {
        let (size, below) = (self.above.unsigned_abs(), self.below.unsigned_abs());
        if size == 0 {
            return None;
        }
        let (mut part, mut rest, mut exponent) = (size / below, size % below, BITS as i32);
        while part < 1 << BITS {
            rest <<= 1;
            part = part << 1 | u128::from(rest >= below);
            rest -= if rest >= below { below } else { 0 };
            exponent -= 1;
        }
        let over = 127 - BITS - part.leading_zeros();
        Some(((part >> over) as i128, exponent + over as i32))
    }

    /// So many bits of its fraction, to the nearest, as a whole number; `None` where that is too long.
    pub fn scaled(self, bits: u32) -> Option<i128> {
        let (size, below) = (self.above.unsigned_abs(), self.below.unsigned_abs());
        let (mut steps, mut rest) = (size / below, size % below);
        for _ in 0..bits {
            rest <<= 1;
            steps = steps.checked_mul(2)? | u128::from(rest >= below);
            rest -= if rest >= below { below } else { 0 };
        }
        let steps = i128::try_from(steps.checked_add(u128::from(rest >= below - rest))?).ok()?;
        Some(if self.above < 0 { -steps } else { steps })
    }

    /// The same modulo 2^128.
    pub fn wrapped(self, bits: u32) -> i128 {
        let whole = self.above.div_euclid(self.below);
        let fraction = Self { above: self.above.rem_euclid(self.below), ..self }.scaled(bits).unwrap_or(0);
        whole.wrapping_shl(bits).wrapping_add(fraction)
    }

    /// -1, 0 or 1.
    pub fn sign(self) -> i32 {
        self.above.signum() as i32
    }

    /// The whole number that it is.
    pub fn whole(self) -> Option<i128> {
        (self.below == 1).then_some(self.above)
    }

    /// The largest whole number at or below this one and so many halves; of two that are as near as each other the even one.
    pub fn below(self, halves: i128) -> Option<Self> {
        let twice = self.above.checked_mul(2)?.checked_add(halves.checked_mul(self.below)?)?;
        let below = self.below.checked_mul(2)?;
        let (whole, rest) = (twice.div_euclid(below), twice.rem_euclid(below));
        let odd = if halves == 1 && rest == 0 { whole.rem_euclid(2) } else { 0 };
        Self::new(Some(whole - odd), Some(1))
    }

    /// What a division leaves whose quotient is whole and rounded towards 0; `None` where the divisor is 0.
    pub fn remainder(self, divisor: Self) -> Option<Self> {
        let [left, right] = [self.above.checked_mul(divisor.below)?, divisor.above.checked_mul(self.below)?];
        Self::new(left.checked_rem(right), self.below.checked_mul(divisor.below))
    }

    /// `None` for 0.
    pub fn inverse(self) -> Option<Self> {
        Self::new(Some(self.below), Some(self.above))
    }

    /// The nearest number; `None` where that is out of range.
    pub fn nearest(self) -> Option<Fixed> {
        Fixed::signed(u64::try_from(self.scaled(FRACTION)?.unsigned_abs()).ok()?, self.above < 0)
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
        if size == 0 {
            return None;
        }
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
