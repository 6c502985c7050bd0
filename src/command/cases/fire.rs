//! `tickless cells fire`

mod arguments;
mod choices;
mod ground;
mod outputs;
mod pictures;
mod shard;

use std::ops::Range;

use rayon::prelude::*;

use super::cells::CellCase;
use crate::CommandError;
use crate::case::Written;
use crate::figures::result_fields;
use crate::inputs::InputFile;
use crate::page::Picture;
use crate::text::{counted, grouped, short};
use arguments::{FireArguments, FireFiles};
use choices::Adjustment;
use tickless_cells::log::LogWord;
use tickless_cells::{CellModel as _, CellOutcome, Passages};
use tickless_core::number::Written as Number;
use tickless_core::time::Time;
use tickless_fire::{Arrivals, BurnCounts, FireModel};

/// A fire that is to run.
pub struct FireCase {
    model: FireModel,
    arguments: FireArguments,
    inputs: Vec<InputFile>,
    /// Minutes between lines of a picture.
    isochrones: Option<f64>,
    /// How often each cell burnt, if shards give this in place of cells.
    burnt: Option<BurnCounts>,
    /// Whether perimeters are asked for.
    perimeters: bool,
    /// Whether lengths of flames are.
    flames: bool,
}

result_fields! {
    /// The effective parameters.
    pub struct FireParameters(of: (&FireArguments, &FireModel)) {
        /// Whether the landscape is made up from the seed.
        made_up: bool = of.0.fuel.is_none() && of.0.landscape.is_none();
        /// The width of a cell, metres.
        cell_size_m: f64 = of.1.description().landscape().frame().cell_size;
        /// Cells that can burn.
        burnable_cells: u64 = cells_of_fuels(of.1).sum();
        /// How many fuel models they have.
        fuels: usize = cells_of_fuels(of.1).count();
        /// Rows of weather.
        weather_rows: usize = of.1.description().weather().rows().len();
        /// Whether each replication has one drawn of all.
        random_weather: bool = of.1.description().has_random_weather();
        /// Cells that burn by themselves in a replication.
        ignitions: usize = of.1.ignitions(0).len();
        /// Whether they are drawn.
        random_ignitions: bool = of.1.description().has_random_ignitions();
        /// `none` or `rothermel`.
        wind_limit: &'static str = of.0.wind_limit.name();
        /// `fronts` or `neighbours`.
        spread: &'static str = of.0.spread.name();
        /// `anderson`, `alexander` or `rothermel`.
        length_to_width: &'static str = of.0.length_to_width.name();
        /// The program by whose formulas trees and fuels make the wind at midflame height, `flammap` or `behaveplus`; `null` where they
        /// do not.
        adjust_wind: Option<&'static str> = of.0.adjust_wind.map(Adjustment::name);
        /// The longest time from a cell to a neighbour; `null` where no fire spreads.
        slowest_crossing_minutes: Option<f64> = of.1.slowest().map(Time::units);
    } printed(of) {
        "landscape": {
            let origin = if of.made_up { "made up from the seed" } else { "of files" };
            let [cells, fuels] = [counted(of.burnable_cells, "cell"), counted(of.fuels as u64, "fuel")];
            format!("{origin}: {cells} of {} m can burn, {fuels}", short(of.cell_size_m))
        };
        "weather": {
            let drawn = if of.random_weather { ", one drawn for each replication" } else { "" };
            format!("{}{drawn}, wind limit {}", counted(of.weather_rows as u64, "row"), of.wind_limit)
        };
        "spread": {
            let spread = if of.spread == "fronts" { "as fronts" } else { "from the eight neighbours" };
            format!("{spread}, length to width of {}", of.length_to_width)
        };
        "wind": of.adjust_wind.map(|program| format!("at midflame height by trees and fuels, as {program} has it"));
        "ignitions": {
            let drawn = if of.random_ignitions { "drawn from the seed" } else { "given" };
            format!("{} {drawn}", grouped(of.ignitions as u64))
        };
    }
}

/// The number of cells of each fuel that can burn and occurs.
fn cells_of_fuels(model: &FireModel) -> impl Iterator<Item = u64> {
    let landscape = model.description().landscape();
    let mut cells_of = vec![0; 1 << 16];
    landscape.fuels().iter().for_each(|number| cells_of[usize::from(*number)] += 1);
    landscape.models().all().map(move |fuel| cells_of[usize::from(fuel.number)]).filter(|cells| *cells > 0)
}

/// The burnt cells at the edge of the landscape, in each replication.
fn burnt_at_the_edge(outcome: &CellOutcome) -> Vec<u64> {
    let [width, height, _] = outcome.size;
    let at_edge = |cell: &u32| {
        let [x, y] = [cell % width, cell / width];
        x == 0 || y == 0 || x + 1 == width || y + 1 == height
    };
    let edge: Vec<u32> = (0..width * height).filter(at_edge).collect();
    let burnt = |fire| edge.iter().filter(|cell| *outcome.state_of(fire, **cell) != [u32::MAX; 2][..]).count() as u64;
    (0..outcome.replications).map(burnt).collect()
}

/// The burnt cells of each replication.
pub struct Burnt<'a> {
    model: &'a FireModel,
    fires: Vec<Passages>,
}

impl Burnt<'_> {
    /// The area of so many cells, in hectares.
    fn area(&self, cells: Option<u64>) -> f64 {
        cells.unwrap_or(0) as f64 * self.model.description().landscape().frame().hectares()
    }

    fn cells(&self) -> impl Iterator<Item = u64> {
        self.fires.iter().map(|fire| fire.cells)
    }

    /// In the mean over the replications.
    fn mean(&self, sum: f64) -> f64 {
        sum / self.fires.len().max(1) as f64
    }

    fn perimeter(&self) -> f64 {
        let frame = self.model.description().landscape().frame();
        self.fires.iter().fold(0.0, |sum, fire| sum + frame.perimeter(fire))
    }
}

result_fields! {
    /// The figures of a run.
    pub struct FireStatistics(of: &Burnt<'_>) {
        /// Cells that burnt, the sum over the replications.
        burnt_cells: u64 = of.cells().sum();
        /// Their area, the mean over the replications.
        burnt_hectares: f64 = of.mean(of.area(Some(of.cells().sum())));
        /// Their share of those that can burn, the mean over the replications.
        burnt_share: f64 = of.mean(of.cells().sum::<u64>() as f64) / cells_of_fuels(of.model).sum::<u64>().max(1) as f64;
        /// The length of the border of all that burnt, the mean over the replications.
        perimeter_km: f64 = of.mean(of.perimeter()) / 1000.0;
        /// Cells at the edge of the landscape that burnt, the sum over the replications: a fire would go on beyond it.
        edge_cells: u64 = of.fires.iter().map(|fire| fire.edge).sum();
        /// Replications whose fire reached the edge.
        edge_fires: u64 = of.fires.iter().filter(|fire| fire.edge > 0).count() as u64;
        /// When the last cell took fire, in any replication; `null` where none did.
        last_ignition: Option<f64> = of.fires.iter().filter_map(|fire| fire.last).max().map(Time::units);
        /// The smallest area of a replication.
        smallest_hectares: f64 = of.area(of.cells().min());
        /// The largest.
        largest_hectares: f64 = of.area(of.cells().max());
    } printed(of) {
        "burnt": {
            let [burnt, smallest, largest] = [of.burnt_hectares, of.smallest_hectares, of.largest_hectares].map(short);
            // One fire has no smallest and no largest area.
            let areas = (smallest != largest).then(|| format!(" in the mean, from {smallest} to {largest};"));
            let areas = areas.unwrap_or(",".to_owned());
            format!("{burnt} ha{areas} {} % of what can burn", short(100.0 * of.burnt_share))
        };
        "perimeter": format!("{} km", short(of.perimeter_km));
        "last ignition": of.last_ignition.map(|last| format!("after {} minutes", short(last)));
    }
}

impl FireCase {
    /// The extent of each fire.
    fn passages(&self, outcome: &CellOutcome) -> Vec<Passages> {
        let of_one = |replication| Arrivals::of(&self.model, outcome, replication).passages();
        // On all cores, in order.
        let all = || (0..outcome.replications).into_par_iter().map(of_one).collect();
        outcome.added_up.as_ref().map_or_else(all, |cells| cells.passages.clone())
    }

    /// A remark where the landscape has trees that do not shelter from the wind: on grids of their own, or where the weather has no
    /// wind adjustment either.
    fn unused_canopy(&self) -> Option<String> {
        let description = self.model.description();
        let rows = description.weather().rows();
        let is_open = rows.iter().any(|row| row.wind_kmh > 0.0 && row.wind_adjustment == 1.0);
        let own = self.arguments.canopy_cover.is_some();
        let unused = description.landscape().has_trees() && self.arguments.adjust_wind.is_none() && (own || is_open);
        let adjusted = if is_open {
            "the wind adjustment of the weather is 1, so its wind is taken as that at midflame height"
        } else {
            "the wind at midflame height is that of the weather times its wind adjustment"
        };
        let options = if own { "--canopy-cover and --canopy-height are" } else { "the canopy of the landscape is" };
        unused.then(|| {
            format!("{options} not used: {adjusted}; give --adjust-wind, by which trees shelter from the wind at 20 feet, or leave the canopy out")
        })
    }
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
        let (isochrones, perimeters) = (files.isochrones, files.perimeters.is_some());
        let flames = files.flame_length.is_some() || files.conditional_flame_length.is_some();
        Ok(Self { model, arguments, inputs, isochrones, burnt: None, perimeters, flames })
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

    fn numbers(&self) -> Range<u32> {
        self.arguments.replications.numbers()
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
        let landscape = self.model.description().landscape();
        let of_files = self.arguments.fuel.is_some() || self.arguments.landscape.is_some();
        let has_code = landscape.projection().is_some_and(|projection| projection.epsg().is_some());
        let unnamed = "the landscape has no EPSG code, so the perimeters name no coordinate system, and readers of GeoJSON take their \
                       metres for degrees: tell the reader which it is, or give the grids a code, as with gdal_edit.py -a_srs";
        let unnamed = (self.perimeters && of_files && !has_code).then(|| unnamed.to_owned());
        let of_landscape = landscape.remarks().iter().cloned().chain(self.unused_canopy());
        (late > 0).then_some(about).into_iter().chain(unnamed).chain(of_landscape).collect()
    }

    fn afterwards(&self, outcome: &CellOutcome) -> Option<String> {
        let edge: Vec<u64> = match &outcome.added_up {
            Some(all) => all.passages.iter().map(|fire| fire.edge).collect(),
            None => burnt_at_the_edge(outcome),
        };
        let fires = edge.iter().filter(|cells| **cells > 0).count();
        (fires > 0).then(|| {
            let cells = counted(edge.iter().sum(), "cell");
            let who = match edge.len() {
                1 => "the fire".into(),
                all => format!("{} of {}", grouped(fires as u64), counted(all as u64, "fire")),
            };
            format!(
                "{who} reached the edge of the landscape in {cells}, and would go on beyond: give a larger landscape"
            )
        })
    }

    /// A cell sends that it has taken fire.
    fn words(&self) -> Vec<LogWord> {
        vec![]
    }

    fn parameters(&self) -> FireParameters {
        FireParameters::new((&self.arguments, &self.model))
    }

    fn statistics(&self, outcome: &CellOutcome, _: Time) -> FireStatistics {
        FireStatistics::new(&Burnt { model: &self.model, fires: self.passages(outcome) })
    }

    fn pictures(&self, outcome: &CellOutcome) -> Vec<Picture> {
        pictures::all(self, outcome, &self.passages(outcome))
    }

    fn files(files: &FireFiles) -> Vec<Written<'_, Self>> {
        outputs::all(files)
    }
}
