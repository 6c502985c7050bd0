//! Logs: the same from every backend, and what the run has sent.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;

use tickless::cells::fire::{Fire, Landscape, Weather};
use tickless::cells::gpu::{CellOptions, DeviceCells};
use tickless::cells::log::{CellLog, LogEntry};
use tickless::cells::{self, Border, Cell, CellOutcome, Space};
use tickless::device::Target;
use tickless::engine::{BatchSize, Options};
use tickless::run::{Progress, Run, Watch, unwatched};
use tickless::time::Time;

use crate::adapter;
use crate::gossip::Gossip;

/// Keeps what is sent.
#[derive(Default)]
pub struct Kept(pub Vec<LogEntry>);

impl CellLog for Kept {
    fn sent(&mut self, cell: Cell, time: Time, output: &[u32]) -> io::Result<()> {
        self.0.push(LogEntry { cell, time, output: output.to_vec() });
        Ok(())
    }
}

pub fn on_the_heap(model: &impl DeviceCells, replications: u32) -> (Run<CellOutcome>, Vec<LogEntry>) {
    let mut log = Kept::default();
    let run = cells::run(
        model,
        0..replications,
        Target::Heap,
        CellOptions { log: Some(&mut log), ..Default::default() },
        &mut unwatched(),
    )
    .expect("a run");
    (run, log.0)
}

/// The first output in which two logs differ.
fn difference<'a>(left: &'a [LogEntry], right: &'a [LogEntry]) -> Option<(Option<&'a LogEntry>, Option<&'a LogEntry>)> {
    let place = (0..left.len().max(right.len())).find(|&n| left.get(n) != right.get(n))?;
    Some((left.get(place), right.get(place)))
}

fn models() -> [Gossip; 4] {
    let space = |size, border, offsets| Space::new(size, border, offsets).expect("a space");
    let moore = |size| Gossip { until: 3 << 32, ..Gossip::new(space(size, Border::Open, Space::moore())) };
    let planes = vec![[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, -1, 1]];
    [
        moore([37, 35, 1]),
        // Ties, and cells that send twice at one time, in several replications.
        Gossip { mask: 3, shift: 30, replications: 3, ..moore([30, 20, 1]) },
        Gossip { mask: 3, lookahead: 0, shift: 30, ..moore([20, 20, 1]) },
        Gossip { uneven: true, until: 3 << 32, ..Gossip::new(space([19, 18, 3], Border::Wrapped, planes)) },
    ]
}

#[test]
fn devices_log_what_the_heap_logs() {
    for model in &models() {
        let (expected, log) = on_the_heap(model, model.replications);
        assert!(log.len() > 300, "{}", log.len());
        for (form, device) in adapter::forms(&[if model.uneven { "words" } else { "native" }]) {
            // With no more room than a round needs rounds stop every time something is sent.
            for log_bytes in [None, Some(0)] {
                let mut found = Kept::default();
                let options = CellOptions { log: Some(&mut found), log_bytes, ..CellOptions::default() };
                let run = cells::run(model, 0..model.replications, Target::Device(&device), options, &mut unwatched());
                let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
                assert_eq!(difference(&log, &found.0), None, "{form}, {log_bytes:?}: {model:?}");
                assert_eq!(expected.outcome.digest(), run.outcome.digest(), "{form}: {model:?}");
            }
        }
    }
}

/// The order of a log, and that it leads to the end of the run.
#[test]
fn a_log_is_what_was_sent() {
    let mut twice = 0;
    for model in models() {
        let (run, log) = on_the_heap(&model, model.replications);
        let order = |entry: &LogEntry| (entry.cell.replication, entry.time, entry.cell.id);
        assert!(log.is_sorted_by_key(order) && log.iter().all(|entry| entry.time.ticks() < model.until));
        twice += log.windows(2).filter(|pair| order(&pair[0]) == order(&pair[1])).count();
        let last: HashMap<_, _> =
            log.iter().map(|entry| ((entry.cell.replication, entry.cell.id), &entry.output)).collect();
        for ((replication, cell), output) in last {
            assert_eq!(run.outcome.output_of(replication, cell), output, "cell {cell}: {model:?}");
        }
        let silent = Kept::default();
        assert!(difference(&log, &silent.0).is_some());
    }
    assert!(twice > 0);
}

#[test]
fn one_changed_output_is_caught() {
    let (_, log) = on_the_heap(&models()[0], 1);
    let mut other = log.clone();
    other[300].output[1] ^= 1;
    assert_eq!(difference(&log, &other), Some((Some(&log[300]), Some(&other[300]))));
    assert_eq!(difference(&log, &log[1..]).map(|(left, _)| left), Some(Some(&log[0])));
    assert_eq!(difference(&log, &log[..400]), Some((Some(&log[400]), None)));
}

/// First passages are not simulated in order, and their logs are.
#[test]
fn fires_log_when_cells_take_fire() {
    let land = Landscape::made_up(40, 40, 3).expect("a landscape");
    let fire = Fire::new(land, Weather::still()).until(600.0).check().expect("a model");
    let (run, log) = on_the_heap(&fire, 3);
    assert_eq!(log.len() as u64, run.outcome.imminent);
    for (form, device) in adapter::forms(&["words"]) {
        for at_once in [None, Some(2)] {
            let mut found = Kept::default();
            let options = CellOptions { log: Some(&mut found), at_once, ..CellOptions::default() };
            cells::run(&fire, 0..3, Target::Device(&device), options, &mut unwatched()).expect("a run");
            assert_eq!(difference(&log, &found.0), None, "{form}");
        }
    }
}

#[test]
fn the_log_of_an_interrupted_run_ends_where_the_run_does() {
    fn after(looks: u32) -> impl Watch {
        let mut left = looks;
        move |_: &Progress| {
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let model = Gossip {
        until: 60 << 32,
        ..Gossip::new(Space::new([64, 64, 1], Border::Open, Space::moore()).expect("a space"))
    };
    let (_, whole) = on_the_heap(&model, model.replications);
    let check = |run: Run<CellOutcome>, log: &[LogEntry]| {
        assert!(run.interrupted && run.clock.ticks() < model.until);
        let before = whole.partition_point(|entry| entry.time < run.clock);
        assert_eq!(difference(&whole[..before], log), None);
    };
    let mut log = Kept::default();
    check(
        cells::run(
            &model,
            0..1,
            Target::Heap,
            CellOptions { log: Some(&mut log), ..Default::default() },
            &mut after(1),
        )
        .expect("a run"),
        &log.0,
    );
    let rounds = Options { batch: BatchSize::Rounds(3), ..Options::default() };
    for (form, device) in adapter::forms(&["native"]) {
        for log_bytes in [None, Some(0)] {
            let mut log = Kept::default();
            let options = CellOptions { log: Some(&mut log), rounds, log_bytes, ..CellOptions::default() };
            let run = cells::run(&model, 0..model.replications, Target::Device(&device), options, &mut after(4));
            check(run.unwrap_or_else(|e| panic!("{form}: {e}")), &log.0);
        }
    }
}

/// A log that nothing goes into.
pub struct Full;

impl CellLog for Full {
    fn sent(&mut self, _: Cell, _: Time, _: &[u32]) -> io::Result<()> {
        Err(io::Error::other("no room"))
    }
}

/// What a log says of itself ends the run.
#[test]
fn a_log_that_fails_ends_the_run() {
    let model = &models()[0];
    let error = cells::run(
        model,
        0..1,
        Target::Heap,
        CellOptions { log: Some(&mut Full), ..Default::default() },
        &mut unwatched(),
    )
    .unwrap_err()
    .to_string();
    assert!(error.starts_with("the log cannot be written (no room)"), "{error}");
    let (_, device) = adapter::forms(&["native"]).remove(0);
    let run = cells::run(
        model,
        0..1,
        Target::Device(&device),
        CellOptions { log: Some(&mut Full), ..CellOptions::default() },
        &mut unwatched(),
    );
    assert_eq!(run.unwrap_err().to_string(), error);
}
