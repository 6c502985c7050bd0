//! `tickless experiment phold` and the like: a model without a network file, at points that are made of its options. A model takes part
//! by [`Sweep`].

mod options;
mod outcome;
mod runs;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::PointsFile;
use super::effects::{EffectReport, InteractionReport};
use super::points::{Compared, FactorReport, Grid, GridFactor, PointReport, settings_of, texts};
use super::{Figures, pictures, text, written};
use crate::CommandError;
use crate::arguments::Nothing;
use crate::backend::{Ready, Suits};
use crate::case::{Case, Extent, PartOf, RunOf, SnapshotOf, Wanted, Written};
use crate::checkpoint::Resumable;
use crate::inputs::InputFile;
use crate::memory::Room;
use crate::output::OutputFile;
use crate::page::Picture;
use crate::report::RunReport;
use crate::text::{Table, counted};
use crate::warning::Warning;
use options::SweepArguments;
use outcome::SweepOutcome;
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::run::{Difference, Digest, RunMode, SnapshotWatch};
use tickless_device::Target;
use tickless_experiments::{Level, combinations};

/// A model whose options a sweep varies.
pub trait Sweep: Case<Arguments: Send + Sync, Details: Send> + Send + Sync + 'static {
    /// The name of the sweep in results: `experiment`, and the word of the command.
    const SWEEP: &'static str;
}

/// Runs of a model at many points.
pub struct SweepCase<C: Sweep> {
    arguments: SweepArguments<C::Arguments>,
    /// Runs of each point.
    seeds: u32,
    options: Vec<GridFactor>,
    /// The settings of each point.
    points: Vec<Vec<Level>>,
    /// The first point, ready to run.
    first: C,
    inputs: Vec<InputFile>,
    /// The number of runs at a time on the heap, and on a device; 0 while unknown, as every point must be prepared for it.
    fitting: [AtomicUsize; 2],
}

/// What ran.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SweepParameters {
    /// The options that are varied.
    pub factors: Vec<FactorReport>,
    /// How many there are.
    pub points: usize,
    /// Runs of each point.
    pub seeds: u32,
}

/// How much has run.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct SweepStatistics {
    /// Points that have ended.
    pub ended: usize,
}

/// What the runs gave.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SweepFigures {
    /// How much has run.
    pub statistics: SweepStatistics,
    /// The names of what was measured.
    pub measures: Vec<String>,
    /// Those that have ended; point 1 is the baseline.
    pub points: Vec<PointReport<Compared>>,
    /// How much larger each measure is with a value of an option than with its first one; `null` where points are missing.
    pub effects: Option<Vec<EffectReport>>,
    /// How much larger the effect of one option is beside a value of another one than beside that one's first value; `null` likewise.
    pub interactions: Option<Vec<InteractionReport>>,
    #[serde(skip)]
    grid: Grid,
}

impl Figures for SweepFigures {
    type Seen = Compared;

    fn points(&self) -> (&Grid, &[PointReport<Compared>]) {
        (&self.grid, &self.points)
    }
}

impl<C: Sweep> SweepCase<C> {
    /// The model of a point, with the seed of this number.
    fn case(&self, point: usize, seed: u32) -> Result<C, CommandError> {
        prepared(&self.arguments, &self.options, &self.points[point], seed)
    }

    /// A check of every point, up to the first error.
    fn of_points(&self, mut check: impl FnMut(&C) -> Result<(), CommandError>) -> Result<(), CommandError> {
        let mut one = |point: usize| check(&self.case(point, 0)?);
        (0..self.points.len()).try_for_each(|point| one(point).map_err(|error| self.at(point, error)))
    }

    /// An error with its point.
    fn at(&self, point: usize, error: CommandError) -> CommandError {
        at_point(&self.options, &self.points[point], point, error)
    }

    /// An error of a run, with its point and, if there are several, its seed.
    fn at_run(&self, run: u32, error: CommandError) -> CommandError {
        let (point, seed) = ((run / self.seeds) as usize, u64::from(run % self.seeds));
        let error = self.at(point, error);
        match (error, self.first.seed()) {
            (CommandError::AtPoint { number, settings, error }, Some(first)) if self.seeds > 1 => {
                let settings = format!("{settings}, seed = {}", first.wrapping_add(seed));
                CommandError::AtPoint { number, settings, error }
            }
            (error, _) => error,
        }
    }

    /// The factors and measures, and the measured values.
    fn grid(&self, outcome: &SweepOutcome) -> Grid {
        let ended = outcome.all.ended(self.seeds);
        let places = self.options.iter().map(|option| (0..option.levels.len()).collect()).collect::<Vec<_>>();
        let places = Some(combinations(&places)).filter(|places| places.len() == ended.len());
        Grid { places, ..Grid::new(self.options.clone(), outcome.measures.clone(), ended) }
    }
}

fn at_point(options: &[GridFactor], settings: &[Level], point: usize, error: CommandError) -> CommandError {
    CommandError::AtPoint { number: point + 1, settings: shown(options, settings), error: Box::new(error) }
}

fn shown(options: &[GridFactor], settings: &[Level]) -> String {
    settings_of(options, settings.iter().map(|level| &level.shown))
}

fn prepared<C: Sweep>(
    arguments: &SweepArguments<C::Arguments>,
    options: &[GridFactor],
    settings: &[Level],
    seed: u32,
) -> Result<C, CommandError> {
    let model = arguments.with(options, settings, seed, C::SWEEP)?;
    C::prepare(model, &C::Options::default(), &C::Files::default())
}

impl<C: Sweep> Case for SweepCase<C> {
    type Arguments = SweepArguments<C::Arguments>;
    type Options = Nothing;
    type Files = PointsFile;
    type Checkpoint = SweepOutcome;
    type Outcome = SweepOutcome;
    type Details = ();
    type Parameters = SweepParameters;
    type Figures = SweepFigures;

    const NAME: &'static str = C::SWEEP;
    const ABOUT: &'static str = C::ABOUT;
    const EVENTS: &'static str = C::EVENTS;
    const CLOCK: &'static str = "runs";

    fn prepare(mut arguments: Self::Arguments, _: &Nothing, _: &PointsFile) -> Result<Self, CommandError> {
        let options = arguments.options()?;
        let points = combinations(&options.iter().map(|option| option.levels.clone()).collect::<Vec<_>>());
        let prepared = |arguments: &_, point: usize| -> Result<C, CommandError> {
            let settings = &points[point];
            prepared(arguments, &options, settings, 0).map_err(|error| at_point(&options, settings, point, error))
        };
        let first = prepared(&arguments, 0)?;
        let seeds = arguments.settle_seeds(first.seed().is_some())?;
        let mut inputs = first.inputs().to_vec();
        for point in 1..points.len() {
            let case = prepared(&arguments, point)?;
            let new = case.inputs().iter().filter(|input| !inputs.contains(input)).cloned().collect::<Vec<_>>();
            inputs.extend(new);
        }
        Ok(Self { arguments, seeds, options, points, first, inputs, fitting: Default::default() })
    }

    fn arguments(&self) -> Self::Arguments {
        self.arguments.clone()
    }

    fn inputs(&self) -> &[InputFile] {
        &self.inputs
    }

    fn read_only(&self) -> Vec<&Path> {
        let inputs = self.inputs.iter().map(|input| Path::new(&input.path));
        inputs.chain(self.first.read_only()).collect()
    }

    fn seed(&self) -> Option<u64> {
        self.first.seed()
    }

    fn remarks(&self) -> Vec<Warning> {
        self.first.remarks()
    }

    fn suits(&self) -> Suits {
        self.first.suits()
    }

    fn check_options(&self, backend: &Ready) -> Result<(), CommandError> {
        self.of_points(|case| case.check_options(backend))
    }

    fn check_size(&self, room: &Room<'_>, _: Wanted) -> Result<(), CommandError> {
        // The known numbers are of the earlier backend.
        self.fitting.iter().for_each(|known| known.store(0, Ordering::Relaxed));
        self.of_points(|case| case.check_size(room, Wanted::Figures))
    }

    fn run(
        &mut self,
        mode: RunMode<'_, Arc<SweepOutcome>>,
        target: Target<'_>,
        _: Option<&mut OutputFile>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<PartOf<Self>, CommandError> {
        runs::go_on(self, mode.unshared().from.cloned().unwrap_or_default(), target, watch)
    }

    fn outcome(&self, at: SweepOutcome) -> SweepOutcome {
        SweepOutcome { all: at.all.only_ended(self.seeds), ..at }
    }

    fn digest(outcome: &SweepOutcome) -> Digest {
        outcome.all.digest()
    }

    fn difference(&self, first: &SweepOutcome, other: &SweepOutcome) -> Option<Difference> {
        first.first_difference(other)
    }

    fn name_of(&self, point: usize) -> Option<String> {
        Some(shown(&self.options, self.points.get(point.checked_sub(1)?)?))
    }

    fn parameters(&self) -> SweepParameters {
        let factors = self.options.iter().map(FactorReport::from).collect();
        SweepParameters { factors, points: self.points.len(), seeds: self.seeds }
    }

    fn figures(&self, run: &RunOf<Self>, _: Extent) -> SweepFigures {
        let (grid, ended) = (self.grid(&run.outcome), run.outcome.all.ended(self.seeds));
        SweepFigures {
            statistics: SweepStatistics { ended: ended.len() },
            measures: grid.measures.clone(),
            points: grid.compared(ended, |point| texts(&self.points[point])),
            effects: grid.effects(),
            interactions: grid.interactions(),
            grid,
        }
    }

    fn pictures(&self, _: &RunOf<Self>, figures: &SweepFigures) -> Vec<Picture> {
        pictures::of_measures(&figures.grid, figures.effects.as_deref(), &figures.points)
    }

    fn files(files: &PointsFile) -> Vec<Written<'_, Self>> {
        written(files)
    }

    fn describe(&self, parameters: &SweepParameters, table: &mut Table) {
        text::describe_factors(&parameters.factors, table);
        let points = counted(parameters.points as u64, "point");
        table.row("runs", format!("{points} with {} each", counted(parameters.seeds.into(), "seed")));
    }

    fn interruption(&self, parameters: &SweepParameters, run: &RunReport<SweepFigures>) -> String {
        text::interruption(run.figures.points.len(), parameters.points)
    }

    fn tell(&self, run: &RunReport<SweepFigures>, table: &mut Table) {
        let figures = &run.figures;
        text::points(&figures.grid, &figures.points, table);
        text::together(figures.effects.as_deref(), figures.interactions.as_deref(), table);
    }
}

/// A checkpoint has the runs that have ended.
impl<C: Sweep> Resumable for SweepCase<C> {
    type Counts = ();

    fn arrays(at: &SweepOutcome) -> Result<Arrays, ArchiveError> {
        at.arrays()
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<SweepOutcome, ArchiveError> {
        SweepOutcome::from_arrays(arrays, self.points.len(), self.seeds)
    }
}
