//! What the command knows of a kind of cells.

use serde::Serialize;

use super::inputs::InputFile;
use crate::cells::CellOutcome;
use crate::cells::gpu::DeviceCells;
use crate::cells::log::LogWord;
use crate::cli::text::Table;
use crate::time::Time;

/// A kind of cells: its model, and how it is shown.
pub trait Kind {
    /// The checked model.
    type Model: DeviceCells;
    /// What was asked for, with every default: what a rerun reads. `docs/json.md` describes each.
    type Arguments: Clone + Serialize;
    /// Its effective parameters. `docs/json.md` describes each.
    type Parameters: Serialize;
    /// The figures of a run. `docs/json.md` describes each.
    type Statistics: Serialize;

    /// Its name on the command line.
    const NAME: &'static str;
    /// Whether a software adapter is faster than the heap: where many cells are busy at a time and each does much.
    const IN_SOFTWARE: bool;

    fn model(&self) -> &Self::Model;
    fn arguments(&self) -> &Self::Arguments;
    /// The files that it was read from.
    fn inputs(&self) -> &[InputFile];
    fn seed(&self) -> Option<u64>;
    /// What can run, and is probably not meant.
    fn remarks(&self) -> Vec<String> {
        vec![]
    }
    /// What the words of an output mean.
    fn words(&self) -> Vec<LogWord>;
    fn parameters(&self) -> Self::Parameters;
    /// The figures of a run that is whole up to `clock`.
    fn statistics(&self, outcome: &CellOutcome, clock: Time) -> Self::Statistics;
    /// The parameters for people.
    fn describe(&self, table: &mut Table);
    /// The figures for people.
    fn tell(&self, statistics: &Self::Statistics, table: &mut Table);
}
