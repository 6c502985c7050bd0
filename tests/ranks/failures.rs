//! What ends a run over ranks without a result: all of them end, and say why.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tickless::processes::{self, Message, Outbox, Phold, ProcessError, ProcessModel};
use tickless::random::{Stream, StreamKey};
use tickless::ranks::{Mail, Transport, TransportError, side_by_side};
use tickless::run::{Progress, Watch, unwatched};
use tickless::time::Time;

use crate::threads;

/// What a process does at time 5.
#[derive(Clone, Copy)]
enum At5 {
    SaysNo,
    SendsTooSoon,
    Panics,
}

/// A clock in every process, until one of them goes wrong.
struct Wrong {
    process: u32,
    how: At5,
    at_the_start: bool,
}

impl ProcessModel for Wrong {
    type State = [u32; 0];
    type Payload = [u32; 0];

    fn processes(&self) -> u32 {
        9
    }

    fn lookahead(&self) -> Time {
        Time::UNIT
    }

    fn until(&self) -> Time {
        Time::from_ticks(1 << 40)
    }

    fn key(&self) -> StreamKey {
        StreamKey::new(1, 0)
    }

    fn initialize(&self, id: u32, _: &mut Stream, first: &mut Vec<(Time, [u32; 0])>) -> Result<[u32; 0], ProcessError> {
        if self.at_the_start && id == self.process {
            return Err(ProcessError::Model("it does not begin".into()));
        }
        first.push((Time::ZERO, []));
        Ok([])
    }

    fn execute(
        &self,
        message: &Message<[u32; 0]>,
        _: &mut [u32; 0],
        _: &mut Stream,
        outbox: &mut impl Outbox<[u32; 0]>,
    ) -> Result<(), ProcessError> {
        let id = message.destination;
        if id == self.process && message.time.units() == 5.0 {
            match self.how {
                At5::SaysNo => return Err(ProcessError::Model("it is five".into())),
                At5::SendsTooSoon => return outbox.send(0, Time::from_ticks(7), []),
                At5::Panics => panic!("meant to be"),
            }
        }
        outbox.send(id, Time::UNIT, [])
    }
}

/// Whichever rank it is, the error is that of the model.
#[test]
fn an_error_of_one_rank_ends_all_of_them() {
    for process in [0, 4, 8] {
        for (how, at_the_start) in [(At5::SaysNo, false), (At5::SendsTooSoon, false), (At5::SaysNo, true)] {
            let model = Wrong { process, how, at_the_start };
            let error = processes::run(&model, threads(3), Default::default(), &mut unwatched()).expect_err("an error");
            let expected = match (how, at_the_start) {
                (_, true) => "it does not begin".to_owned(),
                (At5::SendsTooSoon, _) => format!("process {process} sends a message with a delay of"),
                _ => "it is five".to_owned(),
            };
            assert!(error.to_string().starts_with(&expected), "{error}");
        }
    }
}

#[test]
fn a_rank_that_panics_ends_all_of_them() {
    let model = Wrong { process: 4, how: At5::Panics, at_the_start: false };
    let error = processes::run(&model, threads(3), Default::default(), &mut unwatched()).expect_err("an error");
    assert!(matches!(error, ProcessError::Ranks(TransportError::Gone { rank: 1 })), "{error}");
    // Rank 0 is the thread of the caller.
    let model = Wrong { process: 0, ..model };
    let run = || processes::run(&model, threads(3), Default::default(), &mut unwatched());
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
}

/// Ends the set-up.
struct Never;

impl Watch for Never {
    fn look(&mut self, _: &Progress) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Break(())
    }

    fn set_up(&mut self, _: Duration) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Break(())
    }
}

#[test]
fn a_set_up_that_is_interrupted_ends_all_of_them() {
    let model = Phold::new(300_000).until(10.0).check().expect("a model");
    let error = processes::run(&model, threads(2), Default::default(), &mut Never).expect_err("an error");
    assert!(matches!(error, ProcessError::Interrupted(_)), "{error}");
}

/// Every meeting of many, with all kinds mixed: each rank has what the others left for that one.
#[test]
fn threads_meet_again_and_again() {
    let work = |ranks: &mut tickless::ranks::ThreadTransport<'_>| -> Result<(), TransportError> {
        let (own, count) = (u64::from(ranks.rank()), u64::from(ranks.ranks()));
        let mut mail = Mail::with_all(ranks.rank(), ranks.ranks());
        for turn in 0..500 {
            assert_eq!(ranks.least(turn * 10 + (own + turn) % count)?, turn * 10);
            for to in 0..count {
                if to != own && (turn + to) % 3 > 0 {
                    mail.send(to as u32, &[turn, own, to]);
                }
            }
            ranks.exchange(&mut mail)?;
            for from in 0..count {
                let list = std::mem::take(mail.incoming_mut(from as u32));
                let expected = if from != own && (turn + own) % 3 > 0 { vec![turn, from, own] } else { vec![] };
                assert_eq!(list, expected);
                assert!(mail.outgoing(from as u32).is_empty());
            }
            let all = ranks.gather(vec![own; turn as usize % 4])?;
            let expected = (0..count).map(|rank| vec![rank; turn as usize % 4]).collect::<Vec<_>>();
            assert_eq!(all, if own == 0 { expected } else { vec![] });
        }
        Ok(())
    };
    assert_eq!(side_by_side(NonZeroU32::new(5).unwrap(), work, work), vec![Ok(Ok(())); 5]);
}

/// A rank that returns while others wait for it is missed, whoever waits, and the first to go is named.
#[test]
fn a_rank_that_leaves_is_missed() {
    let ended = AtomicU32::new(0);
    let work = |ranks: &mut tickless::ranks::ThreadTransport<'_>| {
        for turn in 0..10 {
            if ranks.rank() == 2 && turn == 7 {
                return Ok(0);
            }
            ranks.least(turn)?;
        }
        ended.fetch_add(1, Ordering::Relaxed);
        Ok(1)
    };
    let ends = side_by_side(NonZeroU32::new(4).unwrap(), work, work);
    let gone = Ok(Err(TransportError::Gone { rank: 2 }));
    assert_eq!(ends, [gone.clone(), gone.clone(), Ok(Ok(0)), gone]);
    assert_eq!(ended.load(Ordering::Relaxed), 0);
}

/// Who leaves right behind the last meeting is missed by nobody who was there.
#[test]
fn ranks_that_end_in_good_order_are_not_missed() {
    let work = |ranks: &mut tickless::ranks::ThreadTransport<'_>| ranks.least(ranks.rank().into());
    for _ in 0..3000 {
        assert_eq!(side_by_side(NonZeroU32::new(3).unwrap(), work, work), vec![Ok(Ok(0)); 3]);
    }
}
