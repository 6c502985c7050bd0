//! Ranks on devices, and beside them ranks on heaps: the cells and the digest of one heap.

use std::num::NonZeroU32;

use tickless::cells::gpu::DeviceCells;
use tickless::cells::{Bands, Border, OverOptions, Space, reference, run_over_targets};
use tickless::device::{Device, Target};
use tickless::ranks::Ranks;
use tickless::run::unwatched;

use crate::gossip::Gossip;
use crate::ranks::rules;
use crate::{adapter, fire, watershed};

/// How ranks are placed: `h` is a heap, `d` a device.
fn targets<'d>(places: &str, device: &'d dyn Device) -> impl Fn(u32) -> Target<'d> + Sync {
    let on_device: Vec<bool> = places.chars().map(|place| place == 'd').collect();
    move |rank| if on_device[rank as usize] { Target::Device(device) } else { Target::Heap }
}

fn ranks(places: &str) -> Ranks<'static> {
    Ranks::Threads(NonZeroU32::new(places.len() as u32).expect("a rank or more"))
}

fn assert_on(model: &impl DeviceCells, places: &str, sizes: Option<&[u32]>, device: &dyn Device) {
    let alone = reference::run(model, None, &mut unwatched()).expect("a run");
    let what = format!("{places}, {sizes:?}");
    let options = OverOptions { bands: sizes.map(Bands::of_sizes), log: None };
    let t = std::time::Instant::now();
    let over = run_over_targets(model, ranks(places), targets(places, device), options, &mut unwatched());
    { let o = over.as_ref().unwrap().as_ref().unwrap(); println!("TT {what}: {:.2} setup {:.2} wall {:.2} rounds {:?}", t.elapsed().as_secs_f64(), o.setup.as_secs_f64(), o.wall.as_secs_f64(), o.rounds); }
    let over = over.unwrap_or_else(|error| panic!("{what}: {error}")).expect("a run on rank 0");
    assert_eq!(alone.outcome.first_difference(&over.outcome), None, "{what}");
    assert_eq!(over.outcome, alone.outcome, "{what}");
    assert_eq!(over.outcome.digest(), alone.outcome.digest(), "{what}");
    assert_eq!((over.events, over.clock, over.interrupted), (alone.events, alone.clock, false), "{what}");
}

/// Life and water: many events at one time. Fires from cell to cell, several replications, and rules that draw.
#[test]
fn models_of_every_family_on_devices_are_the_same() {
    for (form, device) in adapter::forms(&["native"]) {
        println!("{form}");
        let device = device.as_ref();
        assert_on(&rules("life.ma", 2001.0), "dd", None, device);
        assert_on(&rules("forest.ma", 60.0).with_replications(2), "dhd", None, device);
        let [water, soaking, slope] = watershed::models();
        assert_on(&water, "ddhd", None, device);
        assert_on(&soaking, "hd", None, device);
        assert_on(&slope, "dd", Some(&[299, 1]), device);
        let [still, turning, several, ..] = fire::models();
        assert_on(&still, "hd", None, device);
        assert_on(&turning, "ddd", None, device);
        assert_on(&several, "dh", None, device);
    }
}

/// Bands that fronts reach and leave again, some of which they never reach.
#[test]
fn fires_as_fronts_on_devices_are_the_same() {
    let [.., still, turning, several, gusts] = fire::models();
    for (form, device) in adapter::forms(&["native"]) {
        println!("{form}");
        let device = device.as_ref();
        assert_on(&still, "dd", None, device);
        assert_on(&still, "dddd", Some(&[2, 30, 1, 42]), device);
        assert_on(&turning, "hdd", None, device);
        assert_on(&several, "hd", None, device);
        assert_on(&gusts, "ddd", Some(&[1, 1, 62]), device);
    }
}

fn space(size: [u32; 3], border: Border, offsets: Vec<[i32; 3]>) -> Space {
    Space::new(size, border, offsets).expect("a space")
}

/// Bands along every axis, open and around the border, with ties, cells with lookaheads of their own and time advances of 0.
#[test]
fn gossip_on_devices_and_heaps_is_gossip() {
    let planes = || vec![[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, -1, 1]];
    let moore = |size, border| Gossip { until: 8 << 32, ..Gossip::new(space(size, border, Space::moore())) };
    let cubes = |border| Gossip { until: 8 << 32, ..Gossip::new(space([9, 8, 12], border, planes())) };
    let [wrapped, open] = [moore([33, 40, 1], Border::Wrapped), moore([40, 21, 1], Border::Open)];
    for (form, device) in adapter::forms(&["native"]) {
        println!("{form}");
        let on = |model: &Gossip, places: &str, sizes: Option<&[u32]>| assert_on(model, places, sizes, device.as_ref());
        on(&wrapped, "dd", None);
        on(&wrapped, "hdd", Some(&[30, 1, 9]));
        on(&open, "dhd", None);
        on(&open, "d", Some(&[40]));
        on(&Gossip { mask: 3, shift: 31, lookahead: 0, ..open.clone() }, "dddd", None);
        on(&Gossip { mask: 3, shift: 30, replications: 2, ..wrapped.clone() }, "dh", None);
        on(&Gossip { uneven: true, ..open.clone() }, "hd", None);
        on(&cubes(Border::Wrapped), "ddd", None);
        on(&cubes(Border::Open), "hd", None);
    }
}
