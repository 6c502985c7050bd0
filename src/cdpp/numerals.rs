//! Numbers as they are written in files.

use std::borrow::Cow;
use std::str::FromStr;

use super::Fixed;
use super::fixed::FRACTION;

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
    #[error("it is out of the range: numbers lie between -2^31 and 2^31")]
    Range,
}

impl FromStr for Fixed {
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
pub(crate) fn without_exponent(text: &str) -> Result<Cow<'_, str>, FixedError> {
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
