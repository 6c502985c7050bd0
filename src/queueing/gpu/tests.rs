//! The records against the shaders: by what a device writes and faults on.

use std::sync::OnceLock;

use super::records::ShortStation;
use super::state::{Decided, fault};
use super::*;
use crate::{Network, Station, Topology};
use tickless_core::random::split_mix_64;
use tickless_core::run::unwatched;
use tickless_core::time::Time;
use tickless_device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless_device::{AdapterKind, Target};
use tickless_engine::{Rounds, Sizes};

/// The adapter of the tests, with and without native 64-bit words; none is a failure in CI and skipped elsewhere.
/// All tests share it: a software adapter compiles for seconds.
fn devices() -> &'static [WgpuDevice] {
    static DEVICES: OnceLock<Vec<WgpuDevice>> = OnceLock::new();
    DEVICES.get_or_init(|| [false, true].into_iter().filter_map(open).collect())
}

fn open(without_int64: bool) -> Option<WgpuDevice> {
    match WgpuDevice::open(&Selection::Auto, OpenOptions { without_int64, ..Default::default() }) {
        Ok(device) => Some(device),
        Err(DeviceError::NoAdapters) if std::env::var_os("CI").is_none() => {
            eprintln!("SKIPPED: no adapter on this machine");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// In a window, or by appointments in tiles where there is none.
fn start(device: &WgpuDevice, model: &NetworkModel) -> Rounds {
    let options = NetworkOptions::default();
    let how = if in_tiles(model) { Synchronization::AppointmentsInTiles } else { Synchronization::Window };
    let parts = parts(&[(model, 0..1)], how, device.adapter(), &options).expect("sizes that suit");
    Rounds::start(device, parts, &options.rounds, &mut unwatched()).expect("a loaded model")
}

fn in_tiles(model: &NetworkModel) -> bool {
    path(model, 1) == Ok(DevicePath::Rounds(Synchronization::Appointments))
}

/// A torus with exponential services of mean 10.
fn torus(width: u32, height: u32, tokens: u32) -> Network {
    let each = Station::new("s", "exponential:10".parse().expect("a law")).tokens(tokens);
    Network::generate(&Topology::Torus { width, height }, &each, 0.0).expect("sizes")
}

fn on_torus(model: &NetworkModel) -> TorusModel<'_> {
    TorusModel { model, torus: model.torus().expect("a torus"), replication: 0 }
}

/// If a block has more imminent tokens than a workgroup has threads, workgroups are larger, and more in number.
#[test]
fn many_events_of_a_round_have_a_thread_each() {
    let sizes = |backend: &str, window, kind| {
        let mut adapter =
            AdapterDescription { backend: backend.into(), kind, ..AdapterDescription::imagined(true, 32) };
        adapter.capabilities.workgroup_threads = 1024;
        let model = torus(2048, 2048, 1).window(window).check().expect("a torus");
        let parts = parts(&[(&model, 0..1)], Synchronization::Window, &adapter, &NetworkOptions::default());
        let Sizes { workgroup, blocks, .. } = parts.expect("sizes that suit").sizes;
        [workgroup, blocks]
    };
    let (gpu, software) = (AdapterKind::Discrete, AdapterKind::Software);
    assert_eq!([0.25, 1.0, 2.0].map(|window| sizes("cuda", window, gpu)), [[256, 512], [512, 512], [512, 1024]]);
    assert_eq!([0.25, 1.0, 2.0].map(|window| sizes("vulkan", window, gpu)), [[256, 512], [256, 512], [512, 1024]]);
    assert_eq!(sizes("cuda", 2.0, software)[0], 64);
}

/// The state of `Pcg32` after the first `draws` draws of a facility's stream.
fn stream_state(model: &NetworkModel, id: u32, draws: u32) -> u64 {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let number = |n: u64| split_mix_64(model.key(0).bits().wrapping_add((n + 1).wrapping_mul(GOLDEN)));
    let increment = number(2 * u64::from(id) + 1) << 1 | 1;
    let step = |state: u64| state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(increment);
    (0..=draws).fold(number(2 * u64::from(id)).wrapping_add(increment), |state, _| step(state))
}

/// Every field of every record at time 0, read through the mirrors.
#[test]
fn the_mirrors_of_records_match_what_is_written() {
    for device in devices() {
        for each in 0..5 {
            let model = torus(13, 7, each).window(1.0).check().expect("a model");
            let mut rounds = start(device, &model);
            let state = torus::read_state(&mut rounds, on_torus(&model), false).expect("a state");
            let stations: Vec<ShortStation> = rounds.read("stations").expect("records");
            for id in 0..model.stations() {
                let mut stream = model.key(0).stream(id);
                let (mut service, mut waiting, mut free) = (0, 0, 0);
                for place in 0..each {
                    let token = &state.tokens[(id * each + place) as usize];
                    assert_eq!((token.arrived, token.start, token.station, token.number), (0, free, id, place));
                    waiting += free;
                    let time = model.law(0).service(&mut stream).ticks();
                    assert_eq!(token.edge, stream.draw() >> 30);
                    (service, free) = (service + time, free + time);
                    assert_eq!(state.departures[(id * each + place) as usize], free);
                }
                let station = &stations[id as usize];
                assert_eq!(station.state, stream_state(&model, id, 2 * each), "state of {id}");
                assert_eq!((station.free, station.service, station.waiting), (free, service, waiting), "{id}");
                let (service, waiting) = (service.into(), waiting.into());
                let decided = Decided { service, waiting, started: each.into(), losses: 0 };
                assert_eq!(state.stations[id as usize], decided, "{id}");
            }
        }
    }
}

/// Starts the model with changed records, runs it, and returns the outcome or the fault.
fn run_changed(
    device: &WgpuDevice,
    model: &NetworkModel,
    change: impl Fn(usize, &mut ShortStation),
) -> (Rounds, Result<tickless_core::statistics::Outcome, QueueingError>) {
    let mut rounds = start(device, model);
    let mut stations: Vec<ShortStation> = rounds.read("stations").expect("records");
    stations.iter_mut().enumerate().for_each(|(id, station)| change(id, station));
    rounds.write("stations", 0, &stations).expect("records");
    rounds.run_until(model.until(), model.until(), &mut unwatched()).expect("a run");
    let outcome = fault(rounds.control(), model.stations()).and_then(|()| {
        let state = torus::read_state(&mut rounds, on_torus(model), in_tiles(model))?;
        let totals = state.totals(|_| 0);
        Ok(state.outcome(0..model.stations() as usize, &totals, None, Time::ZERO))
    });
    (rounds, outcome)
}

fn overflow<T>(result: Result<T, QueueingError>) -> (&'static str, u32) {
    match result {
        Err(QueueingError::Overflow { sum, facility }) => (sum, facility),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("no fault"),
    }
}

/// A sum that passes 64 bits stops the run there, long before its limit, and is named.
#[test]
fn a_sum_that_overflows_is_named() {
    let torus = torus(9, 9, 2).until(200.0);
    let models = [torus.clone().window(1.0), torus].map(|torus| torus.check().expect("a model"));
    for (device, model) in devices().iter().flat_map(|device| models.iter().map(move |model| (device, model))) {
        for (name, field) in [("sum of waiting times", 0), ("sum of service times", 1)] {
            let change = |id: usize, station: &mut ShortStation| {
                let sum = if field == 0 { &mut station.waiting } else { &mut station.service };
                // Of two sums that pass it in the first rounds, the first is named.
                *sum += if id == 33 || id == 50 { u64::MAX - *sum } else { 0 }
            };
            let (rounds, outcome) = run_changed(device, model, change);
            let (sum, facility) = overflow(outcome);
            assert!(sum == name && [33, 50].contains(&facility), "{sum} {facility}");
            let control = rounds.control();
            assert!(control.running == 0 && control.bound < model.until().ticks());
        }
    }
}

/// The largest values that do not overflow are no fault: room is kept for the visits that are decided at the end.
#[test]
fn no_fault_without_an_overflow() {
    let torus = torus(3, 3, 1).until(200.0);
    let models = [torus.clone().window(1.0), torus].map(|torus| torus.check().expect("a model"));
    for (device, model) in devices().iter().flat_map(|device| models.iter().map(move |model| (device, model))) {
        let run = crate::run(model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
        let run = &run.outcome[0].stations.facilities;
        let plain = run_changed(device, model, |_, _| ()).0.read::<ShortStation>("stations").expect("records");
        let change = |id: usize, station: &mut ShortStation| {
            let ahead = u128::from(plain[id].waiting) - run[id].waiting;
            station.waiting = (u128::from(u64::MAX) - run[id].presence - ahead) as u64;
        };
        let (_, outcome) = run_changed(device, model, change);
        let records = outcome.expect("an outcome").facilities;
        for (id, record) in records.iter().enumerate() {
            let ahead = u128::from(plain[id].waiting) - run[id].waiting;
            assert_eq!(record.presence, u128::from(u64::MAX) - ahead, "{record:?}");
        }
    }
}
