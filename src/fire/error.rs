//! What can be wrong with a fire and its files.

use super::fuel::FUELS;
use tickless_cells::SpaceError;
use tickless_core::memory::NoMemory;
use tickless_core::number::Written;

/// A value of a grid, where there may be none.
fn measured(value: f64) -> String {
    if value.is_nan() { "no data".into() } else { Written(value).to_string() }
}

/// Why a fire cannot run, or a file not be read.
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
    /// More memory than there is.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// A file that the system does not give, or that is no text.
    #[error("{file}: {cause}")]
    Read {
        /// Its name.
        file: String,
        /// What the system says.
        cause: String,
    },
    /// A word, a column or a keyword that means nothing there.
    #[error("{file}, line {line}: {word:?} is not known here; known are {known}")]
    Unknown {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The word.
        word: String,
        /// What may stand there.
        known: String,
    },
    /// Something that the file must have.
    #[error("{file} has no {what}: add it")]
    Missing {
        /// The file's name.
        file: String,
        /// What it lacks.
        what: String,
    },
    /// Something that may be there once.
    #[error("{file}, line {line}: {what} is there twice; give it once")]
    Twice {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What it is.
        what: String,
    },
    /// A value that is no number, or none that is allowed.
    #[error("{file}, line {line}: {what} is {value:?}; it must be {allowed}")]
    Value {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What it is the value of.
        what: String,
        /// The value as it is written.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A grid with too few or too many values.
    #[error("{file}, line {line}: the grid has {found} values there; its header says {expected}")]
    Count {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: u64,
        /// How many there are at least.
        found: u64,
        /// How many there must be.
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
        /// How many the line has.
        found: u64,
        /// How many the header has.
        expected: u64,
    },
    /// Grids that do not lie on each other.
    #[error("{file} is {found}, and {other} is {expected}: all grids must have the same cells")]
    Shape {
        /// The grid.
        file: String,
        /// What it is.
        found: String,
        /// The grid of the fuels.
        other: String,
        /// What that is.
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
        /// Where in it.
        place: String,
        /// The value.
        value: String,
    },
    /// A value in a cell that is not allowed.
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
        /// The value; not a number where there is none.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// Ground that is all but upright, or a slope that is no number.
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
    /// A size of the cells that is none.
    #[error("cells are {} m wide; they must be from 0.01 to 100000 m wide", Written(*.metres))]
    CellSize {
        /// The width asked.
        metres: f64,
    },
    /// A space that is none.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A fuel that is no standard fuel model.
    #[error("fuel {number} is no fuel model: use {FUELS}")]
    Fuel {
        /// The number.
        number: u16,
    },
    /// No cell can burn.
    #[error("no cell can burn: every cell has ground that never burns, is suppressed, or has no fuel; give one a fuel")]
    NothingBurns,
    /// An ignition where there is no fire.
    #[error("{from}the ignition at {place} {why}")]
    Ignition {
        /// The file and the line that it is from, as a message begins with them; empty where there is no file.
        from: String,
        /// The cell or the point as it was given.
        place: String,
        /// Why not, and what to do.
        why: String,
    },
    /// A time that is none.
    #[error("{what} is {} minutes; it must be {allowed}", Written(*.minutes))]
    Time {
        /// What it is the time of.
        what: &'static str,
        /// The time given.
        minutes: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// No weather.
    #[error("there are no rows of weather: give one at least")]
    NoWeather,
    /// Rows that follow from each other, drawn.
    #[error("rows of weather whose dead fuel dries follow from each other: give their moistures, or draw none of them")]
    DryingAtRandom,
    /// A landscape without trees where they make the wind.
    #[error(
        "the landscape does not say where trees stand: give one with canopy cover and height, or do not let them make the wind"
    )]
    NoTrees,
    /// A wind adjustment of 0, of which the law of length to width cannot make the wind at 10 m.
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
        /// How many there must be.
        expected: usize,
    },
}
