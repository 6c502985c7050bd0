//! The model against shortest paths, and the shapes of its fires.

use std::sync::Arc;

use super::landscapes::{mixed, windy};
use super::naive::{arrivals, run};
use crate::model::Ways;
use crate::{Fire, FireModel, Fuel, FuelBed, Ignition, Landscape, Laws, Spreading, Weather};
use tickless_cells::gpu::DeviceCells as _;
use tickless_cells::{Cell, CellModel, Space};
use tickless_core::time::Time;

fn from_neighbours(landscape: Landscape, weather: Weather) -> Fire {
    Fire::new(landscape, weather).spreading(Spreading::Neighbours)
}

/// Shortest paths on the same delays, by Dijkstra's algorithm with a scan for the nearest cell: this code has no
/// events.
fn shortest(model: &FireModel, replication: u32) -> Vec<Time> {
    let (space, cells) = (model.space(), model.space().cells());
    let mut found = vec![Time::NEVER; cells as usize];
    let mut open = vec![true; cells as usize];
    for cell in 0..cells {
        found[cell as usize] = model.ignition(Cell { id: cell, replication }).unwrap_or(Time::NEVER);
    }
    while let Some(nearest) =
        (0..cells as usize).filter(|&cell| open[cell] && found[cell] < model.until()).min_by_key(|&cell| found[cell])
    {
        open[nearest] = false;
        let row = model.row(replication, found[nearest]);
        for n in 0..8 {
            // The cell that hears this one by offset n is at the opposite offset.
            let Some(there) = space.neighbour(nearest as u32, 7 - n) else { continue };
            if let Some(delay) = model.delay(row, there, n) {
                let time = Time::from_ticks(found[nearest].ticks() + delay.ticks());
                found[there as usize] = found[there as usize].min(time);
            }
        }
    }
    found.into_iter().map(|time| if time < model.until() { time } else { Time::NEVER }).collect()
}

#[test]
fn opposite_neighbours_are_at_opposite_offsets() {
    let offsets = Space::moore();
    for n in 0..8 {
        assert_eq!(offsets[7 - n], offsets[n].map(|along| -along));
    }
}

#[test]
fn arrivals_are_shortest_paths() {
    for (seed, until) in [(1, 300.0), (2, 90.0), (3, 2000.0)] {
        let fire = from_neighbours(mixed(23, 17, seed), windy())
            .ignite([Ignition::cell(11, 8), Ignition::cell(2, 3).at(20.0)]);
        let model = fire.until(until).check().unwrap();
        let found = arrivals(&model, 0);
        assert_eq!(found, shortest(&model, 0), "seed {seed}");
        let burnt = found.iter().filter(|time| **time < Time::NEVER).count();
        assert!(burnt > 10, "only {burnt} cells burn");
    }
}

#[test]
fn a_changed_delay_changes_the_arrivals() {
    let fire = from_neighbours(mixed(23, 17, 1), windy()).ignite([Ignition::cell(11, 8)]);
    let mut model = fire.until(300.0).check().unwrap();
    let expected = arrivals(&model, 0);
    // The way by which the first neighbour to burn is reached.
    let cells = 0..model.space().cells();
    let second = cells.filter(|&cell| cell != 11 + 23 * 8).min_by_key(|&cell| expected[cell as usize]).unwrap();
    let way = (0..8).find(|&n| model.space().neighbour(second, n) == Some(11 + 23 * 8)).unwrap();
    let Ways::Neighbours { delays, .. } = Arc::make_mut(&mut model.ways) else { unreachable!("it is asked for") };
    delays[second as usize * 8 + way] -= 1;
    assert_ne!(arrivals(&model, 0), expected);
}

#[test]
fn replications_draw_their_cell_and_their_weather() {
    let fire = from_neighbours(mixed(19, 13, 4), windy()).random_weather().until(400.0).seed(5);
    let model = fire.check().unwrap();
    let firsts: Vec<_> = (0..12).map(|replication| model.ignitions(replication)[0].0).collect();
    let rows: Vec<_> = (0..12).map(|replication| model.row(replication, Time::UNIT)).collect();
    assert!(firsts.iter().any(|cell| *cell != firsts[0]) && rows.iter().any(|row| *row != rows[0]));
    for replication in 0..12 {
        assert!(model.description().landscape().burns(firsts[replication as usize]));
        assert_eq!(arrivals(&model, replication), shortest(&model, replication), "replication {replication}");
    }
}

#[test]
fn no_output_comes_before_the_lookahead() {
    let model =
        from_neighbours(mixed(23, 17, 6), windy()).ignite([Ignition::cell(11, 8)]).until(500.0).check().unwrap();
    let shortest_answer = run(&model, 0).shortest_answer;
    assert!(shortest_answer >= model.lookahead(), "{shortest_answer:?} is before {:?}", model.lookahead());
    assert!(shortest_answer.units() < 50.0 * model.lookahead().units(), "and the bound is of use");
}

/// Arrivals in a meadow of 41 x 41 cells, from its middle, as (east, north, minutes) with distances in cells.
fn meadow(fire: impl Fn(Fire) -> Fire, weather: Weather) -> Vec<(f64, f64, f64)> {
    let ground = Landscape::uniform(41, 41, 30.0, 1).unwrap();
    let model =
        fire(from_neighbours(ground, weather).ignite([Ignition::cell(20, 20)]).until(100_000.0)).check().unwrap();
    let times = arrivals(&model, 0);
    let place = |cell: usize| [(cell % 41) as f64 - 20.0, 20.0 - (cell / 41) as f64];
    times.iter().enumerate().map(|(cell, time)| (place(cell)[0], place(cell)[1], time.units())).collect()
}

/// Without wind fire goes along eight directions at one rate, so its front is an octagon in the true circle: it comes
/// on time along them, and 8.24 % late between them, at 22.5 degrees, at most.
#[test]
fn a_fire_without_wind_is_a_circle_but_for_eight_directions() {
    let rate = FuelBed::new(Fuel::of(1).unwrap(), &Weather::still().rows()[0].moisture).still_rate();
    let mut latest = 1.0_f64;
    for (east, north, minutes) in meadow(|fire| fire, Weather::still()) {
        let true_time = (east * east + north * north).sqrt() * 30.0 / rate;
        let along = east == 0.0 || north == 0.0 || east.abs() == north.abs();
        let late = minutes / true_time;
        if along {
            assert!((minutes - true_time).abs() < 1e-4, "{east} {north}: {minutes} and {true_time}");
        } else {
            assert!((1.0..1.0824).contains(&late), "{east} {north}: {late}");
            latest = latest.max(late);
        }
    }
    assert!(latest > 1.08, "{latest}");
}

/// With wind the true front is an ellipse with the ignition at its rear focus. The fire is on time along the eight
/// directions, and nowhere early.
#[test]
fn a_fire_with_wind_is_an_ellipse_but_for_eight_directions() {
    for wind_from in [45.0, 200.0] {
        let mut row = Weather::still().rows()[0];
        (row.wind_kmh, row.wind_from) = (6.0, wind_from);
        let bed = FuelBed::new(Fuel::of(1).unwrap(), &row.moisture);
        let spread = bed.spread(row.wind(), [0.0; 2], Laws::default());
        assert!((1.3..3.0).contains(&spread.length_to_width()), "{spread:?}");
        // Every second cell, as on a chessboard, with all of both diagonals.
        for (east, north, minutes) in meadow(|fire| fire, Weather::new(vec![row]).unwrap()).into_iter().step_by(2) {
            let distance = (east * east + north * north).sqrt();
            if distance == 0.0 {
                continue;
            }
            let true_time = distance * 30.0 / spread.rate_toward([east / distance, north / distance]);
            if east == 0.0 || north == 0.0 || east.abs() == north.abs() {
                assert!((minutes - true_time).abs() < 1e-4, "{east} {north}: {minutes} and {true_time}");
            } else {
                assert!(minutes > true_time - 1e-4, "{east} {north}: {minutes} and {true_time}");
                assert!(minutes < 1.35 * true_time, "{east} {north}: {minutes} and {true_time}");
            }
        }
    }
}

#[test]
fn weather_holds_from_its_time_on() {
    let mut rows = [Weather::still().rows()[0]; 2];
    (rows[1].minutes, rows[1].wind_kmh, rows[1].wind_from) = (30.0, 10.0, 270.0);
    let line = Landscape::uniform(9, 1, 30.0, 1).unwrap();
    let weather = Weather::new(rows.to_vec()).unwrap();
    let model = from_neighbours(line, weather).ignite([Ignition::cell(0, 0)]).check().unwrap();
    let times = arrivals(&model, 0);
    let [still, wind] = [0, 1].map(|row| model.delay(row, 1, 3).unwrap());
    assert!(still > wind);
    let mut expected = Time::ZERO;
    for time in times {
        assert_eq!(time, expected);
        // A crossing keeps the weather that it began under.
        let delay = if expected.units() < 30.0 { still } else { wind };
        expected = Time::from_ticks(expected.ticks() + delay.ticks());
    }
}

/// Two cells that burn in a large landscape, which a sample of all crossings misses.
#[test]
fn what_is_usual_is_known_where_little_burns() {
    let frame = Landscape::uniform(300, 300, 30.0, 1).unwrap().frame();
    let fuels = (0..90_000).map(|cell| u16::from([2107, 2108].contains(&cell))).collect();
    let landscape = Landscape::new(frame, fuels, vec![[0.0; 2]; 90_000]).unwrap();
    let model = from_neighbours(landscape, Weather::still()).check().unwrap();
    let ways = |step: usize| model.delay_words().iter().step_by(step).filter(|delay| **delay != u32::MAX).count();
    assert_eq!((ways(1), ways((720_000 / 8192) | 1)), (2, 0));
    assert!(model.first_passage().unwrap().usual > Time::ZERO);
}
