//! What only runs of logical processes say.

use super::Outcome;
use super::gpu::PendingReport;
use crate::run::Run;

/// What a run of logical processes says beside its records.
///
/// ```
/// use tickless::processes::{Phold, reference};
/// let run = reference::simulate(&Phold::new(100).until(20.0).check()?, &mut tickless::run::unwatched())?;
/// assert_eq!(run.events, run.outcome.statistics().executed);
/// assert!(run.details.remote.unwrap() > 0 && run.details.pending.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProcessDetails {
    /// Messages that events sent to another process than their own; where the backend counts them.
    pub remote: Option<u64>,
    /// How pending events were kept, on a device.
    pub pending: Option<PendingReport>,
}

impl Run<Outcome, ProcessDetails> {
    /// The messages to another process than their sender's by the events executed; `None` where the backend does not
    /// count them. Where every event sends one message, as in PHOLD, it is the share of those.
    pub fn remote_share(&self) -> Option<f64> {
        self.details.remote.map(|remote| remote as f64 / self.events.max(1) as f64)
    }
}
