//! The arguments of `tickless cells fire`.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choices::{Adjustment, Limit, Shape, Spot, Spread};
use crate::CommandError;
use crate::arguments::{ranged, whole, within};
use crate::inputs::{InputFile, InputFiles, InputPath};
use crate::memory;
use crate::replications::ReplicationRange;
use tickless_cells::CellModel as _;
use tickless_core::reading::Kind;
use tickless_core::time::Time;
use tickless_fire::{Fire, FireError, FireModel, Ignition, LATEST, Weather, WindAdjustment};

/// What a horizon may be.
const HORIZONS: &str = "of minutes from 2^-32 (a tick) to 2^31 (fronts: 2^28)";

/// Further files.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct FireFiles {
    /// Also write when each cell took fire, in minutes, to this file (of the first replication). Grids are GeoTIFF where the name
    /// ends with .tif, a map where it ends with .png, else an ESRI ASCII grid
    #[arg(long, value_name = "FILE")]
    pub arrival: Option<PathBuf>,
    /// Also write how fast the front passed each cell, in m/min, to this grid (of the first replication)
    #[arg(long, value_name = "FILE")]
    pub rate_of_spread: Option<PathBuf>,
    /// Also write where it went, in degrees clockwise from north
    #[arg(long, value_name = "FILE")]
    pub direction: Option<PathBuf>,
    /// Also write its fireline intensity, in kW/m
    #[arg(long, value_name = "FILE")]
    pub intensity: Option<PathBuf>,
    /// Also write how long its flames were, in metres
    #[arg(long, value_name = "FILE")]
    pub flame_length: Option<PathBuf>,
    /// Also write what had burnt as time went on to this GeoJSON file (of the first replication)
    #[arg(long, value_name = "FILE")]
    pub perimeters: Option<PathBuf>,
    /// Perimeters every so many minutes
    #[arg(long, value_name = "MINUTES", value_parser = minutes, default_value_t = 60.0, requires = "perimeters")]
    pub perimeters_every: f64,
    /// Perimeters at these minutes alone
    #[arg(long, value_name = "MINUTES", value_delimiter = ',', value_parser = minutes, requires = "perimeters")]
    #[arg(conflicts_with = "perimeters_every")]
    pub perimeters_at: Vec<f64>,
    /// Also draw when each cell took fire to this PNG file; with several replications how many of them reached each cell
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// Lines in the picture every so many minutes
    #[arg(long, value_name = "MINUTES", value_parser = minutes, requires = "picture")]
    pub isochrones: Option<f64>,
    /// Also write area and perimeter over time to this CSV file (of the first replication)
    #[arg(long, value_name = "FILE")]
    pub growth: Option<PathBuf>,
    /// Also write the share of replications that reached each cell to this grid
    #[arg(long, value_name = "FILE")]
    pub probability: Option<PathBuf>,
    /// Also write the mean flame length of those replications that reached each cell, in metres, to this grid
    #[arg(long, value_name = "FILE")]
    pub conditional_flame_length: Option<PathBuf>,
    /// Also write what tickless merge needs to put these fires together with others
    #[arg(long, value_name = "FILE")]
    pub shard: Option<PathBuf>,
}

/// The model; every option has a default.
#[derive(Clone, Debug, Args, Serialize, Deserialize, JsonSchema)]
#[command(next_help_heading = "Model")]
#[serde(deny_unknown_fields)]
pub struct FireArguments {
    /// A landscape of several bands: a GeoTIFF of LANDFIRE or FlamMap, or an .lcp of FARSITE. Without it and --fuel a landscape is
    /// made up from the seed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["side", "fuel", "elevation"])]
    #[serde(default)]
    pub landscape: Option<InputPath>,
    /// Fuel models, an ESRI ASCII grid or a GeoTIFF: Anderson's 1 to 13, Scott and Burgan's 101 to 204, 91 to 99 for what never
    /// burns
    #[arg(long, value_name = "FILE", conflicts_with = "side")]
    pub fuel: Option<InputPath>,
    /// Fuel models of one's own, in the order of FARSITE's .fmd: docs/cells.md describes it
    #[arg(long, value_name = "FILE")]
    #[serde(default)]
    pub fuel_models: Option<InputPath>,
    /// Heights in metres, a grid as that of the fuels [default: flat]
    #[arg(long, value_name = "FILE", requires = "fuel")]
    pub elevation: Option<InputPath>,
    /// Slope in degrees, likewise, in place of what follows from heights
    #[arg(long, value_name = "FILE", requires = "aspect", conflicts_with = "landscape")]
    #[serde(default)]
    pub slope: Option<InputPath>,
    /// Where the ground falls to, in degrees clockwise from north; -1 where it is level
    #[arg(long, value_name = "FILE", requires = "slope")]
    #[serde(default)]
    pub aspect: Option<InputPath>,
    /// The percent of the ground below crowns, for --adjust-wind
    #[arg(long, value_name = "FILE", requires = "canopy_height", conflicts_with = "landscape")]
    #[serde(default)]
    pub canopy_cover: Option<InputPath>,
    /// The height of the trees in tenths of a metre, as LANDFIRE has it
    #[arg(long, value_name = "FILE", requires = "canopy_cover")]
    #[serde(default)]
    pub canopy_height: Option<InputPath>,
    /// Where fire never enters, such a grid of 1 there and 0 elsewhere
    #[arg(long, value_name = "FILE")]
    pub suppressed: Option<InputPath>,
    /// Lines and areas that fire never enters, a GeoJSON file in the coordinates of the grids
    #[arg(long, value_name = "FILE")]
    #[serde(default)]
    pub barriers: Option<InputPath>,
    /// Columns and rows of a landscape that is made up
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_SIDE), default_value_t = 512)]
    pub side: u32,
    /// Wind and moisture, a CSV file whose columns docs/cells.md describes [default: dry fuel, and no wind but on a landscape
    /// that is made up: there 15 km/h from the west-south-west]
    #[arg(long, value_name = "FILE")]
    pub weather: Option<InputPath>,
    /// Each replication has one row of the weather throughout, drawn of all
    #[arg(long, requires = "weather")]
    pub random_weather: bool,
    /// A cell that burns from the start, or from a minute on, counted from the north-west; may be given several times
    /// [default: a cell drawn from the seed]
    #[arg(long, value_name = "COLUMN,ROW[@MINUTE]", allow_hyphen_values = true)]
    pub ignite: Vec<Spot>,
    /// Points and polygons of the map that burn from a minute on, a CSV file, or GeoJSON where the name ends with .geojson or .json
    #[arg(long, value_name = "FILE")]
    pub ignitions: Option<InputPath>,
    /// Whether the effective wind is limited
    #[arg(long, value_name = "NAME", default_value = "none")]
    pub wind_limit: Limit,
    /// How many times longer than wide a fire is, by the wind
    #[arg(long, value_name = "LAW", default_value = "anderson")]
    #[serde(default = "Shape::anderson")]
    pub length_to_width: Shape,
    /// The trees of the landscape, if it has any, and the depth of its fuels make the wind at midflame height, by the formulas of this
    /// program (flammap where none is named): what the weather says of it is a further factor, usually 1
    #[arg(long, value_name = "PROGRAM", num_args = 0..=1, default_missing_value = "flammap")]
    #[serde(default)]
    pub adjust_wind: Option<Adjustment>,
    /// The length of crowns as a share of the height of trees, from 0.1 to 1, which BehavePlus takes
    #[arg(long, value_name = "SHARE", value_parser = ranged(0.1..=1.0, "from 0.1 to 1"))]
    #[serde(default)]
    pub crown_ratio: Option<f64>,
    /// How fire comes from cell to cell
    #[arg(long, value_name = "HOW", default_value = "fronts")]
    #[serde(default = "Spread::neighbours")]
    pub spread: Spread,
    /// The horizon, in minutes: what takes fire before it
    #[arg(long, value_name = "T", default_value_t = 1440.0)]
    #[arg(value_parser = ranged(Time::from_ticks(1).units()..=LATEST, HORIZONS))]
    pub until: f64,
    /// How many fires, each on a landscape of its own: from cells drawn from the seed, or with rows of weather that are.
    /// A..B runs those from A to B - 1 of a larger number, for --shard
    #[arg(long, value_name = "R-or-A..B", default_value = "1")]
    pub replications: ReplicationRange,
    /// One seed, one set of fires
    #[arg(long, value_name = "S", value_parser = whole::<u64>, default_value_t = 1)]
    pub seed: u64,
}

/// The side of the largest square: the delays from each cell to its eight neighbours are numbered in 32 bits.
const MOST_SIDE: u32 = 23_170;
/// Bytes of a cell: its ground, the times in which a fire passes it each way, and its delays.
const EACH: u64 = 125;

impl FireArguments {
    /// The model, checked, and the files that it was read from.
    pub fn check(&self) -> Result<(FireModel, Vec<InputFile>), CommandError> {
        // With --side, clap does not require the files that they need.
        let of_files = self.fuel.is_some() || self.landscape.is_some();
        let needed = [
            ("--elevation", &self.elevation),
            ("--slope", &self.slope),
            ("--canopy-cover", &self.canopy_cover),
            ("--suppressed", &self.suppressed),
            ("--fuel-models", &self.fuel_models),
        ];
        for (option, given) in needed {
            if given.is_some() && !of_files {
                let message = format!(
                    "{option} needs --fuel or --landscape: a landscape that is made up has its own; leave one of them out"
                );
                return Err(CommandError::Usage { message });
            }
        }
        self.check_pairs()?;
        if (self.adjust_wind == Some(Adjustment::Behaveplus)) != self.crown_ratio.is_some() {
            let message = "--adjust-wind behaveplus and --crown-ratio belong together: give both or neither".into();
            return Err(CommandError::Usage { message });
        }
        // This can only come from a changed result.
        if self.random_weather && self.weather.is_none() {
            let message = "--random-weather needs --weather, whose rows are drawn: leave it out, or give them".into();
            return Err(CommandError::Usage { message });
        }
        if !of_files {
            memory::check_ground(self.side, EACH, memory::available())?;
        }
        let mut files = InputFiles::default();
        let model = self.fire(&mut files).and_then(Fire::check).map_err(|error| {
            match (self.fuel.as_ref().or(self.landscape.as_ref()), error) {
                (Some(path), error @ FireError::NothingBurns) => {
                    FireError::Read { file: path.as_ref().display().to_string(), cause: error.to_string() }
                }
                (_, error) => error,
            }
        })?;
        let prepared = model.prepared(&self.replications.numbers())?;
        Ok((prepared.unwrap_or(model), files.list()))
    }

    /// Repeats checks of clap, for a result that was changed.
    fn check_pairs(&self) -> Result<(), CommandError> {
        let pairs = [
            ("--slope", &self.slope, "--aspect", &self.aspect),
            ("--canopy-cover", &self.canopy_cover, "--canopy-height", &self.canopy_height),
        ];
        for (one, first, other, second) in pairs {
            if first.is_some() != second.is_some() {
                let message = format!("{one} and {other} belong together: give both or neither");
                return Err(CommandError::Usage { message });
            }
        }
        let in_landscape = [
            ("--fuel", &self.fuel),
            ("--elevation", &self.elevation),
            ("--slope", &self.slope),
            ("--canopy-cover", &self.canopy_cover),
        ];
        match in_landscape.iter().find(|(_, given)| given.is_some() && self.landscape.is_some()) {
            Some((option, _)) => {
                let message = format!("{option} is in the --landscape already: leave one of them out");
                Err(CommandError::Usage { message })
            }
            None => Ok(()),
        }
    }

    fn fire(&self, files: &mut InputFiles) -> Result<Fire, FireError> {
        let landscape = self.ground(files)?;
        let listed = self.ignitions.as_ref().map(|path| match Ignition::is_geojson(path.as_ref()) {
            true => files.parsed(path, Kind::Places, Ignition::of_geojson),
            false => files.parsed(path, Kind::Table, Ignition::parse),
        });
        let listed = listed.transpose()?;
        let weather = self.weather.as_ref().map(|path| self.read_weather(path, files)).transpose()?;
        let given = self.ignite.iter().map(Spot::ignition);
        let of_files = self.fuel.is_some() || self.landscape.is_some();
        let usual = || if of_files { Weather::still() } else { Weather::breeze() };
        let fire = Fire::new(landscape, weather.unwrap_or_else(usual))
            .ignite(given.chain(listed.unwrap_or_default()))
            .wind_limit(self.wind_limit.into())
            .length_to_width(self.length_to_width.into())
            .spreading(self.spread.into())
            .until(self.until)
            .seed(self.seed);
        let by = self.adjust_wind.map(|program| match (program, self.crown_ratio) {
            (Adjustment::Behaveplus, Some(crown_ratio)) => WindAdjustment::BehavePlus { crown_ratio },
            _ => WindAdjustment::FlamMap,
        });
        let fire = if let Some(by) = by { fire.adjust_wind(by) } else { fire };
        Ok(if self.random_weather { fire.random_weather() } else { fire })
    }
}

fn minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse().ok().filter(|minutes: &f64| *minutes > 0.0 && minutes.is_finite());
    minutes.ok_or_else(|| "it takes a number of minutes above 0".into())
}
