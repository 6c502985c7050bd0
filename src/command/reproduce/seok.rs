//! Seok and Kim 2012: cellular models on a GPU, by a fire.

use super::exhibit::{Claim, Exhibit};
use super::lab::Lab;
use super::land::fire;
use super::torus::label;
use super::{CommandError, Paper};
use tickless_cells as cells;

pub const PAPER: Paper = Paper {
    name: "seok",
    title: "Parallel discrete event simulation for DEVS cellular models using a GPU",
    citation: "M. G. Seok, T. G. Kim. Proceedings of the Symposium on High Performance Computing, 2012",
    repeat,
};

/// The place of each series.
const CPU: usize = 0;
const GPU: usize = 1;

/// The ratio of the first series to the second at a place.
fn gain(exhibit: &Exhibit, place: usize) -> Option<f64> {
    Some(exhibit.at(CPU, place)? - exhibit.at(GPU, place)?)
}

const FIGURE_6: &[Claim] = &[
    Claim::new(
        "with few cells the CPU is faster",
        |e| Some(gain(e, 0)? < 0.0),
        "a round here takes some ten microseconds, and theirs a copy between the host and the GPU",
    )
    .of_speed(),
    Claim::new(
        "with many cells the GPU is faster",
        |e| Some(gain(e, e.places.len().checked_sub(1)?)? > 0.0),
        "no reason is known",
    )
    .of_speed()
    .of_size(),
    Claim::new(
        "the difference grows with the number of cells",
        |e| {
            let gains: Vec<f64> = (0..e.places.len()).filter_map(|place| gain(e, place)).collect();
            super::exhibit::rises(&gains)
        },
        "no reason is known",
    )
    .of_speed(),
    Claim::new(
        "with many cells the GPU is about 4 times as fast, as they predict for four cores",
        |e| {
            let last = e.places.len().checked_sub(1)?;
            Some((2.0..8.0).contains(&(e.at(CPU, last)? / e.at(GPU, last)?)))
        },
        "the GPU is another, beside one core, and a fire needs no order on the GPU here (docs/cells.md, First passages)",
    )
    .of_speed()
    .of_size(),
];

fn repeat(lab: &Lab<'_>, done: &mut Vec<Exhibit>) -> Result<(), CommandError> {
    const WHAT: &str = "figure 6";
    let sides: &[u32] = lab.by_scale(&[16, 64], &[32, 64, 128, 256, 512, 1024]);
    let [mut sequential, mut parallel] = [vec![], vec![]];
    for &side in sides {
        let model = fire(side)?;
        let heap = lab.on_heap(WHAT, |target, watch| cells::run(&model, 0..1, target, Default::default(), watch))?;
        let rounds = lab.in_rounds(WHAT, lab.by_scale(1, 3), |target, watch| {
            cells::run(&model, 0..1, target, Default::default(), watch)
        })?;
        sequential.push(Some(heap.wall.as_secs_f64()));
        parallel.push(rounds.map(|run| run.wall.as_secs_f64()));
    }
    let mut exhibit = Exhibit {
        number: WHAT,
        shows: "the time that a fire takes on a CPU and on a GPU, by the number of cells",
        ours: "a fire from the middle of a landscape that is made up, by Rothermel's law and from cell to cell, until it has come \
               everywhere; the CPU is one core with the sequential simulator"
            .into(),
        theirs: "the figure has no numbers in the text, nor do sizes, the landscape or the weather. GeForce GTS 250, four cores of an \
                 i7 860 and two of an i5 M580",
        axis: "cells",
        places: sides.iter().map(|&side| label(side)).collect(),
        unit: "seconds",
        logarithmic: true,
        claims: FIGURE_6,
        ..Exhibit::default()
    };
    exhibit.add("CPU", &sequential, &[]);
    exhibit.add("GPU", &parallel, &[]);
    done.push(exhibit);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::exhibit::{Circumstances, Verdict};
    use super::*;

    #[test]
    fn one_changed_time_turns_a_verdict() {
        let mut exhibit = Exhibit { places: [16, 64, 256].map(label).to_vec(), ..Exhibit::default() };
        exhibit.add("CPU", &[0.1, 1.0, 8.0].map(Some), &[]);
        exhibit.add("GPU", &[0.2, 0.5, 2.0].map(Some), &[]);
        let within = Circumstances { gpu: true, quick: false };
        let verdicts = |exhibit: &Exhibit| [0, 1, 2, 3].map(|claim| FIGURE_6[claim].judge(exhibit, within).0);
        let [holds, differs] = [Verdict::Holds, Verdict::Differs];
        assert_eq!(verdicts(&exhibit), [holds; 4]);
        exhibit.series[GPU].values[0].ours = Some(0.05);
        assert_eq!(verdicts(&exhibit), [differs, holds, holds, holds]);
        exhibit.series[GPU].values[2].ours = Some(0.01);
        assert_eq!(verdicts(&exhibit), [differs, holds, holds, differs]);
        exhibit.series[GPU].values[2].ours = Some(7.9);
        assert_eq!(verdicts(&exhibit), [differs, holds, differs, differs]);
    }
}
