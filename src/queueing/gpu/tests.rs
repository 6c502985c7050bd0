//! The records against the shaders: by reflection, and by what a device writes and faults on.

use std::mem::offset_of;
use std::sync::OnceLock;

use super::state::Decided;
use super::*;
use crate::device::struct_layout;
use crate::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use crate::queueing::{Torus, reference};
use crate::random::split_mix_64;
use crate::run::unwatched;

fn layout(source: &[&str], name: &str, expected: &[(&str, usize)]) {
    for wide in
        [include_str!("../../../shaders/lib/wide_native.wgsl"), include_str!("../../../shaders/lib/wide_words.wgsl")]
    {
        let time = include_str!("../../../shaders/lib/time.wgsl");
        let found = struct_layout(&[&[wide, time], source].concat().join("\n"), name);
        let expected: Vec<_> = expected.iter().map(|&(name, offset)| (name.to_owned(), offset as u32)).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn the_mirrors_of_structs_match_the_shaders() {
    let law = [
        ("offset", offset_of!(Law, offset)),
        ("first", offset_of!(Law, first)),
        ("second", offset_of!(Law, second)),
        ("kind", offset_of!(Law, kind)),
        ("stages", offset_of!(Law, stages)),
        ("threshold", offset_of!(Law, threshold)),
        ("unused", offset_of!(Law, unused)),
        ("", size_of::<Law>()),
    ];
    layout(&[library::LAW], "Law", &law);
    let parameters = [
        ("key", offset_of!(Parameters, key)),
        ("until", offset_of!(Parameters, until)),
        ("stations", offset_of!(Parameters, stations)),
        ("entities", offset_of!(Parameters, entities)),
        ("cells", offset_of!(Parameters, cells)),
        ("cell", offset_of!(Parameters, cell)),
        ("links", offset_of!(Parameters, links)),
        ("unused", offset_of!(Parameters, unused)),
        ("", size_of::<Parameters>()),
    ];
    layout(&[PARAMETERS, shader!("records")], "Parameters", &parameters);
    let torus = [
        ("width", offset_of!(records::Torus, width)),
        ("height", offset_of!(records::Torus, height)),
        ("tokens_each", offset_of!(records::Torus, tokens_each)),
        ("unused", offset_of!(records::Torus, unused)),
        ("law", offset_of!(records::Torus, law)),
        ("", size_of::<records::Torus>()),
    ];
    let wide = include_str!("../../../shaders/lib/wide.wgsl");
    let parts = [library::LAW, library::PCG32, library::STREAM, PARAMETERS, shader!("records"), wide, shader!("torus")];
    layout(&parts, "Torus", &torus);
}

/// What the kernels have beside `queueing/records`.
const PARAMETERS: &str = "@group(0) @binding(9) var<uniform> parameters: Parameters;\n";

/// A field that has moved is caught.
#[test]
#[should_panic = "assertion"]
fn a_moved_field_is_caught() {
    let moved = library::LAW.replace("offset: Wide,", "").replace("second: Wide,", "second: Wide,\n    offset: Wide,");
    let law = [("offset", 0), ("first", 8), ("second", 16), ("kind", 24), ("stages", 28), ("threshold", 32)];
    layout(&[&moved], "Law", &[&law[..], &[("unused", 36), ("", 40)]].concat());
}

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
fn start(device: &WgpuDevice, model: &TorusModel) -> Rounds {
    let parts = parts(model, Synchronization::of(model), in_tiles(model));
    Rounds::start(device, parts, &Options::default()).expect("a loaded model")
}

fn in_tiles(model: &TorusModel) -> bool {
    Synchronization::of(model) == Synchronization::Appointments
}

/// The state of `Pcg32` behind the first `draws` draws of a facility's stream.
fn stream_state(model: &TorusModel, id: u32, draws: u32) -> u64 {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let number = |n: u64| split_mix_64(model.key().bits().wrapping_add((n + 1).wrapping_mul(GOLDEN)));
    let increment = number(2 * u64::from(id) + 1) << 1 | 1;
    let step = |state: u64| state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(increment);
    (0..=draws).fold(number(2 * u64::from(id)).wrapping_add(increment), |state, _| step(state))
}

/// Every field of every record at time 0, read through the mirrors.
#[test]
fn the_mirrors_of_records_match_what_is_written() {
    for device in devices() {
        for each in 0..5 {
            let model = Torus::new(13, 7).tokens(each).window(1.0).check().expect("a model");
            let mut rounds = start(device, &model);
            let state = State::of_torus(&mut rounds, &model, false).expect("a state");
            let stations: Vec<ShortStation> = rounds.read("stations").expect("records");
            for id in 0..model.facilities() {
                let mut stream = model.key().stream(id);
                let (mut service, mut waiting, mut free) = (0, 0, 0);
                for place in 0..each {
                    let token = &state.tokens[(id * each + place) as usize];
                    assert_eq!((token.arrived, token.start, token.station, token.number), (0, free, id, place));
                    waiting += free;
                    let time = model.law().service(&mut stream).ticks();
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

/// Starts the model with changed records, runs it, and gives back the outcome or the fault.
fn run_changed(
    device: &WgpuDevice,
    model: &TorusModel,
    change: impl Fn(usize, &mut ShortStation),
) -> (Rounds, Result<crate::statistics::Outcome, QueueingError>) {
    let mut rounds = start(device, model);
    let mut stations: Vec<ShortStation> = rounds.read("stations").expect("records");
    stations.iter_mut().enumerate().for_each(|(id, station)| change(id, station));
    rounds.write("stations", 0, &stations).expect("records");
    rounds.run_until(model.until(), model.until(), &mut unwatched()).expect("a run");
    let outcome = fault(rounds.control(), model.facilities()).and_then(|()| {
        let state = State::of_torus(&mut rounds, model, in_tiles(model))?;
        let totals = state.totals(|_| 0);
        state.outcome(0..model.facilities() as usize, &totals, None, Time::ZERO)
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
    let torus = Torus::new(9, 9).tokens(2).until(200.0);
    let models = [torus.clone().window(1.0), torus].map(|torus| torus.check().expect("a model"));
    for (device, model) in devices().iter().flat_map(|device| models.iter().map(move |model| (device, model))) {
        for (name, field) in [("sum of waiting times", 0), ("sum of service times", 1)] {
            let change = |id: usize, station: &mut ShortStation| {
                let sum = if field == 0 { &mut station.waiting } else { &mut station.service };
                // Of two that pass it in the first rounds, the first is named.
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

/// The largest values that do not overflow are no fault: what the visits that are decided at the end bring is kept free.
#[test]
fn no_fault_without_an_overflow() {
    let torus = Torus::new(3, 3).until(200.0);
    let models = [torus.clone().window(1.0), torus].map(|torus| torus.check().expect("a model"));
    for (device, model) in devices().iter().flat_map(|device| models.iter().map(move |model| (device, model))) {
        let run = reference::simulate(model, &mut unwatched()).expect("a run").outcome.facilities;
        let plain = run_changed(device, model, |_, _| ()).0.read::<ShortStation>("stations").expect("records");
        let change = |id: usize, station: &mut ShortStation| {
            let ahead = plain[id].waiting - run[id].waiting;
            station.waiting = u64::MAX - run[id].presence - ahead;
        };
        let (_, outcome) = run_changed(device, model, change);
        let records = outcome.expect("an outcome").facilities;
        for (id, record) in records.iter().enumerate() {
            assert_eq!(record.presence, u64::MAX - (plain[id].waiting - run[id].waiting), "{record:?}");
        }
    }
}
