//! Path searches: the reference against Dijkstra and a published A*, devices against the reference.

#[path = "../adapter/mod.rs"]
mod adapter;
mod devices;
mod digests;
mod oracles;
mod reference;

use tickless::pathfinding::Map;

/// The same map with free cells of every cost.
fn weighted(map: &Map) -> Map {
    let cost = |(id, cost): (usize, &u8)| if *cost == 0 { 0 } else { 1 + (id * 7919 % 100) as u8 };
    Map::new(map.width(), map.height(), map.costs().iter().enumerate().map(cost).collect()).expect("a map")
}
