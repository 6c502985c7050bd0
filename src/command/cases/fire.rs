//! `tickless cells fire`

mod arguments;
mod choices;
mod ground;
mod outputs;
mod shard;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::cells::CellCase;
use crate::CommandError;
use crate::case::Written;
use crate::inputs::InputFile;
use crate::page::{Picture, picture_of};
use crate::text::{Table, counted, grouped, short};
use arguments::{FireArguments, FireFiles};
use tickless_cells::log::LogWord;
use tickless_cells::{CellModel as _, CellOutcome};
use tickless_core::number::Written as Number;
use tickless_core::time::Time;
use tickless_fire::{Arrivals, BurnCounts, Fire, FireModel};

/// A fire that is to run.
pub struct FireCase {
    model: FireModel,
    arguments: FireArguments,
    inputs: Vec<InputFile>,
    /// Minutes between lines of a picture.
    isochrones: Option<f64>,
    /// How often cells burnt, where shards have told that in place of cells.
    burnt: Option<BurnCounts>,
}

/// The effective parameters.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FireParameters {
    /// Whether the landscape is made up from the seed.
    made_up: bool,
    /// The width of a cell, metres.
    cell_size_m: f64,
    /// Cells that can burn.
    burnable_cells: u64,
    /// How many fuel models they have.
    fuels: usize,
    /// Rows of weather.
    weather_rows: usize,
    /// Whether each replication has one drawn of all.
    random_weather: bool,
    /// Cells that burn by themselves in a replication.
    ignitions: usize,
    /// Whether they are drawn.
    random_ignitions: bool,
    /// `none` or `rothermel`.
    wind_limit: &'static str,
    /// `fronts` or `neighbours`.
    spread: &'static str,
    /// `anderson`, `alexander` or `rothermel`.
    length_to_width: &'static str,
    /// Whether trees and fuels make the wind at midflame height.
    adjust_wind: bool,
    /// The longest time from a cell to a neighbour; `null` where no fire spreads.
    slowest_crossing_minutes: Option<f64>,
}

/// The figures of a run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FireStatistics {
    /// Cells that burnt, the sum over the replications.
    burnt_cells: u64,
    /// Their area, the mean over the replications.
    burnt_hectares: f64,
    /// Their share of those that can burn, the mean over the replications.
    burnt_share: f64,
    /// The length of the border of all that burnt, the mean over the replications.
    perimeter_km: f64,
    /// When the last cell took fire, in any replication; `null` where none did.
    last_ignition: Option<f64>,
    /// The smallest area of a replication.
    smallest_hectares: f64,
    /// The largest.
    largest_hectares: f64,
}

impl CellCase for FireCase {
    type Model = FireModel;
    type Arguments = FireArguments;
    type Files = FireFiles;
    type Parameters = FireParameters;
    type Statistics = FireStatistics;

    const NAME: &'static str = "fire";
    const ABOUT: &'static str = "a wildfire";

    fn prepare(arguments: FireArguments, files: &FireFiles) -> Result<Self, CommandError> {
        let (model, inputs) = arguments.check()?;
        let late = files.perimeters_at.iter().find(|minutes| **minutes > arguments.until);
        if let Some(minutes) = late {
            let (at, until) = (Number(*minutes), Number(arguments.until));
            let message = format!(
                "--perimeters-at has {at} minutes, and the run ends at {until}: name earlier times, or give a longer --until"
            );
            return Err(CommandError::Usage { message });
        }
        Ok(Self { model, arguments, inputs, isochrones: files.isochrones, burnt: None })
    }

    fn model(&self) -> &FireModel {
        &self.model
    }

    fn arguments(&self) -> &FireArguments {
        &self.arguments
    }

    fn inputs(&self) -> &[InputFile] {
        &self.inputs
    }

    fn seed(&self) -> Option<u64> {
        Some(self.arguments.seed)
    }

    fn buffers(&self) -> u64 {
        4 * self.model.delay_words().len() as u64
    }

    fn remarks(&self) -> Vec<String> {
        let (all, until) = (self.model.ignitions(0), self.model.until());
        let late = all.iter().filter(|(_, time)| *time >= until).count();
        let about = format!(
            "{late} of {} ignitions come at the horizon of {} minutes or later, and burn nothing: give a longer --until",
            all.len(),
            until.units()
        );
        if late > 0 { vec![about] } else { vec![] }
    }

    /// A cell sends that it has taken fire.
    fn words(&self) -> Vec<LogWord> {
        vec![]
    }

    fn parameters(&self) -> FireParameters {
        let fire: &Fire = self.model.description();
        let landscape = fire.landscape();
        let mut cells_of = vec![0; 1 << 16];
        landscape.fuels().iter().for_each(|number| cells_of[usize::from(*number)] += 1);
        let cells_of_burning =
            || landscape.models().all().map(|fuel| cells_of[usize::from(fuel.number)]).filter(|cells| *cells > 0);
        let (fuels, burnable_cells) = (cells_of_burning().count(), cells_of_burning().sum());
        let slowest = self.model.slowest().map(Time::units);
        FireParameters {
            made_up: self.arguments.fuel.is_none() && self.arguments.landscape.is_none(),
            cell_size_m: landscape.frame().cell_size,
            burnable_cells,
            fuels,
            weather_rows: fire.weather().rows().len(),
            random_weather: fire.has_random_weather(),
            ignitions: self.model.ignitions(0).len(),
            random_ignitions: fire.has_random_ignitions(),
            wind_limit: self.arguments.wind_limit.name(),
            spread: self.arguments.spread.name(),
            length_to_width: self.arguments.length_to_width.name(),
            adjust_wind: self.arguments.adjust_wind,
            slowest_crossing_minutes: slowest,
        }
    }

    fn statistics(&self, outcome: &CellOutcome, _: Time) -> FireStatistics {
        let frame = self.model.description().landscape().frame();
        let hectares = |cells: u64| cells as f64 * frame.hectares();
        let of_one = |replication| Arrivals::of(&self.model, outcome, replication).passages();
        // On all cores, and summed in order.
        let all = || (0..outcome.replications).into_par_iter().map(of_one).collect();
        let fires: Vec<_> = outcome.added_up.as_ref().map_or_else(all, |cells| cells.passages.clone());
        let burnt: Vec<u64> = fires.iter().map(|fire| fire.cells).collect();
        let perimeter = fires.iter().fold(0.0, |sum, fire| sum + frame.perimeter(fire));
        let last = fires.iter().filter_map(|fire| fire.last).max();
        let count = f64::from(outcome.replications.max(1));
        let total: u64 = burnt.iter().sum();
        let burnable = CellCase::parameters(self).burnable_cells;
        FireStatistics {
            burnt_cells: total,
            burnt_hectares: hectares(total) / count,
            burnt_share: total as f64 / count / burnable.max(1) as f64,
            perimeter_km: perimeter / count / 1000.0,
            last_ignition: last.map(Time::units),
            smallest_hectares: hectares(burnt.iter().copied().min().unwrap_or(0)),
            largest_hectares: hectares(burnt.iter().copied().max().unwrap_or(0)),
        }
    }

    fn pictures(&self, outcome: &CellOutcome) -> Vec<Picture> {
        let drawn = picture_of(|out| outputs::picture(self, outcome, out));
        let several = outcome.replications > 1 || self.burnt.is_some();
        let title = if several { "How often each cell burnt" } else { "When the fire arrived" };
        drawn
            .map(|drawing| Picture { title: title.into(), about: format!("A map: {title}"), drawing })
            .into_iter()
            .collect()
    }

    fn files(files: &FireFiles) -> Vec<Written<'_, Self>> {
        outputs::all(files)
    }

    fn describe(&self, p: &FireParameters, table: &mut Table) {
        let land = if p.made_up { "made up from the seed" } else { "of files" };
        let (cells, fuels) = (counted(p.burnable_cells, "cell"), counted(p.fuels as u64, "fuel"));
        let size = short(p.cell_size_m);
        table.row("landscape", format!("{land}: {cells} of {size} m can burn, {fuels}"));
        let weather = if p.random_weather { ", one drawn for each replication" } else { "" };
        table.row(
            "weather",
            format!(
                "{} {}{weather}, wind limit {}",
                p.weather_rows,
                if p.weather_rows == 1 { "row" } else { "rows" },
                p.wind_limit
            ),
        );
        let spread = if p.spread == "fronts" { "as fronts" } else { "from the eight neighbours" };
        table.row("spread", format!("{spread}, length to width of {}", p.length_to_width));
        if p.adjust_wind {
            table.row("wind", "at midflame height by trees and fuels");
        }
        let drawn = if p.random_ignitions { "drawn from the seed" } else { "given" };
        table.row("ignitions", format!("{} {drawn}", grouped(p.ignitions as u64)));
    }

    fn tell(&self, figures: &FireStatistics, table: &mut Table) {
        let percent = short(100.0 * figures.burnt_share);
        let [burnt, smallest, largest] =
            [figures.burnt_hectares, figures.smallest_hectares, figures.largest_hectares].map(short);
        if self.model.replications() > 1 {
            table
                .row("burnt", format!("{burnt} ha in the mean, from {smallest} to {largest}; {percent} % of what can"));
        } else {
            table.row("burnt", format!("{burnt} ha, {percent} % of what can burn"));
        }
        table.row("perimeter", format!("{} km", short(figures.perimeter_km)));
        if let Some(last) = figures.last_ignition {
            table.row("last ignition", format!("after {} minutes", short(last)));
        }
    }
}
