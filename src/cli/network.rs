//! `tickless network`: a queueing network of a file.

mod distributions;
mod figures;
mod pilot;
mod precision;
mod report;
mod text;

use std::path::Path;
use std::time::Duration;

use super::arguments::{Format, NetworkArguments};
use super::backend::{Ready, Suits};
use super::facilities::{self, RecordsFile};
use super::interrupt::Interrupt;
use super::{CommandError, Ending, json, memory, warning};
use crate::queueing::network::{Network, NetworkModel};
pub use figures::{Estimates, ratio};
use precision::Precision;
pub use report::Parameters;
use report::{NetworkReport, Origin};

/// Runs the network and prints the result.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &NetworkArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let path = &arguments.network.file;
    let description = read(path)?;
    let network = arguments.apply(parsed(path, &description)?);
    let model = checked(path, network).map_err(|error| error.placed(&description))?;
    let precision =
        arguments.precision.map(|asked| Precision { asked, budget: Duration::from_secs_f64(arguments.budget) });
    let at_once = if precision.is_some() { precision::BATCH } else { arguments.replications };
    let suits = Suits::network(&model, at_once);
    let (backend, mut warnings) = Ready::choose(arguments.backend, &arguments.device, suits)?;
    let backend = backend.with_most_tokens(arguments.max_tokens)?;
    memory::check_network(&model, at_once, backend.adapter().is_some(), memory::available())?;
    let open = |option, path: Option<&Path>| path.map(|path| RecordsFile::open(option, path)).transpose();
    let stations = open("--stations", arguments.stations.as_deref())?;
    let histograms = open("--histograms", arguments.histograms.as_deref())?;
    facilities::check_apart(
        &stations.iter().chain(&histograms).collect::<Vec<_>>(),
        [(path.as_path(), "the network file")],
    )?;
    if arguments.format == Format::Text {
        model.warnings().iter().for_each(|warning| super::complain("note", warning));
    }
    let (model, mut pilot) = pilot::settle(path, model, arguments.warmup, interrupt)?;
    warnings.extend(pilot.warning.take());
    warning::tell(arguments.format, &warnings);
    let (mut run, precision) = match precision {
        None => (backend.run_network(&model, 0..arguments.replications, interrupt)?, None),
        Some(precision) => {
            let (run, report) = precision::run(precision, &model, &backend, interrupt)?;
            (run, Some(report))
        }
    };
    // A run that was over before it could see Ctrl-C may lack the warm-up of a pilot that was cut short.
    run.interrupted |= pilot.interrupted;
    let afterwards = precision.filter(|_| !run.interrupted).and_then(|report| report.warning(run.outcome.len()));
    warning::tell(arguments.format, afterwards.as_slice());
    warnings.extend(afterwards);
    let asked = precision.is_none().then_some(arguments.replications);
    let origin = Origin { file: path, description, asked, pilot, precision, warnings };
    let report = NetworkReport::new(origin, &model, &backend, &run);
    if let Some(file) = stations {
        file.write_lines(report.lines())?;
    }
    if let Some(file) = histograms {
        file.write_lines(distributions::histogram_lines(&model, &run.outcome))?;
    }
    super::print(&match arguments.format {
        Format::Text => report.text(),
        Format::Json => json::text(&report)?,
    })?;
    Ok(if run.interrupted { Ending::Interrupted } else { Ending::Done })
}

/// The text of a network file.
///
/// # Errors
/// [`CommandError::NetworkFile`].
pub fn read(path: &Path) -> Result<String, CommandError> {
    std::fs::read_to_string(path).map_err(|source| CommandError::NetworkFile { path: path.to_owned(), source })
}

/// The network of a text; `path` is what an error names.
///
/// # Errors
/// [`CommandError::NetworkText`].
pub fn parsed(path: &Path, text: &str) -> Result<Network, CommandError> {
    Network::from_toml(text).map_err(|error| CommandError::NetworkText { path: path.to_owned(), error })
}

/// The model of a network; `path` is what an error names.
///
/// # Errors
/// [`CommandError::Network`].
pub fn checked(path: &Path, network: Network) -> Result<NetworkModel, CommandError> {
    network.check().map_err(|error| CommandError::Network { path: path.to_owned(), line: None, error: Box::new(error) })
}
