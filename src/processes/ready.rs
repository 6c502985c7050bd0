//! Runs of PHOLD that are compiled here, optimized as simulators are: generic code would otherwise be compiled anew in every
//! crate that runs it.

use crate::gpu::ProcessOptions;
use crate::reference::Course;
use crate::{Blocks, Checkpoint, PholdModel, ProcessDetails, ProcessError, RunsOn, Stood};
use tickless_core::run::{Run, SnapshotWatch};
use tickless_device::On;

impl PholdModel {
    /// [`crate::run`] from the beginning that the course gives.
    #[doc(hidden)]
    pub fn run(
        &self,
        course: Course<'_>,
        on: On<'_, Blocks>,
        options: ProcessOptions,
        watch: &mut dyn SnapshotWatch<Stood>,
    ) -> Result<Run<Checkpoint, ProcessDetails>, ProcessError> {
        match on {
            On::Target(target) => RunsOn::run(target, self, course, options, watch),
            On::Ranks(ranks, None) => RunsOn::run(ranks, self, course, options, watch),
            On::Ranks(ranks, Some(blocks)) => RunsOn::run((ranks, blocks), self, course, options, watch),
        }
    }
}
