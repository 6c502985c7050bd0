//! Numbers of rules: fixed point with 32 fraction bits, and one more value for "undefined".

use std::fmt;

/// Bits of a fraction.
pub(crate) const FRACTION: u32 = 32;
/// The bits of a fraction.
const BELOW_ONE: i64 = (1 << FRACTION) - 1;
/// Bits of a fraction that one word has.
pub(crate) const SHORT: u32 = 16;

/// A number of a rule, or `?`.
///
/// It lies between -2³¹ and 2³¹, in steps of 2⁻³². No operation wraps: a result out of range is `None`. Products and quotients round
/// to the nearest step, halves away from zero. A cell keeps a number in two words, or in one where it [is short](Fixed::is_short).
///
/// ```
/// # use tickless_cdpp::facade as tickless;
/// use tickless::cells::rules::Fixed;
/// let half: Fixed = "0.5".parse().unwrap();
/// assert_eq!(half.checked_mul(half).unwrap().to_string(), "0.25");
/// let tenth: Fixed = "0.1".parse().unwrap();
/// assert!(half.is_short() && !tenth.is_short());
/// let large = Fixed::whole(2_000_000_000).unwrap();
/// assert_eq!(large.checked_add(large), None);
/// assert_eq!(Fixed::UNDEFINED.to_string(), "?");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fixed(i64);

impl Fixed {
    /// `?`: no value, as beyond an open border.
    pub const UNDEFINED: Self = Self(i64::MIN);
    /// 0, or false.
    pub const ZERO: Self = Self(0);
    /// 1, or true.
    pub const ONE: Self = Self(1 << FRACTION);
    /// The largest number.
    pub const MOST: Self = Self(i64::MAX);

    /// A whole number, if it is in range.
    pub fn whole(number: i64) -> Option<Self> {
        number.checked_mul(1 << FRACTION).and_then(Self::steps)
    }

    /// A number of steps of 2⁻³²; `None` for the one that stands for `?`.
    pub(crate) const fn steps(steps: i64) -> Option<Self> {
        if steps == i64::MIN { None } else { Some(Self(steps)) }
    }

    /// A number by its size in steps and its sign, if it is in range.
    pub(crate) fn signed(size: u64, negative: bool) -> Option<Self> {
        let size = i64::try_from(size).ok()?;
        Some(Self(if negative { -size } else { size }))
    }

    /// Whether it is `?` or fits into one word: steps of 2⁻¹⁶ between -32768 and 32768.
    pub const fn is_short(self) -> bool {
        self.0 == i64::MIN || (self.is_within_a_word() && self.0.trailing_zeros() >= FRACTION - SHORT)
    }

    /// Whether it is `?` or between -32768 and 32768.
    pub(crate) const fn is_within_a_word(self) -> bool {
        self.0 == i64::MIN || self.0.unsigned_abs() < 1 << (31 + FRACTION - SHORT)
    }

    /// Bits of its fraction that are not all 0.
    pub(crate) fn fraction_bits(self) -> u32 {
        if self.is_undefined() { 0 } else { FRACTION - self.0.trailing_zeros().min(FRACTION) }
    }

    /// The number of a word of a cell.
    pub const fn from_word(word: u32) -> Self {
        if word == 1 << 31 { Self::UNDEFINED } else { Self((word as i32 as i64) << (FRACTION - SHORT)) }
    }

    /// The word that a cell keeps and sends, for a short number.
    pub const fn word(self) -> u32 {
        if self.0 == i64::MIN { 1 << 31 } else { (self.0 >> (FRACTION - SHORT)) as u32 }
    }

    /// The n-th number among words, where each has one word or two, the low one first.
    pub(crate) fn read(words: &[u32], n: usize, width: usize) -> Self {
        match words[n * width..][..width] {
            [word] => Self::from_word(word),
            [low, high, ..] => Self((u64::from(high) << 32 | u64::from(low)) as i64),
            [] => Self::UNDEFINED,
        }
    }

    /// Writes it as the n-th number among words.
    pub(crate) fn write(self, words: &mut [u32], n: usize, width: usize) {
        let all = [if width == 1 { self.word() } else { self.0 as u32 }, (self.0 >> 32) as u32];
        words[n * width..][..width].copy_from_slice(&all[..width]);
    }

    /// Steps of 2⁻³²; the smallest integer for `?`.
    #[doc(hidden)]
    pub const fn bits(self) -> i64 {
        self.0
    }

    /// The number as a float; `None` for `?`.
    pub fn value(self) -> Option<f64> {
        (self != Self::UNDEFINED).then(|| self.0 as f64 / (1_u64 << FRACTION) as f64)
    }

    /// Whether it is `?`.
    pub fn is_undefined(self) -> bool {
        self == Self::UNDEFINED
    }

    /// True or false as a number.
    pub fn truth(truth: bool) -> Self {
        if truth { Self::ONE } else { Self::ZERO }
    }

    /// The sum; `?` if either number is `?`.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.both(other, |a, b| a.checked_add(b).and_then(Self::steps))
    }

    /// The difference; `?` if either number is `?`.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.both(other, |a, b| a.checked_sub(b).and_then(Self::steps))
    }

    /// The product, to the nearest step; `?` if either number is `?`.
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        self.both(other, |a, b| {
            let product = u128::from(a.unsigned_abs()) * u128::from(b.unsigned_abs());
            Self::signed(shifted(product, FRACTION)?, (a < 0) != (b < 0))
        })
    }

    /// The quotient, to the nearest step; `?` if either number is `?`, or the divisor is 0.
    pub fn checked_div(self, other: Self) -> Option<Self> {
        self.both(other, |a, b| {
            let (size, divisor) = (a.unsigned_abs(), b.unsigned_abs());
            let quotient = match divisor {
                0 => return Some(Self::UNDEFINED),
                // A whole divisor, which is a quotient of 64 bits.
                _ if divisor << FRACTION == 0 => {
                    let divisor = divisor >> FRACTION;
                    (size + divisor / 2) / divisor
                }
                _ => {
                    let (large, divisor) = (u128::from(size) << FRACTION, u128::from(divisor));
                    u64::try_from((large + divisor / 2) / divisor).ok()?
                }
            };
            Self::signed(quotient, (a < 0) != (b < 0))
        })
    }

    /// The remainder of a division whose quotient is whole and rounded towards 0; `?` as for a division.
    pub fn remainder(self, other: Self) -> Self {
        let rest = self.both(other, |a, b| Some(a.checked_rem(b).map_or(Self::UNDEFINED, Self)));
        rest.unwrap_or(Self::UNDEFINED)
    }

    /// An operation on two numbers that are not `?`.
    fn both(self, other: Self, operation: impl Fn(i64, i64) -> Option<Self>) -> Option<Self> {
        if self.is_undefined() || other.is_undefined() {
            return Some(Self::UNDEFINED);
        }
        operation(self.0, other.0)
    }

    /// The largest whole number at or below it, as in CD++; `None` where that is out of range.
    pub fn trunc(self) -> Option<Self> {
        self.whole_below(0)
    }

    /// The smallest whole number at or above it; `None` where that is out of range.
    pub fn ceiling(self) -> Option<Self> {
        self.whole_below(BELOW_ONE)
    }

    /// The nearest whole number, of two the even one, as in CD++; `None` where that is out of range.
    pub fn round(self) -> Option<Self> {
        let odd = self.0 >> FRACTION & 1;
        self.whole_below(BELOW_ONE / 2 + odd)
    }

    /// The largest whole number that is at most this number plus some steps.
    fn whole_below(self, steps: i64) -> Option<Self> {
        if self.is_undefined() {
            return Some(self);
        }
        self.0.checked_add(steps).and_then(|sum| Self::steps(sum >> FRACTION << FRACTION))
    }

    /// A function of the size of a non-negative number; `?` for others.
    pub(super) fn of_size(self, function: impl Fn(u64) -> i64) -> Self {
        if self.0 < 0 { Self::UNDEFINED } else { Self(function(self.0 as u64)) }
    }

    /// A function of a number within limits; `?` for others.
    pub(super) fn within(self, limit: i64, function: impl Fn(i64) -> i64) -> Self {
        if self.is_undefined() || self.0.abs() > limit { Self::UNDEFINED } else { Self(function(self.0)) }
    }

    /// The fraction, with the number's sign.
    pub fn fractional(self) -> Self {
        self.sized(|size| size & BELOW_ONE as u64)
    }

    /// Without its sign.
    pub fn abs(self) -> Self {
        if self.is_undefined() { self } else { Self(self.0.abs()) }
    }

    /// With the other sign.
    pub fn negated(self) -> Self {
        if self.is_undefined() { self } else { Self(-self.0) }
    }

    /// -1, 0 or 1.
    pub fn sign(self) -> Self {
        if self.is_undefined() { self } else { Self(self.0.signum() << FRACTION) }
    }

    /// An operation on the size of a number that is not `?`.
    fn sized(self, operation: impl Fn(u64) -> u64) -> Self {
        if self.is_undefined() {
            return self;
        }
        let size = operation(self.0.unsigned_abs()) as i64;
        Self(if self.0 < 0 { -size } else { size })
    }

    /// Whether it is whole; `?` is not, as in CD++.
    pub fn is_whole(self) -> Self {
        Self::truth(!self.is_undefined() && self.0 & BELOW_ONE == 0)
    }

    /// Whether it is whole and odd; `?` is not.
    pub fn is_odd(self) -> Self {
        Self::truth(!self.is_undefined() && self.0 & (2 * BELOW_ONE + 1) == 1 << FRACTION)
    }

    /// Whether it is whole and even; `?` is not.
    pub fn is_even(self) -> Self {
        Self::truth(!self.is_undefined() && self.0 & (2 * BELOW_ONE + 1) == 0)
    }
}

/// A product or mantissa divided by 2^`distance`, from 1 to 127, to the nearest whole number, halves up; `None` where it has more than
/// 64 bits.
pub(crate) fn shifted(size: u128, distance: u32) -> Option<u64> {
    let twice = u64::try_from(size >> (distance - 1)).ok()?;
    Some((twice >> 1) + (twice & 1))
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_undefined() {
            return f.pad("?");
        }
        let size = self.0.unsigned_abs();
        let (whole, fraction) = (size >> FRACTION, size & BELOW_ONE as u64);
        // The fewest digits that are read as the same number; ten distinguish all.
        let of = |digits: u32| {
            let unit = 10_u64.pow(digits);
            let decimals = ((u128::from(fraction) * u128::from(unit) + (1 << (FRACTION - 1))) >> FRACTION) as u64;
            let read = ((u128::from(decimals) << FRACTION) + u128::from(unit / 2)) / u128::from(unit);
            (decimals < unit && read == u128::from(fraction))
                .then(|| format!(".{decimals:0width$}", width = digits as usize))
        };
        let decimals = if fraction == 0 { None } else { (1..=10).find_map(of) };
        f.pad(&format!("{}{whole}{}", if self.0 < 0 { "-" } else { "" }, decimals.unwrap_or_default()))
    }
}
