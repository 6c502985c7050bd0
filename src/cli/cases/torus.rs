//! `tickless torus`: a closed torus queueing network.

mod facilities;
mod shift;

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::cli::arguments::{Nothing, time, whole};
use crate::cli::backend::{Ready, Suits};
use crate::cli::case::{Case, Extent, RunOf, Written, interrupted_at};
use crate::cli::memory::{self, Need};
use crate::cli::output::{OutputFile, write_csv};
use crate::cli::report::{AppointmentsReport, RunReport};
use crate::cli::text::{Table, grouped, short};
use crate::cli::warning::Warning;
use crate::cli::{CommandError, cases::network};
use crate::device::{AdapterKind, Target};
use crate::queueing::gpu::{self, Synchronization};
use crate::queueing::network::{Network, NetworkModel, Station, Topology};
use crate::queueing::{self, NetworkDetails, Torus, TorusModel};
use crate::random::{LawError, ServiceLaw};
use crate::run::{Difference, Digest, Place, Watch};
use crate::statistics::{NetworkStatistics, Outcome};

/// The model; every option has a default.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Model")]
#[serde(deny_unknown_fields)]
pub struct TorusArguments {
    /// Facilities in a row and rows of a square torus
    #[arg(long, value_name = "N", value_parser = side, default_value_t = 512, conflicts_with_all = ["width", "height"])]
    side: u32,
    /// Facilities in a row
    #[arg(long, value_name = "W", value_parser = side, requires = "height")]
    width: Option<u32>,
    /// Rows
    #[arg(long, value_name = "H", value_parser = side, requires = "width")]
    height: Option<u32>,
    /// Tokens at each facility at time 0
    #[arg(long, value_name = "K", value_parser = whole::<u32>, default_value_t = 1, allow_negative_numbers = true)]
    tokens: u32,
    /// The law of service times: exponential:MEAN, constant:TIME, uniform:LOW,HIGH, erlang:STAGES,MEAN or
    /// hyperexponential:P,FIRST,SECOND
    #[arg(long, value_name = "LAW", value_parser = law, default_value = "exponential:10")]
    service: ServiceLaw,
    /// The synchronization window d: a law without so long a shortest time is shifted to d + S·(M - d)/M, which
    /// keeps its mean M; 0 leaves it alone [default: the law's shortest time]
    #[arg(long, value_name = "D", value_parser = time, allow_negative_numbers = true)]
    window: Option<f64>,
    /// The law as it is written, which is the default: a device needs no window where facilities promise each other when
    /// they will not send
    #[arg(long, conflicts_with = "window")]
    exact: bool,
    /// Approximate time: every event happens at a multiple of I, rounded up; the law stays as it is
    /// [default: exact time]
    #[arg(long, value_name = "I", value_parser = time, allow_negative_numbers = true, conflicts_with_all = ["window", "exact"])]
    approximate: Option<f64>,
    /// The horizon: events before it happen
    #[arg(long, value_name = "T", value_parser = time, default_value_t = 500.0, allow_negative_numbers = true)]
    until: f64,
    /// What happens before this time is not counted
    #[arg(long, value_name = "T", value_parser = time, default_value_t = 0.0, allow_negative_numbers = true)]
    warmup: f64,
    /// One seed, one sample path
    #[arg(long, value_name = "S", value_parser = whole::<u64>, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
}

/// Where the result goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct TorusFiles {
    /// Also write a line for each facility to this CSV file
    #[arg(long, value_name = "FILE")]
    facilities: Option<PathBuf>,
}

fn side(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) => Err("a torus needs at least 1 facility each way".into()),
        Ok(side) => Ok(side),
        Err(_) => Err(format!("it takes a whole number from 1 to {}", u32::MAX)),
    }
}

/// clap names the option and the value, so only the fault is left to say.
fn law(text: &str) -> Result<ServiceLaw, String> {
    text.parse().map_err(|error: LawError| error.fault)
}

impl TorusArguments {
    /// The model as it was asked for, not yet checked. Approximate time shifts no law.
    fn torus(&self) -> Torus {
        let torus = Torus::new(self.width.unwrap_or(self.side), self.height.unwrap_or(self.side))
            .tokens(self.tokens)
            .service(self.service)
            .until(self.until)
            .warmup(self.warmup)
            .seed(self.seed);
        match self.window {
            Some(window) => torus.window(window),
            None if self.exact || self.approximate.is_some() => torus.window(0.0),
            None => torus,
        }
    }
}

/// A torus that is to run.
pub struct TorusCase {
    arguments: TorusArguments,
    model: TorusModel,
    /// The same as a network, which approximate time needs.
    network: Option<NetworkModel>,
}

/// What equal runs share.
pub struct TorusOutcome {
    pub facilities: Outcome,
    /// Of all facilities together, in approximate time.
    pub causality_errors: Option<u64>,
}

/// The effective parameters. Times are in time units.
#[derive(Clone, Debug, Serialize)]
pub struct TorusParameters {
    width: u32,
    height: u32,
    facilities: u32,
    tokens_per_facility: u32,
    tokens: u32,
    service: String,
    mean_service_time: f64,
    effective_service: Option<String>,
    shift: Option<f64>,
    window: f64,
    approximate: Option<f64>,
    until: f64,
    warmup: f64,
}

/// What a run gave.
#[derive(Clone, Debug, Serialize)]
pub struct TorusFigures {
    measured: f64,
    appointments: Option<AppointmentsReport>,
    causality_errors: Option<u64>,
    statistics: NetworkStatistics,
}

impl Case for TorusCase {
    type Arguments = TorusArguments;
    type Options = Nothing;
    type Files = TorusFiles;
    type Outcome = TorusOutcome;
    type Details = NetworkDetails;
    type Parameters = TorusParameters;
    type Figures = TorusFigures;

    const NAME: &'static str = "torus";
    const ABOUT: &'static str = "a closed torus queueing network";

    fn prepare(arguments: TorusArguments, _: &Nothing, _: &TorusFiles) -> Result<Self, CommandError> {
        let model = arguments.torus().check()?;
        let network = arguments.approximate.map(|interval| approximate(&model, interval)).transpose()?;
        Ok(Self { arguments, model, network })
    }

    fn arguments(&self) -> TorusArguments {
        self.arguments.clone()
    }

    fn seed(&self) -> Option<u64> {
        Some(self.arguments.seed)
    }

    fn remarks(&self) -> Vec<Warning> {
        shift::warning(&self.model).into_iter().collect()
    }

    fn suits(&self) -> Suits {
        match &self.network {
            Some(network) => network::suits(network, 1),
            None => network::by_synchronization(Synchronization::of(&self.model)),
        }
    }

    fn check_size(&self, backend: &Ready) -> Result<(), CommandError> {
        if let Some(network) = &self.network {
            return memory::check_network(network, 1, backend.adapter().is_some(), memory::available());
        }
        if let Some(adapter) = backend.adapter() {
            gpu::check_limits(&self.model, Synchronization::of(&self.model), adapter)?;
        }
        let need = match backend.adapter().map(|adapter| adapter.kind) {
            None => Need::HEAP,
            Some(AdapterKind::Software | AdapterKind::Integrated) => Need::SHARED,
            Some(_) => Need::READ_BACK,
        };
        need.check(&self.model, memory::available())
    }

    fn run(
        &mut self,
        target: Target<'_>,
        _: Option<OutputFile>,
        watch: &mut dyn Watch,
    ) -> Result<RunOf<Self>, CommandError> {
        if let Some(network) = &self.network {
            let run = network::replicate(network, 0..1, None, target, watch)?;
            return Ok(run.map(|mut outcomes| {
                let outcome = outcomes.swap_remove(0);
                TorusOutcome { causality_errors: outcome.all_causality_errors(), facilities: outcome.stations }
            }));
        }
        let run = queueing::run(&self.model, target, Default::default(), watch)?;
        Ok(run.map(|facilities| TorusOutcome { facilities, causality_errors: None }))
    }

    fn digest(outcome: &TorusOutcome) -> Digest {
        outcome.facilities.digest()
    }

    fn difference(first: &TorusOutcome, other: &TorusOutcome) -> Option<Difference> {
        first.facilities.first_difference(&other.facilities).or_else(|| {
            let [left, right] = [first, other].map(|outcome| outcome.causality_errors.unwrap_or(0));
            Difference::find(Place::WHOLE, "causality_errors", left, right)
        })
    }

    fn name_of(&self, facility: usize) -> Option<String> {
        let width = self.model.width() as usize;
        Some(format!("row {}, column {}", facility / width, facility % width))
    }

    fn parameters(&self) -> TorusParameters {
        let model = &self.model;
        let by_window = Synchronization::of(model) == Synchronization::Window;
        TorusParameters {
            width: model.width(),
            height: model.height(),
            facilities: model.facilities(),
            tokens_per_facility: model.tokens_each(),
            tokens: model.tokens(),
            service: model.service().to_string(),
            mean_service_time: model.service().mean(),
            effective_service: shift::formula(model),
            shift: model.shift(),
            window: if by_window { model.lookahead().units() } else { 0.0 },
            approximate: self.network.as_ref().and_then(NetworkModel::approximate).map(|interval| interval.units()),
            until: model.until().units(),
            warmup: model.warmup().units(),
        }
    }

    fn figures(&self, run: &RunOf<Self>, _: Extent) -> TorusFigures {
        let TorusOutcome { facilities, causality_errors } = &run.outcome;
        TorusFigures {
            measured: facilities.measured(),
            appointments: run.details.appointments.map(AppointmentsReport::from),
            causality_errors: *causality_errors,
            statistics: facilities.statistics(),
        }
    }

    fn files(files: &TorusFiles) -> Vec<Written<'_, Self>> {
        let facilities = Written::asked("--facilities", files.facilities.as_ref(), |case: &Self, run, _, out| {
            write_csv(out, facilities::lines(&case.model, &run.outcome.facilities))
        });
        facilities.into_iter().collect()
    }

    fn describe(&self, parameters: &TorusParameters, table: &mut Table) {
        let TorusParameters { width, height, facilities, tokens_per_facility, tokens, .. } = *parameters;
        table.row("facilities", format!("{width} x {height} = {}", grouped(facilities.into())));
        table.row("tokens", format!("{} each = {}", grouped(tokens_per_facility.into()), grouped(tokens.into())));
        table.row("service time S", format!("{}, mean {}", parameters.service, parameters.mean_service_time));
        if let Some(law) = &parameters.effective_service {
            table.row("shifted to", format!("{law}{}", shift::cost(&self.model)));
        }
        match parameters.approximate {
            Some(interval) => table.row("approximate time", format!("multiples of {}", short(interval))),
            None if parameters.window > 0.0 => table.row("window", short(parameters.window)),
            None => table.row("window", "none"),
        };
        let warmup =
            if parameters.warmup > 0.0 { format!(", counted from {} on", parameters.warmup) } else { String::new() };
        table.row("until", format!("{}{warmup}", parameters.until));
    }

    fn method(figures: &TorusFigures) -> Vec<String> {
        network::method(figures.appointments.as_ref(), "facilities")
    }

    fn interruption(&self, parameters: &TorusParameters, run: &RunReport<TorusFigures>) -> String {
        interrupted_at(run.clock, parameters.until)
    }

    fn tell(&self, run: &RunReport<TorusFigures>, table: &mut Table) {
        let statistics = &run.figures.statistics;
        table.row("utilization", short(statistics.utilization));
        let each = short(statistics.throughput / f64::from(self.model.facilities().max(1)));
        table.row("throughput", format!("{} per time unit, {each} a facility", short(statistics.throughput)));
        table.row("waiting time", short(statistics.mean_waiting_time));
        table.row("system time", short(statistics.mean_system_time));
        if let Some(errors) = run.figures.causality_errors {
            table.row("causality errors", grouped(errors));
        }
    }
}

/// The torus as a network.
fn approximate(model: &TorusModel, interval: f64) -> Result<NetworkModel, CommandError> {
    let each = Station::new("facility ", model.service()).tokens(model.tokens_each());
    let topology = Topology::Torus { width: model.width(), height: model.height() };
    let network = Network::generate(&topology, &each, 0.0);
    let network = network.map_err(|error| CommandError::Usage { message: error.to_string() })?;
    let network = network.until(model.until().units()).warmup(model.warmup().units()).seed(model.seed());
    network.approximate(interval).check().map_err(|error| CommandError::ApproximateTorus(Box::new(error)))
}
