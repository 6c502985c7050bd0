//! A small run of every family, on devices that change how a program runs and none of its bits: the order of workgroups and lanes, and what
//! executes it.

#[path = "../adapter/mod.rs"]
mod adapter;
mod builders;
mod records;
mod runs;
mod schedules;

use tickless::device::Target;

/// In both forms of times. Tests of each family have more; this one runs them all at once.
#[test]
#[ignore = "for scripts/dxc.sh, which has another compiler compile the kernels"]
fn every_family_is_equal() {
    for (form, device) in adapter::forms(&["native", "words, no subgroups"]) {
        for family in runs::families() {
            let [found, expected] = [Target::Device(device.as_ref()), Target::Heap].map(|target| family.digest(target));
            assert_eq!(found, expected, "{form}: {}", family.name);
        }
    }
}
