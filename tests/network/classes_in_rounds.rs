//! Networks of classes whose visits are known at the arrival: windows, and rounds on devices.

use super::devices::assert_same;
use super::*;
use tickless::queueing::{Class, NetworkError};

/// A random network without classes, and the same with one.
fn with_and_without(number: u32) -> [NetworkModel; 2] {
    let network = random::network(number);
    let mut with = network.clone();
    with.class(Class::new("all"));
    [network, with].map(model)
}

/// A network of one class has the windows of one without, and the same records event by event.
#[test]
fn one_class_with_a_window_is_as_none() {
    for number in 0..120 {
        let [without, with] = with_and_without(number);
        assert_eq!((without.window(), without.lookahead()), (with.window(), with.lookahead()), "network {number}");
        let [expected, mut found] =
            [&without, &with].map(|model| simulate(model, &mut unwatched()).expect("a run").outcome);
        assert!(!std::mem::take(&mut found.classes).is_empty());
        found.class_sinks.clear();
        assert_same(&expected, &found, &format!("network {number}"));
    }
}
