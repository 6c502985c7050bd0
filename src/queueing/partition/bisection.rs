//! Parts of a network with few edges between them: recursive bisection, each half grown breadth first from the border. Stations that
//! no border may part are a group, and here one node.
//!
//! A station far from another one is the first of its half, and neighbours follow neighbours until the half is full. Rings, tandems, grids
//! and trees have short borders then; random networks have no much shorter ones.

use std::collections::VecDeque;
use std::ops::Range;

use crate::NetworkModel;

/// Which nodes have an edge between them, in either direction.
struct Neighbours {
    first: Vec<u32>,
    all: Vec<u32>,
}

impl Neighbours {
    fn new(model: &NetworkModel, Groups { of, sizes }: &Groups) -> Self {
        let stations = model.stations();
        let edges = || {
            let pairs = (0..stations).flat_map(|from| model.row(from).iter().map(move |edge| (from, edge.target)));
            let pairs = pairs.filter(|(_, to)| *to < stations).map(|(from, to)| (of[from as usize], of[to as usize]));
            pairs.filter(|(from, to)| from != to)
        };
        let mut first = vec![0_u32; sizes.len() + 1];
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

/// Which stations stay together.
struct Groups {
    /// By station.
    of: Vec<u32>,
    /// Stations of each.
    sizes: Vec<u32>,
}

impl Groups {
    /// Stations between which tokens may take no time; where there are fewer groups than ranks, each station for itself.
    fn new(model: &NetworkModel, ranks: u32) -> Self {
        let stations = model.stations();
        let mut first: Vec<u32> = (0..stations).collect();
        fn root(first: &mut [u32], mut station: u32) -> u32 {
            while first[station as usize] != station {
                first[station as usize] = first[first[station as usize] as usize];
                station = first[station as usize];
            }
            station
        }
        for (station, way) in model.ways_in_no_time() {
            let [one, other] = [station, way.target].map(|station| root(&mut first, station));
            first[one.max(other) as usize] = one.min(other);
        }
        let mut groups = Self { of: vec![], sizes: vec![] };
        for station in 0..stations {
            let root = root(&mut first, station);
            let group = if root == station { groups.sizes.len() as u32 } else { groups.of[root as usize] };
            groups.sizes.resize(groups.sizes.len().max(group as usize + 1), 0);
            groups.sizes[group as usize] += 1;
            groups.of.push(group);
        }
        if (groups.sizes.len() as u64) < u64::from(ranks) {
            return Self { of: (0..stations).collect(), sizes: vec![1; stations as usize] };
        }
        groups
    }
}

/// Halves that are still to be halved.
struct Bisection<'a> {
    neighbours: Neighbours,
    /// Stations of each node.
    sizes: &'a [u32],
    /// The half that a node is in, and whether this search has been there.
    half: Vec<(u32, u32)>,
    halves: u32,
    searches: u32,
}

impl Bisection<'_> {
    /// The nodes of a half, neighbours behind neighbours, from `start` on; those that it does not reach behind them.
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

    /// Gives nodes to ranks, with about as many stations to each.
    fn divide(&mut self, stations: Vec<u32>, ranks: Range<u32>, rank_of: &mut [u32]) {
        let (count, left) = (ranks.end - ranks.start, (ranks.end - ranks.start) / 2);
        if count <= 1 || stations.is_empty() {
            stations.into_iter().for_each(|station| rank_of[station as usize] = ranks.start);
            return;
        }
        let far = self.breadth_first(stations[0], &stations).last().copied().unwrap_or(stations[0]);
        let mut grown = self.breadth_first(far, &stations);
        let size = |node: &u32| u64::from(self.sizes[*node as usize]);
        let most = (grown.iter().map(size).sum::<u64>() * u64::from(left)).div_ceil(count.into());
        let ends = grown.iter().scan(0, |end, node| Some(*end + size(node)).inspect(|all| *end = *all));
        let nodes = ends.take_while(|end| *end <= most).count();
        // Each rank gets a node at least, where there are as many.
        let right = (count - left) as usize;
        let rest = grown.split_off(nodes.max(left as usize).min(grown.len().saturating_sub(right)));
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
    let groups = Groups::new(model, ranks);
    let nodes = groups.sizes.len();
    let (neighbours, half) = (Neighbours::new(model, &groups), vec![(0, 0); nodes]);
    let mut bisection = Bisection { neighbours, sizes: &groups.sizes, half, halves: 0, searches: 0 };
    let mut rank_of = vec![0; nodes];
    bisection.divide((0..nodes as u32).collect(), 0..ranks, &mut rank_of);
    groups.of.iter().map(|group| rank_of[*group as usize]).collect()
}
