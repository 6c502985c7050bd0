//! Results of queueing theory for a station, where they are exact for the network.

mod closed;
mod convolution;
mod open;

use super::NetworkModel;
use super::traffic::Matrix;
use closed::{Closed, ClosedNetwork};
use open::Open;

/// The theory of one station.
#[derive(Clone, Debug, PartialEq)]
pub enum Theory {
    Open(Open),
    Closed(Closed),
}

/// The theory of all stations of a network.
pub enum Theories {
    Unknown,
    /// For each station, where there is a result.
    Open(Vec<Option<Open>>),
    /// For every station, computed on request.
    Closed(ClosedNetwork),
}

/// The theory of the stations of a network in the long run.
///
/// There is none for networks of classes and the like, approximate time, and laws that a window has shifted.
pub fn theory(model: &NetworkModel) -> Theories {
    if model.approximate().is_some() || model.stations() == 0 {
        return Theories::Unknown;
    }
    let open = open::stations(model).map(Theories::Open);
    open.or_else(|| ClosedNetwork::of(model).map(Theories::Closed)).unwrap_or(Theories::Unknown)
}

impl Theories {
    /// The theory of one station.
    #[doc(hidden)]
    pub fn of(&self, station: u32) -> Option<Theory> {
        match self {
            Self::Unknown => None,
            Self::Open(all) => all.get(station as usize).copied().flatten().map(Theory::Open),
            Self::Closed(network) => network.station(station as usize).map(Theory::Closed),
        }
    }
}

impl Theory {
    /// The name of the model, in Kendall's notation for a station of an open network.
    #[doc(hidden)]
    pub fn name(&self) -> String {
        match self {
            Self::Open(open) => open.name(),
            Self::Closed(_) => "closed network".into(),
        }
    }

    /// The source of the formula for the mean waiting time.
    #[doc(hidden)]
    pub fn formula(&self) -> &'static str {
        match self {
            Self::Open(open) => open.formula(),
            Self::Closed(_) => "Gordon and Newell",
        }
    }

    /// Services a time unit.
    #[doc(hidden)]
    pub fn throughput(&self) -> f64 {
        match self {
            Self::Open(open) => open.rate(),
            Self::Closed(closed) => closed.rate(),
        }
    }

    /// The mean number of busy servers.
    #[doc(hidden)]
    pub fn mean_busy(&self) -> f64 {
        match self {
            Self::Open(open) => open.mean_busy(),
            Self::Closed(closed) => closed.mean_busy(),
        }
    }

    /// Their share of all servers, if these are finite.
    #[doc(hidden)]
    pub fn utilization(&self) -> Option<f64> {
        match self {
            Self::Open(open) => Some(open.mean_busy() / f64::from(open.servers())),
            Self::Closed(closed) => closed.servers().map(|servers| closed.mean_busy() / f64::from(servers)),
        }
    }

    #[doc(hidden)]
    pub fn mean_waiting_time(&self) -> f64 {
        match self {
            Self::Open(open) => open.mean_waiting_time(),
            Self::Closed(closed) => closed.mean_waiting_time(),
        }
    }

    /// The mean time of waiting and service.
    #[doc(hidden)]
    pub fn mean_system_time(&self) -> f64 {
        self.mean_waiting_time()
            + match self {
                Self::Open(open) => open.mean_service(),
                Self::Closed(closed) => closed.mean_service(),
            }
    }

    /// By Little's law.
    #[doc(hidden)]
    pub fn mean_present(&self) -> f64 {
        self.throughput() * self.mean_system_time()
    }

    /// The probability that a token waits no longer than this.
    #[doc(hidden)]
    pub fn waiting_up_to(&self, time: f64) -> Option<f64> {
        match self {
            Self::Open(open) => open.waiting_up_to(time),
            Self::Closed(closed) => Some(closed.waiting_up_to(time)),
        }
    }

    /// The probability that waiting and service take no longer than this.
    #[doc(hidden)]
    pub fn system_up_to(&self, time: f64) -> Option<f64> {
        match self {
            Self::Open(open) => open.system_up_to(time),
            Self::Closed(closed) => Some(closed.system_up_to(time)),
        }
    }

    /// The share of the time with 0, 1, 2, ... tokens there, at most `count` shares.
    #[doc(hidden)]
    pub fn present(&self, count: usize) -> Option<Vec<f64>> {
        match self {
            Self::Open(open) => open.present(count),
            Self::Closed(closed) => Some(closed.present(count)),
        }
    }
}

/// The edges of a station: target, delay in time units, and the probability according to its draws.
fn ways(model: &NetworkModel, station: u32) -> impl Iterator<Item = (u32, f64, f64)> + '_ {
    let mut before = 0.0;
    let visit = model.rules().visit(station, 0);
    model.edges()[visit.first as usize..visit.end as usize].iter().map(move |edge| {
        let upper = f64::from(edge.upper) + 1.0;
        let probability = (upper - std::mem::replace(&mut before, upper)) / 4_294_967_296.0;
        (edge.target, edge.delay.units(), probability)
    })
}

/// The routes of all stations in rows.
struct Rows {
    first: Vec<u32>,
    targets: Vec<u32>,
    probabilities: Vec<f64>,
    /// The mean transit delay of tokens that leave each station.
    delays: Vec<f64>,
}

impl Rows {
    /// The rows of a network whose edges are in lists.
    fn of(model: &NetworkModel) -> Self {
        let mut rows = Self { first: vec![0], targets: vec![], probabilities: vec![], delays: vec![] };
        for station in 0..model.stations() {
            let mut mean = 0.0;
            for (target, delay, probability) in ways(model, station) {
                rows.targets.push(target);
                rows.probabilities.push(probability);
                mean += probability * delay;
            }
            rows.first.push(rows.targets.len() as u32);
            rows.delays.push(mean);
        }
        rows
    }

    fn matrix(&self) -> Matrix<'_> {
        Matrix { first: &self.first, targets: &self.targets, probabilities: &self.probabilities }
    }
}
