//! Tori as tests describe them, and the records of their stations.
#![allow(dead_code, reason = "each test binary needs a part")]

use tickless::device::Target;
use tickless::queueing::{
    self, Network, NetworkDetails, NetworkModel, NetworkOptions, QueueingError, Station, Topology,
};
use tickless::run::{Run, Watch, unwatched};
use tickless::statistics::Outcome;

/// A torus of stations that are all alike, with so many tokens at each.
pub fn torus(width: u32, height: u32, tokens: u32, law: &str) -> Network {
    let each = Station::new("s", law.parse().expect("a law")).tokens(tokens);
    Network::generate(&Topology::Torus { width, height }, &each, 0.0).expect("sizes")
}

/// One with one token at each station and exponential services of mean 10.
pub fn plain(width: u32, height: u32) -> Network {
    torus(width, height, 1, "exponential:10")
}

/// One replication, and of its outcome the stations.
pub fn try_run(
    model: &NetworkModel,
    target: Target<'_>,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, NetworkDetails>, QueueingError> {
    let run = queueing::run(model, 0..1, target, options, watch)?;
    Ok(run.map(|mut outcomes| outcomes.swap_remove(0).stations))
}

/// The same on the heap.
pub fn heap(model: &NetworkModel) -> Run<Outcome, NetworkDetails> {
    try_run(model, Target::Heap, Default::default(), &mut unwatched()).expect("the heap runs every model")
}
