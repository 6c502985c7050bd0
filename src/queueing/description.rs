//! The closed torus queueing network: what the user writes, and the checked model made of it.

use serde::{Deserialize, Serialize};

use super::ModelError;
use crate::random::{EffectiveLaw, LawError, ServiceLaw, StreamKey};
use crate::time::Time;

/// The most facilities: an edge is numbered `4 · facility + direction` in 32 bits, and one number stays free.
const MOST_FACILITIES: u64 = (1 << 30) - 1;

/// A closed torus of first-come first-served service facilities, as the user describes it (Sang et al. 2019).
///
/// Facility `row · width + column` has one server. A token that leaves goes down, right, up or left with equal
/// probability. A side of 1 or 2 makes self-loops and parallel edges. All times are in the model's time unit.
///
/// ```
/// use tickless::queueing::Torus;
/// let model = Torus::new(64, 32).tokens(2).service("exponential:10".parse()?).window(1.0).until(50.0).check()?;
/// assert_eq!((model.facilities(), model.tokens()), (2048, 4096));
/// assert_eq!(model.lookahead().units(), 1.0);
/// # Ok::<(), tickless::queueing::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Torus {
    width: u32,
    height: u32,
    tokens: u32,
    service: ServiceLaw,
    window: Option<f64>,
    until: f64,
    warmup: f64,
    seed: u64,
}

impl Torus {
    /// `width` x `height` facilities with one token each, exponential service of mean 10, until time 100, seed 1.
    pub fn new(width: u32, height: u32) -> Self {
        let service = ServiceLaw::Exponential { mean: 10.0 };
        Self { width, height, tokens: 1, service, window: None, until: 100.0, warmup: 0.0, seed: 1 }
    }

    /// Tokens at each facility at time 0: the first in service, the rest queued; 0 is allowed.
    #[must_use]
    pub fn tokens(mut self, tokens: u32) -> Self {
        self.tokens = tokens;
        self
    }

    /// The law of every service time.
    #[must_use]
    pub fn service(mut self, law: ServiceLaw) -> Self {
        self.service = law;
        self
    }

    /// The synchronization window d, from 0 to below the mean service time.
    ///
    /// A law whose shortest service time is d or more is used as it is; any other is shifted to d + S·(M - d)/M,
    /// which keeps its mean M. 0 leaves the law alone, as does not to call this: the model is simulated as it is written.
    #[must_use]
    pub fn window(mut self, window: f64) -> Self {
        self.window = Some(window);
        self
    }

    /// The horizon: events before it happen.
    #[must_use]
    pub fn until(mut self, until: f64) -> Self {
        self.until = until;
        self
    }

    /// What happens before this time is simulated but not counted.
    #[must_use]
    pub fn warmup(mut self, warmup: f64) -> Self {
        self.warmup = warmup;
        self
    }

    /// One seed, one sample path.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Checks everything and derives what the backends run.
    ///
    /// # Errors
    /// [`ModelError`], which names the value that was wrong and what is allowed.
    pub fn check(self) -> Result<TorusModel, ModelError> {
        self.check_sizes()?;
        self.service.check()?;
        let shift = self.shift()?;
        let law = self.service.effective(shift);
        let (until, warmup) = self.check_times(&law)?;
        Ok(TorusModel { law, shift, until, warmup, key: StreamKey::new(self.seed, 0), description: self })
    }

    fn check_sizes(&self) -> Result<(), ModelError> {
        let &Self { width, height, tokens, .. } = self;
        for (name, side) in [("width", width), ("height", height)] {
            if side == 0 {
                return Err(ModelError::Side { name });
            }
        }
        let facilities = u64::from(width) * u64::from(height);
        if facilities > MOST_FACILITIES {
            return Err(ModelError::Facilities { width, height, most: MOST_FACILITIES });
        }
        let most = (u64::from(u32::MAX - 1) / facilities) as u32;
        if tokens > most {
            return Err(ModelError::Tokens { tokens, facilities: facilities as u32, most });
        }
        Ok(())
    }

    /// The d of the shift, or `None` where the law stays as it is.
    fn shift(&self) -> Result<Option<f64>, ModelError> {
        let (mean, lookahead) = (self.service.mean(), self.service.lookahead());
        let window = match self.window {
            Some(window) if window == lookahead => return Ok(None),
            Some(window) if !(0.0..mean).contains(&window) => return Err(ModelError::Window { window, mean }),
            Some(window) => window,
            None => return Ok(None),
        };
        Ok((window > lookahead).then_some(window))
    }

    fn check_times(&self, law: &EffectiveLaw) -> Result<(Time, Time), ModelError> {
        // A service starts before the horizon, so no time passes horizon + longest service.
        let room = law.maximum().map_or(0, |longest| (1 << 63) - longest.ticks());
        if room == 0 {
            let fault =
                "its longest service time is beyond the range of times, 2^31 time units; use a larger time unit";
            return Err(LawError { law: self.service.to_string(), fault: fault.into() }.into());
        }
        let most = Time::from_ticks(room);
        let until = Time::from_units(self.until).filter(|t| (Time::from_ticks(1)..=most).contains(t));
        let until = until.ok_or(ModelError::Until { until: self.until, most: most.units() })?;
        let warmup = Time::from_units(self.warmup).filter(|t| *t < until);
        let warmup = warmup.ok_or(ModelError::Warmup { warmup: self.warmup, until: self.until })?;
        Ok((until, warmup))
    }
}

/// A checked [`Torus`], in ticks: what the heap simulator and the device run.
///
/// ```
/// use tickless::queueing::Torus;
/// let model = Torus::new(3, 2).check()?;
/// // Down, right, up and left of the last facility; a side of 2 makes down and up the same neighbour.
/// assert_eq!([0, 1, 2, 3].map(|direction| model.neighbour(5, direction)), [2, 3, 2, 4]);
/// # Ok::<(), tickless::queueing::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TorusModel {
    description: Torus,
    law: EffectiveLaw,
    shift: Option<f64>,
    until: Time,
    warmup: Time,
    key: StreamKey,
}

impl TorusModel {
    /// What the user wrote.
    pub fn description(&self) -> &Torus {
        &self.description
    }

    /// Facilities in a row.
    pub fn width(&self) -> u32 {
        self.description.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.description.height
    }

    /// The number of facilities, at most 2³⁰ - 1.
    pub fn facilities(&self) -> u32 {
        self.width() * self.height()
    }

    /// Tokens at each facility at time 0.
    pub fn tokens_each(&self) -> u32 {
        self.description.tokens
    }

    /// The number of tokens in the network.
    pub fn tokens(&self) -> u32 {
        self.facilities() * self.tokens_each()
    }

    /// The law as the user wrote it.
    pub fn service(&self) -> ServiceLaw {
        self.description.service
    }

    /// The law that every backend draws from.
    pub fn law(&self) -> &EffectiveLaw {
        &self.law
    }

    /// The d of the shifted law in time units, or `None` where the law is the user's own.
    pub fn shift(&self) -> Option<f64> {
        self.shift
    }

    /// The window of a round: the shortest service time.
    pub fn lookahead(&self) -> Time {
        self.law.minimum()
    }

    /// The horizon.
    pub fn until(&self) -> Time {
        self.until
    }

    /// Where the counting begins.
    pub fn warmup(&self) -> Time {
        self.warmup
    }

    /// The seed of the run.
    pub fn seed(&self) -> u64 {
        self.description.seed
    }

    /// What gives every facility its stream.
    pub fn key(&self) -> StreamKey {
        self.key
    }

    /// The facility that a direction leads to: 0 down, 1 right, 2 up, 3 left.
    #[inline]
    pub fn neighbour(&self, facility: u32, direction: u32) -> u32 {
        let (width, height) = (self.width(), self.height());
        let (last_row, column) = ((height - 1) * width, facility % width);
        let down = if facility < last_row { facility + width } else { facility - last_row };
        let right = if column + 1 < width { facility + 1 } else { facility - column };
        let up = if facility >= width { facility - width } else { facility + last_row };
        let left = if column > 0 { facility - 1 } else { facility + (width - 1) };
        // Selections, not branches: a random direction would be predicted wrongly.
        let vertical = if direction == 0 { down } else { up };
        let horizontal = if direction == 1 { right } else { left };
        if direction & 1 == 0 { vertical } else { horizontal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_checked() {
        let wrong = |torus: Torus| torus.check().unwrap_err();
        assert!(matches!(wrong(Torus::new(0, 1)), ModelError::Side { name: "width" }));
        assert!(matches!(wrong(Torus::new(1, 0)), ModelError::Side { name: "height" }));
        assert!(matches!(wrong(Torus::new(1 << 15, 1 << 15)), ModelError::Facilities { .. }));
        assert!(matches!(wrong(Torus::new(u32::MAX, u32::MAX)), ModelError::Facilities { .. }));
        assert!(matches!(wrong(Torus::new(1000, 1000).tokens(4295)), ModelError::Tokens { most: 4294, .. }));
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 3e9] {
            assert!(matches!(wrong(Torus::new(2, 2).until(bad)), ModelError::Until { .. }), "{bad}");
        }
        for long in ["exponential:2e9", "constant:2147483648"] {
            let torus = Torus::new(2, 2).service(long.parse().unwrap());
            assert!(matches!(wrong(torus), ModelError::Law { .. }), "{long}");
        }
        for bad in [-1.0, f64::NAN, 100.0, 200.0] {
            assert!(matches!(wrong(Torus::new(2, 2).warmup(bad)), ModelError::Warmup { .. }), "{bad}");
        }
        for bad in [-1.0, f64::NAN, 10.0, 11.0] {
            assert!(matches!(wrong(Torus::new(2, 2).window(bad)), ModelError::Window { .. }), "{bad}");
        }
    }

    #[test]
    fn a_law_with_lookahead_is_not_shifted() {
        let lookahead = |law: &str, window: Option<f64>| {
            let torus = Torus::new(2, 2).service(law.parse().unwrap());
            let model = window.map_or(torus.clone(), |d| torus.window(d)).check().unwrap();
            (model.shift(), model.lookahead().units())
        };
        assert_eq!(lookahead("constant:10", None), (None, 10.0));
        assert_eq!(lookahead("constant:10", Some(1.0)), (None, 10.0));
        assert_eq!(lookahead("constant:10", Some(10.0)), (None, 10.0));
        assert_eq!(lookahead("uniform:5,15", Some(2.0)), (None, 5.0));
        assert_eq!(lookahead("uniform:5,15", Some(8.0)), (Some(8.0), 9.0));
        assert_eq!(lookahead("exponential:10", Some(1.0)), (Some(1.0), 1.0));
        assert_eq!(lookahead("exponential:10", None), lookahead("exponential:10", Some(0.0)));
        assert_eq!(lookahead("exponential:10", None).0, None);
    }

    #[test]
    fn neighbours_are_mutual() {
        for (width, height) in [(1, 1), (1, 2), (2, 1), (3, 5), (4, 4)] {
            let model = Torus::new(width, height).check().unwrap();
            for facility in 0..model.facilities() {
                for direction in 0..4 {
                    let there = model.neighbour(facility, direction);
                    assert_eq!(model.neighbour(there, (direction + 2) & 3), facility);
                }
            }
        }
    }
}
