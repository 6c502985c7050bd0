//! What can be wrong with a torus before it runs, and with any queueing network while it does.

use crate::device::DeviceError;
use crate::number::Written;
use crate::random::LawError;

/// A model that cannot run, found before anything is allocated.
///
/// ```
/// use tickless::queueing::{ModelError, Torus};
/// let error = Torus::new(0, 5).check().unwrap_err();
/// assert!(matches!(error, ModelError::Side { .. }));
/// assert_eq!(error.to_string(), "the width is 0; a torus needs at least 1 facility each way");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A side of zero.
    #[error("the {name} is 0; a torus needs at least 1 facility each way")]
    Side {
        /// `width` or `height`.
        name: &'static str,
    },
    /// More facilities than 30-bit facility numbers.
    #[error("{width} x {height} facilities are asked; at most {most} can be numbered: use a smaller torus")]
    Facilities {
        /// The width asked.
        width: u32,
        /// The height asked.
        height: u32,
        /// The most facilities.
        most: u64,
    },
    /// More tokens than 32-bit token numbers.
    #[error("{tokens} tokens at each of {facilities} facilities are asked; at most {most} tokens each fit: use fewer")]
    Tokens {
        /// The tokens asked per facility.
        tokens: u32,
        /// The number of facilities.
        facilities: u32,
        /// The most tokens per facility.
        most: u32,
    },
    /// A service law that cannot be drawn from.
    #[error(transparent)]
    Law(#[from] LawError),
    /// A window that leaves no room for the law.
    #[error("the window is {}; it must be 0 or more and below the mean service time {mean}", Written(*.window))]
    Window {
        /// The window asked, in time units.
        window: f64,
        /// The mean service time, in time units.
        mean: f64,
    },
    /// A horizon that is no time.
    #[error("until is {}; it must be above 0 and at most {most} time units, so that no time can overflow", Written(*.until))]
    Until {
        /// The horizon asked, in time units.
        until: f64,
        /// The latest horizon that this service law allows.
        most: f64,
    },
    /// A warm-up time outside the run.
    #[error("the warm-up time is {}; it must be 0 or more and below until, which is {until}", Written(*.warmup))]
    Warmup {
        /// The warm-up time asked, in time units.
        warmup: f64,
        /// The horizon, in time units.
        until: f64,
    },
}

/// What ended a run of a queueing network without a result.
///
/// ```
/// use tickless::{device::Target, queueing::{self, QueueingError, Torus}, run::unwatched};
/// let crowded = Torus::new(1, 1).tokens(5000).service("constant:1e6".parse()?).until(1e9).check()?;
/// let error = queueing::run(&crowded, Target::Heap, Default::default(), &mut unwatched()).unwrap_err();
/// assert!(matches!(error, QueueingError::Overflow { facility: 0, .. }), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueueingError {
    /// The device refused, failed or went away.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A range of replications with none in it.
    #[error("no replication is asked for: give a range of 1 or more")]
    NoReplication,
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
    /// A sum of a facility passed 64 bits (counts on a device: 32 bits).
    #[error("the {sum} of facility {facility} passed its range: use a shorter horizon")]
    Overflow {
        /// Which sum.
        sum: &'static str,
        /// The facility.
        facility: u32,
    },
}
