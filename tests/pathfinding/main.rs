//! Path searches: the reference against Dijkstra and a published A*, devices against the reference.

mod oracles;
mod reference;
