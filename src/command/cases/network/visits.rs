//! `--visits`: a row for each visit of a token to a station.
//!
//! Visits are recorded on the heap, which runs the replications once more: their results are compared with those of the run, wherever that
//! was.

mod csv;
mod format;
#[cfg(feature = "parquet")]
mod parquet;
mod recording;
mod xes;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::str::FromStr;

use self::csv::Csv;
#[cfg(feature = "parquet")]
use self::parquet::Parquet;
use super::Replications;
use crate::CommandError;
use recording::Recording;
use tickless_core::time::Time;
use tickless_queueing::{NetworkModel, Visit};
use xes::Xes;

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

/// What the ending of a file says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Csv,
    Parquet,
    Xes,
}

impl Ending {
    fn of(path: &Path) -> Self {
        match path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).as_deref() {
            Some("parquet") => Self::Parquet,
            Some("xes") => Self::Xes,
            _ => Self::Csv,
        }
    }
}

/// Refuses a file that cannot have the visits of this network.
///
/// # Errors
/// [`CommandError::NoParquet`], [`CommandError::LateDates`].
pub fn check(model: &NetworkModel, path: &Path) -> Result<(), CommandError> {
    match Ending::of(path) {
        Ending::Parquet if !cfg!(feature = "parquet") => Err(CommandError::NoParquet { path: path.to_owned() }),
        Ending::Xes => xes::check(model),
        _ => Ok(()),
    }
}

/// The names of a network, as a format has them.
struct Names<T> {
    stations: Vec<T>,
    sinks: Vec<T>,
    classes: Vec<T>,
    resources: Vec<String>,
}

impl<T> Names<T> {
    fn new<E>(model: &NetworkModel, named: impl Fn(&str) -> Result<T, E>) -> Result<Self, E> {
        Ok(Self {
            stations: (0..model.stations()).map(|id| named(&model.station_name(id))).collect::<Result<_, _>>()?,
            sinks: (0..model.sinks()).map(|id| named(model.sink_name(id))).collect::<Result<_, _>>()?,
            // The only class of a network that names none has no name.
            classes: model
                .classes()
                .iter()
                .filter(|name| !name.is_empty())
                .map(|name| named(name))
                .collect::<Result<_, _>>()?,
            resources: model.resources().iter().map(|(name, _)| (*name).to_owned()).collect(),
        })
    }

    /// The same names as something else.
    #[cfg(feature = "parquet")]
    fn map<U>(&self, mut named: impl FnMut(&T) -> U) -> Names<U> {
        Names {
            stations: self.stations.iter().map(&mut named).collect(),
            sinks: self.sinks.iter().map(&mut named).collect(),
            classes: self.classes.iter().map(&mut named).collect(),
            resources: self.resources.clone(),
        }
    }

    /// None where there are no classes.
    fn class(&self, visit: &Visit) -> Option<&T> {
        self.classes.get(visit.class as usize)
    }

    fn station(&self, visit: &Visit) -> &T {
        &self.stations[visit.station as usize]
    }

    fn is_station(&self, to: Option<u32>) -> bool {
        to.is_some_and(|to| (to as usize) < self.stations.len())
    }

    /// The resources that a token held, with how many units where these are several; `None` where it held none.
    fn held(&self, visit: &Visit) -> Option<String> {
        let of = |(resource, units): &(u32, u32)| match (&self.resources[*resource as usize], units) {
            (name, 1) => name.clone(),
            (name, units) => format!("{units} {name}"),
        };
        Some(visit.held.as_ref()?.iter().map(of).collect::<Vec<_>>().join("; "))
    }

    fn to(&self, visit: &Visit) -> Option<&T> {
        let to = visit.to? as usize;
        self.stations.get(to).or_else(|| self.sinks.get(to - self.stations.len()))
    }
}

/// Writes the visits of the replications of a run, the first of which has a number. Of an interrupted run these are the visits before its clock.
///
/// # Errors
/// [`CommandError::OtherVisits`] where their results are not those of the run; a full disk, and the like.
pub fn write(
    (model, sample, path): (&NetworkModel, Option<Sample>, &Path),
    (first, run): (u32, &Replications),
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let cut = || model.description().clone().warmup(0.0).until(run.clock.units()).check();
    let cut = if run.clock < model.until() && run.clock > Time::ZERO { Some(cut()) } else { None };
    let cut = cut.transpose().map_err(|error| CommandError::Usage { message: error.to_string() })?;
    let recording = Recording {
        model: cut.as_ref().unwrap_or(model),
        first,
        count: if run.clock == Time::ZERO { 0 } else { run.outcome.len() as u32 },
        expected: if cut.is_some() { &[] } else { &run.outcome },
        sample: sample.map_or(1, |sample| sample.0),
        threads: run.threads.and_then(NonZeroUsize::new),
    };
    match Ending::of(path) {
        Ending::Csv => recording.write(&Csv::new(model).map_err(CommandError::Output)?, out),
        Ending::Xes => recording.write(&Xes::new(model), out),
        #[cfg(feature = "parquet")]
        Ending::Parquet => recording.write(&Parquet::new(model)?, out),
        #[cfg(not(feature = "parquet"))]
        Ending::Parquet => Err(CommandError::NoParquet { path: path.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::run::unwatched;
    use tickless_device::Target;
    use tickless_queueing as queueing;

    /// Every format that this build has.
    const FILES: &[&str] =
        if cfg!(feature = "parquet") { &["v.csv", "v.xes", "v.PARQUET"] } else { &["v.csv", "v.XES"] };

    fn model(until: f64) -> NetworkModel {
        let text = format!(
            "until = {until}\n[[source]]\nname = 'in'\ninterval = 'exponential:1'\nto = 'desk'\n[[station]]\nname = 'desk'\n\
             service = 'constant:0.5'\n[[sink]]\nname = 'out'\n[[route]]\nfrom = 'desk'\nto = 'out'\n"
        );
        queueing::Network::from_toml(&text).expect("a network").check().expect("a model")
    }

    fn run(model: &NetworkModel, numbers: std::ops::Range<u32>) -> Replications {
        queueing::run(model, numbers, Target::Heap, Default::default(), &mut unwatched()).expect("a run")
    }

    /// Visits of a replication of which one number is another one are refused by its number.
    #[test]
    fn visits_of_another_result_are_refused() {
        let model = model(30.0);
        for (name, numbers) in FILES.iter().flat_map(|name| [(name, 4..5), (name, 4..7)]) {
            let (asked, last) = ((&model, None, Path::new(name)), numbers.end - 1);
            let mut run = run(&model, numbers);
            let mut out = vec![];
            write(asked, (4, &run), &mut out).expect("the same result");
            assert!(out.len() > 500, "{name}");
            run.outcome.last_mut().expect("one").sinks[0].tokens += 1;
            let said = write(asked, (4, &run), &mut vec![]).expect_err("another result").to_string();
            assert!(said.contains(&format!("of replication {last} ")) && said.contains("sinks[0].tokens"), "{said}");
        }
    }

    /// What waits for its turn, and who writes: no number of threads changes a byte, and a full disk ends all of them.
    #[test]
    fn files_are_the_same_on_any_number_of_threads() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let model = model(4000.0);
        for name in FILES {
            let asked = (&model, None, Path::new(name));
            let mut run = run(&model, 0..7);
            let written = [1, 2, 5].map(|threads| {
                let mut out = vec![];
                run.threads = Some(threads);
                write(asked, (0, &run), &mut out).expect("visits");
                out
            });
            let first = written[0].len();
            assert!(written[1..].iter().all(|out| *out == written[0]), "{name}");
            let said = write(asked, (0, &run), &mut Full(first / 2)).expect_err("a full disk").to_string();
            assert!(!said.is_empty(), "{name}");
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
