//! The ranks' parts of a run at its end, put together on rank 0.

use crate::{AddedUp, Checkpoint, Outcome, PendingMessage, ProcessError, ProcessRecord, Totals};
use tickless_core::memory;
use tickless_core::ranks::{Failure, Transport, agree};
use tickless_core::run::Sums;
use tickless_core::run::Wanted;
use tickless_core::time::Time;

/// Words of a record, and of a pending message.
const RECORD: usize = 4;
const MESSAGE: usize = 4;

fn pair(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn halves(word: u64) -> [u32; 2] {
    [(word >> 32) as u32, word as u32]
}

/// The part of a rank, in words: the number of each kind, then all of them.
fn pack(own: &Checkpoint) -> Vec<u64> {
    let Checkpoint { outcome: Outcome { processes, state, pending, payload_words, until, .. }, streams, .. } = own;
    let lengths = [processes.len(), state.len(), pending.len(), streams.len(), *payload_words];
    let mut words: Vec<u64> = lengths.into_iter().map(|length| length as u64).collect();
    words.push(until.ticks());
    let record = |r: &ProcessRecord| -> [u64; RECORD] { [r.executed, r.sent.into(), r.last.ticks(), r.pending.into()] };
    words.extend(processes.iter().flat_map(record));
    words.extend(state.iter().map(|word| u64::from(*word)));
    let message = |m: &PendingMessage| -> [u64; MESSAGE] {
        let [a, b, c] = m.payload;
        [m.time.ticks(), pair(m.source, m.sequence), pair(a, b), c.into()]
    };
    words.extend(pending.iter().flat_map(message));
    words.extend(streams);
    words
}

/// Adds the part of a rank behind those of the ranks before it.
fn unpack(all: &mut Checkpoint, words: &[u64]) {
    let Some((&[processes, state, pending, streams, payload_words, until], mut rest)) = words.split_first_chunk()
    else {
        return;
    };
    let outcome = &mut all.outcome;
    (outcome.payload_words, outcome.until) = (payload_words as usize, Time::from_ticks(until));
    let mut take = |count: u64, each: usize| rest.split_off(..count as usize * each).unwrap_or_default();
    let (records, _) = take(processes, RECORD).as_chunks();
    let record = |&[executed, sent, last, pending]: &[u64; RECORD]| ProcessRecord {
        executed,
        sent: sent as u32,
        last: Time::from_ticks(last),
        pending: pending as u32,
    };
    outcome.processes.extend(records.iter().map(record));
    outcome.state.extend(take(state, 1).iter().map(|word| *word as u32));
    let (messages, _) = take(pending, MESSAGE).as_chunks();
    let message = |&[time, who, first, last]: &[u64; MESSAGE]| {
        let ([source, sequence], [a, b]) = (halves(who), halves(first));
        PendingMessage { time: Time::from_ticks(time), source, sequence, payload: [a, b, last as u32] }
    };
    outcome.pending.extend(messages.iter().map(message));
    all.streams.extend(take(streams, 1));
}

/// The totals of the records of a rank, in words.
fn pack_sums(totals: Totals, sums: Sums) -> Vec<u64> {
    let Totals { processes, state_words, executed, sent, pending, most_pending, idle } = totals;
    let totals = [processes, state_words as u64, executed, sent, pending, most_pending.into(), idle];
    [&totals[..], &sums.lanes()].concat()
}

fn unpack_sums(all: AddedUp, words: &[u64]) -> AddedUp {
    let Ok(words): Result<[u64; 11], _> = words.try_into() else { return all };
    let [processes, state_words, executed, sent, pending, most_pending, idle, a, b, c, d] = words;
    let totals = Totals {
        processes: all.totals.processes + processes,
        state_words: state_words as usize,
        executed: all.totals.executed + executed,
        sent: all.totals.sent + sent,
        pending: all.totals.pending + pending,
        most_pending: all.totals.most_pending.max(most_pending as u32),
        idle: all.totals.idle + idle,
    };
    AddedUp { totals, sums: all.sums + Sums::from([a, b, c, d]) }
}

/// Everything on rank 0, `None` on others. The processes of a rank begin with number `first`.
pub(super) fn gather(
    own: Checkpoint,
    (first, wanted): (u32, Wanted),
    transport: &mut dyn Transport,
) -> Result<Option<Checkpoint>, Failure<ProcessError>> {
    if transport.ranks() == 1 {
        return Ok(Some(own));
    }
    let Outcome { payload_words, until, .. } = own.outcome;
    let nothing = Outcome { processes: vec![], state: vec![], pending: vec![], payload_words, until, added_up: None };
    if wanted == Wanted::Figures {
        let sums = own.outcome.added_up.map_or_else(|| own.outcome.sums_from(first.into()), |added_up| added_up.sums);
        let all = transport.gather(pack_sums(own.outcome.totals(), sums))?;
        let none = AddedUp { totals: Totals::default(), sums: Sums::default() };
        let added_up = Some(all.iter().fold(none, |all, words| unpack_sums(all, words)));
        let outcome = Outcome { added_up, ..nothing };
        return Ok((transport.rank() == 0).then_some(Checkpoint { outcome, streams: vec![], remote: None }));
    }
    let lengths = |all: &Outcome| [all.processes.len() * RECORD, all.pending.len() * MESSAGE, all.state.len()];
    let room = lengths(&own.outcome).iter().sum::<usize>() + own.streams.len() + 6;
    let words = memory::room::<u64>(room, "the records of a rank in words").map(|()| pack(&own));
    drop(own);
    let words = agree(transport, words.map_err(ProcessError::from))?;
    let all = transport.gather(words)?;
    let mut whole = Checkpoint { outcome: nothing, streams: vec![], remote: None };
    for words in all {
        unpack(&mut whole, &words);
    }
    Ok((transport.rank() == 0).then_some(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(count: u32) -> Checkpoint {
        let record = |place| ProcessRecord { executed: 1 << 40, sent: u32::MAX - place, last: Time::UNIT, pending: 1 };
        let message = |place| PendingMessage {
            time: Time::from_ticks(u64::from(place) << 40),
            source: place,
            sequence: u32::MAX - place,
            payload: [1, u32::MAX, 3 + place],
        };
        let outcome = Outcome {
            processes: (0..count).map(record).collect(),
            state: (0..2 * count).map(|word| word << 30).collect(),
            pending: (0..count).map(message).collect(),
            payload_words: 3,
            until: Time::UNIT,
            added_up: None,
        };
        Checkpoint { outcome, streams: (0..u64::from(count)).map(|stream| stream << 60).collect(), remote: None }
    }

    #[test]
    fn parts_come_one_after_the_other() {
        let nothing = Outcome { payload_words: 0, until: Time::ZERO, ..part(0).outcome };
        let mut whole = Checkpoint { outcome: nothing, streams: vec![], remote: None };
        [part(2), part(3)].iter().for_each(|own| unpack(&mut whole, &pack(own)));
        let [mut expected, behind] = [part(2), part(3)];
        expected.outcome.processes.extend(behind.outcome.processes);
        expected.outcome.state.extend(behind.outcome.state);
        expected.outcome.pending.extend(behind.outcome.pending);
        expected.streams.extend(behind.streams);
        assert_eq!(whole, expected);
    }

    #[test]
    fn sums_of_parts_are_those_of_the_whole() {
        let whole = part(7).outcome;
        let (mut left, mut right) = (whole.clone(), whole.clone());
        left.processes.truncate(3);
        left.state.truncate(6);
        left.pending.truncate(3);
        right.processes.drain(..3);
        right.state.drain(..6);
        right.pending.drain(..3);
        let none = AddedUp { totals: Totals::default(), sums: Sums::default() };
        let words = [(left, 0), (right, 3)].map(|(own, first)| pack_sums(own.totals(), own.sums_from(first)));
        let all = words.iter().fold(none, |all, words| unpack_sums(all, words));
        assert_eq!(all, AddedUp { totals: whole.totals(), sums: whole.sums_from(0) });
        assert_ne!(all.sums, whole.sums_from(1));
    }
}
