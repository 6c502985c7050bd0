//! Every kernel in every form: those of models that together have all of them.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use naga::valid::{Capabilities as Features, ModuleInfo, ValidationFlags, Validator};
use tickless::cells::fire::{Fire, Landscape, Spreading, Weather};
use tickless::cells::gpu::{CellOptions, DeviceCells};
use tickless::cells::rules::{RuleFile, corpus};
use tickless::cells::{self, Border, Space, Watershed};
use tickless::device::{AdapterDescription, Kernel};
use tickless::engine::{ModelParts, round_program};
use tickless::kernels::{Mounts, Source as Wgsl};
use tickless::pathfinding::gpu::{OpenList, SearchOptions};
use tickless::pathfinding::{self, Map, Query, Searches};
use tickless::pending::PendingSet;
use tickless::processes::gpu::{DeviceModel, ProcessOptions};
use tickless::processes::{self, Phold};
use tickless::queueing::control::{Control, ControlledModel, Epoch};
use tickless::queueing::gpu::Synchronization;
use tickless::queueing::{self, Network, NetworkModel, NetworkOptions, Observed, Source, Station, Topology};
use tickless::random::ServiceLaw;
use tickless::time::Time;

use crate::classes::{
    ABSENT, CARRYING, CHANGING, CONTROLLED, FORKING, IN_ROUNDS, PACED, SEIZING, SHARING, STOPPING, TARGETED, VARIED,
};
use crate::gossip::Gossip;

/// A network whose stations have so many servers and routes that workgroups decide what arrives.
fn crowds() -> NetworkModel {
    let each = Station::new("s", "exponential:10".parse().expect("a law")).servers(40).tokens(1);
    let topology = Topology::RandomRegular { stations: 100, degree: 64, seed: 1 };
    let network = Network::generate(&topology, &each, 0.0).expect("a size").window(1.0);
    network.check().expect("a model")
}

/// A station that the many tokens of one source alone come to: a workgroup decides them.
fn fronts() -> NetworkModel {
    let mut network = Network::new().window(100.0);
    let desk = network.station(Station::new("desk", "exponential:0.9".parse().expect("a law")));
    let exit = network.sink("exit");
    network.source(Source::new("in", "exponential:1".parse().expect("a law"), desk));
    network.route(desk, exit, 1.0, 0.0);
    network.check().expect("a model")
}

/// A network in which servers, the order of classes and routes are decided, also of the source that chooses, and all that is seen is.
fn controlled() -> ControlledModel {
    let paths = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
    let control = Control {
        decisions: paths(&[
            "station.desk.servers",
            "station.desk.priorities",
            "station.other.route",
            "source.in.route",
        ]),
        observed: paths(&["station.desk.class.b.present", "station.other.waiting", "station.desk.servers"]),
        earned: paths(&["station.desk.serving", "station.desk.completed", "station.other.reneged", "sink.out.tokens"]),
        epoch: Epoch::Event,
        interrupts: true,
    };
    Network::from_toml(CONTROLLED).expect("a network").control(&control).expect("a model")
}

/// Of single servers, with a source and a sink.
fn exact(observed: Observed) -> NetworkModel {
    let interval = "exponential:2".parse().expect("a law");
    let each = Station::new("s", "exponential:1".parse().expect("a law"));
    let network = Network::generate(&Topology::Tandem { stations: 3, interval }, &each, 0.0).expect("a size");
    network.distributions(observed).check().expect("a model")
}

/// Processes that send themselves on what an event carries.
const RELAY: &str = "
import package::lib::pcg32::{Stream};
import package::processes::message::{sequence_of, source_of};
import package::processes::records::{process};
import package::processes::send::{plan, send};
import package::processes::state::{set_state_word, state_word};
import events::{Event, carried_by};
import word64::{wide};

var<private> turns: array<u32, 2>;

fn start(id: u32, stream: ptr<function, Stream>) { plan(wide(0u, 0u), vec4<u32>(id, turns[id & 1u], 0u, 0u)); }
fn execute(event: Event, stream: ptr<function, Stream>) {
    set_state_word(1u, state_word(1u) + source_of(event) + sequence_of(event));
    send(process.id, wide(0u, 1u), carried_by(event));
}
";

/// Processes that wait for times of their laws. Beside these no adapter need have room for more words of state.
const TIMED: &str = "
import package::lib::laws::{law};
import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::processes::records::{process};
import package::processes::send::{plan, send};
import events::{Event, carried_by};
import law_rows::{LAWS};

fn start(id: u32, stream: ptr<function, Stream>) { plan(service_time(law(id % LAWS), stream), vec4<u32>()); }
fn execute(event: Event, stream: ptr<function, Stream>) {
    send(process.id, service_time(law(process.word & 1u), stream), carried_by(event));
}
";

/// PHOLD with every set of pending events, and processes whose events carry words or none, on an adapter.
fn processes(adapter: &AdapterDescription) -> Vec<(&'static str, ModelParts)> {
    let phold = DeviceModel::from(&Phold::new(1 << 15).population(16).check().expect("a model"));
    let relay = |payload_words| DeviceModel { source: Wgsl::own("relay.wgsl", RELAY), payload_words, ..phold.clone() };
    let parts = |set: PendingSet, model: &DeviceModel| {
        let options = ProcessOptions { pending: set, figures_only: true, ..ProcessOptions::default() };
        (set.name(), processes::gpu::parts(model, &options, adapter).unwrap_or_else(|e| panic!("{e}")))
    };
    let each = PendingSet::ALL.into_iter().flat_map(|set| [parts(set, &phold), parts(set, &relay(3))]);
    let laws = [ServiceLaw::Exponential { mean: 1.0 }, ServiceLaw::Gamma { shape: 2.0, mean: 1.0 }];
    let timed = DeviceModel {
        source: Wgsl::own("timed.wgsl", TIMED),
        laws: laws.map(|law| law.effective(None)).into(),
        ..relay(1)
    };
    // What a process is told of events that carry nothing is the same with every set of its own.
    let told = [PendingSet::Heap, PendingSet::GlobalHeap].map(|set| parts(set, &relay(0)));
    // So few that one workgroup has them.
    let few = DeviceModel { processes: 9, burst: 1.0, ..phold.clone() };
    let alone = [PendingSet::HeapOfFours, PendingSet::CircularSinglePass].map(|set| parts(set, &few));
    // Messages that cross from one part to another.
    let mut several = adapter.clone();
    // GPUs of several in a host have more than every adapter has: here one for what crosses.
    several.capabilities.storage_buffers += 1;
    let cut = [phold.clone(), relay(3)].map(|model| {
        let options = ProcessOptions { pending: PendingSet::Unsorted, parts: Some(2), ..ProcessOptions::default() };
        ("unsorted in two parts", processes::gpu::parts(&model, &options, &several).unwrap_or_else(|e| panic!("{e}")))
    });
    each.chain(told).chain(alone).chain(cut).chain([parts(PendingSet::Heap, &timed)]).collect()
}

/// The kernels and buffers of cells on an adapter.
fn parts_of_cells(model: &impl DeviceCells, adapter: &AdapterDescription) -> ModelParts {
    parts_of_cells_by((model, 1), false, adapter)
}

/// In order with a log, or as the model goes best.
pub fn parts_of_cells_by(
    (model, replications): (&impl DeviceCells, u32),
    ordered: bool,
    adapter: &AdapterDescription,
) -> ModelParts {
    let options = CellOptions { ordered, figures_only: !ordered, ..CellOptions::default() };
    cells::gpu::parts(model, 0..replications, &options, adapter, ordered).unwrap_or_else(|e| panic!("{e}"))
}

/// Cells of every kind: fires that start in different places, water, rules with both delays, with and without draws, and
/// cells that look at elapsed times and whose lookaheads differ.
fn cell_spaces(adapter: &AdapterDescription) -> Vec<(&'static str, ModelParts)> {
    let meadow = Landscape::uniform(40, 30, 30.0, 1).expect("a meadow");
    let header = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,moisture_woody";
    let turns = Weather::parse(&format!("{header}\n0,5,0.4,0,6,7,8,60,90\n60,9,0.4,90,6,7,8,60,90\n"), "weather.csv");
    let turning = Fire::new(meadow.clone(), turns.expect("weather"));
    let making = turning.clone().store_ellipses(0).check().expect("a model");
    let turning = turning.spreading(Spreading::Neighbours).check().expect("a model");
    let fire = Fire::new(meadow, Weather::still());
    let neighbours = fire.clone().spreading(Spreading::Neighbours).check().expect("a model");
    let fire = fire.check().expect("a model");
    let watershed = Watershed::new(3, 2, vec![0.0; 6]).check().expect("a model");
    let gossip =
        Gossip { uneven: true, ..Gossip::new(Space::new([9, 9, 1], Border::Open, Space::moore()).expect("a space")) };
    let rules = |name: &str| {
        let file = RuleFile::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/cells").join(name));
        parts_of_cells(&file.unwrap_or_else(|e| panic!("{e}")).model(Time::UNIT, 1), adapter)
    };
    let every_function = corpus().into_iter().map(|text| {
        let file = RuleFile::parse(&text, "corpus.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
        ("corpus", parts_of_cells(&file.model(Time::UNIT, 1), adapter))
    });
    let own = [
        ("fire", parts_of_cells_by((&fire, 2), false, adapter)),
        ("fire that makes its ellipses", parts_of_cells(&making, adapter)),
        ("fire from neighbours", parts_of_cells_by((&neighbours, 2), false, adapter)),
        ("fire from neighbours in weather that turns", parts_of_cells(&turning, adapter)),
        ("fire from neighbours in order", parts_of_cells_by((&neighbours, 2), true, adapter)),
        ("watershed", parts_of_cells(&watershed, adapter)),
        ("gossip", parts_of_cells(&gossip, adapter)),
        ("life", rules("life.ma")),
        ("heat", rules("heat.ma")),
        ("forest", rules("forest.ma")),
        ("alarm", rules("alarm.ma")),
    ];
    own.into_iter().chain(every_function).collect()
}

/// Searches with every set of open cells, on maps whose cells cost the same or not, with paths or without.
fn searches(adapter: &AdapterDescription) -> Vec<(&'static str, ModelParts)> {
    let weighted = Map::new(2, 1, vec![1, 2]).expect("a map");
    let lists = OpenList::ALL.into_iter().filter(|list| *list != OpenList::Auto);
    let maps = [(Map::free(2, 1).expect("a map"), false), (weighted, true)];
    lists
        .flat_map(|list| maps.clone().map(|(map, paths)| (list, map, paths)))
        .map(|(open_list, map, paths)| {
            let model = Searches::new(map).paths(paths).queries(vec![Query::default()]).check().expect("searches");
            let options = SearchOptions { open_list, ..SearchOptions::default() };
            let parts = pathfinding::gpu::parts(&model, &options, adapter);
            (open_list.name(), parts.unwrap_or_else(|e| panic!("{e}")))
        })
        .collect()
}

/// Whether a kernel is of the form that was asked for. One that has no word of 64 bits needs none of the adapter's.
fn check_form(kernel: &Kernel, int64: bool, subgroups: bool) {
    let has = |module: &str| kernel.modules.iter().any(|other| other == module);
    let (native, words) = (has("lib/wide_native"), has("lib/wide_words"));
    assert!(!(if int64 { words } else { native }), "{}: {:?}", kernel.label, kernel.modules);
    // A subgroup whose lanes have left a loop at different turns may lose a value: passages reduce without subgroups.
    let subgroups = subgroups && !kernel.label.contains("passage");
    assert_eq!((kernel.int64, kernel.subgroups), (native, subgroups), "{}", kernel.label);
    assert_eq!(has("lib/entry_subgroups"), subgroups, "{}", kernel.label);
}

/// A kernel that parses and validates, and the name of a model and form that have it.
pub struct Listed {
    pub name: String,
    pub kernel: Kernel,
    pub module: naga::Module,
    pub info: ModuleInfo,
}

/// Every kernel in every form; those of equal text are one.
pub static KERNELS: LazyLock<Vec<Listed>> = LazyLock::new(|| {
    let mut texts = BTreeSet::new();
    let kernels = kernels().into_iter().filter(|(_, kernel)| texts.insert(kernel.source.clone()));
    let listed = kernels.map(|(name, kernel)| {
        let (module, info) = validate(&kernel.source).unwrap_or_else(|e| panic!("{name}: {e}"));
        Listed { name, kernel, module, info }
    });
    listed.collect()
});

pub fn validate(source: &str) -> Result<(naga::Module, ModuleInfo), String> {
    let module = naga::front::wgsl::parse_str(source).map_err(|e| e.emit_to_string(source))?;
    let mut validator = Validator::new(ValidationFlags::all(), Features::all());
    let info = validator.validate(&module).map_err(|e| e.emit_to_string(source))?;
    Ok((module, info))
}

fn kernels() -> Vec<(String, Kernel)> {
    let each = Station::new("s", "exponential:10".parse().expect("a law")).tokens(2);
    let torus = Network::generate(&Topology::Torus { width: 2048, height: 2048 }, &each, 0.0).expect("sizes");
    let torus = torus.check().expect("a torus");
    let each = Station::new("s", "gamma:2,10".parse().expect("a law")).tokens(2);
    let tabled = [Topology::Torus { width: 64, height: 64 }, Topology::Ring { stations: 64 }].map(|topology| {
        let network = Network::generate(&topology, &each, 0.0).expect("sizes");
        network.window(1.0).check().expect("a model")
    });
    let text = include_str!("../../examples/networks/clinic.toml");
    let network = Network::from_toml(text).expect("a network").check().expect("a model");
    let observed = Network::from_toml(text).expect("a network").distributions(Observed::All);
    let slow = observed.clone().approximate(0.5).check().expect("a model");
    let observed = observed.check().expect("a model");
    let approximate = Network::from_toml(text).expect("a network").approximate(0.5).check().expect("a model");
    let (crowds, fronts) = (crowds(), fronts());
    let classes = include_str!("../../examples/networks/stages.toml");
    let classes = [
        ("classes", classes),
        ("classes, in rounds", IN_ROUNDS),
        ("classes, changing", CHANGING),
        ("classes, sharing", SHARING),
        ("classes, absent", ABSENT),
        ("classes, seizing", SEIZING),
        ("classes, stopping", STOPPING),
        ("classes, forking", FORKING),
        ("classes, paced", PACED),
        ("classes, targeted", TARGETED),
        ("classes, carrying", CARRYING),
        ("classes, varied", VARIED),
    ];
    // Many events are pending.
    let crowd = "[[station]]\nname = 'crowd'\nservice = 'exponential:200'\nservers = 'infinite'\n[[source]]\nname = 'crowds'\n\
                 interval = 'exponential:1'\nto = 'crowd'\n[[route]]\nfrom = 'crowd'\nto = 'done'\n";
    let crowd = Network::from_toml(&format!("{}{crowd}", classes[0].1)).expect("a network").check().expect("a model");
    let classes =
        classes.map(|(name, text)| (name, Network::from_toml(text).expect("a network").check().expect("a model")));
    let controlled = controlled();
    let (exact_network, exact_observed) = (exact(Observed::Nothing), exact(Observed::All));
    let mut kernels = vec![];
    for (wide, int64) in [("native", true), ("words", false)] {
        for (entry, subgroup_size) in [("plain", 0), ("subgroups", 32)] {
            let adapter = AdapterDescription::imagined(int64, subgroup_size);
            let parts_by = |how, network| {
                let options = NetworkOptions { figures_only: true, ..NetworkOptions::default() };
                queueing::gpu::parts(&[(network, 0..1)], how, &adapter, &options).expect("a small network")
            };
            let networks = [("clinic", &network), ("observed", &observed), ("crowds", &crowds), ("fronts", &fronts)];
            let approximate = [("approximate", &approximate), ("approximate, observed", &slow)];
            let networks = networks.into_iter().chain(approximate);
            let networks = networks.map(|(model, network)| (model, parts_by(Synchronization::Window, network)));
            let exact = [("exact network", &exact_network), ("exact, observed", &exact_observed)];
            let exact = exact.map(|(model, network)| (model, parts_by(Synchronization::Appointments, network)));
            let tori = [
                ("torus", Synchronization::Window),
                ("exact torus", Synchronization::Appointments),
                ("exact torus in tiles", Synchronization::AppointmentsInTiles),
            ];
            // What goes on from a checkpoint begins otherwise.
            let again = |(model, how): (&'static str, Synchronization), network| {
                let options = NetworkOptions::default();
                let parts = queueing::gpu::restored_parts(&[(network, 0..1)], how, &adapter, &options);
                (model, parts.expect("a small network"))
            };
            let going_on = tori.map(|torus_by| again(torus_by, &torus)).into_iter();
            let going_on = going_on.chain([again(("exact network", Synchronization::Appointments), &exact_network)]);
            let tori = tori.map(|(model, how)| (model, parts_by(how, &torus)));
            let tables = ["torus, tables", "ring, tables"].into_iter().zip(&tabled);
            let tables = tables.map(|(model, network)| (model, parts_by(Synchronization::Window, network)));
            let models =
                tori.into_iter().chain(tables).chain(going_on).chain(networks).chain(exact).chain(processes(&adapter));
            let options = NetworkOptions::default();
            let each = |(name, model): &(&'static str, NetworkModel)| {
                let parts = queueing::gpu::parts(&[(model, 0..1)], Synchronization::Window, &adapter, &options);
                (*name, parts.expect("a small network"))
            };
            let models = models.chain(classes.iter().map(each));
            let members = [(&crowd, 0..1), (&crowd, 1..2)];
            let several =
                queueing::gpu::parts(&members, Synchronization::Window, &adapter, &options).expect("a small network");
            let models = models.chain([("several networks of classes", several)]);
            let models = models.chain([("classes, controlled", controlled.parts(&adapter).expect("a small network"))]);
            let models = models.chain(cell_spaces(&adapter)).chain(searches(&adapter));
            for (model, parts) in models {
                let program = round_program(parts, &adapter);
                for kernel in program.unwrap_or_else(|e| panic!("{model}: {e}")).kernels {
                    check_form(&kernel, int64, subgroup_size > 0);
                    kernels.push((format!("{} ({model}, {wide}, {entry})", kernel.label), kernel));
                }
            }
        }
    }
    let self_test = Kernel::link("engine/self_test", "engine/self_test", &Mounts::default());
    kernels.push(("engine/self_test".into(), self_test.expect("a kernel")));
    kernels
}
