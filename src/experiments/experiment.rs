//! A checked experiment: its factors, its points and its questions.

use super::asked::{Best, Front, Rule, best, front_of};
use super::design::Design;
use super::error::{ExperimentError, at};
use super::factor::{Factor, Level};
use super::file::{self, Table};
use super::measure::Measure;
use super::study::{Overrides, Point, Study, point_of};
use tickless_queueing::Network;

/// A checked experiment.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::Experiment;
/// let text = "
///     station = [{ name = 'desk', service = 'exponential:2' }]
///     source = [{ name = 'in', interval = 'exponential:1', to = 'desk' }]
///     sink = [{ name = 'out' }]
///     route = [{ from = 'desk', to = 'out' }]
///     [experiment]
///     measures = ['station.desk.mean_waiting_time']
///     factors.station.desk.servers = [3, 4, 5]
/// ";
/// let experiment = Experiment::from_toml(text)?;
/// let servers: Vec<u32> = experiment.points().iter().map(|point| point.model.servers(0)).collect();
/// assert_eq!((servers, experiment.replications()), (vec![3, 4, 5], 20));
/// # Ok::<(), tickless::experiments::ExperimentError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Experiment {
    pub(super) study: Study,
    design: Design,
    replications: u32,
    baseline: usize,
    best: Option<Best>,
    front: Option<Front>,
}

impl Experiment {
    /// Reads a network file with a table `[experiment]`, and checks the network of every point. `docs/experiments.md` describes the
    /// table.
    ///
    /// # Errors
    /// [`ExperimentError`], with the line.
    pub fn from_toml(text: &str) -> Result<Self, ExperimentError> {
        Self::with(text, &Overrides::default())
    }

    /// The same, where options override keys of every network.
    ///
    /// # Errors
    /// As [`Experiment::from_toml`].
    pub fn with(text: &str, overrides: &Overrides) -> Result<Self, ExperimentError> {
        let table = file::read(text)?;
        let whole = Network::from_toml(text)?;
        overrides.check(&table.factors)?;
        let mut points = vec![];
        let mut written = None;
        for setting in table.design.settings(&table.factors) {
            let (point, network) = point_of(text, &table.factors, setting, points.len() + 1, overrides)?;
            if written.is_none() && network == whole {
                written = Some(points.len());
            }
            points.push(point);
        }
        let Table { factors, replications, design, common, measures, baseline, select, front } = table;
        let model = &points[0].model;
        let mut all = match &measures {
            Some(names) => names.iter().map(|name| Measure::read(text, name, model)).collect::<Result<Vec<_>, _>>()?,
            None => Measure::of_network(model),
        };
        let best = select.map(|select| best(text, &select, model)).transpose()?;
        let front = front.map(|entry| front_of(text, &entry, model)).transpose()?;
        for further in best.iter().map(|best| &best.measure).chain(front.iter().flat_map(|front| &front.measures)) {
            if !all.contains(further) {
                all.push(further.clone());
            }
        }
        let study = Study { factors, measures: all, points, common };
        let points = &study.points;
        for (number, point) in (1..).zip(points) {
            study.check_measures(number, point)?;
        }
        let baseline = match baseline {
            None => written.unwrap_or(0),
            Some(number) if (1..=points.len()).contains(number.get_ref()) => number.get_ref() - 1,
            Some(number) => {
                let fault = format!(
                    "`baseline` is {}; it must be the number of a point, from 1 to {}",
                    number.get_ref(),
                    points.len()
                );
                return Err(at(text, number.span(), fault));
            }
        };
        let experiment = Self { study, design, replications, baseline, best, front };
        experiment.with_replications(replications)
    }

    /// With another number of replications of each point.
    ///
    /// # Errors
    /// [`ExperimentError::Replications`] for more than allowed; [`ExperimentError::Budget`] where the budget is below the first
    /// replications of all points, or above the most that they can have.
    pub fn with_replications(self, replications: u32) -> Result<Self, ExperimentError> {
        let (points, most) = (self.study.points.len() as u64, self.study.most_replications());
        if replications == 0 || replications > most {
            return Err(ExperimentError::Replications { replications, points, most });
        }
        if let Some(Best { rule: Rule::Budget { replications: budget }, .. }) = self.best {
            let (least, most) = (points * u64::from(replications), points * u64::from(most));
            if !(least..=most).contains(&budget) {
                return Err(ExperimentError::Budget { budget, least, most });
            }
        }
        Ok(Self { replications, ..self })
    }

    /// The varied keys, in the order of the file.
    pub fn factors(&self) -> &[Factor] {
        &self.study.factors
    }

    /// The combinations that run.
    pub fn design(&self) -> Design {
        self.design
    }

    /// Replications of each point; where the best point is looked for, its first replications.
    pub fn replications(&self) -> u32 {
        self.replications
    }

    /// Whether replications of the same number have the same random streams at every point.
    pub fn has_common_random_numbers(&self) -> bool {
        self.study.common
    }

    /// The measures.
    pub fn measures(&self) -> &[Measure] {
        &self.study.measures
    }

    /// The place of a measure, which is one of [`Experiment::measures`].
    pub fn place_of(&self, measure: &Measure) -> usize {
        self.study.place_of(measure)
    }

    /// The place of the point with which others are compared: the point that the file names, or the point with the file's own
    /// values, or the first.
    pub fn baseline(&self) -> usize {
        self.baseline
    }

    /// The best point that is looked for.
    pub fn best(&self) -> Option<&Best> {
        self.best.as_ref()
    }

    /// The two measures to be traded.
    pub fn front(&self) -> Option<&Front> {
        self.front.as_ref()
    }

    /// Every point, in the order of the design.
    pub fn points(&self) -> &[Point] {
        &self.study.points
    }

    /// The settings of a point, as messages show them.
    pub fn shown(&self, point: usize) -> String {
        self.study.shown(point)
    }

    /// The places of the values of each point, of a design of levels.
    pub fn places(&self) -> Option<Vec<Vec<usize>>> {
        self.design.is_factorial().then(|| {
            let place = |(factor, level): (&Factor, &Level)| {
                (0..factor.levels()).find(|number| factor.value(*number) == *level).unwrap_or(0)
            };
            let of = |point: &Point| self.factors().iter().zip(&point.settings).map(place).collect();
            self.points().iter().map(of).collect()
        })
    }
}
