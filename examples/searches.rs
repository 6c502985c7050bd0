//! Cheapest paths for 1,000 travellers on a map, before and after a wall goes up: on an adapter, where the map stays, or on
//! the heap simulator where there is none.

use tickless::device::Target;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::pathfinding::gpu::Finder;
use tickless::pathfinding::{self, Cell, Map, Obstacles, Outcome, Query, Searches, random_queries};
use tickless::run::unwatched;

const SIDE: u32 = 128;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Obstacles::new(SIDE, SIDE).density(0.1).seed(7).map()?;
    let queries = random_queries(&map, 1000, 7);
    // From the north to the south with a gap in the middle.
    let wall: Vec<(Cell, u8)> =
        (0..SIDE).filter(|row| row.abs_diff(SIDE / 2) > 2).map(|row| (Cell { column: SIDE / 2, row }, 0)).collect();
    let model = Searches::new(map).paths(true).check()?;
    let [before, after] = match WgpuDevice::open(&Selection::Auto, OpenOptions::default()) {
        Ok(device) => {
            let mut finder = Finder::open(&model, &device, Default::default(), &mut unwatched())?;
            let before = finder.run(&queries, &mut unwatched())?.outcome;
            finder.change(&wall)?;
            [before, finder.run(&queries, &mut unwatched())?.outcome]
        }
        Err(error) => {
            println!("on the heap: {error}");
            let mut map = model.map().clone();
            let before = on_the_heap(model.map().clone(), &queries)?;
            for (cell, cost) in wall {
                map.change(cell, cost)?;
            }
            [before, on_the_heap(map, &queries)?]
        }
    };
    for (when, outcome) in [("before", &before), ("after", &after)] {
        let figures = outcome.statistics();
        println!(
            "{when}: {} paths, {:.2} moves in the mean, digest {}",
            figures.found,
            figures.mean_cost,
            outcome.digest()
        );
    }
    let [first, then] = [&before, &after].map(|outcome| outcome.paths.as_ref().map_or(0, |paths| paths.moves(0).len()));
    println!("from {} to {}: {first} moves, then {then}", queries[0].start, queries[0].goal);
    assert!(before.statistics().mean_cost < after.statistics().mean_cost);
    Ok(())
}

fn on_the_heap(map: Map, queries: &[Query]) -> Result<Outcome, Box<dyn std::error::Error>> {
    let model = Searches::new(map).paths(true).queries(queries.to_vec()).check()?;
    Ok(pathfinding::run(&model, Target::Heap, Default::default(), &mut unwatched())?.outcome)
}
