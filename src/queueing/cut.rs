//! Which rank has which station.

use super::{NetworkModel, QueueingError};
use crate::time::Time;

/// The rank of every station, for a run over ranks. A source is where the station is that it leads to.
///
/// ```
/// use tickless::queueing::{Cut, Network, Station, Topology};
/// let each = Station::new("s", "constant:1".parse()?).tokens(1);
/// let model = Network::generate(&Topology::Ring { stations: 6 }, &each, 0.0)?.check()?;
/// let cut = Cut::new(&model, 2);
/// assert_eq!(cut.stations_of(1).count(), 3);
/// // Of one's own: two stations on rank 0, four on rank 1.
/// let own = Cut::of_stations(vec![1, 1, 0, 0, 1, 1]);
/// assert_eq!(own.stations_of(0).collect::<Vec<_>>(), [2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    rank_of: Vec<u32>,
}

impl Cut {
    /// Parts of about equal size for so many ranks.
    pub fn new(model: &NetworkModel, ranks: u32) -> Self {
        let (stations, ranks) = (u64::from(model.stations()), u64::from(ranks));
        Self { rank_of: (0..stations).map(|station| (station * ranks / stations) as u32).collect() }
    }

    /// The rank of each station, in the order of stations.
    pub fn of_stations(rank_of: Vec<u32>) -> Self {
        Self { rank_of }
    }

    /// The stations of a rank.
    pub fn stations_of(&self, rank: u32) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.rank_of).filter(move |(_, of)| **of == rank).map(|(station, _)| station)
    }

    /// The rank of a station.
    pub(super) fn rank_of(&self, station: u32) -> u32 {
        self.rank_of[station as usize]
    }

    /// Refuses a cut that is not one of a model for so many ranks, or that tokens cross in no time.
    ///
    /// # Errors
    /// [`QueueingError::Cut`], [`QueueingError::CutLookahead`].
    pub(super) fn check(&self, model: &NetworkModel, ranks: u32) -> Result<(), QueueingError> {
        let mut sizes = vec![0_u32; ranks as usize];
        for rank in &self.rank_of {
            let size = sizes.get_mut(*rank as usize).ok_or(QueueingError::CutRank { rank: *rank, ranks })?;
            *size += 1;
        }
        if self.rank_of.len() as u64 != u64::from(model.stations()) {
            return Err(QueueingError::CutStations { found: self.rank_of.len() as u64, expected: model.stations() });
        }
        if let Some(rank) = sizes.iter().position(|size| *size == 0) {
            return Err(QueueingError::CutEmpty { rank: rank as u32 });
        }
        for station in 0..model.stations() {
            for edge in model.row(station).iter().filter(|edge| edge.target < model.stations()) {
                let crosses = self.rank_of(station) != self.rank_of(edge.target);
                if crosses && model.shortest_way(station, edge.delay) == Time::ZERO {
                    let [station, to] = [station, edge.target].map(|id| model.station_name(id).into_owned());
                    return Err(QueueingError::CutLookahead { station, to });
                }
            }
        }
        Ok(())
    }
}
