//! Runs of a model that are compiled in the crate of the model.

pub use std::ops::Range;
pub use tickless_core::run::{Run, RunMode, Watch};
pub use tickless_device::On;

pub use crate::run::simulate;

use crate::gpu::{CellOptions, DeviceCells};
use crate::{Bands, CellError, Checkpoint};

/// A model whose crate compiles its runs, optimized as simulators are: generic code would otherwise be compiled anew in
/// every crate that runs the model. [`ready_cells`](crate::ready_cells) implements it.
pub trait ReadyCells: DeviceCells {
    /// [`crate::run`] in a mode.
    ///
    /// # Errors
    /// As [`crate::run`].
    fn run(
        &self,
        replications: Range<u32>,
        mode: RunMode<'_, Checkpoint>,
        on: On<'_, Bands>,
        options: CellOptions<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Run<Checkpoint>, CellError>;
}

/// Implements [`ReadyCells`](crate::ReadyCells) for a model.
#[doc(hidden)]
#[macro_export]
macro_rules! ready_cells {
    ($model:ty) => {
        impl $crate::ReadyCells for $model {
            fn run(
                &self,
                replications: $crate::ready::Range<u32>,
                mode: $crate::ready::RunMode<'_, $crate::Checkpoint>,
                on: $crate::ready::On<'_, $crate::Bands>,
                options: $crate::gpu::CellOptions<'_>,
                watch: &mut dyn $crate::ready::Watch,
            ) -> Result<$crate::ready::Run<$crate::Checkpoint>, $crate::CellError> {
                $crate::ready::simulate(self, (replications, mode), on, options, watch)
            }
        }
    };
}
