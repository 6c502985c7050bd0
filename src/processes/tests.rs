//! Runs on a device that go on while snapshots are written.

use std::sync::Arc;

use super::{Checkpoint, Phold, run};
use crate::gpu::ProcessOptions;
use tickless_core::run::{Restartable, Snapshotted, Takes, unwatched};
use tickless_device::Target;
use tickless_device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless_engine::pending::PendingSet;
use tickless_engine::{BatchSize, Options};

/// Runs resumed from the first snapshots have the records and events of an uninterrupted run, and so has the run itself, which was
/// resumed from another end and has grown meanwhile.
#[test]
fn processes_go_on_beside_their_snapshots() {
    let device = match WgpuDevice::open(&Selection::Auto, OpenOptions::default()) {
        Ok(device) => device,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            return eprintln!("SKIPPED: {error}");
        }
    };
    let model = Phold::new(40).population(3).until(250.0).check().expect("a model");
    let whole = run(&model, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    for pending in [PendingSet::HeapOfFours, PendingSet::Unsorted] {
        let rounds = Options { batch: BatchSize::Rounds(3), ..Options::default() };
        let options = ProcessOptions { pending, room: Some(3), rounds, ..ProcessOptions::default() };
        let on_device = |from: Option<&Arc<Checkpoint>>, watch: &mut Takes<_>| {
            let run = run(Snapshotted { model: &model, from }, Target::Device(&device), options, watch);
            assert!(watch.is_settled);
            run.expect("a run on a device")
        };
        let (mut first, mut second) = (Takes::ending(12), Takes::default());
        let ended = on_device(None, &mut first);
        assert!(ended.interrupted && first.snapshots.len() > 1, "{pending:?}: {} looks", first.looks);
        let rest = on_device(Some(&Arc::new(ended.outcome)), &mut second);
        assert!(!rest.interrupted && second.snapshots.len() > 1, "{pending:?}: {} looks", second.looks);
        assert!(rest.outcome.outcome == whole.outcome && ended.events + rest.events == whole.events, "{pending:?}");
        let snapshots = first.snapshots.into_iter().take(3).map(|snapshot| (0, snapshot));
        let later = second.snapshots.into_iter().take(3).map(|snapshot| (ended.events, snapshot));
        for (before, snapshot) in snapshots.chain(later) {
            let stood = snapshot().expect("a checkpoint");
            assert!(stood.interrupted && stood.clock == stood.outcome.outcome.until && stood.clock < model.until());
            let rest = Restartable { model: &model, from: Some(&stood.outcome) };
            let rest = run(rest, Target::Heap, Default::default(), &mut unwatched());
            let rest = rest.expect("the rest");
            assert!(rest.outcome.outcome == whole.outcome, "{pending:?}, from {}", stood.clock.units());
            assert_eq!(before + stood.events + rest.events, whole.events, "{pending:?}, from {}", stood.clock.units());
        }
    }
}
