//! Memory of an adapter, and the error where there is too little.

use super::{WgpuDevice, api};
use crate::{DeviceError, bytes};

impl WgpuDevice {
    /// Makes something that takes memory; `asked` is its size in bytes.
    pub(super) fn allocate<T>(&self, asked: u64, make: impl FnOnce() -> T) -> Result<T, DeviceError> {
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
