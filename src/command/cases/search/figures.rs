//! What results say of searches, in numbers and words.

use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::SearchArguments;
use super::batch::Batch;
use crate::text::{Table, counted, grouped, rate, short, three};
use tickless_core::run::Run;
use tickless_pathfinding::gpu::OpenList;
use tickless_pathfinding::{Outcome, Scenario, SearchDetails, SearchRecord, SearchStatistics};

/// The effective parameters.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchParameters {
    /// Columns of the map.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Cells that are not blocked.
    pub free_cells: u64,
    /// Of a free cell; 0 where none is free.
    pub least_cost: u8,
    /// Of a free cell; 0 where none is free.
    pub most_cost: u8,
    /// Whether the map is made up from the seed.
    pub made_up: bool,
    /// How many there are.
    pub searches: u64,
    /// Whether they are drawn from the seed.
    pub drawn: bool,
    /// `forbid` or `allow`.
    pub corners: &'static str,
    /// Cells that a search expands in a step.
    pub expand: u32,
    /// Whether paths are kept and count in the digest.
    pub keeps_paths: bool,
}

/// What a run gave.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchFigures {
    /// How a search kept its open cells on a device, a name of `--pending`; `null` on the heap.
    pub pending_set: Option<&'static str>,
    /// The figures of the searches.
    pub statistics: Statistics,
}

/// The figures of the searches.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Statistics {
    /// How many there are.
    pub searches: u64,
    /// Those with a path.
    pub found: u64,
    /// Those without one.
    pub no_path: u64,
    /// Those that an interruption came before.
    pub unfinished: u64,
    /// The mean cost of the paths, in moves over cells of cost 1; `null` where none was found.
    pub mean_cost: Option<f64>,
    /// Cells expanded by all searches.
    pub expansions: u64,
    /// By one that has ended, in the mean; `null` where none has.
    pub mean_expansions: Option<f64>,
    /// Searches that have ended, by `wall_seconds`.
    pub searches_per_second: f64,
    /// Costs beside the lengths of `--scenarios`; `null` without it.
    pub lengths: Option<Lengths>,
}

/// Costs beside the lengths of a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Lengths {
    /// Searches that have ended.
    pub compared: u64,
    /// Those whose cost is the length of the file, as docs/searches.md says.
    pub agreeing: u64,
    /// Of a cost and its length; `null` where nothing was compared.
    pub greatest_difference: Option<f64>,
}

impl SearchParameters {
    pub fn new(arguments: &SearchArguments, batch: &Batch) -> Self {
        let (model, map) = (&batch.model, batch.model.map());
        let costs = || map.costs().iter().copied().filter(|&cost| cost > 0);
        Self {
            width: map.width(),
            height: map.height(),
            free_cells: map.free_cells() as u64,
            least_cost: costs().min().unwrap_or(0),
            most_cost: costs().max().unwrap_or(0),
            made_up: arguments.map.is_none(),
            searches: model.queries().len() as u64,
            drawn: batch.scenarios.is_none(),
            corners: arguments.corners.name(),
            expand: model.expanded(),
            keeps_paths: model.keeps_paths(),
        }
    }

    /// Lines for people.
    pub fn describe(&self, table: &mut Table) {
        let Self { width, height, free_cells, least_cost, most_cost, .. } = *self;
        let origin = if self.made_up { "made up from the seed" } else { "of a file" };
        let free = format!("{} of {} cells free", grouped(free_cells), grouped(u64::from(width) * u64::from(height)));
        let costs = match (least_cost, most_cost) {
            (1, 1) | (0, 0) => String::new(),
            (least, most) if least == most => format!("\neach at a cost of {least}"),
            (least, most) => format!("\nat costs of {least} to {most}"),
        };
        table.row("map", format!("{width} x {height}, {origin}: {free}{costs}"));
        let corners = if self.corners == "allow" { "corners may be cut" } else { "no corner is cut" };
        table.row("moves", format!("to 8 neighbours; {corners}"));
        let drawn = if self.drawn { "drawn from the seed" } else { "of a file" };
        let paths = if self.keeps_paths { "; paths are kept" } else { "" };
        table.row("searches", format!("{} {drawn}{paths}", grouped(self.searches)));
        table.row("a step", format!("expands {}", counted(self.expand.into(), "cell")));
    }
}

impl SearchFigures {
    pub fn new(scenarios: Option<&[Scenario]>, run: &Run<Outcome, SearchDetails>) -> Self {
        let SearchStatistics { searches, found, no_path, unfinished, mean_cost, expansions, mean_expansions } =
            run.outcome.statistics();
        let (ended, seconds) = (found + no_path, run.wall.as_secs_f64());
        Self {
            pending_set: run.details.open_list.map(OpenList::name),
            statistics: Statistics {
                searches,
                found,
                no_path,
                unfinished,
                mean_cost: (found > 0).then_some(mean_cost),
                expansions,
                mean_expansions: (ended > 0).then_some(mean_expansions),
                searches_per_second: if seconds > 0.0 { ended as f64 / seconds } else { 0.0 },
                lengths: scenarios.map(|scenarios| Lengths::new(scenarios, &run.outcome.searches)),
            },
        }
    }

    /// How open cells were kept on a device.
    pub fn method(&self) -> Vec<String> {
        self.pending_set.map(|set| format!("open cells of a search: {set}")).into_iter().collect()
    }

    /// Lines for people.
    pub fn tell(&self, table: &mut Table) {
        let Statistics { found, no_path, unfinished, mean_cost, mean_expansions, .. } = self.statistics;
        let unfinished = match unfinished {
            0 => String::new(),
            unfinished => format!(", {} not finished", grouped(unfinished)),
        };
        table.row("found", format!("{}; {} without a path{unfinished}", counted(found, "path"), grouped(no_path)));
        if let Some(cost) = mean_cost {
            table.row("mean cost", format!("{} moves", short(cost)));
        }
        if let Some(each) = mean_expansions {
            table.row("a search", format!("{} expansions in the mean", short(each)));
        }
        table.row("searches/s", rate(self.statistics.searches_per_second));
        if let Some(lengths) = &self.statistics.lengths {
            let greatest = lengths.greatest_difference.map_or(String::new(), |greatest| {
                format!("; the greatest difference is {}", if greatest == 0.0 { "0".into() } else { three(greatest) })
            });
            let (agreeing, compared) = (grouped(lengths.agreeing), grouped(lengths.compared));
            table.row("lengths", format!("{agreeing} of {compared} are those of the file{greatest}"));
        }
    }
}

impl Lengths {
    fn new(scenarios: &[Scenario], searches: &[SearchRecord]) -> Self {
        let both = || scenarios.iter().zip(searches);
        let differences = || both().filter_map(|(scenario, record)| scenario.difference(record));
        Self {
            compared: differences().count() as u64,
            agreeing: both().filter(|(scenario, record)| scenario.agrees(record)).count() as u64,
            greatest_difference: differences().reduce(f64::max),
        }
    }
}
