//! The reference: costs are optimal, paths are paths, and what the contract says of expansions and ties holds.

use std::num::NonZero;

use proptest::prelude::*;
use tickless::device::Target;
use tickless::pathfinding::{
    self, Cell, Corners, Map, Obstacles, Outcome, Query, SearchModel, SearchState, Searches, random_queries,
};
use tickless::run::{Progress, unwatched};
use tickless::time::Time;

use crate::oracles::{cost_of, dijkstra, published};

fn on(cores: usize) -> Target<'static> {
    NonZero::new(cores).map_or(Target::Heap, Target::HeapOn)
}

fn outcome(model: &SearchModel) -> Outcome {
    let run = pathfinding::run(model, on(1), Default::default(), &mut unwatched()).expect("a run");
    assert_eq!(run.events, run.outcome.statistics().expansions);
    run.outcome
}

fn cell(column: u32, row: u32) -> Cell {
    Cell { column, row }
}

fn query(start: (u32, u32), goal: (u32, u32)) -> Query {
    Query { start: cell(start.0, start.1), goal: cell(goal.0, goal.1) }
}

/// Costs and paths of a batch beside those of Dijkstra, and of the `pathfinding` crate.
fn assert_optimal(map: &Map, corners: Corners, expand: u32, queries: Vec<Query>) {
    let model = Searches::new(map.clone()).corners(corners).expand(expand).paths(true).queries(queries);
    let model = model.check().expect("searches");
    let outcome = outcome(&model);
    let paths = outcome.paths.as_ref().expect("paths");
    for (search, query) in model.queries().iter().enumerate() {
        let all = dijkstra(map, query.start, corners);
        let goal = query.goal.row * map.width() + query.goal.column;
        let found = outcome.searches[search].cost();
        assert_eq!(found, all[goal as usize].filter(|_| map.is_free(query.goal)), "{query:?}");
        assert_eq!(found, published(map, query, corners), "{query:?}");
        match found {
            Some(cost) => assert_eq!(cost, cost_of(map, query, corners, paths.moves(search)), "{query:?}"),
            None => assert_eq!(paths.moves(search).len(), 0),
        }
    }
}

/// Maps of up to 24 x 24 cells, weighted or not, of every density, and searches between any of their cells.
fn any_map() -> impl Strategy<Value = (Map, Vec<Query>)> {
    let sides = (1_u32..24, 1_u32..24, 0_u8..10, prop_oneof![Just(1_u8), Just(3), Just(100)]);
    sides.prop_flat_map(|(width, height, blocked, most)| {
        let cost = (0_u8..10, 1..=most).prop_map(move |(free, cost)| if free < blocked { 0 } else { cost });
        let costs = prop::collection::vec(cost, (width * height) as usize);
        let ends = (0..width, 0..height, 0..width, 0..height);
        let queries = prop::collection::vec(ends.prop_map(|(a, b, c, d)| query((a, b), (c, d))), 1..6);
        (costs, queries).prop_map(move |(costs, queries)| (Map::new(width, height, costs).unwrap(), queries))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_path_is_a_cheapest_one((map, queries) in any_map(), expand in 1_u32..=32, allow in any::<bool>()) {
        let corners = if allow { Corners::Allow } else { Corners::Forbid };
        assert_optimal(&map, corners, expand, queries);
    }
}

#[test]
fn random_obstacles_of_every_density_are_searched_optimally() {
    for density in [0.1, 0.2, 0.4] {
        for corners in [Corners::Forbid, Corners::Allow] {
            let map = Obstacles::new(64, 64).density(density).seed(3).map().unwrap();
            let queries = random_queries(&map, 12, 5);
            assert_optimal(&map, corners, 8, queries);
        }
    }
}

/// By hand: the order of ties and of moves back decides which of many equal paths is taken, and how much is expanded.
#[test]
fn ties_are_broken_as_the_contract_says() {
    let model = |expand| {
        let queries = vec![query((0, 0), (4, 2)), query((0, 1), (4, 1))];
        Searches::new(Map::free(5, 3).unwrap()).expand(expand).paths(true).queries(queries).check().unwrap()
    };
    let found = outcome(&model(1));
    let names = |search| -> Vec<&str> {
        found.paths.as_ref().unwrap().moves(search).map(|direction| direction.name()).collect()
    };
    // Going back from the goal the first move that fits, clockwise from the north, is the one towards the west: it is the
    // last one of the path, wherever both a straight and a diagonal move are cheapest.
    assert_eq!(names(0), ["SE", "SE", "E", "E"]);
    assert_eq!(names(1), ["E", "E", "E", "E"]);
    // Of equal costs the cell nearest to the goal goes first: nothing but the path is expanded, the goal not at all.
    assert_eq!(found.searches.iter().map(|search| search.expansions).collect::<Vec<_>>(), [4, 4]);
    let together = outcome(&model(8));
    assert_eq!(together.searches[1].cost(), Some(4_000_000));
    assert!(together.searches[1].expansions > 4);
}

#[test]
fn searches_with_nothing_to_find_have_an_answer() {
    let rows = ["..@.", "..@@", "...."];
    let costs = rows.concat().bytes().map(|letter| u8::from(letter == b'.')).collect();
    let map = Map::new(4, 3, costs).unwrap();
    let queries = vec![
        query((0, 0), (0, 0)),
        query((0, 0), (2, 0)),
        query((2, 1), (0, 0)),
        query((2, 1), (2, 1)),
        query((0, 0), (3, 0)),
        query((0, 0), (3, 2)),
    ];
    let model = Searches::new(map).expand(1).paths(true).queries(queries).check().unwrap();
    let found = outcome(&model);
    let states: Vec<_> = found.searches.iter().map(|search| (search.state, search.cost())).collect();
    let none = (SearchState::NoPath, None);
    assert_eq!(states[..5], [(SearchState::Found, Some(0)), none, none, none, none]);
    assert_eq!(states[5], (SearchState::Found, Some(1_414_214 + 3_000_000)));
    // Where there is no path nothing is expanded.
    let expansions: Vec<_> = found.searches.iter().map(|search| search.expansions).collect();
    assert!(expansions[..5] == [0; 5] && expansions[5] >= 3, "{expansions:?}");
}

/// With any number of cells a step the costs are the same; with more cells no fewer are expanded than with one, up to ties.
#[test]
fn more_cells_a_step_change_no_cost() {
    let map = Obstacles::new(96, 96).density(0.2).seed(9).map().unwrap();
    let queries = random_queries(&map, 30, 2);
    let run = |expand| {
        outcome(
            &Searches::new(map.clone())
                .corners(Corners::Allow)
                .expand(expand)
                .queries(queries.clone())
                .check()
                .unwrap(),
        )
    };
    let one = run(1);
    for expand in [2, 3, 8, 32] {
        let many = run(expand);
        let costs = |outcome: &Outcome| outcome.searches.iter().map(|search| search.cost()).collect::<Vec<_>>();
        assert_eq!(costs(&one), costs(&many));
        assert!(many.statistics().expansions > one.statistics().expansions);
    }
}

/// However many cores work on a batch, and in which order they end.
#[test]
fn cores_change_nothing() {
    let map = Obstacles::new(48, 48).seed(4).map().unwrap();
    let queries = random_queries(&map, 200, 8);
    let model = Searches::new(map).paths(true).queries(queries).check().unwrap();
    let expected = outcome(&model);
    for cores in [0, 2, 7] {
        let found = pathfinding::run(&model, on(cores), Default::default(), &mut unwatched()).unwrap().outcome;
        assert_eq!(expected.first_difference(&found), None);
        assert_eq!(expected.digest(), found.digest());
    }
}

#[test]
fn a_watch_keeps_the_searches_that_have_ended() {
    // The way leads around a wall behind the goal: nearly the whole map is expanded each time.
    let mut map = Map::free(1200, 1200).unwrap();
    for side in 1..1200 {
        map.change(cell(side, 1), 0).unwrap();
    }
    let mut queries = vec![query((0, 0), (0, 1))];
    queries.extend(vec![query((1199, 1199), (1199, 0)); 40]);
    let model = Searches::new(map).queries(queries).check().unwrap();
    let mut stop = |progress: &Progress| {
        if progress.clock > Time::ZERO { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    };
    let run = pathfinding::run(&model, on(1), Default::default(), &mut stop).unwrap();
    assert!(run.interrupted);
    let figures = run.outcome.statistics();
    assert!(figures.unfinished > 0 && figures.found > 0, "{figures:?}");
    assert_eq!(run.clock.units() as u64, figures.found);
}
