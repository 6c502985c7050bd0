//! Generators of CD++'s library: a number at time 0, and another after each random time.

use super::cell_space::{find, needed};
use super::error::{Fault, RuleError};
use super::inputs::NoPlace;
use super::numerals::decimal;
use super::source::{Place, Sources};
use super::statements::{Section, Statement};
use super::{Fixed, functions};
use tickless_core::random::{Stream, exponential, scale};

/// Ticks of a second, the unit of the parameters of a generator.
const SECOND: u64 = 1000 << 32;
/// Bits of the fraction of a parameter, enough for every tick.
const FINE: u32 = 43;
/// The longest mean, in seconds.
const LONGEST: u64 = 1_000_000;

/// A component of the type `generator`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Generator {
    law: Law,
    /// The first number, and the increment of the next.
    initial: i64,
    increment: i64,
}

/// The law of the times between numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Law {
    /// A number of ticks.
    Constant(u64),
    /// Ticks of the mean.
    Exponential(u64),
    /// A whole number of seconds; the mean in 2^-32.
    Poisson(u64),
    /// The size of a normal variate; ticks of the mean and of the deviation.
    Normal(u64, u64),
}

impl Generator {
    /// Reads the section of a generator.
    pub fn new(sources: &Sources, name: &str, section: Option<&Section>, place: Place) -> Result<Self, RuleError> {
        let Some(section) = section else {
            let known = format!("a section '[{name}]' describes the generator");
            let fault = Fault::Unknown { what: "the component".into(), name: name.into(), known };
            return Err(sources.fail(place, fault));
        };
        let distribution = needed(sources, section, "distribution", "distribution : exponential")?;
        let seconds = |key: &str| {
            let statement = needed(sources, section, key, &format!("{key} : 1"))?;
            let (text, place) = statement.text();
            let seconds = decimal(&text, FINE).ok().filter(|seconds| seconds >> FINE <= LONGEST);
            let allowed = format!("seconds from 0 to {LONGEST} are allowed");
            seconds
                .ok_or_else(|| sources.fail(place, Fault::Value { what: format!("the {key}"), value: text, allowed }))
        };
        let ticks =
            |key: &str| seconds(key).map(|seconds| ((u128::from(seconds) * 1000 + (1 << 10)) >> (FINE - 32)) as u64);
        let (text, place) = distribution.text();
        let law = match text.to_ascii_lowercase().as_str() {
            "constant" => Law::Constant(ticks("value")?),
            "exponential" => Law::Exponential(ticks("mean")?),
            "poisson" => Law::Poisson(seconds("mean")? >> (FINE - 32)),
            "normal" => Law::Normal(ticks("mean")?, ticks("deviation")?),
            _ => {
                let allowed = "'constant', 'exponential', 'poisson' and 'normal' are allowed".into();
                let (what, value) = ("the distribution".into(), text.clone());
                return Err(sources.fail(place, Fault::Value { what, value, allowed }));
            }
        };
        let number = |key: &str, default: i64| match find(section, key) {
            Some(statement) => whole(sources, statement),
            None => Ok(default),
        };
        Ok(Self { law, initial: number("initial", 0)?, increment: number("increment", 1)? })
    }

    /// The name of its distribution, and the keys of its section.
    pub fn keys(&self) -> (&'static str, &'static [&'static str]) {
        match self.law {
            Law::Constant(_) => ("a constant generator", &["distribution", "value", "initial", "increment"]),
            Law::Exponential(_) => ("an exponential generator", &["distribution", "mean", "initial", "increment"]),
            Law::Poisson(_) => ("a Poisson generator", &["distribution", "mean", "initial", "increment"]),
            Law::Normal(..) => ("a normal generator", &["distribution", "mean", "deviation", "initial", "increment"]),
        }
    }

    /// Whether it draws random numbers.
    pub fn draws(&self) -> bool {
        !matches!(self.law, Law::Constant(_) | Law::Normal(_, 0))
    }

    /// Its numbers before a horizon, with their times in ticks.
    ///
    /// # Errors
    /// More than `most` numbers, or a number out of range.
    pub fn numbers(&self, until: u64, mut stream: Stream, most: usize) -> Result<Vec<(u64, Fixed)>, NoPlace> {
        let (mut time, mut number, mut all) = (0_u64, self.initial, vec![]);
        while time < until {
            if all.len() == most {
                return Err(NoPlace::Many);
            }
            all.push((time, Fixed::whole(number).ok_or(NoPlace::Range)?));
            number = number.saturating_add(self.increment);
            time = time.saturating_add(self.law.ticks(&mut stream));
        }
        Ok(all)
    }
}

/// A whole number.
fn whole(sources: &Sources, statement: &Statement) -> Result<i64, RuleError> {
    let (text, place) = statement.text();
    let number = text.parse::<i32>().ok().map(i64::from).filter(|number| Fixed::whole(*number).is_some());
    let what = format!("the {}", statement.key);
    let allowed = "a whole number in the range of numbers is allowed".into();
    number.ok_or_else(|| sources.fail(place, Fault::Value { what, value: text, allowed }))
}

impl Law {
    fn ticks(self, stream: &mut Stream) -> u64 {
        match self {
            Self::Constant(ticks) => ticks,
            Self::Exponential(mean) => scale(exponential(stream.draw()), mean),
            Self::Poisson(mean) => {
                // The number of arrivals of rate 1 in a time of the mean.
                let (mut sum, mut count) = (exponential(stream.draw()), 0);
                while sum <= mean {
                    sum += exponential(stream.draw());
                    count += 1;
                }
                count * SECOND
            }
            Self::Normal(mean, 0) => mean,
            Self::Normal(mean, deviation) => {
                let (size, sign) = (stream.draw(), stream.draw());
                let variate = functions::normal(size, sign);
                let away = scale(variate.unsigned_abs(), deviation);
                if variate < 0 { mean.abs_diff(away) } else { mean.saturating_add(away) }
            }
        }
    }
}
