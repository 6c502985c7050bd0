//! Errors of networks before a run.

use super::FoldError;
use tickless_core::memory::NoMemory;
use tickless_core::number::Written;
use tickless_core::random::LawError;

/// A network that cannot run, with the name of the station, source or sink at fault.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, NetworkError, Station};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "exponential:1".parse().unwrap()).tokens(1));
/// network.route(desk, desk, 0.9, 0.0);
/// let error = network.check().unwrap_err();
/// assert_eq!(error.to_string(), "the routes from station 'desk' have probabilities that add up to 0.9, not to 1");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// No station at all.
    #[error("the network has no station; it needs at least 1")]
    Empty,
    /// Too many of a kind.
    #[error("the network has {count} {what}; at most {most} can be numbered")]
    TooMany {
        /// Stations, routes or tokens.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// The most allowed.
        most: u64,
    },
    /// An id of another network.
    #[error(
        "{what} {number} of another network is named, or one that was never added: an id is for the network that gave it, and for its clones"
    )]
    Foreign {
        /// `station`, `sink`, `class` or `resource`.
        what: &'static str,
        /// Its place, from 0 on.
        number: u32,
    },
    /// A size of a [`Topology`](crate::Topology) out of its range.
    #[error("{size} is {value}; it must be {allowed}")]
    Size {
        /// The field of the topology.
        size: &'static str,
        /// Its value.
        value: u32,
        /// The allowed values, given the sizes before it.
        allowed: String,
    },
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// Two parts with one name.
    #[error("two stations, sources, sinks, classes or resources are named '{name}'; each needs a name of its own")]
    Name {
        /// The name.
        name: String,
    },
    /// A law that cannot be drawn from.
    #[error("{kind} '{name}', `{key}`: {error}")]
    Law {
        /// `station` or `source`.
        kind: &'static str,
        /// Its name.
        name: String,
        /// The key of the law in files.
        key: &'static str,
        /// The fault.
        error: LawError,
    },
    /// A parameter out of its range.
    #[error("{kind} '{name}': {parameter} is {value}; it must be {allowed}")]
    Parameter {
        /// `station`, `source`, `resource` or `route from station`.
        kind: &'static str,
        /// Its name.
        name: String,
        /// Which parameter.
        parameter: &'static str,
        /// Its value.
        value: String,
        /// The allowed values.
        allowed: String,
    },
    /// Probabilities that do not add up.
    #[error("the routes from station '{station}' have probabilities that add up to {}, not to 1", Written(*.sum))]
    Probabilities {
        /// The station.
        station: String,
        /// Their sum.
        sum: f64,
    },
    /// A station that no token leaves.
    #[error("no route leads away from station '{station}': give it one, to a station or a sink")]
    NoWayOut {
        /// The station.
        station: String,
    },
    /// A station that no token ever reaches.
    #[error(
        "no token ever reaches station '{station}': give it tokens, a source or a route from a station that is reached"
    )]
    Unreachable {
        /// The station.
        station: String,
    },
    /// Tokens at the top of a network of classes, disciplines or patience.
    #[error("the network has `tokens` beside {reason}: leave `tokens` out, and give each station its tokens by class")]
    Multiclass {
        /// What the network has that they do not go with.
        reason: String,
    },
    /// Approximate time of a network that has no rule for it.
    #[error("approximate time does not go with {what}: leave it or the interval of {} out", Written(*.interval))]
    NotApproximate {
        /// The interval.
        interval: f64,
        /// What it has that there is no rule for, and why.
        what: String,
    },
    /// A window of a network that has no rounds.
    #[error(
        "the network has a window of {}, for rounds of many events at once, and {what}, which no round foresees: leave the window \
         out, it runs event by event then", Written(*.window)
    )]
    NoRounds {
        /// The window, in time units.
        window: f64,
        /// The class or station, and its feature.
        what: String,
    },
    /// A window that leaves no room for a law.
    #[error("the window is {}; it must be 0 or more and below {most}, which station '{station}' allows", Written(*.window))]
    Window {
        /// The window, in time units.
        window: f64,
        /// The most that the station allows: its mean service time and its shortest transit delay.
        most: f64,
        /// The station.
        station: String,
    },
    /// An interval of approximate time that is not allowed.
    #[error(
        "the interval of approximate time is {}; it must be a tick (2^-32 time units) or more and below 2^30 time units; \
         leave it out for exact time", Written(*.interval)
    )]
    Interval {
        /// The interval asked, in time units.
        interval: f64,
    },
    /// Approximate time and a window.
    #[error(
        "the network has a window of {} and approximate time of interval {}: give one of them (a window of 0 leaves it out)",
        Written(*.window), Written(*.interval)
    )]
    WindowAndInterval {
        /// The window asked, in time units.
        window: f64,
        /// The interval asked, in time units.
        interval: f64,
    },
    /// An unknown station to observe.
    #[error("no station is named '{name}': distributions are those of stations, and {known}")]
    Observed {
        /// The name.
        name: String,
        /// The stations that there are, or some of them, and the one that was probably meant.
        known: String,
    },
    /// An empty list of stations to observe.
    #[error(
        "the list of stations whose distributions are recorded is empty: name a station, or give true for all or false for none"
    )]
    ObservedNobody,
    /// A step of the series that is not allowed.
    #[error("the step of the series is {}; it must be from {} on: a million times up to until at most", Written(*.step), Written(*.least))]
    Series {
        /// The step asked, in time units.
        step: f64,
        /// The least that the horizon allows.
        least: f64,
    },
    /// A period of figures by the hour that is not allowed.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// A quantile that is not allowed.
    #[error("a quantile is {}; it must be above 0 and at most 1, as 0.95", Written(*.0))]
    Quantile(f64),
    /// Quantiles of times that nobody records.
    #[error(
        "quantiles are those of distributions, and none are recorded: set `distributions = true`, or leave `quantiles` out"
    )]
    QuantilesOfNothing,
    /// A horizon that is not allowed.
    #[error("until is {}; it must be above 0 and at most {most} time units, so that no time can overflow", Written(*.until))]
    Until {
        /// The horizon asked, in time units.
        until: f64,
        /// The latest horizon that the laws and delays allow.
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
    /// A word for a time unit, a token or money that is no word.
    #[error("`{key}` is '{}'; it must have 1 to {most} characters, not all of them blanks, and none that acts on a terminal: leave it out for the usual word", word.escape_debug())]
    Word {
        /// `unit`, `token` or `currency`.
        key: &'static str,
        /// The word.
        word: String,
        /// The most characters.
        most: usize,
    },
    /// A warm-up of a terminating network.
    #[error("the warm-up time is {}, and terminating is true: a system that ends has no steady state to warm up to; leave one of them out", Written(*.warmup))]
    Terminating {
        /// The warm-up time asked, in time units.
        warmup: f64,
    },
}
