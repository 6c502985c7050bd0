//! Exact rounds, by appointments: the digests of the heap simulator, without a window and in few rounds.

mod adapter;
mod torus;

use std::ops::ControlFlow;

use tickless::device::{Device, Target};
use tickless::engine::{BatchSize, Options};
use tickless::queueing::gpu::{DevicePath::Rounds, Synchronization, path};
use tickless::queueing::{Network, NetworkDetails, NetworkModel, NetworkOptions};
use tickless::run::{Appointments, Run, unwatched};
use tickless::statistics::Outcome;
use tickless::time::Time;
use torus::{heap, torus, try_run};

const FORMS: [&str; 2] = ["native", "words, no subgroups"];

/// Without a window.
fn model(torus: Network) -> NetworkModel {
    torus.window(0.0).check().expect("a model")
}

/// The runs on a device, each facility by itself and in tiles, which are that of the heap.
fn compare(
    device: &dyn Device,
    model: &NetworkModel,
    options: &Options,
    what: &str,
) -> [Run<Outcome, NetworkDetails>; 2] {
    let expected = heap(model);
    [false, true].map(|tiles| {
        let how = if tiles { Synchronization::AppointmentsInTiles } else { Synchronization::Appointments };
        let found = try_run(
            model,
            Target::Device(device),
            NetworkOptions { synchronization: Some(how), rounds: *options, ..Default::default() },
            &mut unwatched(),
        );
        let found = found.unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(expected.outcome.first_difference(&found.outcome), None, "{what}, tiles: {tiles}");
        assert_eq!(expected.outcome.digest(), found.outcome.digest(), "{what}, tiles: {tiles}");
        assert_eq!((expected.events, expected.clock), (found.events, found.clock), "{what}, tiles: {tiles}");
        check_appointments(model, &found, tiles);
        found
    })
}

/// A facility that works in a round decides one visit, in tiles one or two.
fn check_appointments(model: &NetworkModel, run: &Run<Outcome, NetworkDetails>, tiles: bool) {
    let Appointments { working, drift } = run.details.appointments.expect("appointments");
    let looks = run.rounds.expect("rounds") * u64::from(model.stations());
    let worked = (working * looks as f64).round() as u64;
    let least = if tiles { run.events.div_ceil(2) } else { run.events };
    assert!((least..=run.events).contains(&worked), "{worked} worked, {} events", run.events);
    assert!(drift < model.until() && (drift > Time::ZERO || worked < 2), "{drift:?}");
}

/// Sides of 1 and 2, where a facility is its own neighbour or one twice; one token in all, or many; laws of every kind, and with
/// constant times ties everywhere.
#[test]
fn tori_are_the_same_in_few_rounds() {
    let laws = ["exponential:10", "uniform:0,20", "erlang:3,10", "hyperexponential:0.3,2,13", "constant:10"];
    for (place, (form, device)) in adapter::forms(&FORMS).iter().enumerate() {
        for (number, (width, height)) in
            [(1, 1), (1, 2), (2, 1), (2, 2), (1, 7), (3, 2), (3, 5), (17, 13), (40, 31)].into_iter().enumerate()
        {
            for tokens in [1, 2, 5] {
                let law = laws[(number + place + tokens as usize) % laws.len()];
                let torus = torus(width, height, tokens, law).until(300.0).warmup(70.0).seed(number as u64);
                let what = format!("{form}: {width} x {height}, {tokens} each, {law}");
                for run in compare(device.as_ref(), &model(torus), &Options::default(), &what) {
                    let rounds = run.rounds.expect("rounds");
                    assert!(rounds <= MOST_ROUNDS * 30, "{what}: {rounds} rounds");
                }
            }
        }
    }
}

/// Rounds in a mean service time, at most.
const MOST_ROUNDS: u64 = 8;

/// Thousands of tokens at one place in time, and at few facilities.
#[test]
fn many_tokens_are_the_same() {
    for (form, device) in adapter::forms(&["native"]) {
        for (width, height, tokens) in [(1, 1, 3000), (2, 1, 500), (4, 4, 300)] {
            let torus = torus(width, height, tokens, "exponential:10").until(2000.0);
            compare(device.as_ref(), &model(torus), &Options::default(), form);
        }
    }
}

#[test]
fn batches_and_workgroups_change_nothing() {
    let Some(device) = adapter::native() else { return };
    for &(workgroup, elements, batch) in adapter::sizes(&device, &[(32, 4, 3), (64, 8, 7), (256, 64, 50)]) {
        let batch = BatchSize::Rounds(batch);
        let options = Options { workgroup, elements: Some(elements), batch, renumber: 40 };
        let torus = torus(31, 29, 2, "exponential:10").until(200.0).warmup(33.3);
        compare(&device, &model(torus), &options, &format!("{options:?}"));
    }
}

/// Facilities are at different times when a run is stopped: those behind catch up.
#[test]
fn an_interrupted_run_is_whole_up_to_its_clock() {
    let Some(device) = adapter::native() else { return };
    for (warmup, tiles, figures_only) in
        [(0.0, false, true), (900.0, true, true), (900.0, true, false), (0.0, true, false)]
    {
        let whole = torus(20, 20, 2, "exponential:10").until(1000.0).warmup(warmup).seed(3);
        let options = Options { batch: BatchSize::Rounds(3), ..Options::default() };
        let how = if tiles { Synchronization::AppointmentsInTiles } else { Synchronization::Appointments };
        let mut looks = 0;
        let mut watch = |_: &_| {
            looks += 1;
            if looks < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        assert_eq!(path(&model(whole.clone()), 1).expect("rounds"), Rounds(Synchronization::Appointments));
        let stopped = try_run(
            &model(whole.clone()),
            Target::Device(&device),
            NetworkOptions { synchronization: Some(how), rounds: options, figures_only, ..Default::default() },
            &mut watch,
        )
        .expect("a run");
        assert!(stopped.interrupted && (10.0..500.0).contains(&stopped.clock.units()), "{:?}", stopped.clock);
        if warmup == 0.0 {
            let short = model(whole.until(stopped.clock.units()));
            let expected = heap(&short);
            assert_eq!(expected.outcome.first_difference(&stopped.outcome), None);
        }
        // In the warm-up nothing is counted.
        let totals = stopped.outcome.totals();
        assert_eq!((totals.arrivals == 0, totals.busy == 0), (warmup > 0.0, warmup > 0.0));
        assert_eq!((totals.queued + totals.serving, stopped.outcome.added_up.is_some()), (800, figures_only));
    }
}

/// A sum of a station that passes 64 bits is whole with records and without: known before the run, met by it, or only near.
#[test]
fn sums_pass_64_bits() {
    let Some(device) = adapter::native() else { return };
    let cases = [
        (1, 5000, "constant:1e6", 900_000.0, true),
        (2, 2, "constant:1e7", 2.13e9, true),
        (1, 5000, "constant:1e6", 800_000.0, false),
        (2, 4000, "constant:1e6", 900_000.0, false),
    ];
    for (width, tokens, law, until, passes) in cases {
        let model = model(torus(width, 1, tokens, law).until(until));
        let expected = heap(&model).outcome;
        let most = expected.facilities.iter().map(|record| record.presence).max();
        assert_eq!(most > Some(u64::MAX.into()), passes, "{width} stations, {tokens} tokens");
        for figures_only in [false, true] {
            let options = NetworkOptions { figures_only, ..Default::default() };
            let found = try_run(&model, Target::Device(&device), options, &mut unwatched()).expect("a run").outcome;
            assert_eq!(expected.first_difference(&found), None);
            assert_eq!(found.digest(), expected.digest());
            assert_eq!(found.added_up.is_some(), figures_only && !passes);
        }
    }
}
