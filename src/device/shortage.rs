//! An allocation of a device that fails, for tests.

use std::sync::atomic::{AtomicU64, Ordering};

/// Which allocation fails.
#[derive(Debug, Default)]
pub struct Shortage {
    /// How many allocations succeed before it; where it is 0 none fails, except the allocation that made it 0.
    left: AtomicU64,
}

impl Shortage {
    /// The allocation of this number, from 1 on, fails.
    #[doc(hidden)]
    pub fn begin(&self, number: u64) {
        self.left.store(number, Ordering::Relaxed);
    }

    /// Whether the failure has not come yet; from now on none comes.
    #[doc(hidden)]
    pub fn end(&self) -> bool {
        self.left.swap(0, Ordering::Relaxed) > 0
    }

    /// Whether the present allocation fails.
    #[cfg_attr(not(feature = "naga"), allow(dead_code, reason = "devices alone need it"))]
    pub(super) fn comes(&self) -> bool {
        let counted = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        counted == Ok(1)
    }
}
