//! Constant factors, which have a scale of their own.

use super::Fixed;
use super::fixed::shifted;

/// A constant factor: `mantissa` / 2^`shift`, to a 2^-63 of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Factor {
    /// From 2^63 on.
    pub mantissa: u64,
    /// From 1 to [`Self::MOST_SHIFT`].
    pub shift: u32,
    pub negative: bool,
}

impl Factor {
    pub const MOST_SHIFT: u32 = 127;

    /// The product with a number, rounded once to the nearest step; `None` where it is out of range.
    pub fn times(self, number: Fixed) -> Option<Fixed> {
        if number.is_undefined() {
            return Some(number);
        }
        let product = u128::from(number.bits().unsigned_abs()) * u128::from(self.mantissa);
        Fixed::signed(shifted(product, self.shift)?, (number.bits() < 0) != self.negative)
    }
}
