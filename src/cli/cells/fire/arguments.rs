//! What `tickless cells fire` takes.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::FireKind;
use crate::RunError;
use crate::cells::fire::{Fire, Grid, Ignition, Landscape, Weather, WindLimit};
use crate::cli::CommandError;
use crate::cli::arguments::{time, whole};
use crate::cli::cells::arguments::{ComparedArguments, RunArguments};

#[derive(Debug, Args)]
pub struct FireArguments {
    #[command(flatten)]
    model: FireModelArguments,
    #[command(flatten)]
    pub run: RunArguments,
    #[command(flatten)]
    pub outputs: FireOutputArguments,
}

#[derive(Debug, Args)]
pub struct CompareFireArguments {
    #[command(flatten)]
    model: FireModelArguments,
    #[command(flatten)]
    pub compared: ComparedArguments,
}

impl FireArguments {
    /// The model, checked.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn kind(&self) -> Result<FireKind, CommandError> {
        self.model.kind()
    }
}

impl CompareFireArguments {
    /// The model, checked.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn kind(&self) -> Result<FireKind, CommandError> {
        self.model.kind()
    }
}

/// Further files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct FireOutputArguments {
    /// Also write when each cell took fire, in minutes, to this ESRI ASCII grid (of the first replication)
    #[arg(long, value_name = "FILE")]
    pub arrival: Option<PathBuf>,
    /// Also draw that to this PNG file; with several replications how many of them reached each cell
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// Lines in the picture every so many minutes
    #[arg(long, value_name = "MINUTES", value_parser = isochrones, requires = "picture", allow_negative_numbers = true)]
    pub isochrones: Option<f64>,
    /// Also write area and perimeter over time to this CSV file (of the first replication)
    #[arg(long, value_name = "FILE")]
    pub growth: Option<PathBuf>,
    /// Also write the share of replications that reached each cell to this ESRI ASCII grid
    #[arg(long, value_name = "FILE")]
    pub probability: Option<PathBuf>,
}

/// Whether the effective wind is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Limit {
    /// It is not (Andrews, Cruz and Rothermel 2013)
    None,
    /// To 0.9 times the reaction intensity (Rothermel 1972)
    Rothermel,
}

/// The model; every option has a default.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
struct FireModelArguments {
    /// Fuel models, an ESRI ASCII grid: Anderson's 1 to 13, Scott and Burgan's 101 to 204, 91 to 99 for what never burns;
    /// without it a landscape is made up from the seed
    #[arg(long, value_name = "FILE", conflicts_with = "side")]
    fuel: Option<PathBuf>,
    /// Heights in metres, an ESRI ASCII grid [default: flat]
    #[arg(long, value_name = "FILE", requires = "fuel")]
    elevation: Option<PathBuf>,
    /// Where fire never enters, an ESRI ASCII grid of 1 there and 0 elsewhere
    #[arg(long, value_name = "FILE", requires = "fuel")]
    suppressed: Option<PathBuf>,
    /// Columns and rows of a landscape that is made up
    #[arg(long, value_name = "N", value_parser = whole::<u32>, default_value_t = 512, allow_negative_numbers = true)]
    side: u32,
    /// Wind and moisture, a CSV file whose columns docs/cells.md describes [default: no wind, dry fuel]
    #[arg(long, value_name = "FILE")]
    weather: Option<PathBuf>,
    /// Each replication has one row of the weather throughout, drawn of all
    #[arg(long, requires = "weather")]
    random_weather: bool,
    /// A cell that burns from the start, or from a minute on, counted from the north-west; may be given several times
    /// [default: a cell drawn from the seed]
    #[arg(long, value_name = "COLUMN,ROW[@MINUTE]", value_parser = ignition)]
    ignite: Vec<Ignition>,
    /// Points and polygons of the map that burn from a minute on, a CSV file
    #[arg(long, value_name = "FILE")]
    ignitions: Option<PathBuf>,
    /// Whether the effective wind is limited
    #[arg(long, value_name = "NAME", default_value = "none")]
    wind_limit: Limit,
    /// The horizon, in minutes: what takes fire before it
    #[arg(long, value_name = "T", value_parser = time, default_value_t = 1440.0, allow_negative_numbers = true)]
    until: f64,
    /// How many fires, each on a landscape of its own: from cells drawn from the seed, or with rows of weather that are
    #[arg(long, value_name = "R", value_parser = whole::<u32>, default_value_t = 1, allow_negative_numbers = true)]
    replications: u32,
    /// One seed, one set of fires
    #[arg(long, value_name = "S", value_parser = whole::<u64>, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
}

impl FireModelArguments {
    fn kind(&self) -> Result<FireKind, CommandError> {
        let model = self.fire().and_then(Fire::check).map_err(RunError::from)?;
        let wind_limit = match self.wind_limit {
            Limit::None => "none",
            Limit::Rothermel => "rothermel",
        };
        Ok(FireKind { model, seed: self.seed, made_up: self.fuel.is_none(), wind_limit, isochrones: None })
    }

    fn fire(&self) -> Result<Fire, crate::cells::fire::FireError> {
        let grid = |path: &Option<PathBuf>| path.as_deref().map(Grid::read).transpose();
        let landscape = match &self.fuel {
            None => Landscape::made_up(self.side, self.side, self.seed)?,
            Some(path) => {
                let (elevation, suppressed) = (grid(&self.elevation)?, grid(&self.suppressed)?);
                Landscape::from_grids(&Grid::read(path)?, elevation.as_ref(), suppressed.as_ref())?
            }
        };
        let read = |path: &Path| Ignition::read(path);
        let listed = self.ignitions.as_deref().map(read).transpose()?.unwrap_or_default();
        let weather = self.weather.as_deref().map(Weather::read).transpose()?.unwrap_or_else(Weather::still);
        let limit = match self.wind_limit {
            Limit::None => WindLimit::None,
            Limit::Rothermel => WindLimit::Rothermel,
        };
        let fire = Fire::new(landscape, weather)
            .ignite(self.ignite.iter().cloned().chain(listed))
            .wind_limit(limit)
            .until(self.until)
            .replications(self.replications)
            .seed(self.seed);
        Ok(if self.random_weather { fire.random_weather() } else { fire })
    }
}

fn isochrones(text: &str) -> Result<f64, String> {
    let minutes = text.parse().ok().filter(|minutes: &f64| *minutes > 0.0 && minutes.is_finite());
    minutes.ok_or_else(|| "it takes a number of minutes above 0".into())
}

fn ignition(text: &str) -> Result<Ignition, String> {
    let parse = || {
        let (place, minute) = text.split_once('@').unwrap_or((text, "0"));
        let (column, row) = place.split_once(',')?;
        Some(Ignition::cell(column.trim().parse().ok()?, row.trim().parse().ok()?).at(minute.trim().parse().ok()?))
    };
    parse().ok_or_else(|| "it takes COLUMN,ROW or COLUMN,ROW@MINUTE, as in 100,40 or 100,40@30".into())
}
