//! `tickless experiment phold` and its like: a model that is no network file, at many points that its options make. A model takes part by
//! [`Varied`].

mod arguments;
mod outcome;
mod report;
mod resumption;
mod runs;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::experiment::grid::{Grid, GridFactor, GridPoint};
use super::experiment::{lines, pictures, text};
use crate::CommandError;
use crate::arguments::Nothing;
use crate::backend::{Ready, Suits};
use crate::case::{Case, Extent, RunOf, Wanted, Written};
use crate::inputs::InputFile;
use crate::memory::Room;
use crate::output::{OutputFile, write_csv};
use crate::page::Picture;
use crate::report::RunReport;
use crate::text::{Table, counted, escaped, grouped};
use crate::warning::Warning;
use arguments::{VariedArguments, VariedFiles, VariedOption};
use outcome::VariedOutcome;
use report::{VariedFigures, VariedParameters};
use tickless_core::run::{Difference, Digest, Run, Watch};
use tickless_device::Target;
use tickless_experiments::{Level, Sample};

/// A model whose options an experiment varies.
pub trait Varied: Case<Arguments: Send + Sync> + Send + Sync + 'static {
    /// The name of the experiment in results: `experiment`, and the word of the command.
    const VARIED: &'static str;
}

/// Runs of a model at many points.
pub struct VariedCase<C: Varied> {
    arguments: VariedArguments<C::Arguments>,
    /// Runs of each point.
    seeds: u32,
    options: Vec<VariedOption>,
    /// The settings of each point.
    points: Vec<Vec<Level>>,
    /// The first point, ready to run.
    first: C,
    inputs: Vec<InputFile>,
    /// How many runs there are at a time on the heap, and on a device; 0 before that is known, for which every point is prepared.
    fitting: [AtomicUsize; 2],
}

impl<C: Varied> VariedCase<C> {
    /// The model of a point, with a seed by its number.
    fn case(&self, point: usize, seed: u32) -> Result<C, CommandError> {
        prepared(&self.arguments, &self.options, &self.points[point], seed)
    }

    /// Something of every point, until one is wrong.
    fn of_points(&self, mut check: impl FnMut(&C) -> Result<(), CommandError>) -> Result<(), CommandError> {
        let mut one = |point: usize| check(&self.case(point, 0)?);
        (0..self.points.len()).try_for_each(|point| one(point).map_err(|error| self.at(point, error)))
    }

    /// An error, with the point at which it came.
    fn at(&self, point: usize, error: CommandError) -> CommandError {
        at_point((&self.options, &self.points[point]), point, error)
    }

    /// An error of a run, with its point and, where there are several, its seed.
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

    fn grid(&self, outcome: &VariedOutcome) -> Grid {
        let factors = self.options.iter();
        let points = outcome.points.iter().zip(&self.points).map(|(ended, settings)| GridPoint {
            settings: settings.iter().map(|level| level.shown.clone()).collect(),
            replications: ended.digests.len(),
            digest: ended.digest().to_string(),
        });
        let samples =
            |measure: usize| outcome.points.iter().map(|point| Sample::of(&point.measured[measure])).collect();
        let place = |(option, level): (&VariedOption, &Level)| {
            option.levels.iter().position(|known| known == level).unwrap_or(0)
        };
        let places = self.points.iter().map(|point| self.options.iter().zip(point).map(place).collect()).collect();
        Grid {
            factors: factors.map(|one| GridFactor { name: one.name.clone(), levels: one.levels.clone() }).collect(),
            measures: outcome.measures.clone(),
            baseline: 0,
            points: points.collect(),
            samples: (0..outcome.measures.len()).map(samples).collect(),
            places: Some(places).filter(|_| outcome.points.len() == self.points.len()),
            numbers: None,
        }
    }
}

fn at_point((options, settings): (&[VariedOption], &[Level]), point: usize, error: CommandError) -> CommandError {
    CommandError::AtPoint { number: point + 1, settings: shown(options, settings), error: Box::new(error) }
}

fn shown(options: &[VariedOption], settings: &[Level]) -> String {
    let one = |(option, level): (&VariedOption, &Level)| format!("{} = {}", option.name, level.shown);
    options.iter().zip(settings).map(one).collect::<Vec<_>>().join(", ")
}

fn prepared<C: Varied>(
    arguments: &VariedArguments<C::Arguments>,
    options: &[VariedOption],
    settings: &[Level],
    seed: u32,
) -> Result<C, CommandError> {
    let settings: Vec<_> = options.iter().zip(settings).collect();
    C::prepare(arguments.with(&settings, seed, C::VARIED)?, &C::Options::default(), &C::Files::default())
}

impl<C: Varied> Case for VariedCase<C> {
    type Arguments = VariedArguments<C::Arguments>;
    type Options = Nothing;
    type Files = VariedFiles;
    type Outcome = VariedOutcome;
    type Details = ();
    type Parameters = VariedParameters;
    type Figures = VariedFigures;

    const NAME: &'static str = C::VARIED;
    const ABOUT: &'static str = C::ABOUT;
    const EVENTS: &'static str = C::EVENTS;
    const CLOCK: &'static str = "runs";

    fn prepare(mut arguments: Self::Arguments, _: &Nothing, _: &VariedFiles) -> Result<Self, CommandError> {
        let options = arguments.options()?;
        let points = options.iter().fold(vec![vec![]], |points: Vec<Vec<Level>>, option| {
            let with = |point: &Vec<Level>| {
                let point = point.clone();
                option.levels.iter().map(move |level| point.iter().cloned().chain([level.clone()]).collect())
            };
            points.iter().flat_map(with).collect()
        });
        let prepared = |arguments: &_, point: usize| -> Result<C, CommandError> {
            let settings = &points[point];
            prepared(arguments, &options, settings, 0).map_err(|error| at_point((&options, settings), point, error))
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
        // What is known is of a backend that was asked for before.
        self.fitting.iter().for_each(|known| known.store(0, Ordering::Relaxed));
        self.of_points(|case| case.check_size(room, Wanted::Figures))
    }

    fn run(
        &mut self,
        target: Target<'_>,
        _: Wanted,
        _: Option<&mut OutputFile>,
        watch: &mut dyn Watch,
    ) -> Result<Run<VariedOutcome>, CommandError> {
        runs::go_on(self, VariedOutcome::default(), target, watch)
    }

    fn digest(outcome: &VariedOutcome) -> Digest {
        outcome.digest()
    }

    fn difference(&self, first: &VariedOutcome, other: &VariedOutcome) -> Option<Difference> {
        first.first_difference(other)
    }

    fn name_of(&self, point: usize) -> Option<String> {
        Some(shown(&self.options, self.points.get(point.checked_sub(1)?)?))
    }

    fn parameters(&self) -> VariedParameters {
        VariedParameters::new(&self.options, self.points.len(), self.seeds)
    }

    fn figures(&self, run: &RunOf<Self>, _: Extent) -> VariedFigures {
        VariedFigures::new(&self.grid(&run.outcome))
    }

    fn pictures(&self, run: &RunOf<Self>, figures: &VariedFigures) -> Vec<Picture> {
        pictures::of_measures(&self.grid(&run.outcome), figures.effects.as_deref(), &figures.points)
    }

    fn files(files: &VariedFiles) -> Vec<Written<'_, Self>> {
        let points = Written::asked("--points", files.points.as_ref(), |case: &Self, _, figures, out| {
            write_csv(out, lines::points((&case.factors(), &figures.names()), &figures.points))
        });
        points.into_iter().collect()
    }

    fn describe(&self, parameters: &VariedParameters, table: &mut Table) {
        for factor in &parameters.factors {
            let levels = factor.levels.as_deref().map(text::listed).unwrap_or_default();
            table.row("factor", format!("{} of {levels}", escaped(&factor.factor)));
        }
        let points = counted(parameters.points as u64, "point");
        table.row("runs", format!("{points} with {} each", counted(parameters.seeds.into(), "seed")));
    }

    fn interruption(&self, parameters: &VariedParameters, run: &RunReport<VariedFigures>) -> String {
        let done = grouped(run.figures.points.len() as u64);
        format!("after {done} of {} points: the figures cover those", grouped(parameters.points as u64))
    }

    fn tell(&self, run: &RunReport<VariedFigures>, table: &mut Table) {
        let figures = &run.figures;
        text::points((&self.factors(), &figures.names()), 0, &figures.points, table);
        text::together(figures.effects.as_deref(), figures.interactions.as_deref(), table);
    }
}

impl<C: Varied> VariedCase<C> {
    fn factors(&self) -> Vec<&str> {
        self.options.iter().map(|option| option.name.as_str()).collect()
    }
}
