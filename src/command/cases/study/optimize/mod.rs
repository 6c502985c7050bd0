//! `tickless optimize`: the best values of some keys of a network file.

mod report;
mod text;

use std::path::Path;
use std::sync::Arc;

use super::arguments::{OptimizeArguments, PointsFile};
use super::text::describe_file;
use super::written;
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
use report::{OptimizeFigures, OptimizeParameters, grid_of};
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::run::{Difference, Digest, RunMode, SnapshotWatch};
use tickless_device::Target;
use tickless_experiments::arrays_of;
use tickless_experiments::optimization::{Optimization, OptimizationOutcome, run_from};
use tickless_queueing::NetworkOptions;

/// An optimization that is to run.
pub struct OptimizeCase {
    arguments: OptimizeArguments,
    optimization: Optimization,
}

impl Case for OptimizeCase {
    type Arguments = OptimizeArguments;
    type Options = Nothing;
    type Files = PointsFile;
    type Checkpoint = OptimizationOutcome;
    type Outcome = OptimizationOutcome;
    type Details = ();
    type Parameters = OptimizeParameters;
    type Figures = OptimizeFigures;

    const NAME: &'static str = "optimize";
    const ABOUT: &'static str =
        "a search for the best numbers of a queueing network, as the table [optimize] of its file says";

    fn prepare(mut arguments: OptimizeArguments, _: &Nothing, _: &PointsFile) -> Result<Self, CommandError> {
        let optimization = arguments.optimization()?;
        Ok(Self { arguments, optimization })
    }

    fn arguments(&self) -> OptimizeArguments {
        self.arguments.clone()
    }

    /// The text of the file is among the arguments, so that a rerun does not read it.
    fn read_only(&self) -> Vec<&Path> {
        vec![self.arguments.file()]
    }

    fn seed(&self) -> Option<u64> {
        Some(self.optimization.model().seed())
    }

    fn remarks(&self) -> Vec<Warning> {
        let warnings = self.optimization.model().warnings();
        warnings.iter().map(|warning| Warning::Model { about: format!("the first point: {warning}") }).collect()
    }

    fn suits(&self) -> Suits {
        network::suits(self.optimization.model(), self.at_once())
    }

    fn check_size(&self, room: &Room<'_>, _: Wanted) -> Result<(), CommandError> {
        let each = self.optimization.settings().replications;
        let at_once = if room.adapter.is_some() { self.at_once() } else { each };
        memory::check_network(self.optimization.largest_model(), at_once, room.kind(), room.available())
    }

    fn run(
        &mut self,
        mode: RunMode<'_, Arc<OptimizationOutcome>>,
        target: Target<'_>,
        _: Option<&mut OutputFile>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<PartOf<Self>, CommandError> {
        Ok(run_from(&self.optimization, mode.unshared().from, target, NetworkOptions::default(), watch)?)
    }

    fn outcome(&self, at: OptimizationOutcome) -> OptimizationOutcome {
        at.ended(&self.optimization)
    }

    fn digest(outcome: &OptimizationOutcome) -> Digest {
        outcome.digest()
    }

    fn difference(&self, first: &OptimizationOutcome, other: &OptimizationOutcome) -> Option<Difference> {
        first.first_difference(other)
    }

    fn parameters(&self) -> OptimizeParameters {
        OptimizeParameters::new((&self.optimization, &grid_of(&self.optimization, &OptimizationOutcome::default())))
    }

    fn figures(&self, run: &RunOf<Self>, _: Extent) -> OptimizeFigures {
        OptimizeFigures::new(&self.optimization, &run.outcome)
    }

    fn answer(&self, figures: &OptimizeFigures) -> Vec<(&'static str, String)> {
        text::answer(&self.optimization, figures)
    }

    fn pictures(&self, _: &RunOf<Self>, figures: &OptimizeFigures) -> Vec<Picture> {
        figures.pictures(&self.optimization)
    }

    fn files(files: &PointsFile) -> Vec<Written<'_, Self>> {
        written(files)
    }

    fn describe(&self, parameters: &OptimizeParameters, table: &mut Table) {
        describe_file(self.arguments.file(), table);
        text::describe(parameters, table);
    }

    fn interruption(&self, parameters: &OptimizeParameters, run: &RunReport<OptimizeFigures>) -> String {
        let done = grouped(run.figures.statistics.replications);
        let most = grouped(parameters.settings.max_replications);
        format!("after {done} of at most {most} replications: the figures cover those")
    }

    fn tell(&self, run: &RunReport<OptimizeFigures>, table: &mut Table) {
        text::tell(&self.optimization, &run.figures, table);
    }
}

/// A checkpoint has the replications that have ended.
impl Resumable for OptimizeCase {
    type Counts = ();

    fn arrays(at: &OptimizationOutcome) -> Result<Arrays, ArchiveError> {
        arrays_of(&at.points)
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<OptimizationOutcome, ArchiveError> {
        OptimizationOutcome::from_arrays(&self.optimization, arrays)
    }
}

impl OptimizeCase {
    /// The number of replications in a stage; later stages, which may have many, run in groups.
    fn at_once(&self) -> u32 {
        let settings = self.optimization.settings();
        let stage = settings.together.saturating_mul(settings.replications).saturating_mul(2);
        stage.min(u32::try_from(settings.max_replications).unwrap_or(u32::MAX))
    }
}
