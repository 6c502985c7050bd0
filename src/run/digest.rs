//! The digest of a run.

use std::fmt;

/// The 256 bits that two equal runs share.
///
/// ```
/// use tickless::queueing::{Torus, reference};
/// let run = |seed| reference::simulate(&Torus::new(4, 4).seed(seed).check().unwrap(), &mut tickless::run::unwatched());
/// assert_eq!(run(1)?.outcome.digest(), run(1)?.outcome.digest());
/// assert_ne!(run(1)?.outcome.digest(), run(2)?.outcome.digest());
/// # Ok::<(), tickless::RunError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of these 256 bits.
    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its 256 bits.
    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}
