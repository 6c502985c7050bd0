//! The pictures of a fire: its map; of several fires how large they were, and how they grew; and how long their flames were.

use rayon::prelude::*;

use super::{FireCase, outputs};
use crate::page::{Bar, Drawing, Line, Picture, bars, histogram, lines, picture_of};
use crate::text::{counted, short};
use tickless_cells::{CellOutcome, Passages};
use tickless_core::statistics::Estimate;
use tickless_core::time::Time;
use tickless_fire::{Arrivals, Measure};

/// The fewest and the most bars of a histogram.
const BARS: [f64; 2] = [10.0, 30.0];
/// Steps of growth.
const STEPS: usize = 60;
/// Fires from which on a tenth of them is told.
const MANY: usize = 10;
/// Minutes from which on times are in hours.
const LONG: f64 = 300.0;
/// A foot in metres.
const FOOT: f64 = 0.3048;
/// Where fire intensity levels end, in metres.
const LEVELS: [f64; 5] = [2.0 * FOOT, 4.0 * FOOT, 6.0 * FOOT, 8.0 * FOOT, 12.0 * FOOT];

/// All pictures of a run, whose fires had these passages.
pub fn all(case: &FireCase, outcome: &CellOutcome, fires: &[Passages]) -> Vec<Picture> {
    let several = fires.len() > 1 || case.burnt.is_some();
    let title = if several { "How often each cell burnt" } else { "When the fire arrived" };
    let drawn = picture_of(|out| outputs::picture(case, outcome, out));
    let map = drawn.map(|drawing| Picture { title: title.into(), about: format!("A map: {title}"), drawing });
    let has_cells = outcome.added_up.is_none();
    let sizes = several.then(|| sizes(case, fires)).flatten();
    let growth = (several && has_cells).then(|| growth(case, outcome, fires)).flatten();
    let flames = (case.flames && has_cells).then(|| flames(case, outcome)).flatten();
    map.into_iter().chain(sizes).chain(growth).chain(flames).collect()
}

/// A width that is easily read, of which at most so many make a whole.
fn step(whole: f64, most: f64) -> f64 {
    let least = whole / most;
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| *step >= least).unwrap_or(10.0 * power)
}

/// How many fires burnt an area.
fn sizes(case: &FireCase, fires: &[Passages]) -> Option<Picture> {
    let hectares = case.model.description().landscape().frame().hectares();
    let mut areas: Vec<f64> = fires.iter().map(|fire| fire.cells as f64 * hectares).collect();
    areas.sort_by(f64::total_cmp);
    let (least, most) = (*areas.first()?, *areas.last()?);
    if most <= 0.0 {
        return None;
    }
    let width = step(most, (areas.len() as f64).sqrt().ceil().clamp(BARS[0], BARS[1]));
    let mut counts = vec![0; (most / width) as usize + 1];
    areas.iter().for_each(|area| counts[(area / width) as usize] += 1);
    let edges: Vec<f64> = (0..=counts.len() as u32).map(|bar| f64::from(bar) * width).collect();
    let all = counted(fires.len() as u64, "fire");
    let half = short(areas[(areas.len() - 1) / 2]);
    let [least, most] = [least, most].map(short);
    let edge = fires.iter().filter(|fire| fire.edge > 0).count();
    let beyond = match edge {
        0 => "; none reached the edge of the landscape".into(),
        edge => format!("; {edge} of them reached the edge of the landscape, and would be larger"),
    };
    let title = format!("Burnt area of {all}: from {least} to {most} ha, of half of them up to {half} ha{beyond}");
    let drawing = Drawing::Svg(histogram(["burnt area in hectares", "fires"], &edges, &counts));
    Some(Picture { about: format!("{title}: how many fires burnt as much"), title, drawing })
}

/// The burnt area over time: the mean with its interval, and the fires between which most lie.
fn growth(case: &FireCase, outcome: &CellOutcome, fires: &[Passages]) -> Option<Picture> {
    let last = fires.iter().filter_map(|fire| fire.last).max()?.units();
    let hectares = case.model.description().landscape().frame().hectares();
    let step = (last / STEPS as f64).max(f64::MIN_POSITIVE);
    // What each fire has burnt at the end of each step.
    let of_one = |fire: u32| {
        let mut cells = vec![0_u64; STEPS + 1];
        let arrivals = Arrivals::of(&case.model, outcome, fire);
        for time in arrivals.times().iter().filter(|time| **time < Time::NEVER) {
            cells[((time.units() / step).ceil() as usize).min(STEPS)] += 1;
        }
        let mut sum = 0;
        let so_far = |more: u64| {
            sum += more;
            sum as f64 * hectares
        };
        cells.into_iter().map(so_far).collect::<Vec<f64>>()
    };
    let all: Vec<Vec<f64>> = (0..outcome.replications).into_par_iter().map(of_one).collect();
    let (scale, unit) = if last > LONG { (60.0, "hours") } else { (1.0, "minutes") };
    let is_many = all.len() >= MANY;
    let names = if is_many {
        ["mean", "nine in ten fires are larger", "one in ten fires is larger"]
    } else {
        ["mean", "the smallest", "the largest"]
    };
    let mut drawn = names.map(|name| Line { name: name.into(), points: vec![], half_widths: vec![] });
    for place in 0..=STEPS {
        let minutes = place as f64 * step / scale;
        let mut areas: Vec<f64> = all.iter().map(|fire| fire[place]).collect();
        areas.sort_by(f64::total_cmp);
        let mean = Estimate::of(areas.iter().copied());
        let below = if is_many { (areas.len() - 1) / 10 } else { 0 };
        let values = [mean.mean, areas[below], areas[areas.len() - 1 - below]];
        drawn.iter_mut().zip(values).for_each(|(line, value)| line.points.push([minutes, value]));
        drawn[0].half_widths.extend(mean.half_width);
    }
    let title = "Burnt area over time, the mean with its 95 % interval".to_owned();
    let drawing = Drawing::Svg(lines([&format!("time in {unit}"), "burnt area in hectares"], &drawn, None));
    Some(Picture { about: format!("{title}: at the end {} ha", short(drawn[0].points[STEPS][1])), title, drawing })
}

/// The shares of what burnt with flames of each fire intensity level.
fn flames(case: &FireCase, outcome: &CellOutcome) -> Option<Picture> {
    let of_one = |fire: u32| {
        let arrivals = Arrivals::of(&case.model, outcome, fire);
        let lengths = arrivals.measure(&case.model, outcome.first_replication + fire, Measure::FlameLength).values;
        let mut cells = [0_u64; LEVELS.len() + 1];
        let level = |length: f64| LEVELS.iter().filter(|end| length > **end).count();
        lengths.into_iter().filter(|length| length.is_finite()).for_each(|length| cells[level(length)] += 1);
        cells
    };
    let add = |a: [u64; 6], b: [u64; 6]| std::array::from_fn(|level| a[level] + b[level]);
    let cells = (0..outcome.replications).into_par_iter().map(of_one).reduce(|| [0; 6], add);
    let all: u64 = cells.iter().sum();
    (all > 0).then_some(())?;
    let name = |level: usize| {
        let (side, end) = LEVELS.get(level).map_or(("above", LEVELS[level - 1]), |end| ("up to", *end));
        format!("{}: {side} {end:.2} m ({:.0} ft)", level + 1, end / FOOT)
    };
    let bar = |(level, count): (usize, u64)| Bar {
        name: name(level),
        value: 100.0 * count as f64 / all as f64,
        half_width: None,
    };
    let drawn: Vec<Bar> = cells.into_iter().enumerate().map(bar).collect();
    let title = "Flame lengths of what burnt, by fire intensity level".to_owned();
    let drawing = Drawing::Svg(bars("percent of the burnt area", &drawn));
    Some(Picture { about: format!("{title}, in percent"), title, drawing })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_easily_read() {
        assert_eq!([97.0, 1010.0, 48.0].map(|whole| step(whole, 10.0)), [10.0, 200.0, 5.0]);
    }
}
