//! Runs of a model that are compiled where the model is.

pub use tickless_core::ranks::Ranks;
pub use tickless_core::run::{Run, Watch};
pub use tickless_device::Target;

use crate::gpu::{CellOptions, DeviceCells};
use crate::{Bands, CellError, CellOutcome, Checkpoint, OverOptions};

/// A model whose crate has its runs compiled, at the speed that simulators are compiled for: what is generic over models is
/// otherwise compiled anew in every crate that runs it. [`ready_cells`](crate::ready_cells) implements it.
pub trait ReadyCells: DeviceCells {
    /// [`crate::run`].
    ///
    /// # Errors
    /// As there.
    fn run(
        &self,
        target: Target<'_>,
        options: CellOptions<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Run<CellOutcome>, CellError>;

    /// [`crate::run_from`].
    ///
    /// # Errors
    /// As there.
    fn run_from(
        &self,
        from: Option<&Checkpoint>,
        target: Target<'_>,
        options: CellOptions<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Run<Checkpoint>, CellError>;

    /// [`crate::run_over`].
    ///
    /// # Errors
    /// As there.
    fn run_over(
        &self,
        ranks: Ranks<'_>,
        options: OverOptions<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Option<Run<CellOutcome>>, CellError>;

    /// [`crate::run_from_over`].
    ///
    /// # Errors
    /// As there.
    fn run_from_over(
        &self,
        from: Option<&Checkpoint>,
        ranks: Ranks<'_>,
        bands: Option<Bands>,
        watch: &mut dyn Watch,
    ) -> Result<Option<Run<Checkpoint>>, CellError>;
}

/// Implements [`ReadyCells`](crate::ReadyCells) for a model.
#[doc(hidden)]
#[macro_export]
macro_rules! ready_cells {
    ($model:ty) => {
        impl $crate::ReadyCells for $model {
            fn run(
                &self,
                target: $crate::ready::Target<'_>,
                options: $crate::gpu::CellOptions<'_>,
                watch: &mut dyn $crate::ready::Watch,
            ) -> Result<$crate::ready::Run<$crate::CellOutcome>, $crate::CellError> {
                $crate::run(self, target, options, watch)
            }

            fn run_from(
                &self,
                from: Option<&$crate::Checkpoint>,
                target: $crate::ready::Target<'_>,
                options: $crate::gpu::CellOptions<'_>,
                watch: &mut dyn $crate::ready::Watch,
            ) -> Result<$crate::ready::Run<$crate::Checkpoint>, $crate::CellError> {
                $crate::run_from(self, from, target, options, watch)
            }

            fn run_over(
                &self,
                ranks: $crate::ready::Ranks<'_>,
                options: $crate::OverOptions<'_>,
                watch: &mut dyn $crate::ready::Watch,
            ) -> Result<Option<$crate::ready::Run<$crate::CellOutcome>>, $crate::CellError> {
                $crate::run_over(self, ranks, options, watch)
            }

            fn run_from_over(
                &self,
                from: Option<&$crate::Checkpoint>,
                ranks: $crate::ready::Ranks<'_>,
                bands: Option<$crate::Bands>,
                watch: &mut dyn $crate::ready::Watch,
            ) -> Result<Option<$crate::ready::Run<$crate::Checkpoint>>, $crate::CellError> {
                $crate::run_from_over(self, from, ranks, bands, watch)
            }
        }
    };
}
