//! `tickless network`: a queueing network of a file, on the heap.

mod report;

use std::path::Path;

use super::arguments::{Format, NetworkArguments};
use super::facilities::RecordsFile;
use super::interrupt::Interrupt;
use super::progress::Watcher;
use super::{CommandError, Ending, json, memory};
use crate::queueing::network::{Network, NetworkModel, reference};
use report::NetworkReport;

/// Runs the network and prints the result.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &NetworkArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let model = read(arguments)?;
    memory::check_network(&model, memory::available())?;
    let open = |path| RecordsFile::open("--stations", path);
    let stations = arguments.stations.as_deref().map(open).transpose()?;
    if arguments.format == Format::Text {
        model.warnings().iter().for_each(|warning| super::complain("note", warning));
    }
    let run = reference::simulate(&model, &mut Watcher::new("heap", interrupt))?;
    let report = NetworkReport::new(&arguments.file, &model, &run);
    if let Some(file) = stations {
        file.write_lines(report.stations.iter())?;
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
