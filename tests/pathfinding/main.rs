//! Path searches: the reference against Dijkstra and a published A*, devices against the reference.

#[path = "../adapter/mod.rs"]
mod adapter;
mod devices;
mod oracles;
mod reference;
