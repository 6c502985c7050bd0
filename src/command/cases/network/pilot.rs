//! The warm-up: found by a pilot, or checked against a pilot.

use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::WarmUpChoice;
use crate::CommandError;
use crate::warning::Warning;
use tickless_core::run::Watch;
use tickless_queueing::warmup::{self, LEAST_REPLICATIONS, WarmUp};
use tickless_queueing::{NetworkModel, NetworkWarning};

/// A pilot for a check runs one replication for each so many of the run.
const PART: u32 = 20;
/// The most events of a pilot for a check: a fraction of a second.
const CHEAP: u64 = 2_000_000;

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

/// Finds the warm-up where the choice is `auto`, and gives its time, or none where Ctrl-C ends the search. Otherwise, for many
/// replications, checks the model's own warm-up by a pilot if the pilot takes little beside the run.
///
/// # Errors
/// Errors of the heap, and [`CommandError::Usage`] for `auto` and a model that is terminating.
pub fn settle(
    model: &NetworkModel,
    choice: Option<WarmUpChoice>,
    replications: u32,
    watch: &mut dyn Watch,
) -> Result<(Option<f64>, Pilot, Option<Warning>), CommandError> {
    match choice {
        Some(WarmUpChoice::Pilot(_)) => find(model, watch),
        _ => Ok(check(model, replications, watch)
            .map_or((None, Pilot::default(), None), |(pilot, warning)| (None, pilot, warning))),
    }
}

/// What `--warmup auto` asks for.
fn find(model: &NetworkModel, watch: &mut dyn Watch) -> Result<(Option<f64>, Pilot, Option<Warning>), CommandError> {
    if model.is_terminating() {
        let message = "--warmup auto, and terminating is true: a system that ends has no steady state to warm up to; leave one of them out";
        return Err(CommandError::Usage { message: message.into() });
    }
    let (found, report) = run(model, warmup::EVENTS, watch)?;
    if found.interrupted {
        let warning = Some(Warning::PilotInterrupted { replications: found.replications });
        return Ok((None, Pilot { report: Some(report), asked: true, interrupted: true, unknown: true }, warning));
    }
    let until = model.until().units();
    let warning = (found.too_short && !grows(model)).then_some(Warning::HorizonTooShort { until, warmup: found.time });
    Ok((Some(found.time), Pilot { report: Some(report), asked: true, ..Pilot::default() }, warning))
}

/// Checks the model's warm-up by a pilot, if the pilot takes at most a twentieth of the run's events and there is a steady state.
fn check(model: &NetworkModel, replications: u32, watch: &mut dyn Watch) -> Option<(Pilot, Option<Warning>)> {
    let affordable = replications / PART;
    let least = expected_work(model);
    if affordable < LEAST_REPLICATIONS || least > CHEAP as f64 || model.is_terminating() || grows(model) {
        return None;
    }
    let events = f64::from(affordable) * least / f64::from(LEAST_REPLICATIONS);
    // An error of one of the pilot's replications is no error of the run, whose replications draw other numbers.
    let (found, report) = run(model, CHEAP.min(events as u64), watch).ok()?;
    let warning = (found.exceeds(model) && !found.interrupted).then(|| Warning::WarmupTooShort {
        warmup: model.warmup().units(),
        found: found.time,
        replications: found.replications,
    });
    Some((Pilot { report: Some(report), interrupted: found.interrupted, ..Pilot::default() }, warning))
}

/// Whether a warning says that the network has no steady state.
fn grows(model: &NetworkModel) -> bool {
    let never =
        |warning: &NetworkWarning| matches!(warning, NetworkWarning::Unstable { .. } | NetworkWarning::NoExit { .. });
    model.warnings().iter().any(never)
}

/// The most events of the smallest pilot, and the stations and tokens at the start of its replications, which take as
/// long.
fn expected_work(model: &NetworkModel) -> f64 {
    let first = f64::from(model.stations()) + f64::from(model.tokens());
    f64::from(LEAST_REPLICATIONS) * (first + model.events_per_unit() * model.until().units())
}

fn run(model: &NetworkModel, events: u64, watch: &mut dyn Watch) -> Result<(WarmUp, PilotReport), CommandError> {
    let begin = Instant::now();
    let found = warmup::find_within(model, events, watch);
    let found = found.map_err(|error| CommandError::of_network(error, model))?;
    let WarmUp { replications, interrupted, .. } = found;
    let (time, too_short) = ((!interrupted).then_some(found.time), (!interrupted).then_some(found.too_short));
    Ok((found, PilotReport { time, too_short, replications, wall_seconds: begin.elapsed().as_secs_f64() }))
}

#[cfg(test)]
mod tests {
    use super::super::arguments::Auto;
    use super::*;
    use tickless_core::run::unwatched;
    use tickless_queueing::Network;

    fn model(until: f64) -> NetworkModel {
        let text = "[[station]]\nname = 'a'\nservice = 'exponential:1'\ntokens = 5\n\
                    [[route]]\nfrom = 'a'\nto = 'a'\n";
        Network::from_toml(text).unwrap().until(until).check().unwrap()
    }

    /// A pilot is a twentieth of a hundred replications, and more of fewer.
    #[test]
    fn a_dear_pilot_is_left_out() {
        // Five replications of a station, five tokens and a thousand events.
        assert_eq!(expected_work(&model(1000.0)), 5030.0);
        for (until, replications, runs) in [
            (1000.0, 100, true),
            (1000.0, 99, false),
            (1000.0, 1, false),
            (399_000.0, 100, true),
            (400_001.0, 1000, false),
        ] {
            let (_, pilot, _) = settle(&model(until), None, replications, &mut unwatched()).unwrap();
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
            let (_, pilot, _) = settle(&network.check().unwrap(), None, 100, &mut unwatched()).unwrap();
            assert_eq!(pilot.report.is_some(), cheap, "{stations}");
        }
    }

    #[test]
    fn what_ends_has_no_warm_up() {
        let ends = model(1000.0).description().clone().terminating(true).check().unwrap();
        assert!(settle(&ends, None, 1000, &mut unwatched()).unwrap().1.report.is_none());
        let asked = settle(&ends, Some(WarmUpChoice::Pilot(Auto::Auto)), 1, &mut unwatched()).unwrap_err();
        assert!(asked.to_string().contains("terminating"), "{asked}");
    }

    /// Tokens of the second station want units that those of the first station hold, which in a long run ends in a
    /// deadlock.
    #[test]
    fn an_error_of_a_pilot_ends_no_run() {
        let text = "until = 40\n[[resource]]\nname = 'room'\nunits = 3\n[[sink]]\nname = 'out'\n\
                    [[source]]\nname = 'in'\ninterval = 'exponential:1'\nto = 'x'\n\
                    [[station]]\nname = 'x'\nservice = 'exponential:0.9'\nservers = 3\nseizes = { room = 1 }\n\
                    [[station]]\nname = 'y'\nservice = 'exponential:0.9'\nservers = 3\nseizes = { room = 1 }\n\
                    [[route]]\nfrom = 'x'\nto = 'y'\n[[route]]\nfrom = 'y'\nto = 'out'\n";
        let model = Network::from_toml(text).unwrap().check().unwrap();
        let asked = settle(&model, Some(WarmUpChoice::Pilot(Auto::Auto)), 1, &mut unwatched()).unwrap_err();
        assert!(asked.to_string().contains("room"), "{asked}");
        // Nothing else leaves the pilot out.
        assert!(expected_work(&model) < CHEAP as f64 && !grows(&model));
        assert!(settle(&model, None, 100, &mut unwatched()).unwrap().1.report.is_none());
    }

    #[test]
    fn what_never_settles_gets_no_advice() {
        let text = "until = 200\n[[station]]\nname = 'a'\nservice = 'exponential:5'\n[[sink]]\nname = 'out'\n\
                    [[source]]\nname = 'in'\ninterval = 'constant:2'\nto = 'a'\n[[route]]\nfrom = 'a'\nto = 'out'\n";
        let model = Network::from_toml(text).unwrap().check().unwrap();
        assert!(grows(&model));
        for choice in [None, Some(WarmUpChoice::Pilot(Auto::Auto))] {
            let (_, _, warning) = settle(&model, choice, 1000, &mut unwatched()).unwrap();
            assert_eq!(warning, None);
        }
    }

    #[test]
    fn the_found_time_is_the_warm_up() {
        let auto = Some(WarmUpChoice::Pilot(Auto::Auto));
        let (found, pilot, _) = settle(&model(1000.0), auto, 1, &mut unwatched()).unwrap();
        assert_eq!(found, pilot.report.unwrap().time);
    }
}
