//! Who of several destinations a token goes to.

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
    /// `shortest-of:D`: to the one with the fewest of D that are drawn, each of all of them; of several the first drawn.
    ShortestOf(u32),
    /// `least-work`: to the station with the least expected work for each of its servers, of several the first route. The work of a
    /// token that is there is the mean service time of its class, whatever it has had of that.
    LeastWork,
    /// `first-free`: by the first route that leads to a free server or to a sink; where there is none by the first to a station with
    /// room, and else by the first.
    FirstFree,
    /// `by-visit`: the n-th time that a token is served there it takes the n-th route, after the last one the first again.
    ByVisit,
    /// `fork`: by all of them at once, one copy by each; they are one again at a station that joins.
    Fork,
}

impl Routing {
    /// Whether it counts who is at a station, so that no sink can be among its destinations.
    pub(crate) fn counts(self) -> bool {
        matches!(self, Self::ShortestQueue | Self::ShortestOf(_) | Self::LeastWork)
    }
}

impl std::fmt::Display for Routing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::RoundRobin => f.write_str("round-robin"),
            Self::ShortestQueue => f.write_str("shortest-queue"),
            Self::LeastWork => f.write_str("least-work"),
            Self::FirstFree => f.write_str("first-free"),
            Self::Fork => f.write_str("fork"),
            Self::ByVisit => f.write_str("by-visit"),
            Self::ShortestOf(of) => write!(f, "shortest-of:{of}"),
        }
    }
}

/// Their names in files, as an expression.
#[cfg(feature = "files")]
pub(crate) const ROUTINGS: &str =
    "^(random|round-robin|shortest-queue|shortest-of:[1-9][0-9]*|least-work|first-free|by-visit|fork)$";

impl std::str::FromStr for Routing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let of = text.strip_prefix("shortest-of:").and_then(|of| of.parse().ok());
        match (text, of) {
            (_, Some(of @ 1..)) => Ok(Self::ShortestOf(of)),
            ("random", _) => Ok(Self::Random),
            ("round-robin", _) => Ok(Self::RoundRobin),
            ("shortest-queue", _) => Ok(Self::ShortestQueue),
            ("least-work", _) => Ok(Self::LeastWork),
            ("first-free", _) => Ok(Self::FirstFree),
            ("fork", _) => Ok(Self::Fork),
            ("by-visit", _) => Ok(Self::ByVisit),
            _ => Err(format!(
                "'{text}' is no routing; it may be random, round-robin, shortest-queue, least-work, first-free, by-visit, fork, or shortest-of:D with D \
                 of 1 or more"
            )),
        }
    }
}
