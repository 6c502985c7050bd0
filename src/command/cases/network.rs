//! Runs of queueing networks, for `tickless network` and `tickless torus`; and a network from a file.

mod animation;
mod answers;
mod arguments;
mod batch_means;
mod curves;
mod distributed;
mod distributions;
mod expected;
mod figures;
mod folded;
mod graph;
mod jmt;
mod pictures;
mod pilot;
mod places;
mod precision;
mod report;
mod resumption;
mod series;
mod shard;
mod sketch;
mod targets;
mod text;
mod times;
mod torus;
mod visits;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::CommandError;
use crate::backend::{HEAP_EVENT, Ready, Suits};
use crate::case::{Case, Extent, PartOf, SnapshotOf, Wanted, Written};
use crate::memory::{self, Room};
use crate::output::{OutputFile, write_csv, write_csv_of};
use crate::page::Picture;
use crate::report::{AppointmentsReport, RunReport};
use crate::text::{Table, short};
use crate::warning::Warning;
pub use arguments::{Choices, FileArguments, NetworkArguments};
use arguments::{NetworkFiles, NetworkOptions, WarmUpChoice};
use batch_means::BatchMeansReport;
use pilot::Pilot;
use precision::{Precision, PrecisionReport};
use report::{NetworkFigures, NetworkParameters};
use tickless_core::run::{Difference, Digest, Mapped, Place, Run, RunMode, SnapshotWatch, Snapshotted, Watch, cores};
use tickless_device::{On, Target};
use tickless_queueing::gpu::{DevicePath, Synchronization};
use tickless_queueing::{
    self as queueing, Checkpoint, NetworkDetails, NetworkError, NetworkModel, NetworkOutcome, Observed, Partition,
    QueueingError, Stood, combined_digest,
};
pub use torus::TorusParameters;

/// Replications of a network, with the arguments that describe it.
pub struct NetworkCase<A> {
    arguments: A,
    model: NetworkModel,
    /// How many replications run at once, as far as known.
    at_once: u32,
    /// The precision asked for, in place of a number of replications.
    precision: Option<Precision>,
    reached: Option<PrecisionReport>,
    pilot: Pilot,
    /// The number of replications run, and of batches of the only one.
    replications: usize,
    batches: usize,
}

/// A network from a file.
pub type FileCase = NetworkCase<FileArguments>;

/// Replications of a network.
pub type Replications = Run<Vec<NetworkOutcome>, NetworkDetails>;

impl<A: NetworkArguments> Case for NetworkCase<A> {
    type Arguments = A;
    type Options = NetworkOptions;
    type Files = NetworkFiles;
    type Checkpoint = Checkpoint;
    type Outcome = Vec<NetworkOutcome>;
    type Details = NetworkDetails;
    type Parameters = NetworkParameters;
    type Figures = NetworkFigures;

    const NAME: &'static str = A::NAME;
    const ABOUT: &'static str = A::ABOUT;

    fn prepare(mut arguments: A, options: &NetworkOptions, files: &NetworkFiles) -> Result<Self, CommandError> {
        arguments.choices().check()?;
        let network = arguments.network()?;
        let mut network = arguments.choices().apply(network);
        if files.histograms.is_some() && *network.observed() == Observed::Nothing {
            arguments.choices_mut().distributions = Some(vec![]);
            network = network.distributions(Observed::All);
        }
        if files.series.is_some() {
            arguments.choices_mut().series_step = Some(network.series_in(STEPS));
        }
        let model = network.check().map_err(|error| arguments.wrong(error))?;
        if files.classes.is_some() && model.classes().is_empty() {
            let message = "--classes writes what each class did, and this network has no classes, disciplines or patience: \
                           leave it out, or use --stations";
            return Err(CommandError::Usage { message: message.into() });
        }
        if files.folded.is_some() && model.fold().is_none() {
            let message = "--folded writes figures by the hour, and this network folds nothing: give the file a period, as \
                           fold = 1440, or leave it out";
            return Err(CommandError::Usage { message: message.into() });
        }
        // The library runs an empty torus; on the command line the tokens were probably forgotten.
        if model.tokens() == 0 && model.sources() == 0 {
            return Err(arguments.wrong(NetworkError::Unreachable { station: model.station_name(0).into_owned() }));
        }
        files.visits.as_deref().map_or(Ok(()), |path| visits::check(&model, path))?;
        let several = arguments.choices().replications.count() > 1;
        let others = [
            ("--replications", several),
            ("--precision", options.precision.is_some()),
            ("--shard", files.shard.is_some()),
            ("`terminating = true`", model.is_terminating()),
        ];
        batch_means::check(arguments.choices(), &others)?;
        let time_limit = Duration::from_secs_f64(options.time_limit);
        let precision = options.precision.map(|asked| Precision { asked, time_limit });
        let replications = arguments.choices().replications.count();
        let at_once = if precision.is_some() { precision::BATCH } else { replications };
        let (pilot, replications) = (Pilot::default(), replications as usize);
        Ok(Self { arguments, model, at_once, precision, reached: None, pilot, replications, batches: 0 })
    }

    fn arguments(&self) -> A {
        let mut arguments = self.arguments.clone();
        let choices = arguments.choices_mut();
        choices.replications = choices.replications.with_count(self.replications as u32);
        arguments
    }

    /// The text of the file is among the arguments, so that a rerun does not read it.
    fn read_only(&self) -> Vec<&Path> {
        self.arguments.file().into_iter().collect()
    }

    fn seed(&self) -> Option<u64> {
        Some(self.model.seed())
    }

    fn remarks(&self) -> Vec<Warning> {
        let shifted = self.arguments.torus(&self.model).and_then(|torus| torus.shifted());
        let model = self.model.warnings().iter().map(|warning| Warning::Model { about: warning.to_string() });
        shifted.into_iter().chain(model).collect()
    }

    fn suits(&self) -> Suits {
        match self.arguments.choices().batch_means {
            Some(_) => Suits::Heap("--batch-means divides a run on the heap".into()),
            None => suits(&self.model, self.at_once),
        }
    }

    fn suits_in_parts(&self) -> Suits {
        if self.model.classes().is_empty() {
            // A checkpoint is of rounds, as one replication has them.
            return suits_on(queueing::gpu::path(&self.model, 1), &self.model, self.at_once);
        }
        Suits::Heap("checkpoints of a network of classes are of the heap".to_owned())
    }

    fn check_options(&self, backend: &Ready) -> Result<(), CommandError> {
        batch_means::check(self.arguments.choices(), &[("a device", !backend.is_heap())])?;
        if self.arguments.choices().max_tokens.is_none() || !backend.is_heap() {
            return Ok(());
        }
        let message = "--max-tokens limits the pool of a device, and this run would be on the heap: leave it out, or name \
                       a device with --backend wgpu or --backend cuda";
        Err(CommandError::Usage { message: message.into() })
    }

    fn check_size(&self, room: &Room<'_>, wanted: Wanted) -> Result<(), CommandError> {
        if let Some(adapter) = room.adapter.filter(|_| self.at_once == 1) {
            queueing::gpu::check_limits(&self.model, adapter)?;
        }
        let adapter = room.adapter.map(|adapter| adapter.kind);
        let checkpoint = memory::of_network_checkpoint(&self.model, self.at_once);
        let available = memory::beside(checkpoint, wanted, room.available());
        match adapter.filter(|_| self.figures_only(wanted)) {
            Some(adapter) => memory::check_figures(&self.model, adapter, available)?,
            None => memory::check_network(&self.model, self.recorded(), adapter, available)?,
        }
        memory::check_report(self.model.stations(), report::least_bytes::<A>(&self.model), available)
    }

    fn pilot(&mut self, watch: &mut dyn Watch) -> Result<Option<Warning>, CommandError> {
        let choice = self.arguments.choices().warmup;
        let asked = matches!(choice, Some(WarmUpChoice::Pilot(_)));
        if !asked && !A::LISTS_STATIONS {
            return Ok(None);
        }
        let (time, pilot, warning) = pilot::settle(&self.model, choice, self.replications as u32, watch)?;
        if let Some(time) = time {
            tickless_core::memory::room_of(self.model.description().bytes(), "a copy of the stations and routes")?;
            let model = self.model.description().clone().warmup(time).check();
            self.model = model.map_err(|error| self.arguments.wrong(error))?;
        }
        if asked && !pilot.unknown {
            self.arguments.choices_mut().warmup = pilot.report.and_then(|report| report.time).map(WarmUpChoice::Time);
        }
        self.pilot = pilot;
        Ok(warning)
    }

    fn run(
        &mut self,
        mode: RunMode<'_, Arc<Checkpoint>>,
        target: Target<'_>,
        _: Option<&mut OutputFile>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<PartOf<Self>, CommandError> {
        let Choices { max_tokens: most, replications, batch_means: batches, .. } = *self.arguments.choices();
        let options = queueing::NetworkOptions {
            most_tokens: most,
            figures_only: self.figures_only(mode.wanted),
            ..Default::default()
        };
        batch_means::check(self.arguments.choices(), &[("--checkpoint", mode.keeps())])?;
        let mut run = if let Some(count) = batches {
            batch_means::run(&self.model, replications.numbers().start, count, watch)?.map(ended)
        } else if mode.keeps() {
            let map = |snapshot: Stood| -> SnapshotOf<Self> { Box::new(|| Ok(snapshot()?)) };
            let watch = &mut Mapped { watch, map };
            let snapshotted = Snapshotted { model: &self.model, from: mode.from };
            let run = queueing::run(snapshotted, replications.numbers(), target, options, watch);
            run.map_err(|error| CommandError::of_network(error, &self.model))?
        } else {
            let mut batch = |range: Range<u32>| replicate(&self.model, range, target, options, watch);
            let run = match self.precision {
                None => batch(replications.numbers())?,
                Some(precision) => {
                    let (run, reached) = precision::run(precision, &self.model, &mut batch)?;
                    self.reached = Some(reached);
                    run
                }
            };
            run.map(ended)
        };
        // A run that ended before it checked for Ctrl-C may lack the warm-up of an interrupted pilot.
        run.interrupted |= self.pilot.interrupted;
        self.replications = run.outcome.outcomes.len();
        self.batches = run.outcome.outcomes.first().map_or(0, |outcome| outcome.batches.len());
        Ok(run)
    }

    fn outcome(&self, at: Checkpoint) -> Vec<NetworkOutcome> {
        at.outcomes
    }

    fn afterwards(&self, run: &Replications) -> Option<Warning> {
        let reached = self.reached.filter(|_| !run.interrupted).and_then(|reached| reached.warning(run.outcome.len()));
        reached.or_else(|| BatchMeansReport::of(&self.model, &run.outcome)?.warning())
    }

    fn digest(outcome: &Vec<NetworkOutcome>) -> Digest {
        combined_digest(outcome)
    }

    fn network<'a>(&'a self, outcomes: &'a Vec<NetworkOutcome>) -> Option<(&'a NetworkModel, &'a [NetworkOutcome])> {
        Some((&self.model, outcomes))
    }

    fn difference(&self, first: &Vec<NetworkOutcome>, other: &Vec<NetworkOutcome>) -> Option<Difference> {
        let difference = queueing::first_difference(first, other)?;
        let base = self.arguments.choices().replications.numbers().start;
        let number = difference.place.replication.map(|replication| base + replication);
        Some(Difference { place: Place { replication: number, ..difference.place }, ..difference })
    }

    fn name_of(&self, station: usize) -> Option<String> {
        Some(format!("station '{}'", self.model.station_name(u32::try_from(station).ok()?)))
    }

    fn parameters(&self) -> NetworkParameters {
        let given = self.precision.is_none().then_some(self.arguments.choices().replications.count());
        let torus = self.arguments.torus(&self.model);
        let first = self.arguments.choices().replications.numbers().start;
        let parameters = NetworkParameters::new((&self.model, torus, (first, self.replications), given));
        NetworkParameters { warmup: parameters.warmup.filter(|_| !self.pilot.unknown), ..parameters }
    }

    fn figures(&self, run: &Replications, extent: Extent) -> NetworkFigures {
        NetworkFigures::new(self, run, extent)
    }

    fn report_bytes(&self, run: &Replications, extent: Extent) -> u64 {
        report::bytes(self, run, extent)
    }

    fn answer(&self, figures: &NetworkFigures) -> Vec<(&'static str, String)> {
        if A::LISTS_STATIONS { answers::of(figures, self.replications, self.model.words()) } else { vec![] }
    }

    fn pictures(&self, run: &Replications, figures: &NetworkFigures) -> Vec<Picture> {
        pictures::all(self, run, figures)
    }

    fn files(files: &NetworkFiles) -> Vec<Written<'_, Self>> {
        let stations = Written::asked("--stations", files.stations.as_ref(), |case: &Self, run, _, out| {
            let line = places::station_lines(&case.model, &run.outcome);
            write_csv_of(out, case.model.stations() as usize, line)
        });
        let histograms = Written::asked("--histograms", files.histograms.as_ref(), |case: &Self, run, _, out| {
            write_csv(out, distributions::histogram_lines(&case.model, &run.outcome))
        });
        let classes = Written::asked("--classes", files.classes.as_ref(), |case: &Self, run, _, out| {
            write_csv(out, places::class_lines(&case.model, &run.outcome))
        });
        let series = Written::asked("--series", files.series.as_ref(), |case: &Self, run, _, out| {
            write_csv(out, series::lines(&case.model, &run.outcome))
        });
        let folded = Written::asked("--folded", files.folded.as_ref(), |case: &Self, run, _, out| {
            write_csv(out, folded::all(&case.model, &run.outcome).unwrap_or_default().into_iter())
        });
        let visits = Written::asked("--visits", files.visits.as_ref(), |case: &Self, run, _, out| {
            let first = case.arguments.choices().replications.numbers().start;
            let path = files.visits.as_deref().unwrap_or(Path::new(""));
            visits::write((&case.model, files.sample, path), (first, run), out)
        });
        let shard = Written::asked("--shard", files.shard.as_ref(), |case: &Self, run, _, out| {
            crate::shard::write(case, run, out)
        });
        [stations, classes, histograms, series, folded, visits, shard].into_iter().flatten().collect()
    }

    fn describe(&self, parameters: &NetworkParameters, table: &mut Table) {
        text::describe(self, parameters, table);
    }

    fn method(figures: &NetworkFigures) -> Vec<String> {
        method(figures.appointments.as_ref())
    }

    fn interruption(&self, parameters: &NetworkParameters, run: &RunReport<NetworkFigures>) -> String {
        text::interruption(parameters, run)
    }

    fn tell(&self, run: &RunReport<NetworkFigures>, table: &mut Table) {
        text::tell(self, &self.answer(&run.figures), &run.figures, table);
    }

    fn sketch(&self, run: &Replications, columns: usize, table: &mut Table) {
        sketch::over_time(&self.model, &run.outcome, columns, table);
    }
}

impl<A: NetworkArguments> NetworkCase<A> {
    /// The records that are there at once: batches have some each.
    fn recorded(&self) -> u32 {
        self.arguments.choices().batch_means.map_or(self.at_once, |batches| batches + 1)
    }

    /// Whether no results of single stations are needed.
    fn figures_only(&self, wanted: Wanted) -> bool {
        wanted == Wanted::Figures && !A::LISTS_STATIONS && self.precision.is_none() && self.at_once == 1
    }
}

/// The end of a run that no other one goes on from.
fn ended(outcomes: Vec<NetworkOutcome>) -> Checkpoint {
    let mut at = Checkpoint::default();
    at.outcomes.extend(outcomes);
    at
}

/// Runs replications.
fn replicate<'a>(
    model: &NetworkModel,
    replications: Range<u32>,
    on: impl Into<On<'a, Partition>>,
    options: queueing::NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Replications, CommandError> {
    let run = queueing::run(model, replications, on, options, watch);
    run.map_err(|error| CommandError::of_network(error, model))
}

/// The default number of steps of a series.
const STEPS: u32 = 100;

/// Replications up to which the heap, on 16 cores, ends before a GPU has begun: an H100 with kernels that are compiled already.
const FEW: u32 = 4096;

/// The same of long runs, in which the heap takes more than a second: 64 and 1,000 lines of 250 stations have 0.4 and 4 times its rate on an
/// H200 (CUDA, beside 16 cores).
const FEW_OF_LONG: u32 = 512;

/// The backend that suits replications of a network.
pub fn suits(model: &NetworkModel, replications: u32) -> Suits {
    suits_on(queueing::gpu::path(model, replications as usize), model, replications)
}

/// Whether a GPU is faster than the heap.
pub fn suits_a_gpu(model: &NetworkModel, replications: u32) -> bool {
    !matches!(suits(model, replications), Suits::Heap(_) | Suits::NoRounds { .. })
}

/// The same where a device would take this path.
fn suits_on(path: Result<DevicePath, QueueingError>, model: &NetworkModel, replications: u32) -> Suits {
    let synchronization = match path {
        Ok(DevicePath::EventByEvent) => return suits_a_thread_each(model, replications),
        Ok(DevicePath::Rounds(synchronization)) => synchronization,
        Err(QueueingError::Appointments { station, what }) => return Suits::NoRounds { station, what },
        Err(refusal @ QueueingError::Multiclass { .. }) => return Suits::Heap(refusal.to_string()),
        Err(_) => Synchronization::Window,
    };
    let events = queueing::gpu::events_per_round(model) * f64::from(replications);
    let own = events_of_a_core(model, replications);
    Suits::by_events(events, "network", by_synchronization(synchronization, own))
}

/// The most events that one core of the heap executes.
fn events_of_a_core(model: &NetworkModel, replications: u32) -> f64 {
    let own = replications.div_ceil(cores(None, replications as usize, 0, 0) as u32);
    model.events_per_unit() * model.until().units() * f64::from(own)
}

/// The backend that suits a network that runs event by event: a thread of a device has a replication.
fn suits_a_thread_each(model: &NetworkModel, replications: u32) -> Suits {
    let is_long = HEAP_EVENT * events_of_a_core(model, replications) > 1.0;
    let few = if is_long { FEW_OF_LONG } else { FEW };
    match queueing::gpu::check_a_thread_each(model) {
        Err(error) => Suits::Heap(error.to_string()),
        Ok(()) if replications < few => Suits::Heap(format!(
            "replications of this network run event by event, with a thread of a device each, which pays from {few} on: this run has \
             {replications}"
        )),
        Ok(()) => Suits::Replications,
    }
}

/// The backend that suits rounds of this kind, in a run with so many events for a core of the heap.
fn by_synchronization(synchronization: Synchronization, events: f64) -> Suits {
    match synchronization {
        Synchronization::Window => Suits::Rounds { events },
        Synchronization::Appointments | Synchronization::AppointmentsInTiles => Suits::Appointments,
    }
}

/// For appointments, how many stations had something to do in a round, and how far their times were apart.
fn method(appointments: Option<&AppointmentsReport>) -> Vec<String> {
    let told = |AppointmentsReport { working, drift }: &AppointmentsReport| {
        let percent = short(100.0 * working);
        format!("appointments: {percent} % of the stations at work in a round, up to {} apart", short(*drift))
    };
    appointments.map(told).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_pay_on_a_gpu_with_fewer_replications() {
        let suits = |until: f64, replications: u32| {
            let text = include_str!("../kernels/samples/stages.toml");
            let network = queueing::Network::from_toml(text).expect("a network").until(until).warmup(0.0);
            suits(&network.check().expect("a model"), replications)
        };
        assert!(matches!(suits(1.0, FEW - 1), Suits::Heap(why) if why.contains("from 4096 on")));
        assert!(matches!(suits(1e9, FEW_OF_LONG - 1), Suits::Heap(why) if why.contains("from 512 on")));
        assert!(matches!(suits(1.0, FEW), Suits::Replications));
        assert!(matches!(suits(1e9, FEW_OF_LONG), Suits::Replications));
    }
}
