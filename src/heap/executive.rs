//! The sequential executive: the earliest event first, until the horizon.

use std::time::{Duration, Instant};

use super::{Event, EventList};
use crate::RunError;
use crate::run::{Progress, Watch};
use crate::time::Time;

/// Events between two looks of the [`Watch`]: a few milliseconds.
const LOOK: u64 = 1 << 15;

/// A model on the sequential simulator.
pub trait Handler {
    /// Executes an event and schedules what follows from it, at a later time.
    ///
    /// # Errors
    /// Whatever ends the run without a result.
    fn handle(&mut self, event: Event, events: &mut EventList) -> Result<(), RunError>;

    /// Touches the memory that `event`, which is probably next, will need.
    #[inline]
    fn approach(&self, event: Event) {
        let _ = event;
    }
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

/// Executes every event before `until` in the order of the list.
///
/// The [`Watch`] is asked between two instants only, so that a run that it ends is whole up to its clock.
///
/// # Errors
/// What a handler returns.
///
/// ```
/// use tickless::{RunError, heap::{Event, EventList, Handler, execute}, run::unwatched, time::Time};
/// struct Clock;
/// impl Handler for Clock {
///     fn handle(&mut self, event: Event, events: &mut EventList) -> Result<(), RunError> {
///         let time = event.time.checked_add(Time::UNIT).unwrap();
///         events.push(Event { time, ..event });
///         Ok(())
///     }
/// }
/// let mut events: EventList = [Event { time: Time::ZERO, entity: 0, payload: 0 }].into_iter().collect();
/// let summary = execute(&mut Clock, &mut events, Time::from_units(10.0).unwrap(), &mut unwatched())?;
/// assert_eq!(summary.events, 10);
/// # Ok::<(), RunError>(())
/// ```
pub fn execute<H: Handler>(
    handler: &mut H,
    events: &mut EventList,
    until: Time,
    watch: &mut dyn Watch,
) -> Result<Summary, RunError> {
    let begin = Instant::now();
    let mut summary = Summary { events: 0, clock: until, interrupted: false, wall: Duration::ZERO };
    let (mut now, mut look) = (None, LOOK);
    while let Some(event) = events.first().filter(|event| event.time < until) {
        if summary.events >= look && now < Some(event.time) {
            look = summary.events + LOOK;
            let (clock, events, elapsed) = (event.time, summary.events, begin.elapsed());
            if watch.look(&Progress { clock, until, events, rounds: 0, elapsed }).is_break() {
                (summary.clock, summary.interrupted) = (clock, true);
                break;
            }
        }
        now = Some(event.time);
        events.pop();
        if let Some(soon) = events.first() {
            handler.approach(soon);
        }
        handler.handle(event, events)?;
        summary.events += 1;
    }
    summary.wall = begin.elapsed();
    Ok(summary)
}

/// A model on the sequential simulator that keeps its own events.
pub trait Instants {
    /// When its next event is; at the horizon or later where it has none.
    fn next(&self) -> Time;

    /// Executes every event of the next instant; how many.
    fn instant(&mut self) -> u64;
}

/// Executes every instant before `until`, as [`execute`] does. The events of an instant that the [`Watch`] ends the run
/// before are not counted.
pub fn execute_instants<I: Instants>(model: &mut I, until: Time, watch: &mut dyn Watch) -> Summary {
    let begin = Instant::now();
    let mut summary = Summary { events: 0, clock: until, interrupted: false, wall: Duration::ZERO };
    let mut look = LOOK;
    loop {
        let clock = model.next();
        if clock >= until {
            break;
        }
        if summary.events >= look {
            look = summary.events + LOOK;
            let (events, elapsed) = (summary.events, begin.elapsed());
            if watch.look(&Progress { clock, until, events, rounds: 0, elapsed }).is_break() {
                (summary.clock, summary.interrupted) = (clock, true);
                break;
            }
        }
        summary.events += model.instant();
    }
    summary.wall = begin.elapsed();
    summary
}
