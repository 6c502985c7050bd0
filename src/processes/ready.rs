//! Runs of PHOLD that are compiled here, optimized as simulators are: generic code would otherwise be compiled anew in every
//! crate that runs it.

use crate::gpu::ProcessOptions;
use crate::run::simulate;
use crate::{Blocks, Checkpoint, PholdModel, ProcessDetails, ProcessError, Stood};
use tickless_core::run::{Run, RunMode, SnapshotWatch};
use tickless_device::On;

impl PholdModel {
    /// [`crate::run`] in a mode.
    #[doc(hidden)]
    pub fn run(
        &self,
        mode: RunMode<'_, Checkpoint>,
        on: On<'_, Blocks>,
        options: ProcessOptions,
        watch: &mut dyn SnapshotWatch<Stood>,
    ) -> Result<Run<Checkpoint, ProcessDetails>, ProcessError> {
        simulate(self, mode, on, options, watch)
    }
}
