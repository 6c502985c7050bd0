//! The rounds of a run over ranks: conservative windows, one exchange a round.
//!
//! Before a round every rank gives a lower bound on the timestamps of messages that it will still send. The least of these is the
//! bound of the round: each rank executes its events before it, and then messages are exchanged. Heaps go further by themselves:
//! all agree on the end of a stretch of time, and each goes there by the promises of its neighbours.

use std::time::{Duration, Instant};

use super::neighbours::{FEWEST, Neighbours};
use super::signal::Signal;
use super::{Failure, Mail, Transport, TransportError, tally};
use crate::heap::Handler;
use crate::run::{PATIENCE, Pause, Progress, Watch};
use crate::time::Time;

/// The part of the model on one rank.
pub trait Part {
    type Error;

    /// The aim for the duration of a round: where a round takes longer, the next ones go less far.
    const ROUND: Duration;

    /// Whether a round also executes some events at its bound, so that the run cannot end before all ranks are behind it.
    const INSTANTS: bool = false;

    /// Whether each rank may advance as far as the ranks that send to it allow (`Neighbours`). Ranks then have different bounds, so
    /// this needs a model that asks nothing of all ranks at a bound except at the end of a round. All ranks must agree.
    const BY_NEIGHBOURS: bool = false;

    /// The time of the earliest event, messages received included; [`Time::NEVER`] where there is none.
    fn next(&mut self) -> Time;

    /// A lower bound on the timestamps of messages still to be sent, where the part's next event is at `next` or later;
    /// [`Time::NEVER`] where none will be sent.
    fn promise(&mut self, next: Time) -> Time;

    /// Messages to and from other ranks; `None` where there are no others.
    fn mail(&mut self) -> Option<&mut Mail>;

    /// Takes in the messages received. Returns how many events it executed, at the bound of the last round.
    ///
    /// # Errors
    /// The error of such an event.
    fn deliver(&mut self) -> Result<u64, Self::Error>;

    /// Executes every event before a bound, and leaves messages to other ranks in the mail. Returns how many events it
    /// executed.
    ///
    /// # Errors
    /// The error of an event, or of its executor.
    fn advance(&mut self, bound: Time) -> Result<u64, Self::Error>;

    /// As [`Handler::stands_still`].
    fn stands_still(&self) -> Option<Self::Error> {
        None
    }
}

/// A part on a heap: the earliest event, and then the next one.
pub trait HeapPart: Handler {
    /// The least time between an event and a message that it sends to another rank; [`Time::NEVER`] where it sends
    /// none.
    fn lookahead(&self) -> Time;

    /// As [`Part::promise`].
    fn promise(&mut self, next: Time) -> Time {
        ahead(next, self.lookahead())
    }

    /// As [`Part::mail`].
    fn mail(&mut self) -> Option<&mut Mail>;

    /// Takes in the messages received.
    fn deliver(&mut self);
}

impl<P: HeapPart> Part for P {
    type Error = <P as Handler>::Error;

    const ROUND: Duration = ROUND;
    const BY_NEIGHBOURS: bool = true;

    fn next(&mut self) -> Time {
        Handler::next(self)
    }

    fn promise(&mut self, next: Time) -> Time {
        HeapPart::promise(self, next)
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        HeapPart::mail(self)
    }

    fn deliver(&mut self) -> Result<u64, Self::Error> {
        HeapPart::deliver(self);
        Ok(0)
    }

    fn advance(&mut self, bound: Time) -> Result<u64, Self::Error> {
        let mut events = 0;
        loop {
            let now = Handler::next(self);
            if now >= bound {
                return Ok(events);
            }
            events += self.handle(now)?;
        }
    }
}

/// The result of [`run`]. On ranks but the first, `events` are their own.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// Events of this rank.
    #[doc(hidden)]
    pub events: u64,
    #[doc(hidden)]
    pub rounds: u64,
    /// Every event before this time was executed on every rank, and no other event.
    #[doc(hidden)]
    pub clock: Time,
    #[doc(hidden)]
    pub interrupted: bool,
    #[doc(hidden)]
    pub wall: Duration,
}

/// How often rank 0 looks at its watch.
const LOOK: Duration = Duration::from_millis(20);
/// The aim for the duration of a round on a heap, so that the watch is heard.
pub const ROUND: Duration = Duration::from_millis(50);
/// The first stretch is this fraction of the run.
const FIRST_STRETCH: u64 = 1 << 10;

/// How far a round of one rank may go, whatever messages come from others.
struct Stretch {
    time: Time,
    round: Duration,
}

impl Stretch {
    fn new(round: Duration, until: Time) -> Self {
        let first = until.ticks() / FIRST_STRETCH;
        Self { time: Time::from_ticks(first.max(1)), round }
    }

    /// Shortens the stretch where a round took longer than its aim, lengthens it where it took less than a quarter.
    fn took(&mut self, took: Duration) {
        if took > self.round {
            self.time = Time::from_ticks((self.time.ticks() / 2).max(1));
        } else if took < self.round / 4 {
            self.time = Time::from_ticks(self.time.ticks().saturating_mul(2));
        }
    }
}

/// The time plus a span; at most the last tick.
pub fn ahead(time: Time, by: Time) -> Time {
    Time::from_ticks(time.ticks().saturating_add(by.ticks()))
}

/// The proposal of a rank with its next event at `next`. No round goes over the end of the warm-up: only once messages have been
/// exchanged do all ranks know which tokens are in the network then.
fn propose(next: Time, promise: Time, stretch: Time, [warmup, until]: [Time; 2]) -> Signal {
    if next >= until {
        return Signal::Done;
    }
    let limit = if next < warmup { warmup } else { until };
    Signal::Bound(promise.min(ahead(next, stretch)).min(limit))
}

/// Executes every event before `until` on every rank, this rank's part here. No round goes over `warmup`.
///
/// A run that the [`Watch`] of rank 0 ends is complete up to its clock.
///
/// # Errors
/// The error of the part, and the errors of ranks.
pub fn run<P: Part>(
    part: &mut P,
    [warmup, until]: [Time; 2],
    transport: &mut dyn Transport,
    watch: &mut dyn Watch,
) -> Result<Summary, Failure<P::Error>> {
    let begin = Instant::now();
    let mut summary = Summary { events: 0, rounds: 0, clock: until, interrupted: false, wall: Duration::ZERO };
    let mut stretch = Stretch::new(P::ROUND, until);
    let by_neighbours = transport.ranks() > 1 && transport.least(P::BY_NEIGHBOURS.into())? == 1;
    let mut neighbours = by_neighbours.then(Neighbours::new);
    if by_neighbours {
        // No promise ends a stretch, so the first stretches must be short in any case.
        stretch.time = Time::from_ticks(1);
    }
    let (mut looked, mut failed) = (begin, None);
    // The bound of the last round, and since when all ranks are to end.
    let (mut last, mut stopped) = (None, None::<Instant>);
    let own = transport.rank();
    loop {
        let met = part.mail().map_or(Ok(()), |mail| transport.exchange(mail));
        if failed.is_none() {
            met?;
            match part.deliver() {
                Ok(events) => summary.events += events,
                Err(error) => failed = Some(error),
            }
        }
        if failed.is_none() && stopped.is_some_and(|stopped| stopped.elapsed() > PATIENCE) {
            failed = part.stands_still();
        }
        let next = if failed.is_none() { part.next() } else { Time::NEVER };
        let signal = match failed {
            Some(_) => Signal::Failed(own),
            // All ranks advance to where the first of them is.
            None if stopped.is_some() => propose(next, next, Time::NEVER, [Time::ZERO, until]),
            None if own == 0 && looked.elapsed() >= LOOK => Signal::Look,
            None if by_neighbours => propose(next, Time::NEVER, stretch.time, [warmup, until]),
            None => propose(next, part.promise(next), stretch.time, [warmup, until]),
        };
        let heard = transport.least(signal.word()).map(Signal::of);
        if let Some(error) = failed {
            return Err(Failure::Part(error));
        }
        match heard? {
            Signal::Failed(rank) => return Err(TransportError::Failed { rank }.into()),
            Signal::Look => {
                let (events, rounds, elapsed) = (summary.events, summary.rounds, begin.elapsed());
                let progress = Progress { clock: next, until, events, rounds, elapsed };
                if look(progress, transport, watch)? {
                    stopped = Some(Instant::now());
                }
                looked = Instant::now();
            }
            Signal::Bound(clock) if stopped.is_some() && !(P::INSTANTS && last == Some(clock)) => {
                (summary.clock, summary.interrupted) = (clock, true);
                break;
            }
            Signal::Bound(bound) => {
                let started = Instant::now();
                // Rounds that do not get shorter by going less far would become ever more.
                let could_be_shorter = match &mut neighbours {
                    Some(neighbours) => {
                        let reached = neighbours.reach(part, bound, transport)?;
                        summary.events += reached.events;
                        summary.rounds += reached.turns;
                        reached.turns > FEWEST.into()
                    }
                    None => {
                        summary.rounds += 1;
                        match part.advance(bound) {
                            Ok(events) => summary.events += events,
                            Err(error) => failed = Some(error),
                        }
                        true
                    }
                };
                stretch.took(if could_be_shorter { started.elapsed() } else { Duration::ZERO });
                last = Some(bound);
            }
            Signal::Done => break,
        }
    }
    summary.wall = begin.elapsed();
    Ok(summary)
}

/// Rank 0 asks its watch, with the counts of all ranks. Returns whether the run is to end before its horizon.
fn look(own: Progress, transport: &mut dyn Transport, watch: &mut dyn Watch) -> Result<bool, TransportError> {
    let clock = Time::from_ticks(transport.least(own.clock.ticks())?);
    let [events] = tally(transport, [own.events])?;
    let clock = clock.min(own.until);
    let is_first = transport.rank() == 0;
    let stops = is_first && (watch.look(&Progress { clock, events, ..own }).is_break() || watch.pause(Pause::Anywhere));
    Ok(transport.least(u64::from(!stops))? == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_the_least_of_what_limits_it() {
        let time = Time::from_ticks;
        let bound = |ticks| Signal::Bound(time(ticks));
        let limits = [time(50), time(100)];
        assert_eq!(propose(time(10), time(15), time(9), limits), bound(15));
        assert_eq!(propose(time(10), time(19), time(5), limits), bound(15));
        assert_eq!(propose(time(10), time(10), time(9), limits), bound(10));
        assert_eq!(propose(time(49), time(58), time(9), limits), bound(50));
        assert_eq!(propose(time(50), time(59), time(9), limits), bound(59));
        assert_eq!(propose(time(99), Time::NEVER, Time::NEVER, limits), bound(100));
        assert_eq!(propose(time(100), time(105), time(5), limits), Signal::Done);
        assert_eq!(propose(Time::NEVER, Time::NEVER, time(5), limits), Signal::Done);
    }

    #[test]
    fn rounds_that_take_long_become_shorter() {
        let mut stretch = Stretch { time: Time::from_ticks(100), round: ROUND };
        let mut after = |took: Duration| {
            stretch.took(took);
            stretch.time.ticks()
        };
        assert_eq!([ROUND * 2, ROUND, ROUND / 8].map(&mut after), [50, 50, 100]);
        (0..20).for_each(|_| _ = after(ROUND * 2));
        assert_eq!(after(ROUND * 2), 1);
        (0..80).for_each(|_| _ = after(Duration::ZERO));
        assert_eq!(after(Duration::ZERO), u64::MAX);
    }
}
