//! What can go wrong in a run, by phase.

use crate::cells::fire::FireError;
use crate::cells::log::LogError;
use crate::cells::rules::RuleError;
use crate::cells::{CellError, WatershedError};
use crate::device::DeviceError;
use crate::processes::{PholdError, ProcessError};
use crate::queueing::ModelError;

/// Why a run gave no result.
///
/// ```
/// use tickless::{RunError, queueing::Torus};
/// let error = RunError::from(Torus::new(0, 0).check().unwrap_err());
/// assert!(error.to_string().starts_with("the width is 0"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The model is wrong; nothing was allocated.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// PHOLD's parameters are wrong; nothing was allocated.
    #[error(transparent)]
    Phold(#[from] PholdError),
    /// A model of logical processes did what it must not.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A watershed is wrong; nothing was allocated.
    #[error(transparent)]
    Watershed(#[from] WatershedError),
    /// A file of rules is wrong; nothing was allocated.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// A fire is wrong; nothing was allocated.
    #[error(transparent)]
    Fire(#[from] FireError),
    /// A model of cells is wrong, or did what it must not.
    #[error(transparent)]
    Cell(#[from] CellError),
    /// A log of cells is not written or read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The device refused, failed or went away.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The model has no lookahead, so a round may hold no more than one instant.
    #[error(
        "this model has no lookahead (a window that is 0 or rounds to 0, and a service time may be as short as it \
             likes): give a window above 0, or run it on the heap"
    )]
    NoLookahead,
    /// A station that makes no appointments, in a network without lookahead or where they were asked for.
    #[error(
        "station '{station}' has {what}: a device runs a network without lookahead only where every station has one server \
             and room for everyone; give a window above 0 or an interval of approximate time, or run it on the heap"
    )]
    Appointments {
        /// The first such station.
        station: String,
        /// Its servers or its room.
        what: String,
    },
    /// Appointments in approximate time, where rounds are instants.
    #[error(
        "appointments are made in exact time only: leave the interval of approximate time out, or run it in rounds"
    )]
    ApproximateAppointments,
    /// More tokens at once than the pool of a device may hold.
    #[error(
        "at time {clock:.3} the network needs a pool of more than {places} places for its tokens, and may have {most}: \
             allow at least {least} (--max-tokens; more if it goes on growing), use a shorter horizon or fewer replications, \
             or look for a station that is offered more than it serves"
    )]
    Tokens {
        /// Every event before this time has happened, in time units.
        clock: f64,
        /// The places that there are, over all replications.
        places: u64,
        /// The most that there may be.
        most: u64,
        /// Fewer than these do not suffice. How many do is not known before the end of the run.
        least: u64,
    },
    /// More pending events of a process than it may have.
    #[error(
        "at time {clock:.3} a process has {needed} pending events, and may have {most}: allow at least {needed} \
             (--max-pending; more if it goes on growing), or use a shorter horizon"
    )]
    Pending {
        /// Every event before this time has happened, in time units.
        clock: f64,
        /// The most that a process has.
        needed: u32,
        /// The most that it may have.
        most: u32,
    },
    /// More pending events of all processes than they may have in the mean, with one heap for all.
    #[error(
        "at time {clock:.3} processes have {needed} pending events in the mean (rounded up), and may have {most}: allow at \
             least {needed} (--max-pending; more if they go on growing), or use a shorter horizon"
    )]
    MeanPending {
        /// Every event before this time has happened, in time units.
        clock: f64,
        /// What they have in the mean.
        needed: u32,
        /// What they may have.
        most: u32,
    },
    /// A node of the heap of all processes' events that there is not.
    #[error("a node of the global heap has {node} events; it may have 1 to {most} (--node-size)")]
    Node {
        /// The events asked.
        node: u32,
        /// The most.
        most: u32,
    },
    /// A sum of a facility passed 64 bits (counts on a device: 32 bits).
    #[error("the {sum} of facility {facility} passed its range: use a shorter horizon")]
    Overflow {
        /// Which sum.
        sum: &'static str,
        /// The facility.
        facility: u32,
    },
}
