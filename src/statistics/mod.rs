//! Integer accumulators, the digest, and what a run's figures are computed from.

mod digest;
mod outcome;

pub use digest::{Difference, Digest};
pub use outcome::{FacilityRecord, NetworkStatistics, Outcome};
