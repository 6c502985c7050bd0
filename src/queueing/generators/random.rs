//! Random topologies. They use integers alone, so one seed gives one topology on every platform.

use crate::Route;
use crate::describe::{Network, StationId};
use tickless_core::random::{Stream, StreamKey};

/// A stream of the topology. Streams of a run are numbered from 0 by station, these from the end: where both have one
/// seed, no service time shares the draws of a route.
fn stream(seed: u64, number: u32) -> Stream {
    StreamKey::new(seed, 0).stream(u32::MAX - number)
}

/// A number below `bound`, each with the same probability (Lemire 2019).
fn below(stream: &mut Stream, bound: u32) -> u32 {
    let surplus = bound.wrapping_neg() % bound;
    loop {
        let product = u64::from(stream.draw()) * u64::from(bound);
        if product as u32 >= surplus {
            return (product >> 32) as u32;
        }
    }
}

/// Makes `next` the next station of each on a cycle through all, every such cycle with the same probability (Sattolo 1986).
fn cycle(next: &mut [u32], stream: &mut Stream) {
    next.iter_mut().enumerate().for_each(|(station, next)| *next = station as u32);
    for last in (1..next.len()).rev() {
        // A station is never swapped with itself: this makes a single cycle.
        next.swap(last, below(stream, last as u32) as usize);
    }
}

/// Routes of equal probability from a station, which lead back to it until they get their targets.
fn undirected(network: &mut Network, station: u32, count: u32, delay: f64) {
    let from = network.nth(station);
    let route = Route::new(from, from).probability(1.0 / f64::from(count)).delay(delay);
    network.routes.extend((0..count).map(|_| route.clone()));
}

/// Route k of every station follows cycle k.
pub(super) fn regular(mut network: Network, stations: u32, degree: u32, seed: u64, delay: f64) -> Network {
    (0..stations).for_each(|station| undirected(&mut network, station, degree, delay));
    let (mut next, giver) = (vec![0; stations as usize], network.giver);
    for number in 0..degree {
        cycle(&mut next, &mut stream(seed, number));
        let routes = network.routes.iter_mut().skip(number as usize).step_by(degree as usize);
        routes.zip(&next).for_each(|(route, to)| route.to = StationId(*to, giver).into());
    }
    network
}

/// Both directions of every edge are routes.
pub(super) fn scale_free(mut network: Network, stations: u32, edges: u32, seed: u64, delay: f64) -> Network {
    let ends = attach(stations, edges, &mut stream(seed, 0));
    let mut place = vec![0_u32; stations as usize];
    ends.iter().for_each(|end| place[*end as usize] += 1);
    let mut first = 0;
    for (station, place) in place.iter_mut().enumerate() {
        undirected(&mut network, station as u32, *place, delay);
        first += std::mem::replace(place, first);
    }
    let mut direct = |from: u32, to: u32| {
        let place = &mut place[from as usize];
        network.routes[*place as usize].to = network.nth(to).into();
        *place += 1;
    };
    for edge in ends.chunks_exact(2) {
        direct(edge[0], edge[1]);
        direct(edge[1], edge[0]);
    }
    network
}

/// The ends of all edges, two by two, the newer station first. A station is in it as often as it has edges, so a place
/// drawn from it is a station drawn in proportion to its edges.
fn attach(stations: u32, edges: u32, stream: &mut Stream) -> Vec<u32> {
    let mut ends = Vec::with_capacity(2 * edges as usize * (stations - edges) as usize);
    (0..edges).for_each(|old| ends.extend([edges, old]));
    // For each station the last new station joined to it; the first new station is above 0.
    let mut joined = vec![0; stations as usize];
    for new in edges + 1..stations {
        let (before, mut missing) = (ends.len() as u32, edges);
        while missing > 0 {
            let old = ends[below(stream, before) as usize];
            if std::mem::replace(&mut joined[old as usize], new) != new {
                ends.extend([new, old]);
                missing -= 1;
            }
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut stream = stream(3, 0);
        let mut counts = [0; 7];
        (0..70_000).for_each(|_| counts[below(&mut stream, 7) as usize] += 1);
        // Six standard deviations.
        assert!(counts.iter().all(|count| (9_440..=10_560).contains(count)), "{counts:?}");
        assert!((0..100).all(|_| below(&mut stream, 1) == 0));
    }

    #[test]
    fn a_cycle_passes_every_station_once() {
        for stations in [2_usize, 3, 10, 1000] {
            let mut next = vec![0; stations];
            cycle(&mut next, &mut stream(stations as u64, 1));
            let (mut at, mut steps) = (0, 0);
            while steps == 0 || at != 0 {
                (at, steps) = (next[at] as usize, steps + 1);
            }
            assert_eq!(steps, stations);
        }
    }

    /// All six cycles through four stations, equally often.
    #[test]
    fn cycles_are_uniform() {
        let mut counts = std::collections::HashMap::new();
        let mut next = [0; 4];
        let mut stream = stream(5, 0);
        for _ in 0..60_000 {
            cycle(&mut next, &mut stream);
            *counts.entry(next).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| (9_450..=10_550).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_new_station_is_joined_to_different_older_ones() {
        for (stations, edges) in [(2, 1), (10, 9), (50, 3), (300, 20)] {
            let ends = attach(stations, edges, &mut stream(1, 0));
            assert_eq!(ends.len() as u32, 2 * edges * (stations - edges));
            let mut pairs: Vec<_> = ends.chunks_exact(2).map(|edge| (edge[0], edge[1])).collect();
            assert!(pairs.iter().all(|(new, old)| old < new));
            let all = pairs.len();
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len(), all);
        }
    }
}
