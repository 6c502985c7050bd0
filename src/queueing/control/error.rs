//! Errors of what is to be decided.

use crate::NetworkError;

/// What cannot be decided or seen.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Station, control::Control};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "constant:1".parse()?).tokens(1));
/// network.route(desk, desk, 1.0, 0.0);
/// let control = Control { decisions: vec!["station.desk.server".into()], ..Control::every(1.0) };
/// let said = network.control(&control).unwrap_err().to_string();
/// assert!(said.contains("'servers' is probably meant"), "{said}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ControlError {
    /// A path that leads nowhere.
    #[error("'{path}' is {what}: {about}")]
    Path {
        /// The path.
        path: String,
        /// What it is not.
        what: &'static str,
        /// What there is.
        about: String,
    },
    /// Something that is decided twice.
    #[error("'{path}' is among the decisions twice: leave it out once")]
    Twice {
        /// The path.
        path: String,
    },
    /// A station whose servers, order or routes are made by something else.
    #[error("{what} of station '{station}' cannot be decided, as it has {reason}: {remedy}")]
    Refused {
        /// What is to be decided.
        what: &'static str,
        /// The station.
        station: String,
        /// What stands against it.
        reason: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// One way only.
    #[error("{place} has {routes} to choose from: a decision needs two or more, of every class as many")]
    Routes {
        /// The station or source, with its name.
        place: String,
        /// How many.
        routes: String,
    },
    /// The time between decisions.
    #[error("the time between decisions is {units} time units; it must be from 2^-32 to below 2^32")]
    Every {
        /// The time, in time units.
        units: f64,
    },
    /// A network whose stations are computed, or in approximate time.
    #[error(
        "a computed torus, and approximate time, have no decisions: list the stations, and leave `approximate` out"
    )]
    NoLists,
    /// The network.
    #[error(transparent)]
    Network(#[from] NetworkError),
}
