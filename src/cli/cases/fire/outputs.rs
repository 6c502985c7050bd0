//! The files of `tickless cells fire`.

use std::borrow::Cow;
use std::io::Write;

use super::FireCase;
use crate::cells::CellOutcome;
use crate::cells::fire::{Arrivals, BurnCounts, FireModel};
use crate::cli::CommandError;
use crate::memory::{self, NoMemory};

/// Digits of minutes in a grid, and of shares.
const DIGITS: usize = 4;
/// Rows of a table of growth, about.
const ROWS: f64 = 100.0;

/// When the cells of the first replication took fire.
pub fn arrival(model: &FireModel, outcome: &CellOutcome, out: &mut dyn Write) -> Result<(), CommandError> {
    check_room(outcome)?;
    Arrivals::of(model, outcome, 0).grid().write(&mut { out }, DIGITS).map_err(CommandError::Output)
}

/// The share of replications that reached each cell.
pub fn probability(case: &FireCase, outcome: &CellOutcome, out: &mut dyn Write) -> Result<(), CommandError> {
    counts(case, outcome)?.probability().write(&mut { out }, DIGITS).map_err(CommandError::Output)
}

fn counts<'a>(case: &'a FireCase, outcome: &CellOutcome) -> Result<Cow<'a, BurnCounts>, CommandError> {
    if let Some(counts) = &case.burnt {
        return Ok(Cow::Borrowed(counts));
    }
    check_room(outcome)?;
    Ok(Cow::Owned(BurnCounts::of(&case.model, outcome)))
}

/// Either of them, with lines every so many minutes where there is one replication.
pub fn picture(case: &FireCase, outcome: &CellOutcome, out: &mut dyn Write) -> Result<(), CommandError> {
    check_room(outcome)?;
    let written = if outcome.replications > 1 || case.burnt.is_some() {
        counts(case, outcome)?.write_picture(&case.model, out)
    } else {
        Arrivals::of(&case.model, outcome, 0).write_picture(&case.model, case.isochrones, out)
    };
    written.map_err(CommandError::Output)
}

/// About a hundred rows, at whole minutes where that is long enough.
pub fn growth(model: &FireModel, outcome: &CellOutcome, out: &mut dyn Write) -> Result<(), CommandError> {
    check_room(outcome)?;
    let arrivals = Arrivals::of(model, outcome, 0);
    let step = (arrivals.last().map_or(0.0, |last| last.units()) / ROWS).ceil().max(1.0);
    let growth = arrivals.growth(step)?;
    Arrivals::write_growth(&growth, &mut { out }).map_err(CommandError::Output)
}

/// Of a file: times, counts and values of the cells of one replication.
fn check_room(outcome: &CellOutcome) -> Result<(), NoMemory> {
    memory::room::<[u64; 3]>(outcome.cells(), "the cells of the file")
}
