//! Studies: one model at many points. `tickless experiment` takes the points of a network file from a design, `tickless optimize` searches
//! among them, and `tickless experiment phold` and the like make them of the options of any other model (a sweep). They differ in their
//! arguments, in how their points run and in their findings; points, measures, tables and pictures are the same.

mod arguments;
mod effects;
mod experiment;
mod lines;
mod optimize;
mod pictures;
mod points;
mod sweep;
mod text;

pub use experiment::ExperimentCase;
pub use optimize::OptimizeCase;
pub use sweep::{Sweep, SweepCase};

use crate::case::{Case, Written};
use crate::output::write_csv;
use arguments::PointsFile;
use points::{Grid, PointReport, Seen};

/// The figures of a study, which have its points.
trait Figures {
    type Seen: Seen;

    fn points(&self) -> (&Grid, &[PointReport<Self::Seen>]);
}

/// The file of `--points`.
fn written<C: Case<Figures: Figures>>(files: &PointsFile) -> Vec<Written<'_, C>> {
    let points = Written::asked("--points", files.points.as_ref(), |_: &C, _, figures: &C::Figures, out| {
        let (grid, points) = figures.points();
        write_csv(out, lines::lines(grid, points))
    });
    points.into_iter().collect()
}

#[cfg(test)]
mod tests;
