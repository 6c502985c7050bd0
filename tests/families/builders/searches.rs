//! Every setter of maps and searches.

use super::{AtOnce, Choices};
use tickless::device::Target;
use tickless::pathfinding::gpu::{self, OpenList, SearchOptions};
use tickless::pathfinding::{self, Cell, Corners, Map, Obstacles, Query, Searches, random_queries};

fn side(choices: &mut Choices) -> u32 {
    if choices.once_in(8) { choices.one(&[0, u32::MAX, 1 << 16]) } else { 1 + choices.of(6) as u32 }
}

fn map(choices: &mut Choices) -> Option<Map> {
    let (width, height) = (side(choices), side(choices));
    let cells = (u64::from(width) * u64::from(height)).min(40);
    let map = match choices.of(3) {
        0 => Map::new(width, height, (0..cells).map(|_| choices.one(&[1, 0, 2, u8::MAX])).collect()),
        1 if cells < 40 => Map::free(width, height),
        _ => {
            let obstacles = Obstacles::new(width.min(9), height).seed(choices.next());
            obstacles.density(choices.amount()).mean_side(choices.amount()).map()
        }
    };
    let mut map = map.ok()?;
    let _ = map.change(cell(choices), choices.next() as u8);
    let _ = (map.cost(cell(choices)), map.is_free(cell(choices)));
    Some(map)
}

fn cell(choices: &mut Choices) -> Cell {
    Cell { column: choices.count(), row: choices.count() }
}

pub fn build(choices: &mut Choices) {
    let Some(map) = map(choices) else { return };
    let searches = choices.of(4) as u32;
    let queries = match choices.of(2) {
        0 => random_queries(&map, searches, choices.next()),
        _ => (0..searches).map(|_| Query { start: cell(choices), goal: cell(choices) }).collect(),
    };
    let corners = choices.one(&[Corners::Forbid, Corners::Allow]);
    let model = Searches::new(map).corners(corners).expand(choices.count()).paths(choices.of(2) == 0).queries(queries);
    let Ok(model) = model.check() else { return };
    let options = SearchOptions {
        open_list: choices.one(&OpenList::ALL),
        at_once: choices.maybe(Choices::count),
        room: choices.maybe(Choices::count),
        expansions: choices.maybe(Choices::count),
        rounds: choices.rounds(),
    };
    let _ = gpu::parts(&model, &options, &choices.adapter());
    if let Ok(run) = pathfinding::run(&model, Target::Heap, options, &mut AtOnce) {
        let _ = run.outcome.statistics();
    }
}
