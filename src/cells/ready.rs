//! Runs of a model that are compiled in the crate of the model.

pub use tickless_core::run::{Run, Watch};
pub use tickless_device::On;

pub use crate::run::Course;

use crate::gpu::{CellOptions, DeviceCells};
use crate::{Bands, CellError, Checkpoint};

/// A model whose crate compiles its runs, optimized as simulators are: generic code would otherwise be compiled anew in
/// every crate that runs the model. [`ready_cells`](crate::ready_cells) implements it.
pub trait ReadyCells: DeviceCells {
    /// [`crate::run`], from the beginning that the course gives.
    ///
    /// # Errors
    /// As [`crate::run`].
    fn run(
        &self,
        course: Course<'_>,
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
                course: $crate::ready::Course<'_>,
                on: $crate::ready::On<'_, $crate::Bands>,
                options: $crate::gpu::CellOptions<'_>,
                watch: &mut dyn $crate::ready::Watch,
            ) -> Result<$crate::ready::Run<$crate::Checkpoint>, $crate::CellError> {
                use $crate::RunsOn;
                match on {
                    $crate::ready::On::Target(target) => target.run(self, course, options, watch),
                    $crate::ready::On::Ranks(ranks, None) => RunsOn::run(ranks, self, course, options, watch),
                    $crate::ready::On::Ranks(ranks, Some(bands)) => (ranks, bands).run(self, course, options, watch),
                }
            }
        }
    };
}
