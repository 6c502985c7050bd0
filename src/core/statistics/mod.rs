//! Integer accumulators, the digest of stations, the base of a run's figures, and statistics over several runs.

mod digest;
mod estimate;
mod histogram;
mod outcome;
mod pooled;
mod record;
mod warmup;

#[doc(hidden)]
pub use estimate::quantile;
pub use estimate::{CONFIDENCE, Estimate};
#[doc(hidden)]
pub use histogram::add as add_counts;
pub use histogram::{Distribution, Scale};
#[doc(hidden)]
pub use histogram::{longest_of_both, trim};
pub use outcome::{AddedUp, NetworkStatistics, Outcome};
#[doc(hidden)]
pub use pooled::Pooled;
pub use record::{FacilityRecord, Totals};
#[doc(hidden)]
pub use record::{halves, sum_of};
#[doc(hidden)]
pub use warmup::{SeriesError, Truncation, mser5};
