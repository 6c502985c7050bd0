//! Time that stands still: how long a run that is to end waits for it.

use std::time::Duration;

/// A run that is to end waits so long for time to go on.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// It waits on where time has stood still for no more cycles, or rounds, than these.
pub const FEW_CYCLES: u64 = 32;
