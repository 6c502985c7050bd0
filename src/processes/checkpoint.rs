//! A run at its clock: another run resumes from there, here or elsewhere.

use super::{Outcome, PendingMessage, ProcessError, ProcessRecord};
use tickless_core::archive::{ArchiveError, Arrays, wrong};
use tickless_core::memory;
use tickless_core::time::Time;

/// The state of a run of logical processes at its clock. A run of a [`Restartable`](tickless_core::run::Restartable) model resumes from it on
/// any backend, with the digest of an uninterrupted run.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use std::ops::ControlFlow;
/// use tickless::{device::Target, processes::{self, Phold}, run::{Restartable, unwatched}};
/// let model = Phold::new(64).until(500.0).check()?;
/// let mut stop = |_: &tickless::run::Progress| ControlFlow::Break(());
/// let restartable = |from| Restartable { model: &model, from };
/// let first = processes::run(restartable(None), Target::Heap, Default::default(), &mut stop)?;
/// assert!(first.interrupted);
/// let rest = restartable(Some(&first.outcome));
/// let rest = processes::run(rest, Target::Heap, Default::default(), &mut unwatched())?;
/// let whole = processes::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(rest.outcome.outcome.digest(), whole.outcome.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// The records at the clock, which is its `until`. It always has records.
    pub outcome: Outcome,
    /// The 64 bits of each process's random stream.
    pub streams: Vec<u64>,
    /// Messages so far from events to another process than their own, where every backend has counted them.
    pub remote: Option<u64>,
}

/// Columns of a process, and of a pending message without and with words.
const PROCESS: usize = 4;
const MESSAGE: [usize; 2] = [2, 4];

impl Checkpoint {
    /// Refuses a checkpoint of a model with another number of processes or another horizon.
    ///
    /// # Errors
    /// [`ProcessError::Checkpoint`].
    pub(super) fn check(&self, processes: u32, payload_words: usize, until: Time) -> Result<(), ProcessError> {
        let Outcome { processes: records, state, pending, payload_words: words, until: clock, added_up } =
            &self.outcome;
        let other = |what, found, expected| Err(ProcessError::Checkpoint { what, found, expected });
        let count = processes as usize;
        if records.len() != count || self.streams.len() != count || added_up.is_some() {
            return other("records of processes", records.len().min(self.streams.len()) as u64, processes.into());
        }
        if !state.len().is_multiple_of(count.max(1)) {
            return other("words of states", state.len() as u64, (state.len() / count * count) as u64);
        }
        if *words != payload_words {
            return other("words of a message", *words as u64, payload_words as u64);
        }
        let all: u64 = records.iter().map(|record| u64::from(record.pending)).sum();
        if pending.len() as u64 != all {
            return other("pending messages", pending.len() as u64, all);
        }
        if let Some(message) = pending.iter().find(|message| message.source >= processes) {
            return other(
                "processes, one of which has sent a message",
                u64::from(message.source) + 1,
                processes.into(),
            );
        }
        if let Some(message) = pending.iter().find(|message| message.time < *clock) {
            return other("ticks before a pending message", message.time.ticks(), clock.ticks());
        }
        if *clock > until {
            return other("ticks before it", clock.ticks(), until.ticks());
        }
        Ok(())
    }

    /// The pending messages of each process.
    pub(super) fn pending(&self) -> impl Iterator<Item = &[PendingMessage]> {
        let mut rest = &self.outcome.pending[..];
        self.outcome.processes.iter().map(move |record| rest.split_off(..record.pending as usize).unwrap_or_default())
    }

    /// The arrays of a checkpoint file.
    ///
    /// # Errors
    /// Too little memory.
    #[doc(hidden)]
    pub fn arrays(&self) -> Result<Arrays, ArchiveError> {
        let Outcome { processes, state, pending, payload_words, until, .. } = &self.outcome;
        let columns = MESSAGE[usize::from(*payload_words > 0)];
        let what = "the arrays of a checkpoint";
        memory::room_of(4 * state.len() as u64, what)?;
        let mut arrays = Arrays::default();
        let row = |(record, stream): (&ProcessRecord, &u64)| {
            let &ProcessRecord { executed, sent, last, pending } = record;
            [executed, pair(sent, pending), last.ticks(), *stream]
        };
        let mut words = memory::with_room(PROCESS * processes.len(), what)?;
        words.extend(processes.iter().zip(&self.streams).flat_map(row));
        arrays.add("processes", processes.len(), words);
        arrays.add_halves("state", state);
        let row = |message: &PendingMessage| {
            let &PendingMessage { time, source, sequence, payload: [a, b, c] } = message;
            [time.ticks(), pair(source, sequence), pair(a, b), c.into()].into_iter().take(columns)
        };
        let mut words = memory::with_room(columns * pending.len(), what)?;
        words.extend(pending.iter().flat_map(row));
        arrays.add("pending", pending.len(), words);
        let remote = self.remote.map_or([0, 0], |remote| [1, remote]);
        let words = [*payload_words as u64, self.outcome.state_words() as u64];
        arrays.add_list("run", [&[until.ticks()], &words[..], &remote[..]].concat());
        Ok(arrays)
    }

    /// The checkpoint from which [`Checkpoint::arrays`] made these arrays, for a model with so many processes.
    ///
    /// # Errors
    /// An array that does not fit such a model.
    #[doc(hidden)]
    pub fn from_arrays(processes: u32, mut arrays: Arrays) -> Result<Self, ArchiveError> {
        let count = processes as usize;
        let run = arrays.take_list("run")?;
        let [until, payload_words @ 0..=3, state_words, counted @ 0..=1, remote] = run[..] else {
            return Err(wrong("run", format!("is {run:?}")));
        };
        let rows = arrays.take("processes", count, PROCESS)?;
        let record = |row: &[u64; PROCESS]| {
            let (sent, pending) = halves(row[1]);
            ProcessRecord { executed: row[0], sent, last: Time::from_ticks(row[2]), pending }
        };
        let (rows, _) = rows.as_chunks();
        let records: Vec<ProcessRecord> = rows.iter().map(record).collect();
        let state = arrays.take_halves("state", count.saturating_mul(state_words as usize))?;
        let all = records.iter().map(|record| record.pending as usize).sum();
        let columns = MESSAGE[usize::from(payload_words > 0)];
        let message = |row: &[u64]| {
            let (source, sequence) = halves(row[1]);
            let payload =
                row.get(2..4).map_or([0; 3], |words| [halves(words[0]).0, halves(words[0]).1, words[1] as u32]);
            PendingMessage { time: Time::from_ticks(row[0]), source, sequence, payload }
        };
        let pending = arrays.take("pending", all, if all == 0 { 0 } else { columns })?;
        let outcome = Outcome {
            processes: records,
            state,
            pending: pending.chunks(columns).map(message).collect(),
            payload_words: payload_words as usize,
            until: Time::from_ticks(until),
            added_up: None,
        };
        let streams = rows.iter().map(|row| row[3]).collect();
        Ok(Self { outcome, streams, remote: (counted == 1).then_some(remote) })
    }
}

fn pair(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn halves(word: u64) -> (u32, u32) {
    (word as u32, (word >> 32) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint(payload_words: usize) -> Checkpoint {
        let payload = [[0; 3], [7, 8, u32::MAX]][usize::from(payload_words > 0)];
        let message = |time, source| PendingMessage { time: Time::from_ticks(time), source, sequence: 4, payload };
        let outcome = Outcome {
            processes: vec![
                ProcessRecord { executed: 1 << 40, sent: 3, last: Time::UNIT, pending: 2 },
                ProcessRecord { executed: 0, sent: u32::MAX, last: Time::ZERO, pending: 0 },
                ProcessRecord { executed: 9, sent: 1, last: Time::UNIT, pending: 1 },
            ],
            state: vec![1, 2, 3, 4, 5, u32::MAX],
            pending: vec![message(1 << 33, 0), message(1 << 34, 2), message(1 << 35, 1)],
            payload_words,
            until: Time::UNIT,
            added_up: None,
        };
        Checkpoint { outcome, streams: vec![u64::MAX, 0, 1 << 50], remote: Some(17) }
    }

    #[test]
    fn what_goes_into_arrays_comes_out() {
        for (words, remote) in [(0, None), (3, Some(0)), (1, Some(8))] {
            let all = Checkpoint { remote, ..checkpoint(words) };
            assert_eq!(Checkpoint::from_arrays(3, all.arrays().unwrap()).unwrap(), all);
            assert!(Checkpoint::from_arrays(4, all.arrays().unwrap()).is_err());
            all.check(3, words, Time::UNIT).unwrap();
        }
    }

    #[test]
    fn what_is_of_another_model_is_refused() {
        type Change = fn(&mut Checkpoint);
        let changes: [Change; 7] = [
            |c| c.streams.truncate(2),
            |c| c.outcome.state.truncate(5),
            |c| c.outcome.payload_words = 1,
            |c| c.outcome.pending.truncate(2),
            |c| c.outcome.pending[1].source = 3,
            |c| c.outcome.pending[2].time = Time::from_ticks(1 << 31),
            |c| c.outcome.until = Time::from_ticks((1 << 32) + 1),
        ];
        for change in changes {
            let mut other = checkpoint(0);
            change(&mut other);
            assert!(matches!(other.check(3, 0, Time::UNIT), Err(ProcessError::Checkpoint { .. })), "{other:?}");
        }
    }
}
