//! The warm-up: found by a pilot, or held against one.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::WarmUpChoice;
use crate::CommandError;
use crate::interrupt::Interrupt;
use crate::progress::{TIME, Watcher};
use crate::warning::Warning;
use tickless_core::run::{Progress, Watch};
use tickless_queueing::warmup::{self, LEAST_REPLICATIONS, WarmUp};
use tickless_queueing::{NetworkModel, NetworkWarning};

/// A pilot that nobody has asked for has at most one replication for so many of the run.
const PART: u32 = 20;
/// ... and no more events than so many, which take a fraction of a second.
const CHEAP: u64 = 2_000_000;
/// A pilot of `--warmup auto` that comes to so many times the events that the rates of a model say never ends: a fork branches without end.
const ENDLESS: f64 = 1000.0;

/// What a pilot found; nothing where Ctrl-C ended it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PilotReport {
    /// Where it would begin to count; `null` where Ctrl-C ended it.
    pub time: Option<f64>,
    /// Whether the horizon is too short to tell; `null` likewise.
    pub too_short: Option<bool>,
    /// How many it rests on.
    pub replications: u32,
    /// How long it took, which no other time includes.
    pub wall_seconds: f64,
}

/// A pilot, where there was one.
#[derive(Debug, Default)]
pub struct Pilot {
    pub report: Option<PilotReport>,
    /// Whether it was asked for.
    pub asked: bool,
    /// Whether Ctrl-C ended it, so that it found nothing.
    pub interrupted: bool,
    /// Whether the warm-up was to be found and was not.
    pub unknown: bool,
}

/// Finds the warm-up where the choice is `auto`, and gives its time, or none where Ctrl-C ends the search. Otherwise, of many replications,
/// holds the model's own against a pilot where that takes little beside the run.
///
/// # Errors
/// What the heap returns, and [`CommandError::Usage`] where `auto` finds nothing: the model is terminating, or its pilot does not end.
pub fn settle(
    model: &NetworkModel,
    choice: Option<WarmUpChoice>,
    replications: u32,
    interrupt: &Interrupt,
) -> Result<(Option<f64>, Pilot, Option<Warning>), CommandError> {
    if matches!(choice, Some(WarmUpChoice::Pilot(_))) {
        found(model, interrupt)
    } else {
        check(model, replications, interrupt)
    }
}

fn found(model: &NetworkModel, interrupt: &Interrupt) -> Result<(Option<f64>, Pilot, Option<Warning>), CommandError> {
    let usage = |message| Err(CommandError::Usage { message });
    if model.is_terminating() {
        return usage("--warmup auto and terminating = true: a system that ends has no steady state to warm up to; leave one of them out".into());
    }
    let most = (warmup::EVENTS as f64).max(ENDLESS * expected_work(model)) as u64;
    let Some((found, report)) = run(model, warmup::EVENTS, most, interrupt)? else {
        return usage(format!(
            "--warmup auto finds nothing: after {most} events its pilot is not at an end, where rates of sources and servers give {:.0}; \
             give --warmup a time, or a fork fewer copies",
            expected_work(model)
        ));
    };
    if found.interrupted {
        let warning = Some(Warning::PilotInterrupted { replications: found.replications });
        return Ok((None, Pilot { report: Some(report), asked: true, interrupted: true, unknown: true }, warning));
    }
    let until = model.until().units();
    let warning = (found.too_short && !grows(model)).then_some(Warning::HorizonTooShort { until, warmup: found.time });
    Ok((Some(found.time), Pilot { report: Some(report), asked: true, ..Pilot::default() }, warning))
}

fn check(
    model: &NetworkModel,
    replications: u32,
    interrupt: &Interrupt,
) -> Result<(Option<f64>, Pilot, Option<Warning>), CommandError> {
    let nothing = Ok((None, Pilot::default(), None));
    let least = expected_work(model);
    // Where a queue grows without end there is nothing that a warm-up could wait for.
    if replications < PART * LEAST_REPLICATIONS || least > CHEAP as f64 || model.is_terminating() || grows(model) {
        return nothing;
    }
    // Nobody has asked for it, and an error of one of its replications is none of the run's: others draw other numbers.
    let affordable = f64::from(replications / PART) * least / f64::from(LEAST_REPLICATIONS);
    let Ok(Some((found, report))) = run(model, CHEAP.min(affordable as u64), CHEAP, interrupt) else { return nothing };
    let warning = (found.exceeds(model) && !found.interrupted).then(|| Warning::WarmupTooShort {
        warmup: model.warmup().units(),
        found: found.time,
        replications: found.replications,
    });
    Ok((None, Pilot { report: Some(report), interrupted: found.interrupted, ..Pilot::default() }, warning))
}

/// Whether the network is remarked on as one that never settles.
fn grows(model: &NetworkModel) -> bool {
    let never =
        |warning: &NetworkWarning| matches!(warning, NetworkWarning::Unstable { .. } | NetworkWarning::NoExit { .. });
    model.warnings().iter().any(never)
}

/// Events of the least pilot, at most, and the stations and tokens that its replications begin with, which take as long.
fn expected_work(model: &NetworkModel) -> f64 {
    let first = f64::from(model.stations()) + f64::from(model.tokens());
    f64::from(LEAST_REPLICATIONS) * (first + model.events_per_unit() * model.until().units())
}

/// A pilot that begins no replication past `events`, or nothing where it comes to `most`.
fn run(
    model: &NetworkModel,
    events: u64,
    most: u64,
    interrupt: &Interrupt,
) -> Result<Option<(WarmUp, PilotReport)>, CommandError> {
    let begin = Instant::now();
    let mut watch = Limited { watcher: Watcher::new("pilot", "events", TIME, interrupt), most, is_past: false };
    let found = warmup::find_within(model, events, &mut watch);
    let found = found.map_err(|error| CommandError::of_network(error, model))?;
    if watch.is_past {
        return Ok(None);
    }
    let WarmUp { replications, interrupted, .. } = found;
    let (time, too_short) = ((!interrupted).then_some(found.time), (!interrupted).then_some(found.too_short));
    Ok(Some((found, PilotReport { time, too_short, replications, wall_seconds: begin.elapsed().as_secs_f64() })))
}

/// Ends a pilot that comes to so many events.
struct Limited<'a> {
    watcher: Watcher<'a>,
    most: u64,
    is_past: bool,
}

impl Watch for Limited<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.is_past = progress.events > self.most;
        if self.is_past { ControlFlow::Break(()) } else { self.watcher.look(progress) }
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        self.watcher.set_up(elapsed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::arguments::Auto;
    use super::*;
    use tickless_queueing::Network;

    fn model(until: f64) -> NetworkModel {
        let text = "[[station]]\nname = 'a'\nservice = 'exponential:1'\ntokens = 5\n\
                    [[route]]\nfrom = 'a'\nto = 'a'\n";
        Network::from_toml(text).unwrap().until(until).check().unwrap()
    }

    /// A pilot is a twentieth of a hundred replications, and of fewer it would be more.
    #[test]
    fn a_dear_pilot_is_left_out() {
        // Five replications of a station, five tokens and a thousand events.
        assert_eq!(expected_work(&model(1000.0)), 5030.0);
        let interrupt = Interrupt::default();
        for (until, replications, runs) in [
            (1000.0, 100, true),
            (1000.0, 99, false),
            (1000.0, 1, false),
            (399_000.0, 100, true),
            (400_001.0, 1000, false),
        ] {
            let (_, pilot, _) = settle(&model(until), None, replications, &interrupt).unwrap();
            assert_eq!(pilot.report.is_some(), runs, "{until} x {replications}");
        }
    }

    /// A short horizon does not make a pilot of a large network cheap.
    #[test]
    fn many_stations_leave_the_pilot_out() {
        let text =
            "until = 0.001\n[generate]\nkind = 'random-regular'\ndegree = 2\nservice = 'exponential:9'\ntokens = 1\n";
        for (stations, cheap) in [(20_000, true), (300_000, false)] {
            let network = Network::from_toml(&format!("{text}stations = {stations}\nseed = 1\n")).unwrap();
            let (_, pilot, _) = settle(&network.check().unwrap(), None, 100, &Interrupt::default()).unwrap();
            assert_eq!(pilot.report.is_some(), cheap, "{stations}");
        }
    }

    #[test]
    fn what_ends_has_no_warm_up() {
        let ends = model(1000.0).description().clone().terminating(true).check().unwrap();
        let interrupt = Interrupt::default();
        assert!(settle(&ends, None, 1000, &interrupt).unwrap().1.report.is_none());
        let asked = settle(&ends, Some(WarmUpChoice::Pilot(Auto::Auto)), 1, &interrupt).unwrap_err();
        assert!(asked.to_string().contains("terminating"), "{asked}");
    }

    /// Tokens of the second station want what those of the first one hold, which in a long run ends in a standstill.
    #[test]
    fn an_error_of_a_pilot_ends_no_run() {
        let text = "until = 40\n[[resource]]\nname = 'room'\nunits = 3\n[[sink]]\nname = 'out'\n\
                    [[source]]\nname = 'in'\ninterval = 'exponential:1'\nto = 'x'\n\
                    [[station]]\nname = 'x'\nservice = 'exponential:0.9'\nservers = 3\nseizes = { room = 1 }\n\
                    [[station]]\nname = 'y'\nservice = 'exponential:0.9'\nservers = 3\nseizes = { room = 1 }\n\
                    [[route]]\nfrom = 'x'\nto = 'y'\n[[route]]\nfrom = 'y'\nto = 'out'\n";
        let model = Network::from_toml(text).unwrap().check().unwrap();
        let interrupt = Interrupt::default();
        assert!(settle(&model, Some(WarmUpChoice::Pilot(Auto::Auto)), 1, &interrupt).is_err());
        assert!(settle(&model, None, 100, &interrupt).unwrap().1.report.is_none());
    }

    /// Every visit begins two more.
    #[test]
    fn a_fork_without_end_ends_its_pilot() {
        let text = "until = 1000\n[[class]]\nname = 'x'\n[[station]]\nname = 'a'\nservice = 'constant:1'\nservers = 'infinite'\n\
                    routing = 'fork'\n[[source]]\nname = 'in'\ninterval = 'constant:1'\nlimit = 1\nto = 'a'\n[[sink]]\nname = 'out'\n\
                    [[route]]\nfrom = 'a'\nto = 'a'\n[[route]]\nfrom = 'a'\nto = 'a'\n";
        let model = Network::from_toml(text).unwrap().check().unwrap();
        assert!(run(&model, 1000, 100_000, &Interrupt::default()).unwrap().is_none());
    }

    #[test]
    fn what_never_settles_gets_no_advice() {
        let text = "until = 200\n[[station]]\nname = 'a'\nservice = 'exponential:5'\n[[sink]]\nname = 'out'\n\
                    [[source]]\nname = 'in'\ninterval = 'constant:2'\nto = 'a'\n[[route]]\nfrom = 'a'\nto = 'out'\n";
        let model = Network::from_toml(text).unwrap().check().unwrap();
        assert!(grows(&model));
        for choice in [None, Some(WarmUpChoice::Pilot(Auto::Auto))] {
            let (_, _, warning) = settle(&model, choice, 1, &Interrupt::default()).unwrap();
            assert_eq!(warning, None);
        }
    }

    #[test]
    fn the_found_time_is_the_warm_up() {
        let auto = Some(WarmUpChoice::Pilot(Auto::Auto));
        let (found, pilot, _) = settle(&model(1000.0), auto, 1, &Interrupt::default()).unwrap();
        assert_eq!(found, pilot.report.unwrap().time);
    }
}
