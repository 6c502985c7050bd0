//! The records against the shaders: by reflection, and by what a device writes and faults on.

use std::mem::offset_of;
use std::sync::OnceLock;

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
        ("width", offset_of!(Parameters, width)),
        ("height", offset_of!(Parameters, height)),
        ("facilities", offset_of!(Parameters, facilities)),
        ("tokens_each", offset_of!(Parameters, tokens_each)),
        ("tokens", offset_of!(Parameters, tokens)),
        ("unused", offset_of!(Parameters, unused)),
        ("law", offset_of!(Parameters, law)),
        ("", size_of::<Parameters>()),
    ];
    layout(&[library::LAW, include_str!("../../../shaders/queueing/records.wgsl")], "Parameters", &parameters);
}

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

fn start(device: &WgpuDevice, model: &TorusModel) -> Rounds {
    Rounds::start(device, parts(model), &Options::default()).expect("a loaded model")
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
            let model = Torus::new(13, 7).tokens(each).check().expect("a model");
            let mut rounds = start(device, &model);
            let state = State::read(&mut rounds).expect("a state");
            for id in 0..model.facilities() {
                let facility = &state.facilities[id as usize];
                let service = model.law().service(&mut model.key().stream(id)).ticks();
                let (first, busy) = (id * each, each > 0);
                let token = |place: u32| if place < each { first + place } else { NONE };
                assert_eq!(facility.state, stream_state(&model, id, u32::from(busy)), "state of {id}");
                assert_eq!(facility.service, if busy { service } else { 0 }, "service of {id}");
                assert_eq!(state.next_event[id as usize], if busy { service } else { u64::MAX }, "next of {id}");
                assert_eq!((facility.waiting, facility.completions, facility.left), (0, 0, NONE));
                assert_eq!((facility.head_time, facility.last_departure), (0, 0));
                assert_eq!([facility.serving, facility.head, facility.second], [token(0), token(1), token(2)]);
                if each > 2 {
                    assert_eq!(facility.tail, first + each - 1);
                }
                for place in 0..each {
                    let Token { time, next, unused } = state.tokens[(first + place) as usize];
                    assert_eq!((time, next, unused), (0, token(place + 1), 0));
                }
            }
        }
    }
}

/// In the middle of a run: every token is in one place, and the sums are those of the heap simulator.
#[test]
fn records_hold_every_token_once() {
    let model = Torus::new(13, 7).tokens(4).until(123.0).check().expect("a model");
    let expected = reference::simulate(&model, &mut unwatched()).expect("a run").outcome;
    for device in devices() {
        let mut rounds = start(device, &model);
        rounds.run_until(model.until(), model.until(), &mut unwatched()).expect("a run");
        let state = State::read(&mut rounds).expect("a state");
        let mut seen = vec![0; model.tokens() as usize];
        for (facility, record) in state.facilities.iter().zip(&expected.facilities) {
            assert_eq!(u64::from(facility.completions), record.completions);
            assert_eq!((facility.service, facility.waiting), (record.service, record.waiting));
            assert!(facility.last_departure < model.until().ticks());
            assert!((facility.left == NONE) == (record.completions == 0));
            let mut token = facility.serving;
            while token != NONE {
                seen[token as usize] += 1;
                token = match token {
                    token if token == facility.serving => facility.head,
                    token if token == facility.head => facility.second,
                    token => state.tokens[token as usize].next,
                };
            }
        }
        assert_eq!(seen, vec![1; seen.len()]);
    }
}

/// Starts the model with a changed record, runs it, and gives back the state or the fault.
fn run_changed(
    device: &WgpuDevice,
    model: &TorusModel,
    limit: Time,
    change: impl Fn(usize, &mut Facility),
) -> (Rounds, Result<State, RunError>) {
    let mut rounds = start(device, model);
    let mut facilities: Vec<Facility> = rounds.read("facilities").expect("records");
    facilities.iter_mut().enumerate().for_each(|(id, facility)| change(id, facility));
    rounds.write("facilities", 0, &facilities).expect("records");
    rounds.run_until(limit, limit, &mut unwatched()).expect("a run");
    let state = State::read(&mut rounds);
    (rounds, state)
}

fn overflow(result: Result<State, RunError>) -> (&'static str, u32) {
    match result {
        Err(RunError::Overflow { sum, facility }) => (sum, facility),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("no fault"),
    }
}

#[test]
fn a_count_that_overflows_is_named() {
    let model = Torus::new(9, 9).tokens(2).until(200.0).check().expect("a model");
    for device in devices() {
        let change = |id: usize, facility: &mut Facility| match id {
            // The one that would overflow at its second completion is never reached.
            50 => facility.completions = u32::MAX,
            _ => facility.completions = u32::MAX / 2,
        };
        let (rounds, state) = run_changed(device, &model, model.until(), change);
        assert_eq!(overflow(state), ("number of completions", 50));
        // The run has stopped there: long before its limit, at the first completion of the facility.
        let first = model.law().service(&mut model.key().stream(50)).ticks();
        let control = rounds.control();
        assert_eq!(control.running, 0);
        assert!(control.bound - model.lookahead().ticks() <= first && first < control.bound);
    }
}

/// A facility with a queue: departure starts the service that overflows.
#[test]
fn a_wait_that_overflows_on_departure_is_named() {
    let model = Torus::new(9, 9).tokens(2).until(200.0).check().expect("a model");
    for device in devices() {
        let change = |id: usize, facility: &mut Facility| {
            if [33, 34].contains(&id) {
                facility.waiting = u64::MAX - 1;
            }
        };
        let (_, state) = run_changed(device, &model, model.until(), change);
        let first = |id| model.law().service(&mut model.key().stream(id));
        let (sum, facility) = overflow(state);
        assert_eq!(sum, "sum of waiting times");
        let earliest = if first(33) < first(34) { 33 } else { 34 };
        let together = first(33).ticks().abs_diff(first(34).ticks()) < model.lookahead().ticks();
        assert!(facility == earliest || (together && facility == 33), "{facility}");
    }
}

/// One token a facility and one round: a wait then comes from an arrival before the departure of the same round.
#[test]
fn a_wait_that_overflows_on_arrival_is_named() {
    let model = Torus::new(9, 9).window(9.0).until(200.0).check().expect("a model");
    let services = (0..model.facilities()).map(|id| model.law().service(&mut model.key().stream(id)));
    let limit = Time::from_ticks(services.min().expect("a facility").ticks() + model.lookahead().ticks());
    for device in devices() {
        let (_, state) = run_changed(device, &model, limit, |_, _| ());
        let waited = state.expect("a state").facilities.iter().position(|f| f.waiting > 0).expect("a wait");
        let (rounds, state) = run_changed(device, &model, limit, |_, facility| facility.waiting = u64::MAX);
        assert_eq!(overflow(state), ("sum of waiting times", waited as u32));
        assert_eq!(rounds.control().finished, 1);
    }
}

/// The largest values that do not overflow are no fault.
#[test]
fn no_fault_without_an_overflow() {
    let model = Torus::new(3, 3).until(200.0).check().expect("a model");
    let run = reference::simulate(&model, &mut unwatched()).expect("a run").outcome.facilities;
    for device in devices() {
        let change = |id: usize, facility: &mut Facility| {
            facility.completions = u32::MAX - run[id].completions as u32;
            facility.waiting = u64::MAX - run[id].waiting;
        };
        let (_, state) = run_changed(device, &model, model.until(), change);
        let state = state.expect("a state");
        assert!(state.facilities.iter().all(|f| (f.completions, f.waiting) == (u32::MAX, u64::MAX)));
    }
}
