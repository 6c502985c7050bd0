//! Memory of an adapter, and what is said where there is none.

use super::{WgpuDevice, api};
use crate::device::{DeviceError, bytes};

impl WgpuDevice {
    /// Makes what takes memory, for which so many bytes are asked.
    pub(super) fn allocate<T>(&self, asked: u64, make: impl FnOnce() -> T) -> Result<T, DeviceError> {
        #[cfg(test)]
        if self.shortage.comes() {
            return Err(self.out_of_memory(asked));
        }
        let memory = self.device.push_error_scope(api::ErrorFilter::OutOfMemory);
        let made = make();
        match pollster::block_on(memory.pop()) {
            None => Ok(made),
            Some(_) => Err(self.out_of_memory(asked)),
        }
    }

    fn out_of_memory(&self, asked: u64) -> DeviceError {
        DeviceError::OutOfMemory { adapter: self.description.name.clone(), asked: bytes(asked) }
    }
}

/// An allocation that fails, for tests.
#[cfg(test)]
#[derive(Debug, Default)]
pub(crate) struct Shortage {
    /// How many succeed before it; none fails where it is 0, but for the one that made it so.
    left: std::sync::atomic::AtomicU64,
}

#[cfg(test)]
impl Shortage {
    /// The allocation of this number fails, from 1 on.
    pub(crate) fn begin(&self, number: u64) {
        self.left.store(number, std::sync::atomic::Ordering::Relaxed);
    }

    /// Whether it is still to come; none does any more.
    pub(crate) fn end(&self) -> bool {
        self.left.swap(0, std::sync::atomic::Ordering::Relaxed) > 0
    }

    fn comes(&self) -> bool {
        use std::sync::atomic::Ordering::Relaxed;
        let counted = self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        counted == Ok(1)
    }
}
