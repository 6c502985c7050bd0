//! How a token chooses among several destinations.

/// How a token that has been served finds its way among the routes of its class from there.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::Routing;
/// assert_eq!("shortest-of:2".parse(), Ok(Routing::ShortestOf(2)));
/// assert_eq!(Routing::RoundRobin.to_string(), "round-robin");
/// assert!("shortest-of:0".parse::<Routing>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Routing {
    /// `random`: by the probabilities of the routes.
    #[default]
    Random,
    /// `round-robin`: one route after the other, each class for itself.
    RoundRobin,
    /// `shortest-queue`: to the station with the fewest tokens, of several the first route.
    ShortestQueue,
    /// `shortest-line`: to the station with the least number of tokens minus servers on duty, which is below 0 where servers are free; among
    /// equals by the first route.
    ShortestLine,
    /// `fewest-waiting`: to the station where fewest wait in line, for a server or for units; among equals by the first route. Who is in
    /// service, is blocked or waits for siblings is not in line.
    FewestWaiting,
    /// `shortest-of-class`: to the station with the fewest tokens of the class that the token is of there; among equals by the first route.
    ShortestOfClass,
    /// `shortest-response`: to the station with the least S max(n + 1, c) / c, S being the mean service time of the class that the token is
    /// of there, n the number of tokens there and c that of servers; S where servers are infinite. Among equals by the first route.
    ShortestResponse,
    /// `shortest-of:D`: to the station with the fewest tokens of D stations that are drawn with replacement; among
    /// equals the first drawn.
    ShortestOf(u32),
    /// `least-work`: to the station with the least expected work for each of its servers; among equals by the first route. The work
    /// of a token is the mean service time of its class, however long it has been served.
    LeastWork,
    /// `first-free`: by the first route that leads to a free server or to a sink; without such a route by the first to a station
    /// with room, and else by the first.
    FirstFree,
    /// `by-visit`: a token takes the n-th route after its n-th service there, and the first again after the last.
    ByVisit,
    /// `by-attribute`: by the first route up to whose value ([`Route::up_to`](crate::Route::up_to)) what the token carries is, and else by the
    /// last ([`Station::route_by`](crate::Station::route_by)).
    ByAttribute,
    /// `fork`: by all routes at once, one copy by each; the copies are joined at a station that joins.
    Fork,
}

impl Routing {
    /// Whether it counts tokens at stations, so that no sink can be a destination.
    pub(crate) fn counts(self) -> bool {
        let looks_at_nobody = matches!(self, Self::Random | Self::RoundRobin | Self::ByVisit | Self::ByAttribute);
        !looks_at_nobody && !matches!(self, Self::FirstFree | Self::Fork)
    }
}

impl std::fmt::Display for Routing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::RoundRobin => f.write_str("round-robin"),
            Self::ShortestQueue => f.write_str("shortest-queue"),
            Self::ShortestLine => f.write_str("shortest-line"),
            Self::FewestWaiting => f.write_str("fewest-waiting"),
            Self::ShortestOfClass => f.write_str("shortest-of-class"),
            Self::ShortestResponse => f.write_str("shortest-response"),
            Self::LeastWork => f.write_str("least-work"),
            Self::FirstFree => f.write_str("first-free"),
            Self::Fork => f.write_str("fork"),
            Self::ByVisit => f.write_str("by-visit"),
            Self::ByAttribute => f.write_str("by-attribute"),
            Self::ShortestOf(of) => write!(f, "shortest-of:{of}"),
        }
    }
}

/// The names of routings in files, as an expression.
#[cfg(feature = "files")]
pub(crate) const ROUTINGS: &str = "^(random|round-robin|shortest-queue|shortest-line|fewest-waiting|shortest-of-class|shortest-response|shortest-of:[1-9][0-9]*|least-work|\
     first-free|by-visit|by-attribute|fork)$";

/// Those of sources.
#[cfg(feature = "files")]
pub(crate) const ROUTINGS_OF_SOURCES: &str = "^(random|round-robin|shortest-queue|shortest-line|fewest-waiting|shortest-of-class|shortest-response|shortest-of:[1-9][0-9]*|least-work|\
     first-free)$";

impl std::str::FromStr for Routing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let of = text.strip_prefix("shortest-of:").and_then(|of| of.parse().ok());
        match (text, of) {
            (_, Some(of @ 1..)) => Ok(Self::ShortestOf(of)),
            ("random", _) => Ok(Self::Random),
            ("round-robin", _) => Ok(Self::RoundRobin),
            ("shortest-queue", _) => Ok(Self::ShortestQueue),
            ("shortest-line", _) => Ok(Self::ShortestLine),
            ("fewest-waiting", _) => Ok(Self::FewestWaiting),
            ("shortest-of-class", _) => Ok(Self::ShortestOfClass),
            ("shortest-response", _) => Ok(Self::ShortestResponse),
            ("least-work", _) => Ok(Self::LeastWork),
            ("first-free", _) => Ok(Self::FirstFree),
            ("fork", _) => Ok(Self::Fork),
            ("by-visit", _) => Ok(Self::ByVisit),
            ("by-attribute", _) => Ok(Self::ByAttribute),
            _ => Err(format!(
                "'{text}' is no routing; it may be random, round-robin, shortest-queue, shortest-line, fewest-waiting, shortest-of-class, \
                 shortest-response, least-work, first-free, by-visit, by-attribute, fork, or shortest-of:D with D of 1 or more"
            )),
        }
    }
}
