//! Any model beside a simulator that sorts a list: ties of all kinds, random sends, payloads.

use proptest::prelude::*;

use super::*;
use tickless::device::Target;
use tickless::processes::{Message, Outbox, Payload, PendingMessage, ProcessError, ProcessModel, ProcessRecord};
use tickless::random::{Stream, StreamKey};
use tickless::time::Time;

/// What is sent while an event is executed, as it was said.
struct Said<P>(Vec<(u32, Time, P)>);

impl<P> Outbox<P> for Said<P> {
    fn send(&mut self, destination: u32, delay: Time, payload: P) -> Result<(), ProcessError> {
        self.0.push((destination, delay, payload));
        Ok(())
    }
}

/// The run by a list that is sorted for every event. Processes do not see each other within an instant, so the last
/// process goes first here.
fn naive<M: ProcessModel>(model: &M) -> Outcome {
    let mut streams: Vec<Stream> = (0..model.processes()).map(|id| model.key().stream(id)).collect();
    let mut states: Vec<M::State> = vec![];
    let mut records = vec![ProcessRecord::default(); model.processes() as usize];
    let mut messages: Vec<Message<M::Payload>> = vec![];
    for id in 0..model.processes() {
        let mut first = vec![];
        states.push(model.initialize(id, &mut streams[id as usize], &mut first).unwrap());
        for (sequence, (time, payload)) in (0..).zip(first) {
            messages.push(Message { time, destination: id, source: id, sequence, payload });
            records[id as usize].sent += 1;
        }
    }
    loop {
        messages.sort_by_key(|m| (std::cmp::Reverse((m.time, u32::MAX - m.destination)), std::cmp::Reverse(m.key())));
        let Some(message) = messages.pop_if(|message| message.time < model.until()) else { break };
        let own = message.destination as usize;
        let mut said = Said(vec![]);
        model.execute(&message, &mut states[own], &mut streams[own], &mut said).unwrap();
        records[own].executed += 1;
        records[own].last = message.time;
        for (destination, delay, payload) in said.0 {
            let time = Time::from_ticks(message.time.ticks() + delay.ticks());
            let (source, sequence) = (message.destination, records[own].sent);
            messages.push(Message { time, destination, source, sequence, payload });
            records[own].sent += 1;
        }
    }
    let mut pending = vec![];
    for (id, record) in (0..).zip(&mut records) {
        let mut own: Vec<_> = messages.iter().filter(|message| message.destination == id).collect();
        own.sort_by_key(|message| message.key());
        record.pending = own.len() as u32;
        pending.extend(own.iter().map(|message| {
            let word = |place: usize| message.payload.as_ref().get(place).copied().unwrap_or(0);
            let payload = [word(0), word(1), word(2)];
            PendingMessage { time: message.time, source: message.source, sequence: message.sequence, payload }
        }));
    }
    Outcome {
        processes: records,
        state: states.iter().flat_map(|state| state.as_ref().to_vec()).collect(),
        pending,
        payload_words: M::Payload::WORDS,
        until: model.until(),
        added_up: None,
    }
}

/// A hash of everything that was executed, in its order: two messages the other way round give another one.
fn mix<P: Payload>(word: u32, message: &Message<P>) -> u32 {
    let seen = [message.time.ticks() as u32, message.source, message.sequence];
    let words = seen.iter().chain(message.payload.as_ref());
    words.fold(word, |word, part| (word ^ part).wrapping_mul(0x9E37_79B9).rotate_left(13))
}

/// Every message takes the same time, so that all events happen at the same instants, several at a process.
struct Ties {
    processes: u32,
    population: u32,
}

impl ProcessModel for Ties {
    type State = [u32; 2];
    type Payload = [u32; 0];

    fn processes(&self) -> u32 {
        self.processes
    }

    fn lookahead(&self) -> Time {
        Time::from_ticks(10)
    }

    fn until(&self) -> Time {
        Time::from_ticks(200)
    }

    fn key(&self) -> StreamKey {
        StreamKey::new(1, 0)
    }

    fn initialize(&self, id: u32, _: &mut Stream, first: &mut Vec<(Time, [u32; 0])>) -> Result<[u32; 2], ProcessError> {
        first.extend((0..self.population).map(|_| (Time::ZERO, [])));
        Ok([id, 0])
    }

    fn execute(
        &self,
        message: &Message<[u32; 0]>,
        state: &mut [u32; 2],
        _: &mut Stream,
        outbox: &mut impl Outbox<[u32; 0]>,
    ) -> Result<(), ProcessError> {
        *state = [mix(state[0], message), state[1] + 1];
        // Where it goes follows from the order so far.
        outbox.send(state[0] % self.processes, Time::from_ticks(10), [])
    }
}

#[test]
fn ties_are_in_the_order_of_source_and_sequence() {
    for (processes, population) in [(1, 1), (1, 40), (2, 3), (7, 9), (100, 2)] {
        let ties = Ties { processes, population };
        let found = processes::run(&ties, Target::Heap, Default::default(), &mut unwatched()).unwrap();
        assert_same(&naive(&ties), &found.outcome, &format!("{processes} x {population}"));
        // At 0, 10, ... 190.
        assert_eq!(found.events, 20 * u64::from(processes * population));
        assert!(found.outcome.pending.iter().all(|message| message.time == Time::from_ticks(200)));
    }
}

/// The order is seen: the other one would give another state.
#[test]
fn another_order_of_ties_is_caught() {
    let message = |source| Message { time: Time::UNIT, destination: 0, source, sequence: 0, payload: [0_u32; 0] };
    let (a, b) = (message(1), message(2));
    assert_ne!(mix(mix(0, &a), &b), mix(mix(0, &b), &a));
}

/// Random sends: none, one or two messages, soon or later, of a few words.
#[derive(Clone, Debug)]
struct Random<const WORDS: usize> {
    processes: u32,
    population: u32,
    lookahead: u64,
    spread: u32,
    until: u64,
    seed: u64,
}

impl<const WORDS: usize> ProcessModel for Random<WORDS>
where
    [u32; WORDS]: Payload,
{
    type State = Vec<u32>;
    type Payload = [u32; WORDS];

    fn processes(&self) -> u32 {
        self.processes
    }

    fn lookahead(&self) -> Time {
        Time::from_ticks(self.lookahead)
    }

    fn until(&self) -> Time {
        Time::from_ticks(self.until)
    }

    fn key(&self) -> StreamKey {
        StreamKey::new(self.seed, 0)
    }

    fn initialize(
        &self,
        id: u32,
        stream: &mut Stream,
        first: &mut Vec<(Time, [u32; WORDS])>,
    ) -> Result<Vec<u32>, ProcessError> {
        for _ in 0..(id + 1) % (self.population + 1) {
            first.push((
                Time::from_ticks(u64::from(stream.draw() % self.spread)),
                std::array::from_fn(|_| stream.draw()),
            ));
        }
        Ok(vec![stream.draw(), 0, id])
    }

    fn execute(
        &self,
        message: &Message<[u32; WORDS]>,
        state: &mut Vec<u32>,
        stream: &mut Stream,
        outbox: &mut impl Outbox<[u32; WORDS]>,
    ) -> Result<(), ProcessError> {
        state[0] = mix(state[0], message);
        state[1] += 1;
        for _ in 0..[0, 1, 1, 2][(stream.draw() >> 30) as usize] {
            let delay = self.lookahead + u64::from((stream.draw() ^ state[0]) % self.spread);
            let destination = stream.draw() % self.processes;
            outbox.send(destination, Time::from_ticks(delay), std::array::from_fn(|_| stream.draw()))?;
        }
        Ok(())
    }
}

fn compare<const WORDS: usize>(random: &Random<WORDS>) -> Result<(), TestCaseError>
where
    [u32; WORDS]: Payload,
{
    let found = processes::run(random, Target::Heap, Default::default(), &mut unwatched()).unwrap();
    let expected = naive(random);
    prop_assert_eq!(expected.first_difference(&found.outcome), None, "{:?}", random);
    prop_assert_eq!(expected, found.outcome);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn random_models_are_as_naively(
        (processes, population) in (1_u32..20, 1_u32..8),
        (lookahead, spread) in (1_u64..20, 1_u32..30),
        until in 1_u64..300,
        seed in any::<u64>(),
    ) {
        compare(&Random::<0> { processes, population, lookahead, spread, until, seed })?;
        compare(&Random::<1> { processes, population, lookahead, spread, until, seed })?;
        compare(&Random::<2> { processes, population, lookahead, spread, until, seed })?;
        compare(&Random::<3> { processes, population, lookahead, spread, until, seed })?;
    }
}

/// So many messages at once that they lie in buckets.
#[test]
fn many_messages_are_as_naively() {
    let random = Random::<2> { processes: 60, population: 50, lookahead: 3, spread: 1000, until: 120, seed: 4 };
    compare(&random).unwrap();
    let found = processes::run(&random, Target::Heap, Default::default(), &mut unwatched()).unwrap();
    assert!(found.outcome.pending.len() > 1000, "{} are pending", found.outcome.pending.len());
}
