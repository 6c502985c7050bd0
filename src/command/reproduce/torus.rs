//! The torus of both papers on queueing networks: one token at each facility, exponential services.

use super::lab::Lab;
use crate::CommandError;
use tickless_core::random::ServiceLaw;
use tickless_core::run::Run;
use tickless_queueing::{self as queueing, Network, NetworkDetails, NetworkOptions, NetworkOutcome, Station, Topology};

/// The result of a run.
pub type TorusRun = Run<Vec<NetworkOutcome>, NetworkDetails>;

/// Options for figures of all stations alone.
pub fn figures_only() -> NetworkOptions {
    NetworkOptions { figures_only: true, ..NetworkOptions::default() }
}

/// A torus of so many facilities a side, and of this mean service time.
pub fn torus(side: u32, mean: f64) -> Result<Network, CommandError> {
    let each = Station::new("facility ", ServiceLaw::Exponential { mean }).tokens(1);
    Ok(Network::generate(&Topology::Torus { width: side, height: side }, &each, 0.0)?)
}

/// The label of a size.
pub fn label(side: u32) -> String {
    format!("{side} x {side}")
}

/// The horizon by which so many services end, with a mean service time of 10 and half of the servers busy.
pub fn horizon(side: u32, services: f64) -> f64 {
    services / (0.05 * f64::from(side) * f64::from(side))
}

/// The rate at which the sequential simulator ends services of a network, measured over so many.
pub fn heap_rate(lab: &Lab<'_>, what: &str, network: Network, side: u32) -> Result<f64, CommandError> {
    let services = lab.by_scale(1e5, 4e6);
    let model = network.until(horizon(side, services).max(lab.by_scale(5.0, 20.0))).check()?;
    let run = lab.on_heap(what, |target, watch| queueing::run(&model, 0..1, target, figures_only(), watch))?;
    Ok(run.events_per_second())
}

/// The network in rounds, until a time.
pub fn rounds(lab: &Lab<'_>, what: &str, network: Network, until: f64) -> Result<Option<TorusRun>, CommandError> {
    let model = network.until(until).check()?;
    lab.in_rounds(what, lab.by_scale(1, 3), |target, watch| queueing::run(&model, 0..1, target, figures_only(), watch))
}
