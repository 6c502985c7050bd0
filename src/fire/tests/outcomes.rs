//! Arrival times, area and perimeter of fires.

use super::landscapes::{mixed, windy};
use super::naive::run;
use crate::{Arrivals, Fire, FireError, Frame, Ignition, Landscape, Spreading, Weather};
use tickless_cells::CellModel as _;
use tickless_core::time::Time;

fn fire(columns: u32, times: &[f64]) -> Arrivals {
    let rows = times.len() as u32 / columns;
    let frame = Frame { columns, rows, corner: [0.0; 2], cell_size: 100.0 };
    let time = |&minutes: &f64| Time::from_units(minutes).unwrap_or(Time::NEVER);
    Arrivals::new(frame, times.iter().map(time).collect()).unwrap()
}

#[test]
fn states_become_arrivals() {
    let ground = mixed(9, 7, 1);
    let first = (0..63).find(|&cell| ground.burns(cell)).unwrap();
    let fire = Fire::new(ground, windy()).ignite([Ignition::cell(first % 9, first / 9)]).until(200.0);
    let model = fire.spreading(Spreading::Neighbours).check().unwrap();
    let words = run(&model, 0).states.concat();
    let found = Arrivals::of_states(model.description().landscape().frame(), &words).unwrap();
    assert_eq!(found.times()[first as usize], Time::ZERO);
    assert_eq!(found.burnt(), words.chunks(2).filter(|state| state[1] != u32::MAX).count() as u64);
    assert!(matches!(Arrivals::of_states(found.frame(), &words[1..]), Err(FireError::Results { .. })));
    assert!(matches!(Arrivals::of_states(found.frame(), &words[2..]), Err(FireError::Results { .. })));
}

#[test]
fn area_grows_with_time() {
    let growth = fire(3, &[0.0, 1.0, -1.0, 2.0, 2.5, 4.0]).growth(1.0).unwrap();
    let found: Vec<_> = growth.iter().map(|row| (row.minutes, row.cells, row.hectares)).collect();
    assert_eq!(found, [(0.0, 1, 1.0), (1.0, 2, 2.0), (2.0, 3, 3.0), (3.0, 4, 4.0), (4.0, 5, 5.0)]);
    let mut text = vec![];
    Arrivals::write_growth(&growth[..1], &mut text).unwrap();
    // π/8 · 100 m · (4 sides + 4 corners · √½)
    assert_eq!(String::from_utf8(text).unwrap(), "minutes,cells,hectares,perimeter_m\n0,1,1.0000,268.2\n");
    assert_eq!(fire(2, &[-1.0; 4]).growth(1.0).unwrap().len(), 1, "nothing burns");
    for step in [0.0, -1.0, f64::NAN, 1e-7, f64::INFINITY] {
        assert!(matches!(fire(1, &[0.0, 9.0]).growth(step), Err(FireError::Time { .. })), "{step}");
    }
}

/// For a disc, a square along the axes and a square on its corner.
#[test]
fn perimeters_are_near_the_true_ones() {
    let side = 201;
    let shape = |burnt: &dyn Fn(f64, f64) -> bool| {
        let place = |cell: u32| [f64::from(cell % side) - 100.0, f64::from(cell / side) - 100.0];
        let times: Vec<f64> =
            (0..side * side).map(|cell| if burnt(place(cell)[0], place(cell)[1]) { 0.0 } else { -1.0 }).collect();
        fire(side, &times).growth(1.0).unwrap()[0].perimeter / 100.0
    };
    let disc = shape(&|x, y| x * x + y * y <= 80.0 * 80.0);
    assert!((disc / (160.0 * std::f64::consts::PI) - 1.0).abs() < 0.02, "{disc}");
    let square = shape(&|x, y| x.abs() <= 50.0 && y.abs() <= 50.0) / 404.0;
    assert!((0.94..1.0).contains(&square), "{square}");
    let corner = shape(&|x, y| x.abs() + y.abs() <= 70.0) / (4.0 * 70.5 * std::f64::consts::SQRT_2);
    assert!((0.94..1.02).contains(&corner), "{corner}");
    let whole = shape(&|_, _| true) / (4.0 * f64::from(side));
    assert!((0.94..1.0).contains(&whole), "the border of the map counts: {whole}");
}

#[test]
fn checks_name_what_is_wrong() {
    let ground = || Landscape::uniform(5, 5, 30.0, 1).unwrap();
    let plain = || Fire::new(ground(), Weather::still());
    let wrong = |fire: Fire| fire.check().unwrap_err();
    for until in [0.0, -1.0, f64::NAN, 2_147_483_649.0] {
        assert!(matches!(wrong(plain().until(until)), FireError::Time { what: "the horizon", .. }), "{until}");
    }
    let same = plain().ignite([Ignition::cell(1, 1)]);
    let error = same.clone().check().unwrap().prepared(&(4..7)).unwrap_err().to_string();
    assert!(error.starts_with("3 replications of one fire are the same fire"), "{error}");
    assert!(same.random_weather().check().unwrap().prepared(&(4..7)).unwrap().is_some());
    assert!(matches!(Landscape::uniform(0, 5, 30.0, 1), Err(FireError::Space(_))));
    assert!(matches!(Landscape::uniform(5, 5, 0.0, 1), Err(FireError::CellSize { .. })));
    assert_eq!(Landscape::uniform(5, 5, 30.0, 14), Err(FireError::Fuel { number: 14 }));
    for rise in [f64::NAN, f64::INFINITY, -1000.1] {
        assert!(matches!(ground().tilted([0.0, rise]), Err(FireError::Slope { .. })), "{rise}");
    }
    assert!(ground().tilted([1000.0, 0.0]).is_ok());
    let wet = Weather::new(vec![{
        let mut row = Weather::still().rows()[0];
        row.moisture.one_hour = 50.0;
        row
    }]);
    let wet = Fire::new(ground(), wet.unwrap()).spreading(Spreading::Neighbours).check().unwrap();
    assert!((0..25).all(|cell| (0..8).all(|n| wet.delay(0, cell, n).is_none())), "it does not spread, and that is all");
}
