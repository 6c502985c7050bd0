//! What only runs of queueing networks say.

use crate::run::Appointments;

/// What a run of queueing networks says beside its records.
///
/// ```
/// use tickless::queueing::{Torus, reference};
/// let run = reference::simulate(&Torus::new(4, 4).check()?, &mut tickless::run::unwatched())?;
/// assert_eq!((run.details.completions, run.details.appointments), (run.events, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkDetails {
    /// Ends of services over the whole run, the warm-up included. Tokens from sources are events too, but not these.
    pub completions: u64,
    /// What appointments say of themselves, where the run made any.
    pub appointments: Option<Appointments>,
}
