//! Sets of pending events without order, beyond what tests of every set ask of them.

use std::ops::ControlFlow;

use tickless::device::{AdapterKind, Device, Target};
use tickless::engine::{BatchSize, Options};
use tickless::pending::PendingSet;
use tickless::processes::gpu::ProcessOptions;
use tickless::processes::{self, Phold};
use tickless::run::Progress;

use crate::adapter;
use crate::phold::{CUT, assert_same, on, on_heap};

/// More imminent events than a workgroup has at hand, many times as many, and some of those at the same time.
#[test]
fn many_imminent_events_are_put_in_order() {
    for (form, device) in adapter::forms(&["native"]) {
        for (processes, population, same_times) in [(3, 300, 0), (1, 3000, 10)] {
            let phold = Phold::new(processes).population(population).lookahead(50.0).mean(0.000_001).until(110.0);
            let model = phold.check().expect("a model");
            let (expected, pending) = (on_heap(&model), PendingSet::Unsorted);
            let run = on(&device, &model, &ProcessOptions { pending, rounds: CUT, ..Default::default() });
            assert_same(&expected.outcome, &run.outcome, &format!("{form}: {population}"));
            if same_times == 0 {
                continue;
            }
            let mut times: Vec<_> = run.outcome.pending.iter().map(|message| message.time).collect();
            times.sort_unstable();
            let same = times.windows(2).filter(|pair| pair[0] == pair[1]).count();
            assert!(same >= same_times, "{form}: {same} of {} are at the time of another", times.len());
        }
    }
}

/// As a GPU has them where nobody asks for anything, which takes them for such a model; a software adapter is asked.
#[test]
fn sets_without_order_with_the_defaults() {
    let model = Phold::new(1500).population(40).lookahead(1.0).mean(1.0).until(6.0).check().expect("a model");
    let expected = on_heap(&model);
    for (form, device) in adapter::forms(&["native"]) {
        let pending = match device.adapter().kind {
            AdapterKind::Software => PendingSet::Unsorted,
            _ => PendingSet::Auto,
        };
        let run = on(&device, &model, &ProcessOptions { pending, ..Default::default() });
        assert_same(&expected.outcome, &run.outcome, form);
        assert_eq!(run.details.pending, Some(PendingSet::Unsorted), "{form}");
    }
}

/// Events are counted once where a run is interrupted and its sets have no room, again and again.
#[test]
fn an_interrupted_run_counts_every_event() {
    let model = Phold::new(300).population(4).lookahead(1.0).mean(2.0).until(60.0).check().expect("a model");
    for (form, device) in adapter::forms(&["native"]) {
        for last in 1..12 {
            let rounds = Options { batch: BatchSize::Rounds(1), ..CUT };
            let options = ProcessOptions { pending: PendingSet::Unsorted, room: Some(1), rounds, ..Default::default() };
            let mut looks = 0;
            let mut watch = |_: &Progress| {
                looks += 1;
                if looks >= last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let device: &dyn Device = device.as_ref();
            let run = processes::run(&model, Target::Device(device), options, &mut watch).expect("a run");
            let executed: u64 = run.outcome.processes.iter().map(|process| process.executed).sum();
            assert!(run.interrupted, "{form}: {last}");
            assert_eq!(run.events, executed, "{form}: {last}");
        }
    }
}

/// In three parts, as three GPUs have them: where sets have no room for what crosses, and rows none for all of it.
#[test]
fn messages_cross_between_parts() {
    let models = [
        Phold::new(300).population(4).lookahead(1.0).mean(2.0).until(12.0),
        Phold::new(300).population(8).lookahead(1.0).mean(0.001).until(4.0),
    ];
    for (form, device) in adapter::forms(&["native"]) {
        for (number, phold) in models.iter().enumerate() {
            let model = phold.clone().check().expect("a model");
            let pending = PendingSet::Unsorted;
            let options = ProcessOptions { pending, room: Some(1), parts: Some(3), rounds: CUT, ..Default::default() };
            let parts = processes::gpu::parts(&(&model).into(), &options, device.adapter()).expect("parts");
            assert!(parts.buffers.iter().any(|buffer| buffer.name == "crossing"), "{form}: {number}");
            let run = on(&device, &model, &options);
            assert_same(&on_heap(&model).outcome, &run.outcome, &format!("{form}: {number}"));
        }
    }
}
