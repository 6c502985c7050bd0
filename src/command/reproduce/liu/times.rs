//! Figures 20, 22, 24 and 25: the times of both models in sequence and in parallel.

use crate::CommandError;
use crate::reproduce::exhibit::{Claim, Exhibit};
use crate::reproduce::lab::Lab;
use crate::reproduce::torus::label;
use tickless_cells::gpu::DeviceCells;
use tickless_cells::{self as cells, CellOutcome};
use tickless_core::run::Run;

/// One of their two models, with the values of their text.
pub struct Workload {
    pub name: &'static str,
    pub burns: bool,
    /// The sides of their spaces; the last has the most values.
    sides: [u32; 4],
    /// Seconds of the first sequential program and of the best.
    sequential: [f64; 2],
    /// The speed with one processing element, relative to the best sequential program.
    one: f64,
    /// The same with 16, by the sides.
    sixteen: [f64; 4],
    /// Figures: total time of the last side, total time by sides, scale-up.
    pub figures: [&'static str; 3],
    /// Table of counts, and the counts: cells, transitions, outputs, phases of transitions.
    pub table: &'static str,
    pub counts: [f64; 4],
    claims: &'static [Claim],
}

const fn faster(says: &'static str, check: fn(&Exhibit) -> Option<bool>) -> Claim {
    Claim::new(
        says,
        check,
        "the machine is another: a core of this host has gained more on theirs than this device has",
    )
    .of_speed()
    .of_size()
}

pub const FIRE: Workload = Workload {
    name: "wildfire",
    burns: true,
    sides: [640, 768, 896, 1024],
    sequential: [169_002.10, 12_255.51],
    one: 1.78,
    sixteen: [7.69, 7.27, 8.37, 9.74],
    figures: ["figure 20", "figure 22", "figure 23"],
    table: "table 3",
    counts: [1_048_576.0, 10_285_266.0, 2_076_507.0, 535_549.0],
    claims: &[faster("in parallel the wildfire is at least 9.74 times as fast as the best sequential run", |e| {
        Some(e.at(0, 1)? / e.at(0, 3)? >= 9.74)
    })],
};
pub const WATERSHED: Workload = Workload {
    name: "watershed",
    burns: false,
    sides: [128, 192, 256, 320],
    sequential: [79_883.66, 76_062.66],
    one: 5.56,
    sixteen: [29.46, 27.69, 28.09, 48.31],
    figures: ["figure 24", "figure 25", "figure 26"],
    table: "table 6",
    counts: [204_800.0, 33_996_800.0, 33_527_325.0, 331.0],
    claims: &[faster("in parallel the watershed is at least 48.31 times as fast as the best sequential run", |e| {
        Some(e.at(0, 1)? / e.at(0, 3)? >= 48.31)
    })],
};

const SPEED_UPS: &[Claim] = &[
    Claim::new(
        "the parallel run is at least 7 times as fast at every size",
        |e| Some(e.whole(0)?.into_iter().all(|value| value >= 7.0)),
        "the machines are others: a core of this host has gained more on theirs than this device has",
    )
    .of_speed()
    .of_size(),
    Claim::new(
        "the largest model gains the most",
        |e| {
            let values = e.whole(0)?;
            let (last, others) = values.split_last()?;
            Some(others.iter().all(|value| value < last))
        },
        "no reason is known",
    )
    .of_speed()
    .of_size(),
];

/// A model in sequence, and in rounds if a device has run it.
pub struct Both {
    pub sequential: Run<CellOutcome>,
    pub parallel: Option<Run<CellOutcome>>,
}

impl Workload {
    pub fn sides(&self, lab: &Lab<'_>) -> Vec<u32> {
        lab.by_scale(if self.burns { vec![64] } else { vec![24] }, self.sides.to_vec())
    }

    /// The place of a side among theirs.
    fn place(&self, side: u32) -> Option<usize> {
        self.sides.iter().position(|known| *known == side)
    }

    /// The gain of 16 processing elements over one, for the largest model.
    pub fn scale_up(&self) -> f64 {
        self.sixteen[3] / self.one
    }
}

pub fn of(lab: &Lab<'_>, workload: &Workload, model: &impl DeviceCells) -> Result<Both, CommandError> {
    let what = workload.figures[1];
    let sequential = lab.on_heap(what, |target, watch| cells::run(model, 0..1, target, Default::default(), watch))?;
    let times = lab.by_scale(1, 3);
    let parallel =
        lab.in_rounds(what, times, |target, watch| cells::run(model, 0..1, target, Default::default(), watch))?;
    Ok(Both { sequential, parallel })
}

fn seconds(run: &Run<CellOutcome>) -> Option<f64> {
    Some(run.wall.as_secs_f64())
}

fn in_parallel(runs: &Both) -> Option<f64> {
    runs.parallel.as_ref().and_then(seconds)
}

/// How our values are made, in every figure.
fn ours(workload: &Workload) -> &'static str {
    if workload.burns {
        "a fire from the middle of a landscape that is made up, from cell to cell without wind, until it has come everywhere; one core, and \
         the device"
    } else {
        "constant rain on a terrain that is made up, two planes of cells, in as many steps as theirs; one core, and the device"
    }
}

pub fn total(workload: &Workload, sides: &[u32], runs: &[Both]) -> Exhibit {
    let side = sides.last().copied().unwrap_or_default();
    let places = ["sequential, first program", "sequential", "one SPE", "16 SPEs, or the device"];
    let mut exhibit = Exhibit {
        number: workload.figures[0],
        shows: if workload.burns { "the time of the wildfire" } else { "the time of the watershed" },
        ours: format!("{}; {} cells", ours(workload), label(side)),
        theirs: "from tables 1, 4, 8 and 9 and the factors in the text; the figure has more numbers of SPEs, of which the text gives none. \
                 Cell processor of a BladeCenter QS22; landscape, terrain and rules are not published with the paper",
        axis: "run",
        places: places.map(str::to_owned).to_vec(),
        unit: "seconds",
        logarithmic: true,
        claims: workload.claims,
        ..Exhibit::default()
    };
    let last = runs.last();
    let ours = [None, last.and_then(|run| seconds(&run.sequential)), None, last.and_then(in_parallel)];
    let [first, best] = workload.sequential;
    let theirs = [first, best, best / workload.one, best / workload.sixteen[3]].map(Some);
    exhibit.add(workload.name, &ours, &theirs);
    exhibit
}

pub fn by_sides(workload: &Workload, sides: &[u32], runs: &[Both]) -> Exhibit {
    let mut exhibit = Exhibit {
        number: workload.figures[1],
        shows: "the time by the number of cells",
        ours: ours(workload).into(),
        theirs: "the figure has no numbers in the text, but for the largest size; the next exhibit has the factors between both",
        axis: "cells",
        places: sides.iter().map(|&side| label(side)).collect(),
        unit: "seconds",
        logarithmic: true,
        ..Exhibit::default()
    };
    let best = workload.sequential[1];
    let theirs = |gain: f64| -> Vec<Option<f64>> {
        sides.iter().map(|&side| workload.place(side).filter(|place| *place == 3).map(|_| best / gain)).collect()
    };
    exhibit.add("sequential", &runs.iter().map(|run| seconds(&run.sequential)).collect::<Vec<_>>(), &theirs(1.0));
    exhibit.add("parallel", &runs.iter().map(in_parallel).collect::<Vec<_>>(), &theirs(workload.sixteen[3]));
    exhibit
}

pub fn speed_ups(workload: &Workload, sides: &[u32], runs: &[Both]) -> Exhibit {
    let gain = |run: &Both| Some(seconds(&run.sequential)? / in_parallel(run)?);
    let mut exhibit = Exhibit {
        number: workload.figures[1],
        shows: "how many times as fast the parallel run is",
        ours: ours(workload).into(),
        theirs: "the factors in the text: 16 SPEs by the best sequential program",
        axis: "cells",
        places: sides.iter().map(|&side| label(side)).collect(),
        unit: "times as fast",
        logarithmic: true,
        claims: SPEED_UPS,
        ..Exhibit::default()
    };
    let theirs = sides.iter().map(|&side| workload.place(side).map(|place| workload.sixteen[place]));
    exhibit.add(workload.name, &runs.iter().map(gain).collect::<Vec<_>>(), &theirs.collect::<Vec<_>>());
    exhibit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::exhibit::{Circumstances, Verdict};

    #[test]
    fn a_size_without_a_run_leaves_claims_on_all_sizes_open() {
        let mut exhibit = Exhibit { places: FIRE.sides.map(label).to_vec(), ..Exhibit::default() };
        exhibit.add(FIRE.name, &FIRE.sixteen.map(Some), &[]);
        let within = Circumstances { gpu: true, quick: false };
        let verdicts = |exhibit: &Exhibit| [0, 1].map(|claim| SPEED_UPS[claim].judge(exhibit, within).0);
        assert_eq!(verdicts(&exhibit), [Verdict::Holds; 2]);
        exhibit.series[0].values[0].ours = Some(6.9);
        assert_eq!(verdicts(&exhibit), [Verdict::Differs, Verdict::Holds]);
        exhibit.series[0].values[3].ours = None;
        assert_eq!(verdicts(&exhibit), [Verdict::Open; 2]);
    }
}
