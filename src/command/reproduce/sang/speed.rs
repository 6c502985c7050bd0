//! Table 2 and figures 11 to 13: the times of the steps of a round, the speed, and the events in a round.

use super::MEAN;
use crate::CommandError;
use crate::reproduce::exhibit::{Claim, Exhibit, falls, rises, tends_up};
use crate::reproduce::lab::Lab;
use crate::reproduce::torus::{TorusRun, figures_only, heap_rate, label, rounds, torus};
use tickless_queueing as queueing;

const WINDOWS: [f64; 4] = [0.25, 0.5, 1.0, 2.0];
const SIDES: [u32; 6] = [64, 128, 256, 512, 1024, 2048];
/// The horizon of table 2.
const THEIR_UNTIL: f64 = 50_000.0;
/// Times of the revised program of table 2, by the windows: minimum, selection and departures together, arrivals, all.
const THEIRS: [[f64; 4]; 3] = [[131.0, 111.0, 96.0, 85.0], [64.0, 60.0, 53.0, 49.0], [195.0, 171.0, 149.0, 134.0]];
/// Times of the whole first program.
const THEIR_FIRST: [f64; 4] = [444.0, 301.0, 213.0, 167.0];
/// The two kernels of a round.
const STEPS: [&str; 2] = ["minimum, selection, departures", "arrivals"];

const TABLE_2: &[Claim] = &[
    Claim::new("the wider the window, the less time all takes", |e| falls(&e.of(2)), "no reason is known").of_speed(),
    Claim::new("arrivals take less time with a wider window", |e| falls(&e.of(1)), "no reason is known").of_speed(),
];
const FIGURE_11: &[Claim] = &[Claim::new(
    "the more facilities there are, the larger the share of time that events take",
    |e| tends_up(&e.of(1)),
    "departures are in the same kernel as the minimum and the selection, so that arrivals alone show it: a step that waits for memory \
     lasts as long with few events",
)
.of_speed()];
const FIGURE_12: &[Claim] = &[
    Claim::new("speed-ups grow with the number of facilities", |e| e.all(tends_up), "no reason is known").of_speed(),
    Claim::new("the wider the window, the larger the speed-up", Exhibit::stacked, "no reason is known").of_speed(),
    Claim::new(
        "at 2048 x 2048 facilities and d = 2 the speed-up is above 200",
        |e| Some(e.value("d = 2", "2048 x 2048")? > 200.0),
        "the GPU and the core beside it are others",
    )
    .of_speed()
    .of_size(),
];
const FIGURE_13: &[Claim] = &[
    Claim::new("a round has more events, the more facilities there are", |e| e.all(rises), "no reason is known"),
    Claim::new("a round has more events, the wider the window is", Exhibit::stacked, "no reason is known"),
];

fn windows(lab: &Lab<'_>) -> &'static [f64] {
    lab.by_scale(&[0.5, 2.0], &WINDOWS)
}

fn sides(lab: &Lab<'_>) -> &'static [u32] {
    lab.by_scale(&[32, 64], &SIDES)
}

/// The time of each of the two kernels for a horizon of the paper, from the timed dispatches.
fn steps(run: &TorusRun, until: f64) -> [Option<f64>; 2] {
    let rounds = run.rounds.map(|rounds| rounds as f64 * THEIR_UNTIL / until);
    ["queueing/departure", "queueing/arrival"].map(|label| {
        let kernel = run.timings.iter().find(|kernel| kernel.kernel == label && kernel.dispatches > 0)?;
        Some(kernel.time.as_secs_f64() / kernel.dispatches as f64 * rounds?)
    })
}

fn timed(lab: &Lab<'_>, what: &str, side: u32, window: f64, until: f64) -> Result<[Option<f64>; 2], CommandError> {
    let model = torus(side, MEAN)?.window(window).until(until).check()?;
    let run = lab.timed(what, |target, watch| queueing::run(&model, 0..1, target, figures_only(), watch))?;
    Ok(run.map_or([None; 2], |run| steps(&run, until)))
}

pub fn breakdown(lab: &Lab<'_>) -> Result<Exhibit, CommandError> {
    const WHAT: &str = "table 2";
    let (side, until) = lab.by_scale((64, 100.0), (2048, 2000.0));
    // A software adapter compiles for each window.
    let windows = lab.by_scale(&WINDOWS[2..3], &WINDOWS);
    let mut columns: [Vec<Option<f64>>; 3] = Default::default();
    for &window in windows {
        let [first, arrivals] = timed(lab, WHAT, side, window, until)?;
        let both = first.zip(arrivals).map(|(first, arrivals)| first + arrivals);
        columns.iter_mut().zip([first, arrivals, both]).for_each(|(column, value)| column.push(value));
    }
    let mut exhibit = Exhibit {
        number: WHAT,
        shows: "the time of each step until 50,000, by the window",
        ours: format!(
            "{side} x {side} facilities until {until}, by the time of the kernels on the device, in proportion to 50,000. A round has \
             two kernels: one for minimum, selection and departures, one for arrivals"
        ),
        theirs: "2048 x 2048 facilities; the times of three steps are added up, and that of a minimum that the text lacks is what is \
                 left of the total. Tesla P100",
        axis: "window d",
        places: windows.iter().map(ToString::to_string).collect(),
        unit: "seconds",
        claims: TABLE_2,
        ..Exhibit::default()
    };
    let places: Vec<usize> =
        windows.iter().filter_map(|window| WINDOWS.iter().position(|known| known == window)).collect();
    let theirs = |all: &[f64; 4]| places.iter().map(|&place| Some(all[place])).collect::<Vec<_>>();
    for ((name, column), all) in [STEPS[0], STEPS[1], "all"].into_iter().zip(&columns).zip(&THEIRS) {
        exhibit.add(name, column, &theirs(all));
    }
    exhibit.add("all, their first program", &[], &theirs(&THEIR_FIRST));
    Ok(exhibit)
}

pub fn shares(lab: &Lab<'_>) -> Result<Exhibit, CommandError> {
    const WHAT: &str = "figure 11";
    let (sides, until) = lab.by_scale((&SIDES[..1], 100.0), (&SIDES, 1000.0));
    let mut columns: [Vec<Option<f64>>; 2] = Default::default();
    for &side in sides {
        let found = timed(lab, WHAT, side, 1.0, until)?;
        let both = found[0].zip(found[1]).map(|(first, arrivals)| first + arrivals);
        for (column, step) in columns.iter_mut().zip(found) {
            column.push(step.zip(both).map(|(step, both)| 100.0 * step / both));
        }
    }
    let mut exhibit = Exhibit {
        number: WHAT,
        shows: "the share of each step in the time of a round, by the size of the torus",
        ours: format!("d = 1, until {until}, by the time of the two kernels of a round on the device"),
        theirs: "the figure has no numbers in the text. Tesla P100",
        axis: "facilities",
        places: sides.iter().map(|&side| label(side)).collect(),
        unit: "per cent",
        claims: FIGURE_11,
        ..Exhibit::default()
    };
    for (name, column) in STEPS.into_iter().zip(&columns) {
        exhibit.add(name, column, &[]);
    }
    Ok(exhibit)
}

/// Figures 12 and 13, of the same runs.
pub fn speed_ups(lab: &Lab<'_>) -> Result<[Exhibit; 2], CommandError> {
    const WHAT: &str = "figures 12 and 13";
    let (windows, sides) = (windows(lab), sides(lab));
    let until = lab.by_scale(50.0, 5000.0);
    let new = |number, shows, ours: String, theirs, unit, claims| Exhibit {
        number,
        shows,
        ours,
        theirs,
        axis: "facilities",
        places: sides.iter().map(|&side| label(side)).collect(),
        unit,
        logarithmic: true,
        claims,
        ..Exhibit::default()
    };
    let mut speed_ups = new(
        "figure 12",
        "how many times as fast as the sequential simulation the GPU is",
        format!("services a second in rounds until {until}, by those of the heap without a window"),
        "the figure has no numbers in the text, but for the 240 of 2048 x 2048 facilities with d = 2. Tesla P100, Xeon E5-2680 at 2.4 \
         GHz",
        "times as fast",
        FIGURE_12,
    );
    let mut events = new(
        "figure 13",
        "the mean number of events in a round",
        format!("services by rounds until {until}"),
        "the figure has no numbers in the text",
        "events",
        FIGURE_13,
    );
    let mut sequential = vec![];
    for &side in sides {
        sequential.push(heap_rate(lab, WHAT, torus(side, MEAN)?, side)?);
    }
    for &window in windows {
        let (mut fast, mut many) = (vec![], vec![]);
        for (&side, sequential) in sides.iter().zip(&sequential) {
            let run = rounds(lab, WHAT, torus(side, MEAN)?.window(window), until)?;
            fast.push(run.as_ref().map(|run| run.events_per_second() / sequential));
            many.push(run.and_then(|run| Some(run.events as f64 / run.rounds? as f64)));
        }
        let theirs = |side: &u32| (*side == 2048 && window == 2.0).then_some(240.0);
        speed_ups.add(format!("d = {window}"), &fast, &sides.iter().map(theirs).collect::<Vec<_>>());
        events.add(format!("d = {window}"), &many, &[]);
    }
    Ok([speed_ups, events])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::exhibit::{Circumstances, Verdict};

    #[test]
    fn the_speed_of_a_size_is_that_of_no_other_one() {
        let mut exhibit = Exhibit { places: SIDES.map(label).to_vec(), ..Exhibit::default() };
        WINDOWS.iter().for_each(|d| exhibit.add(format!("d = {d}"), &[Some(300.0); 6], &[]));
        let verdict = |exhibit: &Exhibit| FIGURE_12[2].judge(exhibit, Circumstances { gpu: true, quick: false }).0;
        assert_eq!(verdict(&exhibit), Verdict::Holds);
        exhibit.series[3].values[5].ours = Some(150.0);
        assert_eq!(verdict(&exhibit), Verdict::Differs);
        exhibit.series[3].values[5].ours = None;
        assert_eq!(verdict(&exhibit), Verdict::Open);
    }
}
