//! Ranks on devices, and beside them ranks on heaps: the cells and the digest of one heap.

use std::num::NonZeroU32;

use tickless::cells::gpu::DeviceCells;
use tickless::cells::{
    Bands, Border, Checkpoint, OverOptions, Space, Watershed, reference, run_from_over_targets, run_over_targets,
};
use tickless::device::{Device, Target};
use tickless::ranks::{Ranks, ThreadTransport, side_by_side};
use tickless::run::unwatched;

use crate::gossip::Gossip;
use crate::log::Kept;
use crate::ranks::{Meddling, Stops, rules};
use crate::{adapter, fire, watershed};

/// How ranks are placed: `h` is a heap, `d` a device.
pub fn targets<'d>(places: &str, device: &'d dyn Device) -> impl Fn(u32) -> Target<'d> + Sync {
    let on_device: Vec<bool> = places.chars().map(|place| place == 'd').collect();
    move |rank| if on_device[rank as usize] { Target::Device(device) } else { Target::Heap }
}

pub fn ranks(places: &str) -> Ranks<'static> {
    Ranks::Threads(NonZeroU32::new(places.len() as u32).expect("a rank or more"))
}

fn assert_on(model: &impl DeviceCells, places: &str, sizes: Option<&[u32]>, device: &dyn Device) {
    let alone = reference::run(model, None, &mut unwatched()).expect("a run");
    let what = format!("{places}, {sizes:?}");
    let options = OverOptions { bands: sizes.map(Bands::of_sizes), log: None };
    let over = run_over_targets(model, ranks(places), targets(places, device), options, &mut unwatched());
    let over = over.unwrap_or_else(|error| panic!("{what}: {error}")).expect("a run on rank 0");
    assert_eq!(alone.outcome.first_difference(&over.outcome), None, "{what}");
    assert_eq!(over.outcome, alone.outcome, "{what}");
    assert_eq!(over.outcome.digest(), alone.outcome.digest(), "{what}");
    assert_eq!((over.events, over.clock, over.interrupted), (alone.events, alone.clock, false), "{what}");
}

/// What crosses counts: with a bit of it changed on its way to a device, or to a heap from a device, it is another run.
fn assert_catches(model: &impl DeviceCells, places: &str, change: fn(&mut Vec<u64>), device: &dyn Device) {
    let expected = reference::run(model, None, &mut unwatched()).expect("a run").outcome;
    for meddles in [false, true] {
        let rank = |ranks: &mut ThreadTransport<'_>| {
            let mut meddling = Meddling::new(ranks, if meddles { 1 } else { 0 }, change);
            let over = Ranks::Over(&mut meddling);
            let run = run_over_targets(model, over, targets(places, device), Default::default(), &mut unwatched());
            assert!(meddling.is_done(), "there is less to hear");
            run.expect("a run").map(|run| run.outcome)
        };
        let first = side_by_side(NonZeroU32::new(2).expect("two"), rank, rank).remove(0);
        let first = first.expect("no panic").expect("a run on rank 0");
        assert_eq!(expected.first_difference(&first).is_some(), meddles, "{places}");
        assert_eq!(expected.digest() != first.digest(), meddles, "{places}");
    }
}

fn space(size: [u32; 3], border: Border, offsets: Vec<[i32; 3]>) -> Space {
    Space::new(size, border, offsets).expect("a space")
}

/// Bands along every axis, open and around the border, with ties, cells with lookaheads of their own and time advances of 0.
#[test]
fn gossip_on_devices_and_heaps_is_gossip() {
    let planes = vec![[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, -1, 1]];
    let moore = |size, border| Gossip { until: 3 << 32, ..Gossip::new(space(size, border, Space::moore())) };
    let cubes = Gossip { until: 2 << 32, ..Gossip::new(space([9, 8, 12], Border::Wrapped, planes)) };
    let [wrapped, open] = [moore([23, 40, 1], Border::Wrapped), moore([40, 13, 1], Border::Open)];
    for (form, device) in adapter::forms(&["native"]) {
        println!("{form}");
        let on = |model: &Gossip, places, sizes| assert_on(model, places, sizes, device.as_ref());
        on(&wrapped, "hdd", Some(&[30, 1, 9]));
        on(&open, "dhd", None);
        on(&open, "d", Some(&[40]));
        on(&Gossip { mask: 3, shift: 31, lookahead: 0, ..open.clone() }, "dddd", None);
        on(&Gossip { mask: 3, shift: 30, replications: 2, ..wrapped.clone() }, "dh", None);
        on(&Gossip { uneven: true, ..open.clone() }, "hd", None);
        on(&cubes, "ddd", None);
        for places in ["hd", "dh"] {
            assert_catches(&open, places, |list| list[1] ^= 1 << 63, device.as_ref());
        }
        goes_on(&Gossip { until: 9 << 32, ..wrapped.clone() }, device.as_ref());
    }
}

/// What a watch ends is whole, and goes on over other ranks on other targets.
fn goes_on(model: &Gossip, device: &dyn Device) {
    let expected = reference::run(model, None, &mut unwatched()).expect("a run");
    let (mut at, mut events, mut stops): (Option<Checkpoint>, _, _) = (None, 0, 0);
    for (place, places) in ["dh", "ddd", "hd", "d"].into_iter().enumerate() {
        let mut watch = Stops { looks: 1, pauses: place % 2 == 1 };
        let (ranks, targets) = (ranks(places), targets(places, device));
        let run = run_from_over_targets(model, at.as_ref(), ranks, targets, None, &mut watch);
        let run = run.unwrap_or_else(|error| panic!("{places}: {error}")).expect("rank 0");
        stops += u32::from(run.interrupted);
        events += run.events;
        assert_eq!(run.outcome.outcome.transitions, events, "{places}");
        at = Some(run.outcome);
    }
    assert!(stops >= 1, "it never stopped");
    let rest = run_from_over_targets(model, at.as_ref(), ranks("hh"), |_| Target::Heap, None, &mut unwatched());
    let rest = rest.expect("a run").expect("rank 0");
    assert_eq!(rest.outcome.outcome.first_difference(&expected.outcome), None);
    assert_eq!(events + rest.events, expected.events);
}

/// Life and water: many events at one time. Fires from cell to cell, several replications, and rules that draw.
#[test]
fn models_of_every_family_on_devices_are_the_same() {
    let [_, soaking, slope] = watershed::models();
    let [neighbours, ..] = fire::models();
    for (form, device) in adapter::forms(&["native"]) {
        println!("{form}");
        let device = device.as_ref();
        assert_on(&rules("life.ma", 2001.0), "dd", None, device);
        assert_on(&rules("forest.ma", 30.0).with_replications(2), "dh", None, device);
        assert_on(&soaking, "hd", None, device);
        assert_on(&slope, "dd", Some(&[299, 1]), device);
        assert_on(neighbours, "hd", None, device);
        whatever_ends_one_ends_all(device);
    }
}

/// A fault on a device is that of the model on one heap, of the same cell.
fn whatever_ends_one_ends_all(device: &dyn Device) {
    let hills = (0..6).map(|row| if row == 4 { 0.0 } else { 1000.0 }).collect();
    let model = Watershed::new(1, 6, hills).rain(15_000.0, 1e5).step(200.0).until(1e8).check().expect("a model");
    let said = reference::run(&model, None, &mut unwatched()).expect_err("a flood").to_string();
    assert!(said.contains("in column 0, row 4"), "{said}");
    for places in ["hd", "dhd"] {
        let run =
            run_over_targets(&model, ranks(places), targets(places, device), Default::default(), &mut unwatched());
        assert_eq!(run.expect_err("a flood").to_string(), said, "{places}");
    }
}

/// Bands that fronts reach and leave again, weather that turns, several replications; and the log of their times.
#[test]
fn fires_as_fronts_on_devices_are_the_same() {
    let [.., still, turning, several, _] = fire::models();
    for (form, device) in adapter::forms(&["native"]) {
        println!("{form}");
        let device = device.as_ref();
        assert_on(still, "dddd", Some(&[2, 20, 1, 22]), device);
        assert_on(turning, "hdd", None, device);
        assert_on(several, "dd", None, device);
        for places in ["hd", "dh"] {
            assert_catches(still, places, |list| list[1] = 1, device);
        }
        let (mut alone, mut over) = (Kept::default(), Kept::default());
        reference::run(turning, Some(&mut alone), &mut unwatched()).expect("a run");
        let options = OverOptions { log: Some(&mut over), ..Default::default() };
        run_over_targets(turning, ranks("dh"), targets("dh", device), options, &mut unwatched()).expect("a run");
        assert!(alone.0 == over.0 && alone.0.len() > 1000);
    }
}
