//! Fires: devices have the bits of the sequential simulator, and both are shortest paths.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use tickless::cells::fire::{Arrivals, Fire, FireModel, Ignition, Landscape, Spreading, Weather};
use tickless::cells::gpu::CellOptions;
use tickless::cells::{self, CellModel, CellOutcome};
use tickless::device::Target;
use tickless::engine::{BatchSize, Options};
use tickless::run::{Progress, unwatched};
use tickless::time::Time;

use crate::adapter;

const WEATHER: &str = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,\
                       moisture_woody\n0,5,0.4,270,6,7,8,60,90\n300,25,0.4,200,5,7,8,60,90\n900,0,0.4,0,9,9,9,90,120\n";

/// Weather that turns often, so that what sets out later arrives earlier in many places.
fn gusts() -> Weather {
    let mut text = WEATHER.lines().next().expect("a header").to_owned() + "\n";
    for row in 0..60_u32 {
        let (wind, from, moisture) = (row % 3 * 40, row * 77 % 360, if row % 2 == 0 { 11 } else { 3 });
        text += &format!("{},{wind},0.4,{from},{moisture},{moisture},{moisture},60,90\n", row * 35);
    }
    Weather::parse(&text, "gusts.csv").expect("a weather")
}

/// Four whose fire comes from the eight neighbours, and four with fronts, of which some make their ellipses as they are needed. They
/// are made once for all tests.
pub fn models() -> &'static [FireModel; 8] {
    static MODELS: OnceLock<[FireModel; 8]> = OnceLock::new();
    MODELS.get_or_init(|| {
        let [a, b, c, d] = fires();
        let [e, f, g, h] = fires();
        let [f, h] = [f, h].map(|fire| fire.store_ellipses(0));
        let neighbours = [a, b, c, d].map(|fire| fire.spreading(Spreading::Neighbours));
        let [a, b, c, d] = neighbours;
        [a, b, c, d, e, f, g, h].map(|fire| fire.check().expect("a fire"))
    })
}

/// How many replications of each are run.
pub fn replications(place: usize) -> u32 {
    [1, 1, 5, 2][place % 4]
}

/// What the heap makes of each, once for all tests.
pub fn expected(place: usize) -> &'static CellOutcome {
    static EXPECTED: [OnceLock<CellOutcome>; 8] = [const { OnceLock::new() }; 8];
    EXPECTED[place].get_or_init(|| {
        cells::run(&models()[place], 0..replications(place), Target::Heap, Default::default(), &mut unwatched())
            .expect("a run")
            .outcome
    })
}

fn fires() -> [Fire; 4] {
    let landscape = |columns, rows| Landscape::made_up(columns, rows, 4).expect("a landscape");
    let weather = || Weather::parse(WEATHER, "weather.csv").expect("a weather");
    [
        Fire::new(landscape(33, 24), Weather::still()).until(30_000.0),
        Fire::new(landscape(36, 40), weather())
            .ignite([Ignition::cell(18, 18), Ignition::cell(5, 34).at(200.5)])
            .until(1200.0),
        Fire::new(landscape(19, 17), weather()).random_weather().seed(5).until(1500.0),
        Fire::new(landscape(30, 21), gusts()).seed(2).until(2000.0),
    ]
}

#[test]
fn devices_have_the_same_bits() {
    for (place, model) in models().iter().enumerate() {
        let expected = expected(place);
        assert!(expected.imminent > 200, "hardly anything burns: {} cells", expected.imminent);
        for (form, device) in adapter::forms(&[["native", "words"][place % 2]]) {
            let ways = [(None, false, None), (Some(4), false, Some(7)), (Some(4), true, None)];
            // Fronts have no order: one of the other ways each.
            let suits = |at_once: Option<u32>, ordered: bool| !ordered && at_once.is_some() == (place % 2 == 1);
            let ways = ways.into_iter().filter(|way| model.fronts().is_none() || suits(way.0, way.1));
            // In software all ways but one, another one by turns: each has half of the models or more.
            let skipped =
                usize::from(adapter::in_software(device.as_ref()) && model.fronts().is_none()) * (1 + place / 2 % 3);
            let ways = ways.enumerate().filter(|(number, _)| number + 1 != skipped).map(|(_, way)| way);
            for (at_once, ordered, patience) in ways {
                // A few at a time in batches of one round, which are numbered anew soon.
                let renumber = if at_once.is_some() { 5 } else { 0 };
                let batch = if at_once.is_some() { BatchSize::Rounds(1) } else { BatchSize::Adaptive };
                let rounds = Options { renumber, batch, ..Options::default() };
                let patience = patience.map(|units| Time::from_ticks(units << 32));
                let options = CellOptions { at_once, ordered, patience, rounds, ..CellOptions::default() };
                let run = cells::run(model, 0..replications(place), Target::Device(&device), options, &mut unwatched());
                let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
                assert_eq!(expected.first_difference(&run.outcome), None, "{form}, ordered {ordered}");
                assert_eq!(expected.digest(), run.outcome.digest(), "{form}");
            }
        }
    }
}

/// What a device adds up is what the times of all cells add up to, for all replications at once and for a few.
#[test]
fn figures_without_arrays_are_the_same() {
    for (place, model) in models().iter().enumerate() {
        let expected = expected(place);
        let fires = 0..expected.replications;
        let passages: Vec<_> = fires.map(|fire| Arrivals::of(model, expected, fire).passages()).collect();
        for (form, device) in adapter::forms(&[["words", "native"][place % 2]]) {
            let at_once = if place == 2 { Some(4) } else { None };
            let options = CellOptions { at_once, figures_only: true, ..CellOptions::default() };
            let found = cells::run(model, 0..replications(place), Target::Device(&device), options, &mut unwatched())
                .expect("a run")
                .outcome;
            assert!(found.state.is_empty() && found.next.is_empty(), "{form}");
            assert_eq!(found.added_up.as_ref().expect("what was added up").passages, passages, "{form}");
            assert_eq!(expected.first_difference(&found), None, "{form}");
            assert_eq!(expected.digest(), found.digest(), "{form}");
            let mut wrong = expected.clone();
            wrong.next[7] = Time::UNIT;
            assert_eq!(wrong.first_difference(&found).expect("a difference").field, "sums of the digest[0]");
            assert_ne!(wrong.digest(), found.digest());
        }
    }
}

/// A late fire in a storm seems to burn first what an early one has burnt in the wet: its times lose what they followed from,
/// and those that are left would follow from each other for thousands of rounds. Such a fire is taken in order.
#[test]
fn times_that_do_not_settle_are_found_in_order() {
    let header = WEATHER.lines().next().expect("a header");
    let weather = format!("{header}\n0,20,.4,270,6,7,8,60,90\n40,0,.4,0,30,30,30,60,90\n1440,60,.4,270,4,5,6,60,90\n");
    let weather = Weather::parse(&weather, "storm.csv").expect("a weather");
    let model = Fire::new(Landscape::uniform(100, 20, 30.0, 1).expect("a meadow"), weather)
        .ignite([Ignition::cell(0, 10), Ignition::cell(30, 10).at(1500.0)])
        .until(20_000.0)
        .spreading(Spreading::Neighbours)
        .check()
        .expect("a fire");
    let expected = cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
    for (form, device) in adapter::forms(&["words"]) {
        // What is taken in order is added up behind each batch.
        for figures_only in [false, true] {
            let options = CellOptions { figures_only, ..CellOptions::default() };
            let found =
                cells::run(&model, 0..1, Target::Device(&device), options, &mut unwatched()).expect("a run").outcome;
            assert_eq!(expected.first_difference(&found), None, "{form}");
            assert_eq!(expected.digest(), found.digest(), "{form}");
            let passages = vec![Arrivals::of(&model, &expected, 0).passages()];
            assert_eq!(found.added_up.map(|cells| cells.passages), figures_only.then_some(passages), "{form}");
        }
    }
}

/// Before times have settled nothing is known: what there is of a fire that is interrupted is its start.
#[test]
fn an_interrupted_fire_has_its_start() {
    let rounds = Options { batch: BatchSize::Rounds(1), ..Options::default() };
    for (form, device) in adapter::forms(&["words"]) {
        for (number, most) in [(0, 1), (2, 4)] {
            let model = &models()[number];
            let mut looks = 0;
            let mut watch = |_: &Progress| {
                looks += 1;
                if looks > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let options = CellOptions { rounds, at_once: Some(most), ..CellOptions::default() };
            let run = cells::run(model, 0..replications(number), Target::Device(&device), options, &mut watch)
                .expect("a run");
            assert!(run.interrupted && run.clock == Time::ZERO, "{form}");
            assert_eq!((run.outcome.replications, run.outcome.imminent, run.outcome.transitions), (1, 0, 0));
            assert!(run.outcome.state.iter().all(|&word| word == u32::MAX));
            let first = model.ignitions(0)[0];
            assert_eq!(run.outcome.next[first.0 as usize], first.1);
        }
    }
}

/// Without a change of weather a fire takes the shortest way, as Dijkstra finds it.
#[test]
fn arrivals_are_shortest_paths() {
    let model = &models()[0];
    let found = Arrivals::of(model, expected(0), 0);
    let expected = shortest(model);
    assert!(found.burnt() > 500);
    assert_eq!(found.times(), expected);
}

fn shortest(model: &FireModel) -> Vec<Time> {
    let space = model.space();
    let mut times = vec![Time::NEVER; space.cells() as usize];
    let mut open: BinaryHeap<_> = model.ignitions(0).into_iter().map(|(cell, time)| Reverse((time, cell))).collect();
    while let Some(Reverse((time, cell))) = open.pop() {
        if times[cell as usize] < Time::NEVER || time >= model.until() {
            continue;
        }
        times[cell as usize] = time;
        // The n-th neighbour of another cell lies opposite.
        for n in 0..8 {
            let Some(there) = space.neighbour(cell, 7 - n) else { continue };
            if let Some(delay) = model.delay(0, there, n) {
                open.push(Reverse((time.checked_add(delay).expect("a time"), there)));
            }
        }
    }
    times
}
