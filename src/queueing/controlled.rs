//! Copies of a network under control, on the heap and on devices.

use crate::QueueingError;
use crate::control::{ControlledModel, Copies};
use tickless_core::run::Watch;
use tickless_device::{AdapterDescription, Device};
use tickless_engine::ModelParts;

impl ControlledModel {
    /// The kernels and buffers of a copy, before its first step.
    ///
    /// # Errors
    /// As [`ControlledModel::on_device`].
    #[doc(hidden)]
    pub fn parts(&self, adapter: &AdapterDescription) -> Result<ModelParts, QueueingError> {
        crate::gpu::parts_of_copy(&self.model, adapter)
    }

    /// Copies on a device, at time 0, each with streams of its own.
    ///
    /// # Errors
    /// No copy; a network that a device does not run event by event; copies that do not fit the device; as the device.
    pub fn on_device<'a>(
        &'a self,
        device: &'a dyn Device,
        copies: u32,
        seed: u64,
        watch: &mut dyn Watch,
    ) -> Result<Box<dyn Copies + 'a>, QueueingError> {
        if copies == 0 {
            return Err(QueueingError::NoReplication);
        }
        Ok(Box::new(crate::gpu::DeviceCopies::start(self, device, (copies, seed), watch)?))
    }

    /// Copies on the heap, at time 0, each with streams of its own.
    ///
    /// # Errors
    /// No copy; too little memory.
    pub fn on_the_heap(&self, copies: u32, seed: u64) -> Result<Box<dyn Copies + '_>, QueueingError> {
        if copies == 0 {
            return Err(QueueingError::NoReplication);
        }
        Ok(Box::new(crate::reference::HeapCopies::start(self, (copies, seed))?))
    }
}
