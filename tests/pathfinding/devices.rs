//! Devices against the reference: equal costs, expansions and paths, whatever the set, the steps and the room.

use std::ops::ControlFlow;

use tickless::device::{Device, Target};
use tickless::engine::{BatchSize, Options};
use tickless::pathfinding::gpu::{Finder, OpenList, SearchOptions};
use tickless::pathfinding::{
    self, Cell, Corners, Map, Obstacles, Outcome, PathfindingError, Query, SearchDetails, SearchModel, SearchState,
    Searches, random_queries,
};
use tickless::pending::PendingSet;
use tickless::run::{Pause, Progress, Restartable, Run, Watch, unwatched};

use crate::{adapter, weighted};

fn expected(model: &SearchModel) -> Outcome {
    pathfinding::run(model, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome
}

fn on(device: &dyn Device, model: &SearchModel, options: SearchOptions) -> Run<Outcome, SearchDetails> {
    pathfinding::run(model, Target::Device(device), options, &mut unwatched()).expect("a run")
}

fn assert_same(expected: &Outcome, found: &Run<Outcome, SearchDetails>, what: &str) {
    assert_eq!(expected.first_difference(&found.outcome), None, "{what}");
    assert_eq!(expected.digest(), found.outcome.digest(), "{what}");
    assert!(expected == &found.outcome, "{what}");
    assert_eq!(found.events, expected.statistics().expansions, "{what}");
    assert_eq!(found.clock.units() as usize, expected.searches.len(), "{what}");
    assert!(!found.interrupted, "{what}");
}

/// A map with every cost in it, or with one.
fn map(width: u32, height: u32, costs_differ: bool, seed: u64) -> Map {
    let map = Obstacles::new(width, height).density(0.15).seed(seed).map().expect("a map");
    if costs_differ { weighted(&map) } else { map }
}

fn model(map: Map, corners: Corners, expand: u32, paths: bool, searches: u32) -> SearchModel {
    let mut queries = random_queries(&map, searches, 5);
    // A cell to itself, a blocked one, and one that cannot be reached are among them.
    queries.extend([Query::default(), Query { start: queries[0].start, ..Query::default() }]);
    Searches::new(map).corners(corners).expand(expand).paths(paths).queries(queries).check().expect("searches")
}

#[test]
fn searches_are_the_same_on_every_backend() {
    for (place, (form, device)) in adapter::forms(&["native", "words, no subgroups"]).into_iter().enumerate() {
        for (case, (width, height)) in [(64, 64), (37, 90), (1, 300), (8, 8)].into_iter().enumerate() {
            // In software two of the maps on each form: a kernel takes seconds to compile.
            if adapter::in_software(device.as_ref()) && case % 2 != place % 2 {
                continue;
            }
            for weighted in [false, true] {
                let corners = if (case + place) % 2 == 0 { Corners::Forbid } else { Corners::Allow };
                let expand = [8, 1, 3, 32][(case + place) % 4];
                let map = map(width, height, weighted, case as u64);
                let model = model(map, corners, expand, weighted == (case % 2 == 0), 60);
                let found = on(device.as_ref(), &model, SearchOptions::default());
                assert_same(&expected(&model), &found, &format!("{form}: {width} x {height}, {weighted}, {expand}"));
            }
        }
    }
}

#[test]
fn every_set_of_pending_events_keeps_open_cells() {
    let model = model(map(48, 48, false, 2), Corners::Forbid, 8, false, 50);
    let expected = expected(&model);
    for (form, device) in adapter::forms(&["native"]) {
        for open_list in OpenList::ALL {
            let options = SearchOptions { open_list, ..SearchOptions::default() };
            assert_same(&expected, &on(device.as_ref(), &model, options), &format!("{form}: {}", open_list.name()));
        }
        for wrong in [PendingSet::GlobalHeap, PendingSet::Unsorted] {
            let options = SearchOptions { open_list: OpenList::Set(wrong), ..SearchOptions::default() };
            let refused = pathfinding::run(&model, Target::Device(device.as_ref()), options, &mut unwatched());
            assert!(matches!(refused, Err(PathfindingError::NoOpenList { set }) if set == wrong.name()), "{form}");
        }
    }
}

/// A front around a wall, in open lists with room for it or without.
#[test]
fn wide_fronts_are_the_same() {
    let map = Map::free(120, 120).expect("a map");
    let to = |column, row| Query { start: Cell { column: 60, row: 60 }, goal: Cell { column, row } };
    let mut wall = map.clone();
    (1..119).for_each(|row| wall.change(Cell { column: 90, row }, 0).expect("a cell"));
    for (expand, map) in [(1, &wall), (8, &wall), (32, &map)] {
        let queries = vec![to(91, 60), to(119, 59), to(3, 110), to(60, 60)];
        let model = Searches::new(map.clone()).expand(expand).paths(true).queries(queries).check().expect("searches");
        let expected = expected(&model);
        for (form, device) in adapter::forms(&["native"]) {
            let [near_far, ring] = [OpenList::NearFar, OpenList::Set(PendingSet::CircularParallel)];
            let all = [(near_far, None), (near_far, Some(4)), (ring, None), (ring, Some(4))];
            // In software each list with two of the steps.
            let cases = match (adapter::in_software(device.as_ref()), expand) {
                (false, _) => &all[..],
                (true, 1) => &all[..1],
                (true, 8) => &all[3..],
                (true, _) => &all[1..3],
            };
            for &(open_list, room) in cases {
                let options = SearchOptions { open_list, room, ..SearchOptions::default() };
                let what = format!("{form}: {expand} a step, {}, room for {room:?}", open_list.name());
                assert_same(&expected, &on(device.as_ref(), &model, options), &what);
            }
        }
    }
}

/// So many open cells that they move between the middle and the far ones, in both directions: first all are middle ones.
#[test]
fn thousands_of_open_cells_are_the_same() {
    let mut map = Map::free(700, 700).expect("a map");
    (1..699).for_each(|row| map.change(Cell { column: 500, row }, 0).expect("a cell"));
    let query = Query { start: Cell { column: 350, row: 350 }, goal: Cell { column: 501, row: 350 } };
    same_with_near_cells(map, vec![query], &[Some(1000)]);
}

/// Lists without middle cells, in short rounds: what is near at the end of one is near in the next.
#[test]
fn hundreds_of_open_cells_are_the_same() {
    let map = Obstacles::new(256, 256).density(0.1).map().expect("a map");
    let queries = random_queries(&map, 12, 1);
    same_with_near_cells(map, queries, &[Some(50), Some(777)]);
}

fn same_with_near_cells(map: Map, queries: Vec<Query>, rounds: &[Option<u32>]) {
    let model = Searches::new(map).queries(queries).check().expect("searches");
    let expected = expected(&model);
    for (form, device) in adapter::forms(&["native"]) {
        for &expansions in rounds {
            let options = SearchOptions { open_list: OpenList::NearFar, expansions, ..SearchOptions::default() };
            assert_same(&expected, &on(device.as_ref(), &model, options), &format!("{form}: rounds of {expansions:?}"));
        }
    }
}

/// Few searches at once, short rounds, batches of one round, open lists and paths without room: nothing changes.
#[test]
fn how_searches_are_cut_changes_nothing() {
    let model = model(map(45, 30, false, 8), Corners::Allow, 4, true, 20);
    let expected = expected(&model);
    // In software `Auto` is a thread a search.
    let [options, thread] =
        [OpenList::NearFar, OpenList::Auto].map(|open_list| SearchOptions { open_list, ..SearchOptions::default() });
    let rounds = Options { workgroup: 32, batch: BatchSize::Rounds(1), ..Options::default() };
    let cuts = [
        ("one at once, no room", SearchOptions { at_once: Some(1), room: Some(0), ..options }),
        ("short rounds, batches of a round", SearchOptions { expansions: Some(1), rounds, ..options }),
        ("threads, short rounds, no room", SearchOptions { expansions: Some(1), room: Some(4), ..thread }),
    ];
    for (form, device) in adapter::forms(&["native"]) {
        for (cut, options) in &cuts {
            assert_same(&expected, &on(device.as_ref(), &model, *options), &format!("{form}: {cut}"));
        }
    }
}

#[test]
fn a_map_stays_on_the_device_and_its_cells_change() {
    for (form, device) in adapter::forms(&["native"]) {
        let rules = |map: Map| Searches::new(map).expand(2).paths(true);
        let mut map = map(60, 50, false, 3);
        let first = rules(map.clone()).check().expect("searches");
        let mut finder =
            Finder::open(&first, device.as_ref(), SearchOptions::default(), &mut unwatched()).expect("a finder");
        for turn in 0..5_u32 {
            let queries = random_queries(&map, 40, turn.into());
            let model = rules(map.clone()).queries(queries.clone()).check().expect("searches");
            let found = finder.run(&queries, &mut unwatched()).expect("a run");
            assert_same(&expected(&model), &found, &format!("{form}: turn {turn}"));
            // A wall, then a gap in it, then dearer and cheaper cells, for which there are other kernels.
            let column = |cost: u8| (0..50).map(|row| (Cell { column: 30, row }, cost)).collect::<Vec<_>>();
            let changes = match turn {
                0 => column(0),
                1 => vec![(Cell { column: 30, row: 49 }, 1)],
                2 => column(9),
                _ => (0..60).map(|column| (Cell { column, row: 20 }, 2)).collect(),
            };
            finder.change(&changes).expect("a change");
            for (cell, cost) in changes {
                map.change(cell, cost).expect("a cell");
            }
            assert_eq!(finder.map(), &map);
        }
        let outside = [(Cell { column: 0, row: 0 }, 3), (Cell { column: 60, row: 0 }, 3)];
        assert!(finder.change(&outside).is_err());
        assert_eq!(finder.map(), &map);
        let query = Query { start: Cell { column: 0, row: 50 }, goal: Cell::default() };
        assert!(matches!(finder.run(&[query], &mut unwatched()), Err(PathfindingError::Search(_))));
    }
}

#[test]
fn a_watch_keeps_what_has_ended_and_the_next_batch_is_whole() {
    for (form, device) in adapter::forms(&["native"]) {
        let map = map(64, 64, false, 6);
        let queries = random_queries(&map, 300, 9);
        let model = Searches::new(map).expand(1).paths(true).queries(queries).check().expect("searches");
        let expected = expected(&model);
        let options = SearchOptions {
            at_once: Some(32),
            expansions: Some(64),
            rounds: Options { batch: BatchSize::Rounds(1), ..Options::default() },
            ..SearchOptions::default()
        };
        let mut finder = Finder::open(&model, device.as_ref(), options, &mut unwatched()).expect("a finder");
        let mut looks = 0;
        let mut stop = |_: &Progress| {
            looks += 1;
            if looks > 8 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
        };
        let run = finder.run(model.queries(), &mut stop).expect("a run");
        let figures = run.outcome.statistics();
        assert!(run.interrupted && figures.unfinished > 0 && figures.found > 0, "{form}: {figures:?}");
        for (search, record) in run.outcome.searches.iter().enumerate() {
            assert!(record.cost().is_none() || *record == expected.searches[search], "{form}: {search}");
        }
        let whole = finder.run(model.queries(), &mut unwatched()).expect("a run");
        assert_same(&expected, &whole, form);
    }
}

/// Pauses a run at every look.
struct Pauses;

impl Watch for Pauses {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn pause(&mut self, place: Pause) -> bool {
        place == Pause::BetweenReplications
    }
}

/// By turns on a device, whose open lists have no room at first, and on the heap: nothing is lost, and nothing is done twice.
#[test]
fn searches_that_pause_go_on_elsewhere() {
    for (form, device) in adapter::forms(&["native"]) {
        let model = model(map(64, 64, false, 6), Corners::Forbid, 1, true, 300);
        let expected = expected(&model);
        let options = SearchOptions {
            at_once: Some(32),
            expansions: Some(64),
            room: Some(4),
            rounds: Options { batch: BatchSize::Rounds(1), ..Options::default() },
            ..SearchOptions::default()
        };
        let one_core = Target::HeapOn(std::num::NonZeroUsize::MIN);
        let (mut at, mut events, mut stops) = (None::<Outcome>, 0, 0);
        loop {
            // The heap looks every 20 ms and may be done by then.
            let target = if stops % 4 == 3 { one_core } else { Target::Device(device.as_ref()) };
            let rest = Restartable { model: &model, from: at.as_ref() };
            let run = pathfinding::run(rest, target, options, &mut Pauses).expect("a part");
            events += run.events;
            let ended = run.outcome.searches.iter().filter(|record| record.state != SearchState::Unfinished).count();
            assert_eq!(run.clock.units() as usize, ended, "{form}, {stops} stops");
            if !run.interrupted {
                assert_eq!(expected.first_difference(&run.outcome), None, "{form}, {stops} stops");
                assert!(expected == run.outcome && events == expected.statistics().expansions, "{form}, {stops} stops");
                break;
            }
            (at, stops) = (Some(run.outcome), stops + 1);
        }
        assert!(stops >= 3, "{form}: {stops} stops");
        let other = Outcome { searches: vec![], paths: None };
        let rest = Restartable { model: &model, from: Some(&other) };
        let error = pathfinding::run(rest, one_core, options, &mut unwatched()).expect_err("another");
        assert!(error.to_string().starts_with("the checkpoint has 0 searches, and this batch has 302"), "{error}");
    }
}

/// Ways to and fro through the whole map are longer than what the room for paths is made for, one of them or all together:
/// what had no room runs again with it, or when the others are through.
#[test]
fn a_path_without_room_is_kept_all_the_same() {
    for (side, searches, too_long) in [(137, 1, true), (97, 3, false)] {
        let mut map = Map::free(side, side).expect("a map");
        for row in (1..side).step_by(2) {
            let gap = if row % 4 == 1 { side - 1 } else { 0 };
            (0..side)
                .filter(|column| *column != gap)
                .for_each(|column| map.change(Cell { column, row }, 0).expect("a cell"));
        }
        let query = Query { start: Cell::default(), goal: Cell { column: side - 1, row: side - 1 } };
        let model = Searches::new(map).expand(1).paths(true).queries(vec![query; searches]).check().expect("searches");
        let expected = expected(&model);
        let moves = expected.paths.as_ref().expect("paths").moves(0).len();
        assert!((moves > 8 * 1024) == too_long && searches * moves > 8 * 1024, "{moves}");
        for (form, device) in adapter::forms(&["native"]) {
            assert_same(&expected, &on(device.as_ref(), &model, SearchOptions::default()), form);
        }
    }
}
