//! Rounds of a run over ranks without a reduction over all: each rank advances up to the promises of its neighbours.
//!
//! A neighbour is a rank that may send to this one. In a turn every rank executes its events before its bound and sends its
//! neighbours their messages, with a promise: a lower bound on the timestamps of its later messages. The least promise that a
//! rank has received is its next bound. A promise holds for ever, so an old one costs speed only. Turns come in groups, and
//! between two groups all ranks take the least of their promises: where events are far apart, promises alone would come to the
//! next event in steps of a lookahead. So a group is followed by a longer one only where a rank had an event before its bound behind most of
//! its turns, by promises alone, and else by a shorter one: of a single turn where events are more than a few lookaheads apart.

use super::signal::Signal;
use super::{Failure, Part, Transport, TransportError};
use crate::time::Time;

/// Turns of the first group.
pub(super) const FEWEST: u32 = 4;
/// Turns of the longest group.
const MOST: u32 = 256;

/// The state of a rank among its neighbours.
#[derive(Debug)]
pub(super) struct Neighbours {
    /// Turns of the next group: the same on all ranks.
    group: u32,
}

/// The work done up to a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    /// Events of this rank.
    pub(super) events: u64,
    /// Turns of every rank.
    pub(super) turns: u64,
}

impl Neighbours {
    pub(super) fn new() -> Self {
        Self { group: FEWEST }
    }

    /// Executes every event before `end` on every rank; all earlier messages have been delivered.
    ///
    /// # Errors
    /// The error of a part, of which all ranks hear, and the error of the transport.
    pub(super) fn reach<P: Part>(
        &mut self,
        part: &mut P,
        end: Time,
        transport: &mut dyn Transport,
    ) -> Result<Reached, Failure<P::Error>> {
        let (mut reached, mut bound, mut failed) = (Reached::default(), Time::ZERO, None);
        loop {
            let signal = match &failed {
                Some(_) => Signal::Failed(transport.rank()),
                None => promised(part, end),
            };
            let heard = transport.least(signal.word()).map(Signal::of);
            if let Some(error) = failed {
                return Err(Failure::Part(error));
            }
            match heard? {
                Signal::Failed(rank) => return Err(TransportError::Failed { rank }.into()),
                Signal::Bound(least) => bound = bound.max(least),
                Signal::Done | Signal::Look => break,
            }
            let creeps = self.group(part, (&mut bound, end), transport, (&mut reached, &mut failed))?;
            reached.turns += u64::from(self.group);
            self.group = if !creeps { (self.group * 2).min(MOST) } else { (self.group / 2).max(1) };
        }
        // The last group may be longer than needed, by little.
        self.group = self.group.min(u32::try_from(reached.turns / 8).unwrap_or(MOST).max(1));
        Ok(reached)
    }

    /// The turns of a group. Returns whether, behind half of them or more, no rank could have gone on without a reduction.
    fn group<P: Part>(
        &self,
        part: &mut P,
        (bound, end): (&mut Time, Time),
        transport: &mut dyn Transport,
        (reached, failed): (&mut Reached, &mut Option<P::Error>),
    ) -> Result<bool, TransportError> {
        let mut idle = 0;
        for _ in 0..self.group {
            let turn = if failed.is_none() { turn(part, bound, end, transport)? } else { absent(part, transport)? };
            match turn {
                Ok(events) => reached.events += events,
                Err(error) => *failed = Some(error),
            }
            idle += u64::from(failed.is_some() || part.next() >= (*bound).min(end));
        }
        Ok(2 * transport.least(idle)? >= self.group.into())
    }
}

/// The signal of a rank between two groups.
fn promised<P: Part>(part: &mut P, end: Time) -> Signal {
    let next = part.next();
    if next >= end { Signal::Done } else { Signal::Bound(part.promise(next).min(end)) }
}

/// One turn; returns how many events it had.
fn turn<P: Part>(
    part: &mut P,
    bound: &mut Time,
    end: Time,
    transport: &mut dyn Transport,
) -> Result<Result<u64, P::Error>, TransportError> {
    let advanced = part.advance((*bound).min(end));
    let promise = match advanced {
        // Later messages may cause an event at the bound, but none before.
        Ok(_) => {
            let next = part.next().min(*bound);
            part.promise(next)
        }
        Err(_) => Time::NEVER,
    };
    *bound = (*bound).max(meet(part, promise, transport)?);
    Ok(advanced.and_then(|events| Ok(events + part.deliver()?)))
}

/// The turn of a rank that has failed: the others go on to the end of the group.
fn absent<P: Part>(part: &mut P, transport: &mut dyn Transport) -> Result<Result<u64, P::Error>, TransportError> {
    meet(part, Time::NEVER, transport)?;
    if let Some(mail) = part.mail() {
        mail.take(|_| ());
    }
    Ok(Ok(0))
}

/// Sends messages, with a promise behind them; returns the least promise received.
fn meet<P: Part>(part: &mut P, promise: Time, transport: &mut dyn Transport) -> Result<Time, TransportError> {
    let Some(mail) = part.mail() else { return Ok(Time::NEVER) };
    for place in 0..mail.to().len() {
        mail.send(mail.to()[place], &[promise.ticks()]);
    }
    transport.exchange(mail)?;
    let mut least = Time::NEVER;
    for place in 0..mail.from().len() {
        let from = mail.from()[place];
        // A list without a promise promises nothing.
        least = least.min(mail.incoming_mut(from).pop().map_or(Time::ZERO, Time::from_ticks));
    }
    Ok(least)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::time::Duration;

    use super::*;
    use crate::ranks::{Mail, ThreadTransport, side_by_side};

    /// A rank of a ring: each event leads to an event on the next rank, 3 ticks later; a message is a list of times.
    struct Hop {
        mail: Mail,
        times: Vec<u64>,
        done: Vec<u64>,
        /// The first event from this time on is an error.
        fails_at: u64,
        /// Whether an event leads to another one.
        hops: bool,
    }

    impl Part for Hop {
        type Error = u64;

        const ROUND: Duration = Duration::MAX;
        const BY_NEIGHBOURS: bool = true;

        fn next(&mut self) -> Time {
            self.times.iter().min().map_or(Time::NEVER, |time| Time::from_ticks(*time))
        }

        fn promise(&mut self, next: Time) -> Time {
            crate::ranks::windows::ahead(next, Time::from_ticks(3))
        }

        fn mail(&mut self) -> Option<&mut Mail> {
            Some(&mut self.mail)
        }

        fn deliver(&mut self) -> Result<u64, u64> {
            let times = &mut self.times;
            self.mail.take(|list| times.extend(list));
            Ok(0)
        }

        fn advance(&mut self, bound: Time) -> Result<u64, u64> {
            let mut events = 0;
            while self.next() < bound {
                let now = self.next().ticks();
                if now >= self.fails_at {
                    return Err(now);
                }
                self.times.retain(|time| *time > now);
                assert!(self.done.last() < Some(&now), "{now} comes too late: {:?}", self.done);
                self.done.push(now);
                if self.hops {
                    self.mail.send(self.mail.to()[0], &[now + 3]);
                }
                events += 1;
            }
            Ok(events)
        }
    }

    /// The times of a rank's events, and how many turns they took.
    type End = Result<(Vec<u64>, u64), Failure<u64>>;

    /// The ends of the ranks of a ring once all have reached a time.
    fn ring(ranks: u32, start: u64, fails_at: u64) -> Vec<End> {
        let work = |transport: &mut ThreadTransport<'_>| {
            let rank = transport.rank();
            let mail = Mail::new(ranks, [(rank + 1) % ranks], [(rank + ranks - 1) % ranks]);
            let times = if rank == 0 { vec![start] } else { vec![] };
            let fails_at = if rank == 1 { fails_at } else { u64::MAX };
            let mut hop = Hop { mail, times, done: vec![], fails_at, hops: true };
            let reached = Neighbours::new().reach(&mut hop, Time::from_ticks(start + 300), transport)?;
            assert_eq!(reached.events, hop.done.len() as u64);
            Ok((hop.done, reached.turns))
        };
        let ends = side_by_side(NonZeroU32::new(ranks).expect("some"), work, work);
        ends.into_iter().map(|end| end.expect("no rank is gone")).collect()
    }

    #[test]
    fn every_event_before_the_end_happens_and_none_after_it() {
        for ranks in 2..6 {
            let ends: Vec<_> = ring(ranks, 1 << 40, u64::MAX).into_iter().map(|end| end.expect("no fault")).collect();
            for (rank, (done, turns)) in (0_u64..).zip(&ends) {
                let all = (0..100).filter(|hop| hop % u64::from(ranks) == rank).map(|hop| (1 << 40) + 3 * hop);
                assert_eq!(*done, Vec::from_iter(all), "{ranks} ranks");
                // Promises alone would come to the first event in (1 << 40) / 3 turns.
                assert!(*turns < 300 && *turns == ends[0].1, "{turns} turns on {ranks} ranks");
            }
        }
    }

    /// Where an event is followed by none for a thousand lookaheads, few turns are without one.
    #[test]
    fn turns_are_few_where_events_are_far_apart() {
        let work = |transport: &mut ThreadTransport<'_>| {
            let rank = transport.rank();
            let mail = Mail::new(2, [1 - rank], [1 - rank]);
            let times = (0..50).map(|place| 10_000 * (2 * place + u64::from(rank))).collect();
            let mut hop = Hop { mail, times, done: vec![], fails_at: u64::MAX, hops: false };
            Neighbours::new()
                .reach(&mut hop, Time::from_ticks(1_000_000), transport)
                .map(|reached| (reached, hop.done.len()))
        };
        for end in side_by_side(NonZeroU32::new(2).expect("some"), work, work) {
            let (reached, events) = end.expect("no rank is gone").expect("no fault");
            assert_eq!(events, 50);
            assert!(reached.turns < 3 * 100, "{reached:?}");
        }
    }

    #[test]
    fn an_error_of_one_ends_all() {
        let ends = ring(3, 0, 100);
        assert!(matches!(ends[1], Err(Failure::Part(102))), "{ends:?}");
        for rank in [0, 2] {
            assert!(matches!(ends[rank], Err(Failure::Transport(TransportError::Failed { rank: 1 }))), "{ends:?}");
        }
    }
}
