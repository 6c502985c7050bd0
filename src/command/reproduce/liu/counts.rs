//! Tables 3 and 6: the numbers of events of both models, to which the times belong.

use super::times::{Both, Workload};
use crate::reproduce::exhibit::{Claim, Exhibit};
use crate::reproduce::land::STEPS;
use crate::reproduce::torus::label;

const FIRE: &[Claim] = &[Claim::new(
    "a cell of the wildfire makes some ten transitions and sends twice",
    |e| {
        let [cells, transitions, outputs] = [e.at(0, 0)?, e.at(0, 1)?, e.at(0, 2)?];
        Some((8.0..12.0).contains(&(transitions / cells)) && (1.5..2.5).contains(&(outputs / cells)))
    },
    "here a cell sends one time, when it takes fire, and makes a transition then and for each neighbour that does; theirs sends \
     whenever it finds an earlier time",
)];
const WATERSHED: &[Claim] = &[Claim::new(
    "every cell of the water makes a transition in every step",
    |e| {
        let [cells, transitions, steps] = [e.at(0, 0)?, e.at(0, 1)?, e.at(0, 3)?];
        // In our model the ground does nothing.
        Some((0.98..1.02).contains(&(transitions / (0.5 * cells * steps))))
    },
    "a cell without water rests",
)];

pub fn of(workload: &Workload, sides: &[u32], runs: &[Both]) -> Option<Exhibit> {
    let (run, side) = runs.last().zip(sides.last())?;
    let outcome = &run.sequential.outcome;
    let places = ["cells", "transitions", "outputs", "instants"];
    let mut exhibit = Exhibit {
        number: workload.table,
        shows: if workload.burns { "what happens in the wildfire" } else { "what happens in the watershed" },
        ours: format!(
            "{} cells. An output is that of a cell whose own event it is; instants are steps of the watershed, and those of a fire are not \
             counted",
            label(*side)
        ),
        theirs: "tables 3 and 6: (I), (*) and (@) of the simulators, and (*) of the coordinator",
        axis: "count",
        places: places.map(str::to_owned).to_vec(),
        unit: "events",
        logarithmic: true,
        claims: if workload.burns { FIRE } else { WATERSHED },
        ..Exhibit::default()
    };
    let instants = (!workload.burns).then_some(STEPS);
    let ours =
        [Some(outcome.cells() as f64), Some(outcome.transitions as f64), Some(outcome.imminent as f64), instants];
    exhibit.add(workload.name, &ours, &workload.counts.map(Some));
    Some(exhibit)
}

#[cfg(test)]
mod tests {
    use super::super::times;
    use super::*;
    use crate::reproduce::exhibit::{Circumstances, Verdict};

    /// The paper's own counts in place of ours.
    #[test]
    fn their_counts_agree_with_the_claims_until_a_value_changes() {
        let within = Circumstances { gpu: false, quick: false };
        for (counts, claims) in [(times::FIRE.counts, FIRE), (times::WATERSHED.counts, WATERSHED)] {
            let places = ["cells", "transitions", "outputs", "instants"].map(str::to_owned).to_vec();
            let mut exhibit = Exhibit { places, ..Exhibit::default() };
            exhibit.add("", &counts.map(Some), &[]);
            assert_eq!(claims[0].judge(&exhibit, within).0, Verdict::Holds);
            exhibit.series[0].values[1].ours = Some(0.5 * counts[1]);
            assert_eq!(claims[0].judge(&exhibit, within).0, Verdict::Differs);
        }
    }
}
