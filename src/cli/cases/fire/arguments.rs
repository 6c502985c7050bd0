//! What `tickless cells fire` takes.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize, Serializer};

use crate::cells::fire::{
    Fire, FireError, FireModel, Grid, Ignition, LATEST, Landscape, Spreading, Weather, WindLimit,
};
use crate::cli::CommandError;
use crate::cli::arguments::{ranged, whole, within};
use crate::cli::inputs::{InputFile, InputFiles, InputPath};
use crate::cli::memory;
use crate::cli::replications::ReplicationRange;
use crate::reading::Kind;
use crate::time::Time;

/// Further files.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct FireFiles {
    /// Also write when each cell took fire, in minutes, to this ESRI ASCII grid (of the first replication)
    #[arg(long, value_name = "FILE")]
    pub arrival: Option<PathBuf>,
    /// Also draw that to this PNG file; with several replications how many of them reached each cell
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// Lines in the picture every so many minutes
    #[arg(long, value_name = "MINUTES", value_parser = isochrones, requires = "picture")]
    pub isochrones: Option<f64>,
    /// Also write area and perimeter over time to this CSV file (of the first replication)
    #[arg(long, value_name = "FILE")]
    pub growth: Option<PathBuf>,
    /// Also write the share of replications that reached each cell to this ESRI ASCII grid
    #[arg(long, value_name = "FILE")]
    pub probability: Option<PathBuf>,
    /// Also write what tickless merge needs to put these fires together with others
    #[arg(long, value_name = "FILE")]
    pub shard: Option<PathBuf>,
}

/// Whether the effective wind is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// It is not (Andrews, Cruz and Rothermel 2013)
    None,
    /// To 0.9 times the reaction intensity (Rothermel 1972)
    Rothermel,
}

impl Limit {
    /// As it is given.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Rothermel => "rothermel",
        }
    }
}

/// How fire comes from cell to cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spread {
    /// As fronts, straight from between two cells: fires have the shape of their ellipses
    Fronts,
    /// From each of the eight neighbours alone: fires have eight corners, and are too small where the wind blows
    Neighbours,
}

impl Spread {
    /// As it is given.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fronts => "fronts",
            Self::Neighbours => "neighbours",
        }
    }

    /// Of results that do not say it: there was nothing else.
    fn neighbours() -> Self {
        Self::Neighbours
    }
}

impl From<Spread> for Spreading {
    fn from(spread: Spread) -> Self {
        match spread {
            Spread::Fronts => Self::Fronts,
            Spread::Neighbours => Self::Neighbours,
        }
    }
}

/// A cell that burns from a minute on.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Spot {
    column: u32,
    row: u32,
    minute: f64,
}

impl FromStr for Spot {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = || {
            let (place, minute) = text.split_once('@').unwrap_or((text, "0"));
            let (column, row) = place.split_once(',')?;
            let [column, row] = [column, row].map(|along| along.trim().parse().ok());
            Some(Self { column: column?, row: row?, minute: minute.trim().parse().ok()? })
        };
        parse().filter(|spot: &Self| (0.0..=LATEST).contains(&spot.minute)).ok_or_else(|| {
            "it takes COLUMN,ROW or COLUMN,ROW@MINUTE, as in 100,40 or 100,40@30: columns and rows are whole numbers from 0, \
             minutes numbers from 0 to 2^31"
                .into()
        })
    }
}

impl TryFrom<String> for Spot {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}@{}", self.column, self.row, self.minute)
    }
}

impl Serialize for Spot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The model; every option has a default. `docs/json.md` describes each: results have them, and reruns read them.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Model")]
#[serde(deny_unknown_fields)]
pub struct FireArguments {
    /// Fuel models, an ESRI ASCII grid: Anderson's 1 to 13, Scott and Burgan's 101 to 204, 91 to 99 for what never burns;
    /// without it a landscape is made up from the seed
    #[arg(long, value_name = "FILE", conflicts_with = "side")]
    pub fuel: Option<InputPath>,
    /// Heights in metres, an ESRI ASCII grid [default: flat]
    #[arg(long, value_name = "FILE", requires = "fuel")]
    pub elevation: Option<InputPath>,
    /// Where fire never enters, an ESRI ASCII grid of 1 there and 0 elsewhere
    #[arg(long, value_name = "FILE", requires = "fuel")]
    pub suppressed: Option<InputPath>,
    /// Columns and rows of a landscape that is made up
    #[arg(long, value_name = "N", value_parser = side, default_value_t = 512)]
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
    /// Points and polygons of the map that burn from a minute on, a CSV file
    #[arg(long, value_name = "FILE")]
    pub ignitions: Option<InputPath>,
    /// Whether the effective wind is limited
    #[arg(long, value_name = "NAME", default_value = "none")]
    pub wind_limit: Limit,
    /// How fire comes from cell to cell
    #[arg(long, value_name = "HOW", default_value = "fronts")]
    #[serde(default = "Spread::neighbours")]
    pub spread: Spread,
    /// The horizon, in minutes: what takes fire before it
    #[arg(long, value_name = "T", value_parser = horizon, default_value_t = 1440.0)]
    pub until: f64,
    /// How many fires, each on a landscape of its own: from cells drawn from the seed, or with rows of weather that are.
    /// A..B runs those from A to B - 1 of a larger number, for --shard
    #[arg(long, value_name = "R-or-A..B", default_value = "1")]
    pub replications: ReplicationRange,
    /// One seed, one set of fires
    #[arg(long, value_name = "S", value_parser = whole::<u64>, default_value_t = 1)]
    pub seed: u64,
}

/// Reads a grid of a text by the name of its file.
type Parse = fn(&str, &str) -> Result<Grid, FireError>;

/// The side of the largest square: the delays from each cell to its eight neighbours are numbered in 32 bits.
const MOST_SIDE: u32 = 23_170;
/// Bytes of a cell: its ground, how long a fire takes to pass it each way, and from that its delays.
const EACH: u64 = 125;

impl FireArguments {
    /// The model, checked, and the files that it was read from.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn check(&self) -> Result<(FireModel, Vec<InputFile>), CommandError> {
        // Where --side is given, clap lets them go without what they need.
        for (option, given) in [("--elevation", &self.elevation), ("--suppressed", &self.suppressed)] {
            if given.is_some() && self.fuel.is_none() {
                let message =
                    format!("{option} needs --fuel: a landscape that is made up has its own; leave one of them out");
                return Err(CommandError::Usage { message });
            }
        }
        // Where a result was changed.
        if self.random_weather && self.weather.is_none() {
            let message = "--random-weather needs --weather, whose rows are drawn: leave it out, or give them".into();
            return Err(CommandError::Usage { message });
        }
        if self.fuel.is_none() {
            memory::check_ground(self.side, EACH, memory::available())?;
        }
        let mut files = InputFiles::default();
        let model = self.fire(&mut files).and_then(Fire::check).map_err(|error| match (&self.fuel, error) {
            (Some(path), error @ FireError::NothingBurns) => {
                FireError::Read { file: path.as_ref().display().to_string(), cause: error.to_string() }
            }
            (_, error) => error,
        })?;
        Ok((model, files.list()))
    }

    fn fire(&self, files: &mut InputFiles) -> Result<Fire, FireError> {
        let landscape = match &self.fuel {
            None => Landscape::made_up(self.side, self.side, self.seed)?,
            Some(path) => {
                let mut grid = |path: &InputPath, parse: Parse| files.parsed(path, Kind::Grid, parse);
                let fuel = grid(path, Grid::parse_fuels)?;
                let elevation = self.elevation.as_ref().map(|path| grid(path, Grid::parse)).transpose()?;
                let suppressed = self.suppressed.as_ref().map(|path| grid(path, Grid::parse_suppressed)).transpose()?;
                Landscape::from_grids(&fuel, elevation.as_ref(), suppressed.as_ref())?
            }
        };
        let listed =
            self.ignitions.as_ref().map(|path| files.parsed(path, Kind::Table, Ignition::parse)).transpose()?;
        let weather = self.weather.as_ref().map(|path| files.parsed(path, Kind::Table, Weather::parse)).transpose()?;
        let given = self.ignite.iter().map(|spot| Ignition::cell(spot.column, spot.row).at(spot.minute));
        let limit = match self.wind_limit {
            Limit::None => WindLimit::None,
            Limit::Rothermel => WindLimit::Rothermel,
        };
        let usual = || if self.fuel.is_some() { Weather::still() } else { Weather::breeze() };
        let fire = Fire::new(landscape, weather.unwrap_or_else(usual))
            .ignite(given.chain(listed.unwrap_or_default()))
            .wind_limit(limit)
            .spreading(self.spread.into())
            .until(self.until)
            .replication_range(self.replications.numbers())
            .seed(self.seed);
        Ok(if self.random_weather { fire.random_weather() } else { fire })
    }
}

fn side(text: &str) -> Result<u32, String> {
    within(text, 1..=MOST_SIDE)
}

fn horizon(text: &str) -> Result<f64, String> {
    ranged(text, Time::from_ticks(1).units()..=LATEST, "of minutes from 2^-32 (a tick) to 2^31 (fronts: 2^28)")
}

fn isochrones(text: &str) -> Result<f64, String> {
    let minutes = text.parse().ok().filter(|minutes: &f64| *minutes > 0.0 && minutes.is_finite());
    minutes.ok_or_else(|| "it takes a number of minutes above 0".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spot_reads_back_as_it_is_written() {
        for (given, written) in [("3,4", "3,4@0"), (" 3 , 4@ 0.1", "3,4@0.1"), ("0,9@1e-9", "0,9@0.000000001")] {
            let spot: Spot = given.parse().unwrap();
            assert_eq!(spot.to_string(), written);
            let json = serde_json::to_string(&spot).unwrap();
            assert_eq!((serde_json::from_str::<Spot>(&json).unwrap(), json), (spot, format!("{written:?}")));
        }
        assert!(["3", "3,4@", "-1,0", "3,4,5"].iter().all(|text| text.parse::<Spot>().is_err()));
    }
}
