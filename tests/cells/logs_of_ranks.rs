//! The log of ranks: what crosses for it counts, it ends where the run does, and where it cannot be written all ranks end.

use std::num::NonZeroU32;

use tickless::cells::gpu::{CellOptions, DeviceCells};
use tickless::cells::log::{CellLog, LogEntry};
use tickless::cells::{self, Border, CellOutcome, Space};
use tickless::ranks::{Mail, Ranks, ThreadTransport, Transport, TransportError, side_by_side};
use tickless::run::{Run, Watch, unwatched};

use crate::gossip::Gossip;
use crate::log::{Full, Kept, on_the_heap};
use crate::ranks::{Stops, threads};

fn logged(
    model: &impl DeviceCells,
    over: Ranks<'_>,
    log: Option<&mut dyn CellLog>,
    watch: &mut dyn Watch,
) -> Run<CellOutcome> {
    let options = CellOptions { log, ..CellOptions::default() };
    cells::run(model, 0..1, over, options, watch).unwrap_or_else(|error| panic!("{error}"))
}

fn gossip(size: [u32; 3], border: Border) -> Gossip {
    Gossip { until: 3 << 32, ..Gossip::new(Space::new(size, border, Space::moore()).expect("a space")) }
}

/// Many cycles at one time, and cells that send twice at it.
fn tied() -> Gossip {
    Gossip { mask: 3, shift: 30, lookahead: 0, ..gossip([20, 20, 1], Border::Open) }
}

/// Words of a message of gossip, without the time that comes before one for the log.
const MESSAGE: usize = 2;

/// Where the first message for the log begins.
fn logged_in(list: &[u64]) -> Option<usize> {
    (0..list.len()).step_by(MESSAGE).find(|&place| list[place] >> 63 == 1)
}

/// Changes a word of an output that rank 0 is told for the log: in the list of this number that has any.
struct Meddling<'a, 'b> {
    ranks: &'a mut ThreadTransport<'b>,
    left: u32,
}

impl Transport for Meddling<'_, '_> {
    fn rank(&self) -> u32 {
        self.ranks.rank()
    }

    fn ranks(&self) -> u32 {
        self.ranks.ranks()
    }

    fn least(&mut self, word: u64) -> Result<u64, TransportError> {
        self.ranks.least(word)
    }

    fn exchange(&mut self, mail: &mut Mail) -> Result<(), TransportError> {
        self.ranks.exchange(mail)?;
        for from in mail.from().to_vec() {
            let list = mail.incoming_mut(from);
            if let Some(entry) = logged_in(list).filter(|_| self.left > 0 && self.ranks.rank() == 0) {
                self.left -= 1;
                if self.left == 0 {
                    list[entry + 1] ^= 1;
                }
            }
        }
        Ok(())
    }

    fn gather(&mut self, words: Vec<u64>) -> Result<Vec<Vec<u64>>, TransportError> {
        self.ranks.gather(words)
    }
}

/// One changed bit of what is told for the log changes one entry, and no cell.
#[test]
fn what_crosses_for_the_log_counts() {
    let model = tied();
    let (alone, expected) = on_the_heap(&model, 1);
    for number in [0, 3] {
        let mut log = Kept::default();
        let meddled = |ranks: &mut ThreadTransport<'_>, log: Option<&mut dyn CellLog>| {
            let mut meddling = Meddling { left: if ranks.rank() == 0 { number } else { 0 }, ranks };
            let run = logged(&model, Ranks::Over(&mut meddling), log, &mut unwatched());
            assert_eq!(meddling.left, 0, "there is less to hear");
            run.outcome
        };
        let ends = side_by_side(
            NonZeroU32::new(2).expect("two"),
            |ranks| meddled(ranks, Some(&mut log)),
            |ranks| meddled(ranks, None),
        );
        let first = ends.into_iter().next().expect("rank 0").expect("no panic");
        assert_eq!(first.digest(), alone.outcome.digest());
        assert_eq!(log.0.len(), expected.len());
        let differ = log.0.iter().zip(&expected).filter(|(left, right)| left != right).count();
        assert_eq!(differ, usize::from(number > 0));
    }
}

#[test]
fn an_interrupted_log_ends_where_the_run_does() {
    let model = Gossip { until: 30 << 32, ..gossip([40, 40, 1], Border::Open) };
    let (_, whole) = on_the_heap(&model, 1);
    for count in [2, 3] {
        let mut log = Kept::default();
        let mut watch = Stops { looks: 1, pauses: false };
        let run = logged(&model, threads(count), Some(&mut log), &mut watch);
        assert!(run.interrupted && run.clock.ticks() < model.until);
        let before = whole.partition_point(|entry: &LogEntry| entry.time < run.clock);
        assert!(before > 0 && whole[..before] == log.0[..], "{count} ranks: {before} and {}", log.0.len());
    }
}

#[test]
fn a_log_that_fails_ends_all_ranks() {
    let options = CellOptions { log: Some(&mut Full), ..CellOptions::default() };
    let said = cells::run(&tied(), 0..1, threads(2), options, &mut unwatched()).expect_err("no room").to_string();
    assert!(said.starts_with("the log cannot be written (no room)"), "{said}");
}
