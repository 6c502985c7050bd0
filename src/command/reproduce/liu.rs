//! Liu and Wainer 2012: a wildfire and a watershed on the Cell processor.

mod counts;
mod scale_up;
mod times;

use super::exhibit::Exhibit;
use super::lab::Lab;
use super::land::{fire, watershed};
use super::{CommandError, Paper};
use tickless_cells::gpu::DeviceCells;
use times::Workload;

pub const PAPER: Paper = Paper {
    name: "liu",
    title: "Multicore acceleration of Discrete Event System Specification systems",
    citation: "Q. Liu, G. Wainer. SIMULATION 88(7), 2012",
    repeat,
};

fn repeat(lab: &Lab<'_>, done: &mut Vec<Exhibit>) -> Result<(), CommandError> {
    let functions = Exhibit::left_out(
        "figure 21",
        "how the two functions that synchronize simulators scale with the processing elements",
        "they are vector kernels of the Cell's processing elements; here the minimum and the selection are steps within a round",
    );
    of(lab, (&times::FIRE, fire), Some(functions), done)?;
    of(lab, (&times::WATERSHED, watershed), None, done)
}

/// Makes a model of a side.
type Model<M> = fn(u32) -> Result<M, CommandError>;

/// The exhibits of a workload, and one among them that is left out.
fn of<M: DeviceCells + Sync>(
    lab: &Lab<'_>,
    (workload, model): (&Workload, Model<M>),
    left_out: Option<Exhibit>,
    done: &mut Vec<Exhibit>,
) -> Result<(), CommandError> {
    let sides = workload.sides(lab);
    let mut runs = vec![];
    for &side in &sides {
        runs.push(times::of(lab, workload, &model(side)?)?);
    }
    done.extend(counts::of(workload, &sides, &runs));
    done.push(times::total(workload, &sides, &runs));
    done.extend(left_out);
    done.push(times::by_sides(workload, &sides, &runs));
    done.push(times::speed_ups(workload, &sides, &runs));
    done.push(scale_up::figure(lab, workload, &sides, model)?);
    Ok(())
}
