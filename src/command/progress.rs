//! The progress bar, on standard error where that is a terminal.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt::Interrupt;
use super::{terminal, text};
use tickless_core::run::{Progress, Watch};

/// A shorter interval slows a run down without a visible effect.
const EVERY: Duration = Duration::from_millis(50);
/// The clock of most models.
pub const TIME: &str = "time";
/// The label of a pilot.
const PILOT: &str = "pilot";
/// Steps of the bar.
const STEPS: u64 = 10_000;

/// Shows the progress of a run, and stops it after Ctrl-C.
pub struct Watcher<'a> {
    interrupt: &'a Interrupt,
    bar: Option<ProgressBar>,
    drawn: Option<Instant>,
    counted: &'static str,
    /// The unit of the run's clock.
    clock: &'static str,
    /// The phase before the first event.
    preparing: &'static str,
}

impl<'a> Watcher<'a> {
    /// A bar for the run of `label`, which counts `counted` and whose clock is one of `clock`, if standard error is a
    /// terminal.
    pub fn new(label: &str, counted: &'static str, clock: &'static str, interrupt: &'a Interrupt) -> Self {
        let is_shown = std::io::stderr().is_terminal() && !terminal::is_quiet();
        let bar = is_shown.then(|| {
            let bar = ProgressBar::new(STEPS);
            if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:30}] {msg}") {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.set_prefix(label.to_owned());
            // Most models have no pilot: nothing is shown before it begins.
            if label != PILOT {
                bar.set_message("setting up");
            }
            bar
        });
        let preparing = if ["heap", PILOT].contains(&label) { "setting up" } else { "compiling kernels" };
        Self { interrupt, bar, drawn: None, counted, clock, preparing }
    }

    /// A bar for the pilot of a run, if there is one.
    pub fn pilot(interrupt: &'a Interrupt) -> Self {
        Self::new(PILOT, "events", TIME, interrupt)
    }
}

impl Watch for Watcher<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        // Before the first event there is nothing to keep, and Ctrl-C ends the process.
        self.interrupt.watched();
        if let Some(bar) = &self.bar
            && self.drawn.is_none_or(|drawn| drawn.elapsed() >= EVERY)
        {
            bar.set_position((part(progress) * STEPS as f64) as u64);
            bar.set_message(message(progress, self.counted, self.clock));
            self.drawn = Some(Instant::now());
        }
        self.goes_on()
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        if let Some(bar) = self.bar.as_ref().filter(|_| elapsed.as_secs() > 0) {
            bar.set_message(format!("{}, {} s", self.preparing, elapsed.as_secs()));
        }
        self.goes_on()
    }
}

impl Watcher<'_> {
    fn goes_on(&self) -> ControlFlow<()> {
        if self.interrupt.came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for Watcher<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn part(progress: &Progress) -> f64 {
    (progress.clock.units() / progress.until.units().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
}

fn message(progress: &Progress, counted: &str, clock: &str) -> String {
    let (part, elapsed) = (part(progress), progress.elapsed.as_secs_f64());
    let rate = text::rate(progress.events as f64 / elapsed.max(1e-9));
    let left = if part > 0.0 { text::seconds(elapsed * (1.0 - part) / part) } else { "?".into() };
    // A count has no fraction.
    let decimals = usize::from(clock == TIME);
    let now = progress.clock.units();
    format!("{clock} {now:.decimals$} of {} | {rate} {counted}/s | {left} left", progress.until)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::time::Time;

    #[test]
    fn the_message_says_time_rate_and_what_is_left() {
        let time = |units| Time::from_units(units).unwrap();
        let progress = Progress {
            clock: time(25.0),
            until: time(100.0),
            events: 3_000_000,
            rounds: 25,
            elapsed: Duration::from_secs(2),
        };
        assert_eq!(message(&progress, "events", TIME), "time 25.0 of 100 | 1.50 M events/s | 6.00 s left");
        let searches = message(&progress, "expansions", "searches");
        assert_eq!(searches, "searches 25 of 100 | 1.50 M expansions/s | 6.00 s left");
    }
}
