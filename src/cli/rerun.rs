//! `tickless rerun`: repeats the run of a result and holds the digests against each other.

mod arguments;
mod cells;
mod fields;
mod report;
mod stored;

use super::arguments::{Backend, Format};
use super::backend::{Ready, Suits};
use super::cells::Kind;
use super::interrupt::Interrupt;
use super::warning::{self, Warning};
use super::{CommandError, Ending, json, memory};
use crate::processes::PholdModel;
use crate::processes::gpu::ProcessOptions;
use crate::queueing::TorusModel;
use crate::queueing::network::{NetworkModel, combined_digest};
pub use arguments::RerunArguments;
use cells::Cells;
use report::{Repeated, RerunReport};
use stored::{Model, Stored};

/// Repeats the run and prints whether the digest is the same.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &RerunArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let stored = Stored::read(&arguments.file)?;
    let Repeated { backend, adapter, digest, wall_seconds, interrupted, warnings } = match &stored.model {
        Model::Torus(model, interval) => torus(model, *interval, &stored, arguments, interrupt)?,
        Model::Network(model, replications) => network(model, *replications, &stored, arguments, interrupt)?,
        Model::Phold(model, options) => phold(model, options, &stored, arguments, interrupt)?,
        Model::Cells(cells) => match &**cells {
            Cells::Fire(kind) => cells_of(kind, &stored, arguments, interrupt)?,
            Cells::Rules(kind) => cells_of(kind, &stored, arguments, interrupt)?,
            Cells::Watershed(kind) => cells_of(kind, &stored, arguments, interrupt)?,
        },
    };
    let equal = (!interrupted).then(|| digest == stored.digest);
    let report = RerunReport {
        model: stored.model.name(),
        version: json::VERSION,
        file: arguments.file.display().to_string(),
        expected_version: stored.version,
        expected_backend: stored.backend,
        backend,
        adapter,
        wall_seconds,
        expected: stored.digest,
        found: digest,
        equal,
        interrupted,
        warnings,
    };
    super::print(&match arguments.format {
        Format::Text => report.text(),
        Format::Json => json::text(&report)?,
    })?;
    Ok(match equal {
        Some(true) => Ending::Done,
        Some(false) => Ending::Different,
        None => Ending::Interrupted,
    })
}

fn torus(
    model: &TorusModel,
    interval: Option<f64>,
    stored: &Stored,
    arguments: &RerunArguments,
    interrupt: &Interrupt,
) -> Result<Repeated, CommandError> {
    let approximate = interval.map(|interval| super::torus::approximate(model, interval)).transpose()?;
    let (backend, warnings) = open(stored, arguments, super::torus::suits(model, approximate.as_ref()))?;
    super::torus::check_size(&backend, model, approximate.as_ref())?;
    warning::tell(arguments.format, &warnings);
    let (run, _) = super::torus::simulate(&backend, model, approximate.as_ref(), interrupt)?;
    let digest = run.outcome.digest().to_string();
    Ok(Repeated::new(&backend, digest, run.wall, run.interrupted, warnings))
}

fn network(
    model: &NetworkModel,
    replications: u32,
    stored: &Stored,
    arguments: &RerunArguments,
    interrupt: &Interrupt,
) -> Result<Repeated, CommandError> {
    let (backend, warnings) = open(stored, arguments, Suits::network(model, replications))?;
    memory::check_network(model, replications, backend.adapter().is_some(), memory::available())?;
    warning::tell(arguments.format, &warnings);
    let run = backend.run_network(model, 0..replications, interrupt)?;
    let digest = combined_digest(&run.outcome).to_string();
    Ok(Repeated::new(&backend, digest, run.wall, run.interrupted, warnings))
}

fn phold(
    model: &PholdModel,
    options: &ProcessOptions,
    stored: &Stored,
    arguments: &RerunArguments,
    interrupt: &Interrupt,
) -> Result<Repeated, CommandError> {
    let (backend, warnings) = open(stored, arguments, Suits::phold(model))?;
    memory::check_phold(model, backend.adapter().map(|adapter| adapter.kind), memory::available())?;
    warning::tell(arguments.format, &warnings);
    let run = backend.run_phold(model, options, interrupt)?;
    let digest = run.outcome.digest().to_string();
    Ok(Repeated::new(&backend, digest, run.wall, run.interrupted, warnings))
}

fn cells_of<K: Kind>(
    kind: &K,
    stored: &Stored,
    arguments: &RerunArguments,
    interrupt: &Interrupt,
) -> Result<Repeated, CommandError> {
    let (backend, warnings) = open(stored, arguments, super::cells::suits::<K>())?;
    super::cells::check(&backend, kind)?;
    warning::tell(arguments.format, &warnings);
    let run = backend.run_cells(kind.model(), interrupt)?;
    let digest = run.outcome.digest().to_string();
    Ok(Repeated::new(&backend, digest, run.wall, run.interrupted, warnings))
}

/// The backend of the options, or else that of the result.
fn open(stored: &Stored, arguments: &RerunArguments, suits: Suits) -> Result<(Ready, Vec<Warning>), CommandError> {
    let asks = arguments.device.adapter.is_some() || arguments.device.no_int64;
    let backend = arguments.backend.unwrap_or(match stored.backend.as_str() {
        // An option that only an adapter can follow asks for one.
        "heap" if asks => Backend::Auto,
        "heap" => Backend::Heap,
        "cuda" => Backend::Cuda,
        _ => Backend::Wgpu,
    });
    let (ready, mut warnings) = Ready::choose(backend, &arguments.device, suits)?;
    if stored.version != json::VERSION {
        let (version, own) = (stored.version.clone(), json::VERSION);
        warnings.push(Warning::OtherVersion { version, own });
    }
    Ok((ready, warnings))
}
