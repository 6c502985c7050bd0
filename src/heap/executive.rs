//! The sequential executive: the earliest event first, until the horizon.

use std::time::{Duration, Instant};

use crate::run::{Progress, Watch};
use crate::time::Time;

/// A model on the sequential simulator, with the list of its events.
pub trait Handler {
    /// What ends a run without a result.
    type Error;

    /// When its next event is; at the horizon or later where it has none.
    fn next(&mut self) -> Time;

    /// Executes the next event, which is at `now`, or every event of that instant, and schedules what follows from it: no
    /// event before `now`. Returns how many events it executed.
    ///
    /// # Errors
    /// Whatever ends the run without a result.
    fn handle(&mut self, now: Time) -> Result<u64, Self::Error>;
}

/// What [`execute`] did.
///
/// ```
/// # let summary = tickless::heap::Summary { events: 0, clock: tickless::time::Time::UNIT, interrupted: false, wall: Default::default() };
/// assert!(!summary.interrupted);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Events executed.
    pub events: u64,
    /// Every event before this time was executed and none at it or after it.
    pub clock: Time,
    /// Whether the [`Watch`] ended the run before the horizon.
    pub interrupted: bool,
    /// From the first event to the last.
    pub wall: Duration,
}

/// Executes every event before `until`, the earliest first.
///
/// The [`Watch`] is asked between two times only, so that a run that it ends is whole up to its clock.
///
/// # Errors
/// What the handler returns.
///
/// ```
/// use tickless::{heap::{Event, EventList, Handler, execute}, run::unwatched, time::Time};
///
/// /// Ticks once a time unit.
/// struct Clock(EventList);
///
/// impl Handler for Clock {
///     type Error = std::convert::Infallible;
///
///     fn next(&mut self) -> Time {
///         self.0.next()
///     }
///
///     fn handle(&mut self, now: Time) -> Result<u64, Self::Error> {
///         if let (Some(event), Some(time)) = (self.0.pop(), now.checked_add(Time::UNIT)) {
///             self.0.push(Event { time, ..event });
///         }
///         Ok(1)
///     }
/// }
///
/// let mut clock = Clock([Event { time: Time::ZERO, entity: 0, payload: 0 }].into_iter().collect());
/// let summary = execute(&mut clock, Time::from_units(10.0).unwrap(), &mut unwatched())?;
/// assert_eq!(summary.events, 10);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
pub fn execute<H: Handler>(handler: &mut H, until: Time, watch: &mut dyn Watch) -> Result<Summary, H::Error> {
    let begin = Instant::now();
    let mut summary = Summary { events: 0, clock: until, interrupted: false, wall: Duration::ZERO };
    let (mut now, mut looks) = (Time::ZERO, Looks::FIRST);
    loop {
        let clock = handler.next();
        if clock >= until {
            break;
        }
        if summary.events >= looks.next && now < clock {
            let (events, elapsed) = (summary.events, begin.elapsed());
            looks.had(events, elapsed);
            if watch.look(&Progress { clock, until, events, rounds: 0, elapsed }).is_break() {
                (summary.clock, summary.interrupted) = (clock, true);
                break;
            }
        }
        now = clock;
        summary.events += handler.handle(now)?;
    }
    summary.wall = begin.elapsed();
    Ok(summary)
}

/// Events between two looks of the [`Watch`] at most: a few milliseconds of events that do little.
const MOST_EVENTS: u64 = 1 << 15;
/// Where the events between two looks take longer, the next look comes sooner; where they take less than a quarter of it,
/// later.
const PATIENCE: Duration = Duration::from_millis(20);

/// When the [`Watch`] looks.
struct Looks {
    /// After so many events in all.
    next: u64,
    /// So many after the last look.
    events: u64,
    last: Duration,
}

impl Looks {
    /// The first look comes early: an event may take milliseconds.
    const FIRST: Self = Self { next: 16, events: 16, last: Duration::ZERO };

    /// Plans the next look by what the events since the last one took.
    fn had(&mut self, events: u64, elapsed: Duration) {
        let took = elapsed.saturating_sub(self.last);
        if took > PATIENCE {
            self.events = (self.events / 2).max(1);
        } else if took < PATIENCE / 4 {
            self.events = (self.events * 2).min(MOST_EVENTS);
        }
        (self.next, self.last) = (events + self.events, elapsed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_come_by_time_and_by_events() {
        let looks = |each: Duration| {
            let mut looks = Looks::FIRST;
            (0..40).for_each(|_| looks.had(looks.next, each * looks.next as u32));
            looks.events
        };
        assert_eq!(looks(Duration::from_nanos(50)), MOST_EVENTS);
        assert!((2..=10).contains(&looks(Duration::from_millis(2))));
        assert_eq!(looks(Duration::from_secs(1)), 1);
    }
}
