//! Integer accumulators, the digest of stations, what a run's figures are computed from, and what several runs tell of them.

mod digest;
mod estimate;
mod histogram;
mod outcome;
mod pooled;
mod warmup;

pub(crate) use estimate::quantile;
pub use estimate::{CONFIDENCE, Estimate};
pub(crate) use histogram::add as add_counts;
pub(crate) use histogram::trim;
pub use histogram::{Distribution, Scale};
pub use outcome::{AddedUp, FacilityRecord, NetworkStatistics, Outcome, Totals};
#[doc(hidden)]
pub use pooled::Pooled;
#[doc(hidden)]
pub use warmup::{SeriesError, Truncation, mser5};
