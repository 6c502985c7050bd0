//! Networks of classes, disciplines and patience on devices, a thread a replication: the bits of the heap.

use std::ops::ControlFlow;

use super::devices::assert_same;
use super::forks::{MAKING_ROOM, STOPPING};
use super::multiclass_random::{Used, Uses, network_of};
use super::multiclass_speeds::stopping_at_half_speed;
use super::*;
use crate::adapter;
use tickless::device::{AdapterDescription, DeviceError, Program, Session, SetUp};
use tickless::queueing::{Class, ClassOfStation, Discipline, Source, Station, Trace, combined_digest};
use tickless::run::Progress;

/// Of software adapters, where each takes seconds to compile; GPUs run every one.
pub(super) const FORMS: [&str; 2] = ["native", "words, no subgroups"];

/// Some replications on the heap.
fn on_heap(model: &NetworkModel, replications: Range<u32>) -> Run<Vec<NetworkOutcome>, NetworkDetails> {
    queueing::run(model, replications, Target::Heap, Default::default(), &mut unwatched()).expect("a run")
}

/// The same on a device, or the same error.
pub(super) fn compare(device: &dyn Device, model: &NetworkModel, replications: Range<u32>, what: &str) {
    let expected = queueing::run(model, replications.clone(), Target::Heap, Default::default(), &mut unwatched());
    let found = replicate_on(model, replications, device, Default::default(), &mut unwatched());
    let expected = match expected {
        Ok(expected) => expected,
        Err(error) => {
            let found = found.map(|_| ()).expect_err("an error");
            return assert_eq!(found.to_string(), error.to_string(), "{what}");
        }
    };
    let found = found.unwrap_or_else(|e| panic!("{what}: {e}"));
    for (number, (expected, found)) in expected.outcome.iter().zip(&found.outcome).enumerate() {
        assert_same(expected, found, &format!("{what}, replication {number}"));
    }
    assert_eq!(combined_digest(&expected.outcome), combined_digest(&found.outcome), "{what}");
    let said = |run: &Run<Vec<NetworkOutcome>, NetworkDetails>| (run.events, run.clock, run.details.completions);
    assert_eq!(said(&expected), said(&found), "{what}");
}

/// Of all that a device has, which is told.
#[test]
fn random_networks_of_classes_are_the_same() {
    for (place, (form, device)) in adapter::forms(&FORMS).iter().enumerate() {
        // In software a kernel takes seconds to compile, and in words of two one that shares takes a minute: that is for GPUs, and how
        // such words are divided is held against Rust in tests/parts/wide.rs.
        let sets = match (adapter::in_software(device.as_ref()), place) {
            (false, _) => &Uses::SETS[..],
            (true, 0) => &[Uses::SETS[1], Uses::SETS[3], Uses::SETS[5]],
            (true, _) => &Uses::SETS[..1],
        };
        let mut used = Used::new();
        for number in 0..12 * sets.len() {
            let (network, names) = network_of(number as u32, sets[number % sets.len()]);
            compare(device.as_ref(), &model(network), 0..3, &format!("{form}: network {number}"));
            used.extend(names);
        }
        assert_eq!(used, sets.iter().flat_map(|uses| uses.names()).collect(), "{form}");
    }
}

#[test]
fn the_examples_of_classes_are_the_same() {
    const DIGEST: &str = "fa02cf5fc76e76d901f6a59af263ae0cd90355d1ec4a2582915963385a56659e";
    for (form, device) in adapter::forms(&FORMS[..1]) {
        // All but the first have kernels of their own.
        for file in adapter::sizes(device.as_ref(), &["stages", "emergency", "call-centre"]) {
            let text = std::fs::read_to_string(format!("examples/networks/{file}.toml")).expect("an example");
            let network = Network::from_toml(&text).expect("a network").until(700.0).warmup(100.0);
            compare(device.as_ref(), &model(network), 5..9, &format!("{form}: {file}"));
        }
    }
    let text = std::fs::read_to_string("examples/networks/stages.toml").expect("an example");
    let outcome = on_heap(&model(Network::from_toml(&text).expect("a network")), 0..2).outcome;
    assert_eq!(combined_digest(&outcome).to_string(), DIGEST);
}

/// Laws with tables, of services, patience and intervals, where the next token is drawn.
#[test]
fn laws_with_tables_are_the_same() {
    let mut network = Network::new().until(200.0).warmup(20.0);
    let [first, second] = ["first", "second"].map(|name| network.class(Class::new(name)));
    let desk = Station::new("desk", law("gamma:2,0.8")).patience(law("lognormal:3,2"), None);
    let desk = desk.discipline(Discipline::Random);
    let desk = network.station(desk.class(ClassOfStation::new(second).service(law("discrete:0.5*3,2"))));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("weibull:2,2"), desk).class(first));
    network.source(Source::new("other", law("constant:2"), desk).class(second));
    network.route(desk, exit, 1.0, 0.0);
    for (form, device) in adapter::forms(&FORMS[..1]) {
        compare(device.as_ref(), &model(network.clone()), 0..3, form);
    }
}

/// A queue that grows past every first guess, whose tokens are drawn, interrupted or lose their patience. It has the kernels of
/// laws with tables.
#[test]
fn rooms_for_tokens_grow() {
    let mut network = Network::new().until(300.0).warmup(20.0);
    let [first, second] = [0, 1].map(|level| network.class(Class::new(format!("c{level}")).priority(level)));
    let desk = Station::new("desk", law("gamma:2,1")).preemptive().discipline(Discipline::Random);
    let desk = desk.patience(law("exponential:400"), None);
    let desk = network.station(desk.class(ClassOfStation::new(second).service(law("constant:1"))));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:3"), desk).class(first));
    network.source(Source::new("other", law("constant:0.75"), desk).class(second));
    network.route(desk, exit, 1.0, 0.5);
    let model = model(network);
    for (form, device) in adapter::forms(&FORMS[..1]) {
        compare(device.as_ref(), &model, 0..3, form);
        let options = NetworkOptions { most_tokens: Some(150), ..Default::default() };
        let refused = replicate_on(&model, 0..3, device.as_ref(), options, &mut unwatched());
        assert!(matches!(refused, Err(QueueingError::Tokens { most: 150, .. })), "{form}");
    }
}

/// A network of one class is a network without.
#[test]
fn one_class_is_as_none() {
    let network = |classes: bool| {
        let mut network = devices::overloaded().until(200.0);
        if classes {
            network.class(Class::new("all"));
        }
        model(network)
    };
    let expected = on_heap(&network(false), 0..2).outcome;
    for (form, device) in adapter::forms(&FORMS[..1]) {
        let found = replicate_on(&network(true), 0..2, device.as_ref(), Default::default(), &mut unwatched());
        for (expected, mut found) in expected.iter().zip(found.expect("a run").outcome) {
            found.classes.clear();
            found.class_sinks.clear();
            assert_same(expected, &found, form);
        }
    }
}

/// Up to so late a horizon a clock shows quarters of a time unit: many events have the same one, and more events are pending than have one.
#[test]
fn events_of_one_clock_are_told_apart() {
    const LATE: &str = r#"
until = 1000000000

[[class]]
name = "urgent"
priority = 0

[[class]]
name = "other"
priority = 1

[[source]]
name = "first"
interval = "exponential:0.1"
class = "urgent"
limit = 300
to = "desk"

[[source]]
name = "second"
interval = "uniform:0,0.25"
class = "other"
limit = 300
to = "desk"

[[station]]
name = "desk"
service = "exponential:0.15"
servers = 2
patience = "exponential:4"

[[station]]
name = "walk"
service = "uniform:0,12"
servers = "infinite"

[[sink]]
name = "gone"

[[route]]
from = "desk"
to = "walk"

[[route]]
from = "walk"
to = "gone"
"#;
    let network = model(Network::from_toml(LATE).expect("a network"));
    for (form, device) in adapter::forms(&FORMS[..1]) {
        compare(device.as_ref(), &network, 0..40, form);
    }
}

/// Who has its units first, by its priority, ends behind one that came before it where both end at once.
#[test]
fn those_that_share_end_in_the_order_of_arrival() {
    let mut network = Network::new().until(9.0);
    let [first, second] = [0, 1].map(|level| network.class(Class::new(format!("c{level}")).priority(level)));
    let room = network.resource("room", 2);
    let holder = Station::new("holder", law("constant:1")).seizes(room, 2).releases(room, 2);
    let holder = network.station(holder.class(ClassOfStation::new(first).tokens(1)));
    let desk = Station::new("desk", law("constant:1")).servers(2).discipline(Discipline::Sharing);
    let desk = network.station(desk.seizes(room, 1).seizes_at_arrival().releases(room, 1));
    let next = network.station(Station::new("next", law("constant:3")));
    let exit = network.sink("exit");
    for (name, class, start) in [("early", second, 0.25), ("late", first, 0.5)] {
        network.source(Source::new(name, law("constant:0.125"), desk).start(start).limit(1).class(class));
    }
    for (from, to) in [(holder, exit.into()), (desk, tickless::queueing::Destination::from(next)), (next, exit.into())]
    {
        network.route(from, to, 1.0, 0.0);
    }
    let model = model(network);
    let waited = &on_heap(&model, 0..1).outcome[0].classes;
    assert_eq!([4, 5].map(|place: usize| waited[place].record.waiting >> 32), [3, 0]);
    for (form, device) in adapter::forms(&FORMS[..1]) {
        // In software its kernel takes minutes to compile.
        if !adapter::in_software(device.as_ref()) {
            compare(device.as_ref(), &model, 0..2, form);
        }
    }
}

/// Servers that do more in a tick than 64 bits hold: tokens of each class end behind those of all later ones.
pub(super) fn many_fast_servers() -> NetworkModel {
    let mut network = Network::new().until(4.0).warmup(3.625);
    let classes: Vec<_> = (0..270).map(|number| network.class(Class::new(format!("c{number}")))).collect();
    let desk = Station::new("desk", law("constant:1")).servers((1 << 16) + 1).discipline(Discipline::Sharing);
    let of_class = |(number, class): (usize, &tickless::queueing::ClassId)| {
        let service = law(&format!("constant:{}", 7_000 * (300 - number) + 13));
        ClassOfStation::new(*class).service(service).tokens(260)
    };
    let desk = classes.iter().enumerate().map(of_class).fold(desk, Station::class).speeds(vec![65_536.0]);
    let desk = network.station(desk);
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:0.3"), desk).class(classes[269]));
    network.route(desk, exit, 1.0, 0.0);
    model(network)
}

/// Services that stop at stations with speeds, and where tokens split; and copies of copies that make room.
#[test]
fn stops_and_copies_are_the_same() {
    let texts = [STOPPING, MAKING_ROOM].map(|text| model(Network::from_toml(text).expect("a network")));
    for (form, device) in adapter::forms(&FORMS[..1]) {
        // In software each kernel takes a minute to compile.
        if !adapter::in_software(device.as_ref()) {
            compare(device.as_ref(), &stopping_at_half_speed(), 0..2, form);
            texts.iter().for_each(|model| compare(device.as_ref(), model, 0..2, form));
        }
    }
}

#[test]
fn many_fast_servers_are_the_same() {
    let model = many_fast_servers();
    for (form, device) in adapter::forms(&FORMS[..1]) {
        // In software its kernel takes minutes to compile.
        if !adapter::in_software(device.as_ref()) {
            compare(device.as_ref(), &model, 0..1, form);
        }
    }
    let completions = on_heap(&model, 0..1).outcome[0].stations.facilities[0].completions;
    assert!(completions > 500, "{completions}");
}

/// More than fit at once run one part after the other.
#[test]
fn parts_of_many_replications_are_the_same() {
    let mut network = Network::new().until(0.02);
    network.class(Class::new("all"));
    let desk = network.station(Station::new("desk", law("exponential:1")).tokens(2000).servers(3));
    network.route(desk, desk, 1.0, 0.0);
    for (form, device) in adapter::forms(&FORMS[..1]) {
        compare(device.as_ref(), &model(network.clone()), 3..503, form);
    }
}

/// Ends a run at its third look.
struct Impatient(u32);

impl Watch for Impatient {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        self.0 += 1;
        if self.0 < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// An interrupted run is whole up to its clock.
#[test]
fn an_interrupted_run_is_cut_at_one_clock() {
    let text = std::fs::read_to_string("examples/networks/stages.toml").expect("an example");
    // A GPU has 20,000 time units behind it before the third look.
    let late = 2_000_000.0;
    let network = Network::from_toml(&text).expect("a network").warmup(0.0).until(late);
    for (form, device) in adapter::forms(&FORMS[..1]) {
        let run = replicate_on(&model(network.clone()), 0..4, device.as_ref(), Default::default(), &mut Impatient(0));
        let run = run.expect("a run");
        assert!(run.interrupted && run.clock < tickless::time::Time::from_units(late).expect("a time"), "{form}");
        let expected = on_heap(&model(network.clone().until(run.clock.units())), 0..4);
        assert_eq!(combined_digest(&expected.outcome), combined_digest(&run.outcome), "{form}");
        assert_eq!(expected.events, run.events, "{form}");
    }
}

/// Where a heap says that stations wait for each other for ever, a device says the same: of the first replication that does.
#[test]
fn deadlocks_are_named() {
    // Beside a network that blocks and has nothing else: its kernel is soon compiled.
    let network = |number, uses| {
        let mut network = network_of(number, uses).0.until(9.0).warmup(0.0);
        let ids = ["a", "b", "c"].map(|name| {
            let station = Station::new(name, law("exponential:1")).servers(2).capacity(2).blocking();
            network.station(station.tokens(u32::from(name != "c")))
        });
        let exit = network.sink("exit");
        for (place, id) in ids.iter().enumerate() {
            network.route(*id, ids[(place + 1) % 3], 0.6, 0.0);
            network.route(*id, ids[(place + 2) % 3], 0.25, 0.0);
            network.route(*id, exit, 0.15, 0.0);
        }
        network.source(Source::new("in", law("exponential:1"), ids[0]));
        model(network)
    };
    for (form, device) in adapter::forms(&FORMS[..1]) {
        let mut found = [0, 0];
        let uses = match adapter::in_software(device.as_ref()) {
            true => Uses { blocking: true, ..Uses::default() },
            false => Uses { blocking: true, routing: true, servers: true, ..Uses::default() },
        };
        for model in (0..12).map(|number| network(number, uses)) {
            let all = queueing::run(&model, 0..3, Target::Heap, Default::default(), &mut unwatched());
            found[usize::from(all.is_ok())] += 1;
            match all {
                Ok(_) => compare(device.as_ref(), &model, 0..3, form),
                Err(expected) => {
                    let QueueingError::InReplication { replication, error } = &expected else { panic!("{expected}") };
                    assert!(matches!(**error, QueueingError::Deadlock { .. }), "{expected}");
                    assert_eq!(expected.to_string(), format!("in replication {replication}, {error}"));
                    for number in 0..=*replication {
                        let alone = queueing::run(
                            &model,
                            number..number + 1,
                            Target::Heap,
                            Default::default(),
                            &mut unwatched(),
                        );
                        let found = alone.err().map(|found| found.to_string());
                        assert_eq!(found, (number == *replication).then(|| error.to_string()));
                    }
                    let run = replicate_on(&model, 0..3, device.as_ref(), Default::default(), &mut unwatched());
                    let error = run.map(|_| ()).expect_err("an error");
                    assert_eq!(error.to_string(), expected.to_string(), "{form}");
                }
            }
        }
        assert!(found.iter().all(|count| *count > 1), "{form}: {found:?}");
    }
}

/// A device with buffers of so many bytes.
struct Small<'a>(&'a dyn Device, AdapterDescription);

impl<'a> Small<'a> {
    fn new(device: &'a dyn Device, buffer_size: u64) -> Self {
        let mut adapter = device.adapter().clone();
        adapter.capabilities.buffer_size = buffer_size;
        Self(device, adapter)
    }
}

impl Device for Small<'_> {
    fn adapter(&self) -> &AdapterDescription {
        &self.1
    }

    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        self.0.load(program, set_up)
    }
}

/// A trace has room for any number of tokens at a time, and a device for so many has none.
#[test]
fn a_batch_without_room_is_an_error() {
    let mut network = Network::new();
    let desk = network.station(Station::new("desk", law("constant:1")));
    let exit = network.sink("exit");
    network.source(Source::by_trace("in", Trace::new(vec![(1.0, None, u32::MAX)]), desk));
    network.route(desk, exit, 1.0, 0.0);
    for (form, device) in adapter::forms(&FORMS[..1]) {
        let model = model(network.clone());
        let device = Small::new(device.as_ref(), 1 << 16);
        let run = replicate_on(&model, 0..1, &device, Default::default(), &mut unwatched());
        let error = run.map(|_| ()).expect_err("no room").to_string();
        // Where a replication fits, its tokens do not.
        assert!(["a replication of the network", "tokens"].iter().any(|said| error.contains(said)), "{form}: {error}");
    }
}

/// Two stations that send each other everybody, at once, for ever.
#[test]
fn balking_without_end_ends() {
    let mut network = Network::new();
    let ids = [0, 1].map(|station| network.later(station));
    for (name, other) in [("a", ids[1]), ("b", ids[0])] {
        network.station(Station::new(name, law("constant:1")).balking(vec![1.0], Some(other.into())));
    }
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:1"), ids[0]));
    ids.iter().for_each(|id| network.route(*id, exit, 1.0, 0.0));
    let model = model(network);
    for (form, device) in adapter::forms(&FORMS[..1]) {
        let run = replicate_on(&model, 0..1, device.as_ref(), Default::default(), &mut unwatched());
        assert!(matches!(run, Err(QueueingError::StandsStill { clock: 1.0, .. })), "{form}");
    }
}

#[test]
fn what_only_the_heap_has_is_refused_by_name() {
    let desk = || Station::new("desk", law("constant:1")).tokens(1);
    let network = |station: Station| {
        let mut network = Network::new();
        network.class(Class::new("all"));
        let desk = network.station(station);
        network.route(desk, desk, 1.0, 0.0);
        network
    };
    let failing = desk().servers(1 << 21).failures(law("constant:1"), law("constant:1"));
    let failing = model(network(failing));
    for (form, device) in adapter::forms(&FORMS[..1]) {
        let run = replicate_on(&failing, 0..1, device.as_ref(), Default::default(), &mut unwatched());
        let error = run.map(|_| ()).expect_err("a refusal").to_string();
        assert!(error.contains("no device has room for what happens to the servers"), "{form}: {error}");
        let options = by(Synchronization::Appointments, &Options::default());
        let run = replicate_on(&model(network(desk())), 0..1, device.as_ref(), options, &mut unwatched());
        assert!(matches!(run, Err(QueueingError::Multiclass { .. })), "{form}");
    }
}
