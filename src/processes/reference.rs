//! Logical processes on the sequential simulator: one event at a time, without rounds.

pub(super) mod distributed;
mod entry;

use std::ops::Range;
use std::time::Instant;

use super::{
    Checkpoint, Message, Outbox, Outcome, Payload, PendingMessage, ProcessDetails, ProcessError, ProcessModel,
    ProcessRecord,
};
use distributed::Abroad;
use entry::{Bits, Entry, Packed, Wide};
use tickless_core::heap::{BucketList, Handler, Summary, execute};
use tickless_core::memory;
use tickless_core::random::Stream;
use tickless_core::run::{Asking, Run, RunMode, Watch};
use tickless_core::time::Time;

/// The limits that a model announces to a device, which makes room for no more.
#[derive(Clone, Copy)]
pub(super) struct Announced {
    /// The most events of a process at the start.
    pub starting: u32,
    /// The most messages of an event.
    pub most_sent: u32,
    /// Words of a state.
    pub state_words: Option<u32>,
}

impl Announced {
    /// No limits.
    pub(super) const ANYTHING: Self = Self { starting: u32::MAX, most_sent: u32::MAX, state_words: None };
}

/// Runs a model, and refuses what it has not announced.
pub(super) fn simulate<M: ProcessModel>(
    model: &M,
    announced: Announced,
    mode: RunMode<'_, Checkpoint>,
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint, ProcessDetails>, ProcessError> {
    match Bits::new(model.processes(), model.until()) {
        Some(bits) if M::Payload::WORDS == 0 => simulate_in::<M, Packed>(model, bits, announced, mode, watch),
        _ => simulate_in::<M, Wide<M::Payload>>(model, (), announced, mode, watch),
    }
}

/// The same with messages of one kind in the list.
fn simulate_in<M: ProcessModel, E: Entry<M::Payload>>(
    model: &M,
    layout: E::Layout,
    announced: Announced,
    mode: RunMode<'_, Checkpoint>,
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint, ProcessDetails>, ProcessError> {
    let begin = Instant::now();
    let all = (0..model.processes(), Abroad::default());
    let mut simulation =
        Simulation::<M, E, false>::begin(model, layout, announced, all, mode.from, &mut Asking::new(watch))?;
    let setup = begin.elapsed();
    let summary = execute(&mut simulation, model.until(), watch)?;
    // Where a device ran before, nobody has counted them.
    let before = mode.from.map_or(Some(0), |from| from.remote);
    let remote = before.map(|before| before + simulation.agenda.remote);
    let details = ProcessDetails { remote, ..ProcessDetails::default() };
    // Only then are streams asked for their states.
    let streams = if mode.keeps() { simulation.streams()? } else { vec![] };
    let Summary { events, clock, interrupted, wall } = summary;
    let end = Checkpoint { streams, outcome: simulation.outcome(clock)?, remote };
    Ok(Run { events, wall, setup, interrupted, ..Run::at(clock, end, details, Some(1)) })
}

/// All words of a process that an event touches, in one cache line where the state is small.
#[repr(align(64))]
struct Process<S> {
    stream: Stream,
    executed: u64,
    last: Time,
    sent: u32,
    state: S,
}

/// The messages that are not executed, and what all of them share. `OVER` says whether there are processes of other ranks: a run
/// without them costs nothing more.
struct Agenda<P, E: Entry<P>, const OVER: bool> {
    layout: E::Layout,
    announced: Announced,
    /// The number of all processes, of which these begin with `first` and are `count`.
    processes: u32,
    first: u32,
    count: u32,
    abroad: Abroad,
    lookahead: Time,
    until: Time,
    list: BucketList<E>,
    /// Messages at the horizon or later, which never happen in this run.
    beyond: Vec<Message<P>>,
    /// Messages from events to another process than their sender.
    remote: u64,
}

impl<P: Payload, E: Entry<P>, const OVER: bool> Agenda<P, E, OVER> {
    /// The place of a process among these.
    #[inline]
    fn place(&self, process: u32) -> usize {
        (if OVER { process - self.first } else { process }) as usize
    }

    #[inline]
    fn push(&mut self, message: Message<P>) {
        if OVER && message.destination.wrapping_sub(self.first) >= self.count {
            self.abroad.post(&message);
        } else if message.time < self.until {
            self.list.push(E::new(self.layout, &message));
        } else {
            self.beyond.push(message);
        }
    }
}

/// The outbox of an event.
struct Sending<'a, P, E: Entry<P>, const OVER: bool> {
    agenda: &'a mut Agenda<P, E, OVER>,
    now: Time,
    process: u32,
    sent: &'a mut u32,
    /// The messages that the process had sent before this event.
    before: u32,
}

impl<P: Payload, E: Entry<P>, const OVER: bool> Outbox<P> for Sending<'_, P, E, OVER> {
    #[inline]
    fn send(&mut self, destination: u32, delay: Time, payload: P) -> Result<(), ProcessError> {
        let &mut Self { ref mut agenda, now, process, ref mut sent, before } = self;
        if **sent - before == agenda.announced.most_sent {
            return Err(ProcessError::MostSent { process, now, most: agenda.announced.most_sent });
        }
        if delay < agenda.lookahead {
            return Err(ProcessError::Lookahead { process, delay, lookahead: agenda.lookahead });
        }
        if destination >= agenda.processes {
            return Err(ProcessError::Destination { process, destination, processes: agenda.processes });
        }
        let time = now.checked_add(delay).ok_or(ProcessError::Time { process, now, delay })?;
        let sequence = number(sent, process)?;
        agenda.remote += u64::from(destination != process);
        agenda.push(Message { time, destination, source: process, sequence, payload });
        Ok(())
    }
}

/// The sequence number of a process's next message.
#[inline]
fn number(sent: &mut u32, process: u32) -> Result<u32, ProcessError> {
    let sequence = *sent;
    *sent = sequence.checked_add(1).ok_or(ProcessError::Messages { process })?;
    Ok(sequence)
}

struct Simulation<'a, M: ProcessModel, E: Entry<M::Payload>, const OVER: bool> {
    model: &'a M,
    processes: Vec<Process<M::State>>,
    agenda: Agenda<M::Payload, E, OVER>,
}

impl<M: ProcessModel, E: Entry<M::Payload>, const OVER: bool> Handler for Simulation<'_, M, E, OVER> {
    type Error = ProcessError;

    #[inline]
    fn next(&mut self) -> Time {
        let first = self.agenda.list.first();
        if first == E::EMPTY { Time::NEVER } else { first.message(self.agenda.layout).time }
    }

    #[inline]
    fn handle(&mut self, now: Time) -> Result<u64, ProcessError> {
        let message = self.agenda.list.pop().message(self.agenda.layout);
        self.approach();
        let process = &mut self.processes[self.agenda.place(message.destination)];
        process.executed += 1;
        process.last = now;
        let agenda = &mut self.agenda;
        let before = process.sent;
        let mut outbox = Sending { agenda, now, process: message.destination, sent: &mut process.sent, before };
        self.model.execute(&message, &mut process.state, &mut process.stream, &mut outbox)?;
        Ok(1)
    }

    fn stands_still(&self) -> Option<Self::Error> {
        None
    }
}

impl<'a, M: ProcessModel, E: Entry<M::Payload>, const OVER: bool> Simulation<'a, M, E, OVER> {
    /// The state of some processes at time 0, or at a checkpoint, which has all of them.
    fn begin(
        model: &'a M,
        layout: E::Layout,
        announced: Announced,
        (own, abroad): (Range<u32>, Abroad),
        from: Option<&Checkpoint>,
        asking: &mut Asking<'_>,
    ) -> Result<Self, ProcessError> {
        let (processes, lookahead, until) = (model.processes(), model.lookahead(), model.until());
        if lookahead == Time::ZERO {
            return Err(ProcessError::NoLookahead);
        }
        let (list, beyond, first, count) = (BucketList::new(), vec![], own.start, own.len() as u32);
        let agenda =
            Agenda { layout, announced, processes, first, count, abroad, lookahead, until, list, beyond, remote: 0 };
        let processes_with_room = memory::with_room(own.len(), "the processes")?;
        let mut simulation = Self { model, processes: processes_with_room, agenda };
        let mut first = vec![];
        for process in own {
            asking.made(1 + simulation.initialize(process, &mut first)?)?;
        }
        if let Some(from) = from {
            simulation.go_on_from(from, asking)?;
        }
        Ok(simulation)
    }

    /// Takes over the state of a checkpoint, in place of the state at time 0.
    fn go_on_from(&mut self, from: &Checkpoint, asking: &mut Asking<'_>) -> Result<(), ProcessError> {
        from.check(self.model.processes(), M::Payload::WORDS, self.model.until())?;
        let words = self.processes.first().map_or(0, |process| process.state.as_ref().len());
        let (found, expected) = (from.outcome.state_words(), words);
        if found != expected {
            let (what, found, expected) = ("words of a state", found as u64, expected as u64);
            return Err(ProcessError::Checkpoint { what, found, expected });
        }
        (self.agenda.list, self.agenda.beyond) = (BucketList::new(), vec![]);
        let (first, count) = (self.agenda.first as usize, self.agenda.count as usize);
        for (id, pending) in (0_u32..).zip(from.pending()).skip(first).take(count) {
            let (place, process) = (id as usize, &mut self.processes[id as usize - first]);
            let ProcessRecord { executed, sent, last, .. } = from.outcome.processes[place];
            (process.executed, process.sent, process.last) = (executed, sent, last);
            process.state.as_mut().copy_from_slice(&from.outcome.state[place * words..][..words]);
            process.stream = self.model.key().stream_at(id, from.streams[place]);
            for message in pending {
                let &PendingMessage { time, source, sequence, payload: own } = message;
                let mut payload = M::Payload::ZERO;
                payload.as_mut().copy_from_slice(&own[..M::Payload::WORDS]);
                self.agenda.push(Message { time, destination: id, source, sequence, payload });
            }
            asking.made(1 + pending.len() as u64)?;
        }
        Ok(())
    }

    /// Makes a process; returns the number of its first events.
    fn initialize(&mut self, id: u32, first: &mut Vec<(Time, M::Payload)>) -> Result<u64, ProcessError> {
        let mut stream = self.model.key().stream(id);
        let state = self.model.initialize(id, &mut stream, first)?;
        let words = state.as_ref().len();
        let expected = self.processes.first().map_or(words, |process| process.state.as_ref().len());
        if let Some(announced) = self.agenda.announced.state_words.filter(|&announced| announced as usize != words) {
            return Err(ProcessError::StateWords { words, announced });
        }
        if words != expected {
            return Err(ProcessError::State { process: id, words, expected });
        }
        let mut process = Process { stream, executed: 0, last: Time::ZERO, sent: 0, state };
        if first.len() as u64 > self.agenda.announced.starting.into() {
            return Err(ProcessError::Starting { process: id, most: self.agenda.announced.starting });
        }
        let events = first.len() as u64;
        for (time, payload) in first.drain(..) {
            if time == Time::NEVER {
                return Err(ProcessError::Time { process: id, now: Time::ZERO, delay: time });
            }
            let sequence = number(&mut process.sent, id)?;
            self.agenda.push(Message { time, destination: id, source: id, sequence, payload });
        }
        self.processes.push(process);
        Ok(events)
    }

    /// Touches the process of an event that will probably be next soon.
    #[inline]
    fn approach(&self) {
        let soon = self.agenda.list.soon();
        if soon != E::EMPTY {
            let process = self.agenda.place(soon.message(self.agenda.layout).destination);
            std::hint::black_box(self.processes[process].executed);
        }
    }

    /// The state of each process's stream.
    fn streams(&self) -> Result<Vec<u64>, ProcessError> {
        let mut streams = memory::with_room(self.processes.len(), "the streams of the processes")?;
        streams.extend(self.processes.iter().map(|process| process.stream.state()));
        Ok(streams)
    }

    /// The records at the end, from the first of these processes on.
    fn outcome(self, clock: Time) -> Result<Outcome, ProcessError> {
        let Agenda { layout, list, beyond, first, .. } = self.agenda;
        let here = |mut message: Message<M::Payload>| {
            message.destination -= first;
            message
        };
        let words = self.processes.first().map_or(0, |process| process.state.as_ref().len());
        let mut state = memory::with_room(words * self.processes.len(), "the states of the processes")?;
        let mut processes = memory::with_room(self.processes.len(), "the records of the processes")?;
        for Process { executed, last, sent, state: own, .. } in self.processes {
            state.extend_from_slice(own.as_ref());
            processes.push(ProcessRecord { executed, sent, last, pending: 0 });
        }
        let messages = || list.iter().map(|entry| entry.message(layout)).chain(beyond.iter().copied()).map(here);
        messages().for_each(|message| processes[message.destination as usize].pending += 1);
        let count = list.len() + beyond.len();
        let mut pending = memory::filled(PendingMessage::default(), count, "the pending events")?;
        memory::room::<usize>(processes.len(), "the places of the pending events")?;
        place(messages(), &processes, &mut pending);
        Ok(Outcome { processes, state, pending, payload_words: M::Payload::WORDS, until: clock, added_up: None })
    }
}

/// Puts messages into their places: process after process, in order.
fn place<P: Payload>(
    messages: impl Iterator<Item = Message<P>>,
    processes: &[ProcessRecord],
    pending: &mut [PendingMessage],
) {
    let mut ends = Vec::with_capacity(processes.len());
    let mut begin = 0;
    for record in processes {
        ends.push(begin);
        begin += record.pending as usize;
    }
    for Message { time, destination, source, sequence, payload } in messages {
        let end = &mut ends[destination as usize];
        let mut words = [0; 3];
        words[..P::WORDS].copy_from_slice(payload.as_ref());
        pending[*end] = PendingMessage { time, source, sequence, payload: words };
        *end += 1;
    }
    let mut rest = pending;
    for record in processes {
        let own;
        (own, rest) = std::mem::take(&mut rest).split_at_mut(record.pending as usize);
        own.sort_unstable_by_key(PendingMessage::key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_beyond_their_numbers_are_an_error() {
        let mut sent = u32::MAX - 1;
        assert_eq!(number(&mut sent, 7).unwrap(), u32::MAX - 1);
        assert_eq!(sent, u32::MAX);
        let error = number(&mut sent, 7).unwrap_err();
        assert_eq!(
            error.to_string(),
            "process 7 sends more than 4294967295 messages: use a shorter horizon or more processes"
        );
    }
}
