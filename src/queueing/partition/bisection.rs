//! Parts of a network with few edges between them: recursive bisection, each half grown breadth first from the border.
//!
//! A station far from another one is the first of its half, and neighbours follow neighbours until the half is full. Rings, tandems, grids
//! and trees have short borders then; random networks have no much shorter ones.

use std::collections::VecDeque;
use std::ops::Range;

use crate::NetworkModel;

/// Which stations have an edge between them, in either direction.
struct Neighbours {
    first: Vec<u32>,
    all: Vec<u32>,
}

impl Neighbours {
    fn new(model: &NetworkModel) -> Self {
        let stations = model.stations();
        let edges = || {
            let pairs = (0..stations).flat_map(|from| model.row(from).iter().map(move |edge| (from, edge.target)));
            pairs.filter(|(from, to)| *to < stations && from != to)
        };
        let mut first = vec![0_u32; stations as usize + 1];
        for (from, to) in edges() {
            first[from as usize] += 1;
            first[to as usize] += 1;
        }
        let mut end = 0;
        for place in &mut first {
            end += *place;
            *place = end;
        }
        // Filled from the back, each place becomes the begin of its row.
        let mut all = vec![0; end as usize];
        for (from, to) in edges() {
            for (one, other) in [(from, to), (to, from)] {
                first[one as usize] -= 1;
                all[first[one as usize] as usize] = other;
            }
        }
        Self { first, all }
    }

    fn of(&self, station: u32) -> &[u32] {
        &self.all[self.first[station as usize] as usize..self.first[station as usize + 1] as usize]
    }
}

/// Halves that are still to be divided.
struct Bisection {
    neighbours: Neighbours,
    /// For each station its half, and the last search that reached it.
    half: Vec<(u32, u32)>,
    halves: u32,
    searches: u32,
}

impl Bisection {
    /// The stations of a half, neighbours behind neighbours, from `start` on; unreached stations come last.
    fn breadth_first(&mut self, start: u32, stations: &[u32]) -> Vec<u32> {
        let own = self.half[start as usize].0;
        self.searches += 1;
        let search = self.searches;
        let mut order = Vec::with_capacity(stations.len());
        let mut queue = VecDeque::new();
        for &next in std::iter::once(&start).chain(stations) {
            if self.half[next as usize].1 == search {
                continue;
            }
            self.half[next as usize].1 = search;
            queue.push_back(next);
            while let Some(station) = queue.pop_front() {
                order.push(station);
                for &neighbour in self.neighbours.of(station) {
                    let place = &mut self.half[neighbour as usize];
                    if *place == (own, place.1) && place.1 != search {
                        place.1 = search;
                        queue.push_back(neighbour);
                    }
                }
            }
        }
        order
    }

    /// Divides stations among ranks, about as many to each.
    fn divide(&mut self, stations: Vec<u32>, ranks: Range<u32>, rank_of: &mut [u32]) {
        let (count, left) = (ranks.end - ranks.start, (ranks.end - ranks.start) / 2);
        if count <= 1 || stations.is_empty() {
            stations.into_iter().for_each(|station| rank_of[station as usize] = ranks.start);
            return;
        }
        let far = self.breadth_first(stations[0], &stations).last().copied().unwrap_or(stations[0]);
        let mut grown = self.breadth_first(far, &stations);
        let size = (grown.len() as u64 * u64::from(left)).div_ceil(count.into()) as usize;
        let rest = grown.split_off(size);
        for half in [&grown, &rest] {
            self.halves += 1;
            half.iter().for_each(|station| self.half[*station as usize].0 = self.halves);
        }
        self.divide(grown, ranks.start..ranks.start + left, rank_of);
        self.divide(rest, ranks.start + left..ranks.end, rank_of);
    }
}

/// The rank of every station of a model in lists, which has at least as many stations as there are ranks.
pub(super) fn ranks_of(model: &NetworkModel, ranks: u32) -> Vec<u32> {
    let stations = model.stations();
    let half = vec![(0, 0); stations as usize];
    let mut bisection = Bisection { neighbours: Neighbours::new(model), half, halves: 0, searches: 0 };
    let mut rank_of = vec![0; stations as usize];
    bisection.divide((0..stations).collect(), 0..ranks, &mut rank_of);
    rank_of
}
