//! Kernels as GPUs run them, on whatever there is: threads that meet after every event, and records in the memory of the workgroup. And many
//! replications of networks without classes, which go event by event.

use super::multiclass_devices::{FORMS, compare};
use super::packed_tokens::{TIES, all_at_once};
use super::*;
use crate::adapter;
use tickless::device::{AdapterDescription, AdapterKind, DeviceError, Program, Session, SetUp};
use tickless::queueing::gpu::{DevicePath, path};
use tickless::queueing::{Observed, Station};

/// A device that is taken for a graphics card.
struct Card<'a> {
    device: &'a dyn Device,
    adapter: AdapterDescription,
}

impl Device for Card<'_> {
    fn adapter(&self) -> &AdapterDescription {
        &self.adapter
    }

    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        self.device.load(program, set_up)
    }
}

/// A station whose tokens lose patience, and one whose servers change. Nothing is near while there is patience.
const PATIENCE: &str = r#"
until = 40
warmup = 10

[[source]]
name = "in"
interval = "constant:0.5"
to = "calls"

[[station]]
name = "calls"
service = "exponential:2"
patience = "exponential:1"
servers = 3

[[station]]
name = "desk"
service = "exponential:1"
shifts = [[0, 2], [8, 1], [16, 3]]
period = 24

[[sink]]
name = "done"

[[route]]
from = "calls"
to = "desk"

[[route]]
from = "desk"
to = "done"
"#;

#[test]
fn graphics_cards_run_the_same() {
    let read = |text: &str| Network::from_toml(text).expect("a network");
    // Several replications for each workgroup, of which the last one has fewer.
    let mut short = Network::new().until(12.0).warmup(2.0);
    let ids = [0, 1].map(|station| short.later(station));
    for (name, other) in [("a", ids[1]), ("b", ids[0])] {
        let desk = short.station(Station::new(name, law("exponential:1")).servers(2).tokens(3));
        short.route(desk, other, 1.0, 0.0);
    }
    for (form, device) in adapter::forms(&FORMS[..1]) {
        // With what an H100 tells through CUDA, so that records are near.
        let adapter = AdapterDescription {
            kind: AdapterKind::Discrete,
            multiprocessors: Some(132),
            multiprocessor_memory: Some(228 << 10),
            ..device.adapter().clone()
        };
        let card = Card { device: device.as_ref(), adapter };
        compare(&card, &model(short.clone()), 0..2_101, &format!("{form}: many"));
        let few = TIES.replace("\"infinite\"", "4");
        compare(&card, &model(read(&few)), 0..5, &format!("{form}: ties"));
        compare(&card, &model(all_at_once()), 0..2, &format!("{form}: all at once"));
        compare(&card, &model(read(PATIENCE)), 0..5, &format!("{form}: patience"));
        let shifts = PATIENCE.replace("patience = \"exponential:1\"\n", "");
        compare(&card, &model(read(&shifts)), 0..5, &format!("{form}: shifts"));
    }
}

#[test]
fn many_replications_of_plain_networks_are_the_same() {
    for (form, device) in adapter::forms(&FORMS[..1]) {
        let mut count = 0;
        for number in 0..40 {
            let network = random::network(number).window(0.0);
            let model = model(if number % 8 == 0 { network.distributions(Observed::All) } else { network });
            if path(&model, 64) == Ok(DevicePath::EventByEvent) {
                compare(device.as_ref(), &model, 0..64, &format!("{form}: network {number}"));
                count += 1;
            }
        }
        assert!(count > 10, "{count}");
    }
}
