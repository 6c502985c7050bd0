//! Path searches on random obstacles, as Baudis et al. 2017 measured them: searches and expansions a second on a device and on
//! all cores of the heap simulator. One line a run.
//!
//! ```sh
//! cargo bench --features cuda --bench searches -- --backend cuda --side 512 --searches 20000 --expand 8 --pending circular
//! ```
//!
//! Without `--side` all sides of the paper are run. `--at-once`, `--expansions` (of a thread in a round) and `--workgroup` say
//! how searches are cut up; `--forbid` that no corner is cut; `--repeats` how often each is run.

use std::collections::HashMap;
use std::str::FromStr;

use tickless::device::wgpu::WgpuDevice;
use tickless::device::{Device, OpenOptions, Selection, Target};
use tickless::engine::Options;
use tickless::pathfinding::gpu::SearchOptions;
use tickless::pathfinding::{self, Corners, Obstacles, Searches, random_queries};
use tickless::run::unwatched;

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

fn device(backend: &str) -> Option<Box<dyn Device>> {
    match backend {
        "heap" => None,
        #[cfg(feature = "cuda")]
        "cuda" => {
            use tickless::device::cuda::CudaDevice;
            Some(Box::new(CudaDevice::open(&Selection::Auto, OpenOptions::default()).expect("a GPU")))
        }
        "wgpu" => Some(Box::new(WgpuDevice::open(&Selection::Auto, OpenOptions::default()).expect("an adapter"))),
        other => panic!("there is no backend {other}: use heap, wgpu or cuda"),
    }
}

fn main() {
    let arguments = Arguments::new();
    let backend: String = arguments.get("backend").unwrap_or_else(|| "heap".into());
    let device = device(&backend);
    let name = device.as_ref().map_or("all cores".to_owned(), |device| device.adapter().name.clone());
    println!("{backend}: {name}");
    let options = SearchOptions {
        open_list: arguments.get("pending").unwrap_or_default(),
        at_once: arguments.get("at-once"),
        room: arguments.get("room"),
        expansions: arguments.get("expansions"),
        cores: arguments.get("cores").unwrap_or(0),
        rounds: Options { workgroup: arguments.get("workgroup").unwrap_or(0), ..Options::default() },
    };
    let only: Option<u32> = arguments.get("side");
    for (side, searches) in SIDES.into_iter().filter(|(side, _)| only.is_none_or(|only| only == *side)) {
        let searches = arguments.get("searches").unwrap_or(if device.is_some() { searches } else { searches / 50 });
        let density = arguments.get("density").unwrap_or(0.2);
        let map = Obstacles::new(side, side).density(density).map().expect("a map");
        let queries = random_queries(&map, searches, 1);
        let corners = if arguments.0.contains_key("forbid") { Corners::Forbid } else { Corners::Allow };
        let (expand, paths) = (arguments.get("expand").unwrap_or(8), arguments.0.contains_key("paths"));
        let model = Searches::new(map).corners(corners).expand(expand).paths(paths).queries(queries);
        let model = model.check().expect("searches");
        for _ in 0..arguments.get("repeats").unwrap_or(1) {
            let target = device.as_ref().map_or(Target::Heap, |device| Target::Device(device.as_ref()));
            let run = pathfinding::run(&model, target, options, &mut unwatched()).expect("a run");
            let (seconds, figures) = (run.wall.as_secs_f64(), run.outcome.statistics());
            println!(
                "{side}^2, {density}, expand {expand}, {}: {searches} searches ({:.0} % found, {:.0} expansions each) in \
                 {seconds:.4} s: {:.0} searches/s, {:.1} M expansions/s; set-up {:.3} s, {} rounds, digest {:.8}",
                options.open_list.name(),
                100.0 * figures.found as f64 / figures.searches as f64,
                figures.mean_expansions,
                f64::from(searches) / seconds,
                run.events_per_second() / 1e6,
                run.setup.as_secs_f64(),
                run.rounds.unwrap_or(0),
                run.outcome.digest().to_string(),
            );
        }
    }
}
