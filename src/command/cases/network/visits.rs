//! `--visits`: a line for each visit of a token to a station.
//!
//! Visits are recorded on the heap, which runs the replications once more: their results are compared with those of the run, wherever that
//! was.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::str::FromStr;

use super::Replications;
use crate::CommandError;
use crate::output::cell;
use tickless_core::run::{cores, replications, unwatched};
use tickless_core::time::Time;
use tickless_queueing::{self as queueing, NetworkModel, NetworkOutcome, Visit};

/// The columns.
const HEAD: &[u8] = b"replication,token,class,station,arrival,start,end,departure,left,to\n";
/// Bytes of a line, about.
const LINE: u64 = 96;
/// Bytes that are written at a time.
const PART: usize = 1 << 18;

/// Which tokens are recorded: those whose number is a multiple of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample(u64);

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.trim().strip_prefix("1/").and_then(|every| every.parse().ok()).filter(|every| *every > 0);
        number.map(Self).ok_or_else(|| "it takes one of so many tokens, as 1/100".into())
    }
}

/// Makes lines of visits.
struct Lines {
    stations: Vec<Vec<u8>>,
    sinks: Vec<Vec<u8>>,
    classes: Vec<Vec<u8>>,
    sample: u64,
}

impl Lines {
    fn new(model: &NetworkModel, sample: Option<Sample>) -> io::Result<Self> {
        let cells = |names: Vec<String>| names.iter().map(|name| cell(name)).collect::<io::Result<Vec<_>>>();
        Ok(Self {
            stations: cells((0..model.stations()).map(|id| model.station_name(id).into_owned()).collect())?,
            sinks: cells((0..model.sinks()).map(|id| model.sink_name(id).to_owned()).collect())?,
            classes: cells(model.classes().to_vec())?,
            sample: sample.map_or(1, |sample| sample.0),
        })
    }

    /// Adds the line of a visit.
    fn add(&self, replication: u32, visit: &Visit, text: &mut Vec<u8>) {
        if !visit.token.is_multiple_of(self.sample) {
            return;
        }
        push_number(replication.into(), text);
        text.push(b',');
        push_number(visit.token, text);
        text.push(b',');
        text.extend_from_slice(self.classes.get(visit.class as usize).map_or(&[], Vec::as_slice));
        text.push(b',');
        text.extend_from_slice(&self.stations[visit.station as usize]);
        for time in [Some(visit.arrival), visit.start, visit.end, visit.departure] {
            text.push(b',');
            time.into_iter().for_each(|time| push_time(time, text));
        }
        text.push(b',');
        text.extend_from_slice(visit.left.name().as_bytes());
        text.push(b',');
        if let Some(to) = visit.to.map(|to| to as usize) {
            let sink = || &self.sinks[to - self.stations.len()];
            text.extend_from_slice(self.stations.get(to).unwrap_or_else(sink));
        }
        text.push(b'\n');
    }
}

fn push_number(mut number: u64, text: &mut Vec<u8>) {
    let (mut digits, mut first) = ([b'0'; 20], 20);
    while first == 20 || number > 0 {
        first -= 1;
        digits[first] += (number % 10) as u8;
        number /= 10;
    }
    text.extend_from_slice(&digits[first..]);
}

/// A time in time units, with ten decimals at most, by which every tick is another one.
fn push_time(time: Time, text: &mut Vec<u8>) {
    const DECIMALS: u32 = 10;
    let scaled = (u128::from(time.ticks()) * 10_u128.pow(DECIMALS) + (1 << 31)) >> 32;
    let [whole, mut part] = [scaled / 10_u128.pow(DECIMALS), scaled % 10_u128.pow(DECIMALS)].map(|part| part as u64);
    push_number(whole, text);
    if part == 0 {
        return;
    }
    let mut digits = DECIMALS as usize;
    while part.is_multiple_of(10) {
        part /= 10;
        digits -= 1;
    }
    let begin = text.len() + 1;
    text.push(b'.');
    text.resize(begin + digits, b'0');
    for place in (begin..begin + digits).rev() {
        text[place] += (part % 10) as u8;
        part /= 10;
    }
}

/// Writes the visits of the replications of a run, the first of which has a number. Of an interrupted run these are the visits before its clock.
///
/// # Errors
/// [`CommandError::OtherVisits`] where their results are not those of the run; a full disk, and the like.
pub fn write(
    (model, sample): (&NetworkModel, Option<Sample>),
    (first, run): (u32, &Replications),
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let cut = || model.description().clone().warmup(0.0).until(run.clock.units()).check();
    let cut = if run.clock < model.until() && run.clock > Time::ZERO { Some(cut()) } else { None };
    let cut = cut.transpose().map_err(|error| CommandError::Usage { message: error.to_string() })?;
    let lines = Lines::new(model, sample).map_err(CommandError::Output)?;
    out.write_all(HEAD).map_err(CommandError::Output)?;
    if run.clock == Time::ZERO {
        return out.flush().map_err(CommandError::Output);
    }
    let expected = |place: usize| if cut.is_some() { None } else { run.outcome.get(place) };
    let recorded = cut.as_ref().unwrap_or(model);
    let mut writing = Writing { lines: &lines, model: recorded, first, failed: None };
    match &run.outcome[..] {
        [_] => {
            let outcome = writing.stream(out)?;
            check(first, expected(0), &outcome)?;
        }
        all => {
            let simulate = |place: u32, _: &mut dyn tickless_core::run::Watch| writing.record(place);
            let take = |place: u32, found: Result<(Vec<u8>, NetworkOutcome), CommandError>| {
                let (text, outcome) = found?;
                check(first + place, expected(place as usize), &outcome)?;
                out.write_all(&text).map_err(CommandError::Output)?;
                Ok(ControlFlow::Continue(()))
            };
            let lines = |outcome: &NetworkOutcome| {
                outcome.stations.facilities.iter().map(|station| station.arrivals + station.starts).sum::<u64>()
            };
            let each = LINE * all.iter().map(lines).max().unwrap_or(0);
            let threads = cores(run.threads.and_then(NonZeroUsize::new), all.len(), each, 0);
            replications(all.len() as u32, threads, recorded.until(), simulate, take, &mut unwatched())?;
        }
    }
    out.flush().map_err(CommandError::Output)
}

/// Refuses visits of other results.
fn check(replication: u32, expected: Option<&NetworkOutcome>, found: &NetworkOutcome) -> Result<(), CommandError> {
    match expected.and_then(|expected| expected.first_difference(found)) {
        None => Ok(()),
        Some(difference) => Err(CommandError::OtherVisits { replication, difference }),
    }
}

struct Writing<'a> {
    lines: &'a Lines,
    model: &'a NetworkModel,
    first: u32,
    failed: Option<io::Error>,
}

impl Writing<'_> {
    /// The lines of a replication, as it is one of several.
    fn record(&self, place: u32) -> Result<(Vec<u8>, NetworkOutcome), CommandError> {
        let mut text = vec![];
        let number = self.first + place;
        let take = |visit: &Visit| self.lines.add(number, visit, &mut text);
        let run = queueing::visits(self.model, number, take, &mut unwatched());
        let run = run.map_err(|error| CommandError::of_network(error, self.model))?;
        Ok((text, run.outcome))
    }

    /// Writes the lines of the only replication as they come.
    fn stream(&mut self, out: &mut dyn Write) -> Result<NetworkOutcome, CommandError> {
        let (mut text, failed) = (vec![], &mut self.failed);
        let (lines, first) = (self.lines, self.first);
        let take = |visit: &Visit| {
            if failed.is_some() {
                return;
            }
            lines.add(first, visit, &mut text);
            if text.len() >= PART {
                *failed = out.write_all(&text).err();
                text.clear();
            }
        };
        let run = queueing::visits(self.model, first, take, &mut unwatched());
        let run = run.map_err(|error| CommandError::of_network(error, self.model))?;
        match self.failed.take() {
            Some(error) => Err(CommandError::Output(error)),
            None => out.write_all(&text).map(|()| run.outcome).map_err(CommandError::Output),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_device::Target;

    #[test]
    fn times_have_the_digits_that_tell_ticks_apart() {
        let shown = |ticks: u64| {
            let mut text = vec![];
            push_time(Time::from_ticks(ticks), &mut text);
            String::from_utf8(text).expect("digits")
        };
        assert_eq!([0, 1 << 32, 3 << 31, 10 << 32].map(shown), ["0", "1", "1.5", "10"]);
        assert_eq!([1, 2, 3].map(shown), ["0.0000000002", "0.0000000005", "0.0000000007"]);
        assert_eq!(shown((7 << 32) - 1), "6.9999999998");
        assert_eq!(shown(u64::MAX), "4294967295.9999999998");
        let next = |ticks: u64| shown(ticks) != shown(ticks + 1);
        assert!((0..10_000).map(|place| place * 429_497).all(next));
    }

    /// Visits of a replication of which one number is another one are refused by its number.
    #[test]
    fn visits_of_another_result_are_refused() {
        let text = "until = 30\n[[source]]\nname = 'in'\ninterval = 'exponential:1'\nto = 'desk'\n[[station]]\nname = 'desk'\n\
                    service = 'constant:0.5'\n[[sink]]\nname = 'out'\n[[route]]\nfrom = 'desk'\nto = 'out'\n";
        let model = queueing::Network::from_toml(text).expect("a network").check().expect("a model");
        for numbers in [4..5, 4..7] {
            let last = numbers.end - 1;
            let run = queueing::run(&model, numbers, Target::Heap, Default::default(), &mut unwatched());
            let mut run = run.expect("a run");
            let mut out = vec![];
            write((&model, None), (4, &run), &mut out).expect("the same result");
            assert!(out.len() > 2 * HEAD.len());
            run.outcome.last_mut().expect("one").sinks[0].tokens += 1;
            let said = write((&model, None), (4, &run), &mut vec![]).expect_err("another result").to_string();
            assert!(said.contains(&format!("of replication {last} ")) && said.contains("sinks[0].tokens"), "{said}");
        }
    }

    #[test]
    fn a_sample_is_one_of_so_many() {
        assert_eq!(" 1/100".parse(), Ok(Sample(100)));
        for wrong in ["100", "1/0", "2/100", "1/x", "", "1/-3"] {
            assert!(wrong.parse::<Sample>().is_err(), "{wrong}");
        }
    }
}
