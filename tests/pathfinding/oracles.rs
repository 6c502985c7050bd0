//! What a search must find, by programs that share nothing with the project's own: Dijkstra over the whole map, and the
//! `pathfinding` crate.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tickless::pathfinding::{Cell, Corners, Direction, Map, Query};

/// The neighbours of a cell and what moving there costs, straight from the rules: a diagonal costs 1,414,214 times the mean
/// of both costs, and passes no blocked cell unless corners may be cut.
pub fn neighbours(map: &Map, cell: Cell, corners: Corners) -> Vec<(Cell, u64)> {
    let mut found = vec![];
    for (columns, rows) in (-1..=1).flat_map(|columns| (-1..=1).map(move |rows| (columns, rows))) {
        let beside = |columns: i64, rows: i64| {
            let [column, row] = [i64::from(cell.column) + columns, i64::from(cell.row) + rows];
            let inside = (0..i64::from(map.width())).contains(&column) && (0..i64::from(map.height())).contains(&row);
            inside.then_some(Cell { column: column as u32, row: row as u32 })
        };
        let free = |columns, rows| beside(columns, rows).filter(|cell| map.is_free(*cell));
        let (Some(to), true) = (free(columns, rows), (columns, rows) != (0, 0)) else { continue };
        let diagonal = columns != 0 && rows != 0;
        if diagonal && corners == Corners::Forbid && (free(columns, 0).is_none() || free(0, rows).is_none()) {
            continue;
        }
        let both = [cell, to].map(|cell| u64::from(map.cost(cell).unwrap())).iter().sum::<u64>();
        found.push((to, both * if diagonal { 1_414_214 } else { 1_000_000 } / 2));
    }
    found
}

/// The cost from the start to every cell of the map, row after row.
pub fn dijkstra(map: &Map, start: Cell, corners: Corners) -> Vec<Option<u64>> {
    let id = |cell: Cell| (cell.row * map.width() + cell.column) as usize;
    let mut costs = vec![None; map.costs().len()];
    if !map.is_free(start) {
        return costs;
    }
    let mut open = BinaryHeap::from([Reverse((0, start.row, start.column))]);
    while let Some(Reverse((cost, row, column))) = open.pop() {
        let cell = Cell { column, row };
        if costs[id(cell)].is_some() {
            continue;
        }
        costs[id(cell)] = Some(cost);
        open.extend(
            neighbours(map, cell, corners).into_iter().map(|(to, more)| Reverse((cost + more, to.row, to.column))),
        );
    }
    costs
}

/// The cost of the path that the `pathfinding` crate's A* finds.
pub fn published(map: &Map, query: &Query, corners: Corners) -> Option<u64> {
    if !map.is_free(query.start) || !map.is_free(query.goal) {
        return None;
    }
    let start = (query.start.column, query.start.row);
    let successors = |&(column, row): &(u32, u32)| {
        let next = neighbours(map, Cell { column, row }, corners);
        next.into_iter().map(|(to, cost)| ((to.column, to.row), cost))
    };
    let left = |&(column, row): &(u32, u32)| {
        let (columns, rows) = (column.abs_diff(query.goal.column), row.abs_diff(query.goal.row));
        u64::from(columns.max(rows)) * 1_000_000
    };
    let goal = (query.goal.column, query.goal.row);
    pathfinding::directed::astar::astar(&start, successors, left, |cell| *cell == goal).map(|(_, cost)| cost)
}

/// What a path costs; panics where a move is none.
pub fn cost_of(map: &Map, query: &Query, corners: Corners, moves: impl Iterator<Item = Direction>) -> u64 {
    let (mut cell, mut cost) = (query.start, 0);
    for direction in moves {
        let to = direction.from(cell);
        let next = neighbours(map, cell, corners).into_iter().find(|(cell, _)| *cell == to);
        cost += next.unwrap_or_else(|| panic!("no move {} from {cell}", direction.name())).1;
        cell = to;
    }
    assert_eq!(cell, query.goal, "the path does not end at the goal");
    cost
}
