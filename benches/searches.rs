//! Path searches on random obstacles, as Baudis et al. 2017 measured them: searches and expansions a second on a device and on
//! all cores of the heap simulator. One line a run.
//!
//! ```sh
//! cargo bench --features cuda --bench searches -- --backend cuda --side 512 --searches 20000 --expand 8 --pending near-far
//! ```
//!
//! `--backend pathfinding` is the A* of that crate on all cores. Without `--side` all sides of the paper are run. `--at-once`,
//! `--expansions` (of a thread in a round), `--room` and `--workgroup` say how searches are cut up, `--cores` on how many the heap
//! runs; `--map`, `--scenarios` and `--terrain` name files, whose corners are not cut; `--density` is that of the obstacles,
//! `--paths` keeps paths; `--forbid` that no corner is cut; `--no-subgroups` that workgroups reduce in their memory
//! alone; `--repeats` how often each is run.

use std::collections::HashMap;
use std::str::FromStr;
use std::time::Instant;

use ::pathfinding::directed::astar::astar;
use rayon::prelude::*;
use tickless::device::wgpu::WgpuDevice;
use tickless::device::{Device, OpenOptions, Selection, Target};
use tickless::engine::Options;
use tickless::pathfinding::gpu::SearchOptions;
use tickless::pathfinding::{
    self, Cell, Corners, Map, Obstacles, Query, Scenario, SearchModel, SearchRecord, Searches, Terrain, random_queries,
};
use tickless::run::unwatched;

/// What moves from a cell to its neighbours cost, by column and row.
const STEPS: [(i32, i32, u64); 8] = [
    (0, -1, 1_000_000),
    (1, 0, 1_000_000),
    (0, 1, 1_000_000),
    (-1, 0, 1_000_000),
    (1, -1, 1_414_214),
    (1, 1, 1_414_214),
    (-1, 1, 1_414_214),
    (-1, -1, 1_414_214),
];

/// The sides of the paper, and searches that keep a large GPU at work for a second or so.
const SIDES: [(u32, u32); 5] = [(64, 1_000_000), (128, 400_000), (256, 100_000), (512, 30_000), (1024, 5_000)];

struct Arguments(HashMap<String, String>);

impl Arguments {
    /// `--name value` pairs; `cargo bench` adds a `--bench` of its own.
    fn new() -> Self {
        let mut words = std::env::args().skip(1).filter(|word| word != "--bench").peekable();
        let mut found = HashMap::new();
        while let Some(name) = words.next() {
            let value = words.next_if(|word| !word.starts_with("--")).unwrap_or_default();
            found.insert(name.trim_start_matches('-').to_owned(), value);
        }
        Self(found)
    }

    fn get<T: FromStr>(&self, name: &str) -> Option<T> {
        self.0.get(name).map(|value| value.parse().unwrap_or_else(|_| panic!("--{name} {value} is no value")))
    }
}

fn device(backend: &str, options: OpenOptions) -> Option<Box<dyn Device>> {
    match backend {
        "heap" => None,
        #[cfg(feature = "cuda")]
        "cuda" => {
            use tickless::device::cuda::CudaDevice;
            Some(Box::new(CudaDevice::open(&Selection::Auto, options).expect("a GPU")))
        }
        "wgpu" => Some(Box::new(WgpuDevice::open(&Selection::Auto, options).expect("an adapter"))),
        other => panic!("there is no backend {other}: use heap, wgpu, cuda or pathfinding"),
    }
}

/// The A* of the `pathfinding` crate by the same rules, on a map whose free cells cost 1: the cost of the path.
fn published(map: &Map, query: &Query, corners: Corners) -> Option<u64> {
    let width = map.width() as i32;
    let free = |column: i32, row: i32| {
        (0..width).contains(&column)
            && (0..map.height() as i32).contains(&row)
            && map.costs()[(row * width + column) as usize] != 0
    };
    let id = |cell: Cell| cell.row as i32 * width + cell.column as i32;
    let (start, goal) = (id(query.start), id(query.goal));
    let successors = |&at: &i32| {
        let (column, row) = (at % width, at / width);
        STEPS.into_iter().filter_map(move |(columns, rows, cost)| {
            let cut = corners == Corners::Allow || (free(column + columns, row) && free(column, row + rows));
            (free(column + columns, row + rows) && cut).then_some((at + rows * width + columns, cost))
        })
    };
    let left = |&at: &i32| {
        let (columns, rows) = ((at % width).abs_diff(goal % width), (at / width).abs_diff(goal / width));
        let (long, short) = (u64::from(columns.max(rows)), u64::from(columns.min(rows)));
        (long - short) * 1_000_000 + short * 1_414_214
    };
    astar(&start, successors, left, |&at| at == goal).map(|(_, cost)| cost)
}

/// All of them on all cores; the costs must be those of the heap simulator.
fn run_published(model: &SearchModel) {
    let begin = Instant::now();
    let found = model.queries().par_iter().map(|query| published(model.map(), query, model.corner_rule()));
    let costs: Vec<Option<u64>> = found.collect();
    let seconds = begin.elapsed().as_secs_f64();
    let outcome = pathfinding::run(model, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
    assert!(outcome.searches.iter().map(SearchRecord::cost).eq(costs), "costs differ");
    let searches = model.queries().len();
    println!(
        "{}^2: {searches} searches in {seconds:.4} s: {:.0} searches/s",
        model.map().width(),
        searches as f64 / seconds
    );
}

/// The searches to run, with names: those of files, or random ones of each side.
fn models(arguments: &Arguments, on_a_device: bool) -> Vec<(SearchModel, String)> {
    let corners = if arguments.0.contains_key("forbid") { Corners::Forbid } else { Corners::Allow };
    let (expand, paths) = (arguments.get("expand").unwrap_or(8), arguments.0.contains_key("paths"));
    let model = |map, queries, corners| {
        let model = Searches::new(map).corners(corners).expand(expand).paths(paths).queries(queries);
        model.check().expect("searches")
    };
    let text = |name: &str| {
        let file: Option<String> = arguments.get(name);
        file.map(|file| (std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}")), file))
    };
    if let Some((drawn, file)) = text("map") {
        let terrain = text("terrain").map(|(table, file)| Terrain::parse(&table, &file).expect("a table"));
        let map = Map::parse(&drawn, &file, &terrain.unwrap_or_default()).expect("a map");
        let (scenarios, from) = text("scenarios").expect("--scenarios");
        let queries = Scenario::parse(&scenarios, &from, &map).expect("searches").iter().map(|one| one.query).collect();
        return vec![(model(map, queries, Corners::Forbid), from)];
    }
    let (only, density): (Option<u32>, f64) = (arguments.get("side"), arguments.get("density").unwrap_or(0.2));
    let sides = SIDES.into_iter().filter(|(side, _)| only.is_none_or(|only| only == *side));
    let random = sides.map(|(side, searches)| {
        let searches = arguments.get("searches").unwrap_or(if on_a_device { searches } else { searches / 50 });
        let map = Obstacles::new(side, side).density(density).map().expect("a map");
        let queries = random_queries(&map, searches, 1);
        (model(map, queries, corners), format!("{side}^2, {density}"))
    });
    random.collect()
}

fn main() {
    let arguments = Arguments::new();
    let backend: String = arguments.get("backend").unwrap_or_else(|| "heap".into());
    let open = OpenOptions { without_subgroups: arguments.0.contains_key("no-subgroups"), ..OpenOptions::default() };
    let published = backend == "pathfinding";
    let device = if published { None } else { device(&backend, open) };
    let name = device.as_ref().map_or("all cores".to_owned(), |device| device.adapter().name.clone());
    println!("{backend}: {name}");
    let options = SearchOptions {
        open_list: arguments.get("pending").unwrap_or_default(),
        at_once: arguments.get("at-once"),
        room: arguments.get("room"),
        expansions: arguments.get("expansions"),
        rounds: Options { workgroup: arguments.get("workgroup").unwrap_or(0), ..Options::default() },
    };
    for (model, name) in models(&arguments, device.is_some()) {
        if published {
            run_published(&model);
            continue;
        }
        for _ in 0..arguments.get("repeats").unwrap_or(1) {
            let heap = arguments.get("cores").map_or(Target::Heap, Target::HeapOn);
            let target = device.as_ref().map_or(heap, |device| Target::Device(device.as_ref()));
            let run = pathfinding::run(&model, target, options, &mut unwatched()).expect("a run");
            let (seconds, figures) = (run.wall.as_secs_f64(), run.outcome.statistics());
            println!(
                "{name}, expand {}, {}: {} searches ({:.0} % found, {:.0} expansions each) in {seconds:.4} s: {:.0} \
                 searches/s, {:.1} M expansions/s; set-up {:.3} s, {} rounds, digest {:.8}",
                model.expanded(),
                options.open_list.name(),
                figures.searches,
                100.0 * figures.found as f64 / figures.searches as f64,
                figures.mean_expansions,
                figures.searches as f64 / seconds,
                run.events_per_second() / 1e6,
                run.setup.as_secs_f64(),
                run.rounds.unwrap_or(0),
                run.outcome.digest().to_string(),
            );
        }
    }
}
