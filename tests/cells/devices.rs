//! Devices against the sequential simulator.

use std::ops::ControlFlow;

use tickless::cells::gpu::CellOptions;
use tickless::cells::{self, Border, CellOutcome, Space};
use tickless::device::{AdapterKind, Device as _, Target};
use tickless::engine::{BatchSize, Options};
use tickless::run::{Progress, unwatched};

use crate::adapter;
use crate::gossip::Gossip;

fn space(size: [u32; 3], border: Border, offsets: Vec<[i32; 3]>) -> Space {
    Space::new(size, border, offsets).expect("a space")
}

fn expected(model: &Gossip) -> CellOutcome {
    cells::run(model, 0..model.replications, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome
}

#[track_caller]
fn assert_same(expected: &CellOutcome, found: &CellOutcome, what: &str) {
    assert_eq!(expected.first_difference(found), None, "{what}");
    assert_eq!(expected.digest(), found.digest(), "{what}");
}

/// Sizes around those of blocks, borders, neighbourhoods, ties and none.
#[test]
fn spaces_of_every_kind() {
    let far = || vec![[2, 1, 0], [-1, 0, 0], [0, 3, 0], [-17, 2, 0]];
    let planes = || vec![[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, -1, 1]];
    let until = 4 << 32;
    let cases = [
        Gossip::new(space([37, 35, 1], Border::Open, Space::moore())),
        Gossip::new(space([16, 16, 1], Border::Wrapped, Space::moore())),
        Gossip::new(space([257, 1, 1], Border::Wrapped, vec![[-1, 0, 0], [1, 0, 0]])),
        Gossip::new(space([40, 33, 1], Border::Wrapped, far())),
        Gossip::new(space([19, 18, 3], Border::Wrapped, planes())),
        Gossip { mask: 3, shift: 30, ..Gossip::new(space([33, 31, 2], Border::Open, planes())) },
        Gossip { mask: 3, shift: 30, ..Gossip::new(space([47, 47, 1], Border::Open, Space::moore())) },
        Gossip { lookahead: 0, elapsed: false, ..Gossip::new(space([30, 30, 1], Border::Open, far())) },
        Gossip { mask: 3, lookahead: 0, shift: 30, ..Gossip::new(space([50, 20, 1], Border::Wrapped, Space::moore())) },
        Gossip { uneven: true, ..Gossip::new(space([61, 45, 1], Border::Open, Space::moore())) },
        Gossip { uneven: true, ..Gossip::new(space([19, 18, 3], Border::Wrapped, planes())) },
        Gossip { uneven: true, mask: 3, shift: 30, ..Gossip::new(space([40, 33, 1], Border::Wrapped, Space::moore())) },
        Gossip { awake: 1, ..Gossip::new(space([130, 120, 1], Border::Open, Space::moore())) },
        Gossip::new(space([1, 1, 1], Border::Wrapped, vec![[1, 0, 0]])),
        Gossip::new(space([2, 1, 1], Border::Open, vec![])),
    ]
    .map(|model| Gossip { until, ..model });
    for (place, model) in cases.iter().enumerate() {
        let expected = expected(model);
        // Groups of a block each, and those that suit; in software one of them for each case.
        let groups = [None, Some(10_000)];
        // In software each kernel in one form; on a GPU all forms are cheap.
        let common = model.space.offsets().len() == 8 && !model.uneven;
        for (form, device) in adapter::forms(&[if common { "native" } else { "words" }]) {
            let software = device.adapter().kind == AdapterKind::Software;
            for groups in
                groups.into_iter().skip(if software { place / 2 % 2 } else { 0 }).step_by(1 + usize::from(software))
            {
                let options = CellOptions { groups, ..CellOptions::default() };
                let run = cells::run(model, 0..model.replications, Target::Device(&device), options, &mut unwatched());
                let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
                assert_same(&expected, &run.outcome, &format!("{form}, {groups:?}: {model:?}"));
                assert!(!run.interrupted && run.clock.ticks() == model.until);
            }
        }
    }
}

#[test]
fn how_rounds_are_cut_up_changes_nothing() {
    let model =
        Gossip { replications: 3, until: 2 << 32, ..Gossip::new(space([45, 40, 1], Border::Open, Space::moore())) };
    let expected = expected(&model);
    let rounds = |workgroup, batch, renumber| Options { workgroup, batch, renumber, ..Options::default() };
    let cuts = [
        (Some(1), None, None, Options::default()),
        (Some(7), Some(3), Some(2), rounds(64, BatchSize::Rounds(1), 5)),
        (Some(1000), Some(4), Some(1), rounds(128, BatchSize::Rounds(64), 0)),
    ];
    for (form, device) in adapter::forms(&["native"]) {
        for (groups, parts, at_once, rounds) in cuts {
            let options = CellOptions { groups, parts, at_once, rounds, ..CellOptions::default() };
            let run = cells::run(&model, 0..model.replications, Target::Device(&device), options, &mut unwatched());
            let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
            assert_same(&expected, &run.outcome, &format!("{form}: {groups:?}, {parts:?}, {at_once:?}, {rounds:?}"));
        }
    }
}

#[test]
fn replications_that_start_alike_differ_where_they_say() {
    let model = Gossip {
        replications: 5,
        alike: true,
        until: 6 << 32,
        ..Gossip::new(space([33, 20, 1], Border::Wrapped, Space::moore()))
    };
    let expected = expected(&model);
    assert_ne!(expected.state_of(0, 1), expected.state_of(4, 1));
    for (form, device) in adapter::forms(&["native"]) {
        for at_once in [None, Some(2)] {
            let options = CellOptions { at_once, ..CellOptions::default() };
            let run = cells::run(&model, 0..model.replications, Target::Device(&device), options, &mut unwatched());
            let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
            assert_same(&expected, &run.outcome, &format!("{form}: {at_once:?}"));
        }
    }
}

#[test]
fn an_interrupted_run_is_whole_up_to_its_clock() {
    let model = Gossip { replications: 2, ..Gossip::new(space([64, 64, 1], Border::Open, Space::moore())) };
    let rounds = Options { batch: BatchSize::Rounds(3), ..Options::default() };
    for (form, device) in adapter::forms(&["native"]) {
        let mut looks = 0;
        let mut watch = |_: &Progress| {
            looks += 1;
            if looks == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = CellOptions { rounds, ..CellOptions::default() };
        let run = cells::run(&model, 0..model.replications, Target::Device(&device), options, &mut watch);
        let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
        assert!(run.interrupted && run.clock.ticks() < model.until, "{form}");
        let shorter = Gossip { until: run.clock.ticks(), ..model.clone() };
        assert_same(&expected(&shorter), &run.outcome, form);
    }
}

/// The comparison sees one cell whose neighbours are told something else.
#[test]
fn one_changed_value_is_caught() {
    let model = Gossip { until: 3 << 32, ..Gossip::new(space([20, 20, 1], Border::Open, Space::moore())) };
    let other = Gossip { awake: model.awake + 20, ..model.clone() };
    let (_, device) = adapter::forms(&["native"]).remove(0);
    let run = cells::run(&other, 0..other.replications, Target::Device(&device), Default::default(), &mut unwatched())
        .expect("a run");
    assert!(expected(&model).first_difference(&run.outcome).is_some());
    assert_ne!(expected(&model).digest(), run.outcome.digest());
}
