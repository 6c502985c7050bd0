//! Factors of service times by the time at which services begin, checked.

use super::groups::longer;
use tickless_core::time::Time;

/// Factors by time, in ticks and in units of 2^-20.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FactorSchedule {
    /// When each factor begins to hold, the first at 0. A factor of 0, where services take no time, is the only one.
    pub(crate) steps: Vec<(u64, u32)>,
    pub(crate) period: Option<u64>,
}

impl FactorSchedule {
    /// A service time, multiplied by the factor that holds now.
    pub(crate) fn longer(&self, time: Time, now: Time) -> Time {
        let within = self.period.map_or(now.ticks(), |period| now.ticks() % period);
        let holds = self.steps.partition_point(|(start, _)| *start <= within);
        match self.steps[holds - 1].1 {
            0 => Time::ZERO,
            factor => longer(time, factor),
        }
    }

    /// Whether services take no time at all: then the only factor is 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.steps[0].1 == 0
    }

    /// A time, multiplied by the largest factor.
    pub(crate) fn longest(&self, time: Time) -> Time {
        longer(time, self.steps.iter().map(|(_, factor)| *factor).max().unwrap_or(0))
    }
}
