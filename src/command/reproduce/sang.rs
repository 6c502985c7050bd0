//! Sang, Lee, Rego and King 2019: a window for queueing networks on a GPU.

mod bias;
mod causality;
mod speed;

use super::exhibit::Exhibit;
use super::lab::Lab;
use super::{CommandError, Paper};

pub const PAPER: Paper = Paper {
    name: "sang",
    title: "Experiences with implementing parallel discrete-event simulation on GPU",
    citation: "J. Sang, C.-R. Lee, V. Rego, C.-T. King. The Journal of Supercomputing, 2019",
    repeat,
};

/// The mean service time of all experiments but the second half of figures 14 and 15.
const MEAN: f64 = 10.0;

fn repeat(lab: &Lab<'_>, done: &mut Vec<Exhibit>) -> Result<(), CommandError> {
    done.push(causality::errors(lab)?);
    done.push(speed::breakdown(lab)?);
    done.push(Exhibit::left_out(
        "figure 10",
        "three ways to select numbers from a list, by the share that is selected",
        "it compares three kernels of CUDA libraries by themselves; here a selection is a step within the first kernel of a round, \
         and there is one way",
    ));
    done.push(speed::shares(lab)?);
    done.extend(speed::speed_ups(lab)?);
    done.extend(bias::figures(lab)?);
    Ok(())
}
