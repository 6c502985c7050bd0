//! `tickless compare network`

use super::{Comparison, check_backends, warnings};
use crate::cli::arguments::{CompareNetworkArguments, Compared, Format};
use crate::cli::backend::{Ready, Suits};
use crate::cli::interrupt::Interrupt;
use crate::cli::json::{self, CompareNetworkReport, NetworkDifferenceReport, RunReport, VERSION};
use crate::cli::network::{self, Estimates, Parameters};
use crate::cli::warning::{self, Warning};
use crate::cli::{CommandError, Ending, memory, print, text};
use crate::queueing::network::{NetworkModel, NetworkOutcome, first_difference};

type NetworkComparison = Comparison<Vec<NetworkOutcome>, Estimates, NetworkDifferenceReport>;

/// Runs the network on every backend and prints how they compare.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &CompareNetworkArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let path = &arguments.network.file;
    let text = network::read(path)?;
    let model = network::checked(path, arguments.apply(network::parsed(path, &text)?));
    let model = model.map_err(|error| error.placed(&text))?;
    check_backends(&arguments.backends, arguments.device.no_int64)?;
    // Everything that can be refused is refused before the first run.
    let suits = Suits::network(&model, arguments.replications);
    let open = |name: &Compared| Ready::compared(*name, &arguments.device, &suits);
    let backends = arguments.backends.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let fits = |on_device| memory::check_network(&model, arguments.replications, on_device, memory::available());
    backends.iter().try_for_each(|backend| fits(backend.adapter().is_some()))?;
    let of_model = model.warnings().iter().map(|warning| Warning::Model { about: warning.to_string() });
    let warnings: Vec<Warning> = of_model.chain(warnings(&arguments.backends, &backends)).collect();
    warning::tell(arguments.format, &warnings);

    let mut comparison = NetworkComparison::default();
    for backend in &backends {
        let run = backend.run_network(&model, 0..arguments.replications, interrupt)?;
        let report = RunReport::of_network(backend, &model, &run);
        comparison.add(report, run.outcome, |first, other| difference(&model, first, other));
        if comparison.interrupted {
            break;
        }
    }
    let ending = comparison.ending();
    let report = CompareNetworkReport {
        model: "network",
        version: VERSION,
        file: path.display().to_string(),
        parameters: Parameters::new(&model, arguments.replications as usize, Some(arguments.replications)),
        seed: model.seed(),
        equal: comparison.equal(),
        interrupted: comparison.interrupted,
        runs: comparison.runs,
        warnings,
    };
    print(&match arguments.format {
        Format::Text => text::compare_network(&report),
        Format::Json => json::text(&report)?,
    })?;
    Ok(ending)
}

/// The first replication, station and field that differ.
fn difference(
    model: &NetworkModel,
    first: &[NetworkOutcome],
    other: &[NetworkOutcome],
) -> Option<NetworkDifferenceReport> {
    let difference = first_difference(first, other)?;
    let station = difference.place.entity.and_then(|(_, id)| u32::try_from(id).ok());
    Some(NetworkDifferenceReport {
        replication: difference.place.replication.unwrap_or(0) as usize,
        station: station.map(|id| model.station_name(id).to_owned()),
        field: difference.field,
        expected: difference.left,
        found: difference.right,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queueing::NetworkDetails;
    use crate::queueing::network::{Network, reference};
    use crate::run::{Run, unwatched};

    type Replications = Run<Vec<NetworkOutcome>, NetworkDetails>;

    fn compared(doctor: impl FnOnce(&mut Replications)) -> (Ending, Option<NetworkDifferenceReport>) {
        let text = include_str!("../../../examples/networks/clinic.toml");
        let model = Network::from_toml(text).unwrap().check().unwrap();
        let run = || reference::replicate(&model, 0..3, &mut unwatched()).unwrap();
        let mut doctored = run();
        doctor(&mut doctored);
        let mut comparison = NetworkComparison::default();
        for run in [run(), doctored] {
            let report = RunReport::of_network(&Ready::heap(), &model, &run);
            comparison.add(report, run.outcome, |first, other| difference(&model, first, other));
        }
        (comparison.ending(), comparison.runs.pop().unwrap().difference)
    }

    #[test]
    fn a_changed_value_is_named() {
        assert_eq!(compared(|_| ()), (Ending::Done, None));
        let (ending, difference) = compared(|run| run.outcome[1].stations.facilities[2].waiting += 1);
        let text = difference.unwrap().to_string();
        assert_eq!(ending, Ending::Different);
        assert!(text.starts_with("replication 1, station 'x-ray', field waiting: "), "{text}");
        let (ending, difference) = compared(|run| run.outcome[2].sinks[0].tokens += 1);
        let difference = difference.unwrap();
        let named = (difference.replication, difference.station.clone(), difference.field.as_str());
        assert_eq!((ending, named), (Ending::Different, (2, None, "sinks[0].tokens")));
        assert_eq!(difference.found, difference.expected + 1);
    }

    #[test]
    fn a_part_of_a_run_is_not_compared() {
        let (ending, difference) = compared(|run| {
            run.interrupted = true;
            run.outcome[0].in_transit += 1;
        });
        assert_eq!((ending, difference), (Ending::Interrupted, None));
    }
}
