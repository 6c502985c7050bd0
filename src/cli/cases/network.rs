//! `tickless network`: a queueing network of a file.

mod arguments;
mod distributions;
mod figures;
mod pilot;
mod precision;
mod report;
mod text;

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use crate::cli::CommandError;
use crate::cli::backend::{Ready, Suits};
use crate::cli::case::{Case, Extent, Written};
use crate::cli::interrupt::Interrupt;
use crate::cli::memory;
use crate::cli::output::{OutputFile, write_csv};
use crate::cli::report::{AppointmentsReport, RunReport};
use crate::cli::text::{Table, short};
use crate::cli::warning::Warning;
use crate::device::Target;
use crate::queueing::gpu::Synchronization;
use crate::queueing::network::{self, Network, NetworkModel, NetworkOutcome, Observed, combined_digest};
use crate::queueing::{self, NetworkDetails, QueueingError};
use crate::run::{Difference, Digest, Run, Watch};
use arguments::{NetworkArguments, NetworkFiles, NetworkOptions, WarmUpChoice};
use pilot::Pilot;
use precision::{Precision, PrecisionReport};
use report::{NetworkFigures, NetworkParameters};

/// Replications of a network that are to run.
pub struct NetworkCase {
    arguments: NetworkArguments,
    model: NetworkModel,
    /// How many replications run at once, as far as that is known.
    at_once: u32,
    /// What was asked, in place of a number of replications.
    precision: Option<Precision>,
    reached: Option<PrecisionReport>,
    pilot: Pilot,
    /// How many replications there were.
    replications: usize,
}

/// Replications of a network.
pub type Replications = Run<Vec<NetworkOutcome>, NetworkDetails>;

impl Case for NetworkCase {
    type Arguments = NetworkArguments;
    type Options = NetworkOptions;
    type Files = NetworkFiles;
    type Outcome = Vec<NetworkOutcome>;
    type Details = NetworkDetails;
    type Parameters = NetworkParameters;
    type Figures = NetworkFigures;

    const NAME: &'static str = "network";
    const ABOUT: &'static str = "a queueing network of a TOML file";

    fn prepare(
        mut arguments: NetworkArguments,
        options: &NetworkOptions,
        files: &NetworkFiles,
    ) -> Result<Self, CommandError> {
        arguments.check()?;
        let path = arguments.file.as_ref().to_owned();
        let text = match arguments.description.take() {
            Some(text) => text,
            None => std::fs::read_to_string(&path)
                .map_err(|source| CommandError::NetworkFile { path: path.clone(), source })?,
        };
        let network =
            Network::from_toml(&text).map_err(|error| CommandError::NetworkText { path: path.clone(), error })?;
        let mut network = arguments.apply(network);
        if files.histograms.is_some() && *network.observed() == Observed::Nothing {
            arguments.distributions = Some(vec![]);
            network = network.distributions(Observed::All);
        }
        let model = checked(&path, network).map_err(|error| error.placed(&text))?;
        arguments.description = Some(text);
        let budget = Duration::from_secs_f64(options.budget);
        let precision = options.precision.map(|asked| Precision { asked, budget });
        let at_once = if precision.is_some() { precision::BATCH } else { arguments.replications };
        let replications = arguments.replications as usize;
        Ok(Self { arguments, model, at_once, precision, reached: None, pilot: Pilot::default(), replications })
    }

    fn arguments(&self) -> NetworkArguments {
        let mut arguments = self.arguments.clone();
        arguments.replications = self.replications as u32;
        arguments
    }

    /// Its text is among the arguments, so that a rerun does not read it.
    fn read_only(&self) -> Vec<&Path> {
        vec![self.arguments.file.as_ref()]
    }

    fn seed(&self) -> Option<u64> {
        Some(self.model.seed())
    }

    fn remarks(&self) -> Vec<Warning> {
        self.model.warnings().iter().map(|warning| Warning::Model { about: warning.to_string() }).collect()
    }

    fn suits(&self) -> Suits {
        suits(&self.model, self.at_once)
    }

    fn check_options(&self, backend: &Ready) -> Result<(), CommandError> {
        if self.arguments.max_tokens.is_none() || backend.adapter().is_some() {
            return Ok(());
        }
        let message = "--max-tokens limits the pool of a device, and this run would be on the heap: leave it out, or name \
                       a device with --backend wgpu or --backend cuda";
        Err(CommandError::Usage { message: message.into() })
    }

    fn check_size(&self, backend: &Ready) -> Result<(), CommandError> {
        memory::check_network(&self.model, self.at_once, backend.adapter().is_some(), memory::available())
    }

    fn pilot(&mut self, interrupt: &Interrupt) -> Result<Option<Warning>, CommandError> {
        let file = self.arguments.file.as_ref().to_owned();
        let (model, pilot, warning) = pilot::settle(&file, self.model.clone(), self.arguments.warmup, interrupt)?;
        if matches!(self.arguments.warmup, Some(WarmUpChoice::Pilot(_))) && !pilot.unknown {
            self.arguments.warmup = pilot.report.and_then(|report| report.time).map(WarmUpChoice::Time);
        }
        (self.model, self.pilot) = (model, pilot);
        Ok(warning)
    }

    fn run(
        &mut self,
        target: Target<'_>,
        _: Option<OutputFile>,
        watch: &mut dyn Watch,
    ) -> Result<Replications, CommandError> {
        let most = self.arguments.max_tokens;
        let mut batch = |range: Range<u32>| replicate(&self.model, range, most, target, watch);
        let mut run = match self.precision {
            None => batch(0..self.arguments.replications)?,
            Some(precision) => {
                let (run, reached) = precision::run(precision, &self.model, &mut batch)?;
                self.reached = Some(reached);
                run
            }
        };
        // A run that was over before it could see Ctrl-C may lack the warm-up of a pilot that was cut short.
        run.interrupted |= self.pilot.interrupted;
        self.replications = run.outcome.len();
        Ok(run)
    }

    fn afterwards(&self, run: &Replications) -> Option<Warning> {
        self.reached.filter(|_| !run.interrupted).and_then(|reached| reached.warning(run.outcome.len()))
    }

    fn digest(outcome: &Vec<NetworkOutcome>) -> Digest {
        combined_digest(outcome)
    }

    fn difference(first: &Vec<NetworkOutcome>, other: &Vec<NetworkOutcome>) -> Option<Difference> {
        network::first_difference(first, other)
    }

    fn name_of(&self, station: usize) -> Option<String> {
        Some(format!("station '{}'", self.model.station_name(u32::try_from(station).ok()?)))
    }

    fn parameters(&self) -> NetworkParameters {
        let given = self.precision.is_none().then_some(self.arguments.replications);
        let parameters = NetworkParameters::new(&self.model, self.replications, given);
        NetworkParameters { warmup: parameters.warmup.filter(|_| !self.pilot.unknown), ..parameters }
    }

    fn figures(&self, run: &Replications, extent: Extent) -> NetworkFigures {
        NetworkFigures::new(self, run, extent)
    }

    fn files(files: &NetworkFiles) -> Vec<Written<'_, Self>> {
        let stations = Written::asked("--stations", files.stations.as_ref(), |_: &Self, _, figures, out| {
            write_csv(out, figures.lists.iter().flat_map(report::Lists::lines))
        });
        let histograms = Written::asked("--histograms", files.histograms.as_ref(), |case: &Self, run, _, out| {
            write_csv(out, distributions::histogram_lines(&case.model, &run.outcome))
        });
        stations.into_iter().chain(histograms).collect()
    }

    fn describe(&self, parameters: &NetworkParameters, table: &mut Table) {
        text::describe(self, parameters, table);
    }

    fn method(figures: &NetworkFigures) -> Vec<String> {
        method(figures.appointments.as_ref(), "stations")
    }

    fn interruption(&self, parameters: &NetworkParameters, run: &RunReport<NetworkFigures>) -> String {
        text::interruption(parameters, run)
    }

    fn tell(&self, run: &RunReport<NetworkFigures>, table: &mut Table) {
        text::tell(&run.figures, table);
    }
}

/// The model of a network; `path` is what an error names.
fn checked(path: &Path, network: Network) -> Result<NetworkModel, CommandError> {
    network.check().map_err(|error| CommandError::Network { path: path.to_owned(), line: None, error: Box::new(error) })
}

/// Runs replications, all at once or, on the heap, one after the other.
pub fn replicate(
    model: &NetworkModel,
    replications: Range<u32>,
    most_tokens: Option<u64>,
    target: Target<'_>,
    watch: &mut dyn Watch,
) -> Result<Replications, CommandError> {
    let options = queueing::NetworkOptions { most_tokens, ..Default::default() };
    let run = network::run(model, replications, target, options, watch);
    run.map_err(|error| CommandError::of_network(error, model))
}

/// What suits replications of a network.
pub fn suits(model: &NetworkModel, replications: u32) -> Suits {
    let synchronization = match network::gpu::synchronization(model) {
        Err(QueueingError::Appointments { station, what }) => return Suits::NoRounds { station, what },
        found => found.unwrap_or(Synchronization::Window),
    };
    let events = network::gpu::events_per_round(model) * f64::from(replications);
    Suits::by_events(events, "network", by_synchronization(synchronization))
}

/// What suits rounds of this kind.
pub fn by_synchronization(synchronization: Synchronization) -> Suits {
    match synchronization {
        Synchronization::Window => Suits::Rounds,
        Synchronization::Appointments | Synchronization::AppointmentsInTiles => Suits::Appointments,
    }
}

/// By appointments, how many of the stations had something to do in a round, and how far their times were apart.
pub fn method(appointments: Option<&AppointmentsReport>, stations: &str) -> Vec<String> {
    let told = |AppointmentsReport { working, drift }: &AppointmentsReport| {
        let percent = short(100.0 * working);
        format!("appointments: {percent} % of the {stations} at work in a round, up to {} apart", short(*drift))
    };
    appointments.map(told).into_iter().collect()
}
