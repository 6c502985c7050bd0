//! The shape of fires: under one wind a fire is an ellipse, whatever the wind's direction and however long it is.

use tickless::cells;
use tickless::cells::fire::{Arrivals, Fire, Fuel, FuelBed, Ignition, Landscape, Laws, Weather, WeatherRow};
use tickless::device::Target;
use tickless::run::unwatched;

const SIDE: f64 = 30.0;

/// A row of weather whose wind makes fires of short grass so long for their width, with the head toward an azimuth.
fn wind(length_to_width: f64, azimuth: f64) -> WeatherRow {
    let row = |kmh| WeatherRow {
        wind_kmh: kmh,
        wind_adjustment: 1.0,
        wind_from: (azimuth + 180.0) % 360.0,
        ..Weather::still().rows()[0]
    };
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if spread(&row(middle)).length_to_width() < length_to_width { low = middle } else { high = middle }
    }
    row(high)
}

fn spread(row: &WeatherRow) -> tickless::cells::fire::Spread {
    FuelBed::new(Fuel::of(1).expect("short grass"), &row.moisture).spread(row.wind(), [0.0; 2], Laws::default())
}

/// Area and head rate of a fire whose head has gone so many cells, beside those of its ellipse.
fn shape(length_to_width: f64, azimuth: f64, radius: f64) -> [f64; 2] {
    let row = wind(length_to_width, azimuth);
    let ellipse = spread(&row);
    let reach = (radius * 1.25) as u32;
    let side = 2 * reach + 1;
    let minutes = radius * SIDE / ellipse.rate();
    let landscape = Landscape::uniform(side, side, SIDE, 1).expect("a meadow");
    let fire = Fire::new(landscape, Weather::new(vec![row]).expect("a weather")).ignite([Ignition::cell(reach, reach)]);
    let model = fire.until(minutes * 1.2).check().expect("a fire");
    let run = cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    let arrivals = Arrivals::of(&model, &run.outcome, 0);
    let times = arrivals.times();
    let burnt = times.iter().filter(|time| time.units() <= minutes).count();
    let l = ellipse.length_to_width();
    let e = (l * l - 1.0).max(0.0).sqrt() / l;
    let half = radius / (1.0 + e);
    let area = burnt as f64 / (std::f64::consts::PI * half * half / l);
    let (sine, cosine) = azimuth.to_radians().sin_cos();
    let at = |distance: f64| {
        let [x, y] = [f64::from(reach) + distance * sine, f64::from(reach) - distance * cosine];
        let of = |x: f64, y: f64| times[x as usize + side as usize * y as usize].units();
        let [right, down] = [x.fract(), y.fract()];
        let line = |y: f64| (1.0 - right) * of(x, y) + right * of(x + 1.0, y);
        (1.0 - down) * line(y) + down * line(y + 1.0)
    };
    let distances = (0..(radius * 24.0) as u32).map(|n| f64::from(n) * 0.05);
    let head = distances.rev().find(|distance| at(*distance) <= minutes);
    [area, head.unwrap_or(0.0) / radius]
}

/// The worst of area and head rate over directions of the wind.
fn worst(length_to_width: f64, azimuths: &[f64], radius: f64) -> [f64; 2] {
    let shapes = azimuths.iter().map(|azimuth| shape(length_to_width, *azimuth, radius));
    shapes.fold([1.0_f64; 2], |worst, shape| {
        std::array::from_fn(|n| if (shape[n] - 1.0).abs() > (worst[n] - 1.0).abs() { shape[n] } else { worst[n] })
    })
}

/// Every eighth of a right angle.
const AZIMUTHS: [f64; 5] = [90.0, 101.25, 112.5, 123.75, 135.0];

#[test]
fn fires_have_the_shape_of_their_ellipses() {
    for (length_to_width, most) in [(1.0, 0.01), (3.0, 0.06), (8.0, 0.4)] {
        for shape in [worst(length_to_width, &[112.5], 40.0), worst(length_to_width, &[0.0], 40.0)] {
            assert!(shape.iter().all(|share| (share - 1.0).abs() < most), "{length_to_width}: {shape:?}");
        }
    }
}

/// What docs/cells.md says: cargo test --release --test cells every_shape -- --ignored --nocapture
#[test]
#[ignore = "takes a minute"]
fn every_shape() {
    for length_to_width in [1.0, 2.0, 3.0, 4.0, 8.0] {
        for radius in [60.0, 120.0, 240.0] {
            let [area, head] = worst(length_to_width, &AZIMUTHS, radius);
            println!("| {length_to_width} | {radius} | {area:.3} | {head:.3} |");
        }
    }
}
