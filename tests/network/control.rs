//! Networks under control: by hand, against runs without decisions, and the heap against a device with random decisions.

use super::*;
use crate::adapter;
use tickless::device::Device;
use tickless::queueing::control::{Control, ControlledModel, Copies, Epoch, Seen};
use tickless_core::random::StreamKey;

/// Two classes come to a first station; one of them goes on to a second.
const CRISS_CROSS: &str = r#"
until = 150
[[class]]
name = "through"
[[class]]
name = "short"
[[source]]
name = "left"
interval = "exponential:1.1"
to = "first"
class = "through"
[[source]]
name = "top"
interval = "exponential:1.1"
to = "first"
class = "short"
[[station]]
name = "first"
service = "exponential:0.5"
tokens = 1
[[station]]
name = "second"
service = "erlang:2,0.9"
[[sink]]
name = "right"
[[sink]]
name = "down"
[[route]]
from = "first"
to = "second"
class = "through"
[[route]]
from = "first"
to = "down"
class = "short"
[[route]]
from = "second"
to = "right"
"#;

/// A source that chooses, stations whose servers and routes change, losses and patience.
const DISPATCH: &str = r#"
until = 40
[[source]]
name = "in"
interval = "exponential:0.4"
to = ["slow", "fast"]
routing = "round-robin"
[[station]]
name = "slow"
service = "uniform:1,3"
servers = 3
capacity = 6
[[station]]
name = "fast"
service = "exponential:0.7"
servers = 2
patience = "exponential:4"
[[station]]
name = "check"
service = "constant:0.2"
servers = 4
[[sink]]
name = "home"
[[route]]
from = "slow"
to = "check"
[[route]]
from = "fast"
to = "check"
delay = 0.3
[[route]]
from = "check"
to = "home"
probability = 0.5
[[route]]
from = "check"
to = "fast"
probability = 0.5
"#;

fn paths(all: &[&str]) -> Vec<String> {
    all.iter().map(|path| (*path).to_owned()).collect()
}

fn controlled(text: &str, decisions: &[&str], observed: &[&str], earned: &[&str], epoch: Epoch) -> ControlledModel {
    let network = Network::from_toml(text).unwrap();
    let (decisions, observed, earned) = (paths(decisions), paths(observed), paths(earned));
    let control = Control { decisions, observed, earned, epoch, interrupts: epoch != Epoch::Event };
    network.control(&control).unwrap()
}

fn criss_cross(epoch: Epoch) -> ControlledModel {
    let classes =
        ["station.first.class.through.present", "station.first.class.short.present", "station.second.present"];
    let earned = [&classes[..], &["sink.down.tokens", "station.first.class.through.completed"]].concat();
    let observed = [&classes[..], &["station.first.serving", "station.first.waiting"]].concat();
    controlled(CRISS_CROSS, &["station.first.priorities"], &observed, &earned, epoch)
}

/// Numbers below bounds that are drawn.
fn draws(model: &ControlledModel, copies: u32) -> impl FnMut() -> Vec<u32> {
    let mut stream = StreamKey::new(5, 5).stream(5);
    let bounds: Vec<u32> = model.decisions().iter().flat_map(|of| vec![of.most; of.words as usize]).collect();
    move || {
        let all = (0..copies).flat_map(|_| &bounds);
        all.map(|most| ((u64::from(stream.draw()) * u64::from(most + 1)) >> 32) as u32).collect()
    }
}

/// Random decisions of all copies over some episodes: what is seen is the same on the heap and on a device.
fn agrees_on_a_device(model: &ControlledModel, steps: u32) {
    for (form, device) in adapter::forms(&["native"]) {
        agrees_on(model, &*device, form, steps);
    }
}

fn agrees_on(model: &ControlledModel, device: &dyn Device, form: &str, steps: u32) {
    let copies = 37;
    let mut on_device = model.on_device(device, copies, 7, &mut unwatched()).unwrap();
    let mut on_the_heap = model.on_the_heap(copies, 7).unwrap();
    assert_eq!(on_device.seen(), on_the_heap.seen(), "{form}, at time 0");
    let (mut draw, mut ends) = (draws(model, copies), 0);
    // At first nobody is served, and room for tokens grows while some copies have come to their decisions.
    let nothing = vec![0; draw().len()];
    for step in 0..2 * steps {
        let decided = if step < steps { nothing.clone() } else { draw() };
        let seen = on_the_heap.step(&decided).unwrap().clone();
        assert_eq!(*on_device.step(&decided).unwrap(), seen, "{form}, step {step}");
        ends += seen.ended().iter().sum::<u32>();
    }
    assert!(ends >= copies, "{ends}");
    for seed in [None, Some(7), Some(8)] {
        assert_eq!(on_device.reset(seed).unwrap(), on_the_heap.reset(seed).unwrap(), "{seed:?}");
        let decided = draw();
        assert_eq!(on_device.step(&decided).unwrap(), on_the_heap.step(&decided).unwrap(), "{seed:?}");
    }
    let mut decided = vec![0; draw().len()];
    *decided.last_mut().unwrap() = u32::MAX;
    let said = on_device.step(&decided).unwrap_err().to_string();
    assert!(said.contains("in copy 36; it must be from 0 to"), "{said}");
}

#[test]
fn orders_agree_on_a_device_behind_every_event() {
    agrees_on_a_device(&criss_cross(Epoch::Event), 500);
}

#[test]
fn servers_and_routes_agree_on_a_device() {
    let decisions = ["source.in.route", "station.fast.servers", "station.check.route", "station.slow.servers"];
    let observed = ["station.slow.servers", "station.fast.waiting", "station.check.present"];
    let earned = ["station.slow.lost", "station.fast.reneged", "sink.home.tokens", "station.slow.serving"];
    agrees_on_a_device(&controlled(DISPATCH, &decisions, &observed, &earned, Epoch::Every(3.7)), 30);
}

/// The sums of what is earned over one episode, and what is seen at its end.
fn episode(copies: &mut dyn Copies, mut decide: impl FnMut(&Seen) -> Vec<u32>) -> Vec<u64> {
    let mut sums = vec![0; copies.seen().earned().len()];
    while copies.seen().ended()[0] == 0 {
        let decided = decide(copies.seen());
        let seen = copies.step(&decided).unwrap();
        sums.iter_mut().zip(seen.earned()).for_each(|(sum, earned)| *sum += earned);
    }
    sums
}

/// Ranks that are the priorities of the file make the same path, whenever they are decided; other ranks make another one.
#[test]
fn ranks_that_stay_are_priorities() {
    let text = CRISS_CROSS.replace("name = \"short\"\n", "name = \"short\"\npriority = 1\n");
    let outcome = run(Network::from_toml(&text).unwrap()).outcome;
    let present = |place: usize| outcome.classes[place].record.presence as u64;
    let expected = vec![present(0), present(1), present(2)];
    for epoch in [Epoch::Event, Epoch::Every(1.3), Epoch::Every(1000.0)] {
        let model = criss_cross(epoch);
        let found = episode(&mut *model.on_the_heap(1, 1).unwrap(), |_| vec![2, 1]);
        assert_eq!(found[..3], expected, "{epoch:?}");
        assert_eq!(found[3], outcome.sinks[1].tokens, "{epoch:?}");
        let other = episode(&mut *model.on_the_heap(1, 1).unwrap(), |_| vec![1, 2]);
        assert_ne!(other[..3], expected, "{epoch:?}");
    }
}
