//! Networks on the sequential simulator: by hand, against the torus, against theory, and what is refused.

#[path = "../adapter/mod.rs"]
mod adapter;
mod approximate;
mod approximate_classes;
mod approximate_devices;
mod as_on_gpus;
mod attributes;
mod batch_means;
mod beside;
mod beside_chains;
mod breakdowns;
mod bulks;
mod by_hand;
mod chain;
mod checkpoints;
mod classes_in_rounds;
mod conservation;
mod control;
mod costs;
mod crowds;
mod deadlines;
mod devices;
mod distributions;
mod distributions_by_class;
mod ensemble;
mod exact;
mod fold;
mod forks;
mod fronts;
mod generators;
mod groups;
mod kits;
mod laws;
mod line;
mod local;
mod many_pending;
mod multiclass;
mod multiclass_absences;
mod multiclass_arrivals;
mod multiclass_devices;
mod multiclass_random;
mod multiclass_speeds;
mod multiclass_theory;
mod no_time;
mod packed_tokens;
mod pairs;
mod pairs_of_needs;
mod pairs_of_turns;
mod polling;
mod preemption;
mod random;
mod refusals;
mod repetition;
mod resources;
mod routing;
mod series;
mod standby;
mod standstill;
mod stock;
mod targets;
mod theory;
mod time_factors;
mod torus;
mod unit_changes;
mod visits;
mod vocabulary;
mod vocabulary_stations;
mod walks;
mod warmup;
mod whole_visits;
mod whole_vocabulary;
mod wide_sums;

use std::ops::Range;

use tickless::device::{Device, Target};
use tickless::engine::Options;
use tickless::queueing::gpu::Synchronization;
use tickless::queueing::{self, Network, NetworkModel, NetworkOutcome};
use tickless::queueing::{NetworkDetails, NetworkOptions, QueueingError};
use tickless::random::ServiceLaw;
use tickless::run::{Run, Watch, unwatched};

/// A run of one replication, and of several.
type One = Result<Run<NetworkOutcome, NetworkDetails>, QueueingError>;
type All = Result<Run<Vec<NetworkOutcome>, NetworkDetails>, QueueingError>;

/// A replication on the heap.
fn heap_replication(model: &NetworkModel, number: u32, watch: &mut dyn Watch) -> One {
    let run = queueing::run(model, number..number + 1, Target::Heap, Default::default(), watch)?;
    Ok(run.map(|mut outcomes| outcomes.remove(0)))
}

fn simulate(model: &NetworkModel, watch: &mut dyn Watch) -> One {
    heap_replication(model, 0, watch)
}

fn replicate_on(
    model: &NetworkModel,
    replications: Range<u32>,
    device: &dyn Device,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> All {
    queueing::run(model, replications, Target::Device(device), options, watch)
}

fn simulate_on(model: &NetworkModel, device: &dyn Device, options: NetworkOptions, watch: &mut dyn Watch) -> One {
    Ok(replicate_on(model, 0..1, device, options, watch)?.map(|mut outcomes| outcomes.remove(0)))
}

fn rounds(rounds: &Options) -> NetworkOptions {
    NetworkOptions { rounds: *rounds, ..Default::default() }
}

fn by(synchronization: Synchronization, rounds: &Options) -> NetworkOptions {
    NetworkOptions { synchronization: Some(synchronization), rounds: *rounds, ..Default::default() }
}

fn law(text: &str) -> ServiceLaw {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

fn model(network: Network) -> NetworkModel {
    network.check().unwrap_or_else(|e| panic!("{e}"))
}

fn run(network: Network) -> Run<NetworkOutcome, NetworkDetails> {
    simulate(&model(network), &mut unwatched()).unwrap_or_else(|e| panic!("{e}"))
}

const UNIT: u128 = 1 << 32;
