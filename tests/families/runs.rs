//! The runs: short ones, that reach every step of a round.

use std::path::Path;

use tickless::cells::fire::{Fire, Landscape, Weather};
use tickless::cells::gpu::DeviceCells;
use tickless::cells::rules::RuleFile;
use tickless::cells::{self, Watershed};
use tickless::device::Target;
use tickless::pathfinding::{self, Obstacles, Searches, random_queries};
use tickless::pending::PendingSet;
use tickless::processes::gpu::ProcessOptions;
use tickless::processes::{self, Phold};
use tickless::queueing::{self, Network, NetworkModel, Station, Topology, combined_digest};
use tickless::run::{Digest, unwatched};
use tickless::time::Time;

/// A run by its name, and its digest on the heap or a device.
pub struct Family {
    pub name: &'static str,
    run: Box<dyn Fn(Target<'_>) -> Digest>,
}

impl Family {
    /// The digest of the run on a target.
    pub fn digest(&self, target: Target<'_>) -> Digest {
        (self.run)(target)
    }
}

fn family(name: &'static str, run: impl Fn(Target<'_>) -> Digest + 'static) -> Family {
    Family { name, run: Box::new(run) }
}

fn network(name: &'static str, model: NetworkModel, replications: u32) -> Family {
    family(name, move |target| {
        let run = queueing::run(&model, 0..replications, target, Default::default(), &mut unwatched());
        combined_digest(&run.unwrap_or_else(|e| panic!("{name}: {e}")).outcome)
    })
}

/// A network of a file of the examples.
fn example(file: &str, change: impl Fn(Network) -> Network) -> NetworkModel {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/networks").join(file);
    let text = std::fs::read_to_string(path).expect("an example");
    change(Network::from_toml(&text).expect("a network")).check().expect("a model")
}

fn torus(window: f64) -> NetworkModel {
    let each = Station::new("s", "exponential:10".parse().expect("a law")).tokens(2);
    let torus = Network::generate(&Topology::Torus { width: 19, height: 16 }, &each, 0.0).expect("sizes");
    torus.window(window).until(40.0).check().expect("a model")
}

fn phold(name: &'static str, pending: PendingSet) -> Family {
    let model = Phold::new(300).population(4).until(8.0).check().expect("a model");
    family(name, move |target| {
        let options = ProcessOptions { pending, ..ProcessOptions::default() };
        processes::run(&model, target, options, &mut unwatched())
            .unwrap_or_else(|e| panic!("{name}: {e}"))
            .outcome
            .digest()
    })
}

fn space(name: &'static str, model: impl DeviceCells + 'static, replications: u32) -> Family {
    family(name, move |target| {
        let run = cells::run(&model, 0..replications, target, Default::default(), &mut unwatched());
        run.unwrap_or_else(|e| panic!("{name}: {e}")).outcome.digest()
    })
}

/// Every family, and of networks every way they run.
pub fn families() -> Vec<Family> {
    let fire = Fire::new(Landscape::made_up(24, 20, 4).expect("a landscape"), Weather::still());
    let slope = (0..180_u32).map(|cell| f64::from(cell * 7 % 23)).collect();
    let rules = RuleFile::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/cells/life.ma")).expect("rules");
    let map = Obstacles::new(24, 24).density(0.2).seed(3).map().expect("a map");
    let queries = random_queries(&map, 20, 5);
    let searches = Searches::new(map).queries(queries).paths(true).check().expect("searches");
    vec![
        network("torus by appointments", torus(0.0), 1),
        network("torus by windows", torus(1.0), 1),
        network("ring in rounds", example("ring.toml", |ring| ring.until(60.0).warmup(20.0)), 1),
        network("sources in rounds", example("clinic.toml", |clinic| clinic.window(1.0).until(200.0).warmup(50.0)), 2),
        network("classes by replications", example("stages.toml", |stages| stages.until(300.0).warmup(50.0)), 4),
        network("resources by replications", example("emergency.toml", |wards| wards.until(600.0).warmup(60.0)), 3),
        phold("phold, heaps", PendingSet::Heap),
        phold("phold, rings", PendingSet::Circular),
        space("fire", fire.until(900.0).check().expect("a model"), 2),
        space("watershed", Watershed::new(15, 12, slope).rain(30.0, 0.2).until(300.0).check().expect("a model"), 1),
        family("searches", move |target| {
            let run = pathfinding::run(&searches, target, Default::default(), &mut unwatched());
            run.expect("a run").outcome.digest()
        }),
        space("rules", rules.model(Time::from_units(1_000.0).expect("a time"), 1), 1),
    ]
}
