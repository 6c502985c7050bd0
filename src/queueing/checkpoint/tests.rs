//! Runs that go on while snapshots are written.

use std::sync::Arc;

use crate::going::Stood;
use crate::gpu::Synchronization::{self, Appointments, AppointmentsInTiles, Window};
use crate::{Checkpoint, Network, NetworkModel, NetworkOptions, Source, Station, Topology};
use tickless_core::run::{Restartable, Snapshotted, Takes, unwatched};
use tickless_device::Target;
use tickless_device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless_engine::{BatchSize, Options};

/// A run resumed from any snapshot has the records and events of an uninterrupted run, and so has the run itself; also if it was
/// resumed from an end.
#[track_caller]
fn check(model: &NetworkModel, replications: u32, device: &WgpuDevice, how: Synchronization) {
    let (numbers, heap) = (0..replications, Target::Heap);
    let whole = crate::run(model, numbers.clone(), heap, Default::default(), &mut unwatched()).expect("a run");
    let rounds = Options { batch: BatchSize::Rounds(3), ..Options::default() };
    let options = NetworkOptions { synchronization: Some(how), rounds, ..NetworkOptions::default() };
    let on_device = |from: Option<&Arc<Checkpoint>>, watch: &mut Takes<Stood>| {
        let run = crate::run(Snapshotted { model, from }, numbers.clone(), Target::Device(device), options, watch);
        assert!(watch.is_settled);
        run.expect("a run on a device")
    };
    let mut first = Takes::ending(9);
    let ended = on_device(None, &mut first);
    assert!(ended.interrupted && first.snapshots.len() > 1, "{how:?}: {} looks", first.looks);
    let mut second = Takes::default();
    let rest = on_device(Some(&Arc::new(ended.outcome)), &mut second);
    assert!(!rest.interrupted && second.snapshots.len() > 1, "{how:?}: {} looks", second.looks);
    assert!(rest.outcome.outcomes == whole.outcome && ended.events + rest.events == whole.events, "{how:?}");
    let snapshots = first.snapshots.into_iter().map(|snapshot| (0, snapshot));
    for (before, snapshot) in snapshots.chain(second.snapshots.into_iter().map(|snapshot| (ended.events, snapshot))) {
        let stood = snapshot().expect("a checkpoint");
        let (clock, from) = (stood.clock, Some(&stood.outcome));
        assert!(stood.interrupted && clock < model.until() && stood.outcome.clocks.iter().all(|own| *own == clock));
        let rest = crate::run(Restartable { model, from }, numbers.clone(), heap, Default::default(), &mut unwatched());
        let rest = rest.expect("the rest");
        let counted = before + stood.events + rest.events;
        assert!(rest.outcome.outcomes == whole.outcome, "{how:?}, from {}", clock.units());
        assert_eq!(counted, whole.events, "{how:?}, from {}", clock.units());
    }
}

#[test]
fn a_run_on_a_device_goes_on_beside_its_snapshots() {
    let device = match WgpuDevice::open(&Selection::Auto, OpenOptions::default()) {
        Ok(device) => device,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            return eprintln!("SKIPPED: {error}");
        }
    };
    let station = |name: &str, law: &str| Station::new(name, law.parse().expect("a law")).tokens(2);
    let torus = |window: f64, warmup: f64, until: f64| {
        let torus = Topology::Torus { width: 13, height: 9 };
        let network = Network::generate(&torus, &station("s", "exponential:10"), 0.0).expect("sizes");
        network.window(window).warmup(warmup).until(until).check().expect("a model")
    };
    check(&torus(1.0, 90.0, 700.0), 1, &device, Window);
    check(&torus(0.0, 500.0, 3000.0), 1, &device, AppointmentsInTiles);
    let mut network = Network::new();
    let [a, b] =
        [("a", "exponential:0.6"), ("b", "uniform:0.2,0.9")].map(|(name, law)| network.station(station(name, law)));
    let exit = network.sink("exit");
    network.source(Source::new("street", "exponential:1.1".parse().expect("a law"), a));
    network.route(a, b, 0.7, 1.5);
    network.route(a, exit, 0.3, 0.25);
    network.route(b, a, 1.0, 0.0);
    let model = network.warmup(21.0).until(900.0).check().expect("a model");
    check(&model, 3, &device, Appointments);
}
