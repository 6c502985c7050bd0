//! Every setter of spaces, fires and watersheds.

use super::{AtOnce, Choices};
use tickless::cells::fire::{
    Fire, Frame, Ignition, Landscape, LengthToWidth, Moisture, Place, Spreading, Weather, WeatherRow, WindAdjustment,
    WindLimit,
};
use tickless::cells::gpu::{self, CellOptions, DeviceCells};
use tickless::cells::{self, Border, Space, Watershed};
use tickless::device::Target;
use tickless::time::Time;

pub fn build(choices: &mut Choices) {
    match choices.of(3) {
        0 => space(choices),
        1 => fire(choices),
        _ => watershed(choices),
    }
}

fn space(choices: &mut Choices) {
    let size = std::array::from_fn(|_| choices.count());
    let one = |choices: &mut Choices| choices.one(&[0, 1, -1, 2, i32::MIN, i32::MAX, 1 << 15]);
    let offsets = (0..choices.of(4)).map(|_| std::array::from_fn(|_| one(choices))).collect();
    let Ok(space) = Space::new(size, choices.one(&[Border::Open, Border::Wrapped]), offsets) else { return };
    let cell = choices.next() as u32;
    let places = [cell, space.cells() - 1, choices.count()];
    for place in places {
        let _ = (space.neighbour(place, choices.of(5) as usize), space.place(place));
        let at = std::array::from_fn(|_| choices.count());
        let _ = (space.cell(at), space.at(at, std::array::from_fn(|_| one(choices))));
    }
}

fn run<M: DeviceCells>(model: &M, choices: &mut Choices) {
    let first = choices.of(3) as u32;
    let mut replications = if choices.once_in(6) { choices.count()..choices.count() } else { first..first + 1 };
    // Billions of replications are no error where there is the memory.
    if replications.len() > 1 << 12 {
        replications.end = replications.start + (1 << 12);
    }
    let options = || CellOptions::default();
    let wild = CellOptions {
        groups: choices.maybe(Choices::count),
        parts: choices.maybe(Choices::count),
        at_once: choices.maybe(Choices::count),
        ordered: choices.of(2) == 0,
        patience: choices.maybe(|choices| Time::from_ticks(choices.next())),
        log_bytes: choices.maybe(Choices::next),
        figures_only: choices.of(2) == 0,
        most_cycles: choices.maybe(Choices::next),
        rounds: choices.rounds(),
        ..options()
    };
    let _ = gpu::parts(model, replications, &wild, &choices.adapter(), choices.of(2) == 0);
    let _ = cells::run(model, first..first + 1, Target::Heap, options(), &mut AtOnce);
}

fn landscape(choices: &mut Choices) -> Option<Landscape> {
    let side = |choices: &mut Choices| {
        if choices.once_in(8) { choices.one(&[0, u32::MAX, 1 << 16]) } else { 1 + choices.of(5) as u32 }
    };
    let (columns, rows) = (side(choices), side(choices));
    // A landscape of billions of cells is no error where there is the memory, and takes minutes.
    let cells = u64::from(columns) * u64::from(rows);
    if ((1 << 20)..=u64::from(u32::MAX)).contains(&cells) {
        return None;
    }
    let landscape = match choices.of(4) {
        0 => Landscape::made_up(columns.min(9), rows.min(9), choices.next()),
        1 => {
            let count = (u64::from(columns) * u64::from(rows)).min(40) as usize;
            let frame =
                Frame { columns, rows, corner: [choices.amount(), choices.amount()], cell_size: choices.amount() };
            let fuels = (0..count).map(|_| choices.one(&[1, 102, 165, 98, 0, u16::MAX])).collect();
            let gradients = (0..count).map(|_| [choices.amount(), choices.amount()]).collect();
            Landscape::new(frame, fuels, gradients)
        }
        _ => Landscape::uniform(columns, rows, choices.amount(), choices.one(&[1, 2, 102, 0])),
    };
    let mut landscape = landscape.ok()?;
    if choices.of(2) == 0 {
        landscape = landscape.tilted([choices.amount(), choices.amount()]).ok()?;
    }
    Some(landscape.without((0..choices.of(3)).map(|_| choices.count())))
}

fn weather(choices: &mut Choices) -> Option<Weather> {
    let row = |choices: &mut Choices| WeatherRow {
        minutes: choices.amount(),
        wind_kmh: choices.amount(),
        wind_adjustment: choices.amount(),
        wind_from: choices.amount(),
        moisture: Moisture {
            one_hour: choices.amount(),
            ten_hour: choices.amount(),
            hundred_hour: choices.amount(),
            herb: choices.amount(),
            woody: choices.amount(),
        },
    };
    match choices.of(3) {
        0 => Some(Weather::still()),
        1 => Some(Weather::breeze()),
        _ => Weather::new((0..choices.of(4)).map(|_| row(choices)).collect()).ok(),
    }
}

fn fire(choices: &mut Choices) {
    let Some(landscape) = landscape(choices) else { return };
    let Some(weather) = weather(choices) else { return };
    let mut fire = Fire::new(landscape, weather).until(choices.one(&[5.0, 1.0]));
    for _ in 0..choices.of(5) {
        fire = match choices.of(9) {
            0 => {
                let ring: Vec<[f64; 2]> = (0..choices.of(4)).map(|_| [choices.amount(), choices.amount()]).collect();
                let place = match choices.of(4) {
                    0 => Place::Cell(choices.count(), choices.count()),
                    1 => Place::Point([choices.amount(), choices.amount()]),
                    2 => Place::Polygon(ring),
                    _ => Place::Area(vec![ring; choices.of(3) as usize]),
                };
                fire.ignite([Ignition::new(place).at(choices.amount())])
            }
            1 => fire.wind_limit(choices.one(&[WindLimit::None, WindLimit::Rothermel])),
            2 => fire.length_to_width(choices.one(&[
                LengthToWidth::Anderson,
                LengthToWidth::Alexander,
                LengthToWidth::Rothermel,
            ])),
            3 => fire.adjust_wind(match choices.of(2) {
                0 => WindAdjustment::FlamMap,
                _ => WindAdjustment::BehavePlus { crown_ratio: choices.amount() },
            }),
            4 => fire.spreading(choices.one(&[Spreading::Fronts, Spreading::Neighbours])),
            5 => fire.until(choices.amount()),
            6 => fire.random_weather(),
            7 => fire.seed(choices.next()),
            _ => fire.store_ellipses(choices.next() as usize),
        };
    }
    if let Ok(model) = fire.check() {
        run(&model, choices);
    }
}

fn watershed(choices: &mut Choices) {
    let (width, height) = (choices.count(), choices.count());
    let cells = (u64::from(width) * u64::from(height)).min(30);
    let mut watershed = Watershed::new(width, height, (0..cells).map(|_| choices.amount()).collect()).until(100.0);
    for _ in 0..choices.of(4) {
        watershed = match choices.of(5) {
            0 => watershed.rain(choices.amount(), choices.amount()),
            1 => watershed.soil(choices.amount()),
            2 => watershed.flow(choices.amount()),
            3 => watershed.step(choices.amount()),
            _ => watershed.until(choices.amount()),
        };
    }
    if let Ok(model) = watershed.check() {
        run(&model, choices);
    }
}
