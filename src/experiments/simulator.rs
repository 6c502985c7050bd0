//! A network file as a function: numbers for some of its keys, and what is measured then.

use rayon::prelude::*;
use toml::de::DeTable;

use super::error::ExperimentError;
use super::factor::{Factor, HOLE, of_number};
use super::keys::{path_of, place_of};
use super::measure::Measure;
use super::outcome::PointOutcome;
use super::runner::{PointError, Runner};
use super::study::{Overrides, Study, point_of};
use tickless_core::run::{Run, Watch};
use tickless_device::Target;
use tickless_queueing::{NetworkOptions, fault_of_toml};

/// A network whose keys take numbers from a program: for people who tune, and their optimizers.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::{device::Target, experiments::{Overrides, Simulator}, run::unwatched};
/// let text = "
///     until = 10
///     station = [{ name = 'desk', service = 'constant:1', tokens = 2 }]
///     route = [{ from = 'desk', to = 'desk' }]
/// ";
/// let inputs = ["station.desk.servers", "station.desk.service = constant:{}"];
/// let simulator = Simulator::new(text, &inputs, &["network.throughput"])?;
/// let points = simulator.points(&[vec![1.0, 1.0], vec![2.0, 0.5]], true, &Overrides::default())?;
/// let run = simulator.run(&points, 1, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.outcome.iter().map(|point| point.sample(0).figure).collect::<Vec<_>>(), [0.9, 3.8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulator {
    text: String,
    inputs: Vec<Input>,
    measures: Vec<Measure>,
}

/// A key that takes numbers.
#[derive(Clone, Debug)]
struct Input {
    factor: Factor,
    /// The text in which the number stands, if it stands in one.
    law: Option<String>,
}

/// Networks of a [`Simulator`], checked: a point each.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// fn count(points: &tickless::experiments::GivenPoints) -> usize {
///     points.models().count()
/// }
/// ```
#[derive(Clone, Debug)]
pub struct GivenPoints(Study);

impl GivenPoints {
    /// Their networks.
    pub fn models(&self) -> impl Iterator<Item = &tickless_queueing::NetworkModel> {
        self.0.points.iter().map(|point| &point.model)
    }
}

impl Simulator {
    /// A network file, the paths of the keys that take numbers (docs/experiments.md), and what is measured ([`Measure`]). Where a number stands in a
    /// text, as that of a law, the text is behind the path: `station.desk.service = exponential:{}`.
    ///
    /// # Errors
    /// The path that leads nowhere, with the names that there are; the line of a file that is no network.
    pub fn new<S: AsRef<str>>(text: &str, inputs: &[S], outputs: &[S]) -> Result<Self, ExperimentError> {
        let parsed = DeTable::parse(text).map_err(|error| fault_of_toml(text, &error))?;
        let input = |given: &S| {
            let given = given.as_ref();
            let fault = |said: String| ExperimentError::Asked { name: given.into(), said };
            let (path, law) = match given.split_once('=') {
                None => (given.trim(), None),
                Some((path, law)) if law.contains(HOLE) => (path.trim(), Some(law.trim().to_owned())),
                Some(_) => {
                    return Err(fault(format!("the text behind '=' has no {HOLE}, where the number goes")));
                }
            };
            let words = path_of(path).map_err(fault)?;
            let place = place_of(text, parsed.get_ref(), &words).map_err(fault)?;
            Ok(Input { factor: Factor::given(path, place), law })
        };
        let inputs: Vec<Input> = inputs.iter().map(input).collect::<Result<_, _>>()?;
        let twice =
            |place: &usize| inputs[..*place].iter().any(|one| one.factor.name() == inputs[*place].factor.name());
        if let Some(place) = (0..inputs.len()).find(twice) {
            let said = "it is there twice: each key takes one number".into();
            return Err(ExperimentError::Asked { name: inputs[place].factor.name().into(), said });
        }
        let measure = |path: &S| {
            let name = path.as_ref();
            Measure::parse(name).map_err(|said| ExperimentError::Asked { name: name.into(), said })
        };
        let measures: Vec<Measure> = outputs.iter().map(measure).collect::<Result<_, _>>()?;
        if measures.is_empty() {
            let said = "nothing is measured: name an output, as network.mean_system_time".into();
            return Err(ExperimentError::Asked { name: "outputs".into(), said });
        }
        Ok(Self { text: text.to_owned(), inputs, measures })
    }

    /// The networks with these numbers, a list for each point in the order of the inputs. With `common` replication r has the same random
    /// streams at every point.
    ///
    /// # Errors
    /// A point with more or fewer numbers than inputs, or whose network cannot run or lacks what is measured.
    pub fn points(
        &self,
        numbers: &[Vec<f64>],
        common: bool,
        overrides: &Overrides,
    ) -> Result<GivenPoints, ExperimentError> {
        let factors: Vec<Factor> = self.inputs.iter().map(|input| input.factor.clone()).collect();
        overrides.check(&factors)?;
        let point = |(number, values): (usize, &Vec<f64>)| {
            if values.len() != self.inputs.len() {
                let said = format!("it has {} numbers, for {} inputs", values.len(), self.inputs.len());
                return Err(ExperimentError::Asked { name: format!("point {number}"), said });
            }
            let setting = |(input, value): (&Input, &f64)| of_number(*value, input.law.as_deref());
            let settings = self.inputs.iter().zip(values).map(setting).collect();
            Ok(point_of(&self.text, &factors, settings, number, overrides)?.0)
        };
        let numbered: Vec<(usize, &Vec<f64>)> = (1..).zip(numbers).collect();
        let points = numbered.into_par_iter().map(point).collect::<Result<Vec<_>, _>>()?;
        let study = Study { factors, measures: self.measures.clone(), points, common };
        for (number, point) in (1..).zip(&study.points) {
            study.check_measures(number, point)?;
        }
        Ok(GivenPoints(study))
    }

    /// Runs replications of each point, on a device all that differ in numbers alone at once.
    ///
    /// # Errors
    /// [`tickless_queueing::QueueingError`] of a point, with its place.
    pub fn run(
        &self,
        points: &GivenPoints,
        replications: u32,
        target: Target<'_>,
        options: NetworkOptions,
        watch: &mut dyn Watch,
    ) -> Result<Run<Vec<PointOutcome>>, PointError> {
        let mut runner = Runner { target, options, stored: &[], outcomes: vec![] };
        let wanted: Vec<(usize, u32)> = (0..points.0.points.len()).map(|point| (point, replications)).collect();
        let run = runner.more(&points.0, &wanted, watch)?;
        let outcomes = runner.outcomes;
        Ok(run.map(|()| outcomes))
    }

    /// What is measured.
    pub fn measures(&self) -> &[Measure] {
        &self.measures
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::run::unwatched;

    const TEXT: &str = "
        until = 500
        [[source]]
        name = 'in'
        interval = 'exponential:2'
        to = 'desk'
        [[station]]
        name = 'desk'
        service = 'exponential:1'
        [[sink]]
        name = 'out'
        [[route]]
        from = 'desk'
        to = 'out'
    ";
    const OUTPUTS: [&str; 2] = ["station.desk.utilization", "sink.out.mean_time_in_network"];

    /// A point has the digest of a run of the file with its numbers written in.
    #[test]
    fn points_are_runs_of_changed_files() {
        let inputs = ["station.desk.service = exponential:{}", "station.desk.servers"];
        let simulator = Simulator::new(TEXT, &inputs, &OUTPUTS).unwrap();
        let numbers = [vec![1.5, 1.0], vec![3.0, 2.0]];
        for common in [true, false] {
            let points = simulator.points(&numbers, common, &Overrides::default()).unwrap();
            let run = simulator.run(&points, 3, Target::Heap, NetworkOptions::default(), &mut unwatched()).unwrap();
            for (place, (point, values)) in run.outcome.iter().zip(&numbers).enumerate() {
                let service = format!("'exponential:{}'\nservers = {}", values[0], values[1]);
                let text = TEXT.replace("'exponential:1'", &service);
                let model = tickless_queueing::Network::from_toml(&text).unwrap().check().unwrap();
                // Without common streams a point has the replications behind those that the points before may need.
                let first = if common { 0 } else { place as u32 * 1_000_000 };
                let alone = tickless_queueing::run(
                    &model,
                    first..first + 3,
                    Target::Heap,
                    NetworkOptions::default(),
                    &mut unwatched(),
                );
                let digests: Vec<_> = alone.unwrap().outcome.iter().map(|one| one.digest()).collect();
                assert_eq!(point.digests, digests, "{common} {place}");
                assert_eq!(point.measured.len(), 2);
            }
        }
    }

    #[test]
    fn what_leads_nowhere_is_named() {
        let said = |inputs: &[&str], outputs: &[&str]| Simulator::new(TEXT, inputs, outputs).unwrap_err().to_string();
        for (found, part) in [
            (said(&["station.desc.servers"], &OUTPUTS), "station.desc.servers: the file has no station 'desc'"),
            (said(&["station.desk.service = exponential"], &OUTPUTS), "has no {}, where the number goes"),
            (said(&["until", "until"], &OUTPUTS), "until: it is there twice"),
            (said(&["until"], &[]), "outputs: nothing is measured"),
            (said(&["until"], &["station.desk.utilisation"]), "'utilization' is probably meant"),
        ] {
            assert!(found.contains(part), "{found}");
        }
        let simulator = Simulator::new(TEXT, &["station.desk.servers"], &OUTPUTS).unwrap();
        let said = |numbers: &[f64]| {
            simulator.points(&[vec![1.0], numbers.to_vec()], true, &Overrides::default()).unwrap_err().to_string()
        };
        assert_eq!(said(&[1.0, 2.0]), "point 2: it has 2 numbers, for 1 inputs");
        let found = said(&[0.5]);
        assert!(found.contains("at point 2 (station.desk.servers = 0.5)"), "{found}");
        let found = said(&[f64::NAN]);
        assert!(found.contains("at point 2"), "{found}");
    }
}
