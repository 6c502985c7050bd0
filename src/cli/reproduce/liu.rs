//! Liu and Wainer 2012: a wildfire and a watershed on the Cell processor.

mod counts;
mod scale_up;
mod times;

use super::exhibit::Exhibit;
use super::lab::Lab;
use super::land::{fire, watershed};
use super::{CommandError, Paper};

pub struct Liu;

impl Paper for Liu {
    fn name(&self) -> &'static str {
        "liu"
    }

    fn title(&self) -> &'static str {
        "Multicore acceleration of Discrete Event System Specification systems"
    }

    fn citation(&self) -> &'static str {
        "Q. Liu, G. Wainer. SIMULATION 88(7), 2012"
    }

    fn repeat(&self, lab: &Lab<'_>, done: &mut Vec<Exhibit>) -> Result<(), CommandError> {
        for workload in [times::FIRE, times::WATERSHED] {
            let sides = workload.sides(lab);
            let mut runs = vec![];
            for &side in &sides {
                runs.push(match workload.burns {
                    true => times::of(lab, &workload, &fire(side)?)?,
                    false => times::of(lab, &workload, &watershed(side)?)?,
                });
            }
            done.extend(counts::of(&workload, &sides, &runs));
            done.extend(times::figures(&workload, &sides, &runs));
            if workload.burns {
                done.push(Exhibit::left_out(
                    "figure 21",
                    "how the two functions that synchronize simulators scale with the processing elements",
                    "they are vector kernels of the Cell's processing elements; here the minimum and the selection are steps within a round",
                ));
            }
            done.push(match workload.burns {
                true => scale_up::figure(lab, &workload, &sides, fire)?,
                false => scale_up::figure(lab, &workload, &sides, watershed)?,
            });
        }
        Ok(())
    }
}
