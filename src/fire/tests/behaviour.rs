//! The behaviour of a fire as it comes to a cell, beside the growth of its ellipse.

use crate::{
    Arrivals, Fire, FireModel, Fuel, FuelBed, FuelModels, Grid, Ignition, Landscape, Laws, Layers, LengthToWidth,
    Measure, Weather, WeatherRow, WindAdjustment, conditional_flame_length,
};
use tickless_cells::CellOutcome;
use tickless_core::run::unwatched;
use tickless_device::Target;

const SIDE: u32 = 101;

fn windy() -> WeatherRow {
    WeatherRow { wind_kmh: 8.0, wind_from: 270.0, ..Weather::still().rows()[0] }
}

fn run(model: &FireModel) -> CellOutcome {
    several(model, 1)
}

fn several(model: &FireModel, replications: u32) -> CellOutcome {
    tickless_cells::run(model, 0..replications, Target::Heap, Default::default(), &mut unwatched()).unwrap().outcome
}

fn from_the_middle(weather: Weather) -> FireModel {
    let meadow = Landscape::uniform(SIDE, SIDE, 30.0, 1).unwrap();
    Fire::new(meadow, weather).ignite([Ignition::cell(30, 50)]).until(120.0).check().unwrap()
}

/// At the head, the back and the flanks the rate is that of the ellipse across its border; heat and flames follow.
#[test]
fn fronts_have_the_rates_of_the_ellipse() {
    let model = from_the_middle(Weather::new(vec![windy()]).unwrap());
    let outcome = run(&model);
    let arrivals = Arrivals::of(&model, &outcome, 0);
    let of = |measure| arrivals.measure(&model, 0, measure).values;
    let [rates, directions, intensities, flames] =
        [Measure::RateOfSpread, Measure::Direction, Measure::Intensity, Measure::FlameLength].map(of);
    let bed = FuelBed::new(Fuel::of(1).unwrap(), &windy().moisture);
    let spread = bed.spread(windy().wind(), [0.0; 2], Laws::default());
    let at = |column: usize, row: usize| column + SIDE as usize * row;
    for (cell, direction, rate) in [
        (at(90, 50), 90.0, spread.rate()),
        (at(28, 50), 270.0, spread.rate_toward([-1.0, 0.0])),
        (at(30, 50), 90.0, spread.rate()),
    ] {
        assert!((rates[cell] / rate - 1.0).abs() < 1e-9, "{} {rate}", rates[cell]);
        assert!((directions[cell] - direction).abs() < 1e-9, "{} {direction}", directions[cell]);
        let intensity = bed.heat_per_area() * rate / 60.0;
        assert!((intensities[cell] / intensity - 1.0).abs() < 1e-9);
        assert!((flames[cell] / (0.0775 * intensity.powf(0.46)) - 1.0).abs() < 1e-9);
    }
    // Where it is widest a front goes across the wind, by the shorter half axis.
    let across = spread.rate() / (1.0 + spread.eccentricity()) / spread.length_to_width();
    let first = |column: usize| (0..50).find(|&row| !rates[at(column, row)].is_nan()).unwrap_or(50);
    let widest = (31..90).min_by_key(|&column| first(column)).unwrap();
    let flank = rates[at(widest, first(widest))];
    assert!((flank / across - 1.0).abs() < 0.05, "{flank} {across}");
    let north = directions[at(widest, first(widest))];
    assert!(!(15.0..345.0).contains(&north), "{north}");
    // Cells that do not burn have no values.
    assert!(rates[at(0, 0)].is_nan() && flames[at(100, 100)].is_nan());
}

/// 1-hour fuel of 6, 10-hour of 7 and 100-hour of 8 %, short grass, 5 miles an hour at midflame height: the numbers of pyretechnics
/// 2026.10.20 (`calc_surface_fire_behavior_max`).
#[test]
fn intensity_is_that_of_another_program() {
    let mut row = windy();
    (row.wind_kmh, row.wind_adjustment) = (8.046_72, 1.0);
    let bed = FuelBed::new(Fuel::of(1).unwrap(), &row.moisture);
    let spread = bed.spread(row.wind(), [0.0; 2], Laws::default());
    let (rate, intensity) = (spread.rate(), bed.heat_per_area() * spread.rate() / 60.0);
    assert!((rate / RATE - 1.0).abs() < 1e-4, "{rate}");
    // That program takes 3.4620 kW/m for a Btu per foot and second; it is 3.4615.
    assert!((intensity / INTENSITY - 1.0).abs() < 2e-4, "{intensity}");
}

const RATE: f64 = 31.481_304;
const INTENSITY: f64 = 540.137_15;

/// For each cell the mean over the fires that came there.
#[test]
fn conditional_flames_are_those_of_fires_that_came() {
    let meadow = Landscape::uniform(31, 31, 30.0, 1).unwrap();
    let model = Fire::new(meadow, Weather::new(vec![windy()]).unwrap()).until(25.0).check().unwrap();
    let outcome = several(&model, 6);
    let found = conditional_flame_length(&model, &outcome).unwrap().values;
    let fires: Vec<Vec<f64>> = (0..6)
        .map(|place| Arrivals::of(&model, &outcome, place).measure(&model, place, Measure::FlameLength).values)
        .collect();
    let mut several = 0;
    for (cell, found) in found.iter().enumerate() {
        let lengths: Vec<f64> = fires.iter().map(|fire| fire[cell]).filter(|length| !length.is_nan()).collect();
        several += u32::from(lengths.len() > 1);
        let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
        assert!(if lengths.is_empty() { found.is_nan() } else { (found - mean).abs() < 1e-12 }, "{cell}");
    }
    assert!(several > 10, "{several}");
}

/// A grid of one number gives the same fire as the number; where it differs, so does the fire.
#[test]
fn weather_of_cells_is_that_of_each() {
    let head = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,moisture_woody\n";
    let grid = |west: f64, east: f64| {
        let model = from_the_middle(Weather::still());
        let frame = model.description().landscape().frame();
        let values = (0..frame.cells() as u32).map(|cell| if cell % SIDE < 50 { west } else { east }).collect();
        Grid { name: "g.asc".into(), frame, projection: None, values }
    };
    let fire = |line: &str, grid: Grid| {
        let text = format!("{head}{line}\n");
        let weather = Weather::parse_with(&text, "w.csv", &mut |_, _| Ok(grid.clone())).unwrap();
        let meadow = Landscape::uniform(SIDE, SIDE, 30.0, 1).unwrap();
        Fire::new(meadow, weather).ignite([Ignition::cell(40, 50)]).until(60.0).check()
    };
    let digest = |model: FireModel| run(&model).digest();
    let plain = digest(fire("0,8,1,270,6,7,8,60,90", grid(0.0, 0.0)).unwrap());
    assert_eq!(digest(fire("0,wind.asc,1,270,6,7,8,60,90", grid(8.0, 8.0)).unwrap()), plain);
    assert_eq!(digest(fire("0,8,1,270,wet.tif,7,8,60,90", grid(6.0, 6.0)).unwrap()), plain);
    assert_ne!(digest(fire("0,wind.asc,1,270,6,7,8,60,90", grid(8.0, 4.0)).unwrap()), plain);
    assert_ne!(digest(fire("0,8,1,270,wet.tif,7,8,60,90", grid(6.0, 9.0)).unwrap()), plain);
    let error = fire("0,8,1,from.asc,6,7,8,60,90", grid(270.0, 361.0)).unwrap_err().to_string();
    assert!(error.starts_with("g.asc: the value in column 50, row 0 (from 0, north-west) is 361"), "{error}");
    let mut small = grid(8.0, 8.0);
    (small.frame.columns, small.values) = (1, vec![8.0; SIDE as usize]);
    let error = fire("0,wind.asc,1,270,6,7,8,60,90", small).unwrap_err().to_string();
    assert!(error.starts_with("g.asc is 1 x 101 cells of 30"), "{error}");
}

/// Each law makes another fire, and a canopy makes a slower one.
#[test]
fn laws_and_trees_count() {
    let laws = [LengthToWidth::Anderson, LengthToWidth::Alexander, LengthToWidth::Rothermel];
    let burnt = laws.map(|law| {
        let meadow = Landscape::uniform(SIDE, SIDE, 30.0, 1).unwrap();
        let fire = Fire::new(meadow, Weather::new(vec![windy()]).unwrap()).ignite([Ignition::cell(30, 50)]).until(60.0);
        let model = fire.length_to_width(law).check().unwrap();
        Arrivals::of(&model, &run(&model), 0).burnt()
    });
    // A wind of 8 km/h at midflame height is one of 9.2 at 10 m.
    assert!(burnt[1] > burnt[0] && burnt[0] > burnt[2], "{burnt:?}");
    let grid = |value: f64| {
        let frame = Landscape::uniform(SIDE, SIDE, 30.0, 1).unwrap().frame();
        Grid { name: "g".into(), frame, projection: None, values: vec![value; frame.cells()] }
    };
    let below = |cover: f64, height: f64| {
        let layers = Layers { canopy: Some([grid(cover), grid(height)]), ..Layers::new(grid(1.0)) };
        let land = Landscape::of_layers(&layers, FuelModels::default()).unwrap();
        let fire = Fire::new(land, Weather::new(vec![WeatherRow { wind_kmh: 30.0, ..windy() }]).unwrap());
        let model =
            fire.ignite([Ignition::cell(30, 50)]).until(30.0).adjust_wind(WindAdjustment::FlamMap).check().unwrap();
        Arrivals::of(&model, &run(&model), 0).burnt()
    };
    assert!(below(0.0, 0.0) > below(40.0, 20.0) && below(40.0, 20.0) > below(90.0, 20.0));
    let refused = |fire: Fire| fire.check().unwrap_err().to_string();
    let meadow = || Landscape::uniform(9, 9, 30.0, 1).unwrap();
    // Where nothing is said of trees there are none.
    assert!(Fire::new(meadow(), Weather::still()).adjust_wind(WindAdjustment::FlamMap).check().is_ok());
    for crown_ratio in [0.0, 1.1, f64::NAN] {
        let fire = Fire::new(meadow(), Weather::still()).adjust_wind(WindAdjustment::BehavePlus { crown_ratio });
        assert!(refused(fire).starts_with("the crown ratio is "), "{crown_ratio}");
    }
    let calm = Weather::new(vec![WeatherRow { wind_adjustment: 0.0, ..windy() }]).unwrap();
    assert!(
        refused(Fire::new(meadow(), calm).length_to_width(LengthToWidth::Alexander)).starts_with("Alexander's law")
    );
}
