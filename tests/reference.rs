//! The torus reference: exact small cases, a second simulator that only keeps a log, identities and interruption.

mod torus;
mod visits;

use std::ops::ControlFlow;

use proptest::prelude::*;
use tickless::device::Target;
use tickless::queueing::{Network, NetworkModel};
use tickless::run::Progress;
use tickless::statistics::{FacilityRecord, Outcome};
use tickless::time::Time;
use torus::{heap as run, torus, try_run};

fn outcome(torus: Network) -> Outcome {
    run(&torus.check().unwrap()).outcome
}

fn constant(width: u32, height: u32, tokens: u32, until: f64) -> Network {
    torus(width, height, tokens, "constant:10").until(until)
}

fn ticks(units: f64) -> u128 {
    Time::from_units(units).unwrap().ticks().into()
}

fn times(units: &[f64]) -> Vec<Time> {
    units.iter().map(|&u| Time::from_units(u).unwrap()).collect()
}

#[test]
fn three_tokens_at_one_facility_by_hand() {
    // Starts at 0 (no wait), 10 (waited 10), 20 (waited 20) and 30 (the first token again, waited 20 since 10).
    let whole = outcome(constant(1, 1, 3, 35.0));
    let record = FacilityRecord {
        arrivals: 3,
        starts: 4,
        completions: 3,
        losses: 0,
        busy: ticks(35.0),
        waiting: ticks(50.0),
        service: ticks(40.0),
        presence: ticks(105.0),
        in_service: Time::from_units(40.0).unwrap(),
        serving: 1,
        queued: 2,
    };
    assert_eq!((whole.facilities.as_slice(), whole.queue), ([record].as_slice(), times(&[20.0, 30.0])));

    let measured = outcome(constant(1, 1, 3, 35.0).warmup(15.0));
    let (arrivals, starts, completions) = (2, 2, 2);
    let (busy, waiting, service, presence) = (ticks(20.0), ticks(40.0), ticks(20.0), ticks(60.0));
    let record = FacilityRecord { arrivals, starts, completions, busy, waiting, service, presence, ..record };
    assert_eq!((measured.facilities.as_slice(), measured.queue), ([record].as_slice(), times(&[20.0, 30.0])));
}

#[test]
fn two_facilities_by_hand() {
    for seed in 1..=20 {
        let model = constant(2, 1, 1, 15.0).seed(seed).check().unwrap();
        // A constant service takes no draw, so the first draw of each stream is its route: odd is the other one.
        let goes = |id: u32| id ^ (model.key(0).stream(id).draw() >> 30 & 1);
        let found = run(&model).outcome;
        for id in 0..2 {
            let record = found.facilities[id as usize];
            let arrivals = u64::from(goes(0) == id) + u64::from(goes(1) == id);
            let served = arrivals.min(1);
            assert_eq!((record.arrivals, record.completions, record.starts), (arrivals, 1, 1 + served), "{seed}");
            assert_eq!(record.busy, ticks(10.0 + 5.0 * served as f64));
            assert_eq!(record.presence, ticks(10.0 + 5.0 * arrivals as f64));
            assert_eq!((record.queued, record.waiting), (arrivals - served, 0));
        }
        assert_eq!(found.queue, times(&[10.0, 10.0][..usize::from(goes(0) == goes(1))]));
    }
}

#[test]
fn an_event_at_the_horizon_does_not_happen() {
    let events = |until: Time| run(&constant(16, 16, 1, until.units()).check().unwrap()).events;
    let ten = ticks(10.0) as u64;
    assert_eq!(events(Time::from_ticks(ten)), 0);
    assert_eq!(events(Time::from_ticks(ten + 1)), 256);
}

#[test]
fn a_network_without_tokens_is_idle() {
    let found = run(&torus(3, 2, 0, "exponential:10").warmup(5.0).check().unwrap());
    assert_eq!((found.events, found.interrupted, found.clock), (0, false, found.outcome.until));
    assert!(
        found.outcome.facilities.iter().all(|r| *r == FacilityRecord { in_service: Time::NEVER, ..*r } && r.busy == 0)
    );
}

/// The tokens that are present, everywhere, times the measured time is the presence; what leaves arrives.
fn conserves(model: &NetworkModel, found: &Outcome) -> bool {
    let sum = |field: fn(&FacilityRecord) -> u128| found.facilities.iter().map(field).sum::<u128>();
    let measured = u128::from(found.until.ticks() - found.from.ticks());
    found.statistics().tokens_present == u64::from(model.tokens())
        && sum(|r| r.presence) == measured * u128::from(model.tokens())
        && sum(|r| r.arrivals.into()) == sum(|r| r.completions.into())
        && found.facilities.iter().all(|r| r.busy <= measured && r.busy <= r.presence)
}

#[test]
fn tokens_and_their_time_are_conserved() {
    for (side, tokens) in [(1, 1), (1, 5), (2, 1), (5, 3), (40, 1), (40, 4)] {
        for (until, warmup) in [(300.0, 0.0), (300.0, 77.7)] {
            let model = torus(side, side, tokens, "exponential:10").until(until).warmup(warmup).check().unwrap();
            let found = run(&model).outcome;
            assert!(conserves(&model, &found), "side {side}, {tokens} tokens");
            let changes: [fn(&mut FacilityRecord); 3] = [|r| r.presence += 1, |r| r.arrivals += 1, |r| r.queued += 1];
            for change in changes {
                let mut wrong = found.clone();
                change(&mut wrong.facilities[0]);
                assert!(!conserves(&model, &wrong), "a wrong value passes");
            }
        }
    }
}

#[test]
fn a_warm_up_only_splits_the_sums() {
    for law in ["exponential:10", "constant:10", "uniform:5,15"] {
        for warmup in [10.0, 33.3, 250.0] {
            let torus = torus(9, 4, 3, law).until(300.0);
            let whole = outcome(torus.clone());
            let before = outcome(torus.clone().until(warmup));
            let after = outcome(torus.warmup(warmup));
            for id in 0..36 {
                let [w, b, a] = [&whole, &before, &after].map(|o| {
                    let r = o.facilities[id];
                    let counts = [r.arrivals, r.starts, r.completions].map(u128::from);
                    [counts.iter().sum(), counts[0], counts[1], r.busy, r.waiting, r.service, r.presence]
                });
                assert_eq!(w, std::array::from_fn(|i| b[i] + a[i]), "{law}, warm-up {warmup}, facility {id}");
            }
        }
    }
}

#[test]
fn an_interrupted_run_is_whole_up_to_its_clock() {
    let torus = torus(50, 40, 2, "exponential:10").until(1e5).warmup(20.0);
    let mut last = 0;
    let mut watch = |progress: &Progress| {
        let since = progress.events - std::mem::replace(&mut last, progress.events);
        // Some more where they happen at once.
        assert!((1..(1 << 15) + 10_000).contains(&since), "{since}");
        assert!(progress.clock < progress.until && progress.rounds == 0);
        if last >= 3 << 15 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let stopped = try_run(&torus.clone().check().unwrap(), Target::Heap, Default::default(), &mut watch).unwrap();
    assert!(stopped.interrupted && stopped.clock == stopped.outcome.until);
    let whole = run(&torus.until(stopped.clock.units()).check().unwrap());
    assert_eq!(whole.clock, stopped.clock);
    assert_eq!((whole.outcome.first_difference(&stopped.outcome), whole.events), (None, stopped.events));
}

#[test]
fn an_interruption_waits_for_the_end_of_an_instant() {
    let stop = &mut |_: &Progress| ControlFlow::Break(());
    let found =
        try_run(&constant(256, 256, 1, 100.0).check().unwrap(), Target::Heap, Default::default(), stop).unwrap();
    assert_eq!((found.events, found.clock.units(), found.interrupted), (1 << 16, 20.0, true));
    // Stopped in the warm-up: nothing is counted, and the state is there.
    let early = constant(256, 256, 1, 100.0).warmup(50.0).check().unwrap();
    let found = try_run(&early, Target::Heap, Default::default(), stop).unwrap().outcome;
    let statistics = found.statistics();
    assert_eq!((statistics.tokens_present, statistics.arrivals, statistics.starts), (1 << 16, 0, 0));
    assert!(found.facilities.iter().all(|r| (r.busy, r.presence, r.waiting, r.service) == (0, 0, 0, 0)));
}

/// The laws and tori that [`visits`] is compared on; constant and two-valued times make ties.
fn any_torus() -> impl Strategy<Value = Network> {
    let laws = ["exponential:10", "constant:10", "uniform:5,15", "erlang:3,10", "hyperexponential:0.25,4,12"];
    let law = prop::sample::select(laws.to_vec());
    (1..6u32, 1..6u32, 0..5u32, law, prop::option::of(0.0..9.0), 1.0..200.0, 0.0..0.9, any::<u64>()).prop_map(
        |(width, height, tokens, law, window, until, warmup, seed)| {
            let torus = torus(width, height, tokens, law).seed(seed);
            // Whole tens meet the constant law's instants exactly.
            let until = if seed % 2 == 0 { until } else { f64::ceil(until / 10.0) * 10.0 };
            let warmup = if seed % 3 == 0 { 0.0 } else { f64::floor(until * warmup / 10.0) * 10.0 };
            let torus = torus.until(until).warmup(warmup);
            window.map_or(torus.clone(), |d| torus.window(d))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_log_of_visits_gives_the_same(torus in any_torus()) {
        let model = torus.check().unwrap();
        let (left, right) = (run(&model).outcome, visits::simulate(&model));
        prop_assert_eq!(left.first_difference(&right), None);
        prop_assert_eq!(left, right);
    }
}
