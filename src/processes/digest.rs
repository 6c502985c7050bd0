//! The digest of a run, and the first difference of two.
//!
//! SHA-256 over the following, everything little-endian and 64 bits wide: the numbers of processes, of pending messages, of words
//! of a state and of words of a payload, and four sums. To these each process adds the record `process, executed, sent, last` and
//! the words of its state, each pending message `process, time, source, sequence` and the words of the payload that the model
//! uses.

use super::{Outcome, PendingMessage, ProcessRecord, Totals};
use tickless_core::run::{Difference, Digest, Place, Record, RecordKind, Sums};

/// The part of one process in the digest, in its order.
struct Part<'a> {
    record: &'a ProcessRecord,
    state: &'a [u32],
    pending: &'a [PendingMessage],
    payload_words: usize,
}

impl Part<'_> {
    /// The sums of the records of a process and of its messages.
    fn sums(&self, process: u64) -> Sums {
        let ProcessRecord { executed, sent, last, .. } = *self.record;
        let record = Record::of(RecordKind::Process).word(process).word(executed).word(sent.into()).word(last.ticks());
        self.pending.iter().fold(
            record.words(self.state.iter().map(|word| u64::from(*word))).sums(),
            |sums, message| {
                let payload = message.payload.iter().take(self.payload_words).map(|word| u64::from(*word));
                let numbers = [process, message.time.ticks(), message.source.into(), message.sequence.into()];
                sums + Record::of(RecordKind::Message).words(numbers).words(payload).sums()
            },
        )
    }

    /// The first field that differs.
    fn first_difference(&self, other: &Self, place: Place) -> Option<Difference> {
        let (a, b) = (self.record, other.record);
        let find = |field: &str, left: u64, right: u64| Difference::find(place, field, left, right);
        let words = |name: &str, left: &[u32], right: &[u32]| {
            let [left, right] = [left, right].map(|words| words.iter().map(|word| u64::from(*word)));
            Difference::find_in(place, (name, 0), left, right)
        };
        find("executed", a.executed, b.executed)
            .or_else(|| find("sent", a.sent.into(), b.sent.into()))
            .or_else(|| find("last", a.last.ticks(), b.last.ticks()))
            .or_else(|| words("state", self.state, other.state))
            .or_else(|| find("pending", a.pending.into(), b.pending.into()))
            .or_else(|| {
                let mut messages = self.pending.iter().zip(other.pending).enumerate();
                let (index, (a, b)) = messages.find(|(_, (a, b))| a != b)?;
                let name = |field: &str| format!("pending[{index}].{field}");
                find(&name("time"), a.time.ticks(), b.time.ticks())
                    .or_else(|| find(&name("source"), a.source.into(), b.source.into()))
                    .or_else(|| find(&name("sequence"), a.sequence.into(), b.sequence.into()))
                    .or_else(|| words(&name("payload"), &a.payload, &b.payload))
            })
    }
}

impl Outcome {
    /// The part of a process, whose messages start at `begin`.
    fn part(&self, process: usize, begin: usize) -> Part<'_> {
        let (record, words) = (&self.processes[process], self.state_words());
        let state = &self.state[process * words..][..words];
        let pending = &self.pending[begin..][..record.pending as usize];
        Part { record, state, pending, payload_words: self.payload_words }
    }

    /// The part of each process.
    fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        (0..self.processes.len()).scan(0, |begin, process| {
            let part = self.part(process, *begin);
            *begin += part.pending.len();
            Some(part)
        })
    }

    /// The digest: equal for equal runs, whatever the backend.
    pub fn digest(&self) -> Digest {
        let Totals { processes, pending, state_words, .. } = self.totals();
        Digest::of(|hashing| {
            hashing.record([processes, pending, state_words as u64, self.payload_words as u64]);
            hashing.sums(self.sums());
        })
    }

    /// The sums of all records.
    fn sums(&self) -> Sums {
        self.added_up.map_or_else(|| self.sums_from(0), |added_up| added_up.sums)
    }

    /// The sums of all records, of processes numbered from `first` on.
    pub(super) fn sums_from(&self, first: u64) -> Sums {
        let messages = |process: usize| self.processes[process].pending as usize;
        let sums = |process: usize, begin: usize| self.part(process, begin).sums(first + process as u64);
        Sums::of_parts(self.processes.len(), messages, sums)
    }

    /// The first process and field in which two runs of one model differ, or `None` where they are equal. Where one of the
    /// runs has no records it is a total that differs, or else `sums of the digest[i]`.
    pub fn first_difference(&self, other: &Self) -> Option<Difference> {
        let [left, right] = [self, other].map(|outcome| outcome.totals().processes as usize);
        let sizes = [
            ("number of processes", left, right),
            ("number of state words", self.state_words(), other.state_words()),
            ("number of payload words", self.payload_words, other.payload_words),
        ];
        let sizes = sizes.map(|(field, left, right)| Difference::find(Place::WHOLE, field, left as u64, right as u64));
        sizes.into_iter().flatten().next().or_else(|| {
            if self.added_up.is_some() || other.added_up.is_some() {
                return self.first_different_total(other);
            }
            let mut parts = self.parts().zip(other.parts()).enumerate();
            parts.find_map(|(process, (a, b))| a.first_difference(&b, Place::of("process", process)))
        })
    }
}

impl Outcome {
    fn first_different_total(&self, other: &Self) -> Option<Difference> {
        let totals = |all: &Self| {
            let Totals { executed, sent, pending, most_pending, idle, .. } = all.totals();
            [
                ("executed by all", executed),
                ("sent by all", sent),
                ("pending of all", pending),
                ("most pending", most_pending.into()),
                ("idle processes", idle),
            ]
        };
        let mut pairs = totals(self).into_iter().zip(totals(other));
        let totals = pairs.find_map(|((name, left), (_, right))| Difference::find(Place::WHOLE, name, left, right));
        let [left, right] = [self.sums(), other.sums()].map(Sums::lanes);
        totals.or_else(|| Difference::find_in(Place::WHOLE, ("sums of the digest", 0), left, right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::time::Time;

    /// Three processes with a word of state each and two messages of two words, none and one.
    fn outcome() -> Outcome {
        let record = |pending| ProcessRecord { executed: 3, sent: 4, last: Time::from_ticks(5), pending };
        let message =
            |ticks| PendingMessage { time: Time::from_ticks(ticks), source: 1, sequence: 2, payload: [6, 7, 0] };
        Outcome {
            processes: vec![record(2), record(0), record(1)],
            state: vec![10, 11, 12],
            pending: vec![message(20), message(21), message(22)],
            payload_words: 2,
            until: Time::UNIT,
            added_up: None,
        }
    }

    /// Each value of the digest is changed in turn: the digest and the first difference must show it.
    #[test]
    fn one_changed_value_anywhere_is_caught() {
        type Change = fn(&mut Outcome);
        let changes: [(usize, &str, Change); 10] = [
            (0, "executed", |o| o.processes[0].executed += 1),
            (1, "sent", |o| o.processes[1].sent += 1),
            (2, "last", |o| o.processes[2].last = Time::UNIT),
            (1, "state[0]", |o| o.state[1] ^= 1),
            (2, "pending[0].time", |o| o.pending[2].time = Time::UNIT),
            (0, "pending[1].source", |o| o.pending[1].source += 1),
            (0, "pending[0].sequence", |o| o.pending[0].sequence += 1),
            (2, "pending[0].payload[1]", |o| o.pending[2].payload[1] ^= 1),
            (0, "pending", |o| {
                o.processes[0].pending -= 1;
                o.pending.remove(0);
            }),
            // A message moves to the process before.
            (1, "pending", |o| (o.processes[1].pending, o.processes[2].pending) = (1, 0)),
        ];
        let base = outcome();
        assert_eq!(base.first_difference(&base), None);
        for (process, field, change) in changes {
            let mut other = outcome();
            change(&mut other);
            let found = base.first_difference(&other).unwrap();
            assert_eq!((found.place, found.field.as_str()), (Place::of("process", process), field));
            assert_ne!(base.digest(), other.digest(), "{field}");
        }
    }

    #[test]
    fn sizes_that_differ_are_named() {
        let base = outcome();
        let mut fewer = outcome();
        fewer.processes.pop();
        fewer.state.pop();
        assert_eq!(base.first_difference(&fewer).unwrap().field, "number of processes");
        let mut longer = outcome();
        longer.state.extend([0; 3]);
        assert_eq!(base.first_difference(&longer).unwrap().field, "number of state words");
        let payload = Outcome { payload_words: 1, ..outcome() };
        assert_eq!(base.first_difference(&payload).unwrap().field, "number of payload words");
    }

    /// The words of each record, in their order, are written here by hand.
    #[test]
    fn the_digest_is_that_of_the_layout() {
        let mut sums = Sums::default();
        for (process, state, times) in [(0_u64, 10_u64, &[20_u64, 21][..]), (1, 11, &[]), (2, 12, &[22])] {
            sums += Record::of(RecordKind::Process).words([process, 3, 4, 5, state]).sums();
            for time in times {
                sums += Record::of(RecordKind::Message).words([process, *time, 1, 2, 6, 7]).sums();
            }
        }
        let digest = Digest::of(|hashing| {
            hashing.record([3, 3, 1, 2]);
            hashing.sums(sums);
        });
        assert_eq!(outcome().digest(), digest);
    }
}
