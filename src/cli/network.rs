//! `tickless network`: a queueing network of a file.

mod figures;
mod report;
mod text;

use std::path::Path;

use super::arguments::{Format, NetworkArguments};
use super::backend::{Ready, Suits};
use super::facilities::RecordsFile;
use super::interrupt::Interrupt;
use super::{CommandError, Ending, json, memory, warning};
use crate::queueing::network::{Network, NetworkModel};
use report::NetworkReport;

/// Runs the network and prints the result.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &NetworkArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let model = read(arguments)?;
    let replications = arguments.replications;
    let suits = Suits::network(&model, replications);
    let (backend, about_backend) = Ready::choose(arguments.backend, &arguments.device, suits)?;
    memory::check_network(&model, memory::available())?;
    let open = |path| RecordsFile::open("--stations", path);
    let stations = arguments.stations.as_deref().map(open).transpose()?;
    if arguments.format == Format::Text {
        model.warnings().iter().for_each(|warning| super::complain("note", warning));
    }
    warning::tell(arguments.format, &about_backend);
    let run = backend.run_network(&model, 0..replications, interrupt)?;
    let report = NetworkReport::new(&arguments.file, &model, &backend, &run, &about_backend);
    if let Some(file) = stations {
        file.write_lines(report.stations.iter().map(report::StationReport::line))?;
    }
    super::print(&match arguments.format {
        Format::Text => report.text(),
        Format::Json => json::text(&report)?,
    })?;
    Ok(if run.interrupted { Ending::Interrupted } else { Ending::Done })
}

fn read(arguments: &NetworkArguments) -> Result<NetworkModel, CommandError> {
    let path = || Path::to_owned(&arguments.file);
    let text = std::fs::read_to_string(&arguments.file)
        .map_err(|source| CommandError::NetworkFile { path: path(), source })?;
    let network = Network::from_toml(&text).map_err(|error| CommandError::NetworkText { path: path(), error })?;
    arguments.apply(network).check().map_err(|error| CommandError::Network { path: path(), error: Box::new(error) })
}
