//! `tickless experiment`: the points of a network file that varies some of its numbers.

mod arguments;
pub mod grid;
pub mod lines;
pub mod pictures;
pub mod report;
mod resumption;
pub mod text;

use std::path::Path;

use super::network;
use crate::CommandError;
use crate::arguments::Nothing;
use crate::backend::Suits;
use crate::case::{Case, Extent, RunOf, Wanted, Written};
use crate::memory::{self, Room};
use crate::output::{OutputFile, write_csv};
use crate::page::Picture;
use crate::report::RunReport;
use crate::text::{Table, grouped};
use crate::warning::Warning;
use arguments::{ExperimentArguments, ExperimentFiles};
use report::{ExperimentFigures, ExperimentParameters};
use tickless_core::run::{Difference, Digest, Run, Watch};
use tickless_device::Target;
use tickless_experiments::{self as experiments, Experiment, ExperimentOutcome, Factor, Measure};
use tickless_queueing::gpu::{self, DevicePath};
use tickless_queueing::{MOST_TOGETHER, NetworkOptions};

/// An experiment that is to run.
pub struct ExperimentCase {
    arguments: ExperimentArguments,
    experiment: Experiment,
}

impl Case for ExperimentCase {
    type Arguments = ExperimentArguments;
    type Options = Nothing;
    type Files = ExperimentFiles;
    type Outcome = ExperimentOutcome;
    type Details = ();
    type Parameters = ExperimentParameters;
    type Figures = ExperimentFigures;

    const NAME: &'static str = "experiment";
    const ABOUT: &'static str = "a queueing network at many points, as the table [experiment] of its file says";

    fn prepare(mut arguments: ExperimentArguments, _: &Nothing, _: &ExperimentFiles) -> Result<Self, CommandError> {
        let experiment = arguments.experiment()?;
        Ok(Self { arguments, experiment })
    }

    fn arguments(&self) -> ExperimentArguments {
        self.arguments.clone()
    }

    /// Its text is among the arguments, so that a rerun does not read it.
    fn read_only(&self) -> Vec<&Path> {
        vec![self.arguments.file()]
    }

    fn seed(&self) -> Option<u64> {
        Some(self.experiment.points()[0].model.seed())
    }

    fn remarks(&self) -> Vec<Warning> {
        let mut all = vec![];
        for (number, point) in (1..).zip(self.experiment.points()) {
            for warning in point.model.warnings() {
                let about = format!("point {number} ({}): {warning}", self.experiment.shown(number - 1));
                all.push(Warning::Model { about });
            }
        }
        let more = all.len().saturating_sub(MOST_REMARKS);
        all.truncate(MOST_REMARKS);
        if more > 0 {
            all.push(Warning::Model {
                about: format!("and {} more of its kind at other points", grouped(more as u64)),
            });
        }
        all
    }

    fn suits(&self) -> Suits {
        network::suits(&self.experiment.points()[0].model, self.at_once())
    }

    fn check_size(&self, room: &Room<'_>, _: Wanted) -> Result<(), CommandError> {
        let models = self.experiment.points().iter().map(|point| &point.model);
        let largest = models.max_by_key(|model| (model.stations(), model.tokens()));
        let at_once = if room.adapter.is_some() { self.at_once() } else { self.experiment.replications() };
        largest.map_or(Ok(()), |model| memory::check_network(model, at_once, room.kind(), room.available()))
    }

    fn run(
        &mut self,
        target: Target<'_>,
        _: Wanted,
        _: Option<&mut OutputFile>,
        watch: &mut dyn Watch,
    ) -> Result<Run<ExperimentOutcome>, CommandError> {
        Ok(experiments::run(&self.experiment, target, NetworkOptions::default(), watch)?)
    }

    fn digest(outcome: &ExperimentOutcome) -> Digest {
        outcome.digest()
    }

    fn difference(&self, first: &ExperimentOutcome, other: &ExperimentOutcome) -> Option<Difference> {
        first.first_difference(other)
    }

    fn name_of(&self, point: usize) -> Option<String> {
        let place = point.checked_sub(1).filter(|place| *place < self.experiment.points().len())?;
        Some(self.experiment.shown(place))
    }

    fn parameters(&self) -> ExperimentParameters {
        ExperimentParameters::new(&self.experiment)
    }

    fn figures(&self, run: &RunOf<Self>, _: Extent) -> ExperimentFigures {
        ExperimentFigures::new(&self.experiment, &run.outcome)
    }

    fn pictures(&self, run: &RunOf<Self>, figures: &ExperimentFigures) -> Vec<Picture> {
        pictures::all(&self.experiment, &run.outcome, figures)
    }

    fn files(files: &ExperimentFiles) -> Vec<Written<'_, Self>> {
        let points = Written::asked("--points", files.points.as_ref(), |case: &Self, _, figures, out| {
            write_csv(out, lines::points((&case.factors(), &case.measures()), &figures.points))
        });
        points.into_iter().collect()
    }

    fn describe(&self, parameters: &ExperimentParameters, table: &mut Table) {
        text::describe(self.arguments.file(), parameters, table);
    }

    fn interruption(&self, parameters: &ExperimentParameters, run: &RunReport<ExperimentFigures>) -> String {
        let done = grouped(run.figures.points.len() as u64);
        format!("after {done} of {} points: the figures cover those", grouped(parameters.points as u64))
    }

    fn tell(&self, run: &RunReport<ExperimentFigures>, table: &mut Table) {
        text::tell(&self.experiment, (&self.factors(), &self.measures()), &run.figures, table);
    }
}

impl ExperimentCase {
    /// The paths of what is varied.
    fn factors(&self) -> Vec<&str> {
        self.experiment.factors().iter().map(Factor::name).collect()
    }

    /// The paths of what is measured.
    fn measures(&self) -> Vec<&str> {
        self.experiment.measures().iter().map(Measure::name).collect()
    }

    /// How many replications a device runs together.
    fn at_once(&self) -> u32 {
        let (points, each) = (self.experiment.points(), self.experiment.replications());
        let together = each.saturating_mul(points.len() as u32).min(MOST_TOGETHER as u32).max(each);
        let path = gpu::path(&points[0].model, each as usize);
        if path == Ok(DevicePath::EventByEvent) { together } else { each }
    }
}

/// Remarks on points that are told one by one.
const MOST_REMARKS: usize = 5;
