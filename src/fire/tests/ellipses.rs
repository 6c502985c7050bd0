//! Ellipses of integers: close to the physics, and the same whether they are stored or computed.

use super::landscapes::{mixed, windy};
use crate::beds::{self, Bed, Ground};
use crate::{Arrivals, Fire, Fuel, FuelBed, FuelModels, Grid, Ignition, Landscape, Laws, Layers};
use crate::{LengthToWidth, Moisture, Weather, Wind, WindAdjustment, WindLimit};
use tickless_cells::CellModel;
use tickless_core::random::StreamKey;
use tickless_core::run::unwatched;
use tickless_core::time::Time;
use tickless_device::Target;

const SIDE: f64 = 30.0;

/// Minutes from one side of a cell to the other, in a direction (a unit vector toward east and north).
fn minutes([a, east, south]: [i32; 3], toward: [f64; 2]) -> f64 {
    // The way leads against the direction.
    (f64::from(a) - f64::from(east) * toward[0] + f64::from(south) * toward[1]) / beds::PER_MINUTE
}

/// The largest and the mean error of the integers, for drawn fuels, moistures, winds, slopes and shares below trees under every law,
/// against the rate of spread of a wind so many times faster.
fn furthest(faster: f64) -> [f64; 2] {
    let mut stream = StreamKey::new(11, 0).stream(0);
    let mut share = || f64::from(stream.draw()) / 4_294_967_296.0;
    let fuels: Vec<Fuel> = FuelModels::default().all().cloned().collect();
    let (mut furthest, mut sum, mut count) = (0.0_f64, 0.0, 0.0);
    for n in 0..600 {
        let fuel = &fuels[n % fuels.len()];
        let (one_hour, herb) = (3.0 + 9.0 * share(), 30.0 + 90.0 * share());
        let moisture = Moisture { one_hour, ten_hour: one_hour + 1.0, hundred_hour: one_hour + 2.0, herb, woody: 90.0 };
        let shape = [LengthToWidth::Anderson, LengthToWidth::Alexander, LengthToWidth::Rothermel][n % 3];
        let limit = if n % 2 == 0 { WindLimit::None } else { WindLimit::Rothermel };
        let (laws, adjustment) = (Laws { limit, shape }, 0.2 + 0.8 * share());
        let toward = [share(), share()].map(|along| 1000.0 * (along - 0.5) * if n % 5 == 0 { 0.0 } else { 1.0 });
        let gradient = [share(), share()].map(|rise| 2.0 * (rise - 0.5) * if n % 7 == 0 { 0.0 } else { 1.0 });
        let below = if n % 4 == 0 { 0.1 + 0.9 * share() } else { 1.0 };
        let bed = FuelBed::new(fuel, &moisture);
        let wind = |share: f64| Wind { toward: toward.map(|along| along * share), adjustment: adjustment * share };
        let spread = bed.spread(wind(below * faster), gradient, laws);
        let found = beds::ellipse(
            Ground::new(0, &bed, gradient, below),
            Bed::new(&bed, wind(1.0), laws, SIDE),
            &beds::shapes(&bed, shape),
        );
        // The time of a fire around itself fits the number.
        let found = found.filter(|[a, ..]| u64::from(a.unsigned_abs()) < beds::MOST);
        let Some(found) = found else {
            let rear = SIDE / spread.rate_toward(spread.heading().map(|along| -along));
            assert!(rear.is_nan() || rear > 2000.0, "{n}: {rear}");
            continue;
        };
        for degrees in [0.0, 37.0, 90.0, 200.0, 311.0, spread.azimuth()] {
            let (sine, cosine) = f64::to_radians(degrees).sin_cos();
            let expected = SIDE / spread.rate_toward([sine, cosine]);
            // Rounding to units of time is no error of the ellipse.
            let apart = (minutes(found, [sine, cosine]) - expected).abs() - 4.0 / beds::PER_MINUTE;
            furthest = furthest.max(apart / expected);
            (sum, count) = (sum + apart.max(0.0) / expected, count + 1.0);
        }
    }
    assert!(count > 2000.0, "hardly anything burns");
    [furthest, sum / count]
}

#[test]
fn integers_say_what_the_rate_of_spread_says() {
    let [most, mean] = furthest(1.0);
    // The largest error is near the longest shape, where the table is less exact.
    assert!(most < 4e-3 && mean < 1e-4, "{most} {mean}");
    let [_, faster] = furthest(1.01);
    assert!(faster > 2e-3, "{faster}");
}

fn arrivals(fire: Fire, replications: u32) -> Vec<Time> {
    let model = fire.check().unwrap();
    let run = tickless_cells::run(&model, 0..replications, Target::Heap, Default::default(), &mut unwatched()).unwrap();
    (0..replications).flat_map(|r| Arrivals::of(&model, &run.outcome, r).times().to_vec()).collect()
}

fn wooded(columns: u32, rows: u32) -> Landscape {
    let grid = |value: &dyn Fn(u32) -> u32| {
        let values: Vec<String> = (0..columns * rows).map(|cell| value(cell).to_string()).collect();
        let header = format!("ncols {columns}\nnrows {rows}\nxllcorner 0\nyllcorner 0\ncellsize 30\n");
        Grid::parse(&(header + &values.join(" ")), "g").unwrap()
    };
    let canopy = Some([grid(&|cell| cell * 7 % 90), grid(&|cell| cell * 13 % 30)]);
    let layers = Layers { canopy, ..Layers::new(grid(&|cell| [1, 2, 10, 165][cell as usize / 5 % 4])) };
    Landscape::of_layers(&layers, FuelModels::default()).unwrap()
}

#[test]
fn stored_and_made_ellipses_are_the_same() {
    let begin = |landscape| Fire::new(landscape, windy()).ignite([Ignition::cell(11, 8)]).until(900.0);
    let fires = [
        begin(mixed(23, 17, 1)),
        begin(mixed(23, 17, 2)).wind_limit(WindLimit::Rothermel),
        begin(mixed(23, 17, 3)).length_to_width(LengthToWidth::Alexander),
        begin(wooded(23, 17)).adjust_wind(WindAdjustment::FlamMap).length_to_width(LengthToWidth::Rothermel),
        Fire::new(mixed(23, 17, 4), windy()).random_weather(),
    ];
    for (n, (fire, replications)) in fires.into_iter().zip([1, 1, 1, 1, 7]).enumerate() {
        let [stored, made] = [usize::MAX, 0].map(|most| fire.clone().store_ellipses(most).check().unwrap());
        assert!(stored.delay_words().len() > made.delay_words().len(), "{n}");
        assert!(made.lookahead() <= stored.lookahead() && made.slowest() >= stored.slowest(), "{n}");
        let [stored, made] = [usize::MAX, 0].map(|most| arrivals(fire.clone().store_ellipses(most), replications));
        assert!(stored == made, "{n}");
        assert!(stored.iter().filter(|time| **time < Time::NEVER).count() > 20, "{n}: hardly anything burns");
    }
}

/// Trees count for the shape by Alexander's law, which takes the wind above them.
#[test]
fn trees_count_where_ellipses_are_made() {
    let row = crate::WeatherRow { wind_kmh: 30.0, wind_adjustment: 0.9, ..Weather::still().rows()[0] };
    let weather = Weather::new(vec![row, crate::WeatherRow { minutes: 100.0, ..row }]).unwrap();
    let fire = Fire::new(wooded(23, 17), weather)
        .ignite([Ignition::cell(11, 8)])
        .until(900.0)
        .adjust_wind(WindAdjustment::FlamMap);
    let [anderson, alexander] = [LengthToWidth::Anderson, LengthToWidth::Alexander].map(|law| {
        let [stored, made] =
            [usize::MAX, 0].map(|most| arrivals(fire.clone().length_to_width(law).store_ellipses(most), 1));
        assert!(stored == made);
        made
    });
    assert!(anderson != alexander);
}
