//! The files of `tickless cells fire`.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::FireCase;
use super::arguments::FireFiles;
use crate::CommandError;
use crate::case::Written;
use tickless_cells::CellOutcome;
use tickless_core::memory::{self, NoMemory};
use tickless_core::time::Time;
use tickless_fire::{
    Arrivals, BurnCounts, FireModel, Grid, Measure, RasterFormat, conditional_flame_length, write_map,
};

/// Digits of minutes in a grid, and of shares.
const DIGITS: usize = 4;
/// The approximate number of rows in a table of growth.
const ROWS: f64 = 100.0;

/// All files that the options ask for.
pub fn all(files: &FireFiles) -> Vec<Written<'_, FireCase>> {
    let found = [
        grid("--arrival", &files.arrival, arrival),
        grid("--picture", &files.picture, |case, outcome, _, out| picture(case, outcome, out)),
        grid("--growth", &files.growth, |case, outcome, _, out| growth(&case.model, outcome, out)),
        grid("--perimeters", &files.perimeters, |case, outcome, _, out| perimeters(case, outcome, files, out)),
        grid("--rate-of-spread", &files.rate_of_spread, measured(Measure::RateOfSpread)),
        grid("--direction", &files.direction, measured(Measure::Direction)),
        grid("--intensity", &files.intensity, measured(Measure::Intensity)),
        grid("--flame-length", &files.flame_length, measured(Measure::FlameLength)),
        grid("--probability", &files.probability, probability),
        grid("--conditional-flame-length", &files.conditional_flame_length, flame_length),
        Written::asked("--shard", files.shard.as_ref(), |case: &FireCase, run, _, out| {
            crate::shard::write(case, run, out)
        }),
    ];
    found.into_iter().flatten().collect()
}

/// A file of the cells, if asked for.
fn grid<'a>(
    option: &'static str,
    path: &'a Option<PathBuf>,
    write: impl FnOnce(&FireCase, &CellOutcome, &Path, &mut dyn Write) -> Result<(), CommandError> + 'a,
) -> Option<Written<'a, FireCase>> {
    let path = path.as_ref()?;
    Written::asked(option, Some(path), move |case: &FireCase, run, _, out| write(case, &run.outcome, path, out))
}

/// When the cells of the first replication took fire.
fn arrival(case: &FireCase, outcome: &CellOutcome, path: &Path, out: &mut dyn Write) -> Result<(), CommandError> {
    check_room(outcome)?;
    let arrivals = Arrivals::of(&case.model, outcome, 0);
    if RasterFormat::of(path) == RasterFormat::Picture {
        let first = outcome.first_replication;
        return arrivals.write_picture(&case.model, first, case.isochrones, out).map_err(CommandError::Output);
    }
    write(case, None, arrivals.grid(), "min", path, out)
}

/// Writes a measured value of each cell in the first replication.
fn measured(
    measure: Measure,
) -> impl FnOnce(&FireCase, &CellOutcome, &Path, &mut dyn Write) -> Result<(), CommandError> {
    move |case, outcome, path, out| {
        check_room(outcome)?;
        let first = outcome.first_replication;
        let grid = Arrivals::of(&case.model, outcome, 0).measure(&case.model, first, measure);
        write(case, Some(first), grid, measure.unit(), path, out)
    }
}

/// The share of replications that reached each cell.
fn probability(case: &FireCase, outcome: &CellOutcome, path: &Path, out: &mut dyn Write) -> Result<(), CommandError> {
    let counts = counts(case, outcome)?;
    if RasterFormat::of(path) == RasterFormat::Picture {
        return counts.write_picture(&case.model, out).map_err(CommandError::Output);
    }
    write(case, None, counts.probability(), "", path, out)
}

/// The mean flame length of the replications that reached each cell.
fn flame_length(case: &FireCase, outcome: &CellOutcome, path: &Path, out: &mut dyn Write) -> Result<(), CommandError> {
    check_room(outcome)?;
    write(case, None, conditional_flame_length(&case.model, outcome)?, Measure::FlameLength.unit(), path, out)
}

/// The burnt area at some times, or every so many minutes.
fn perimeters(
    case: &FireCase,
    outcome: &CellOutcome,
    files: &FireFiles,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    check_room(outcome)?;
    let projection = case.model.description().landscape().projection();
    let arrivals = Arrivals::of(&case.model, outcome, 0).beyond_the_horizon(&case.model, outcome.first_replication);
    let times = match files.perimeters_at.as_slice() {
        [] => arrivals.times_every(files.perimeters_every)?,
        at => at.iter().filter_map(|minutes| Time::from_units(*minutes)).collect(),
    };
    let written = arrivals.write_perimeters(&times, projection, &mut { out });
    written.map_err(CommandError::Output)
}

/// A grid of a replication, or of several, in the format of the file's ending.
fn write(
    case: &FireCase,
    replication: Option<u32>,
    mut grid: Grid,
    unit: &str,
    path: &Path,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    grid.projection = case.model.description().landscape().projection().cloned();
    let written = match RasterFormat::of(path) {
        RasterFormat::Text => grid.write(&mut { out }, DIGITS),
        RasterFormat::GeoTiff => grid.write_geotiff(&mut { out }),
        RasterFormat::Picture => write_map(&case.model, replication, &grid, unit, out),
    };
    written.map_err(CommandError::Output)
}

fn counts<'a>(case: &'a FireCase, outcome: &CellOutcome) -> Result<Cow<'a, BurnCounts>, CommandError> {
    if let Some(counts) = &case.burnt {
        return Ok(Cow::Borrowed(counts));
    }
    check_room(outcome)?;
    Ok(Cow::Owned(BurnCounts::of(&case.model, outcome)))
}

/// A picture of either grid, with isochrones if there is one replication.
pub fn picture(case: &FireCase, outcome: &CellOutcome, out: &mut dyn Write) -> Result<(), CommandError> {
    check_room(outcome)?;
    let written = if outcome.replications > 1 || case.burnt.is_some() {
        counts(case, outcome)?.write_picture(&case.model, out)
    } else {
        Arrivals::of(&case.model, outcome, 0).write_picture(
            &case.model,
            outcome.first_replication,
            case.isochrones,
            out,
        )
    };
    written.map_err(CommandError::Output)
}

/// About a hundred rows, at whole minutes if the fire lasts long enough.
fn growth(model: &FireModel, outcome: &CellOutcome, out: &mut dyn Write) -> Result<(), CommandError> {
    check_room(outcome)?;
    let arrivals = Arrivals::of(model, outcome, 0);
    let step = (arrivals.last().map_or(0.0, |last| last.units()) / ROWS).ceil().max(1.0);
    let growth = arrivals.growth(step)?;
    Arrivals::write_growth(&growth, &mut { out }).map_err(CommandError::Output)
}

/// Checks the memory for a file: times, counts and values of the cells of one replication.
fn check_room(outcome: &CellOutcome) -> Result<(), NoMemory> {
    memory::room::<[u64; 3]>(outcome.cells(), "the cells of the file")
}
