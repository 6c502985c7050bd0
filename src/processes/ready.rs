//! Runs of PHOLD that are compiled here, at the speed that simulators are compiled for: what is generic over models is otherwise
//! compiled anew in every crate that runs it.

use crate::gpu::ProcessOptions;
use crate::{
    Blocks, Checkpoint, Outcome, OverOptions, PholdModel, ProcessDetails, ProcessError, Stood, run, run_from_over,
    run_over, run_with_snapshots,
};
use tickless_core::ranks::Ranks;
use tickless_core::run::{Run, SnapshotWatch, Watch};
use tickless_device::Target;

impl PholdModel {
    /// [`crate::run`].
    #[doc(hidden)]
    pub fn run(
        &self,
        target: Target<'_>,
        options: ProcessOptions,
        watch: &mut dyn Watch,
    ) -> Result<Run<Outcome, ProcessDetails>, ProcessError> {
        run(self, target, options, watch)
    }

    /// [`crate::run_from`], with snapshots.
    #[doc(hidden)]
    pub fn run_with_snapshots(
        &self,
        from: Option<&Checkpoint>,
        target: Target<'_>,
        options: ProcessOptions,
        watch: &mut dyn SnapshotWatch<Stood>,
    ) -> Result<Run<Checkpoint, ProcessDetails>, ProcessError> {
        run_with_snapshots(self, from, target, options, watch)
    }

    /// [`crate::run_over`].
    #[doc(hidden)]
    pub fn run_over(
        &self,
        ranks: Ranks<'_>,
        options: OverOptions,
        watch: &mut dyn Watch,
    ) -> Result<Option<Run<Outcome, ProcessDetails>>, ProcessError> {
        run_over(self, ranks, options, watch)
    }

    /// [`crate::run_from_over`].
    #[doc(hidden)]
    pub fn run_from_over(
        &self,
        from: Option<&Checkpoint>,
        ranks: Ranks<'_>,
        blocks: Option<Blocks>,
        watch: &mut dyn Watch,
    ) -> Result<Option<Run<Checkpoint, ProcessDetails>>, ProcessError> {
        run_from_over(self, from, ranks, blocks, watch)
    }
}
