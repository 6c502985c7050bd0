//! Errors of a fire and its files.

use super::fuel::FUELS;
use tickless_cells::SpaceError;
use tickless_core::memory::NoMemory;
use tickless_core::number::Written;

/// The text of a value of a grid, which may be missing.
fn measured(value: f64) -> String {
    if value.is_nan() { "no data".into() } else { Written(value).to_string() }
}

/// Why a fire cannot run, or a file cannot be read.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{Fire, FireError, Landscape, Weather};
/// let ground = Landscape::uniform(9, 9, 30.0, 99)?;
/// let error = Fire::new(ground, Weather::still()).check().unwrap_err();
/// assert!(matches!(error, FireError::NothingBurns));
/// # Ok::<(), FireError>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FireError {
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// A file that the system cannot read, or that is no text.
    #[error("{file}: {cause}")]
    Read {
        /// Its name.
        file: String,
        /// The system's error.
        cause: String,
    },
    /// An unknown word, column or keyword.
    #[error("{file}, line {line}: {word:?} is not known here; known are {known}")]
    Unknown {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The word.
        word: String,
        /// The known ones.
        known: String,
    },
    /// A missing part of a file.
    #[error("{file} has no {what}: add it")]
    Missing {
        /// The file's name.
        file: String,
        /// The missing part.
        what: String,
    },
    /// A part that may be there only once.
    #[error("{file}, line {line}: {what} is there twice; give it once")]
    Twice {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The part.
        what: String,
    },
    /// A value that is no number, or not allowed.
    #[error("{file}, line {line}: {what} is {value:?}; it must be {allowed}")]
    Value {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The quantity.
        what: String,
        /// The value as it is written.
        value: String,
        /// The allowed values.
        allowed: String,
    },
    /// A grid with too few or too many values.
    #[error("{file}, line {line}: the grid has {found} values there; its header says {expected}")]
    Count {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: u64,
        /// How many values it has at least.
        found: u64,
        /// How many values it must have.
        expected: u64,
    },
    /// A line of a table with more or fewer fields than its header.
    #[error(
        "{file}, line {line}: there are {found} fields, and the header has {expected} columns: give each column one"
    )]
    Fields {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The fields of the line.
        found: u64,
        /// The fields of the header.
        expected: u64,
    },
    /// Grids that do not cover the same cells.
    #[error("{file} is {found}, and {other} is {expected}: all grids must have the same cells")]
    Shape {
        /// The grid.
        file: String,
        /// Its place.
        found: String,
        /// The grid of the fuels.
        other: String,
        /// The place of that grid.
        expected: String,
    },
    /// A grid that does not reach all cells that burn.
    #[error("{file} is {found}, and {other} is {expected}: it must reach all cells that burn, with cells of any size")]
    Reach {
        /// The grid.
        file: String,
        /// Its place.
        found: String,
        /// The landscape.
        other: String,
        /// The place of that.
        expected: String,
    },
    /// A fuel type of another system.
    #[error(
        "{file}, {place}: {value} is a fuel type of the Canadian Forest Fire Behavior Prediction System, whose fires tickless does \
         not have: give fuel models of Anderson or of Scott and Burgan, or of your own with --fuel-models"
    )]
    Canadian {
        /// The grid.
        file: String,
        /// The place in the grid.
        place: String,
        /// The value.
        value: String,
    },
    /// A value of a cell that is not allowed.
    #[error(
        "{file}: the value in column {column}, row {row} (from 0, north-west) is {}; it must be {allowed}",
        measured(*.value)
    )]
    Cell {
        /// The grid.
        file: String,
        /// The column, from 0 in the west.
        column: u32,
        /// The row, from 0 in the north.
        row: u32,
        /// The value; not a number where it is missing.
        value: f64,
        /// The allowed values.
        allowed: &'static str,
    },
    /// Ground that is nearly upright, or a slope that is no number.
    #[error(
        "{file}{}the slope in column {column}, row {row} (from 0, north-west) is {}; a rise per distance must be from -1000 to \
             1000: correct the heights around it",
        if file.is_empty() { "" } else { ": " }, Written(*.rise)
    )]
    Slope {
        /// The grid of heights; empty where there is no file.
        file: String,
        /// The column, from 0 in the west.
        column: u32,
        /// The row, from 0 in the north.
        row: u32,
        /// The rise per distance.
        rise: f64,
    },
    /// A size of the cells that is not allowed.
    #[error("cells are {} m wide; they must be from 0.01 to 100000 m wide", Written(*.metres))]
    CellSize {
        /// The width asked for.
        metres: f64,
    },
    /// An invalid space.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A number of no standard fuel model.
    #[error("fuel {number} is no fuel model: use {FUELS}")]
    Fuel {
        /// The number.
        number: u16,
    },
    /// No cell can burn.
    #[error("no cell can burn: every cell has ground that never burns, is suppressed, or has no fuel; give one a fuel")]
    NothingBurns,
    /// An ignition where nothing can burn.
    #[error("{from}the ignition at {place} {why}")]
    Ignition {
        /// Its file and line, as the beginning of a message; empty where it is from no file.
        from: String,
        /// The cell or the point as it was given.
        place: String,
        /// Why nothing burns there, and what to do.
        why: String,
    },
    /// A time that is not allowed.
    #[error("{what} is {} minutes; it must be {allowed}", Written(*.minutes))]
    Time {
        /// The name of the time.
        what: &'static str,
        /// The time given.
        minutes: f64,
        /// The allowed values.
        allowed: &'static str,
    },
    /// No weather.
    #[error("there are no rows of weather: give one at least")]
    NoWeather,
    /// Rows that follow from each other cannot be drawn.
    #[error("rows of weather whose dead fuel dries follow from each other: give their moistures, or draw none of them")]
    DryingAtRandom,
    /// A crown ratio that is not allowed.
    #[error("the crown ratio is {}; it must be from 0.1 to 1: the length of crowns as a share of the height of trees", Written(*.crown_ratio))]
    CrownRatio {
        /// The ratio asked for.
        crown_ratio: f64,
    },
    /// A wind adjustment of 0, from which the law of length to width cannot compute the wind at 10 m.
    #[error("Alexander's law needs the wind at 10 m: give wind adjustments above 0, or another law of length to width")]
    NoOpenWind,
    /// A table of delays that cannot be numbered.
    #[error("{rows} rows of weather on {cells} cells need 8 numbers each; there may be {most} in all: use fewer")]
    Delays {
        /// Rows of weather.
        rows: usize,
        /// Cells.
        cells: u32,
        /// The most delays.
        most: u64,
    },
    /// Arrival times of another landscape.
    #[error("there are {found} values of {expected}: give those of one replication of this landscape")]
    Results {
        /// How many there are.
        found: usize,
        /// The number of cells.
        expected: usize,
    },
}
