//! Livelock: how long a run that is to end waits for its time to go on.

use std::time::Duration;

/// A run that is to end waits this long for its time to go on.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// It waits longer where time has stood still for at most this many cycles, or rounds.
pub const FEW_CYCLES: u64 = 32;
