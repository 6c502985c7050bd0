//! Runs that record single visits of tokens to stations.

use super::reference;
use super::{NetworkModel, NetworkOutcome, QueueingError, Visit};
use tickless_core::run::{Run, Watch};

/// Runs one replication on the heap and passes on each visit when it ends, and those of tokens that are there at the end, by their numbers.
/// The outcome is that of any other run of this replication.
///
/// # Errors
/// As a run on the heap.
pub fn visits(
    model: &NetworkModel,
    replication: u32,
    take: impl FnMut(&Visit),
    watch: &mut dyn Watch,
) -> Result<Run<NetworkOutcome>, QueueingError> {
    reference::visits(model, replication, Box::new(take), watch)
}
