//! The results from the records on a device.

use std::borrow::Cow;

use rayon::prelude::*;

use super::layout::Layout;
use super::model::DeviceModel;
use super::pending::occupied;
use super::records::{
    FAULT_DESTINATION, FAULT_LOOKAHEAD, FAULT_MESSAGES, FAULT_MOST_SENT, FAULT_OUTSIDE, FAULT_START, FAULT_STATE,
    FAULT_TIME, Process, gathered_inboxes,
};
use crate::{Checkpoint, Outcome, PendingMessage, ProcessError, ProcessRecord};
use tickless_core::memory;
use tickless_core::time::Time;
use tickless_device::DeviceError;
use tickless_engine::Rounds;
use tickless_engine::pending::PendingSet;

/// Words of 16 bytes that are read at once.
const PART: usize = 1 << 23;

/// Every record; all inboxes are empty and every event before the clock has happened.
pub(super) fn outcome(rounds: &mut Rounds, model: &DeviceModel, layout: &Layout) -> Result<Outcome, DeviceError> {
    let (processes, more_words) = (processes(rounds, layout)?, more_words(rounds, model)?);
    let known = Known { words: model.state_words, payload_words: model.payload_words, layout: *layout };
    let clock = rounds.clock();
    // Part by part: the outcome of the largest models leaves little memory for a copy of their slots.
    known.outcome(&processes, more_words.as_deref(), clock, |first, count| {
        rounds.read_part("slots", first, count).map(Cow::Owned)
    })
}

/// The records of the processes, with the number of events of each.
fn processes(rounds: &mut Rounds, layout: &Layout) -> Result<Vec<Process>, DeviceError> {
    let mut processes: Vec<Process> = rounds.read("processes")?;
    if layout.set == PendingSet::Unsorted {
        let counts = gathered_inboxes(rounds.read("inboxes")?, layout.inbox_shift);
        processes.iter_mut().zip(counts).for_each(|(process, count)| process.count = count);
    }
    Ok(processes)
}

/// The words of their states beside the first, where they have more.
pub(super) fn more_words(rounds: &mut Rounds, model: &DeviceModel) -> Result<Option<Vec<u32>>, DeviceError> {
    model.more_words().map(|_| rounds.read("more_words")).transpose()
}

/// The records as they lie on the device.
pub(super) struct Records {
    known: Known,
    processes: Vec<Process>,
    more_words: Option<Vec<u32>>,
    slots: Vec<[u32; 4]>,
    clock: Time,
}

impl Records {
    /// Reads them, if there is memory for them and for the checkpoint made from them.
    pub(super) fn read(rounds: &mut Rounds, model: &DeviceModel, layout: &Layout) -> Result<Option<Self>, DeviceError> {
        let (count, slots) = (rounds.count::<Process>("processes")? as u64, rounds.count::<[u32; 4]>("slots")? as u64);
        // Beside the copies an outcome, with a place for an event in each slot.
        let each = (2 * size_of::<Process>() + size_of::<ProcessRecord>()) as u64 + 8 * u64::from(model.state_words);
        let slot = (size_of::<[u32; 4]>() + size_of::<PendingMessage>()) as u64;
        if memory::room_of(each * count + slot * slots, "a snapshot of the processes").is_err() {
            return Ok(None);
        }
        Ok(Some(Self {
            known: Known { words: model.state_words, payload_words: model.payload_words, layout: *layout },
            processes: processes(rounds, layout)?,
            more_words: more_words(rounds, model)?,
            slots: rounds.read("slots")?,
            clock: rounds.clock(),
        }))
    }

    /// The checkpoint from which another run resumes.
    pub(super) fn checkpoint(self) -> Result<Checkpoint, DeviceError> {
        let Self { known, processes, more_words, slots, clock } = self;
        let read = |first: usize, count: usize| Ok(Cow::Borrowed(&slots[first..first + count]));
        let outcome = known.outcome(&processes, more_words.as_deref(), clock, read)?;
        Ok(Checkpoint { outcome, streams: streams(&processes)?, remote: None })
    }
}

/// The state of each process's stream.
pub(super) fn streams(processes: &[Process]) -> Result<Vec<u64>, DeviceError> {
    memory::room::<u64>(processes.len(), "the streams of the processes")?;
    Ok(processes.iter().map(|process| process.state).collect())
}

/// The parts of a model that are needed to read its records.
struct Known {
    words: u32,
    payload_words: usize,
    layout: Layout,
}

impl Known {
    /// Every record; `read` gives the slots of processes from a first one on.
    fn outcome<'s>(
        &self,
        processes: &[Process],
        more_words: Option<&[u32]>,
        clock: Time,
        mut read: impl FnMut(usize, usize) -> Result<Cow<'s, [[u32; 4]]>, DeviceError>,
    ) -> Result<Outcome, DeviceError> {
        let layout = &self.layout;
        let count = processes.iter().map(|process| process.count as usize).sum();
        let mut pending = memory::with_room(count, "the pending events")?;
        let (words, mut first) = (layout.set_words(), 0);
        for part in processes.chunks((PART / words).max(1)) {
            let slots = read(first, part.len() * words)?;
            first += slots.len();
            let sets = part.par_iter().zip(slots.par_chunks(words));
            let found: Vec<_> = sets.map(|(process, set)| messages(process, set, layout)).collect();
            found.iter().for_each(|messages| pending.extend_from_slice(messages));
        }
        let record = |process: &Process| ProcessRecord {
            executed: process.executed,
            sent: process.sent,
            last: Time::from_ticks(process.now),
            pending: process.count,
        };
        memory::room::<(ProcessRecord, u32)>(processes.len(), "the records of the processes")?;
        Ok(Outcome {
            processes: processes.iter().map(record).collect(),
            state: states(processes, self.words, more_words),
            pending,
            payload_words: self.payload_words,
            until: clock,
            added_up: None,
        })
    }
}

/// The states of all processes, of `words` words each.
pub(super) fn states(processes: &[Process], words: u32, more_words: Option<&[u32]>) -> Vec<u32> {
    let first = processes.iter().map(|process| process.word);
    match (words, more_words) {
        (0, _) => vec![],
        (_, None) => first.collect(),
        (_, Some(more)) => first
            .zip(more.chunks(words as usize - 1))
            .flat_map(|(first, more)| std::iter::once(first).chain(more.iter().copied()))
            .collect(),
    }
}

/// The events of a set, in order.
fn messages(process: &Process, set: &[[u32; 4]], layout: &Layout) -> Vec<PendingMessage> {
    let words = layout.slot_words();
    let links = |slot: u32| {
        let [left, right, ..] = set[(slot as usize + 1) * words - 1];
        [left, right]
    };
    let message = |slot: u32| {
        let place = slot as usize * words;
        let [low, high, source, sequence] = set[place];
        let payload = if layout.carrying { set[place + 1] } else { [0; 4] };
        let time = Time::from_ticks(u64::from(high) << 32 | u64::from(low));
        PendingMessage { time, source, sequence, payload: [payload[0], payload[1], payload[2]] }
    };
    let mut found: Vec<_> = occupied(layout.set, process, layout.slots, links).into_iter().map(message).collect();
    found.sort_unstable_by_key(PendingMessage::key);
    found
}

/// The fault that a process has left, as an error.
///
/// # Errors
/// [`ProcessError`].
pub(super) fn fault(rounds: &mut Rounds, model: &DeviceModel) -> Result<(), ProcessError> {
    if rounds.control().fault == 0 {
        return Ok(());
    }
    let process = rounds.control().fault_entity;
    let record = rounds.read::<Process>("processes")?[process as usize];
    let (now, delay, lookahead) = (Time::from_ticks(record.now), Time::from_ticks(record.state), model.lookahead);
    let processes = model.processes;
    Err(match record.executed as u32 {
        FAULT_LOOKAHEAD => ProcessError::Lookahead { process, delay, lookahead },
        FAULT_DESTINATION => ProcessError::Destination { process, destination: record.state as u32, processes },
        FAULT_TIME => ProcessError::Time { process, now, delay },
        FAULT_MESSAGES => ProcessError::Messages { process },
        FAULT_MOST_SENT => ProcessError::MostSent { process, now, most: model.most_sent },
        FAULT_STATE => ProcessError::StateWord { process, word: record.state as u32, words: model.state_words },
        FAULT_OUTSIDE => {
            let (index, line) = (record.state as u32, (record.state >> 32) as u32);
            let (file, text) = model.source.line(line);
            ProcessError::Outside { process, now, file, line, text, index }
        }
        FAULT_START => ProcessError::Starting { process, most: model.starting },
        fault => ProcessError::Model(format!("process {process} has set the unknown fault {fault}").into()),
    })
}
