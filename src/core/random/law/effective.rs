//! Laws in ticks: the integers that every backend draws from.

use std::sync::Arc;

use super::ServiceLaw;
use crate::random::{Stream, Table, exponential, scale};
use crate::time::Time;

/// Time units as ticks.
#[inline]
pub(super) fn ticks(units: f64) -> u64 {
    (units * 4_294_967_296.0).round() as u64
}

impl ServiceLaw {
    /// The shortest service time that the law allows, in time units: its own lookahead.
    #[inline]
    pub fn lookahead(&self) -> f64 {
        match *self {
            Self::Constant { time } => time,
            Self::Uniform { low, .. } => low,
            _ => self.fitted().map_or(0.0, |fitted| fitted.shortest()),
        }
    }

    /// The law in ticks, after the shift S → d + S·(M - d)/M of Sang et al. 2019 where `shift` is `Some(d)`.
    ///
    /// The shift keeps the mean M and makes d the shortest service time. `d` is in time units, below M.
    pub fn effective(&self, shift: Option<f64>) -> EffectiveLaw {
        let (offset, factor) = shift.map_or((0.0, 1.0), |d| (d, (self.mean() - d) / self.mean()));
        let mut law = EffectiveLaw::constant(Time::from_ticks(ticks(offset)));
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
            _ => {
                let Some(fitted) = self.fitted() else { return law };
                let table = &fitted.fit.table;
                law.kind = if table.is_of_steps() { LawKind::Steps } else { LawKind::Quantiles };
                law.stages = table.draws();
                law.threshold = table.steps();
                law.offset += ticks(fitted.shortest() * factor);
                law.first = ticks(fitted.unit * factor);
                law.table = Some(Arc::clone(table));
            }
        }
        law
    }
}

/// How a law draws its times.
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
    /// One draw or two for a place in a table of quantiles.
    Quantiles = 5,
    /// A draw for a step of a table, and another where a step is wide.
    Steps = 6,
}

/// A service law in ticks, as the heap simulator and the device draw from it.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::random::{ServiceLaw, StreamKey};
/// let law = ServiceLaw::Exponential { mean: 10.0 }.effective(Some(1.0));
/// let mut stream = StreamKey::new(1, 0).stream(0);
/// assert!((0..100).all(|_| law.service(&mut stream) >= law.minimum()));
/// assert_eq!(law.minimum().units(), 1.0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectiveLaw {
    /// How the law draws its times.
    pub kind: LawKind,
    /// The number of exponential stages, or of draws for a variate of a table; otherwise 1.
    pub stages: u32,
    /// A first draw below this takes the first branch, in units of 2⁻³²; for a table of steps, their number.
    pub threshold: u32,
    /// Ticks that every service time contains.
    pub offset: u64,
    /// In ticks: the mean of an exponential part, of a stage or of the first branch, the width of a uniform part, or the unit
    /// of a table's variates.
    pub first: u64,
    /// Mean of the second branch, in ticks.
    pub second: u64,
    /// The table of variates, where the kind needs one.
    pub table: Option<Arc<Table>>,
}

impl EffectiveLaw {
    /// Always this time, or a tick where it is 0.
    pub fn constant(time: Time) -> Self {
        let (offset, kind) = (time.ticks(), LawKind::Constant);
        Self { kind, stages: 1, threshold: 0, offset, first: 0, second: 0, table: None }
    }

    /// The next service time of a stream; at least one tick.
    #[inline]
    pub fn service(&self, stream: &mut Stream) -> Time {
        // The law of most stations, where it is asked for: no call, and no table of jumps.
        if self.kind == LawKind::Exponential {
            return self.time(scale(exponential(stream.draw()), self.first));
        }
        self.time(self.variate(stream))
    }

    /// The time that a variate in ticks stands for.
    #[inline]
    fn time(&self, variate: u64) -> Time {
        Time::from_ticks((self.offset + variate).max(1))
    }

    /// The part of the next time that a stream draws, in ticks.
    fn variate(&self, stream: &mut Stream) -> u64 {
        match self.kind {
            LawKind::Constant => 0,
            LawKind::Uniform => scale(u64::from(stream.draw()), self.first),
            LawKind::Exponential | LawKind::Erlang => {
                (0..self.stages).map(|_| scale(exponential(stream.draw()), self.first)).sum()
            }
            LawKind::Hyperexponential => {
                let mean = if stream.draw() < self.threshold { self.first } else { self.second };
                scale(exponential(stream.draw()), mean)
            }
            LawKind::Quantiles => self.table.as_ref().map_or(0, |table| scale(table.quantile(stream), self.first)),
            LawKind::Steps => self.table.as_ref().map_or(0, |table| scale(table.step(stream), self.first)),
        }
    }

    /// The number of draws of a service time.
    #[inline]
    pub fn draws(&self) -> u32 {
        match self.kind {
            LawKind::Constant => 0,
            LawKind::Exponential | LawKind::Uniform => 1,
            LawKind::Erlang | LawKind::Quantiles | LawKind::Steps => self.stages,
            LawKind::Hyperexponential => 2,
        }
    }

    /// The shortest service time: how far a round may go beyond the earliest event.
    #[inline]
    pub fn minimum(&self) -> Time {
        Time::from_ticks(self.offset.max(1))
    }

    /// The longest service time, or `None` where it does not fit 63 bits.
    #[inline]
    pub fn maximum(&self) -> Option<Time> {
        let longest = u128::from(exponential(0));
        let variate = match self.kind {
            LawKind::Constant => 0,
            LawKind::Uniform => u128::from(self.first),
            LawKind::Exponential | LawKind::Erlang => {
                ((longest * u128::from(self.first)) >> 32) * u128::from(self.stages)
            }
            LawKind::Hyperexponential => (longest * u128::from(self.first.max(self.second))) >> 32,
            LawKind::Quantiles | LawKind::Steps => {
                let longest = self.table.as_ref().map_or(0, |table| table.longest());
                (u128::from(longest) * u128::from(self.first)) >> 32
            }
        };
        let ticks = u128::from(self.offset) + variate;
        (ticks < 1 << 63).then(|| Time::from_ticks((ticks as u64).max(1)))
    }
}
