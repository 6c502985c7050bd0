//! The torus on the heap simulator: one event at a time, nothing known of rounds.

use crate::{
    RunError,
    queueing::TorusModel,
    run::{Run, Watch},
};

/// Runs the model.
///
/// # Errors
/// none yet
pub fn simulate(_model: &TorusModel, _watch: &mut dyn Watch) -> Result<Run, RunError> {
    unreachable!()
}
