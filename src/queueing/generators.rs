//! Large networks of equal stations.

mod random;

use super::check::MOST;
use super::describe::{Network, Source, Station};
use super::error::NetworkError;
use super::torus::Torus;
use tickless_core::random::ServiceLaw;

/// The most routes that can be numbered.
const MOST_ROUTES: u64 = u32::MAX as u64;

/// How the stations of a generated network hang together. Stations are numbered from 0.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Station, Topology};
/// let each = Station::new("s", "exponential:10".parse()?).tokens(2);
/// let network = Network::generate(&Topology::RandomRegular { stations: 50, degree: 3, seed: 7 }, &each, 0.0)?;
/// assert_eq!(network.routes().count(), 150);
/// let model = network.window(1.0).check()?;
/// assert_eq!((model.stations(), model.tokens()), (50, 100));
/// assert_eq!(model.station_name(49), "s49");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Topology {
    /// A grid whose opposite sides meet; station row * width + column leads down, right, up and left, in this order, each
    /// with probability 1/4. A side of 1 makes routes to the station itself, a side of 2 two routes to one neighbour.
    /// Its edges are computed, and it takes no memory, where time is exact, the delay is 0, the stations have one server
    /// and room for everyone, no distributions are recorded and nothing is added.
    Torus {
        /// Stations in a row, 1 or more; width * height is at most 2³⁰ - 1.
        width: u32,
        /// Rows, 1 or more.
        height: u32,
    },
    /// Each station leads to the next, the last to the first.
    Ring {
        /// 1 to 2³¹ - 1.
        stations: u32,
    },
    /// A source named `source` leads to the first station, each station to the next, and the last to a sink named `sink`.
    Tandem {
        /// 1 to 2³¹ - 3.
        stations: u32,
        /// The law of the time between two tokens, and before the first.
        interval: ServiceLaw,
    },
    /// As many routes lead to every station as away from it, all of one probability: the union of `degree` cycles, each
    /// through all stations and drawn uniformly (Sattolo 1986). So every station reaches every other, and no route leads to
    /// the station that it comes from. Cycles may share steps: two routes may lead from one station to the same other,
    /// and their probabilities add.
    RandomRegular {
        /// 2 to 2³¹ - 1.
        stations: u32,
        /// Routes from each station, 1 to stations - 1; stations * degree is below 2³².
        degree: u32,
        /// One seed, one topology; it is not the seed of the run.
        seed: u64,
    },
    /// Preferential attachment (Barabasi and Albert 1999). Station number `edges` is joined to all stations before it, each
    /// later one to `edges` different earlier ones, drawn in proportion to how many they are joined to already. A token
    /// goes to each station that its own is joined to with equal probability, those joined first coming first.
    ScaleFree {
        /// 2 to 2³¹ - 1.
        stations: u32,
        /// How many earlier stations a new one is joined to, 1 to stations - 1; 2 edges (stations - edges), the number of
        /// routes, is below 2³².
        edges: u32,
        /// One seed, one topology; it is not the seed of the run.
        seed: u64,
    },
}

impl Network {
    /// A network of stations like `each`, whose name is followed by their number: `s` makes `s0`, `s1` and so on. Every
    /// route takes `delay` time units, from 0 to below 2³⁰. It runs until time 100 with seed 1, as [`Network::new`] does;
    /// laws, servers, capacities, tokens and delays are checked by [`Network::check`].
    ///
    /// # Errors
    /// [`NetworkError::Size`], which names the size, its value and what is allowed; [`NetworkError::Memory`].
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::queueing::{Network, Station, Topology};
    /// let each = Station::new("desk", "exponential:0.8".parse()?).servers(2);
    /// let tandem = Topology::Tandem { stations: 3, interval: "exponential:1".parse()? };
    /// let model = Network::generate(&tandem, &each, 0.5)?.until(50.0).check()?;
    /// assert_eq!((model.sources(), model.sinks(), model.servers(2)), (1, 1, 2));
    /// assert_eq!(model.station_name(2), "desk2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn generate(topology: &Topology, each: &Station, delay: f64) -> Result<Self, NetworkError> {
        let (stations, routes) = topology.counts()?;
        let like = || like(each, stations, routes);
        match topology.clone() {
            Topology::Torus { width, height } => torus(Torus { width, height }, each, delay),
            Topology::Ring { stations } => Ok(ring(like()?, stations, delay)),
            Topology::Tandem { stations, interval } => Ok(tandem(like()?, stations, interval, delay)),
            Topology::RandomRegular { stations, degree, seed } => {
                Ok(random::regular(like()?, stations, degree, seed, delay))
            }
            Topology::ScaleFree { stations, edges, seed } => {
                Ok(random::scale_free(like()?, stations, edges, seed, delay))
            }
        }
    }
}

impl Topology {
    /// The numbers of stations and routes, after a check of the sizes.
    fn counts(&self) -> Result<(u64, u64), NetworkError> {
        let both = |stations: u32, routes: u64| Ok((u64::from(stations), routes));
        match *self {
            Self::Torus { width, height } => {
                let most = MOST_ROUTES / 4;
                within("width", width, 1, most, "")?;
                within("height", height, 1, most / u64::from(width), &format!(", where width is {width}"))?;
                both(width * height, 4 * u64::from(width * height))
            }
            Self::Ring { stations } => {
                within("stations", stations, 1, MOST, "")?;
                both(stations, stations.into())
            }
            Self::Tandem { stations, .. } => {
                // The source and the sink are numbered with the stations.
                within("stations", stations, 1, MOST - 2, "")?;
                both(stations, stations.into())
            }
            Self::RandomRegular { stations, degree, .. } => {
                within("stations", stations, 2, MOST, "")?;
                let all = u64::from(stations);
                let most = (all - 1).min(MOST_ROUTES / all);
                within("degree", degree, 1, most, &format!(", where stations is {stations}"))?;
                both(stations, all * u64::from(degree))
            }
            Self::ScaleFree { stations, edges, .. } => {
                within("stations", stations, 2, MOST, "")?;
                let all = u64::from(stations);
                within("edges", edges, 1, all - 1, &format!(", where stations is {stations}"))?;
                let routes = 2 * u64::from(edges) * (all - u64::from(edges));
                if routes > MOST_ROUTES {
                    let allowed = format!(
                        "such that the number of routes, 2 edges (stations - edges), is at most {MOST_ROUTES}, where \
                         stations is {stations}"
                    );
                    return Err(NetworkError::Size { size: "edges", value: edges, allowed });
                }
                both(stations, routes)
            }
        }
    }
}

fn within(size: &'static str, value: u32, least: u64, most: u64, given: &str) -> Result<(), NetworkError> {
    if (least..=most).contains(&value.into()) {
        return Ok(());
    }
    Err(NetworkError::Size { size, value, allowed: format!("from {least} to {most}{given}") })
}

/// The stations, with room for the routes.
fn like(each: &Station, stations: u64, routes: u64) -> Result<Network, NetworkError> {
    let mut network = Network::new();
    // All memory is asked for at once: a refusal comes before any station is made, and no list is copied as it grows.
    network.reserve(stations, routes)?;
    for number in 0..stations {
        network.station(Station { name: format!("{}{number}", each.name), ..each.clone() });
    }
    Ok(network)
}

fn torus(torus: Torus, each: &Station, delay: f64) -> Result<Network, NetworkError> {
    let network = Network { torus: Some(torus), stations: vec![each.clone()], ..Network::new() };
    if delay == 0.0 {
        return Ok(network);
    }
    let mut network = network.listed()?;
    network.routes.iter_mut().for_each(|route| route.delay = delay);
    Ok(network)
}

fn ring(mut network: Network, stations: u32, delay: f64) -> Network {
    for id in 0..stations {
        network.route(network.nth(id), network.nth((id + 1) % stations), 1.0, delay);
    }
    network
}

fn tandem(mut network: Network, stations: u32, interval: ServiceLaw, delay: f64) -> Network {
    let sink = network.sink("sink");
    network.source(Source::new("source", interval, network.nth(0)));
    for next in 1..stations {
        network.route(network.nth(next - 1), network.nth(next), 1.0, delay);
    }
    network.route(network.nth(stations - 1), sink, 1.0, delay);
    network
}
