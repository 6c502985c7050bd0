//! Numbers of rules: fixed point with 16 fraction bits in one 32-bit word or in two, and one more value for "undefined".

use std::borrow::Cow;
use std::fmt;

/// Bits of a fraction.
const FRACTION: u32 = 16;
/// Bits of a number without its sign.
const WIDTH: u32 = 53;

/// A number of a rule, or `?`.
///
/// It lies between -2³⁷ and 2³⁷, in steps of 2⁻¹⁶. No operation wraps: a result out of range is `None`. In a file of one word a
/// number, numbers lie between -32767.99998 and 32767.99998: they are [narrow](Fixed::is_narrow). Products and quotients round to
/// the nearest step, halves away from zero.
///
/// ```
/// # use tickless_cdpp::facade as tickless;
/// use tickless::cells::rules::Fixed;
/// let half: Fixed = "0.5".parse().unwrap();
/// assert_eq!(half.checked_mul(half).unwrap().to_string(), "0.25");
/// let large = Fixed::whole(30000).unwrap();
/// assert!(large.is_narrow() && !large.checked_add(large).unwrap().is_narrow());
/// assert_eq!(large.checked_mul(Fixed::whole(10_000_000).unwrap()), None);
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
    /// The largest number of one word.
    pub const MOST: Self = Self(i32::MAX as i64);

    /// A whole number, if it is in range.
    pub fn whole(number: i64) -> Option<Self> {
        number.checked_mul(1 << FRACTION).and_then(Self::steps)
    }

    /// A number of steps of 2⁻¹⁶, if it is in range.
    pub(crate) fn steps(steps: i64) -> Option<Self> {
        (steps.unsigned_abs() < 1 << WIDTH).then_some(Self(steps))
    }

    /// Whether it is `?` or fits into one word.
    pub const fn is_narrow(self) -> bool {
        self.0 == i64::MIN || self.0.unsigned_abs() < 1 << 31
    }

    /// The number of a word of a cell.
    pub const fn from_word(word: u32) -> Self {
        if word == 1 << 31 { Self::UNDEFINED } else { Self(word as i32 as i64) }
    }

    /// The word that a cell keeps and sends, for a narrow number.
    pub const fn word(self) -> u32 {
        if self.0 == i64::MIN { 1 << 31 } else { self.0 as u32 }
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

    /// Steps of 2⁻¹⁶; the smallest integer for `?`.
    #[doc(hidden)]
    pub const fn bits(self) -> i64 {
        self.0
    }

    /// The number as a float; `None` for `?`.
    pub fn value(self) -> Option<f64> {
        (self != Self::UNDEFINED).then(|| self.0 as f64 / 65536.0)
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
        self.both(other, |a, b| Self::steps(a + b))
    }

    /// The difference; `?` if either number is `?`.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.both(other, |a, b| Self::steps(a - b))
    }

    /// The product, to the nearest step; `?` if either number is `?`.
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        self.both(other, |a, b| {
            let size = ((i128::from(a) * i128::from(b)).abs() + (1 << (FRACTION - 1))) >> FRACTION;
            let size = i64::try_from(size).ok()?;
            Self::steps(if (a < 0) == (b < 0) { size } else { -size })
        })
    }

    /// The quotient, to the nearest step; `?` if either number is `?`, or the divisor is 0.
    pub fn checked_div(self, other: Self) -> Option<Self> {
        self.both(other, |a, b| {
            if b == 0 {
                return Some(Self::UNDEFINED);
            }
            let (large, divisor) = (i128::from(a.abs()) << FRACTION, i128::from(b.abs()));
            let size = i64::try_from((large + divisor / 2) / divisor).ok()?;
            Self::steps(if (a < 0) == (b < 0) { size } else { -size })
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
        self.whole_below(0xFFFF)
    }

    /// The nearest whole number, of two the even one, as in CD++; `None` where that is out of range.
    pub fn round(self) -> Option<Self> {
        let odd = self.0 >> FRACTION & 1;
        self.whole_below(0x7FFF + odd)
    }

    /// The largest whole number that is at most this number plus some steps.
    fn whole_below(self, steps: i64) -> Option<Self> {
        if self.is_undefined() { Some(self) } else { Self::steps((self.0 + steps) >> FRACTION << FRACTION) }
    }

    /// A function of the size of a non-negative number; `?` for others.
    pub(super) fn of_size(self, function: impl Fn(u64) -> i64) -> Self {
        if self.0 < 0 { Self::UNDEFINED } else { Self(function(self.0 as u64)) }
    }

    /// A function of a number within limits; `?` for others, and `None` for a number out of the range of one word.
    pub(super) fn within(self, limit: i64, function: impl Fn(i32) -> i32) -> Option<Self> {
        if self.is_undefined() || self.0.abs() > limit {
            return Some(Self::UNDEFINED);
        }
        i32::try_from(self.0).ok().map(|number| Self(function(number).into()))
    }

    /// The fraction, with the number's sign.
    pub fn fractional(self) -> Self {
        self.sized(|size| size & 0xFFFF)
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
        Self::truth(!self.is_undefined() && self.0 & 0xFFFF == 0)
    }

    /// Whether it is whole and odd; `?` is not.
    pub fn is_odd(self) -> Self {
        Self::truth(!self.is_undefined() && self.0 & 0x1_FFFF == 0x1_0000)
    }

    /// Whether it is whole and even; `?` is not.
    pub fn is_even(self) -> Self {
        Self::truth(!self.is_undefined() && self.0 & 0x1_FFFF == 0)
    }
}

/// Why a text is no number of a rule.
///
/// ```
/// # use tickless_cdpp::facade as tickless;
/// use tickless::cells::rules::{Fixed, FixedError};
/// assert_eq!("300000000000".parse::<Fixed>(), Err(FixedError::Range));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FixedError {
    /// Not digits.
    #[error("it is no number: write it as in -12.5, or ?")]
    Form,
    /// Too large.
    #[error("it is out of the range: numbers lie between -2^37 and 2^37")]
    Range,
}

impl std::str::FromStr for Fixed {
    type Err = FixedError;

    fn from_str(text: &str) -> Result<Self, FixedError> {
        if text == "?" {
            return Ok(Self::UNDEFINED);
        }
        let (size, negative) = match text.strip_prefix('-') {
            Some(size) => (size, true),
            None => (text.strip_prefix('+').unwrap_or(text), false),
        };
        let steps = i64::try_from(decimal(size, FRACTION)?).map_err(|_| FixedError::Range)?;
        Self::steps(if negative { -steps } else { steps }).ok_or(FixedError::Range)
    }
}

/// The furthest that `e` may move a point.
const FURTHEST_POINT: usize = 40;

/// A number with its point moved by its exponent.
fn without_exponent(text: &str) -> Result<Cow<'_, str>, FixedError> {
    let Some((digits, exponent)) = text.split_once(['e', 'E']) else { return Ok(text.into()) };
    let plain = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let places = exponent.trim_start_matches(['-', '+']);
    if exponent.len() - places.len() > 1 || places.is_empty() || !plain(places) {
        return Err(FixedError::Form);
    }
    let places = places.parse().unwrap_or(usize::MAX).min(FURTHEST_POINT);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if !plain(whole) || !plain(fraction) || digits.len() > FURTHEST_POINT || (whole.is_empty() && fraction.is_empty()) {
        return Err(FixedError::Form);
    }
    let zeros = "0".repeat(places);
    let (all, point) = match exponent.starts_with('-') {
        true => (format!("{zeros}{whole}{fraction}"), whole.len()),
        false => (format!("{whole}{fraction}{zeros}"), whole.len() + places),
    };
    Ok(format!("{}.{}", &all[..point], &all[point..]).into())
}

/// A decimal number of at least 0 in steps of 2^-`bits`, to the nearest, halves up.
pub(crate) fn decimal(text: &str, bits: u32) -> Result<u64, FixedError> {
    let text = &*without_exponent(text)?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return Err(FixedError::Form);
    }
    let number = |part: &str| if part.is_empty() { Ok(0) } else { part.parse::<u128>() };
    let whole = number(whole).ok().filter(|w| *w < 1 << 64).ok_or(FixedError::Range)?;
    // 20 digits decide the step: the digits behind them are less than half a step.
    let kept = &fraction[..fraction.len().min(20)];
    let unit = 10_u128.pow(kept.len() as u32);
    let steps = ((number(kept).unwrap_or(0) << bits) + unit / 2) / unit;
    (whole << bits).checked_add(steps).and_then(|s| u64::try_from(s).ok()).ok_or(FixedError::Range)
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            // Five digits distinguish all steps.
            Some(value) if self.0 & 0xFFFF != 0 => {
                let text = format!("{value:.5}");
                f.pad(text.trim_end_matches('0').trim_end_matches('.'))
            }
            Some(value) => f.pad(&value.to_string()),
            None => f.pad("?"),
        }
    }
}
