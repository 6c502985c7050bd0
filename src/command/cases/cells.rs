//! The common part of `tickless cells fire`, `watershed` and `rules`: a kind of cells is a case.

use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::CommandError;
use crate::backend::Suits;
use crate::case::{Case, Extent, RunOf, SnapshotOf, Wanted, Written, interrupted_at};
use crate::checkpoint::{OverRanks, Resumable};
use crate::figures::Declared;
use crate::inputs::InputFile;
use crate::memory::{self, Room};
use crate::output::OutputFile;
use crate::page::Picture;
use crate::report::RunReport;
use crate::text::{Table, counted_from, grouped, short};
use crate::warning::Warning;
use tickless_cells::gpu::CellOptions;
use tickless_cells::log::{CellLog, LogHead, LogWord, LogWriter};
use tickless_cells::{Bands, Border, Cell, CellError, CellModel as _, CellOutcome, Checkpoint, ReadyCells};
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::memory::NoMemory;
use tickless_core::ranks::Ranks;
use tickless_core::run::{Difference, Digest, Run, RunMode, SnapshotWatch, Watch};
use tickless_core::time::Time;
use tickless_device::{On, Target};

/// A kind of cells: its model, and how it is shown.
pub trait CellCase: Sized + 'static {
    type Model: ReadyCells;
    type Arguments: Args + Clone + Serialize + DeserializeOwned + JsonSchema;
    type Files: Args + Default;
    /// The effective parameters, beside those of the space.
    type Parameters: Declared + Serialize + JsonSchema;
    /// The figures of a run.
    type Statistics: Declared + Serialize + JsonSchema;

    const NAME: &'static str;
    const ABOUT: &'static str;

    /// The model, checked and [prepared](tickless_cells::CellModel::prepared) for its replications.
    ///
    /// # Errors
    /// [`CommandError`].
    fn prepare(arguments: Self::Arguments, files: &Self::Files) -> Result<Self, CommandError>;
    fn model(&self) -> &Self::Model;
    fn arguments(&self) -> &Self::Arguments;
    /// The files from which it was read.
    fn inputs(&self) -> &[InputFile];
    fn seed(&self) -> Option<u64>;
    /// The replications that run.
    fn numbers(&self) -> Range<u32> {
        0..1
    }
    /// How many neighbours a cell has.
    fn neighbours(&self) -> usize {
        self.model().space().offsets().len()
    }
    /// Layers into which the planes of the space are cut.
    fn layers(&self) -> u32 {
        1
    }
    /// Bytes of the model on a device, beside its cells.
    fn buffers(&self) -> u64 {
        0
    }
    /// Warnings about models that can run but are probably not meant.
    fn remarks(&self) -> Vec<String> {
        vec![]
    }
    /// A warning about what a run gave.
    fn afterwards(&self, _: &CellOutcome) -> Option<String> {
        None
    }
    /// Changes the limit that has ended a run, so that it may begin again; returns whether it has done so.
    fn grow(&mut self, _: &CellError) -> bool {
        false
    }

    /// A checkpoint from before the model has grown, in the form of the larger model; `None` if the form is the same.
    ///
    /// # Errors
    /// Too little memory.
    fn grown(&self, _: &Checkpoint) -> Result<Option<Checkpoint>, NoMemory> {
        Ok(None)
    }

    /// Writes limits that a run has found into the arguments.
    fn found(&self, _: &mut Value) {}
    /// The meaning of the words of an output.
    fn words(&self) -> Vec<LogWord>;
    fn parameters(&self) -> Self::Parameters;
    /// The figures of a run that is complete up to `clock`.
    fn statistics(&self, outcome: &CellOutcome, clock: Time) -> Self::Statistics;
    /// The pictures of a report beside its tables.
    fn pictures(&self, _: &CellOutcome) -> Vec<Picture> {
        vec![]
    }
    /// The contents of the files that the options ask for.
    fn files(files: &<Self as CellCase>::Files) -> Vec<Written<'_, Self>>;
}

/// An option that only a run has.
#[derive(Debug, Default, Args)]
pub struct CellRunOptions {
    /// Also write everything that cells send to this file, in a compact form; `tickless cells log FILE` makes a CSV file of it
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with = "checkpoint")]
    log: Option<PathBuf>,
}

/// The cells and their coupling, and what their kind adds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CellParameters<P> {
    /// Columns.
    width: u32,
    /// Rows.
    height: u32,
    /// Planes.
    depth: u32,
    /// Of a rule file of four dimensions, how many layers of so many planes there are; left out where there is 1.
    #[serde(skip_serializing_if = "is_one")]
    layers: u32,
    /// Their product.
    cells: u32,
    /// `open` or `wrapped`.
    border: &'static str,
    /// Offsets of the neighbourhood, without the cell itself.
    neighbours: usize,
    /// The least time from an input to an output that it causes; 0 where a device takes one instant a round.
    lookahead: f64,
    /// The horizon: minutes of a fire, seconds of a watershed, milliseconds of a rule file, as all times without another unit.
    until: f64,
    /// The number of the first replication: 0, or of fires the A of `--replications A..B`.
    first_replication: u32,
    /// How many were asked.
    replications: u32,
    #[serde(flatten)]
    kind: P,
}

fn is_one(number: &u32) -> bool {
    *number == 1
}

/// What a run gave. An interrupted one covers fewer replications than were asked.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CellFigures<S> {
    /// How many the figures cover: those that are finished, of an interrupted run.
    replications: u32,
    /// How many of the `events` (transitions: internal, external and confluent) were those of cells whose own event it was: internal and
    /// confluent.
    imminent: u64,
    /// The figures of the model.
    statistics: S,
}

impl<K: CellCase> Case for K {
    type Arguments = K::Arguments;
    type Options = CellRunOptions;
    type Files = K::Files;
    type Checkpoint = Checkpoint;
    type Outcome = CellOutcome;
    type Details = ();
    type Parameters = CellParameters<K::Parameters>;
    type Figures = CellFigures<K::Statistics>;

    const NAME: &'static str = K::NAME;
    const ABOUT: &'static str = K::ABOUT;
    const EVENTS: &'static str = "transitions";

    fn prepare(arguments: K::Arguments, _: &CellRunOptions, files: &K::Files) -> Result<Self, CommandError> {
        K::prepare(arguments, files)
    }

    fn arguments(&self) -> K::Arguments {
        CellCase::arguments(self).clone()
    }

    fn inputs(&self) -> &[InputFile] {
        CellCase::inputs(self)
    }

    fn seed(&self) -> Option<u64> {
        CellCase::seed(self)
    }

    fn remarks(&self) -> Vec<Warning> {
        CellCase::remarks(self).into_iter().map(|about| Warning::Model { about }).collect()
    }

    fn afterwards(&self, run: &RunOf<Self>) -> Option<Warning> {
        CellCase::afterwards(self, &run.outcome).map(|about| Warning::Model { about })
    }

    fn suits(&self) -> Suits {
        Suits::Cells
    }

    fn check_size(&self, room: &Room<'_>, wanted: Wanted) -> Result<(), CommandError> {
        let replications = self.numbers().len() as u32;
        let checkpoint = memory::of_cell_checkpoint(self.model(), replications);
        let available = memory::beside(checkpoint, wanted, room.available());
        memory::check_cells((self.model(), replications), self.buffers(), wanted, room.kind(), available)
    }

    fn log(options: &CellRunOptions) -> Option<(&'static str, &Path)> {
        options.log.as_deref().map(|path| ("--log", path))
    }

    fn run(
        &mut self,
        mode: RunMode<'_, Arc<Checkpoint>>,
        target: Target<'_>,
        log: Option<&mut OutputFile>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<Run<Checkpoint>, CommandError> {
        growing(self, mode.unshared(), target.into(), log, watch)
    }

    fn outcome(&self, at: Checkpoint) -> CellOutcome {
        at.outcome
    }

    fn digest(outcome: &CellOutcome) -> Digest {
        outcome.digest()
    }

    fn difference(&self, first: &CellOutcome, other: &CellOutcome) -> Option<Difference> {
        first.first_difference(other)
    }

    fn parameters(&self) -> Self::Parameters {
        let (model, space) = (self.model(), self.model().space());
        let ([width, height, planes], layers, numbers) = (space.size(), self.layers(), self.numbers());
        CellParameters {
            width,
            height,
            depth: planes / layers,
            layers,
            cells: space.cells(),
            border: match space.border() {
                Border::Open => "open",
                Border::Wrapped => "wrapped",
            },
            neighbours: self.neighbours(),
            lookahead: model.lookahead().units(),
            until: model.until().units(),
            first_replication: numbers.start,
            replications: numbers.len() as u32,
            kind: CellCase::parameters(self),
        }
    }

    fn figures(&self, run: &RunOf<Self>, _: Extent) -> Self::Figures {
        let CellOutcome { replications, imminent, .. } = run.outcome;
        CellFigures { replications, imminent, statistics: self.statistics(&run.outcome, run.clock) }
    }

    fn pictures(&self, run: &RunOf<Self>, _: &Self::Figures) -> Vec<Picture> {
        CellCase::pictures(self, &run.outcome)
    }

    fn files(files: &K::Files) -> Vec<Written<'_, Self>> {
        <K as CellCase>::files(files)
    }

    fn describe(&self, parameters: &Self::Parameters, table: &mut Table) {
        let CellParameters { width, height, depth, layers, cells, border, lookahead, replications, .. } = *parameters;
        let size = match [depth, layers] {
            [1, 1] => format!("{width} x {height}"),
            [_, 1] => format!("{width} x {height} x {depth}"),
            _ => format!("{width} x {height} x {depth} x {layers}"),
        };
        table.row("space", format!("{size} = {} cells, {border} border", grouped(cells.into())));
        parameters.kind.tell(table);
        table.row("until", parameters.until.to_string());
        let ties = if lookahead == 0.0 { ": a round holds the cells of one instant" } else { "" };
        table.row("lookahead", format!("{}{ties}", short(lookahead)));
        let first = parameters.first_replication;
        if replications > 1 || first > 0 {
            table.row("replications", counted_from(replications.into(), first));
        }
    }

    fn interruption(&self, parameters: &Self::Parameters, run: &RunReport<Self::Figures>) -> String {
        if parameters.replications == 1 {
            return interrupted_at(run.clock, parameters.until);
        }
        let [whole, all] = [run.figures.replications, parameters.replications].map(|count| grouped(count.into()));
        format!("after {whole} of {all} replications, which the figures cover up to time {}", run.clock)
    }

    fn tell(&self, run: &RunReport<Self::Figures>, table: &mut Table) {
        table.row("imminent", format!("{} transitions by the cell's own time", grouped(run.figures.imminent)));
        run.figures.statistics.tell(table);
    }
}

impl<K: CellCase> Resumable for K {
    type Counts = ();

    fn found(&self, arguments: &mut Value) {
        CellCase::found(self, arguments);
    }

    fn arrays(at: &Checkpoint) -> Result<Arrays, ArchiveError> {
        at.arrays()
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<Checkpoint, ArchiveError> {
        Checkpoint::from_arrays(self.model(), self.numbers(), arrays)
    }
}

impl<K: CellCase> OverRanks for K {
    fn run_over(
        &mut self,
        mode: RunMode<'_, Checkpoint>,
        ranks: Ranks<'_>,
        log: Option<&mut OutputFile>,
        watch: &mut dyn Watch,
    ) -> Result<Run<Checkpoint>, CommandError> {
        growing(self, mode, ranks.into(), log, watch)
    }
}

/// Runs a kind of cells, and again with a model that has grown where it has to.
fn growing<K: CellCase>(
    kind: &mut K,
    mode: RunMode<'_, Checkpoint>,
    mut on: On<'_, Bands>,
    mut log: Option<&mut OutputFile>,
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint>, CommandError> {
    loop {
        let grown = mode.from.map(|from| kind.grown(from)).transpose()?.flatten();
        let mode = RunMode { from: grown.as_ref().or(mode.from), ..mode };
        let figures_only = mode.wanted == Wanted::Figures && log.is_none();
        // Ranks in other processes do not hear of it: they need the room that is given.
        let (again, may_grow) = match &mut on {
            On::Target(target) => (On::Target(*target), true),
            On::Ranks(ranks, _) => {
                let are_threads = matches!(ranks, Ranks::Threads(_));
                (On::Ranks(ranks.again(), None), are_threads)
            }
        };
        let run = logged(kind, log.as_deref_mut(), |log| {
            let options = CellOptions { figures_only, log, ..CellOptions::default() };
            kind.model().run(kind.numbers(), mode, again, options, watch)
        });
        match run {
            Err(error) if may_grow && kind.grow(&error) => {}
            run => return Ok(run?),
        }
    }
}

/// The log of a run on its way into a file, or the error of the file. The run goes on without its log.
struct Open<W>(io::Result<LogWriter<W>>);

impl<W: Write + Send> CellLog for Open<W> {
    fn sent(&mut self, cell: Cell, time: Time, output: &[u32]) -> io::Result<()> {
        if let Ok(writer) = &mut self.0
            && let Err(error) = writer.sent(cell, time, output)
        {
            self.0 = Err(error);
        }
        Ok(())
    }
}

impl<W: Write> Open<W> {
    /// Ends the log. A reader of a pipe that has gone away is no error.
    fn finish(self) -> Option<io::Error> {
        let ended = self.0.and_then(LogWriter::finish).and_then(|mut out| out.flush());
        ended.err().filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
    }
}

/// Runs a kind of cells and writes the log into its file, if it has one.
fn logged<K: CellCase, R>(
    kind: &K,
    file: Option<&mut OutputFile>,
    run: impl FnOnce(Option<&mut dyn CellLog>) -> Result<R, CellError>,
) -> Result<R, CellError> {
    let Some(file) = file else { return run(None) };
    let (model, words) = (kind.model(), kind.words());
    let head = LogHead {
        model: K::NAME.into(),
        size: model.space().size(),
        layers: kind.layers(),
        replications: kind.numbers().end,
        words,
    };
    let mut log = Open(file.begin().and_then(|out| LogWriter::new(out, &head)));
    let run = run(Some(&mut log))?;
    if let Some(error) = log.finish() {
        file.fail(error);
    }
    Ok(run)
}
