//! The files of `tickless cells fire`.

use std::io::Write;

use super::FireCase;
use super::arguments::FireFiles;
use crate::cells::CellOutcome;
use crate::cells::fire::{Arrivals, BurnCounts};
use crate::cli::CommandError;
use crate::cli::output::Written;

/// Digits of minutes in a grid, and of shares.
const DIGITS: usize = 4;
/// Rows of a table of growth, about.
const ROWS: f64 = 100.0;

/// What is to be written into the files that were asked for.
pub fn files(files: &FireFiles) -> Vec<Written<'_, FireCase>> {
    let arrival = Written::asked("--arrival", files.arrival.as_ref(), |case: &FireCase, run, _, out| {
        case.arrivals(&run.outcome, 0).grid().write(&mut { out }, DIGITS).map_err(CommandError::Output)
    });
    let picture = Written::asked("--picture", files.picture.as_ref(), |case: &FireCase, run, _, out| {
        case.picture(&run.outcome, out)
    });
    let growth = Written::asked("--growth", files.growth.as_ref(), |case: &FireCase, run, _, out| {
        case.growth(&run.outcome, out)
    });
    let probability = Written::asked("--probability", files.probability.as_ref(), |case: &FireCase, run, _, out| {
        case.counts(&run.outcome)?.probability().write(&mut { out }, DIGITS).map_err(CommandError::Output)
    });
    [arrival, picture, growth, probability].into_iter().flatten().collect()
}

impl FireCase {
    fn counts(&self, outcome: &CellOutcome) -> Result<BurnCounts, CommandError> {
        let mut counts = BurnCounts::new(self.model.description().landscape().frame());
        for replication in 0..outcome.replications {
            counts.add(&self.arrivals(outcome, replication))?;
        }
        Ok(counts)
    }

    fn picture(&self, outcome: &CellOutcome, out: &mut dyn Write) -> Result<(), CommandError> {
        let landscape = self.model.description().landscape();
        let written = if outcome.replications > 1 {
            self.counts(outcome)?.write_picture(landscape, out)
        } else {
            self.arrivals(outcome, 0).write_picture(landscape, self.isochrones, out)
        };
        written.map_err(CommandError::Output)
    }

    /// About a hundred rows, at whole minutes where that is long enough.
    fn growth(&self, outcome: &CellOutcome, out: &mut dyn Write) -> Result<(), CommandError> {
        let arrivals = self.arrivals(outcome, 0);
        let step = (arrivals.last().map_or(0.0, |last| last.units()) / ROWS).ceil().max(1.0);
        let growth = arrivals.growth(step)?;
        Arrivals::write_growth(&growth, &mut { out }).map_err(CommandError::Output)
    }
}
