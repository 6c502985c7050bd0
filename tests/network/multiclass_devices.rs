//! Networks of classes, disciplines and patience on devices, a thread a replication: the bits of the heap.

use super::devices::assert_same;
use super::multiclass::network_of_classes;
use super::*;
use crate::adapter;
use tickless::queueing::{Class, Source, Station, combined_digest};

/// Of software adapters, where each takes seconds to compile; GPUs run every one.
const FORMS: [&str; 2] = ["native", "words, no subgroups"];

/// Some replications on the heap and on a device.
fn compare(device: &dyn Device, model: &NetworkModel, replications: Range<u32>, options: NetworkOptions, what: &str) {
    let expected = queueing::run(model, replications.clone(), Target::Heap, Default::default(), &mut unwatched());
    let expected = expected.expect("the heap runs every model");
    let found = replicate_on(model, replications, device, options, &mut unwatched());
    let found = found.unwrap_or_else(|e| panic!("{what}: {e}"));
    for (number, (expected, found)) in expected.outcome.iter().zip(&found.outcome).enumerate() {
        assert_same(expected, found, &format!("{what}, replication {number}"));
    }
    assert_eq!(combined_digest(&expected.outcome), combined_digest(&found.outcome), "{what}");
    let said = |run: &Run<Vec<NetworkOutcome>, NetworkDetails>| (run.events, run.clock, run.details.completions);
    assert_eq!(said(&expected), said(&found), "{what}");
}

#[test]
fn random_networks_of_classes_are_the_same() {
    for (place, (form, device)) in adapter::forms(&FORMS).iter().enumerate() {
        for number in (0..80).filter(|number| form.starts_with("cuda") || number % 2 == place as u32 % 2) {
            let model = model(network_of_classes(number));
            compare(device.as_ref(), &model, 0..3, Default::default(), &format!("{form}: network {number}"));
        }
    }
}
