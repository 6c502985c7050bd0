//! One table of models, every backend: the heap simulator and every form of the kernels give the same bits.

mod adapter;
mod torus;

use std::cell::LazyCell;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tickless::device::{Device, Target};
use tickless::engine::{BatchSize, Options};
use tickless::queueing::gpu::Synchronization;
use tickless::queueing::{self, Network, NetworkDetails, NetworkModel, NetworkOptions, combined_digest};
use tickless::run::{Place, Run, unwatched};
use tickless::statistics::Outcome;
use torus::{heap, torus, try_run};

fn model(torus: Network) -> NetworkModel {
    torus.clone().check().unwrap_or_else(|e| panic!("{torus:?}: {e}"))
}

fn on(device: &dyn Device, model: &NetworkModel, options: &Options) -> Run<Outcome, NetworkDetails> {
    let options = NetworkOptions { rounds: *options, ..Default::default() };
    try_run(model, Target::Device(device), options, &mut unwatched()).unwrap_or_else(|e| panic!("{model:?}: {e}"))
}

fn assert_same(expected: &Run<Outcome, NetworkDetails>, found: &Run<Outcome, NetworkDetails>, what: &str) {
    if let Some(difference) = expected.outcome.first_difference(&found.outcome) {
        panic!("{what}: {difference}");
    }
    assert_eq!(expected.outcome.digest(), found.outcome.digest(), "{what}");
    assert_eq!(expected.outcome, found.outcome, "{what}");
    assert_eq!((expected.events, expected.clock), (found.events, found.clock), "{what}");
}

/// The named cases: about as many events in each.
fn table() -> Vec<Network> {
    const SIDES: [(u32, u32); 8] = [(1, 1), (2, 2), (3, 3), (5, 5), (16, 16), (37, 53), (128, 128), (257, 257)];
    const WINDOWS: [f64; 5] = [0.01, 0.25, 1.0, 2.0, 9.9];
    const LAWS: [&str; 6] =
        ["exponential:10", "constant:10", "uniform:5,15", "uniform:0,20", "erlang:3,10", "hyperexponential:0.25,4,12"];
    let mut cases = vec![];
    for (s, (width, height)) in SIDES.into_iter().enumerate() {
        for (w, window) in WINDOWS.into_iter().enumerate() {
            for (k, tokens) in [0, 1, 2, 7].into_iter().enumerate() {
                // Every pair of values meets in some case; every triple would take hours.
                let law = LAWS[(s + w + 2 * k) % LAWS.len()];
                let seed = (s * 20 + w * 4 + k) as u64;
                let rounds = if width > 100 { 6.0 } else { 60.0 };
                let until = (rounds * window).clamp(12.0_f64.min(rounds), 100.0);
                let warmup = if (s + k) % 2 == 0 { 0.0 } else { until / 3.0 };
                let torus = torus(width, height, tokens, law).window(window);
                cases.push(torus.until(until).warmup(warmup).seed(seed));
            }
        }
    }
    cases
}

/// A software adapter takes longer for these than for all others.
fn is_large(model: &NetworkModel) -> bool {
    model.stations() > 10_000
}

/// Of software adapters: with all that an adapter may have, and with none of it. GPUs run every form.
const FORMS: [&str; 2] = ["native", "words, no subgroups"];

#[test]
fn the_table_is_the_same_on_every_backend() {
    let forms = adapter::forms(&FORMS);
    for (number, torus) in table().into_iter().enumerate() {
        let model = model(torus);
        let expected = LazyCell::new(|| heap(&model));
        // In software large ones are met once with each window, and once or twice with each number of tokens: in native words.
        let left_out = is_large(&model) && (number / 4 + number) % 4 != 0;
        for (place, (form, device)) in forms.iter().enumerate() {
            if adapter::in_software(device.as_ref()) && left_out {
                continue;
            }
            // The first two forms and those of CUDA run every case, in software each a half; the others a part.
            let software = adapter::in_software(device.as_ref());
            let first = place < 2 && (!software || number % 2 == place && (place == 0 || !is_large(&model)));
            if first || form.starts_with("cuda") || !software && number % 8 == place {
                let found = on(device, &model, &Options::default());
                assert_same(&expected, &found, &format!("{form}: {:?}", model.description()));
            }
        }
    }
}

/// The same models without their windows, each facility by itself and in tiles.
#[test]
fn the_table_is_the_same_by_appointments() {
    let forms = adapter::forms(&FORMS);
    for (number, torus) in table().into_iter().enumerate() {
        let model = model(torus.window(0.0));
        let expected = LazyCell::new(|| heap(&model));
        for (place, (form, device)) in forms.iter().enumerate() {
            // Of large ones in software two of each size.
            if adapter::in_software(device.as_ref()) && is_large(&model) && number % 16 > 1 {
                continue;
            }
            // In software two of eight cases, each in one of the two ways, and of the second form small ones.
            let cuda = form.starts_with("cuda");
            let software = adapter::in_software(device.as_ref());
            let first = place == 0 && (!software || number % 8 < 2);
            let few = place > 0 && matches!(number % 8, 2 | 3) && !is_large(&model);
            let other = if software { few } else { number % 16 == place };
            if first || cuda || other {
                for tiles in [false, true].into_iter().filter(|tiles| cuda || *tiles == (number % 2 == 0)) {
                    let how = if tiles { Synchronization::AppointmentsInTiles } else { Synchronization::Appointments };
                    let found = try_run(
                        &model,
                        Target::Device(device),
                        NetworkOptions { synchronization: Some(how), rounds: Options::default(), ..Default::default() },
                        &mut unwatched(),
                    );
                    let found = found.expect("a run");
                    assert_same(&expected, &found, &format!("{form}: tiles: {tiles}, {:?}", model.description()));
                }
            }
        }
    }
}

/// What a device adds up is what the records add up to, after a warm-up and without, by window, by appointments and in tiles.
#[test]
fn figures_without_records_are_the_same() {
    let window = torus(61, 67, 2, "erlang:3,10").window(1.0).until(40.0);
    let cases = [
        (window.clone().warmup(11.0), Synchronization::Window),
        (window, Synchronization::Window),
        (torus(37, 53, 3, "exponential:10").until(60.0), Synchronization::Appointments),
        (torus(1, 1, 5, "constant:2").until(33.0).warmup(4.0), Synchronization::Appointments),
        (torus(70, 45, 1, "hyperexponential:0.25,4,12").until(50.0).warmup(7.0), Synchronization::AppointmentsInTiles),
        (torus(5, 5, 0, "exponential:10").window(1.0).until(50.0), Synchronization::Window),
    ];
    let forms = adapter::forms(&FORMS);
    for (number, (torus, synchronization)) in cases.into_iter().enumerate() {
        let model = model(torus);
        let expected = heap(&model);
        for (place, (form, device)) in forms.iter().enumerate() {
            // In software one form a case.
            if adapter::in_software(device.as_ref()) && place != number % 2 {
                continue;
            }
            let synchronization = Some(synchronization);
            let options = NetworkOptions { synchronization, figures_only: true, ..Default::default() };
            let found = try_run(&model, Target::Device(device.as_ref()), options, &mut unwatched()).expect("a run");
            let what = format!("{form}: {synchronization:?}, {:?}", model.description());
            assert!(found.outcome.facilities.is_empty() && found.outcome.added_up.is_some(), "{what}");
            assert_eq!(expected.outcome.first_difference(&found.outcome), None, "{what}");
            assert_eq!(expected.outcome.totals(), found.outcome.totals(), "{what}");
            assert_eq!(expected.outcome.digest(), found.outcome.digest(), "{what}");
            assert_eq!(expected.outcome.statistics(), found.outcome.statistics(), "{what}");
        }
    }
}

/// Totals that differ are named, and so are sums of the digest alone.
#[test]
fn a_changed_total_is_caught() {
    let Some(device) = adapter::native() else { return };
    let run = |seed| {
        let model = model(torus(16, 16, 2, "exponential:10").until(50.0).seed(seed));
        let options = NetworkOptions { figures_only: true, ..Default::default() };
        try_run(&model, Target::Device(&device), options, &mut unwatched()).expect("a run").outcome
    };
    let (right, other) = (run(1), run(2));
    let named = |wrong: &Outcome| right.first_difference(wrong).expect("a difference").field;
    assert_eq!(named(&other), "arrivals of all");
    type Change = fn(&mut tickless::statistics::Totals);
    let changes: [(&str, Change); 4] = [
        ("queued of all", |totals| totals.queued += 1),
        ("busy of all", |totals| totals.busy += 1),
        ("presence of all (high)", |totals| totals.presence += 1 << 64),
        ("number of facilities", |totals| totals.facilities -= 1),
    ];
    for (name, change) in changes {
        let mut wrong = right.clone();
        change(&mut wrong.added_up.as_mut().expect("totals").totals);
        assert_eq!(named(&wrong), name);
    }
    let mut wrong = other.clone();
    wrong.added_up.as_mut().expect("totals").totals = right.totals();
    assert_eq!(named(&wrong), "sums of the digest[0]");
    assert_ne!(wrong.digest(), right.digest());
}

/// Sides that are lines and rings: parallel edges and self-loops on one axis alone.
#[test]
fn lines_and_rings_are_the_same() {
    let forms = adapter::forms(&FORMS);
    for (width, height) in [(1, 2), (2, 1), (1, 7), (7, 1), (2, 3), (3, 2), (1, 300)] {
        for law in ["exponential:10", "constant:10"] {
            let model = model(torus(width, height, 3, law).window(1.0).until(300.0));
            let expected = heap(&model);
            for (form, device) in
                forms.iter().enumerate().filter(|(p, (f, _))| *p < 2 || f.starts_with("cuda")).map(|(_, f)| f)
            {
                assert_same(&expected, &on(device, &model, &Options::default()), form);
            }
        }
    }
}

/// Constant service makes everything happen at once: only the contract's order decides.
#[test]
fn ties_are_broken_by_the_contract() {
    for (form, device) in adapter::forms(&FORMS) {
        for (side, tokens) in [(1, 2), (2, 3), (3, 1), (8, 5), (40, 2)] {
            let model = model(torus(side, side, tokens, "constant:1").until(60.0).warmup(7.0));
            assert_same(&heap(&model), &on(&device, &model, &Options::default()), form);
        }
    }
}

#[test]
fn batches_and_workgroups_change_nothing() {
    let Some(device) = adapter::native() else { return };
    let model = model(torus(61, 67, 2, "exponential:10").window(1.0).until(40.0).warmup(11.0));
    let expected = heap(&model);
    let most = device.adapter().capabilities.workgroup_threads;
    for workgroup in [32_u32, 64, 128, 256].into_iter().filter(|w| *w <= most) {
        for elements in [4_u32, 16, 64] {
            // In software a kernel takes seconds to compile for each of them: each of both is met.
            if adapter::in_software(&device) && (workgroup.ilog2() + elements.ilog2() / 2) % 3 != 0 {
                continue;
            }
            for batch in [BatchSize::Rounds(1), BatchSize::Rounds(7), BatchSize::Adaptive] {
                let options = Options { workgroup, elements: Some(elements), batch, ..Options::default() };
                assert_same(&expected, &on(&device, &model, &options), &format!("{options:?}"));
            }
        }
    }
}

#[test]
fn any_small_model_is_the_same() {
    let Some(native) = adapter::native() else { return };
    let mut runner = TestRunner::new(Config { cases: 60, failure_persistence: None, ..Config::default() });
    let law = prop_oneof![
        (1.0..20.0).prop_map(|m: f64| format!("exponential:{m}")),
        (1.0..20.0).prop_map(|m: f64| format!("constant:{m}")),
        (0.0..5.0, 6.0..20.0).prop_map(|(a, b): (f64, f64)| format!("uniform:{a},{b}")),
        (1..6_u32, 1.0..20.0).prop_map(|(k, m): (u32, f64)| format!("erlang:{k},{m}")),
        (0.05..0.95, 1.0..9.0, 9.0..30.0)
            .prop_map(|(p, a, b): (f64, f64, f64)| format!("hyperexponential:{p},{a},{b}")),
    ];
    let parameters = (1..40_u32, 1..40_u32, 0..5_u32, law, 0.02..0.95, 1.0..60.0, 0.0..0.9, any::<u64>());
    runner
        .run(&parameters, |(width, height, tokens, law, window, until, warmup, seed)| {
            let mean = law.parse::<tickless::random::ServiceLaw>().expect("a law").mean();
            let torus = torus(width, height, tokens, &law).window(window * mean);
            let model = model(torus.until(until).warmup(warmup * until).seed(seed));
            assert_same(&heap(&model), &on(&native, &model, &Options::default()), &format!("{model:?}"));
            Ok(())
        })
        .expect("every model is the same");
}

/// A run of more rounds than the stamps can number goes on with new numbers.
#[test]
fn renumbered_rounds_change_nothing() {
    let Some(device) = adapter::native() else { return };
    let model = model(torus(19, 23, 2, "exponential:10").window(0.5).until(150.0).warmup(20.0));
    let expected = heap(&model);
    let rounds = on(&device, &model, &Options::default()).rounds;
    for (renumber, batch) in [(40, BatchSize::Rounds(7)), (33, BatchSize::Rounds(16)), (100, BatchSize::Rounds(50))] {
        let options = Options { renumber, batch, ..Options::default() };
        let found = on(&device, &model, &options);
        assert_same(&expected, &found, &format!("{options:?}"));
        assert_eq!(found.rounds, rounds);
    }
}

/// The comparison catches a single changed bit in a real run.
#[test]
fn a_changed_bit_is_caught() {
    let model = model(torus(16, 16, 2, "exponential:10").until(50.0));
    let right = heap(&model).outcome;
    for facility in [0, 100, 255] {
        let mut wrong: Outcome = right.clone();
        wrong.facilities[facility].waiting ^= 1;
        let difference = right.first_difference(&wrong).expect("a difference");
        assert_eq!((difference.place, difference.field.as_str()), (Place::of("facility", facility), "waiting"));
        assert_ne!(right.digest(), wrong.digest());
    }
}

/// What the contract says of these models, kept: a change here is a change of every user's results.
#[test]
fn golden_digests() {
    let golden = include_str!("golden.txt");
    let mut seen = 0;
    for line in golden.lines().filter(|l| l.starts_with(|c: char| c.is_ascii_digit())) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [width, height, tokens, law, window, until, warmup, seed, digest] = words[..] else {
            panic!("nine columns: {line}")
        };
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let torus = torus(number(width) as u32, number(height) as u32, number(tokens) as u32, law);
        let torus = torus.window(number(window)).until(number(until)).warmup(number(warmup));
        let model = model(torus.seed(number(seed) as u64));
        let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
        assert_eq!(combined_digest(&run.outcome).to_string(), digest, "{line}");
        seen += 1;
    }
    assert_eq!(seen, 6);
}
