//! `tickless torus`

use super::arguments::{Format, TorusArguments};
use super::backend::{Ready, Suits};
use super::facilities::{self, RecordsFile};
use super::interrupt::Interrupt;
use super::json::{self, ModelReport, RunReport, TorusReport};
use super::{CommandError, Ending, memory, shift, text, warning};
use crate::queueing::network::{Network, NetworkModel, NetworkOutcome, Station, Topology};
use crate::queueing::{NetworkDetails, TorusModel};
use crate::run::Run;
use crate::statistics::Outcome;

/// Runs the model and prints the result.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &TorusArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let model = arguments.torus().check()?;
    let network = arguments.approximate.map(|interval| approximate(&model, interval)).transpose()?;
    let suits = suits(&model, network.as_ref());
    let (backend, about_backend) = Ready::choose(arguments.backend, &arguments.device, suits)?;
    check_size(&backend, &model, network.as_ref())?;
    let output = &arguments.output;
    let file = output.facilities.as_deref().map(|path| RecordsFile::open("--facilities", path)).transpose()?;
    facilities::check_apart(&file.iter().collect::<Vec<_>>(), [])?;
    warning::tell(output.format, &about_backend);
    let (run, causality_errors) = simulate(&backend, &model, network.as_ref(), interrupt)?;
    if let Some(file) = file {
        file.write(&model, &run.outcome)?;
    }
    let warnings = shift::warning(&model).into_iter().chain(about_backend).collect();
    let mut of_model = ModelReport::new(&model);
    of_model.parameters.approximate =
        network.and_then(|network| network.approximate()).map(|interval| interval.units());
    let report = TorusReport { model: of_model, run: RunReport::new(&backend, &run), causality_errors, warnings };
    super::print(&match output.format {
        Format::Text => text::torus(&report),
        Format::Json => json::text(&report)?,
    })?;
    Ok(if run.interrupted { Ending::Interrupted } else { Ending::Done })
}

/// What suits a torus, or the network that it is in approximate time.
pub fn suits(model: &TorusModel, network: Option<&NetworkModel>) -> Suits {
    network.map_or_else(|| Suits::torus(model), |network| Suits::network(network, 1))
}

/// Refuses what does not fit into memory.
///
/// # Errors
/// How much is needed.
pub fn check_size(backend: &Ready, model: &TorusModel, network: Option<&NetworkModel>) -> Result<(), CommandError> {
    match network {
        Some(network) => memory::check_network(network, 1, backend.adapter().is_some(), memory::available()),
        None => backend.check_size(model),
    }
}

/// The run, and its causality errors in approximate time.
///
/// # Errors
/// What the backend returns.
pub fn simulate(
    backend: &Ready,
    model: &TorusModel,
    network: Option<&NetworkModel>,
    interrupt: &Interrupt,
) -> Result<(Run<Outcome, NetworkDetails>, Option<u64>), CommandError> {
    Ok(match network {
        Some(network) => torus_run(backend.run_network(network, 0..1, interrupt)?),
        None => (backend.run(model, interrupt)?, None),
    })
}

/// The torus as a network, which approximate time needs.
///
/// # Errors
/// An interval that no network takes.
pub fn approximate(model: &TorusModel, interval: f64) -> Result<NetworkModel, CommandError> {
    let each = Station::new("facility ", model.service()).tokens(model.tokens_each());
    let topology = Topology::Torus { width: model.width(), height: model.height() };
    let network = Network::generate(&topology, &each, 0.0);
    let network = network.map_err(|error| CommandError::Usage { message: error.to_string() })?;
    let network = network.until(model.until().units()).warmup(model.warmup().units()).seed(model.seed());
    network.approximate(interval).check().map_err(|error| CommandError::ApproximateTorus(Box::new(error)))
}

/// What one replication of a network is as a run of a torus, and its causality errors.
fn torus_run(run: Run<Vec<NetworkOutcome>, NetworkDetails>) -> (Run<Outcome, NetworkDetails>, Option<u64>) {
    let mut errors = None;
    let run = run.map(|mut outcomes| {
        let outcome = outcomes.swap_remove(0);
        errors = outcome.all_causality_errors();
        outcome.stations
    });
    (run, errors)
}
