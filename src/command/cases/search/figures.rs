//! The results of searches, in numbers and words.

use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::{CornerRule, SearchArguments};
use super::batch::Batch;
use crate::figures::result_fields;
use crate::text::{counted, grouped, rate, short, significant};
use tickless_core::run::Run;
use tickless_pathfinding::gpu::OpenList;
use tickless_pathfinding::{Outcome, Scenario, SearchDetails, SearchRecord, SearchStatistics};

result_fields! {
    /// The effective parameters.
    pub struct SearchParameters(of: (&SearchArguments, &Batch)) {
        /// Columns of the map.
        width: u32 = of.1.model.map().width();
        /// Rows.
        height: u32 = of.1.model.map().height();
        /// Cells that are not blocked.
        free_cells: u64 = of.1.model.map().free_cells() as u64;
        /// Of a free cell; 0 where none is free.
        least_cost: u8 = costs(of.1).min().unwrap_or(0);
        /// Of a free cell; 0 where none is free.
        most_cost: u8 = costs(of.1).max().unwrap_or(0);
        /// Whether the map is made up from the seed.
        made_up: bool = of.0.map.is_none();
        /// How many there are.
        searches: u64 = of.1.model.queries().len() as u64;
        /// Whether they are drawn from the seed.
        drawn: bool = of.1.scenarios.is_none();
        /// `forbid` or `allow`.
        corners: &'static str = of.0.corners.name();
        /// Cells that a search expands in a step.
        expand: u32 = of.1.model.expanded();
        /// Whether paths are kept and count in the digest.
        keeps_paths: bool = of.1.model.keeps_paths();
    } printed(of) {
        "map": {
            let origin = if of.made_up { "made up from the seed" } else { "of a file" };
            let [free, all] = [of.free_cells, u64::from(of.width) * u64::from(of.height)].map(grouped);
            let costs = match (of.least_cost, of.most_cost) {
                (1, 1) | (0, 0) => String::new(),
                (least, most) if least == most => format!("\neach at a cost of {least}"),
                (least, most) => format!("\nat costs of {least} to {most}"),
            };
            format!("{} x {}, {origin}: {free} of {all} cells free{costs}", of.width, of.height)
        };
        "moves": {
            let corners = if of.corners == CornerRule::Allow.name() { "corners may be cut" } else { "no corner is cut" };
            format!("to 8 neighbours; {corners}")
        };
        "searches": {
            let drawn = if of.drawn { "drawn from the seed" } else { "of a file" };
            let paths = if of.keeps_paths { "; paths are kept" } else { "" };
            format!("{} {drawn}{paths}", grouped(of.searches))
        };
        "a step": format!("expands {}", counted(of.expand.into(), "cell"));
    }
}

/// Costs of the free cells.
fn costs(batch: &Batch) -> impl Iterator<Item = u8> {
    batch.model.map().costs().iter().copied().filter(|&cost| cost > 0)
}

/// What a run gave.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchFigures {
    /// How a search kept its open cells on a device, a name of `--pending`; `null` on the heap.
    pub pending_set: Option<&'static str>,
    /// The figures of the searches.
    pub statistics: Statistics,
}

result_fields! {
    /// The figures of the searches.
    pub struct Statistics(of: (&SearchStatistics, Option<&[Scenario]>, &Run<Outcome, SearchDetails>)) {
        /// How many there are.
        searches: u64 = of.0.searches;
        /// Those with a path.
        found: u64 = of.0.found;
        /// Those without one.
        no_path: u64 = of.0.no_path;
        /// Those that an interruption came before.
        unfinished: u64 = of.0.unfinished;
        /// The mean cost of the paths, in moves over cells of cost 1; `null` where none was found.
        mean_cost: Option<f64> = (of.0.found > 0).then_some(of.0.mean_cost);
        /// Cells expanded by all searches.
        expansions: u64 = of.0.expansions;
        /// By one that has ended, in the mean; `null` where none has.
        mean_expansions: Option<f64> = (ended(of.0) > 0).then_some(of.0.mean_expansions);
        /// Searches that have ended, by `wall_seconds`.
        searches_per_second: f64 = if of.2.wall.is_zero() { 0.0 } else { ended(of.0) as f64 / of.2.wall.as_secs_f64() };
        /// Costs beside the lengths of `--scenarios`; `null` without it.
        lengths: Option<Lengths> = of.1.map(|scenarios| Lengths::new((scenarios, &of.2.outcome.searches)));
    } printed(of) {
        "found": {
            let unfinished = (of.unfinished > 0).then(|| format!(", {} not finished", grouped(of.unfinished)));
            let [found, none] = [counted(of.found, "path"), grouped(of.no_path)];
            format!("{found}; {none} without a path{}", unfinished.unwrap_or_default())
        };
        "mean cost": of.mean_cost.map(|cost| format!("{} moves", short(cost)));
        "a search": of.mean_expansions.map(|expansions| format!("{} expansions in the mean", short(expansions)));
        "searches/s": rate(of.searches_per_second);
    }
}

result_fields! {
    /// Costs beside the lengths of a file.
    pub struct Lengths(of: (&[Scenario], &[SearchRecord])) {
        /// Searches that have ended.
        compared: u64 = differences(of).count() as u64;
        /// Those whose cost is the length of the file, as docs/searches.md says.
        agreeing: u64 = of.0.iter().zip(of.1).filter(|(scenario, record)| scenario.agrees(record)).count() as u64;
        /// Of a cost and its length; `null` where nothing was compared.
        greatest_difference: Option<f64> = differences(of).reduce(f64::max);
    } printed(of) {
        "lengths": {
            let greatest = of.greatest_difference.map(|most| format!("; the greatest difference is {}", significant(most, 3)));
            let [agreeing, compared] = [of.agreeing, of.compared].map(grouped);
            format!("{agreeing} of {compared} are those of the file{}", greatest.unwrap_or_default())
        };
    }
}

fn differences<'a>((scenarios, searches): (&'a [Scenario], &'a [SearchRecord])) -> impl Iterator<Item = f64> + 'a {
    scenarios.iter().zip(searches).filter_map(|(scenario, record)| scenario.difference(record))
}

fn ended(statistics: &SearchStatistics) -> u64 {
    statistics.found + statistics.no_path
}

impl SearchFigures {
    pub fn new(scenarios: Option<&[Scenario]>, run: &Run<Outcome, SearchDetails>) -> Self {
        let statistics = Statistics::new((&run.outcome.statistics(), scenarios, run));
        Self { pending_set: run.details.open_list.map(OpenList::name), statistics }
    }
}
