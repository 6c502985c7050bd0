//! The outcome of runs of a model at many points.

use serde_json::Value;

use crate::CommandError;
use tickless_core::archive::{ArchiveError, Arrays, wrong};
use tickless_core::run::{Difference, Digest, Run};
use tickless_experiments::{ExperimentOutcome, PointOutcome, arrays_of, points_of};

/// The results that equal sweeps share, and the measured values.
#[derive(Clone, Debug, Default)]
pub struct SweepOutcome {
    /// The names of the measures.
    pub measures: Vec<String>,
    /// The points that have begun, with a replication for each seed. The last point may lack some.
    pub all: ExperimentOutcome,
}

/// Measures that mean something only for a run that is alone on its machine, beside rates by the second of its clock on
/// the wall.
const TIMES: [&str; 2] = ["wall_seconds", "device_seconds"];
/// The end of the names of those rates.
const RATE: &str = "_per_second";

/// Whether a measure is of the time that a run takes.
pub fn is_of_time(measure: &str) -> bool {
    TIMES.contains(&measure) || measure.ends_with(RATE)
}

impl SweepOutcome {
    /// The runs that have ended.
    pub fn runs(&self) -> u32 {
        self.all.points.iter().map(|point| point.digests.len() as u32).sum()
    }

    /// Adds a run of a point that has a run for each of so many seeds.
    pub fn take_in(&mut self, digest: Digest, numbers: &[(String, f64)], seeds: u32) {
        let points = &mut self.all.points;
        let begun = points.pop_if(|point| point.digests.len() < seeds as usize);
        let mut point =
            begun.unwrap_or_else(|| PointOutcome { digests: vec![], measured: vec![vec![]; self.measures.len()] });
        point.digests.push(digest);
        for (list, name) in point.measured.iter_mut().zip(&self.measures) {
            let found = numbers.iter().find(|(known, _)| known == name);
            list.push(found.map_or([0.0, 0.0], |(_, value)| [*value, 1.0]));
        }
        points.push(point);
    }

    /// The arrays of a file: those of points, and the bytes of the names of the measures, one a line.
    ///
    /// # Errors
    /// Too little memory.
    pub fn arrays(&self) -> Result<Arrays, ArchiveError> {
        let mut arrays = arrays_of(&self.all.points)?;
        arrays.add_list("measures", self.measures.join("\n").bytes().map(u64::from).collect());
        Ok(arrays)
    }

    /// The outcome from the arrays of [`SweepOutcome::arrays`], for an experiment with so many points and seeds.
    ///
    /// # Errors
    /// An array of another experiment.
    pub fn from_arrays(mut arrays: Arrays, most: usize, seeds: u32) -> Result<Self, ArchiveError> {
        let bytes = arrays.take_list("measures")?;
        let names = bytes.into_iter().map(u8::try_from).collect::<Result<Vec<u8>, _>>().ok();
        let names = names.and_then(|bytes| String::from_utf8(bytes).ok());
        let names = names.ok_or_else(|| wrong("measures", "is no text".into()))?;
        let measures: Vec<String> = names.lines().map(str::to_owned).collect();
        let mut points = points_of(measures.len(), arrays)?;
        points.pop_if(|last| last.digests.is_empty());
        let runs = |point: &PointOutcome| point.digests.len();
        let (last, whole) = points.split_last().map_or((0, &[][..]), |(last, whole)| (runs(last), whole));
        let are_whole = whole.iter().all(|point| runs(point) == seeds as usize) && last <= seeds as usize;
        if !are_whole || points.len() > most || measures.is_empty() && last > 0 {
            let fault = format!("is of no experiment of {most} points with {seeds} runs each");
            return Err(wrong("counts", fault));
        }
        Ok(Self { measures, all: ExperimentOutcome { points, best: None } })
    }

    /// The first run that differs; rates and times may differ.
    pub fn first_difference(&self, other: &Self) -> Option<Difference> {
        let digests = |point: &PointOutcome| PointOutcome { digests: point.digests.clone(), ..PointOutcome::default() };
        let [ours, theirs] = [self, other].map(|outcome| {
            let points = outcome.all.points.iter().map(digests).collect();
            ExperimentOutcome { points, best: None }
        });
        ours.first_difference(&theirs)
    }
}

/// The numbers of a run by their names: those that every model has, and those of its figures outside of lists. Numbers of `statistics`
/// have their own names.
pub fn numbers<O, D>(run: &Run<O, D>, figures: &Value) -> Vec<(String, f64)> {
    let seconds = |time: Option<std::time::Duration>| time.map(|time| time.as_secs_f64());
    let of_run = [
        ("events", Some(run.events as f64)),
        ("rounds", run.rounds.map(|rounds| rounds as f64)),
        ("clock", Some(run.clock.units())),
        ("wall_seconds", seconds(Some(run.wall))),
        ("device_seconds", seconds(run.device)),
        ("events_per_second", Some(run.events_per_second())),
    ];
    let mut found: Vec<(String, f64)> =
        of_run.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    found.extend(within(figures));
    found
}

fn within(figures: &Value) -> Vec<(String, f64)> {
    let mut found = vec![];
    for (name, value) in figures.as_object().into_iter().flatten() {
        collect(if name == "statistics" { "" } else { name }, value, &mut found);
    }
    found
}

fn collect(path: &str, value: &Value, found: &mut Vec<(String, f64)>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            collect(&path, value, found);
        }),
        Value::Number(number) => found.extend(number.as_f64().map(|number| (path.to_owned(), number))),
        _ => {}
    }
}

/// The measures: the given ones, or else the events and the numbers of `statistics`.
///
/// # Errors
/// [`CommandError::Usage`]: a name that is no number of the first run.
pub fn measures(asked: &[String], numbers: &[(String, f64)], figures: &Value) -> Result<Vec<String>, CommandError> {
    if asked.is_empty() {
        let mut found = vec![("events".to_owned(), 0.0)];
        collect("", &figures["statistics"], &mut found);
        return Ok(found.into_iter().map(|(name, _)| name).filter(|name| !is_of_time(name)).collect());
    }
    let known = || numbers.iter().map(|(name, _)| name.as_str());
    match asked.iter().find(|name| !known().any(|known| known == **name)) {
        None => Ok(asked.to_vec()),
        Some(unknown) => {
            let all = known().collect::<Vec<_>>().join(", ");
            let message = format!("--measures has '{unknown}', which is no number of this run: there are {all}");
            Err(CommandError::Usage { message })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_changed_value_is_found() {
        let digest = |number| Digest::of(|hashing| hashing.number(number));
        let point = |number: u64| PointOutcome { digests: vec![digest(number)], measured: vec![vec![[1.0, 1.0]]] };
        let all = ExperimentOutcome { points: vec![point(1), point(2)], best: None };
        let whole = SweepOutcome { measures: vec!["events".into()], all };
        let mut faster = whole.clone();
        faster.all.points[0].measured[0][0][0] = 2.0;
        assert_eq!(whole.first_difference(&faster), None);
        let mut other = whole.clone();
        other.all.points[1].digests[0] = digest(9);
        let said = whole.first_difference(&other).unwrap().to_string();
        assert!(said.starts_with("replication 0, point 2, field digest: "), "{said}");
        other.all.points.pop();
        assert!(whole.first_difference(&other).unwrap().to_string().starts_with("field number of points"));
    }

    #[test]
    fn files_have_what_has_ended_and_no_more() {
        let digest = |number| Digest::of(|hashing| hashing.number(number));
        let of = |measures: &[&str], runs: u64| {
            let measures = measures.iter().map(|name| (*name).to_owned()).collect();
            let mut outcome = SweepOutcome { measures, ..Default::default() };
            (0..runs).for_each(|run| outcome.take_in(digest(run), &[("events".to_owned(), run as f64)], 3));
            outcome
        };
        let ended = |runs| of(&["events", "idle"], runs);
        let read = |outcome: &SweepOutcome, points| SweepOutcome::from_arrays(outcome.arrays().unwrap(), points, 3);
        for runs in [0, 1, 3, 5, 6] {
            let (written, found) = (ended(runs), read(&ended(runs), 2).unwrap());
            assert_eq!((found.runs(), found.measures, found.all), (runs as u32, written.measures, written.all));
        }
        // A point that has not ended is left out.
        assert_eq!(ended(4).all.only_ended(3), ended(3).all);
        for wrong in [ended(7), ended(9), of(&[], 4)] {
            let error = read(&wrong, 2).unwrap_err().to_string();
            assert!(error.contains("is of no experiment of 2 points with 3 runs each"), "{error}");
        }
    }

    #[test]
    fn numbers_have_the_names_of_the_result() {
        let figures =
            serde_json::json!({ "node": 4, "set": "heap", "statistics": { "idle": 3, "share": null, "list": [1] } });
        let found = within(&figures);
        assert_eq!(found, [("node".to_owned(), 4.0), ("idle".to_owned(), 3.0)]);
        assert_eq!(measures(&[], &found, &figures).unwrap(), ["events", "idle"]);
        assert_eq!(measures(&["node".into()], &found, &figures).unwrap(), ["node"]);
        let error = measures(&["idel".into()], &found, &figures).unwrap_err().to_string();
        assert!(error.contains("there are node, idle"), "{error}");
    }
}
