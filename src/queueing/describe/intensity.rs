//! Arrivals whose rate changes with time: a Poisson process of piecewise constant intensity, by exact inversion.

use serde::{Deserialize, Serialize};
use tickless_core::random::{Stream, exponential};
use tickless_core::time::Time;

/// The ticks of the intensity's integral in one expected arrival.
const UNIT: u128 = 1 << 32;

/// The rate at which tokens come, by time.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Rates, Source, Station};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "exponential:4".parse()?));
/// // One every ten minutes by night, one every two by day.
/// let rates = Rates::new(vec![(0.0, 0.1), (480.0, 0.5), (1200.0, 0.1)]).every(1440.0);
/// network.source(Source::by_rates("street", rates, desk));
/// # Ok::<(), tickless::random::LawError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Rates {
    /// Times in time units, and the rate from each on, in tokens a time unit.
    pub(crate) steps: Vec<(f64, f64)>,
    pub(crate) period: Option<f64>,
}

impl Rates {
    /// Times in time units, and the rate from each on, in tokens a time unit. The first time is 0, and the last rate holds for
    /// ever.
    pub fn new(steps: Vec<(f64, f64)>) -> Self {
        Self { steps, period: None }
    }

    /// The rates repeat after this many time units.
    #[must_use]
    pub fn every(mut self, period: f64) -> Self {
        self.period = Some(period);
        self
    }

    /// The mean rate over a period; without a period the last rate.
    pub(crate) fn mean(&self) -> f64 {
        let last = self.steps.last().map_or(0.0, |(_, rate)| *rate);
        let Some(period) = self.period else { return last };
        let ends = self.steps.iter().skip(1).map(|(start, _)| *start).chain([period]);
        self.steps.iter().zip(ends).map(|((start, rate), end)| rate * (end - start)).sum::<f64>() / period
    }

    /// The fault: the quantity, its value, and the allowed values.
    pub(crate) fn fault(&self) -> Option<(&'static str, f64, &'static str)> {
        let (Some((first, _)), Some((last, _))) = (self.steps.first(), self.steps.last()) else {
            return Some(("the number of rates", 0.0, "1 or more"));
        };
        if *first != 0.0 {
            return Some(("the first time of the rates", *first, "0"));
        }
        if let Some(period) = self.period.filter(|period| !(period > last && *period < MOST)) {
            return Some(("the period", period, "later than the last time of the rates, and below 2^30"));
        }
        let wrong = self.steps.iter().find(|(_, rate)| *rate != 0.0 && !(MOST_SELDOM..=1e6).contains(rate));
        if let Some((_, rate)) = wrong {
            return Some(("a rate", *rate, "0, or from 2^-30 to 1e6 tokens a time unit"));
        }
        let ends = || self.steps.iter().skip(1).map(|(start, _)| *start).chain(self.period);
        if let Some((_, end)) = self.steps.iter().zip(ends()).find(|((start, _), end)| !(end > start && *end < MOST)) {
            return Some(("a time of the rates", end, "later than the one before it, and below 2^30"));
        }
        let masses: f64 = self.steps.iter().zip(ends()).map(|((start, rate), end)| rate * (end - start)).sum();
        if masses >= MOST {
            return Some(("the expected number of tokens in all steps", masses, "below 2^30"));
        }
        let none = matches!(Intensity::new(self).period, Some((_, 0)));
        none.then_some(("the expected number of tokens in a period", self.mean() * self.period?, "2^-32 or more"))
    }
}

/// The least rate that is not 0, 2⁻³⁰; and 2³⁰, the bound of times and expected numbers.
const MOST_SELDOM: f64 = 1.0 / MOST;
const MOST: f64 = 1_073_741_824.0;

/// Checked [`Rates`] in ticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Intensity {
    steps: Vec<Step>,
    /// The length of a period, and its expected tokens in units of 2⁻³².
    period: Option<(u64, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) start: u64,
    /// Expected tokens before this step, in units of 2⁻³².
    pub(crate) before: u64,
    /// The mean interval in ticks; 0 where no tokens come.
    pub(crate) mean: u64,
}

/// The state of a source in its intensity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Standing {
    periods: u64,
    /// Expected tokens since the period began, in units of 2⁻³².
    mass: u64,
}

impl Intensity {
    /// Of rates without a fault.
    pub(crate) fn new(rates: &Rates) -> Self {
        let ticks = |units: f64| (units * UNIT as f64).round() as u64;
        let ends = rates.steps.iter().skip(1).map(|(start, _)| Some(*start)).chain([rates.period]);
        let (mut before, mut steps) = (0, vec![]);
        for ((start, rate), end) in rates.steps.iter().zip(ends) {
            let (start, mean) = (ticks(*start), if *rate == 0.0 { 0 } else { ticks(1.0 / rate) });
            steps.push(Step { start, before, mean });
            if let Some(length) = end.map(|end| ticks(end) - start).filter(|_| mean > 0) {
                before += (u128::from(length) * UNIT / u128::from(mean)) as u64;
            }
        }
        Self { steps, period: rates.period.map(|period| (ticks(period), before)) }
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The length of a period, and its expected tokens in units of 2⁻³².
    pub(crate) fn period(&self) -> Option<(u64, u64)> {
        self.period
    }

    /// When the next token comes after `start`; `None` where none comes before 2³¹ time units.
    pub(crate) fn next(&self, start: Time, at: &mut Standing, stream: &mut Stream) -> Option<Time> {
        at.mass += exponential(stream.draw());
        if let Some((_, all)) = self.period {
            at.periods += at.mass / all;
            at.mass %= all;
        }
        let step = self.steps[self.steps.partition_point(|step| step.before <= at.mass) - 1];
        if step.mean == 0 {
            return None;
        }
        let whole = u128::from(at.periods) * u128::from(self.period.map_or(0, |(length, _)| length));
        let within = u128::from(step.start) + u128::from(at.mass - step.before) * u128::from(step.mean) / UNIT;
        let ticks = u64::try_from(u128::from(start.ticks()) + whole + within).ok()?;
        (ticks < 1 << 63).then(|| Time::from_ticks(ticks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::random::StreamKey;

    /// Numbers in each step of many periods are Poisson: their mean and variance are the expected number.
    #[test]
    fn numbers_are_those_of_the_rates() {
        let rates = Rates::new(vec![(0.0, 2.0), (10.0, 0.0), (15.0, 5.0)]).every(20.0);
        assert_eq!((rates.fault(), rates.mean()), (None, 2.25));
        let intensity = Intensity::new(&rates);
        let (mut stream, mut at) = (StreamKey::new(3, 0).stream(0), Standing::default());
        const PERIODS: usize = 4000;
        let mut counts = vec![[0_u32; 3]; PERIODS];
        let mut last = Time::ZERO;
        while let Some(time) = intensity.next(Time::ZERO, &mut at, &mut stream) {
            assert!(time >= last);
            last = time;
            let units = time.units();
            let (period, within) = ((units / 20.0) as usize, units % 20.0);
            let Some(counts) = counts.get_mut(period) else { break };
            counts[usize::from(within >= 10.0) + usize::from(within >= 15.0)] += 1;
        }
        for (step, expected) in [(0, 20.0), (1, 0.0), (2, 25.0)] {
            let values = || counts.iter().map(|counts| f64::from(counts[step]));
            let mean = values().sum::<f64>() / PERIODS as f64;
            let variance = values().map(|v| (v - mean).powi(2)).sum::<f64>() / PERIODS as f64;
            // Four standard deviations of the mean, and of the variance.
            let sure = 4.0 * (expected / PERIODS as f64).sqrt();
            assert!((mean - expected).abs() <= sure, "step {step}: {mean}");
            assert!((variance - expected).abs() <= 1.5 * sure * expected.sqrt().max(1.0), "step {step}: {variance}");
        }
    }

    #[test]
    fn rates_end_or_go_on() {
        let mut stream = StreamKey::new(3, 0).stream(1);
        let mut count = |steps: Vec<(f64, f64)>| {
            let (intensity, mut at) = (Intensity::new(&Rates::new(steps)), Standing::default());
            let times = std::iter::from_fn(|| intensity.next(Time::UNIT, &mut at, &mut stream));
            times.take(1000).map(Time::units).last()
        };
        assert!(count(vec![(0.0, 10.0), (5.0, 0.0)]).unwrap() < 6.0);
        assert!(count(vec![(0.0, 0.0), (5.0, 10.0)]).unwrap() > 90.0);
        // After five intervals of mean 2^30 time units, 64 bits cannot hold the time.
        let mut at = Standing { periods: 0, mass: 5 << 32 };
        let seldom = Intensity::new(&Rates::new(vec![(0.0, MOST_SELDOM)]));
        assert_eq!(seldom.next(Time::ZERO, &mut at, &mut stream), None);
    }

    #[test]
    fn faults_are_named() {
        let fault = |steps, period| Rates { steps, period }.fault().map(|(what, ..)| what);
        assert_eq!(fault(vec![], None), Some("the number of rates"));
        assert_eq!(fault(vec![(1.0, 1.0)], None), Some("the first time of the rates"));
        assert_eq!(fault(vec![(0.0, -1.0)], None), Some("a rate"));
        assert_eq!(fault(vec![(0.0, 1.0), (2.0, 2.0), (2.0, 1.0)], None), Some("a time of the rates"));
        assert_eq!(fault(vec![(0.0, 1.0), (2.0, 2.0)], Some(2.0)), Some("the period"));
        assert_eq!(fault(vec![(0.0, 0.0)], Some(2.0)), Some("the expected number of tokens in a period"));
        assert_eq!(fault(vec![(0.0, 1e-9)], Some(1e-9)), Some("the expected number of tokens in a period"));
        assert_eq!(fault(vec![(0.0, 1e6)], Some(1e6)), Some("the expected number of tokens in all steps"));
        assert_eq!(fault(vec![(0.0, 0.0), (3.0, 1.0)], None), None);
    }
}
