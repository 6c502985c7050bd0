//! `tickless experiment`: the points of a network file that varies some of its numbers.

mod report;

use std::path::Path;
use std::sync::Arc;

use super::arguments::{ExperimentArguments, PointsFile};
use super::{pictures, text, written};
use crate::CommandError;
use crate::arguments::Nothing;
use crate::backend::Suits;
use crate::case::{Case, Extent, PartOf, RunOf, SnapshotOf, Wanted, Written};
use crate::cases::network;
use crate::checkpoint::Resumable;
use crate::memory::{self, Room};
use crate::output::OutputFile;
use crate::page::Picture;
use crate::report::RunReport;
use crate::text::{Table, grouped};
use crate::warning::Warning;
use report::{ExperimentFigures, ExperimentParameters};
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::run::{Difference, Digest, RunMode, SnapshotWatch};
use tickless_device::Target;
use tickless_experiments::{Experiment, ExperimentOutcome, arrays_of, run_from};
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
    type Files = PointsFile;
    type Checkpoint = ExperimentOutcome;
    type Outcome = ExperimentOutcome;
    type Details = ();
    type Parameters = ExperimentParameters;
    type Figures = ExperimentFigures;

    const NAME: &'static str = "experiment";
    const ABOUT: &'static str = "a queueing network at many points, as the table [experiment] of its file says";

    fn prepare(mut arguments: ExperimentArguments, _: &Nothing, _: &PointsFile) -> Result<Self, CommandError> {
        let experiment = arguments.experiment()?;
        Ok(Self { arguments, experiment })
    }

    fn arguments(&self) -> ExperimentArguments {
        self.arguments.clone()
    }

    /// The text of the file is among the arguments, so that a rerun does not read it.
    fn read_only(&self) -> Vec<&Path> {
        vec![self.arguments.file()]
    }

    fn seed(&self) -> Option<u64> {
        Some(self.experiment.points()[0].model.seed())
    }

    fn remarks(&self) -> Vec<Warning> {
        let points = self.experiment.points();
        let mut kinds: Vec<(String, Vec<usize>)> = vec![];
        for (place, point) in points.iter().enumerate() {
            for said in point.model.warnings().iter().map(ToString::to_string) {
                match kinds.iter_mut().find(|(other, _)| *other == said) {
                    Some((_, places)) => places.push(place),
                    None => kinds.push((said, vec![place])),
                }
            }
        }
        let shown = |(said, places): (String, Vec<usize>)| match &places[..] {
            [place] => format!("point {} ({}): {said}", place + 1, self.experiment.shown(*place)),
            all if all.len() == points.len() => format!("at all points: {said}"),
            all => format!("at {} of {} points, from point {} on: {said}", all.len(), points.len(), all[0] + 1),
        };
        let mut all: Vec<String> = kinds.into_iter().map(shown).collect();
        let more = all.len().saturating_sub(MOST_REMARKS);
        all.truncate(MOST_REMARKS);
        all.extend((more > 0).then(|| format!("and {} more at other points", grouped(more as u64))));
        all.into_iter().map(|about| Warning::Model { about }).collect()
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
        mode: RunMode<'_, Arc<ExperimentOutcome>>,
        target: Target<'_>,
        _: Option<&mut OutputFile>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<PartOf<Self>, CommandError> {
        Ok(run_from(&self.experiment, mode.unshared().from, target, NetworkOptions::default(), watch)?)
    }

    fn outcome(&self, at: ExperimentOutcome) -> ExperimentOutcome {
        at.only_ended(self.experiment.replications())
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

    fn pictures(&self, _: &RunOf<Self>, figures: &ExperimentFigures) -> Vec<Picture> {
        let front = figures.picture_of_front(&self.experiment);
        let rest = pictures::of_measures(&figures.grid, figures.effects.as_deref(), &figures.points);
        front.into_iter().chain(rest).collect()
    }

    fn files(files: &PointsFile) -> Vec<Written<'_, Self>> {
        written(files)
    }

    fn describe(&self, parameters: &ExperimentParameters, table: &mut Table) {
        text::describe_file(self.arguments.file(), table);
        parameters.describe(table);
    }

    fn interruption(&self, parameters: &ExperimentParameters, run: &RunReport<ExperimentFigures>) -> String {
        text::interruption(run.figures.points.len(), parameters.points)
    }

    fn tell(&self, run: &RunReport<ExperimentFigures>, table: &mut Table) {
        run.figures.tell(&self.experiment, table);
    }
}

/// A checkpoint has the replications that have ended.
impl Resumable for ExperimentCase {
    type Counts = ();

    fn arrays(at: &ExperimentOutcome) -> Result<Arrays, ArchiveError> {
        arrays_of(&at.points)
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<ExperimentOutcome, ArchiveError> {
        ExperimentOutcome::from_arrays(&self.experiment, arrays)
    }
}

impl ExperimentCase {
    /// The number of replications that a device runs together.
    fn at_once(&self) -> u32 {
        let (points, each) = (self.experiment.points(), self.experiment.replications());
        let together = each.saturating_mul(points.len() as u32).min(MOST_TOGETHER as u32).max(each);
        let path = gpu::path(&points[0].model, each as usize);
        if path == Ok(DevicePath::EventByEvent) { together } else { each }
    }
}

/// The most points with remarks of their own.
const MOST_REMARKS: usize = 5;
