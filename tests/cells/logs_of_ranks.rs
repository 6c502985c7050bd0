//! The log of ranks on devices, and of these beside heaps: byte by byte the file of one heap.

use std::num::NonZeroU32;

use tickless::cells::gpu::DeviceCells;
use tickless::cells::log::{CellLog, LogEntry, LogHead, LogWord, LogWriter, Meaning};
use tickless::cells::{Border, CellOutcome, OverOptions, Space, reference, run_over_targets};
use tickless::device::{AdapterDescription, Device, DeviceError, Program, Session, SetUp};
use tickless::ranks::{Mail, Ranks, ThreadTransport, Transport, TransportError, side_by_side};
use tickless::run::{Run, Watch, unwatched};

use crate::gossip::Gossip;
use crate::log::{Full, Kept, on_the_heap};
use crate::ranks::{Stops, rules};
use crate::ranks_on_devices::{ranks, targets};
use crate::{adapter, fire, watershed};

/// The file of a log.
fn file(model: &impl DeviceCells, run: impl FnOnce(&mut dyn CellLog)) -> Vec<u8> {
    let word = |number| LogWord { name: format!("word {number}"), meaning: Meaning::Count { fraction: 0 } };
    let words = (0..model.output_words()).map(word).collect();
    let (size, replications) = (model.space().size(), model.replications());
    let mut log = LogWriter::new(vec![], &LogHead { model: "cells".into(), size, replications, words, layers: 1 })
        .expect("a head");
    run(&mut log);
    log.finish().expect("a file")
}

fn logged<'log>(
    model: &impl DeviceCells,
    over: Ranks<'_>,
    (places, device): (&str, &dyn Device),
    log: Option<&'log mut dyn CellLog>,
    watch: &mut dyn Watch,
) -> Option<Run<CellOutcome>> {
    let options = OverOptions::<'log> { log, ..Default::default() };
    let run = run_over_targets(model, over, targets(places, device), options, watch);
    run.unwrap_or_else(|error| panic!("{places}: {error}"))
}

fn assert_logs(model: &impl DeviceCells, places: &str, device: &dyn Device) {
    let expected = file(model, |log| _ = reference::run(model, Some(log), &mut unwatched()).expect("a run"));
    assert!(expected.len() > 1000, "{places}: {} bytes", expected.len());
    let found = file(model, |log| {
        let run = logged(model, ranks(places), (places, device), Some(log), &mut unwatched()).expect("rank 0");
        assert_eq!(run.outcome.digest(), on_the_heap(model).0.outcome.digest(), "{places}");
    });
    let differs = (0..found.len().max(expected.len())).find(|&n| found.get(n) != expected.get(n));
    assert_eq!(differs, None, "{places}: of {} bytes, {} in place of them", expected.len(), found.len());
}

fn gossip(size: [u32; 3], border: Border) -> Gossip {
    Gossip { until: 3 << 32, ..Gossip::new(Space::new(size, border, Space::moore()).expect("a space")) }
}

/// Many cycles at one time, and cells that send twice at it.
fn tied() -> Gossip {
    Gossip { mask: 3, shift: 30, lookahead: 0, ..gossip([20, 20, 1], Border::Open) }
}

#[test]
fn ranks_on_devices_log_what_one_heap_logs() {
    let [_, soaking, _] = watershed::models();
    let [neighbours, ..] = fire::models();
    let several = Gossip { mask: 3, shift: 30, replications: 2, ..gossip([30, 20, 1], Border::Wrapped) };
    for (form, device) in adapter::forms(&["native"]) {
        println!("{form}");
        let device = device.as_ref();
        assert_logs(&rules("life.ma", 2001.0), "hdd", device);
        assert_logs(&soaking, "dhd", device);
        assert_logs(neighbours, "ddd", device);
        assert_logs(&several, "dh", device);
        assert_logs(&tied(), "dd", device);
        assert_logs(&tied(), "hdh", device);
    }
}

#[test]
fn logs_of_ranks_on_devices_are_whole_or_end_the_run() {
    for (form, device) in adapter::forms(&["native"]) {
        println!("{form}");
        let device = device.as_ref();
        what_crosses_for_the_log_counts(&tied(), device);
        a_full_device_goes_on(device);
        an_interrupted_log_ends_where_the_run_does(device);
        a_log_that_fails_ends_all_ranks(&tied(), device);
    }
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
fn what_crosses_for_the_log_counts(model: &Gossip, device: &dyn Device) {
    let (alone, expected) = on_the_heap(model);
    for (places, number) in [("hd", 0), ("hd", 3), ("dh", 3)] {
        let mut log = Kept::default();
        let meddled = |ranks: &mut ThreadTransport<'_>, log: Option<&mut dyn CellLog>| {
            let mut meddling = Meddling { left: if ranks.rank() == 0 { number } else { 0 }, ranks };
            let run = logged(model, Ranks::Over(&mut meddling), (places, device), log, &mut unwatched());
            assert_eq!(meddling.left, 0, "there is less to hear");
            run.map(|run| run.outcome)
        };
        let ends = side_by_side(
            NonZeroU32::new(2).expect("two"),
            |ranks| meddled(ranks, Some(&mut log)),
            |ranks| meddled(ranks, None),
        );
        let first = ends.into_iter().next().expect("rank 0").expect("no panic");
        assert_eq!(first.expect("a run on rank 0").digest(), alone.outcome.digest(), "{places}");
        assert_eq!(log.0.len(), expected.len(), "{places}");
        let differ = log.0.iter().zip(&expected).filter(|(left, right)| left != right).count();
        assert_eq!(differ, usize::from(number > 0), "{places}");
    }
}

/// A device whose buffers are small.
struct Small<'a> {
    device: &'a dyn Device,
    adapter: AdapterDescription,
}

impl Device for Small<'_> {
    fn adapter(&self) -> &AdapterDescription {
        &self.adapter
    }

    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        self.device.load(program, set_up)
    }
}

/// Where the log of a rank is full in the midst of its rounds it is taken to the host, and they go on.
fn a_full_device_goes_on(device: &dyn Device) {
    let mut adapter = device.adapter().clone();
    // A rank has 1,024 cells of eight words, and a log that is no longer has room for a round and a half.
    adapter.capabilities.buffer_size = 33 << 10;
    let small = Small { device, adapter };
    // Ranks hear nobody, so that they go far at a time.
    let apart = Space::new([32, 64, 1], Border::Open, vec![[1, 0, 0], [-1, 0, 0]]).expect("a space");
    let model = Gossip { space: apart, until: 24 << 32, elapsed: false, ..tied() };
    assert_logs(&model, "hd", &small);
}

fn an_interrupted_log_ends_where_the_run_does(device: &dyn Device) {
    let model = Gossip { until: 30 << 32, ..gossip([40, 40, 1], Border::Open) };
    let (_, whole) = on_the_heap(&model);
    for places in ["hd", "dhd"] {
        let mut log = Kept::default();
        let mut watch = Stops { looks: 1, pauses: false };
        let run = logged(&model, ranks(places), (places, device), Some(&mut log), &mut watch).expect("rank 0");
        assert!(run.interrupted && run.clock.ticks() < model.until, "{places}");
        let before = whole.partition_point(|entry: &LogEntry| entry.time < run.clock);
        assert!(before > 0 && whole[..before] == log.0[..], "{places}: {before} and {}", log.0.len());
    }
}

fn a_log_that_fails_ends_all_ranks(model: &Gossip, device: &dyn Device) {
    let options = OverOptions { log: Some(&mut Full), ..Default::default() };
    let run = run_over_targets(model, ranks("dd"), targets("dd", device), options, &mut unwatched());
    let said = run.expect_err("no room").to_string();
    assert!(said.starts_with("the log cannot be written (no room)"), "{said}");
}
