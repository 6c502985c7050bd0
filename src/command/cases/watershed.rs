//! `tickless cells watershed`

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cells::CellCase;
use crate::CommandError;
use crate::arguments::{ranged, whole, within};
use crate::case::Written;
use crate::figures::result_fields;
use crate::inputs::{InputFile, InputFiles, InputPath};
use crate::memory;
use crate::page::{Picture, picture_of};
use crate::text::{counted, short};
use tickless_cells::Border;
use tickless_cells::CellOutcome;
use tickless_cells::Space;
use tickless_cells::log::{LogWord, Meaning};
use tickless_core::reading::Kind;
use tickless_core::time::Time;
use tickless_error::RunError;
use tickless_fire::watershed;
use tickless_fire::watershed::UNITS;
use tickless_fire::watershed::Watershed;
use tickless_fire::watershed::WatershedError;
use tickless_fire::watershed::WatershedModel;
use tickless_fire::{FireError, Frame, Grid, Landscape, Projection, Quantity, RasterFormat};

/// Where the result goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct WatershedFiles {
    /// Also write the depth of the water in millimetres to this grid: a GeoTIFF where the name ends with .tif, a map where it ends with
    /// .png, else an ESRI ASCII grid
    #[arg(long, value_name = "FILE")]
    depth: Option<PathBuf>,
    /// Also draw the depth of the water to this PNG file
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

/// The model; every option has a default.
#[derive(Clone, Debug, Args, Serialize, Deserialize, JsonSchema)]
#[command(next_help_heading = "Model")]
#[serde(deny_unknown_fields)]
pub struct WatershedArguments {
    /// Heights in metres, an ESRI ASCII grid or a GeoTIFF; without it a terrain is made up from the seed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["side", "seed"])]
    pub terrain: Option<InputPath>,
    /// Columns and rows of a terrain that is made up
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_SIDE), default_value_t = 320)]
    pub side: u32,
    /// One seed, one terrain
    #[arg(long, value_name = "S", value_parser = whole::<u64>, default_value_t = 1)]
    pub seed: u64,
    /// Rain, in millimetres an hour
    #[arg(long, value_name = "R", default_value_t = 10.0)]
    #[arg(value_parser = ranged(0.0..=f64::MAX, "of millimetres an hour, 0 or more"))]
    pub rain: f64,
    /// How long it rains, in hours
    #[arg(long, value_name = "H", default_value_t = 1.0)]
    #[arg(value_parser = ranged(0.0..=watershed::MOST_HOURS, "of hours from 0 to 250000"))]
    pub hours: f64,
    /// What the soil takes at most, in millimetres an hour
    #[arg(long, value_name = "R", default_value_t = 0.0)]
    #[arg(value_parser = ranged(0.0..=f64::MAX, "of millimetres an hour, 0 or more"))]
    pub soil: f64,
    /// The share of a difference of levels that flows to a lower side in a step
    #[arg(long, value_name = "F", default_value_t = 0.2)]
    #[arg(value_parser = ranged(watershed::LEAST_FLOW..=watershed::MOST_FLOW, "from 0.000001 to 0.2"))]
    pub flow: f64,
    /// In place of --flow: the speed at which water runs to a lower side, in metres per second. Then the width of cells counts, and
    /// depths on slopes do not depend on the step
    #[arg(long, value_name = "V", conflicts_with = "flow")]
    #[arg(value_parser = ranged(watershed::LEAST_FLOW..=1000.0, "of metres per second from 0.000001 to 1000"))]
    #[serde(default)]
    pub speed: Option<f64>,
    /// A step, in seconds
    #[arg(long, value_name = "S", default_value_t = 10.0)]
    #[arg(value_parser = ranged(watershed::SHORTEST..=watershed::LONGEST_STEP, "of seconds from 0.001 to 1000000"))]
    pub step: f64,
    /// The horizon, in seconds: events before it happen
    #[arg(long, value_name = "T", default_value_t = 7200.0)]
    #[arg(value_parser = ranged(watershed::SHORTEST..=watershed::LATEST, "of seconds from 0.001 to 1000000000"))]
    pub until: f64,
}

/// The side of the largest square: its two planes have 2^31 cells.
const MOST_SIDE: u32 = 32_768;

impl WatershedArguments {
    /// The error with file, column and row, for a wrong height in a file.
    fn placed(&self, error: WatershedError, frame: Frame) -> RunError {
        let (Some(path), &WatershedError::Relief { cell, height, .. }) = (&self.terrain, &error) else {
            return error.into();
        };
        let columns = frame.columns as usize;
        let [column, row] = [cell % columns, cell / columns].map(|along| along as u32);
        let allowed = if height.is_nan() {
            "a height in metres, as every cell needs one"
        } else {
            "at most 2000 m above the lowest height"
        };
        let file = path.as_ref().display().to_string();
        FireError::Cell { file, column, row, value: height, allowed }.into()
    }
}

/// Bytes of a cell of the ground and of the water above it: states, outputs, times, events and the outcome.
const EACH: u64 = 264;

impl WatershedArguments {
    /// The heights of all cells in metres.
    fn heights(&self, files: &mut InputFiles) -> Result<Grid, CommandError> {
        if let Some(path) = &self.terrain {
            let read = files.raster(path.as_ref(), Kind::Grid)?;
            let heights = read.grid(Quantity::Elevation)?;
            heights.check_heights()?;
            return Ok(heights);
        }
        // The size is checked before a terrain is made.
        Space::new([self.side, self.side, 2], Border::Open, vec![]).map_err(FireError::from)?;
        memory::check_ground(self.side, EACH, memory::available())?;
        let values = Landscape::made_up_heights(self.side, self.side, self.seed)?;
        let frame = Frame { columns: self.side, rows: self.side, corner: [0.0; 2], cell_size: 30.0 };
        Ok(Grid { name: "heights".into(), frame, projection: None, values })
    }
}

/// A watershed that is to run.
pub struct WatershedCase {
    model: WatershedModel,
    frame: Frame,
    projection: Option<Projection>,
    arguments: WatershedArguments,
    inputs: Vec<InputFile>,
}

result_fields! {
    /// The effective parameters.
    pub struct WatershedParameters(arguments: &WatershedArguments) {
        /// Rain.
        rain_mm_per_hour: f64 = arguments.rain;
        /// How long it rains.
        rain_hours: f64 = arguments.hours;
        /// What the soil takes at most.
        soil_mm_per_hour: f64 = arguments.soil;
        /// The share of a difference of levels that flows to a lower side in a step.
        flow: f64 = arguments.flow;
        /// The speed at which water runs to a lower side, in place of the flow.
        speed_m_per_s: Option<f64> = arguments.speed;
        /// A step.
        step_seconds: f64 = arguments.step;
    } printed(of) {
        "rain": format!("{} mm/h for {} h", short(of.rain_mm_per_hour), short(of.rain_hours));
        "soil": (of.soil_mm_per_hour > 0.0).then(|| format!("takes {} mm/h", short(of.soil_mm_per_hour)));
        "flow": {
            let step = short(of.step_seconds);
            match of.speed_m_per_s {
                Some(speed) => format!("{} m/s, in steps of {step} s", short(speed)),
                None => format!("{} of a difference in a step of {step} s", short(of.flow)),
            }
        };
    }
}

/// The water at the end.
pub struct Water<'a> {
    model: &'a WatershedModel,
    outcome: &'a CellOutcome,
    clock: Time,
}

impl Water<'_> {
    /// The mean over the cells.
    fn mean(&self, units: u64) -> f64 {
        let [width, height] = self.model.size();
        units as f64 / UNITS / (f64::from(width) * f64::from(height))
    }

    fn depths(&self) -> impl Iterator<Item = f64> {
        let [width, height] = self.model.size();
        (0..height).flat_map(move |y| (0..width).map(move |x| self.model.depth(self.outcome, x, y)))
    }
}

result_fields! {
    /// The figures of a run, of water in millimetres over the whole terrain.
    pub struct WatershedStatistics(of: &Water<'_>) {
        /// What rained before `clock`, the mean over the terrain as of all water here.
        rained_mm: f64 = of.mean(of.model.rained(of.clock));
        /// What stands on the terrain.
        standing_mm: f64 = of.mean(of.model.water(of.outcome));
        /// What the soil took.
        soaked_mm: f64 = of.mean(of.model.soaked(of.outcome));
        /// What rained less the other two, summed over the cells in units of 2^-10 mm: 0.
        lost_units: i64 = of.model.rained(of.clock) as i64 - (of.model.water(of.outcome) + of.model.soaked(of.outcome)) as i64;
        /// The deepest water of a cell.
        deepest_mm: f64 = of.depths().fold(0.0, f64::max);
        /// Cells with 1 mm or more.
        wet_cells: u64 = of.depths().filter(|depth| *depth >= 1.0).count() as u64;
    } printed(of) {
        "rained": {
            let [rained, standing, soaked] = [of.rained_mm, of.standing_mm, of.soaked_mm].map(short);
            format!("{rained} mm: {standing} mm stand, {soaked} mm soaked, {} units lost", of.lost_units)
        };
        "deepest": format!("{} mm; {} with 1 mm or more", short(of.deepest_mm), counted(of.wet_cells, "cell"));
    }
}

impl CellCase for WatershedCase {
    type Model = WatershedModel;
    type Arguments = WatershedArguments;
    type Files = WatershedFiles;
    type Parameters = WatershedParameters;
    type Statistics = WatershedStatistics;

    const NAME: &'static str = "watershed";
    const ABOUT: &'static str = "rain on a terrain";

    fn prepare(arguments: WatershedArguments, _: &WatershedFiles) -> Result<Self, CommandError> {
        let mut files = InputFiles::default();
        let Grid { frame, projection, values, .. } = arguments.heights(&mut files)?;
        let watershed = Watershed::new(frame.columns, frame.rows, values)
            .rain(arguments.rain, arguments.hours)
            .soil(arguments.soil)
            .flow(arguments.flow)
            .step(arguments.step)
            .until(arguments.until);
        let watershed = match arguments.speed {
            Some(speed) => watershed.speed(speed, frame.cell_size),
            None => watershed,
        };
        let model = watershed.check().map_err(|error| arguments.placed(error, frame))?;
        Ok(Self { model, frame, projection, arguments, inputs: files.list() })
    }

    fn model(&self) -> &WatershedModel {
        &self.model
    }

    fn arguments(&self) -> &WatershedArguments {
        &self.arguments
    }

    fn inputs(&self) -> &[InputFile] {
        &self.inputs
    }

    fn remarks(&self) -> Vec<String> {
        let Frame { cell_size, .. } = self.frame;
        let about = format!(
            "--flow is a share of a difference of levels in a step of {} s, whatever the width of a cell is: depths depend on it, the \
             step and the {} m of a cell; give --speed, by which they do not",
            short(self.arguments.step),
            short(cell_size)
        );
        let (terrain, speed) = (&self.arguments.terrain, self.arguments.speed);
        let of_map = self.projection.as_ref().and_then(|projection| projection.remark(self.frame));
        terrain.iter().filter(|_| speed.is_none()).map(|_| about.clone()).chain(of_map).collect()
    }

    fn seed(&self) -> Option<u64> {
        self.arguments.terrain.is_none().then_some(self.arguments.seed)
    }

    /// What stays, and what leaves to each side, in units of 2^-10 mm.
    fn words(&self) -> Vec<LogWord> {
        let names = ["stays_mm", "north_mm", "west_mm", "east_mm", "south_mm"].into_iter();
        let meaning = Meaning::Count { fraction: 10 };
        names.map(|name| LogWord { name: name.into(), meaning }).collect()
    }

    fn parameters(&self) -> WatershedParameters {
        WatershedParameters::new(&self.arguments)
    }

    fn statistics(&self, outcome: &CellOutcome, clock: Time) -> WatershedStatistics {
        WatershedStatistics::new(&Water { model: &self.model, outcome, clock })
    }

    fn pictures(&self, outcome: &CellOutcome) -> Vec<Picture> {
        let drawn = picture_of(|out| self.write_map(outcome, out));
        let title = "Depth of the water at the end, the deeper the darker, over the terrain".to_owned();
        drawn.map(|drawing| Picture { about: title.clone(), title, drawing }).into_iter().collect()
    }

    fn files(files: &WatershedFiles) -> Vec<Written<'_, Self>> {
        let path = files.depth.as_deref().unwrap_or(Path::new(""));
        let depth = Written::asked("--depth", files.depth.as_ref(), |case: &Self, run, _, out| {
            tickless_core::memory::room::<f64>(run.outcome.cells() / 2, "the depths of the water")?;
            let written = match RasterFormat::of(path) {
                RasterFormat::Text => case.depths(&run.outcome).write(&mut { out }, 3),
                RasterFormat::GeoTiff => case.depths(&run.outcome).write_geotiff(&mut { out }),
                RasterFormat::Picture => return case.write_map(&run.outcome, out),
            };
            written.map_err(CommandError::Output)
        });
        let picture = Written::asked("--picture", files.picture.as_ref(), |case: &Self, run, _, out| {
            case.model.write_picture(&run.outcome, out).map_err(CommandError::Output)
        });
        depth.into_iter().chain(picture).collect()
    }
}

impl WatershedCase {
    fn write_map(&self, outcome: &CellOutcome, out: &mut dyn Write) -> Result<(), CommandError> {
        self.model.write_map(outcome, self.frame.cell_size, out).map_err(CommandError::Output)
    }

    fn depths(&self, outcome: &CellOutcome) -> Grid {
        let places = (0..self.frame.rows).flat_map(|row| (0..self.frame.columns).map(move |column| (column, row)));
        let values = places.map(|(column, row)| self.model.depth(outcome, column, row)).collect();
        Grid { name: "depth".into(), frame: self.frame, projection: self.projection.clone(), values }
    }
}
