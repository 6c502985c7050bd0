//! An allocation of a device that fails, for tests.

use std::sync::atomic::{AtomicU64, Ordering};

/// Which allocation fails.
#[derive(Debug, Default)]
pub struct Shortage {
    /// How many succeed before it; none fails where it is 0, but for the one that made it so.
    left: AtomicU64,
}

impl Shortage {
    /// The allocation of this number fails, from 1 on.
    #[doc(hidden)]
    pub fn begin(&self, number: u64) {
        self.left.store(number, Ordering::Relaxed);
    }

    /// Whether it is still to come; none does any more.
    #[doc(hidden)]
    pub fn end(&self) -> bool {
        self.left.swap(0, Ordering::Relaxed) > 0
    }

    /// Whether this one fails.
    #[cfg_attr(not(feature = "naga"), allow(dead_code, reason = "devices alone need it"))]
    pub(super) fn comes(&self) -> bool {
        let counted = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        counted == Ok(1)
    }
}
