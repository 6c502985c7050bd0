//! Networks on the sequential simulator: by hand, against the torus, against theory, and what is refused.

#[path = "../adapter/mod.rs"]
mod adapter;
mod approximate;
mod approximate_devices;
mod by_hand;
mod conservation;
mod crowds;
mod devices;
mod distributions;
mod exact;
mod fronts;
mod generators;
mod random;
mod refusals;
mod theory;
mod torus;
mod warmup;

use tickless::queueing::NetworkDetails;
use tickless::queueing::network::{Network, NetworkModel, NetworkOutcome, reference::simulate};
use tickless::random::ServiceLaw;
use tickless::run::{Run, unwatched};

fn law(text: &str) -> ServiceLaw {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

fn model(network: Network) -> NetworkModel {
    network.check().unwrap_or_else(|e| panic!("{e}"))
}

fn run(network: Network) -> Run<NetworkOutcome, NetworkDetails> {
    simulate(&model(network), &mut unwatched()).unwrap_or_else(|e| panic!("{e}"))
}

const UNIT: u64 = 1 << 32;
