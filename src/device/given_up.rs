//! Batches that did not end in time, and that a device may still be at work on: until they end, no other run begins there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::DeviceError;

/// Whether a device has such a batch. A driver may wait for it without a limit, so this is looked at before each call.
#[derive(Clone, Debug, Default)]
pub(super) struct GivenUp(Arc<AtomicBool>);

impl GivenUp {
    pub(super) fn set(&self, at_work: bool) {
        self.0.store(at_work, Ordering::Release);
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Refuses a device that is at work.
    ///
    /// # Errors
    /// [`DeviceError::AtWork`].
    pub(super) fn check(&self, adapter: &str) -> Result<(), DeviceError> {
        if self.is_set() { Err(DeviceError::AtWork { adapter: adapter.to_owned() }) } else { Ok(()) }
    }
}
