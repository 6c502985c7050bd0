//! Tokens of one row on devices, and places for as many events as servers can have: the bits of the heap.

use super::multiclass_devices::{FORMS, compare};
use super::*;
use crate::adapter;
use tickless::queueing::{Class, Source, Station};

/// Many events at one time, tokens of time 0, tokens without room, and a queue that grows past the first guess.
pub(super) const TIES: &str = r#"
until = 200
warmup = 50

[[class]]
name = "urgent"
priority = 0

[[class]]
name = "other"
priority = 1

[[source]]
name = "first"
interval = "constant:0.5"
class = "urgent"
to = "a"

[[source]]
name = "second"
interval = "constant:0.25"
class = "other"
to = "a"

[[station]]
name = "a"
service = "constant:1"
servers = 5

[[station.class]]
name = "urgent"
tokens = 3

[[station]]
name = "b"
service = "constant:2"
servers = 2
capacity = 6

[[station]]
name = "c"
service = "constant:1"
servers = "infinite"

[[sink]]
name = "gone"

[[route]]
from = "a"
to = "b"
probability = 0.6

[[route]]
from = "a"
to = "c"
probability = 0.4

[[route]]
from = "b"
to = "gone"

[[route]]
from = "c"
to = "a"
probability = 0.3

[[route]]
from = "c"
to = "gone"
probability = 0.7
"#;

/// Two stations, whose tokens all end their services at one time: then every server has two events, of the token that goes and of the next
/// one.
pub(super) fn all_at_once() -> Network {
    let mut network = Network::new().until(9.5);
    let ids = [0, 1].map(|station| network.later(station));
    for (name, other) in [("a", ids[1]), ("b", ids[0])] {
        let desk = network.station(Station::new(name, law("constant:1")).servers(20).tokens(40));
        network.route(desk, other, 1.0, 0.0);
    }
    network
}

/// Where a sum of times may pass 64 bits with more places for tokens, the run begins again.
#[test]
fn a_run_begins_again_where_its_records_change() {
    let mut network = Network::new().until(3e7);
    let desk = network.station(Station::new("desk", law("constant:200000")));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:100000"), desk));
    network.route(desk, exit, 1.0, 0.0);
    network.class(Class::new("all"));
    for (form, device) in adapter::forms(&FORMS[..1]) {
        compare(device.as_ref(), &model(network.clone()), 0..2, form);
    }
}

/// A token has one row as long as its times have 48 bits, up to 65,535 time units.
#[test]
fn tokens_of_one_row_are_the_same() {
    for (form, device) in adapter::forms(&FORMS[..1]) {
        compare(device.as_ref(), &model(Network::from_toml(TIES).expect("a network")), 0..3, form);
        // Here often just two events have one time.
        let pairs = TIES.replace("constant:0.5", "constant:3").replace("0.25", "4").replace("constant:1", "constant:2");
        let pairs = Network::from_toml(&pairs).expect("a network").until(3000.0);
        compare(device.as_ref(), &model(pairs), 0..9, form);
        let few = TIES.replace("\"infinite\"", "7");
        compare(device.as_ref(), &model(Network::from_toml(&few).expect("a network")), 0..3, form);
        compare(device.as_ref(), &model(all_at_once()), 0..1, form);
        let seldom = TIES.replace("0.5", "900").replace("0.25", "700").replace("constant:1", "uniform:1,9000");
        for until in [65_534, 140_000] {
            let network = Network::from_toml(&seldom.replace("until = 200", &format!("until = {until}")));
            compare(device.as_ref(), &model(network.expect("a network")), 0..3, &format!("{form}: {until}"));
        }
    }
}
