//! Many events pending on devices, whose clocks are a tree: the bits of the heap.

use super::multiclass_devices::{FORMS, compare};
use super::*;
use crate::adapter;

/// A ward with a bed for everyone, and calls, each of which has an event while it is served and one while it waits. The burst is more than
/// there is room for at first.
const WARD: &str = r#"
until = 400
warmup = 50

[[class]]
name = "short"

[[class]]
name = "long"

[[source]]
name = "steady"
interval = "exponential:1"
class = "short"
to = "ward"

[[source]]
name = "other"
interval = "exponential:2"
class = "long"
to = "calls"

[[source]]
name = "burst"
interval = "constant:0.03125"
limit = 1500
start = 100
class = "long"
to = "ward"

[[station]]
name = "ward"
service = "exponential:150"
servers = "infinite"

[[station]]
name = "calls"
service = "exponential:60"
servers = 100
patience = "exponential:20"

[[sink]]
name = "home"

[[route]]
from = "ward"
to = "calls"
probability = 0.5

[[route]]
from = "ward"
to = "home"
probability = 0.5

[[route]]
from = "calls"
to = "home"
"#;

#[test]
fn many_pending_events_are_the_same() {
    for (form, device) in adapter::forms(&FORMS[..1]) {
        let of = |text: &str| model(Network::from_toml(text).expect("a network"));
        compare(device.as_ref(), &of(WARD), 0..3, form);
        // Many events have one clock, but times of their own; and many have one time.
        let together = WARD.replace("exponential:150", "constant:150").replace("0.03125", "0.000001");
        let together = together.replace("until = 400", "until = 200000");
        compare(device.as_ref(), &of(&together), 0..2, &format!("{form}, together"));
        let in_step = WARD.replace("exponential", "constant").replace("0.03125", "1");
        compare(device.as_ref(), &of(&in_step), 0..2, &format!("{form}, in step"));
        // The end of every service has a clock that is the largest, or is behind the horizon.
        let late = WARD.replace("exponential:150", "constant:100000");
        compare(device.as_ref(), &of(&late), 0..2, &format!("{form}, late"));
    }
}
