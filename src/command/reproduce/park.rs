//! Park and Fishwick 2010: approximate time for queueing networks on a GPU.

use super::exhibit::{Claim, Exhibit, rises, tends_up};
use super::lab::Lab;
use super::torus::{figures_only, heap_rate, label, rounds, torus};
use super::{CommandError, Paper};
use tickless_core::statistics::Estimate;
use tickless_queueing::{self as queueing, Network};

pub const PAPER: Paper = Paper {
    name: "park",
    title: "A GPU-based application framework supporting fast discrete-event simulation",
    citation: "H. Park, P. A. Fishwick. SIMULATION 86(10), 2010",
    repeat,
};

/// The mean service time of all of their experiments.
const MEAN: f64 = 10.0;

const FIGURE_19: &[Claim] = &[
    Claim::new(
        "the sequential simulation is faster on the smallest model",
        |e| e.at(0, 0).map(|smallest| smallest < 1.0),
        "a round takes some ten microseconds here, and on a GeForce 8800 GTX without atomic operations far longer",
    )
    .of_speed(),
    Claim::new("the speed-up grows with the model", |e| e.all(tends_up), "no reason is known").of_speed(),
    Claim::new(
        "speed-ups come close to 10",
        |e| e.last(0).map(|largest| (5.0..20.0).contains(&largest)),
        "both machines are others: the GPU has gained far more than a core of the host",
    )
    .of_speed()
    .of_size(),
];

const FIGURE_20: &[Claim] = &[
    Claim::new(
        "with an interval of 0 there is no error",
        |e| e.at(0, 0).map(|error| error == 0.0),
        "no reason is known: it is the same run",
    ),
    Claim::new("the error grows with the interval", |e| e.all(rises), "small intervals lie within the noise"),
    Claim::new("utilization comes out too high", |e| e.last(0).map(|error| error > 0.0), "no reason is known"),
];

fn repeat(lab: &Lab<'_>, done: &mut Vec<Exhibit>) -> Result<(), CommandError> {
    done.push(speed_ups(lab)?);
    done.push(errors(lab)?);
    Ok(())
}

fn speed_ups(lab: &Lab<'_>) -> Result<Exhibit, CommandError> {
    const WHAT: &str = "figure 19";
    let sides: &[u32] = lab.by_scale(&[32, 128], &[32, 64, 128, 256, 512]);
    let until = lab.by_scale(100.0, 10_000.0);
    let mut speed_ups = vec![];
    for &side in sides {
        let sequential = heap_rate(lab, WHAT, torus(side, MEAN)?, side)?;
        let parallel = rounds(lab, WHAT, torus(side, MEAN)?.approximate(1.0), until)?;
        speed_ups.push(parallel.map(|run| run.events_per_second() / sequential));
    }
    let mut exhibit = Exhibit {
        number: WHAT,
        shows: "how many times as fast as the sequential simulation the GPU is, by the size of the torus",
        ours: format!(
            "services a second in rounds, in approximate time with an interval of 1 until {until}, by those of the heap in exact \
             time; one token at each facility, mean service time 10"
        ),
        theirs: "the figure has no numbers in the text; the abstract says that speed-ups are close to 10. GeForce 8800 GTX, Core 2 \
                 at 2.66 GHz; services rounded to whole times",
        axis: "facilities",
        places: sides.iter().map(|&side| label(side)).collect(),
        unit: "times as fast",
        logarithmic: true,
        claims: FIGURE_19,
        ..Exhibit::default()
    };
    exhibit.add("speed-up", &speed_ups, &[]);
    Ok(exhibit)
}

fn errors(lab: &Lab<'_>) -> Result<Exhibit, CommandError> {
    const WHAT: &str = "figure 20";
    let side = lab.by_scale(24, 64);
    let (warmup, until) = lab.by_scale((200.0, 500.0), (500.0, 1500.0));
    let replications = lab.by_scale(4, 20);
    let intervals: &[f64] = lab.by_scale(&[0.0, 1.0, 2.0, 4.0], &[0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let utilizations = |network: Network| -> Result<Vec<f64>, CommandError> {
        let model = network.warmup(warmup).until(until).check()?;
        let run =
            lab.figures(WHAT, |target, watch| queueing::run(&model, 0..replications, target, figures_only(), watch))?;
        Ok(run.outcome.iter().map(|outcome| outcome.stations.statistics().mean_busy).collect())
    };
    let exact = utilizations(torus(side, MEAN)?)?;
    let mut errors = vec![];
    for &interval in intervals {
        let torus = torus(side, MEAN)?;
        let found = utilizations(if interval > 0.0 { torus.approximate(interval) } else { torus })?;
        // Both runs of a replication have the same random streams.
        errors.push(Estimate::of(found.iter().zip(&exact).map(|(found, exact)| 100.0 * (found - exact) / exact)));
    }
    let mut exhibit = Exhibit {
        number: WHAT,
        shows: "the error of approximate time in the utilization of the servers",
        ours: format!(
            "against exact time with the same random streams, {side} x {side} facilities, from time {warmup} to {until}, \
             {replications} replications"
        ),
        theirs: "the figure has no numbers in the text, which says that errors grow with the interval",
        axis: "interval",
        places: intervals.iter().map(ToString::to_string).collect(),
        unit: "per cent of the utilization",
        claims: FIGURE_20,
        ..Exhibit::default()
    };
    exhibit.add("error", &errors.iter().map(|error| Some(error.mean)).collect::<Vec<_>>(), &[]);
    exhibit.with_half_widths(&errors.iter().map(|error| error.half_width).collect::<Vec<_>>());
    Ok(exhibit)
}

#[cfg(test)]
mod tests {
    use super::super::exhibit::{Circumstances, Verdict};
    use super::*;

    #[test]
    fn the_smallest_and_the_largest_model_are_no_others() {
        let mut exhibit = Exhibit { places: [32, 64, 128].map(label).to_vec(), ..Exhibit::default() };
        exhibit.add("speed-up", &[0.5, 2.0, 8.0].map(Some), &[]);
        let within = Circumstances { gpu: true, quick: false };
        let verdicts = |exhibit: &Exhibit| [0, 1, 2].map(|claim| FIGURE_19[claim].judge(exhibit, within).0);
        let [holds, differs, open] = [Verdict::Holds, Verdict::Differs, Verdict::Open];
        assert_eq!(verdicts(&exhibit), [holds; 3]);
        exhibit.series[0].values[0].ours = None;
        assert_eq!(verdicts(&exhibit), [open, holds, holds]);
        exhibit.series[0].values[2].ours = Some(1.5);
        assert_eq!(verdicts(&exhibit), [open, differs, differs]);
        exhibit.series[0].values[2].ours = None;
        assert_eq!(verdicts(&exhibit), [open; 3]);
    }
}
