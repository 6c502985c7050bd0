//! What a format of visits has to do.

use std::io::Write;

use crate::CommandError;
use tickless_queueing::Visit;

/// A format of visits. Threads make parts of it, each of one replication, and the file takes these in the order of the replications.
pub(super) trait Format: Sync {
    /// What of a replication is in no part yet.
    type Open: Default;
    /// Visits on their way to the file.
    type Part: Default + Send;
    /// What the file remembers between parts.
    type File;

    /// Adds a visit, which ends behind those before it.
    fn add(&self, replication: u32, visit: &Visit, open: &mut Self::Open, part: &mut Self::Part);

    /// Adds what is open when its replication has ended.
    fn close(&self, _replication: u32, _open: Self::Open, _part: &mut Self::Part) {}

    /// How many bytes of memory a part takes, about.
    fn bytes(part: &Self::Part) -> usize;

    /// Begins the file.
    ///
    /// # Errors
    /// A full disk, and the like; as of the other functions of a file.
    fn begin(&self, out: &mut dyn Write) -> Result<Self::File, CommandError>;

    /// Writes the next part.
    fn put(&self, file: &mut Self::File, part: Self::Part, out: &mut dyn Write) -> Result<(), CommandError>;

    /// Writes the end.
    fn finish(&self, file: Self::File, out: &mut dyn Write) -> Result<(), CommandError>;
}
