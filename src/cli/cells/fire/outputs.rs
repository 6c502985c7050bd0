//! The files of `tickless cells fire`.

use std::io;

use super::FireKind;
use super::arguments::FireOutputArguments;
use crate::RunError;
use crate::cells::CellOutcome;
use crate::cells::fire::{Arrivals, BurnCounts};
use crate::cli::CommandError;
use crate::cli::cells::Contents;
use crate::cli::facilities::RecordsFile;

/// Digits of minutes in a grid, and of shares.
const DIGITS: usize = 4;
/// Rows of a table of growth, about.
const ROWS: f64 = 100.0;

/// Opens the files that were asked for.
///
/// # Errors
/// A path that cannot be written.
pub fn files<'a>(
    kind: &'a FireKind,
    asked: &FireOutputArguments,
) -> Result<Vec<(RecordsFile, Contents<'a>)>, CommandError> {
    let mut files: Vec<(RecordsFile, Contents<'a>)> = vec![];
    if let Some(path) = &asked.arrival {
        let contents = |outcome: &CellOutcome| kind.written(|to| kind.arrivals(outcome, 0).grid().write(to, DIGITS));
        files.push((RecordsFile::open("--arrival", path)?, Box::new(contents)));
    }
    if let Some(path) = &asked.picture {
        files.push((RecordsFile::open("--picture", path)?, Box::new(|outcome| kind.picture(outcome))));
    }
    if let Some(path) = &asked.growth {
        files.push((RecordsFile::open("--growth", path)?, Box::new(|outcome| kind.growth(outcome))));
    }
    if let Some(path) = &asked.probability {
        let contents = |outcome: &CellOutcome| {
            let counts = kind.counts(outcome)?;
            kind.written(|to| counts.probability().write(to, DIGITS))
        };
        files.push((RecordsFile::open("--probability", path)?, Box::new(contents)));
    }
    Ok(files)
}

impl FireKind {
    fn written(&self, write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<Vec<u8>, CommandError> {
        let mut bytes = vec![];
        write(&mut bytes).map_err(CommandError::Output)?;
        Ok(bytes)
    }

    fn counts(&self, outcome: &CellOutcome) -> Result<BurnCounts, CommandError> {
        let mut counts = BurnCounts::new(self.model.description().landscape().frame());
        for replication in 0..outcome.replications {
            counts.add(&self.arrivals(outcome, replication)).map_err(RunError::from)?;
        }
        Ok(counts)
    }

    fn picture(&self, outcome: &CellOutcome) -> Result<Vec<u8>, CommandError> {
        let landscape = self.model.description().landscape();
        if outcome.replications > 1 {
            let counts = self.counts(outcome)?;
            return self.written(|to| counts.write_picture(landscape, to));
        }
        let arrivals = self.arrivals(outcome, 0);
        self.written(|to| arrivals.write_picture(landscape, self.isochrones, to))
    }

    /// About a hundred rows, at whole minutes where that is long enough.
    fn growth(&self, outcome: &CellOutcome) -> Result<Vec<u8>, CommandError> {
        let arrivals = self.arrivals(outcome, 0);
        let step = (arrivals.last().map_or(0.0, |last| last.units()) / ROWS).ceil().max(1.0);
        let growth = arrivals.growth(step).map_err(RunError::from)?;
        self.written(|to| Arrivals::write_growth(&growth, to))
    }
}
