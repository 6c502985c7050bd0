//! The interface of the command to a model. `run`, `compare` and `rerun`, JSON and text, progress and remarks are
//! written once
//! over [`Case`].
//!
//! A new model is one file in `cases/`: a struct of its arguments (options of clap that serde writes into the result and
//! reads again), a struct that holds the checked model, and its [`Case`]. One line in `CASES` there, beside its `mod`,
//! gives it its commands, and its page in docs/reference is made of these types.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::CommandError;
use super::arguments::DeviceArguments;
use super::backend::{Ready, Suits};
use super::inputs::InputFile;
use super::interrupt::Interrupt;
use super::memory::Room;
use super::output::OutputFile;
use super::page::Picture;
use super::progress::{TIME, Watcher};
use super::report::{Origin, RunReport};
use super::text::Table;
use super::version::{SCHEMA, VERSION};
use super::warning::Warning;
use tickless_core::memory;
pub use tickless_core::run::Wanted;
use tickless_core::run::{Difference, Digest, Run, RunMode, Snapshot, SnapshotWatch, Watch, WithoutSnapshots};
use tickless_device::{AdapterDescription, Target};
use tickless_queueing::{NetworkModel, NetworkOutcome};

/// A run of a case.
pub type RunOf<C> = Run<<C as Case>::Outcome, <C as Case>::Details>;

/// The result of a part of a run.
pub type PartOf<C> = Run<<C as Case>::Checkpoint, <C as Case>::Details>;
/// The state of a run that goes on.
pub type SnapshotOf<C> = Snapshot<<C as Case>::Checkpoint, <C as Case>::Details, CommandError>;

/// How much of a run a report has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The figures that comparisons show beside each other.
    Summary,
    /// Every list too, as of stations.
    Everything,
}

/// A model that is checked and ready to run, and how it is shown.
pub trait Case: Sized {
    /// The options of the model, of `run` and `compare`. They are `arguments` of the result, and all that a rerun needs:
    /// together with the files that they name they give the same bits again. Their values may come from a result that a
    /// user has changed, so [`Case::prepare`] repeats the checks of clap.
    type Arguments: Args + Clone + Serialize + DeserializeOwned + JsonSchema;
    /// Options that only a run has.
    type Options: Args + Default;
    /// The options of files that are written after a run, or after a comparison of its first run.
    type Files: Args + Default;
    /// The state of a run at its clock, from which another run goes on.
    type Checkpoint: Clone + Send + Sync + 'static;
    /// The results that equal runs share.
    type Outcome;
    /// Details of a run beside its outcome.
    type Details;
    /// The effective parameters: `parameters` of the result.
    type Parameters: Serialize + JsonSchema;
    /// The figures of a run: fields of the result beside those that every model has.
    type Figures: Serialize + JsonSchema;

    /// Its name on the command line and in results.
    const NAME: &'static str;
    /// The model in words, for the help: `a closed torus queueing network`.
    const ABOUT: &'static str;
    /// The events in words for people.
    const EVENTS: &'static str = "events";
    /// The unit of a run's clock.
    const CLOCK: &'static str = TIME;
    /// Whether the heap runs replications or searches side by side.
    const SIDE_BY_SIDE: bool = true;

    /// Reads the files that the arguments name and checks the model.
    ///
    /// # Errors
    /// A file that cannot be read; a value that is not allowed, with its name and the allowed values.
    fn prepare(arguments: Self::Arguments, options: &Self::Options, files: &Self::Files) -> Result<Self, CommandError>;

    /// The arguments that repeat the run: with every default, and with the findings of [`Case::pilot`] and [`Case::run`].
    fn arguments(&self) -> Self::Arguments;

    /// The files that were read, and that a rerun reads again.
    fn inputs(&self) -> &[InputFile] {
        &[]
    }

    /// The files that must not be written: those that were read.
    fn read_only(&self) -> Vec<&Path> {
        self.inputs().iter().map(|input| Path::new(&input.path)).collect()
    }

    /// `None` where nothing is drawn.
    fn seed(&self) -> Option<u64>;

    /// Warnings about models that can run but are probably not meant.
    fn remarks(&self) -> Vec<Warning> {
        vec![]
    }

    /// The backend that suits it.
    fn suits(&self) -> Suits;

    /// The same for a run that leaves checkpoints.
    fn suits_in_parts(&self) -> Suits {
        self.suits()
    }

    /// Refuses options that this backend does not have. Only a run calls it: a comparison has several backends, and a rerun
    /// may be on another one.
    ///
    /// # Errors
    /// [`CommandError::Usage`], which names the option.
    fn check_options(&self, _: &Ready) -> Result<(), CommandError> {
        Ok(())
    }

    /// Refuses a run that does not fit into memory.
    ///
    /// # Errors
    /// The memory that is needed.
    fn check_size(&self, room: &Room<'_>, wanted: Wanted) -> Result<(), CommandError>;

    /// Finds values that must be known before a run, and returns a remark on them. A rerun has them in its arguments.
    ///
    /// # Errors
    /// As the heap.
    fn pilot(&mut self, _: &mut dyn Watch) -> Result<Option<Warning>, CommandError> {
        Ok(None)
    }

    /// The file of [`Case::run`]'s `log`, by its option.
    fn log(_: &Self::Options) -> Option<(&'static str, &Path)> {
        None
    }

    /// Runs it from a checkpoint, or from time 0, until the watch stops it or to the horizon; if it can, it goes on while checkpoints are
    /// written. A backend that is asked for figures may leave out records. Only a run whose [`Case::log`] names a file gives one; what is
    /// wrong with that file does not end the run.
    ///
    /// # Errors
    /// As the backend.
    fn run(
        &mut self,
        mode: RunMode<'_, Arc<Self::Checkpoint>>,
        target: Target<'_>,
        log: Option<&mut OutputFile>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<PartOf<Self>, CommandError>;

    /// The records of a run that has ended or was interrupted there, as figures and digest cover them.
    fn outcome(&self, at: Self::Checkpoint) -> Self::Outcome;

    /// A remark after the run.
    fn afterwards(&self, _: &RunOf<Self>) -> Option<Warning> {
        None
    }

    fn digest(outcome: &Self::Outcome) -> Digest;

    /// The model and the outcomes of replications, of a network.
    fn network<'a>(&'a self, _: &'a Self::Outcome) -> Option<(&'a NetworkModel, &'a [NetworkOutcome])> {
        None
    }

    /// The first value that differs between two runs.
    fn difference(&self, first: &Self::Outcome, other: &Self::Outcome) -> Option<Difference>;

    /// The name of the entity of this number, if it has one.
    fn name_of(&self, _: usize) -> Option<String> {
        None
    }

    fn parameters(&self) -> Self::Parameters;
    fn figures(&self, run: &RunOf<Self>, extent: Extent) -> Self::Figures;
    /// Bytes of the lists in the figures, and of their copies for files, where they grow with the model.
    fn report_bytes(&self, _: &RunOf<Self>, _: Extent) -> u64 {
        0
    }
    /// The findings at the top of a report, line by line, each with a heading. A line without a heading continues the one
    /// before.
    fn answer(&self, _: &Self::Figures) -> Vec<(&'static str, String)> {
        vec![]
    }
    /// The pictures of a report beside its tables.
    fn pictures(&self, _: &RunOf<Self>, _: &Self::Figures) -> Vec<Picture> {
        vec![]
    }
    /// The contents of the files that the options ask for.
    fn files(files: &Self::Files) -> Vec<Written<'_, Self>>;

    /// The parameters for people.
    fn describe(&self, parameters: &Self::Parameters, table: &mut Table);
    /// How a device ran it, in lines for people.
    fn method(_: &Self::Figures) -> Vec<String> {
        vec![]
    }
    /// Where Ctrl-C came, and what the figures cover.
    fn interruption(&self, parameters: &Self::Parameters, run: &RunReport<Self::Figures>) -> String;
    /// The figures for people.
    fn tell(&self, run: &RunReport<Self::Figures>, table: &mut Table);
    /// A sketch beside the figures for a terminal of so many columns.
    fn sketch(&self, _: &RunOf<Self>, _columns: usize, _: &mut Table) {}
}

/// The clock of an interrupted run of one replication. The time is in full: with it as the horizon the run is the same.
pub fn interrupted_at(clock: f64, until: f64) -> String {
    format!("at time {clock} of {until}: the figures cover what happened before")
}

/// The function that writes the contents of a file, from the run and its figures.
pub type Contents<'a, C> =
    Box<dyn FnOnce(&C, &RunOf<C>, &<C as Case>::Figures, &mut dyn Write) -> Result<(), CommandError> + 'a>;

/// A file that an option asks for, and its contents after the run.
pub struct Written<'a, C: Case> {
    pub option: &'static str,
    pub path: &'a Path,
    pub contents: Contents<'a, C>,
}

impl<'a, C: Case> Written<'a, C> {
    /// The file of an option, if given.
    pub fn asked(
        option: &'static str,
        path: Option<&'a PathBuf>,
        contents: impl FnOnce(&C, &RunOf<C>, &C::Figures, &mut dyn Write) -> Result<(), CommandError> + 'a,
    ) -> Option<Self> {
        Some(Self { option, path: path?, contents: Box::new(contents) })
    }
}

/// The model and arguments of a result.
pub fn origin<C: Case>(case: &C) -> Origin<C::Arguments> {
    Origin {
        schema: SCHEMA,
        version: VERSION.into(),
        model: C::NAME.into(),
        seed: case.seed(),
        arguments: case.arguments(),
        inputs: case.inputs().to_vec(),
    }
}

/// Runs a case from its beginning to its end.
///
/// # Errors
/// As the backend.
pub fn run_whole<C: Case>(
    case: &mut C,
    (target, wanted): (Target<'_>, Wanted),
    log: Option<&mut OutputFile>,
    watch: &mut dyn Watch,
) -> Result<RunOf<C>, CommandError> {
    let run = case.run(RunMode { from: None, wanted }, target, log, &mut WithoutSnapshots(watch))?;
    Ok(run.map(|at| case.outcome(at)))
}

/// Runs the case, with a progress bar where somebody can see it. The set-up includes the opening of the adapter.
pub fn execute<C: Case>(
    case: &mut C,
    backend: &Ready,
    wanted: Wanted,
    log: Option<&mut OutputFile>,
    interrupt: &Interrupt,
) -> Result<RunOf<C>, CommandError> {
    let mut watcher = Watcher::new(backend.name(), C::EVENTS, C::CLOCK, interrupt);
    let mut run = run_whole(case, (backend.target(), wanted), log, &mut watcher)?;
    // A run of few events may end before it checks for Ctrl-C.
    interrupt.watched();
    run.setup += backend.opening();
    Ok(run)
}

/// Refuses threads for what is sequential.
pub fn check_threads<C: Case>(device: &DeviceArguments) -> Result<(), CommandError> {
    if device.threads.is_none() || C::SIDE_BY_SIDE {
        return Ok(());
    }
    let message = format!(
        "--threads is for replications and searches side by side, and {} on the heap is one run on one core: leave it out",
        C::NAME
    );
    Err(CommandError::Usage { message })
}

/// The report of one backend's run, on an adapter or not.
///
/// # Errors
/// A report that does not fit into memory.
pub fn report<C: Case>(
    case: &C,
    (backend, adapter): (&str, Option<&AdapterDescription>),
    run: &RunOf<C>,
    extent: Extent,
) -> Result<RunReport<C::Figures>, CommandError> {
    memory::room_of(case.report_bytes(run, extent), "the lists of the report")?;
    Ok(RunReport {
        backend: backend.into(),
        adapter: adapter.cloned(),
        threads: run.threads.map(|threads| threads as u64),
        ranks: None,
        events: run.events,
        rounds: run.rounds,
        clock: run.clock.units(),
        wall_seconds: run.wall.as_secs_f64(),
        setup_seconds: run.setup.as_secs_f64(),
        device_seconds: run.device.map(|time| time.as_secs_f64()),
        events_per_second: run.events_per_second(),
        figures: case.figures(run, extent),
        digest: C::digest(&run.outcome).to_string(),
        interrupted: run.interrupted,
    })
}

/// A case of these words.
#[cfg(test)]
pub fn prepared<C: Case<Options: Default, Files: Default>>(words: &str) -> C {
    let command = <C::Arguments as Args>::augment_args(clap::Command::new("case").no_binary_name(true));
    let matches = command.try_get_matches_from(words.split_whitespace()).unwrap();
    C::prepare(super::arguments::parsed(&matches).unwrap(), &Default::default(), &Default::default()).unwrap()
}
