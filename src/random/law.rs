//! Service laws: what a user writes, and the integers that every backend draws from.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{Stream, exponential, scale};
use crate::number::Written;
use crate::reading::names;
use crate::time::Time;

/// The shortest mean service time, in time units: 4,295 ticks, so that rounding to ticks stays below 0.03 %.
const SHORTEST_MEAN: f64 = 1e-6;
/// What every time of a law stays below, in time units (2³⁰).
const LONGEST: f64 = 1_073_741_824.0;
/// The most stages of an Erlang law; each takes a draw.
const MOST_STAGES: u32 = 1024;

/// A law that cannot be drawn from.
///
/// ```
/// let error = "erlang:0,10".parse::<tickless::random::ServiceLaw>().unwrap_err();
/// assert_eq!(error.law, "erlang:0,10");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("service law '{law}': {fault}")]
pub struct LawError {
    /// The law as written.
    pub law: String,
    /// What is wrong and what is allowed.
    pub fault: String,
}

/// The law of a service time, in time units, as the user writes it.
///
/// ```
/// use tickless::random::ServiceLaw;
/// let law: ServiceLaw = "erlang:3,10".parse().unwrap();
/// assert_eq!(law, ServiceLaw::Erlang { stages: 3, mean: 10.0 });
/// assert_eq!(law.mean(), 10.0);
/// assert_eq!(law.to_string(), "erlang:3,10");
/// assert!("erlang:0,10".parse::<ServiceLaw>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ServiceLaw {
    /// `exponential:MEAN`
    Exponential {
        /// The mean, in time units.
        mean: f64,
    },
    /// `constant:TIME`
    Constant {
        /// Every service time, in time units.
        time: f64,
    },
    /// `uniform:LOW,HIGH`
    Uniform {
        /// The shortest service time, in time units; 0 is allowed.
        low: f64,
        /// The longest, in time units.
        high: f64,
    },
    /// `erlang:STAGES,MEAN`: the sum of equal exponential stages.
    Erlang {
        /// The number of stages, 1 to 1024.
        stages: u32,
        /// The mean of the sum, in time units.
        mean: f64,
    },
    /// `hyperexponential:P,FIRST,SECOND`: exponential with mean FIRST with probability P, else with mean SECOND.
    Hyperexponential {
        /// The probability of the first branch, strictly between 0 and 1.
        probability: f64,
        /// The mean of the first branch, in time units.
        first: f64,
        /// The mean of the second branch, in time units.
        second: f64,
    },
}

impl ServiceLaw {
    /// Laws that every test of laws takes: each kind at least once.
    #[doc(hidden)]
    pub const SAMPLES: [&str; 8] = [
        "exponential:10",
        "constant:10",
        "uniform:5,15",
        "uniform:0,20",
        "erlang:1,10",
        "erlang:3,10",
        "erlang:40,10",
        "hyperexponential:0.25,4,12",
    ];

    /// The mean service time, in time units.
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Exponential { mean } | Self::Erlang { mean, .. } => mean,
            Self::Constant { time } => time,
            Self::Uniform { low, high } => (low + high) / 2.0,
            Self::Hyperexponential { probability, first, second } => probability * first + (1.0 - probability) * second,
        }
    }

    /// Standard deviation by mean.
    pub(crate) fn coefficient_of_variation(&self) -> f64 {
        match *self {
            Self::Exponential { .. } => 1.0,
            Self::Constant { .. } => 0.0,
            Self::Uniform { low, high } => (high - low) / 12.0_f64.sqrt() / self.mean(),
            Self::Erlang { stages, .. } => f64::from(stages).sqrt().recip(),
            Self::Hyperexponential { probability, first, second } => {
                let square = 2.0 * (probability * first * first + (1.0 - probability) * second * second);
                (square / self.mean().powi(2) - 1.0).sqrt()
            }
        }
    }

    /// The shortest service time that the law allows, in time units: its own lookahead.
    pub fn lookahead(&self) -> f64 {
        match *self {
            Self::Constant { time } => time,
            Self::Uniform { low, .. } => low,
            _ => 0.0,
        }
    }

    /// Checks every parameter.
    ///
    /// # Errors
    /// [`LawError`] with the law, what is wrong and what is allowed.
    pub fn check(&self) -> Result<(), LawError> {
        let fail = |fault: String| Err(LawError { law: self.to_string(), fault });
        self.check_parameters()?;
        let allowed = "it must be below 2^30 time units: use a shorter mean";
        match self.effective(None).maximum().map(Time::units) {
            Some(longest) if longest < LONGEST => Ok(()),
            Some(longest) => fail(format!("the longest time is {}; {allowed}", Written(longest))),
            None => fail(format!("the longest time is above 2^31; {allowed}")),
        }
    }

    fn check_parameters(&self) -> Result<(), LawError> {
        let fail = |fault: String| Err(LawError { law: self.to_string(), fault });
        let positive = |name: &str, value: f64| {
            if (SHORTEST_MEAN..LONGEST).contains(&value) {
                Ok(())
            } else {
                fail(format!(
                    "{name} is {}; it must be at least {SHORTEST_MEAN} and below 2^30 time units",
                    Written(value)
                ))
            }
        };
        match *self {
            Self::Exponential { mean } => positive("the mean", mean),
            Self::Constant { time } => positive("the time", time),
            Self::Uniform { low, high } => {
                positive("the upper end", high)?;
                if low.is_finite() && low >= 0.0 && low < high {
                    Ok(())
                } else {
                    fail(format!(
                        "the lower end is {}; it must be 0 or more and below the upper end {high}",
                        Written(low)
                    ))
                }
            }
            Self::Erlang { stages, mean } => {
                positive("the mean", mean)?;
                if (1..=MOST_STAGES).contains(&stages) {
                    positive("the mean of a stage", mean / f64::from(stages))
                } else {
                    fail(format!("{stages} stages; 1 to {MOST_STAGES} are allowed"))
                }
            }
            Self::Hyperexponential { probability, first, second } => {
                positive("the first mean", first)?;
                positive("the second mean", second)?;
                if probability > 0.0 && probability < 1.0 {
                    Ok(())
                } else {
                    fail(format!("the probability is {}; it must lie strictly between 0 and 1", Written(probability)))
                }
            }
        }
    }

    /// The law in ticks, after the shift S → d + S·(M - d)/M of Sang et al. 2019 where `shift` is `Some(d)`.
    ///
    /// The shift keeps the mean M and makes d the shortest service time. `d` is in time units, below M.
    pub fn effective(&self, shift: Option<f64>) -> EffectiveLaw {
        let (offset, factor) = shift.map_or((0.0, 1.0), |d| (d, (self.mean() - d) / self.mean()));
        let ticks = |units: f64| (units * 4_294_967_296.0).round() as u64;
        let mut law = EffectiveLaw {
            kind: LawKind::Constant,
            stages: 1,
            threshold: 0,
            offset: ticks(offset),
            first: 0,
            second: 0,
        };
        match *self {
            Self::Exponential { mean } => {
                law.kind = LawKind::Exponential;
                law.first = ticks(mean * factor);
            }
            Self::Constant { time } => law.offset = ticks(time),
            Self::Uniform { low, high } => {
                law.kind = LawKind::Uniform;
                law.offset += ticks(low * factor);
                law.first = ticks((high - low) * factor);
            }
            Self::Erlang { stages, mean } => {
                law.kind = LawKind::Erlang;
                law.stages = stages;
                law.first = ticks(mean * factor / f64::from(stages));
            }
            Self::Hyperexponential { probability, first, second } => {
                law.kind = LawKind::Hyperexponential;
                law.threshold = (probability * 4_294_967_296.0).round().clamp(1.0, 4_294_967_295.0) as u32;
                law.first = ticks(first * factor);
                law.second = ticks(second * factor);
            }
        }
        law
    }
}

impl fmt::Display for ServiceLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exponential { mean } => write!(f, "exponential:{}", Written(mean)),
            Self::Constant { time } => write!(f, "constant:{}", Written(time)),
            Self::Uniform { low, high } => write!(f, "uniform:{},{}", Written(low), Written(high)),
            Self::Erlang { stages, mean } => write!(f, "erlang:{stages},{}", Written(mean)),
            Self::Hyperexponential { probability, first, second } => {
                write!(f, "hyperexponential:{},{},{}", Written(probability), Written(first), Written(second))
            }
        }
    }
}

impl From<ServiceLaw> for String {
    fn from(law: ServiceLaw) -> Self {
        law.to_string()
    }
}

impl TryFrom<String> for ServiceLaw {
    type Error = LawError;
    fn try_from(text: String) -> Result<Self, LawError> {
        text.parse()
    }
}

impl FromStr for ServiceLaw {
    type Err = LawError;

    fn from_str(text: &str) -> Result<Self, LawError> {
        let fail = |fault: &str| LawError { law: text.to_owned(), fault: fault.to_owned() };
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        if !NAMES.contains(&name.trim()) {
            return Err(fail(&unknown(name.trim())));
        }
        let rest = rest.ok_or_else(|| fail("write NAME:PARAMETERS, as in exponential:10"))?;
        let number = |part: &str| part.trim().parse::<f64>().map_err(|_| fail(&format!("'{part}' is not a number")));
        let values = rest.split(',').map(number).collect::<Result<Vec<f64>, _>>()?;
        let law = match (name.trim(), values.as_slice()) {
            ("exponential", &[mean]) => Self::Exponential { mean },
            ("constant", &[time]) => Self::Constant { time },
            ("uniform", &[low, high]) => Self::Uniform { low, high },
            ("erlang", &[stages, mean]) => {
                if stages.fract() != 0.0 || !(1.0..=f64::from(MOST_STAGES)).contains(&stages) {
                    return Err(fail(&format!("{stages} stages; a whole number from 1 to {MOST_STAGES} is allowed")));
                }
                Self::Erlang { stages: stages as u32, mean }
            }
            ("hyperexponential", &[probability, first, second]) => {
                Self::Hyperexponential { probability, first, second }
            }
            ("exponential" | "constant", _) => return Err(fail("it takes one number, as in exponential:10")),
            ("uniform", _) => return Err(fail("it takes two numbers, as in uniform:5,15")),
            ("erlang", _) => return Err(fail("it takes two numbers, as in erlang:3,10 (stages, mean)")),
            ("hyperexponential", _) => {
                return Err(fail("it takes three numbers, as in hyperexponential:0.3,5,15 (probability, two means)"));
            }
            _ => return Err(fail(&unknown(name.trim()))),
        };
        match law.check() {
            Err(LawError { fault, .. }) => Err(fail(&as_written(fault, rest, &values))),
            checked => checked.map(|()| law),
        }
    }
}

/// What is wrong with a number, with that number as it was written.
fn as_written(fault: String, parameters: &str, values: &[f64]) -> String {
    let shown = |value: &f64| format!(" is {};", Written(*value));
    let found = parameters.split(',').zip(values).find(|(_, value)| fault.contains(&shown(value)));
    found.map_or_else(
        || fault.clone(),
        |(part, value)| fault.replacen(&shown(value), &format!(" is {};", part.trim()), 1),
    )
}

/// The names of the laws.
const NAMES: [&str; 5] = ["exponential", "constant", "uniform", "erlang", "hyperexponential"];

/// What to say of a name that no law has.
fn unknown(name: &str) -> String {
    let meant =
        names::meant(name, NAMES.into_iter()).map(|known| format!("; {known} is probably meant")).unwrap_or_default();
    format!(
        "'{name}' is no law{meant}; known laws are exponential:MEAN, constant:TIME, uniform:LOW,HIGH, erlang:STAGES,MEAN \
         and hyperexponential:P,FIRST,SECOND"
    )
}

/// Which draws a law takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum LawKind {
    /// No draw: the offset alone.
    Constant = 0,
    /// One draw.
    Exponential = 1,
    /// One draw.
    Uniform = 2,
    /// One draw a stage.
    Erlang = 3,
    /// Two draws: the branch, then the time.
    Hyperexponential = 4,
}

/// A service law in ticks, as the heap simulator and the device draw from it.
///
/// ```
/// use tickless::random::{ServiceLaw, StreamKey};
/// let law = ServiceLaw::Exponential { mean: 10.0 }.effective(Some(1.0));
/// let mut stream = StreamKey::new(1, 0).stream(0);
/// assert!((0..100).all(|_| law.service(&mut stream) >= law.minimum()));
/// assert_eq!(law.minimum().units(), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectiveLaw {
    /// Which draws it takes.
    pub kind: LawKind,
    /// The number of exponential stages; 1 where the law has none.
    pub stages: u32,
    /// A first draw below this takes the first branch, in units of 2⁻³².
    pub threshold: u32,
    /// Ticks that every service time contains.
    pub offset: u64,
    /// Mean of an exponential part, of a stage or of the first branch, or the width of a uniform part, in ticks.
    pub first: u64,
    /// Mean of the second branch, in ticks.
    pub second: u64,
}

impl EffectiveLaw {
    /// The next service time of a stream; at least one tick.
    #[inline]
    pub fn service(&self, stream: &mut Stream) -> Time {
        let variate = match self.kind {
            LawKind::Constant => 0,
            LawKind::Exponential => scale(exponential(stream.draw()), self.first),
            LawKind::Uniform => scale(u64::from(stream.draw()), self.first),
            LawKind::Erlang => (0..self.stages).map(|_| scale(exponential(stream.draw()), self.first)).sum(),
            LawKind::Hyperexponential => {
                let mean = if stream.draw() < self.threshold { self.first } else { self.second };
                scale(exponential(stream.draw()), mean)
            }
        };
        Time::from_ticks((self.offset + variate).max(1))
    }

    /// The draws that a service time takes.
    pub fn draws(&self) -> u32 {
        match self.kind {
            LawKind::Constant => 0,
            LawKind::Exponential | LawKind::Uniform => 1,
            LawKind::Erlang => self.stages,
            LawKind::Hyperexponential => 2,
        }
    }

    /// The shortest service time: how far a round may go beyond the earliest event.
    pub fn minimum(&self) -> Time {
        Time::from_ticks(self.offset.max(1))
    }

    /// The longest service time, or `None` where it does not fit 63 bits.
    pub fn maximum(&self) -> Option<Time> {
        let longest = u128::from(exponential(0));
        let variate = match self.kind {
            LawKind::Constant => 0,
            LawKind::Uniform => u128::from(self.first),
            LawKind::Exponential | LawKind::Erlang => {
                ((longest * u128::from(self.first)) >> 32) * u128::from(self.stages)
            }
            LawKind::Hyperexponential => (longest * u128::from(self.first.max(self.second))) >> 32,
        };
        let ticks = u128::from(self.offset) + variate;
        (ticks < 1 << 63).then(|| Time::from_ticks((ticks as u64).max(1)))
    }
}

#[cfg(test)]
mod tests;
