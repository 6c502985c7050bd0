//! What fire passes between cells that do not burn, and how far it comes over slopes.

use crate::{Arrivals, Fire, Frame, Ignition, Landscape, Spreading, Weather, WeatherRow};
use tickless_core::run::unwatched;
use tickless_device::Target;

const SIDE: usize = 41;
const BOTH: [Spreading; 2] = [Spreading::Fronts, Spreading::Neighbours];

fn minutes(fire: Fire) -> Vec<f64> {
    let model = fire.check().unwrap();
    let run = tickless_cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).unwrap();
    Arrivals::of(&model, &run.outcome, 0).grid().values
}

/// A meadow with roads (99), or with another fuel.
fn crossed(columns: usize, cell: impl Fn(usize, usize) -> u16) -> Landscape {
    let frame = Frame { columns: columns as u32, rows: columns as u32, corner: [0.0; 2], cell_size: 30.0 };
    let fuels = (0..frame.cells()).map(|place| cell(place % columns, place / columns)).collect();
    Landscape::new(frame, fuels, vec![[0.0; 2]; frame.cells()]).unwrap()
}

fn burnt(fire: Fire) -> usize {
    minutes(fire).iter().filter(|time| !time.is_nan()).count()
}

/// Two cells that touch at a corner only, where the other two never burn; with one of these that burns.
#[test]
fn a_corner_between_bare_cells_is_closed() {
    for (spreading, sides) in BOTH.into_iter().flat_map(|way| [[99, 99], [1, 99], [99, 1]].map(|sides| (way, sides))) {
        let ground = crossed(2, |x, y| if x == y { 1 } else { sides[x] });
        let found = burnt(Fire::new(ground, Weather::still()).ignite([Ignition::cell(0, 0)]).spreading(spreading));
        assert_eq!(found, if sides == [99, 99] { 1 } else { 3 }, "{spreading:?} {sides:?}");
    }
}

/// A road of one cell through the middle, each cell of which touches the next at a side or at a corner. Beyond a cell of it that is taken out
/// everything burns.
#[test]
fn no_road_leaks() {
    let middle = SIDE as f64 / 2.0;
    let storm =
        Weather::new(vec![WeatherRow { wind_kmh: 60.0, wind_from: 240.0, ..Weather::still().rows()[0] }]).unwrap();
    for (degrees, spreading) in [0.0, 12.0, 27.0, 45.0, 70.0, 90.0, 118.0, 135.0, 166.0_f64]
        .into_iter()
        .flat_map(|of| BOTH.map(|way| (of, way)))
    {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        // The cell nearest to the line in every column, or in every row where it is steep.
        let off = |x: usize, y: usize| {
            let [dx, dy] = [x, y].map(|along| along as f64 + 0.5 - middle);
            if cosine.abs() > sine.abs() { dy - dx * sine / cosine } else { dx - dy * cosine / sine }
        };
        let road = |x: usize, y: usize| (-0.5..0.5).contains(&off(x, y));
        let start = (0..).find(|x| !road(*x as usize, 0)).unwrap_or(0_u32);
        let beyond = |x: usize, y: usize| off(x, y) * off(start as usize, 0) < 0.0;
        let fire = |gap: bool| {
            let ground =
                crossed(SIDE, |x, y| if road(x, y) && !(gap && (x, y) == (SIDE / 2, SIDE / 2)) { 99 } else { 1 });
            let fire = Fire::new(ground, storm.clone()).ignite([Ignition::cell(start, 0)]).until(1e6);
            let found = minutes(fire.spreading(spreading));
            (0..found.len())
                .filter(|cell| {
                    beyond(cell % SIDE, cell / SIDE) && !road(cell % SIDE, cell / SIDE) && !found[*cell].is_nan()
                })
                .count()
        };
        assert_eq!(fire(false), 0, "{degrees} {spreading:?}");
        assert!(fire(true) > 500, "{degrees} {spreading:?}: {}", fire(true));
    }
}

/// Fuel that is too wet under a row of the weather is a road while this row is in force, where ellipses are stored and where they are made.
#[test]
fn wet_fuel_is_a_road() {
    let ground = crossed(SIDE, |x, y| if x + y == SIDE { 1 } else { 4 });
    let mut rows = [Weather::still().rows()[0]; 2];
    // Grass (1) burns below 12 % of moisture, chaparral (4) below 20 %.
    rows[0].moisture.one_hour = 14.0;
    rows[1].minutes = 3000.0;
    let fire = Fire::new(ground, Weather::new(rows.to_vec()).unwrap()).ignite([Ignition::cell(0, 0)]).until(1e5);
    let crossed = |fire: Fire| {
        let found = minutes(fire);
        let beyond = |cell: &usize| cell % SIDE + cell / SIDE > SIDE;
        let first = (0..found.len()).filter(beyond).map(|cell| found[cell]).fold(f64::INFINITY, f64::min);
        (first, found)
    };
    for spreading in BOTH {
        let (first, all) = crossed(fire.clone().spreading(spreading));
        assert!(all[SIDE + 1] < 1000.0);
        // A front waits at the strip; from its neighbours a fire sets out once.
        let waits = spreading == Spreading::Fronts;
        assert!(first >= 3000.0 && first.is_finite() == waits, "{spreading:?}: {first}");
        assert_eq!(all.iter().all(|time| !time.is_nan()), waits);
    }
    let [made, stored] = [0, usize::MAX].map(|most| crossed(fire.clone().store_ellipses(most)));
    assert!(made == stored);
}

/// The time of a fire over a slope (rise per distance toward east and north) from the middle to ten cells away.
fn over(gradient: [f64; 2], direction: [i32; 2], spreading: Spreading) -> f64 {
    let meadow = Landscape::uniform(41, 41, 30.0, 102).unwrap().tilted(gradient).unwrap();
    let fire = Fire::new(meadow, Weather::still()).ignite([Ignition::cell(20, 20)]).until(1e5).spreading(spreading);
    let found = minutes(fire);
    let [x, y] = direction.map(|along| 20 + 10 * along);
    found[(x + 41 * y) as usize]
}

/// GR2 without wind on a slope of 45 degrees: 17.6186 m/min along the slope (as another program says, too), so 12.458 over the map. Across
/// the slope both are one. Slopes of 0.45 in every direction: the rate along the ground times the cosine.
#[test]
fn fires_go_over_the_map() {
    let row = Weather::still().rows()[0];
    let bed = crate::FuelBed::new(crate::Fuel::of(102).unwrap(), &row.moisture);
    let spread = |gradient| bed.spread(row.wind(), gradient, crate::Laws::default());
    assert!((spread([0.0, 1.0]).rate() - 17.6186).abs() < 1e-4, "{}", spread([0.0, 1.0]).rate());
    for spreading in BOTH {
        let rate = 300.0 / over([0.0, 1.0], [0, -1], spreading);
        assert!((rate - 12.458).abs() < 1e-3, "{spreading:?}: {rate}");
        for (gradient, [x, y]) in [[0.0, 1.0], [0.45, 0.0], [-0.3, 0.35]].into_iter().flat_map(|of: [f64; 2]| {
            [[0, -1], [1, 0], [0, 1], [-1, 0], [1, -1], [-1, 1]].map(|direction: [i32; 2]| (of, direction))
        }) {
            let length = f64::from(x * x + y * y).sqrt();
            let toward = [f64::from(x) / length, -f64::from(y) / length];
            let rise = gradient[0] * toward[0] + gradient[1] * toward[1];
            let expected = 300.0 * length * (1.0 + rise * rise).sqrt() / spread(gradient).rate_toward(toward);
            let found = over(gradient, [x, y], spreading);
            assert!((found / expected - 1.0).abs() < 3e-3, "{spreading:?} {gradient:?} {x} {y}: {found}, {expected}");
        }
    }
}
