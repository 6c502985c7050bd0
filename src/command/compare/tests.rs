//! Runs on the heap that are compared after a value was changed.

use super::*;
use crate::case::{Wanted, run_whole};
use crate::cases::{FileCase, PholdCase, TorusCase, WatershedCase};
use tickless_core::run::unwatched;
use tickless_device::{DeviceError, Target};

/// A case from the words of a command line.
fn case<C: Case>(words: &str) -> C {
    let command = <C::Arguments as clap::Args>::augment_args(clap::Command::new("case").no_binary_name(true));
    let matches = command.try_get_matches_from(words.split_whitespace()).unwrap();
    C::prepare(parsed(&matches).unwrap(), &C::Options::default(), &C::Files::default()).unwrap()
}

/// Two equal runs of a case, the second of which is changed: the ending of the comparison, and its text.
fn compared<C: Case>(words: &str, change: impl FnOnce(&mut RunOf<C>)) -> (Ending, String) {
    let mut case: C = case(words);
    let mut comparison = Comparison::new();
    let mut run = || run_whole(&mut case, (Target::Heap, Wanted::Records), None, &mut unwatched()).unwrap();
    let (first, mut second) = (run(), run());
    change(&mut second);
    for run in [first, second] {
        comparison.add(&case, &Ready::heap(None), run).unwrap();
    }
    (comparison.ending(), report_text::compare(&case, &comparison.report(&case, vec![])))
}

/// Equal runs are equal, and for others the first value that differs is named.
fn names<C: Case>(words: &str, change: impl FnOnce(&mut C::Outcome), place: &str) {
    let (ending, text) = compared::<C>(words, |_| ());
    assert!(ending == Ending::Done && text.contains("equal: every backend gave the same bits"), "{text}");
    let (ending, text) = compared::<C>(words, |run| change(&mut run.outcome));
    assert_eq!(ending, Ending::Different);
    assert!(text.contains(&format!("DIFFERENT: heap from heap, first at {place}")), "{text}");
}

const TORUS: &str = "--width 5 --height 3";
const CLINIC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/networks/clinic.toml --replications 3");

#[test]
fn a_changed_value_is_named() {
    names::<TorusCase>(
        TORUS,
        |outcomes| outcomes[0].stations.facilities[7].waiting += 1,
        "replication 0, facility 7 (station 'facility 7'), field waiting: ",
    );
    names::<TorusCase>(
        "--side 4 --approximate 0.5",
        |outcomes| outcomes[0].causality_errors[3] += 1,
        "replication 0, field causality_errors[3]: ",
    );
    names::<FileCase>(
        CLINIC,
        |outcomes| outcomes[1].stations.facilities[2].waiting += 1,
        "replication 1, facility 2 (station 'x-ray'), field waiting: ",
    );
    names::<FileCase>(CLINIC, |outcomes| outcomes[2].sinks[0].tokens += 1, "replication 2, field sinks[0].tokens: ");
    names::<PholdCase>(
        "--processes 9 --population 2 --until 5",
        |outcome| outcome.processes[4].sent += 1,
        "process 4, field sent: ",
    );
    names::<WatershedCase>(
        "--side 3 --step 10 --until 100",
        |outcome| *outcome.state.last_mut().unwrap() += 1,
        "replication 0, cell 17, field ",
    );
}

#[test]
fn the_values_are_those_of_both_runs() {
    let mut case: TorusCase = case(TORUS);
    let mut comparison = Comparison::new();
    for more in [0, 5] {
        let mut run = run_whole(&mut case, (Target::Heap, Wanted::Records), None, &mut unwatched()).unwrap();
        run.outcome[0].stations.facilities[7].waiting += more;
        comparison.add(&case, &Ready::heap(None), run).unwrap();
    }
    let report = comparison.report(&case, vec![]);
    let difference = report.runs[1].difference.as_ref().unwrap();
    assert_eq!((report.equal, difference.found), (Some(false), difference.expected + 5));
    assert_ne!(report.runs[0].run.digest, report.runs[1].run.digest);
}

#[test]
fn the_table_counts_what_the_model_calls_it() {
    let (_, text) = compared::<WatershedCase>("--side 3 --step 10 --until 100", |_| ());
    let heads = text.lines().find(|line| line.trim_start().starts_with("backend")).unwrap();
    let words: Vec<&str> = heads.split_whitespace().collect();
    assert_eq!(words, ["backend", "transitions", "rounds", "set-up", "wall", "time", "transitions/s", "speed-up"]);
}

#[test]
fn a_part_of_a_run_is_not_compared() {
    let (ending, text) = compared::<FileCase>(CLINIC, |run| {
        run.interrupted = true;
        run.outcome[0].in_transit += 1;
    });
    assert_eq!(ending, Ending::Interrupted);
    assert!(text.contains("INTERRUPTED: there is nothing to compare"), "{text}");
}

#[test]
fn an_interruption_in_a_set_up_loses_no_run_before_it() {
    let mut case: TorusCase = case(TORUS);
    let mut comparison = Comparison::new();
    let interrupted = || Err(CommandError::Run(Box::new(DeviceError::Interrupted.into())));
    assert!(comparison.take(&case, &Ready::heap(None), interrupted()).is_err());
    let run = run_whole(&mut case, (Target::Heap, Wanted::Records), None, &mut unwatched()).unwrap();
    let digest = TorusCase::digest(&run.outcome).to_string();
    comparison.take(&case, &Ready::heap(None), Ok(run)).unwrap();
    comparison.take(&case, &Ready::heap(None), interrupted()).unwrap();
    assert_eq!(comparison.ending(), Ending::Interrupted);
    let report = comparison.report(&case, vec![]);
    assert_eq!((report.runs.len(), report.interrupted, report.equal), (1, true, None));
    assert_eq!(report.runs[0].run.digest, digest);
}

#[test]
fn a_backend_is_not_compared_with_itself() {
    use Compared::{Cuda, CudaWords, Heap, Wgpu, WgpuWords};
    assert!(check_backends(&[Heap, Wgpu, WgpuWords, Cuda, CudaWords], false).is_ok());
    assert!(check_backends(&[Heap, Wgpu, Cuda], true).is_ok());
    for (names, no_int64) in [
        (vec![], false),
        (vec![Heap], false),
        (vec![Heap, Heap], false),
        (vec![Wgpu, WgpuWords], true),
        (vec![Cuda, CudaWords], true),
    ] {
        assert!(check_backends(&names, no_int64).is_err(), "{names:?}");
    }
}
