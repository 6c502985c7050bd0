//! Service times that depend on the time of day.

use super::Station;

/// How many times as long services take, by the time at which they begin.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Network, Source, Station, TimeFactors}, run::unwatched};
/// let mut network = Network::new().until(20.0);
/// let factors = TimeFactors::new(vec![(0.0, 1.0), (4.0, 0.5)]).every(10.0);
/// let desk = network.station(Station::new("desk", "constant:2".parse()?).time_factors(factors));
/// let exit = network.sink("exit");
/// network.source(Source::new("in", "constant:3".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// // Services begin at 3, 6, 9, 12, 15 and 18: those at 3 and 12 take 2, the others 1.
/// assert_eq!(run.outcome[0].stations.facilities[0].service >> 32, 2 + 1 + 1 + 2 + 1 + 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TimeFactors {
    /// Times in time units, and the factor from each on.
    pub(crate) steps: Vec<(f64, f64)>,
    pub(crate) period: Option<f64>,
}

impl TimeFactors {
    /// Times in time units, and the factor from each on, from 2^-10 to 2^10. The first time is 0, and the last factor holds for ever.
    pub fn new(steps: Vec<(f64, f64)>) -> Self {
        Self { steps, period: None }
    }

    /// The factors repeat after this many time units.
    #[must_use]
    pub fn every(mut self, period: f64) -> Self {
        self.period = Some(period);
        self
    }

    /// The fault of the times: the quantity, its value, and the allowed values.
    pub(crate) fn fault(&self) -> Option<(&'static str, f64, &'static str)> {
        let (Some((first, _)), Some((last, _))) = (self.steps.first(), self.steps.last()) else {
            return Some(("the number of factors by time", 0.0, "1 or more"));
        };
        if *first != 0.0 {
            return Some(("the first time of the factors", *first, "0"));
        }
        if let Some(period) = self.period.filter(|period| !(*period - last >= SHORTEST && *period < MOST)) {
            let allowed = "1e-6 or more after the last time of the factors, and below 2^30";
            return Some(("the period of the factors", period, allowed));
        }
        let ends = self.steps.iter().skip(1).map(|(start, _)| *start);
        let wrong = self.steps.iter().zip(ends).find(|((start, _), end)| !(*end - start >= SHORTEST && *end < MOST));
        wrong.map(|(_, end)| ("a time of the factors", end, "1e-6 or more after the one before it, and below 2^30"))
    }
}

/// The shortest time for which a factor holds; the bound of times, in time units.
const SHORTEST: f64 = 1e-6;
const MOST: f64 = 1_073_741_824.0;

impl Station {
    /// Services take so many times as long as the law says, by the time at which they begin.
    #[must_use]
    pub fn time_factors(mut self, factors: TimeFactors) -> Self {
        self.further().time_factors = Some(factors);
        self
    }
}
