//! The words that event lists order.

/// A word that holds an event and orders as events do; no two in a list are equal.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::heap::Key;
/// let late = (7_u128 << 64) | 1;
/// assert_eq!(late.rank(), 7);
/// assert!(late < <u128 as Key>::EMPTY);
/// ```
pub trait Key: Copy + Ord {
    /// No event: after every event.
    const EMPTY: Self;

    /// The rank of a word: the smaller of two words never has the larger rank. Only [`Self::EMPTY`] has the rank 2⁶⁴ - 1.
    fn rank(self) -> u64;
}

impl Key for u128 {
    const EMPTY: Self = Self::MAX;

    #[inline]
    fn rank(self) -> u64 {
        (self >> 64) as u64
    }
}
