//! Who of several destinations a token goes to.

/// How a token that has been served finds its way among the routes of its class from there.
///
/// ```
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
}

impl std::fmt::Display for Routing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::RoundRobin => f.write_str("round-robin"),
            Self::ShortestQueue => f.write_str("shortest-queue"),
            Self::ShortestOf(of) => write!(f, "shortest-of:{of}"),
        }
    }
}

impl std::str::FromStr for Routing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let of = text.strip_prefix("shortest-of:").and_then(|of| of.parse().ok());
        match (text, of) {
            (_, Some(of @ 1..)) => Ok(Self::ShortestOf(of)),
            ("random", _) => Ok(Self::Random),
            ("round-robin", _) => Ok(Self::RoundRobin),
            ("shortest-queue", _) => Ok(Self::ShortestQueue),
            _ => Err(format!(
                "'{text}' is no routing; it may be random, round-robin, shortest-queue, or shortest-of:D with D of 1 or more"
            )),
        }
    }
}
