//! A run that has left a checkpoint before it needs more room, or larger numbers.

use std::ops::ControlFlow;

use super::super::RuleModel;
use super::{HEAD, parse, small};
use tickless_cells::{self as cells, CellError, Checkpoint};
use tickless_core::run::{Progress, Restartable, unwatched};
use tickless_core::time::Time;
use tickless_device::Target;

/// Resumes from a checkpoint to the end.
fn rest(model: &RuleModel, from: Option<&Checkpoint>) -> Result<Checkpoint, CellError> {
    Ok(cells::run(Restartable { model, from }, 0..1, Target::Heap, Default::default(), &mut unwatched())?.outcome)
}

/// A checkpoint of a run up to some time: the same as that of a shorter horizon.
fn until(model: &RuleModel, time: f64) -> Checkpoint {
    let mut stop = |progress: &Progress| match progress.clock >= Time::from_units(time).expect("a time") {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let run = cells::run(Restartable { model, from: None }, 0..1, Target::Heap, Default::default(), &mut stop)
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(run.interrupted, "it stops before its end");
    run.outcome
}

/// The model at the end of a run, and how often it has grown; the rest resumes from the checkpoint each time.
fn grown(model: &RuleModel, from: &Checkpoint) -> (RuleModel, Checkpoint, u32) {
    let (mut model, mut times) = (model.clone(), 0);
    loop {
        let own = model.grown(from).expect("memory");
        assert_eq!(own.is_some(), times > 0, "only what has another layout is written anew");
        let error = match rest(&model, Some(own.as_ref().unwrap_or(from))) {
            Ok(end) => return (model, end, times),
            Err(error) => error,
        };
        let more = model.with_wide_numbers(&error).or_else(|| model.with_more_room(&error));
        model = more.unwrap_or_else(|| panic!("{error}"));
        times += 1;
    }
}

/// Cells that draw, with ports, state variables and inputs from outside.
fn file(delay: &str, rules: &str) -> super::RuleFile {
    let head = HEAD.replace("transport", delay)
        + "\nneighborports : p q\nstatevariables : x\nstatevalues : 1\nin : i\nlink : i q@a(0,1)\n\
           portInTransition : q@a(0,1) inwards";
    let text = small(&head, rules).replace(
        "components : a\n",
        "components : a g@generator\nlink : out@g i@a\n[g]\ndistribution : constant\nvalue : 0.007\n",
    ) + "[inwards]\nrule : { ~q := portvalue(q) + $x; } { $x := $x + 1; } 3 {t}\n";
    parse(&text)
}

#[test]
fn a_checkpoint_grows_with_its_model() {
    let more = "rule : { ~p := (0,0)~p + randInt(5) + 1; } { $x := $x + 0.5; } \
                {if((0,0)~p < 60, 5, 100)} {(0,0)~p < 30000}\nrule : {} 10 {t}";
    let larger = "rule : { ~p := trunc(((0,0)~p + randInt(5) + 1) * 1.25); } { $x := $x + 0.5; } 1 {time < 70}\nrule : {} 10 {t}";
    for (delay, rules, grows) in
        [("transport", more, (true, false)), ("transport", larger, (false, true)), ("inertial", larger, (false, true))]
    {
        let model = file(delay, rules).model(Time::from_units(900.0).expect("a time"), 4);
        let from = until(&model, 12.0);
        assert!(rest(&model, Some(&from)).is_err(), "{delay}: it needs more");
        let (larger, end, times) = grown(&model, &from);
        assert!(times > 0, "{delay}");
        assert_eq!((larger.max_waiting() > model.max_waiting(), larger.file().is_wide()), grows, "{delay}: {rules}");
        let whole = rest(&larger, None).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(end.outcome.first_difference(&whole.outcome), None, "{delay}");
        assert_eq!(end.outcome.digest(), whole.outcome.digest(), "{delay}");
        assert_eq!(larger.grown(&whole).expect("memory"), None);
        // A checkpoint of a larger model, or of another one, is not made smaller.
        assert_eq!(model.grown(&whole).expect("memory"), None);
    }
}
