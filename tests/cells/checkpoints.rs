//! Runs that stop again and again, and go on each time on another backend.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use tickless::cells::gpu::{CellOptions, DeviceCells};
use tickless::cells::rules::RuleFile;
use tickless::cells::{self, Border, CellModel, CellOutcome, Checkpoint, Space, Watershed};
use tickless::device::{Device, Target};
use tickless::engine::{BatchSize, Options};
use tickless::run::{Pause, Progress, Restartable, Watch, unwatched};
use tickless::time::Time;

use crate::adapter;
use crate::fire::{expected, models, replications};
use crate::gossip::Gossip;

/// So that replications come one after the other, and a run may stop between them.
const ONE_CORE: Target<'static> = Target::HeapOn(NonZeroUsize::MIN);

/// Ends a run after so many looks: by a pause, or as Ctrl-C does.
struct Stops {
    looks: u32,
    pauses: bool,
}

impl Watch for Stops {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        self.looks = self.looks.saturating_sub(1);
        if self.looks == 0 && !self.pauses { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn pause(&mut self, _: Pause) -> bool {
        self.looks == 0 && self.pauses
    }
}

/// Goes on for a moment on each of the targets in turn, at most so often, and then to the end on the last. Returns the end and
/// how often the run has stopped.
fn in_turns(
    (model, replications): (&impl DeviceCells, u32),
    targets: &[Target<'_>],
    (most, pauses): (usize, bool),
    options: impl Fn() -> CellOptions<'static>,
) -> (CellOutcome, usize) {
    let (mut at, mut events) = (None::<Checkpoint>, 0);
    for stops in 0..most {
        let mut watch = Stops { looks: 1, pauses };
        let run = cells::run(
            Restartable { model, from: at.as_ref() },
            0..replications,
            targets[stops % targets.len()],
            options(),
            &mut watch,
        );
        let run = run.unwrap_or_else(|error| panic!("after {stops} stops: {error}"));
        events += run.events;
        // First passages may begin again.
        assert!(run.outcome.outcome.transitions <= events);
        if !run.interrupted {
            return (run.outcome.outcome, stops);
        }
        at = Some(run.outcome);
    }
    let last = targets[targets.len() - 1];
    let run = cells::run(Restartable { model, from: at.as_ref() }, 0..replications, last, options(), &mut unwatched())
        .unwrap_or_else(|error| panic!("{error}"));
    (run.outcome.outcome, most)
}

fn on_heap(model: &impl DeviceCells, replications: u32) -> CellOutcome {
    cells::run(model, 0..replications, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome
}

#[track_caller]
fn assert_same(expected: &CellOutcome, found: &CellOutcome, what: &str) {
    assert_eq!(expected.first_difference(found), None, "{what}");
    assert_eq!(expected.digest(), found.digest(), "{what}");
}

fn few_rounds() -> CellOptions<'static> {
    let rounds = Options { batch: BatchSize::Rounds(3), ..Options::default() };
    CellOptions { rounds, ..CellOptions::default() }
}

/// With elapsed times, and several replications of which some are whole, some have begun and some have not.
#[test]
fn gossip_goes_on_anywhere() {
    let one = Gossip {
        until: 9 << 32,
        ..Gossip::new(Space::new([40, 40, 1], Border::Open, Space::moore()).expect("a space"))
    };
    for replications in [1, 4] {
        let model = one.clone();
        let expected = on_heap(&model, replications);
        for (form, device) in adapter::forms(&["native"]) {
            for (at_once, pauses) in [(None, true), (Some(2), true), (Some(3), false)] {
                let targets = [Target::Device(&device), ONE_CORE];
                let options = || CellOptions { at_once, ..few_rounds() };
                let (found, stops) = in_turns((&model, replications), &targets, (6, pauses), options);
                assert_same(&expected, &found, &format!("{form}: {replications}, {at_once:?}, {pauses}"));
                assert!(stops >= 1, "{form}: {replications}, {at_once:?}, {pauses}: {stops} stops");
            }
        }
    }
}

/// Rules that draw, and water that flows for thousands of rounds.
#[test]
fn rules_and_water_go_on_anywhere() {
    let file = RuleFile::read(Path::new("examples/cells/forest.ma")).expect("an example");
    let forest = file.model(Time::from_units(60.0).expect("a time"), 7);
    let heights = (0..900).map(|cell| f64::from(cell * 7919 % 1000)).collect();
    let watershed = Watershed::new(30, 30, heights).until(3000.0).check().expect("a watershed");
    fn check(model: &impl DeviceCells, replications: u32, device: &dyn Device, what: &str) {
        let (found, stops) =
            in_turns((model, replications), &[ONE_CORE, Target::Device(device)], (8, true), few_rounds);
        assert_same(&on_heap(model, replications), &found, what);
        assert!(stops >= 1, "{what}: {stops} stops");
    }
    for (form, device) in adapter::forms(&["native"]) {
        check(&forest, 2, &device, &format!("{form}: forest"));
        check(&watershed, 1, &device, &format!("{form}: water"));
    }
}

/// Alone and together, in order and without, with delays that change.
#[test]
fn fires_go_on_anywhere() {
    // One fire as fronts comes to its end before a pause; of several a pause parts those that have ended from the others.
    for (place, model) in models().iter().enumerate().filter(|(place, _)| *place < 4 || *place == 6) {
        let expected = expected(place);
        for (form, device) in adapter::forms(&["native"]) {
            let ways = [(None, false), (Some(4), true)];
            // In software one of them each, and not the fire that has nothing but its terrain.
            let few = adapter::in_software(device.as_ref()) && model.fronts().is_none();
            let skipped = usize::from(few) * (1 + place % 2);
            let ways =
                ways.into_iter().enumerate().filter(|(number, _)| number + 1 != skipped && (place, skipped) != (0, 1));
            for (_, (at_once, ordered)) in ways.filter(|(_, way)| model.fronts().is_none() || !way.1) {
                let options = || CellOptions { at_once, ordered, ..few_rounds() };
                let (found, stops) =
                    in_turns((model, replications(place)), &[ONE_CORE, Target::Device(&device)], (5, true), options);
                let what = format!("{form}, model {place}, {at_once:?}, {ordered}");
                assert_same(expected, &found, &what);
                assert!(stops >= 1, "{what}: {stops} stops");
            }
        }
    }
}

/// What is not of the model is refused by what differs.
#[test]
fn a_checkpoint_of_another_model_is_refused() {
    let gossip = |size, elapsed| Gossip {
        elapsed,
        ..Gossip::new(Space::new(size, Border::Open, Space::moore()).expect("a space"))
    };
    let run = |model: &Gossip, from: Option<&Checkpoint>| {
        cells::run(
            Restartable { model, from },
            0..1,
            Target::Heap,
            Default::default(),
            &mut Stops { looks: 2, pauses: true },
        )
    };
    let model = gossip([20, 10, 1], true);
    let from = run(&model, None).expect("a run").outcome;
    for (other, said) in [
        (gossip([21, 10, 1], true), "20 columns, and this model has 21"),
        (gossip([20, 11, 1], true), "10 rows, and this model has 11"),
        (gossip([20, 10, 1], false), "200 times of last transitions, and this model has 0"),
    ] {
        let error = run(&other, Some(&from)).expect_err("it is of another").to_string();
        assert!(error.contains(said), "{error}");
    }
    let mut late = from.clone();
    late.outcome.next[7] = Time::ZERO;
    let error = run(&model, Some(&late)).expect_err("an event that should have been").to_string();
    assert!(error.contains("ticks before a next own event"), "{error}");
}

/// A pause does not part a fire whose fronts have not settled: it would begin again for ever. Ctrl-C ends it, at its start.
#[test]
fn a_fire_as_fronts_is_not_paused() {
    let [.., fire, _, _, _] = models();
    assert!(fire.fronts().is_some());
    for pauses in [true, false] {
        let mut watch = Stops { looks: 1, pauses };
        let run =
            cells::run(Restartable { model: fire, from: None }, 0..1, ONE_CORE, CellOptions::default(), &mut watch)
                .expect("a run");
        assert_eq!((run.interrupted, run.clock == Time::ZERO), (!pauses, !pauses));
        let rest = cells::run(
            Restartable { model: fire, from: Some(&run.outcome) },
            0..1,
            ONE_CORE,
            CellOptions::default(),
            &mut unwatched(),
        );
        assert_eq!(rest.expect("a run").outcome.outcome.digest(), expected(4).digest());
    }
}
