//! The watershed: no water is lost or made, it runs down, and devices have the same bits.

use tickless::cells::{self, CellModel, CellOutcome, Watershed, WatershedModel};
use tickless::device::Target;
use tickless::run::unwatched;

use crate::adapter;

/// A hollow with a rim and a ramp through it.
fn terrain(width: u32, height: u32) -> Vec<f64> {
    let at = |x: u32, y: u32| {
        let (x, y) = (f64::from(x) - f64::from(width) / 2.0, f64::from(y) - f64::from(height) / 2.0);
        0.02 * (x * x + y * y) + 0.3 * x + f64::from((x as i32 * 7 + y as i32 * 13).rem_euclid(5) as u32) * 0.2
    };
    (0..height).flat_map(|y| (0..width).map(move |x| at(x, y))).collect()
}

pub fn models() -> [WatershedModel; 5] {
    let slope: Vec<f64> = (0..300).map(|x| 300.0 - f64::from(x)).collect();
    [
        Watershed::new(37, 30, terrain(37, 30)).rain(30.0, 0.2).until(1000.0).check(),
        Watershed::new(20, 18, terrain(20, 18)).rain(100.0, 0.2).soil(20.0).step(7.5).until(1200.0).check(),
        // The rain ends within a step.
        Watershed::new(300, 1, slope).rain(5.0, 0.1).flow(0.05).step(7.0).soil(0.01).until(1500.0).check(),
        Watershed::new(20, 18, terrain(20, 18)).rain(100.0, 0.2).speed(0.02, 1.0).step(5.0).until(1200.0).check(),
        // Less than a unit of a thin sheet leaves a cell in most steps.
        Watershed::new(20, 18, terrain(20, 18)).rain(20.0, 0.05).speed(0.02, 1.0).step(0.25).until(250.0).check(),
    ]
    .map(|model| model.expect("a model"))
}

fn run(model: &WatershedModel) -> CellOutcome {
    cells::run(model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome
}

#[test]
fn water_is_neither_lost_nor_made() {
    for model in models() {
        let outcome = run(&model);
        assert!(model.rained(model.until()) > 100_000);
        assert_eq!(model.water(&outcome) + model.soaked(&outcome), model.rained(model.until()));
    }
}

/// What falls is the rate times the time, to a unit of 2^-10 mm on every cell, however the steps divide it: whole steps or not,
/// much of it or less than a unit a step, to the end of the rain or cut off before it.
#[test]
fn what_falls_is_the_rate_times_the_time() {
    for (rate, hours, step, until) in [
        (10.0, 1.0, 10.0, 7200.0),
        (10.0, 1.0, 7.0, 7200.0),
        (10.0, 1.0, 10.0, 1234.5),
        (0.1, 5.0, 1.0, 20_000.0),
        (0.003, 5.0, 0.7, 20_000.0),
        (2.5, 1.0, 5000.0, 20_000.0),
        (1000.0, 0.3, 0.37, 3000.0),
    ] {
        let watershed = Watershed::new(2, 1, vec![0.0, 1.0]).rain(rate, hours).step(step).until(until);
        let model = watershed.check().expect("a model");
        let outcome = run(&model);
        let fallen = model.water(&outcome) as f64 / 2.0;
        // Events before the horizon happen.
        let ended = ((until / step).ceil() - 1.0) * step;
        let expected = rate * 1024.0 * ended.min(hours * 3600.0) / 3600.0;
        assert!(
            (fallen - expected).abs() <= 1.0,
            "{rate} mm/h, {hours} h, step {step}: {fallen} units, not {expected}"
        );
        assert_eq!(model.water(&outcome), model.rained(model.until()));
    }
    // What the soil takes, too: less than a unit a step, of more than there is.
    let soil = Watershed::new(1, 1, vec![0.0]).rain(10.0, 1.0).soil(0.1).step(1.0).until(18_001.0);
    let model = soil.check().expect("a model");
    let soaked = model.soaked(&run(&model)) as f64;
    assert!((soaked - 0.1 * 5.0 * 1024.0).abs() <= 1.0, "{soaked}");
}

/// On a plane that falls evenly the steady depth is rain times way by speed (the kinematic wave of a constant speed): 5.556 mm after 20 m
/// under 10 mm/h at 0.01 m/s. The width of cells counts, the step does not.
#[test]
fn depths_on_a_plane_are_those_of_the_kinematic_wave() {
    for (cell, step) in [(1.0, 1.0), (1.0, 5.0), (1.0, 17.0), (2.0, 8.0), (2.0, 40.0), (0.5, 2.0)] {
        let columns = (40.0 / cell) as u32;
        let heights = (0..columns).map(|x| 0.3 * cell * f64::from(x)).collect();
        let plane = Watershed::new(columns, 1, heights).rain(10.0, 3.0).speed(0.01, cell).step(step).until(9000.0);
        let model = plane.check().expect("a model");
        let middle = columns / 2;
        let depth = model.depth(&run(&model), middle, 0);
        assert!((depth - 5.5556).abs() < 0.02, "cells of {cell} m, steps of {step} s: {depth} mm");
    }
    // Steps in which a share of the water is far below a unit: rain times way by speed, too.
    for (cells, width, speed, rain, step, right) in [
        (11, 5.0, 0.05, 10.0, 10.0, 3.0556),
        (11, 5.0, 0.05, 10.0, 0.1, 3.0556),
        (3, 5.0, 0.05, 10.0, 0.02, 0.8333),
        (11, 30.0, 0.3, 2.0, 1.0, 0.6111),
    ] {
        let columns = cells + 4;
        let heights = (0..columns).map(|x| 0.3 * width * f64::from(x)).collect();
        let hours = 1.5 * f64::from(cells) * width / speed / 3600.0 + 0.2;
        let plane =
            Watershed::new(columns, 1, heights).rain(rain, hours).speed(speed, width).step(step).until(hours * 3600.0);
        let model = plane.check().expect("a model");
        let depth = model.depth(&run(&model), columns - cells, 0);
        assert!((depth - right).abs() < 0.005 * right + 0.002, "steps of {step} s: {depth} mm and not {right}");
    }
    let error = Watershed::new(2, 1, vec![0.0, 1.0]).speed(1.0, 1.0).check().unwrap_err().to_string();
    assert_eq!(
        error,
        "the way of the water in a step is 10; it must lie from 0.000001 to 0.2 of a cell: change the step"
    );
}

/// A drop that is lost is seen.
#[test]
fn a_lost_unit_is_caught() {
    let model = &models()[1];
    let mut outcome = run(model);
    *outcome.state.iter_mut().rev().find(|word| **word > 5).expect("water") -= 1;
    assert_ne!(model.water(&outcome) + model.soaked(&outcome), model.rained(model.until()));
}

/// In the end the water stands level in the hollow, and the slope has lost its own to the foot.
#[test]
fn it_runs_down_and_stands_level() {
    let bowl: Vec<f64> =
        (0..49)
            .map(|cell| {
                if [0, 6].contains(&(cell % 7)) || [0, 6].contains(&(cell / 7)) {
                    9.0
                } else {
                    0.1 * f64::from(cell % 3)
                }
            })
            .collect();
    let model = Watershed::new(7, 7, bowl.clone()).rain(2000.0, 1.0).until(40_000.0).check().expect("a model");
    let outcome = run(&model);
    let levels: Vec<f64> = (8..41)
        .filter(|cell| bowl[*cell] < 1.0)
        .map(|cell| bowl[cell] * 1000.0 + model.depth(&outcome, cell as u32 % 7, cell as u32 / 7))
        .collect();
    let (low, high) = levels.iter().fold((f64::MAX, 0.0f64), |(low, high), &l| (low.min(l), high.max(l)));
    assert!(high - low < 0.2 && low > 2000.0, "from {low} to {high} mm");
    let slope = &models()[2];
    let outcome = run(slope);
    assert!(slope.depth(&outcome, 299, 0) > 100.0 * slope.depth(&outcome, 0, 0).max(0.01));
}

#[test]
fn devices_have_the_same_bits() {
    for (place, model) in models().iter().enumerate() {
        let expected = run(model);
        for (form, device) in adapter::forms(&[["native", "words"][place % 2]]) {
            let run = cells::run(model, 0..1, Target::Device(&device), Default::default(), &mut unwatched());
            let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
            assert_eq!(expected.first_difference(&run.outcome), None, "{form}");
            assert_eq!(expected.digest(), run.outcome.digest(), "{form}");
        }
    }
}

/// Rain without end on one cell passes what is counted: both say so.
#[test]
fn a_flood_is_an_error() {
    let model = Watershed::new(1, 1, vec![0.0]).rain(300_000.0, 100_000.0).until(1e8).check().expect("a model");
    let said = "cell 1 at";
    let error =
        cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect_err("a flood").to_string();
    assert!(error.contains(said) && error.contains("more than 1048 m of water"), "{error}");
    for (form, device) in adapter::forms(&["native"]) {
        let error = cells::run(&model, 0..1, Target::Device(&device), Default::default(), &mut unwatched());
        let error = error.expect_err("a flood").to_string();
        assert!(error.contains(said) && error.contains("more than 1048 m of water"), "{form}: {error}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let flat = || Watershed::new(2, 2, vec![0.0; 4]);
    let wrong = [
        (Watershed::new(2, 2, vec![0.0, 1.0, f64::NAN, 3.0]), "the height of cell 2 is NaN m"),
        (Watershed::new(2, 2, vec![0.0, 1.0, 2001.0, 3.0]), "none may be more than 2000 m above that"),
        (flat().flow(0.3), "the flow is 0.3; it must lie from 0.000001 to 0.2"),
        (flat().step(0.0), "the step is 0; it must lie from 0.001 to 1000000 seconds"),
        (flat().rain(-1.0, 1.0), "the rain is -1; it must lie from 0 to"),
        (flat().soil(f64::INFINITY), "the soil is inf"),
        (Watershed::new(0, 2, vec![]), "the space is 0 x 2 x 2 cells"),
    ];
    for (model, said) in wrong {
        let error = model.check().expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
    }
}
