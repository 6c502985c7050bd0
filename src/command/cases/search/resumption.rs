//! Checkpoints of searches, which have the records of those that have ended.

use super::SearchCase;
use crate::checkpoint::Resumable;
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_pathfinding::Outcome;

impl Resumable for SearchCase {
    type Counts = ();

    fn arrays(at: &Outcome) -> Result<Arrays, ArchiveError> {
        at.arrays()
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<Outcome, ArchiveError> {
        Outcome::from_arrays(&self.batch.model, arrays)
    }
}
