//! What a model must not do ends its run with an error that says who did it.

use super::*;
use tickless::device::Target;
use tickless::processes::{Message, Outbox, ProcessError, ProcessModel};
use tickless::random::{Stream, StreamKey};
use tickless::time::Time;

/// Process 2 of five does one thing at time 1: what a test wants.
struct Wrong<F> {
    lookahead: u64,
    words: fn(u32) -> usize,
    first: Time,
    send: F,
}

impl<F: Fn(&mut dyn FnMut(u32, Time) -> Result<(), ProcessError>) -> Result<(), ProcessError>> ProcessModel
    for Wrong<F>
{
    type State = Vec<u32>;
    type Payload = [u32; 0];

    fn processes(&self) -> u32 {
        5
    }

    fn lookahead(&self) -> Time {
        Time::from_ticks(self.lookahead)
    }

    fn until(&self) -> Time {
        Time::NEVER
    }

    fn key(&self) -> StreamKey {
        StreamKey::new(1, 0)
    }

    fn initialize(&self, id: u32, _: &mut Stream, first: &mut Vec<(Time, [u32; 0])>) -> Result<Vec<u32>, ProcessError> {
        if id == 2 {
            first.push((self.first, []));
        }
        Ok(vec![0; (self.words)(id)])
    }

    fn execute(
        &self,
        _: &Message<[u32; 0]>,
        _: &mut Vec<u32>,
        _: &mut Stream,
        outbox: &mut impl Outbox<[u32; 0]>,
    ) -> Result<(), ProcessError> {
        (self.send)(&mut |destination, delay| outbox.send(destination, delay, []))
    }
}

type Send<'a> = &'a mut dyn FnMut(u32, Time) -> Result<(), ProcessError>;

fn wrong<F: Fn(Send<'_>) -> Result<(), ProcessError>>(send: F) -> Wrong<F> {
    Wrong { lookahead: 10, words: |_| 1, first: Time::UNIT, send }
}

fn refused<M: ProcessModel + Sync>(model: &M) -> (ProcessError, String) {
    let error = processes::run(model, Target::Heap, Default::default(), &mut unwatched()).unwrap_err();
    let text = error.to_string();
    (error, text)
}

#[test]
fn a_message_below_the_lookahead_is_refused() {
    for delay in [0, 1, 9] {
        let (error, text) = refused(&wrong(|send| send(3, Time::from_ticks(delay))));
        assert!(matches!(error, ProcessError::Lookahead { process: 2, .. }), "{text}");
    }
    // The lookahead itself is allowed.
    let once = wrong(|send| send(3, Time::from_ticks(10)).and(Err(ProcessError::Model("enough".into()))));
    assert_eq!(refused(&once).1, "enough");
}

#[test]
fn a_message_to_nobody_is_refused() {
    for destination in [5, 6, u32::MAX] {
        let (error, text) = refused(&wrong(|send| send(destination, Time::UNIT)));
        assert!(matches!(error, ProcessError::Destination { process: 2, processes: 5, .. }), "{text}");
        assert!(text.contains(&destination.to_string()), "{text}");
    }
}

#[test]
fn a_time_beyond_its_range_is_refused() {
    let last = u64::MAX - Time::UNIT.ticks();
    for delay in [last, u64::MAX] {
        let (error, text) = refused(&wrong(|send| send(3, Time::from_ticks(delay))));
        assert!(matches!(error, ProcessError::Time { process: 2, .. }), "{text}");
    }
    let first = Wrong { first: Time::NEVER, ..wrong(|_: Send<'_>| Ok(())) };
    assert!(matches!(refused(&first).0, ProcessError::Time { process: 2, .. }));
}

#[test]
fn models_that_do_not_hold_together_are_refused() {
    let none = Wrong { lookahead: 0, ..wrong(|_: Send<'_>| Ok(())) };
    assert!(matches!(refused(&none).0, ProcessError::NoLookahead));
    let uneven = Wrong { words: |id| if id == 3 { 2 } else { 1 }, ..wrong(|_: Send<'_>| Ok(())) };
    assert!(matches!(refused(&uneven).0, ProcessError::State { process: 3, words: 2, expected: 1 }));
}

/// Every message is in the range, and none is lost: a process may fall silent.
#[test]
fn a_model_that_falls_silent_ends() {
    let run = processes::run(&wrong(|_: Send<'_>| Ok(())), Target::Heap, Default::default(), &mut unwatched()).unwrap();
    assert_eq!((run.events, run.outcome.pending.len(), run.clock), (1, 0, Time::NEVER));
    assert_eq!(run.outcome.processes[2].last, Time::UNIT);
    assert_eq!(run.outcome.statistics().idle, 4);
}
