//! Runs of a model that are compiled where the model is.

pub use std::ops::Range;
pub use tickless_core::run::{Run, Watch};
pub use tickless_device::On;

pub use crate::run::Course;

use crate::gpu::{CellOptions, DeviceCells};
use crate::replications::Replications;
use crate::{Bands, CellError, Checkpoint, RunsOn};

/// A model whose crate has its runs compiled, at the speed that simulators are compiled for: what is generic over models is
/// otherwise compiled anew in every crate that runs it. [`ready_cells`](crate::ready_cells) implements it.
pub trait ReadyCells: DeviceCells {
    /// [`crate::run`], from where the course says.
    ///
    /// # Errors
    /// As there.
    fn run(
        &self,
        replications: Range<u32>,
        course: Course<'_>,
        on: On<'_, Bands>,
        options: CellOptions<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Run<Checkpoint>, CellError>;
}

/// Runs a model, where it is compiled.
///
/// # Errors
/// Those of [`crate::run`].
pub fn run<M: DeviceCells>(
    model: &M,
    (replications, course): (Range<u32>, Course<'_>),
    on: On<'_, Bands>,
    options: CellOptions<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint>, CellError> {
    let prepared = model.prepared(&replications)?;
    let model = &Replications::new(prepared.as_ref().unwrap_or(model), replications)?;
    match on {
        On::Target(target) => target.run(model, course, options, watch),
        On::Ranks(ranks, None) => RunsOn::run(ranks, model, course, options, watch),
        On::Ranks(ranks, Some(bands)) => (ranks, bands).run(model, course, options, watch),
    }
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
                course: $crate::ready::Course<'_>,
                on: $crate::ready::On<'_, $crate::Bands>,
                options: $crate::gpu::CellOptions<'_>,
                watch: &mut dyn $crate::ready::Watch,
            ) -> Result<$crate::ready::Run<$crate::Checkpoint>, $crate::CellError> {
                $crate::ready::run(self, (replications, course), on, options, watch)
            }
        }
    };
}
