//! The common part of experiments and optimizations: a file whose keys are varied, and the networks that result.

use super::error::{ExperimentError, at_line};
use super::factor::{Factor, Level};
use super::file::MOST_REPLICATIONS;
use super::keys::Changed;
use super::measure::Measure;
use tickless_queueing::{Network, NetworkModel, said_of};

/// Points of some factors, and their measures.
#[derive(Clone, Debug)]
pub(super) struct Study {
    pub(super) factors: Vec<Factor>,
    pub(super) measures: Vec<Measure>,
    pub(super) points: Vec<Point>,
    /// Whether replication r has the same random streams at every point.
    pub(super) common: bool,
}

/// A network of an experiment.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::{Level, Point};
/// use tickless::queueing::{Network, Station};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "constant:1".parse()?).servers(3).tokens(1));
/// network.route(desk, desk, 1.0, 0.0);
/// let servers = Level { shown: "3".into(), number: Some(3.0), written: "3".into() };
/// let point = Point { settings: vec![servers], model: network.check()? };
/// assert_eq!(point.model.servers(0), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Point {
    /// The value of each factor.
    pub settings: Vec<Level>,
    /// The network with these values.
    pub model: NetworkModel,
}

/// The keys that options override in the network of every point.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::Overrides;
/// assert_eq!(Overrides { until: Some(5.0), ..Overrides::default() }.seed, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overrides {
    /// The horizon, in time units.
    pub until: Option<f64>,
    /// What happens before this time is not counted.
    pub warmup: Option<f64>,
    /// The seed of all random streams.
    pub seed: Option<u64>,
}

impl Overrides {
    /// Refuses factors that would be overridden.
    pub(super) fn check(&self, factors: &[Factor]) -> Result<(), ExperimentError> {
        let set = [("until", self.until.is_some()), ("warmup", self.warmup.is_some())];
        let twice = factors.iter().find(|factor| set.iter().any(|(key, is_set)| *is_set && factor.name() == *key));
        twice.map_or(Ok(()), |factor| {
            let name = factor.name();
            let said = format!("the factor {name} and the option --{name} set the same: leave one of them out");
            Err(at_line(factor.line, said))
        })
    }

    fn apply(&self, network: Network) -> Network {
        let network = self.until.into_iter().fold(network, Network::until);
        let network = self.warmup.into_iter().fold(network, Network::warmup);
        self.seed.into_iter().fold(network, Network::seed)
    }
}

impl Study {
    /// The most replications of a point: all points together have distinct numbers in 32 bits.
    pub(super) fn most_replications(&self) -> u32 {
        (u32::MAX / self.points.len().max(1) as u32).min(MOST_REPLICATIONS)
    }

    /// The place of a measure, which is one of them.
    pub(super) fn place_of(&self, measure: &Measure) -> usize {
        self.measures.iter().position(|known| known == measure).unwrap_or(0)
    }

    /// The settings of a point, as messages show them.
    pub(super) fn shown(&self, point: usize) -> String {
        shown(&self.factors, &self.points[point].settings)
    }

    /// Refuses a point without one of the measures.
    pub(super) fn check_measures(&self, number: usize, point: &Point) -> Result<(), ExperimentError> {
        match self.measures.iter().find_map(|measure| measure.check(&point.model).err()) {
            None => Ok(()),
            Some(said) => Err(ExperimentError::Point {
                number,
                settings: shown(&self.factors, &point.settings),
                line: None,
                said,
            }),
        }
    }
}

fn shown(factors: &[Factor], settings: &[Level]) -> String {
    let one = |(factor, level): (&Factor, &Level)| format!("{} = {}", factor.name(), level.shown);
    factors.iter().zip(settings).map(one).collect::<Vec<_>>().join(", ")
}

/// The network with these values, which messages name by its number, and the file's own values before they are overridden.
pub(super) fn point_of(
    text: &str,
    factors: &[Factor],
    settings: Vec<Level>,
    number: usize,
    overrides: &Overrides,
) -> Result<(Point, Network), ExperimentError> {
    let changes: Vec<_> =
        factors.iter().zip(&settings).map(|(factor, level)| (&factor.place, level.written.as_str())).collect();
    let changed = Changed::new(text, &changes);
    let wrong = |line: Option<usize>, said: String| {
        let settings = shown(factors, &settings);
        ExperimentError::Point { number, settings, line: line.map(|line| changed.line(line)), said }
    };
    let network = Network::from_toml(&changed.text).map_err(|error| wrong(Some(error.line), error.fault))?;
    let model = overrides.apply(network.clone()).check().map_err(|error| {
        let (line, said) = said_of(&changed.text, &error);
        wrong(line, said)
    })?;
    Ok((Point { settings, model }, network))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Experiment;
    use crate::optimization::Optimization;

    /// Every key of the examples, misspelt, is refused with its line.
    #[test]
    fn misspelt_keys_are_refused() {
        let experiment = |text: &str| Experiment::from_toml(text).map(|one| one.points().len() as u64);
        let optimization = |text: &str| Optimization::from_toml(text).map(|one| one.points());
        refuse_misspelt(include_str!("../../examples/networks/emergency.toml"), "[experiment]", (256, 9), experiment);
        refuse_misspelt(include_str!("../../examples/networks/line.toml"), "[optimize]", (13_824, 14), optimization);
    }

    /// `read` returns the number of points of a text. The table of the text has at least this many keys.
    fn refuse_misspelt(
        text: &str,
        table: &str,
        (points, keys): (u64, usize),
        read: impl Fn(&str) -> Result<u64, ExperimentError>,
    ) {
        let begin = text.find(table).expect("a table");
        let (before, of_table) = text.split_at(begin);
        assert_eq!(read(text), Ok(points));
        let mut broken = 0;
        for (number, line) in (before.lines().count() + 1..).zip(of_table.lines()) {
            let Some((key, _)) = line.split_once(" = ") else { continue };
            for wrong in [format!("{key}x"), key.replacen('.', "x.", 1)].into_iter().filter(|wrong| wrong != key) {
                let changed = of_table.replacen(line, &line.replacen(key, &wrong, 1), 1);
                let error = read(&format!("{before}{changed}")).expect_err(&wrong).to_string();
                // A key that the format lacks is found where the network of a point is read.
                let has_line = error.starts_with(&format!("line {number}: ")) || error.contains("at point 1 ");
                assert!(has_line, "{wrong}: {error}");
                broken += 1;
            }
        }
        assert!(broken >= keys, "{broken}");
    }
}
