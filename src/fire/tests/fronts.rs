//! Fronts against a naive fixed point, and properties of every front.

use super::landscapes::{mixed, windy};
use crate::{Arrivals, Fire, FireModel, Ignition, Landscape, Weather};
use tickless_cells::{Cell, CellModel, Times};
use tickless_core::random::StreamKey;
use tickless_core::run::unwatched;
use tickless_core::time::Time;
use tickless_device::Target;

fn arrivals(model: &FireModel, replication: u32) -> Vec<Time> {
    let run =
        tickless_cells::run(model, replication..replication + 1, Target::Heap, Default::default(), &mut unwatched())
            .unwrap();
    Arrivals::of(model, &run.outcome, 0).times().to_vec()
}

/// Every cell is corrected from all of its neighbours, cells in an order that is drawn anew each time, until nothing changes:
/// this code has no events.
fn corrected(model: &FireModel, replication: u32, seed: u64) -> Vec<Time> {
    let (space, fronts) = (model.space(), model.fronts().unwrap());
    let mut times = vec![Time::NEVER; space.cells() as usize];
    fronts.starts(replication).iter().for_each(|&(cell, time)| times[cell as usize] = time);
    let mut order: Vec<u32> = (0..space.cells()).collect();
    let mut stream = StreamKey::new(seed, 0).stream(0);
    loop {
        (1..order.len()).for_each(|n| order.swap(n, stream.draw() as usize % (n + 1)));
        let before = times.clone();
        for &id in &order {
            let known = Times::new(space, &times, model.until(), id);
            let cell = Cell { id, replication };
            let least = (0..space.offsets().len()).map(|n| fronts.arrival(cell, n, &known)).min();
            times[id as usize] = least.map_or(times[id as usize], |least| least.min(times[id as usize]));
        }
        if times == before {
            return times.into_iter().map(|time| if time < model.until() { time } else { Time::NEVER }).collect();
        }
    }
}

#[test]
fn arrivals_are_the_fixed_point_whatever_the_order() {
    for (seed, until) in [(1, 300.0), (2, 90.0), (3, 2000.0)] {
        let fire =
            Fire::new(mixed(23, 17, seed), windy()).ignite([Ignition::cell(11, 8), Ignition::cell(2, 3).at(20.0)]);
        let model = fire.until(until).check().unwrap();
        let found = arrivals(&model, 0);
        assert_eq!([5, 6].map(|order| corrected(&model, 0, order) == found), [true; 2], "seed {seed}");
        let burnt = found.iter().filter(|time| **time < Time::NEVER).count();
        assert!(burnt > 10, "only {burnt} cells burn");
    }
}

#[test]
fn replications_have_their_cell_and_their_weather() {
    let fire = Fire::new(mixed(19, 13, 4), windy()).random_weather().until(400.0).seed(5);
    let model = fire.check().unwrap();
    for replication in 0..3 {
        assert_eq!(arrivals(&model, replication), corrected(&model, replication, 1), "replication {replication}");
    }
}

/// A front that sets out later never arrives earlier, under weather that turns from storm to rain and back.
#[test]
fn no_front_overtakes_another() {
    let mut rows = [Weather::still().rows()[0]; 7];
    for (place, row) in rows.iter_mut().enumerate() {
        (row.minutes, row.wind_from) = (place as f64 * 7.0, place as f64 * 50.0);
        row.wind_kmh = if place % 2 == 0 { 60.0 } else { 0.0 };
        // Under every third row nothing burns.
        row.moisture.one_hour = if place % 3 == 1 { 40.0 } else { 4.0 };
    }
    let line = Landscape::uniform(9, 9, 30.0, 1).unwrap();
    let model = Fire::new(line, Weather::new(rows.to_vec()).unwrap()).ignite([Ignition::cell(4, 4)]).check().unwrap();
    let (space, fronts) = (model.space(), model.fronts().unwrap());
    let mut stream = StreamKey::new(3, 0).stream(0);
    let mut draw = || Time::from_ticks((u64::from(stream.draw()) << 8 | 0xff) % (60 << 32));
    let mut waited = false;
    for n in (0..space.offsets().len()).cycle().take(3000) {
        let mut times: Vec<Time> = (0..81).map(|_| draw()).collect();
        // A cell without an arrival time.
        times[40] = Time::NEVER;
        let mut earlier = times.clone();
        for time in earlier.iter_mut().filter(|time| **time < Time::NEVER) {
            *time = (*time).min(draw());
        }
        let arrival = |times: &[Time]| {
            fronts.arrival(Cell { id: 40, replication: 0 }, n, &Times::new(space, times, model.until(), 40))
        };
        let [late, early] = [arrival(&times), arrival(&earlier)];
        assert!(early <= late, "{early:?} {late:?}");
        let least = earlier.iter().min().unwrap();
        assert!(early > *least, "it takes longer than no time");
        waited |= early.units() > 42.0 && least.units() < 15.0;
    }
    assert!(waited, "none waits for better weather");
}

/// A front that goes straight through two fuels takes in each of them the time of a fire in that fuel, to within half a
/// cell.
#[test]
fn a_crossing_takes_of_each_fuel_what_lies_in_it() {
    let frame = Landscape::uniform(60, 31, 30.0, 1).unwrap().frame();
    let fuel = |cell: usize| if cell % 60 < 30 { 1_u16 } else { 8 };
    let landscape = |fuel: &dyn Fn(usize) -> u16| {
        Landscape::new(frame, (0..frame.cells()).map(fuel).collect(), vec![[0.0; 2]; frame.cells()]).unwrap()
    };
    let along = |landscape: Landscape| {
        let fire = Fire::new(landscape, Weather::still()).ignite([Ignition::cell(0, 15)]).until(1e6);
        let times = arrivals(&fire.check().unwrap(), 0);
        (0..60).map(|x| times[60 * 15 + x].units()).collect::<Vec<f64>>()
    };
    let [both, grass, litter] = [&fuel as &dyn Fn(usize) -> u16, &|_| 1, &|_| 8].map(|fuel| along(landscape(fuel)));
    assert!(litter[1] > 5.0 * grass[1], "the fuels differ");
    for (x, found) in both.into_iter().enumerate() {
        // The border lies half a cell before the first cell of litter.
        let cells = x as f64;
        let expected = cells.min(29.5) * grass[1] + (cells - 29.5).max(0.0) * litter[1];
        assert!((found - expected).abs() < 0.02 * litter[1], "{x}: {found} and {expected}");
    }
}

/// Fire goes around cells that do not burn, and through a gap of one cell.
#[test]
fn fire_goes_through_gaps() {
    let frame = Landscape::uniform(11, 11, 30.0, 1).unwrap().frame();
    let wall = |gap: usize| {
        let fuels = (0..121).map(|cell| if cell % 11 == 5 && cell / 11 != gap { 99 } else { 1 }).collect();
        let landscape = Landscape::new(frame, fuels, vec![[0.0; 2]; 121]).unwrap();
        let fire = Fire::new(landscape, Weather::still()).ignite([Ignition::cell(0, 5)]).until(1e5);
        arrivals(&fire.check().unwrap(), 0)
    };
    let (open, closed) = (wall(9), wall(99));
    assert!(closed.iter().enumerate().all(|(cell, time)| (*time < Time::NEVER) == (cell % 11 < 5)));
    assert!(open.iter().enumerate().all(|(cell, time)| (*time < Time::NEVER) == (cell % 11 != 5 || cell / 11 == 9)));
    assert!(open[5 * 11 + 6] > open[9 * 11 + 6], "it comes by the gap");
}
