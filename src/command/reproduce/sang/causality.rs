//! Table 1: the effect of approximate time on the order of arrivals.

use super::MEAN;
use crate::CommandError;
use crate::reproduce::exhibit::{Claim, Exhibit, all_say_yes, rises};
use crate::reproduce::lab::Lab;
use crate::reproduce::torus::{label, torus};
use tickless_queueing as queueing;

const INTERVALS: [f64; 2] = [0.25, 0.5];
/// The paper's values for sides 64 to 1,024.
const THEIRS: [[f64; 5]; 2] =
    [[363.0, 1122.0, 3665.0, 12_101.0, 36_466.0], [1177.0, 3738.0, 11_450.0, 36_184.0, 124_951.0]];
const SIDES: [u32; 5] = [64, 128, 256, 512, 1024];

/// Whether all values are in the range of the paper.
fn are_theirs(values: impl IntoIterator<Item = f64>) -> Option<bool> {
    all_say_yes(values.into_iter().map(|value| (2.9..3.5).contains(&value)))
}

pub const CLAIMS: &[Claim] = &[
    Claim::new(
        "the longer interval has more errors at every size",
        Exhibit::stacked,
        "small runs have few errors of either",
    ),
    Claim::new("errors grow with the number of facilities", |e| e.all(rises), "small runs have few errors of any size"),
    Claim::new(
        "twice the interval has 3.0 to 3.5 times as many errors",
        |e| are_theirs(e.quotients([1, 0])),
        "an arrival is out of order where two events lie close together and one of the services is shorter than what is left of its \
         interval; both grow with the interval, which makes it four times. The paper does not say for how long it ran",
    ),
    Claim::new(
        "four times the facilities have 3.0 to 3.5 times as many errors",
        |e| are_theirs((0..e.series.len()).flat_map(|series| e.ratios(series))),
        "facilities that are far apart do not hear of each other, so that errors go with their number where runs are equally long. The \
         paper does not say for how long it ran",
    ),
];

pub fn errors(lab: &Lab<'_>) -> Result<Exhibit, CommandError> {
    const WHAT: &str = "table 1";
    let sides = lab.by_scale(&SIDES[..2], &SIDES);
    let until = lab.by_scale(500.0, 1000.0);
    let mut exhibit = Exhibit {
        number: WHAT,
        shows: "causality errors of approximate time: arrivals that come after a later one",
        ours: format!("one token at each facility, mean service time 10, until {until}"),
        theirs: "all of the table. The text does not say for how long they ran, so that growth compares, and counts do not",
        axis: "facilities",
        places: sides.iter().map(|&side| label(side)).collect(),
        unit: "errors",
        logarithmic: true,
        claims: CLAIMS,
        ..Exhibit::default()
    };
    for (interval, theirs) in INTERVALS.into_iter().zip(THEIRS) {
        let mut counts = vec![];
        for &side in sides {
            let model = torus(side, MEAN)?.approximate(interval).until(until).check()?;
            let run =
                lab.figures(WHAT, |target, watch| queueing::run(&model, 0..1, target, Default::default(), watch))?;
            counts.push(run.outcome[0].all_causality_errors().map(|count| count as f64));
        }
        exhibit.add(format!("interval {interval}"), &counts, &theirs.map(Some));
    }
    Ok(exhibit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::exhibit::{Circumstances, Verdict};

    fn verdicts(exhibit: &Exhibit) -> Vec<Verdict> {
        let within = Circumstances { gpu: false, quick: false };
        CLAIMS.iter().map(|claim| claim.judge(exhibit, within).0).collect()
    }

    /// The paper's own numbers in place of ours.
    #[test]
    fn their_table_agrees_with_their_claims_until_a_value_changes() {
        let mut exhibit = Exhibit { places: SIDES.map(label).to_vec(), ..Exhibit::default() };
        for theirs in THEIRS {
            exhibit.add("", &theirs.map(Some), &[]);
        }
        assert_eq!(verdicts(&exhibit), [Verdict::Holds; 4]);
        let mut gap = exhibit.clone();
        gap.series[0].values[1].ours = None;
        assert_eq!(verdicts(&gap), [Verdict::Holds; 4]);
        exhibit.series[0].values[1].ours = Some(3738.0);
        let differs = Verdict::Differs;
        assert_eq!(verdicts(&exhibit), [differs, differs, differs, differs]);
        exhibit.series[0].values[1].ours = Some(1000.0);
        assert_eq!(verdicts(&exhibit), [Verdict::Holds, Verdict::Holds, differs, differs]);
    }
}
