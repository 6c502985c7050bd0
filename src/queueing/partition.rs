//! The assignment of stations to ranks.

mod bisection;
mod ways;

use super::torus::Torus;
use super::{NetworkModel, QueueingError};
pub(super) use ways::Way;

/// The rank of every station, for a run over ranks. A source is where the station is that it leads to.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Partition, Network, Station, Topology};
/// let each = Station::new("s", "constant:1".parse()?).tokens(1);
/// let model = Network::generate(&Topology::Ring { stations: 6 }, &each, 0.0)?.check()?;
/// let cut = Partition::new(&model, 2);
/// assert_eq!(cut.stations_of(1).count(), 3);
/// // Of one's own: two stations on rank 0, four on rank 1.
/// let own = Partition::of_stations(vec![1, 1, 0, 0, 1, 1]);
/// assert_eq!(own.stations_of(0).collect::<Vec<_>>(), [2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    rank_of: Vec<u32>,
}

impl Partition {
    /// Parts of about equal size for so many ranks, with few edges between them: tiles of a torus, of other networks halves of
    /// halves. As far as there are enough of them, stations between which tokens may take no time stay together.
    pub fn new(model: &NetworkModel, ranks: u32) -> Self {
        Self::of_stations(match model.torus() {
            Some(torus) => tiles(torus, ranks),
            None => bisection::ranks_of(model, ranks),
        })
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

    /// Refuses a cut that is not one of a model for so many ranks, or that tokens cross in no time where nothing is drawn ahead.
    ///
    /// # Errors
    /// [`QueueingError::Partition`], [`QueueingError::CutLookahead`].
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
        let crosses = |(station, way): &(u32, Way)| self.rank_of(way.target) != self.rank_of(*station);
        let Some((station, way)) = model.ways_in_no_time().find(crosses) else { return Ok(()) };
        let [station, to] = [station, way.target].map(|id| model.station_name(id).into_owned());
        Err(QueueingError::CutLookahead { station, to, remedy: way.remedy(model) })
    }

    /// The ways from a station to stations of other ranks.
    pub(super) fn crossing<'a>(&'a self, model: &'a NetworkModel, station: u32) -> impl Iterator<Item = Way> + 'a {
        model.ways(station).filter(move |way| self.rank_of(way.target) != self.rank_of(station))
    }
}

/// Tiles of a torus, as many in a row and in a column as give the shortest border.
fn tiles(torus: Torus, ranks: u32) -> Vec<u32> {
    let Torus { width, height } = torus;
    let border = |across: &u32| {
        let down = ranks / across;
        let cut = |tiles: u32, length: u32| if tiles > 1 { u64::from(tiles) * u64::from(length) } else { 0 };
        cut(*across, height) + cut(down, width)
    };
    let fits = |across: &u32| ranks.is_multiple_of(*across) && *across <= width && ranks / across <= height;
    let Some(across) = (1..=ranks).filter(fits).min_by_key(border) else {
        // Too many ranks for equal tiles: one station behind the other.
        let stations = u64::from(torus.stations());
        return (0..stations).map(|station| (station * u64::from(ranks) / stations) as u32).collect();
    };
    let down = ranks / across;
    let part = |place: u32, tiles: u32, length: u32| (u64::from(place) * u64::from(tiles) / u64::from(length)) as u32;
    let rank = |station: u32| part(station / width, down, height) * across + part(station % width, across, width);
    (0..torus.stations()).map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Network, Station, Topology};

    fn described(topology: &Topology) -> Network {
        let each = Station::new("s", "constant:1".parse().unwrap()).tokens(1);
        Network::generate(topology, &each, 0.0).unwrap()
    }

    /// Edges that cross between parts, and the sizes of the parts.
    fn crossing(cut: &Partition, model: &NetworkModel, ranks: u32) -> (usize, Vec<usize>) {
        let stations = 0..model.stations();
        let of = |station: u32| {
            let leaves = |edge: &&crate::model::Edge| cut.rank_of(edge.target) != cut.rank_of(station);
            model.row(station).iter().filter(leaves).count()
        };
        (stations.map(of).sum(), (0..ranks).map(|rank| cut.stations_of(rank).count()).collect())
    }

    #[test]
    fn parts_are_of_equal_size_and_few_edges_cross() {
        for (topology, ranks, most) in [
            (Topology::Ring { stations: 1000 }, 4, 8),
            (Topology::Ring { stations: 1000 }, 7, 14),
            // Two sides of 40 each, and four tiles of 20 x 20.
            (Topology::Torus { width: 40, height: 40 }, 2, 160),
            (Topology::Torus { width: 40, height: 40 }, 4, 320),
            (Topology::Torus { width: 100, height: 10 }, 4, 160),
            (Topology::Torus { width: 1, height: 30 }, 3, 12),
        ] {
            let computed = described(&topology).check().unwrap();
            let model = computed.in_lists().unwrap();
            // Halves that grow from a corner of a grid end on a diagonal, which is up to twice as long as a side.
            for (described, most) in [(&computed, most), (&model, 2 * most)] {
                let cut = Partition::new(described, ranks);
                cut.check(&model, ranks).unwrap();
                let (edges, sizes) = crossing(&cut, &model, ranks);
                let [least, largest] = [sizes.iter().min(), sizes.iter().max()].map(|size| *size.unwrap());
                assert!(edges <= most, "{topology:?} for {ranks} ranks: {edges} edges cross");
                assert!(largest - least <= 1 + largest / 20, "{topology:?} for {ranks} ranks: {sizes:?}");
            }
        }
    }

    /// A grid whose stations are in no order, as a network of a file may be.
    #[test]
    fn numbers_of_stations_make_no_difference() {
        let (side, mut network) = (30_u32, Network::new());
        let number = |row: u32, column: u32| (row * side + column) * 7 % (side * side);
        let names = (0..side * side).map(|id| Station::new(format!("s{id}"), "constant:1".parse().unwrap()).tokens(1));
        let stations: Vec<_> = names.map(|station| network.station(station)).collect();
        for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
            let ways = [(row + 1, column), (row, column + 1)];
            let ways: Vec<_> = ways.into_iter().filter(|(row, column)| *row < side && *column < side).collect();
            let from = stations[number(row, column) as usize];
            for (row, column) in &ways {
                network.route(from, stations[number(*row, *column) as usize], 1.0 / ways.len() as f64, 0.0);
            }
            if ways.is_empty() {
                network.route(from, stations[number(0, 0) as usize], 1.0, 0.0);
            }
        }
        let model = network.check().unwrap();
        let (edges, sizes) = crossing(&Partition::new(&model, 4), &model, 4);
        // One side after the other: of blocks by number about 1,500 edges cross.
        assert!(edges < 200, "{edges}");
        assert_eq!(sizes, [225; 4]);
    }

    /// Departments in a ring with delays between them: within one tokens take no time, or go to another station when they balk.
    #[test]
    fn stations_without_time_between_them_stay_together() {
        let mut network = Network::new();
        let stations: Vec<_> = (0..12)
            .map(|id| {
                let station = Station::new(format!("s{id}"), "exponential:1".parse().unwrap()).tokens(1);
                network.station(if id % 2 == 0 { station.servers(2) } else { station })
            })
            .collect();
        // The stations of a department are 4 apart.
        for department in 0..4 {
            let own = [0, 1, 2].map(|number| stations[department + 4 * number]);
            let next = stations[(department + 1) % 4];
            network.route(own[0], own[1], 1.0, 0.0);
            network.route(own[1], own[2], 1.0, 0.0);
            network.route(own[2], next, 1.0, 0.5);
        }
        let model = network.check().unwrap();
        for ranks in 1..5 {
            let cut = Partition::new(&model, ranks);
            cut.check(&model, ranks).unwrap();
            let (_, sizes) = crossing(&cut, &model, ranks);
            assert!(sizes.iter().all(|size| *size > 0 && size % 3 == 0), "{sizes:?}");
        }
        // There are fewer departments than ranks: some token takes no time then.
        let refused = Partition::new(&model, 5).check(&model, 5);
        assert!(matches!(refused, Err(QueueingError::CutLookahead { .. })), "{refused:?}");
        let apart = Partition::of_stations((0..12).map(|id| u32::from(id == 4)).collect());
        let said = apart.check(&model, 2).unwrap_err().to_string();
        assert!(said.contains("from 's0' to 's4' it may take none: give a window above 0"), "{said}");
    }

    /// What makes the way of a token longer is said: a law or a delay where a service is known when it begins, a delay where it is not, and
    /// nothing where tokens do not wait.
    #[test]
    fn what_a_way_needs_is_said() {
        let said = |change: fn(Station, crate::StationId) -> Station, law: &str| {
            let mut network = Network::new();
            let law = law.parse().unwrap();
            let first = network.station(Station::new("first", "constant:1".parse().unwrap()).tokens(1));
            let second = network.station(change(Station::new("second", law), first));
            network.route(first, second, 1.0, 1.0);
            network.route(second, first, 1.0, 0.0);
            let model = network.check().unwrap();
            Partition::of_stations(vec![0, 1]).check(&model, 2).err().map(|error| error.to_string())
        };
        type Case = (fn(Station, crate::StationId) -> Station, &'static str, Option<&'static str>);
        let cases: [Case; 5] = [
            (
                |second, _| second.infinite_servers(),
                "exponential:1",
                Some("a service law with a shortest time or a delay"),
            ),
            (|second, _| second.infinite_servers(), "constant:1", None),
            (
                |second, _| second.setup("constant:1".parse().unwrap()),
                "constant:1",
                Some("give a delay there, as nobody"),
            ),
            (
                |second, to| second.balking(vec![0.5], Some(to.into())),
                "constant:1",
                Some("who balks, loses patience or finds no room"),
            ),
            (|second, _| second.balking(vec![0.5], None), "constant:1", None),
        ];
        for (change, law, expected) in cases {
            let said = said(change, law);
            assert_eq!(said.is_some(), expected.is_some(), "{said:?}");
            assert!(expected.is_none_or(|what| said.as_ref().is_some_and(|said| said.contains(what))), "{said:?}");
        }
    }

    #[test]
    fn as_many_ranks_as_stations_have_one_each() {
        for topology in [Topology::Ring { stations: 7 }, Topology::Torus { width: 3, height: 5 }] {
            let model = described(&topology).check().unwrap();
            let cut = Partition::new(&model, model.stations());
            cut.check(&model.in_lists().unwrap(), model.stations()).unwrap();
        }
    }
}
