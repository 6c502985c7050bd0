//! The sequential executive: the earliest event first, until the horizon.

use std::time::{Duration, Instant};

use crate::run::{PATIENCE, Pause, Progress, Watch};
use crate::time::Time;

/// A model on the sequential simulator, with the list of its events.
pub trait Handler {
    /// The error that ends a run without a result.
    type Error;

    /// The time of the next event; the horizon or later where there is none.
    fn next(&mut self) -> Time;

    /// Executes the next event, which is at `now`, or every event of that instant, and schedules the events that follow,
    /// none before `now`. Returns how many events it executed.
    ///
    /// # Errors
    /// The error that ends the run without a result.
    fn handle(&mut self, now: Time) -> Result<u64, Self::Error>;

    /// The error of a run that is to end but whose time has stood still for seconds; `None` where time will surely go on: with `None` the
    /// run ends at a later time alone, and a run whose time stands still for ever cannot be ended.
    fn stands_still(&self) -> Option<Self::Error>;
}

/// The result of [`execute`].
///
/// ```
/// # use tickless_core::facade as tickless;
/// # let summary = tickless::heap::Summary { events: 0, clock: tickless::time::Time::UNIT, interrupted: false, wall: Default::default() };
/// assert!(!summary.interrupted);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Events executed.
    pub events: u64,
    /// Every event before this time was executed, and no other event.
    pub clock: Time,
    /// Whether the [`Watch`] ended the run before the horizon.
    pub interrupted: bool,
    /// From the first event to the last.
    pub wall: Duration,
}

/// Executes every event before `until`, the earliest first.
///
/// A run that the [`Watch`] ends goes on to the next time, so that it is whole up to its clock.
///
/// # Errors
/// As the handler.
///
/// ```
/// # use tickless_core::facade as tickless;
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
///
///     fn stands_still(&self) -> Option<Self::Error> {
///         None
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
    let (mut now, mut looks, mut stopped) = (Time::ZERO, Looks::FIRST, None);
    loop {
        let clock = handler.next();
        if clock >= until {
            break;
        }
        if summary.events >= looks.next {
            let (events, elapsed) = (summary.events, begin.elapsed());
            looks.had(events, elapsed);
            let progress = Progress { clock, until, events, rounds: 0, elapsed };
            if stopped.is_none() && (watch.look(&progress).is_break() || watch.pause(Pause::Anywhere)) {
                stopped = Some(elapsed);
            }
            if now == clock && stopped.is_some_and(|stopped| elapsed > stopped + PATIENCE) {
                handler.stands_still().map_or(Ok(()), Err)?;
            }
        }
        if stopped.is_some() && now < clock {
            (summary.clock, summary.interrupted) = (clock, true);
            break;
        }
        now = clock;
        summary.events += handler.handle(now)?;
    }
    summary.wall = begin.elapsed();
    Ok(summary)
}

/// The most events between two looks of the [`Watch`]: some milliseconds of short events.
const MOST_EVENTS: u64 = 1 << 15;
/// Where the events between two looks take longer than this, the next look comes sooner; where they take less than a
/// quarter, later.
const BETWEEN: Duration = Duration::from_millis(20);

/// When the [`Watch`] looks.
struct Looks {
    /// The number of events at the next look.
    next: u64,
    /// Events between the last look and the next.
    events: u64,
    last: Duration,
}

impl Looks {
    /// The first look comes early: an event may take milliseconds.
    const FIRST: Self = Self { next: 16, events: 16, last: Duration::ZERO };

    /// Plans the next look by the time that the events since the last look took.
    fn had(&mut self, events: u64, elapsed: Duration) {
        let took = elapsed.saturating_sub(self.last);
        if took > BETWEEN {
            self.events = (self.events / 2).max(1);
        } else if took < BETWEEN / 4 {
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

    /// A handler with events at one time for ever, or a thousand of them and then a later event.
    struct Still {
        left: u32,
        goes_on: bool,
    }

    impl Handler for Still {
        type Error = &'static str;

        fn next(&mut self) -> Time {
            if self.left > 0 { Time::UNIT } else { Time::from_ticks(3 << 32) }
        }

        fn handle(&mut self, _: Time) -> Result<u64, Self::Error> {
            self.left -= u32::from(self.goes_on);
            Ok(1)
        }

        fn stands_still(&self) -> Option<Self::Error> {
            Some("time stands still")
        }
    }

    /// A run that is to end is whole up to its clock; where time stands still it ends with an error.
    #[test]
    fn a_watch_ends_a_run_whose_time_stands_still() {
        let run = |goes_on| {
            let mut stop = |_: &Progress| std::ops::ControlFlow::Break(());
            execute(&mut Still { left: 1000, goes_on }, Time::from_ticks(9 << 32), &mut stop)
        };
        let whole = run(true).map(|summary| (summary.events, summary.clock, summary.interrupted));
        assert_eq!(whole, Ok((1000, Time::from_ticks(3 << 32), true)));
        assert_eq!(run(false).map(|summary| summary.events), Err("time stands still"));
    }
}
