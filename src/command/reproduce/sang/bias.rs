//! Figures 14 and 15: the effect of the window on the figures.

use super::MEAN;
use crate::CommandError;
use crate::reproduce::exhibit::{Claim, Exhibit, all_say_yes, falls, rises};
use crate::reproduce::lab::Lab;
use crate::reproduce::torus::{figures_only, torus};
use tickless_core::statistics::Estimate;
use tickless_queueing as queueing;

const MEANS: [f64; 2] = [MEAN, 2.0 * MEAN];
/// The largest difference of values that count as the same.
const CLOSE: f64 = 0.01;

/// Whether the longer services differ less from those without a window, at every window and relative to it.
fn longer_differ_less(exhibit: &Exhibit) -> Option<bool> {
    let difference = |series, place| Some((exhibit.at(series, place)? / exhibit.at(series, 0)? - 1.0).abs());
    let less = |place| Some(difference(1, place)? < difference(0, place)?);
    all_say_yes((1..exhibit.places.len()).filter_map(less))
}

/// Whether the first value is that of the paper, within a share of it or the interval of ours.
fn begins_there(exhibit: &Exhibit) -> Option<bool> {
    let first = exhibit.series.iter().filter_map(|series| {
        let value = series.values.first()?;
        let (ours, theirs) = value.ours.zip(value.theirs)?;
        Some((ours - theirs).abs() < value.half_width.unwrap_or(0.0).max(CLOSE * theirs))
    });
    all_say_yes(first)
}

const SMALLER: Claim = Claim::new(
    "the longer the services, the less a window changes",
    longer_differ_less,
    "small windows lie within the noise",
);
const FIGURE_14: &[Claim] = &[
    Claim::new("without a window half of the servers are busy", begins_there, "small tori are noisy"),
    Claim::new("utilization grows with the window", |e| e.all(rises), "small windows lie within the noise"),
    SMALLER,
];
const FIGURE_15: &[Claim] = &[
    Claim::new(
        "without a window the time at a facility is twice the service time",
        begins_there,
        "small tori are noisy",
    ),
    Claim::new("the time at a facility falls with the window", |e| e.all(falls), "small windows lie within the noise"),
    SMALLER,
];

/// Both figures, of the same runs.
pub fn figures(lab: &Lab<'_>) -> Result<[Exhibit; 2], CommandError> {
    const WHAT: &str = "figures 14 and 15";
    let side = lab.by_scale(24, 64);
    let (warmup, until) = lab.by_scale((200.0, 800.0), (2000.0, 6000.0));
    let replications = lab.by_scale(2, 10);
    let windows: &[f64] = lab.by_scale(&[0.0, 1.0, 2.0], &[0.0, 0.25, 0.5, 1.0, 2.0, 4.0]);
    let new = |number, shows, theirs, unit, claims| Exhibit {
        number,
        shows,
        ours: format!(
            "{side} x {side} facilities with a token each, from time {warmup} to {until}, {replications} replications"
        ),
        theirs,
        axis: "window d",
        places: windows.iter().map(ToString::to_string).collect(),
        unit,
        claims,
        ..Exhibit::default()
    };
    let mut utilization = new(
        "figure 14",
        "the utilization of the servers over the window",
        "the figure has no numbers in the text, but for the 50 % without a window",
        "share of the servers",
        FIGURE_14,
    );
    let mut time = new(
        "figure 15",
        "the mean time at a facility over the window",
        "the figure has no numbers in the text, but for the 20 and 40 without a window",
        "time units",
        FIGURE_15,
    );
    for mean in MEANS {
        let mut found = vec![];
        for &window in windows {
            let torus = torus(side, mean)?.warmup(warmup).until(until);
            let model = if window > 0.0 { torus.window(window) } else { torus }.check()?;
            let run = lab
                .figures(WHAT, |target, watch| queueing::run(&model, 0..replications, target, figures_only(), watch))?;
            let statistics: Vec<_> = run.outcome.iter().map(|outcome| outcome.stations.statistics()).collect();
            found.push([
                Estimate::of(statistics.iter().map(|figures| figures.mean_busy)),
                Estimate::of(statistics.iter().map(|figures| figures.mean_system_time)),
            ]);
        }
        for (place, (exhibit, theirs)) in [(&mut utilization, 0.5), (&mut time, 2.0 * mean)].into_iter().enumerate() {
            let means: Vec<_> = found.iter().map(|figures| Some(figures[place].mean)).collect();
            exhibit.add(format!("mean service time {mean}"), &means, &[Some(theirs)]);
            exhibit.with_half_widths(&found.iter().map(|figures| figures[place].half_width).collect::<Vec<_>>());
        }
    }
    Ok([utilization, time])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::exhibit::{Circumstances, Verdict};

    #[test]
    fn one_changed_value_turns_a_verdict() {
        let mut exhibit = Exhibit { places: ["0", "1", "2"].map(str::to_owned).to_vec(), ..Exhibit::default() };
        exhibit.add("10", &[0.5, 0.51, 0.52].map(Some), &[Some(0.5)]);
        exhibit.add("20", &[0.5, 0.505, 0.51].map(Some), &[Some(0.5)]);
        let within = Circumstances { gpu: false, quick: true };
        let verdicts = |exhibit: &Exhibit| [0, 1, 2].map(|claim| FIGURE_14[claim].judge(exhibit, within).0);
        let [holds, differs] = [Verdict::Holds, Verdict::Differs];
        assert_eq!(verdicts(&exhibit), [holds; 3]);
        let mut gap = exhibit.clone();
        gap.series[0].values[1].ours = None;
        assert_eq!(verdicts(&gap), [holds; 3]);
        gap.series[0].values[0].ours = None;
        assert_eq!(verdicts(&gap)[2], Verdict::Open);
        exhibit.series[1].values[1].ours = Some(0.515);
        assert_eq!(verdicts(&exhibit), [holds, differs, differs]);
        exhibit.series[0].values[0].ours = Some(0.506);
        assert_eq!(verdicts(&exhibit)[0], differs);
        exhibit.series[0].values[0].half_width = Some(0.01);
        assert_eq!(verdicts(&exhibit)[0], holds);
    }
}
