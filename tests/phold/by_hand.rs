//! PHOLD written down once more, from the contract alone: an ordered map of messages, nothing else.

use std::collections::BTreeMap;

use super::*;
use tickless::processes::{PendingMessage, ProcessRecord};
use tickless::random::{Stream, StreamKey, exponential};
use tickless::time::Time;

/// PHOLD's parameters in ticks. `threshold` is the probability of a remote event in units of 2^-32.
#[derive(Clone, Copy, Debug)]
struct Parameters {
    processes: u32,
    population: u32,
    lookahead: u64,
    mean: u64,
    threshold: u64,
    work: u32,
    until: u64,
    seed: u64,
}

#[derive(Default)]
struct Process {
    record: ProcessRecord,
    checksum: u32,
    pending: Vec<PendingMessage>,
}

impl Parameters {
    fn phold(&self) -> Phold {
        let units = |ticks: u64| ticks as f64 / 2.0_f64.powi(32);
        Phold::new(self.processes)
            .population(self.population)
            .lookahead(units(self.lookahead))
            .mean(units(self.mean))
            .remote(units(self.threshold))
            .work(self.work)
            .until(units(self.until))
            .seed(self.seed)
    }

    fn increment(&self, stream: &mut Stream) -> u64 {
        self.lookahead + ((u128::from(exponential(stream.draw())) * u128::from(self.mean)) >> 32) as u64
    }

    fn destination(&self, stream: &mut Stream, own: u32) -> u32 {
        if self.threshold == 0 {
            return own;
        }
        let drawn = ((u64::from(stream.draw()) * u64::from(self.processes)) >> 32) as u32;
        let stays = self.threshold < 1 << 32 && u64::from(stream.draw()) >= self.threshold;
        if stays { own } else { drawn }
    }

    fn simulate(&self) -> Outcome {
        let mut processes: Vec<Process> = (0..self.processes).map(|_| Process::default()).collect();
        let mut streams: Vec<Stream> = (0..self.processes).map(|id| StreamKey::new(self.seed, 0).stream(id)).collect();
        // (time, source, sequence) of every message, and to whom.
        let mut messages = BTreeMap::new();
        for id in 0..self.processes {
            for sequence in 0..self.population {
                messages.insert((self.increment(&mut streams[id as usize]), id, sequence), id);
            }
            processes[id as usize].record.sent = self.population;
        }
        while messages.first_key_value().is_some_and(|((time, ..), _)| *time < self.until) {
            let ((time, ..), own) = messages.pop_first().unwrap();
            let stream = &mut streams[own as usize];
            let arrival = time + self.increment(stream);
            let destination = self.destination(stream, own);
            let process = &mut processes[own as usize];
            (0..self.work).for_each(|_| process.checksum ^= stream.draw());
            messages.insert((arrival, own, process.record.sent), destination);
            process.record.sent += 1;
            process.record.executed += 1;
            process.record.last = Time::from_ticks(time);
        }
        for ((time, source, sequence), destination) in messages {
            let message = PendingMessage { time: Time::from_ticks(time), source, sequence, payload: [0; 3] };
            processes[destination as usize].pending.push(message);
        }
        let record = |process: &Process| ProcessRecord { pending: process.pending.len() as u32, ..process.record };
        Outcome {
            processes: processes.iter().map(record).collect(),
            state: processes.iter().map(|process| process.checksum).collect(),
            pending: processes.iter().flat_map(|process| process.pending.clone()).collect(),
            payload_words: 0,
            until: Time::from_ticks(self.until),
            added_up: None,
        }
    }
}

const UNIT: u64 = 1 << 32;

#[test]
fn it_is_phold_as_written_down() {
    let base = Parameters {
        processes: 100,
        population: 1,
        lookahead: UNIT / 8,
        mean: UNIT,
        threshold: UNIT,
        work: 0,
        until: 50 * UNIT,
        seed: 1,
    };
    let cases = [
        base,
        Parameters { processes: 1, population: 1, ..base },
        Parameters { processes: 1, population: 300, work: 3, ..base },
        Parameters { processes: 2, population: 7, threshold: UNIT / 4, ..base },
        Parameters { processes: 1000, population: 3, threshold: 0, work: 1, ..base },
        Parameters { processes: 257, population: 16, lookahead: 1, threshold: 3, ..base },
        Parameters { processes: 20, lookahead: 40 * UNIT, until: 1000 * UNIT, seed: u64::MAX, ..base },
        // Nothing happens; everything happens almost at once.
        Parameters { until: UNIT / 8, ..base },
        Parameters { processes: 50, population: 50, lookahead: 7, mean: 5000, until: 100_000, ..base },
    ];
    for case in cases {
        let found = run(case.phold());
        assert_same(&case.simulate(), &found.outcome, &format!("{case:?}"));
        assert_eq!(found.events, found.outcome.statistics().executed);
        assert_eq!((found.clock.ticks(), found.interrupted), (case.until, false));
    }
}

/// More processes and a later horizon than a message of 128 bits has room for.
#[test]
fn times_and_processes_may_be_large() {
    let case = Parameters {
        processes: 150_000,
        population: 1,
        lookahead: 1 << 60,
        mean: 1 << 57,
        threshold: UNIT,
        work: 1,
        until: 1 << 62,
        seed: 5,
    };
    assert_same(&case.simulate(), &run(case.phold()).outcome, "150,000 processes");
}
