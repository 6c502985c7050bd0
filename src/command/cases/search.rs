//! `tickless search`: many cheapest paths on one grid.

mod arguments;
mod batch;
mod figures;
mod outputs;
mod resumption;

use std::sync::Arc;

use crate::CommandError;
use crate::arguments::Nothing;
use crate::backend::{Ready, Suits};
use crate::case::{Case, Extent, PartOf, RunOf, SnapshotOf, Wanted, Written};
use crate::figures::Declared;
use crate::inputs::InputFile;
use crate::memory::{self, Room};
use crate::output::OutputFile;
use crate::page::{Picture, picture_of};
use crate::report::RunReport;
use crate::text::{Table, counted, grouped};
use crate::warning::Warning;
use arguments::{SearchArguments, SearchFiles};
use batch::Batch;
use figures::{SearchFigures, SearchParameters};
use tickless_core::run::{Difference, Digest, Restartable, RunMode, SnapshotWatch};
use tickless_device::Target;
use tickless_pathfinding::{self as pathfinding, Outcome, SearchDetails};

/// Searches that are to run.
pub struct SearchCase {
    arguments: SearchArguments,
    batch: Batch,
    /// The searches of the picture.
    shown: Vec<usize>,
}

/// With fewer searches than this for each core the heap is faster than a GPU, which takes much longer for one search than
/// a core. The number is rough.
const FEW_A_CORE: usize = 64;

impl Case for SearchCase {
    type Arguments = SearchArguments;
    type Options = Nothing;
    type Files = SearchFiles;
    type Checkpoint = Outcome;
    type Outcome = Outcome;
    type Details = SearchDetails;
    type Parameters = SearchParameters;
    type Figures = SearchFigures;

    const NAME: &'static str = "search";
    const ABOUT: &'static str = "searches for cheapest paths on a grid";
    const EVENTS: &'static str = "expansions";
    const CLOCK: &'static str = "searches";

    fn prepare(mut arguments: SearchArguments, _: &Nothing, files: &SearchFiles) -> Result<Self, CommandError> {
        arguments.keep_paths |= files.need_paths();
        let batch = arguments.check()?;
        let shown = files.shown(batch.model.queries().len())?;
        Ok(Self { arguments, batch, shown })
    }

    fn arguments(&self) -> SearchArguments {
        self.arguments.clone()
    }

    fn inputs(&self) -> &[InputFile] {
        &self.batch.inputs
    }

    fn seed(&self) -> Option<u64> {
        let draws = self.arguments.map.is_none() || self.arguments.scenarios.is_none();
        draws.then_some(self.arguments.seed)
    }

    fn remarks(&self) -> Vec<Warning> {
        let (model, mut about) = (&self.batch.model, vec![]);
        let map = model.map();
        let blocked = |cell| !map.is_free(cell);
        if let Some(name) = &self.batch.other_map {
            let name = name.escape_debug();
            about.push(format!(
                "the scenarios are for a map '{name}', and --map has another name: it may not be theirs"
            ));
        }
        let none = model.queries().iter().filter(|query| blocked(query.start) || blocked(query.goal)).count();
        if none > 0 {
            let searches = counted(none as u64, "search");
            let [has, finds] = if none == 1 { ["has", "finds"] } else { ["have", "find"] };
            about.push(format!("{searches} {has} a start or a goal that is blocked, and {finds} no path"));
        }
        about.into_iter().map(|about| Warning::Model { about }).collect()
    }

    fn suits(&self) -> Suits {
        let searches = self.batch.model.queries().len();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        if searches >= FEW_A_CORE * cores {
            return Suits::Searches;
        }
        let cores = if cores == 1 { "a core".into() } else { format!("{cores} cores") };
        let searches = counted(searches as u64, "search");
        Suits::Heap(format!("{searches} are few, and {cores} of the processor are done with them sooner than a GPU"))
    }

    fn check_options(&self, backend: &Ready) -> Result<(), CommandError> {
        self.arguments.how.check_unused(backend.adapter().is_some())
    }

    fn check_size(&self, room: &Room<'_>, wanted: Wanted) -> Result<(), CommandError> {
        let checkpoint = memory::of_search_checkpoint(&self.batch.model);
        let available = memory::beside(checkpoint, wanted, room.available());
        memory::check_searches(&self.batch.model, &self.arguments.how.options(), room.adapter, available)
    }

    fn run(
        &mut self,
        mode: RunMode<'_, Arc<Outcome>>,
        target: Target<'_>,
        _: Option<&mut OutputFile>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<PartOf<Self>, CommandError> {
        let rest = Restartable { model: &self.batch.model, from: mode.unshared().from };
        Ok(pathfinding::run(rest, target, self.arguments.how.options(), watch)?)
    }

    fn outcome(&self, at: Outcome) -> Outcome {
        at
    }

    fn digest(outcome: &Outcome) -> Digest {
        outcome.digest()
    }

    fn difference(&self, first: &Outcome, other: &Outcome) -> Option<Difference> {
        first.first_difference(other)
    }

    fn parameters(&self) -> SearchParameters {
        SearchParameters::new((&self.arguments, &self.batch))
    }

    fn figures(&self, run: &RunOf<Self>, _: Extent) -> SearchFigures {
        SearchFigures::new(self.batch.scenarios.as_deref(), run)
    }

    fn pictures(&self, run: &RunOf<Self>, _: &SearchFigures) -> Vec<Picture> {
        let shown = if self.shown.is_empty() { vec![0] } else { self.shown.clone() };
        let drawn = picture_of(|out| outputs::picture(&self.batch.model, &run.outcome, &shown, out));
        let numbers = shown.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        // Paths are there if they were asked for.
        let path = if run.outcome.paths.is_some() { ", and the path" } else { "" };
        let title = format!("Search {numbers}: cells that were looked at{path}");
        drawn.map(|drawing| Picture { about: format!("A map. {title}"), title, drawing }).into_iter().collect()
    }

    fn files(files: &SearchFiles) -> Vec<Written<'_, Self>> {
        let results = Written::asked("--results", files.results.as_ref(), |case: &Self, run, _, out| {
            outputs::results(case.batch.model.queries(), &run.outcome, out)
        });
        let paths = Written::asked("--paths", files.paths.as_ref(), |case: &Self, run, _, out| {
            run.outcome.write_paths(&case.batch.model, out).map_err(CommandError::Output)
        });
        let picture = Written::asked("--picture", files.picture.as_ref(), |case: &Self, run, _, out| {
            outputs::picture(&case.batch.model, &run.outcome, &case.shown, out)
        });
        [results, paths, picture].into_iter().flatten().collect()
    }

    fn describe(&self, parameters: &SearchParameters, table: &mut Table) {
        parameters.tell(table);
    }

    fn method(figures: &SearchFigures) -> Vec<String> {
        // How open cells were kept on a device.
        figures.pending_set.map(|set| format!("open cells of a search: {set}")).into_iter().collect()
    }

    fn interruption(&self, parameters: &SearchParameters, run: &RunReport<SearchFigures>) -> String {
        let figures = &run.figures.statistics;
        let ended = grouped(figures.found + figures.no_path);
        format!("after {ended} of {} searches: the figures cover those", grouped(parameters.searches))
    }

    fn tell(&self, run: &RunReport<SearchFigures>, table: &mut Table) {
        let statistics = &run.figures.statistics;
        statistics.tell(table);
        statistics.lengths.iter().for_each(|lengths| lengths.tell(table));
    }
}
