//! The bins of a period over which figures are folded: the hours of a day, or of a week.

use super::NetworkModel;
use crate::error::FoldError;
use tickless_core::time::Time;

/// The most bins of a period.
pub(crate) const MOST_BINS: u64 = 1_000;
/// The shortest period in ticks: two time units. So device words count the periods of all tokens.
const SHORTEST: u64 = 2 << 32;

/// A period in equal bins, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fold {
    pub(crate) step: Time,
    pub(crate) bins: u32,
}

impl Fold {
    /// Of a period and a step in time units; without a step the period is in 24 bins.
    ///
    /// # Errors
    /// [`FoldError`].
    pub(crate) fn of(period: Option<f64>, step: Option<f64>) -> Result<Option<Self>, FoldError> {
        let Some(given) = period else {
            return step.map_or(Ok(None), |step| Err(FoldError::NoPeriod { step }));
        };
        let period = Time::from_units(given).filter(|period| (SHORTEST..1 << 63).contains(&period.ticks()));
        let period = period.ok_or(FoldError::Period { value: given })?.ticks();
        let asked = step.unwrap_or(given / 24.0);
        let step = Time::from_units(asked).map_or(0, Time::ticks);
        let bins = period.checked_div(step).filter(|bins| (1..=MOST_BINS).contains(bins) && bins * step == period);
        let bins = bins.ok_or(FoldError::Step { value: asked, period: given })?;
        Ok(Some(Self { step: Time::from_ticks(step), bins: bins as u32 }))
    }

    /// The place of a time: its bin, the number of periods before it, and the beginning of its bin.
    pub(crate) fn place(self, time: Time) -> (u32, u64, Time) {
        let steps = time.ticks() / self.step.ticks();
        let (bin, period) = (steps % u64::from(self.bins), steps / u64::from(self.bins));
        (bin as u32, period, Time::from_ticks(steps * self.step.ticks()))
    }

    /// How much of the time between two times is in each bin, in ticks.
    pub(crate) fn lengths(self, from: Time, until: Time) -> Vec<u64> {
        let mut lengths = vec![0; self.bins as usize];
        self.pieces(from, until).for_each(|(bin, from, until)| lengths[bin as usize] += until.ticks() - from.ticks());
        lengths
    }

    /// The parts of the time between two times, each in one bin: the bin, and when the part begins and ends.
    pub(crate) fn pieces(self, from: Time, until: Time) -> impl Iterator<Item = (u32, Time, Time)> {
        let mut begin = from;
        std::iter::from_fn(move || {
            let (bin, _, first) = self.place(begin);
            let piece = (bin, begin, Time::from_ticks(first.ticks() + self.step.ticks()).min(until));
            begin = piece.2;
            (piece.1 < piece.2).then_some(piece)
        })
    }
}

impl NetworkModel {
    /// The bins of the period by which figures are added up (see [`Network::fold`](crate::Network::fold)).
    pub(crate) fn folding(&self) -> Option<Fold> {
        self.fold
    }

    /// The length in time units of the bins of the period by which figures are added up, and how many there are; `None` where the network
    /// does not ask for them (see [`Network::fold`](crate::Network::fold)).
    pub fn fold(&self) -> Option<(f64, usize)> {
        self.fold.map(|fold| (fold.step.units(), fold.bins as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_has_equal_bins() {
        let day = Fold::of(Some(1440.0), None).unwrap().unwrap();
        assert_eq!((day.bins, day.step.units()), (24, 60.0));
        let hours = |units: f64| Time::from_units(60.0 * units).unwrap();
        assert_eq!(day.place(hours(49.5)), (1, 2, hours(49.0)));
        let lengths = day.lengths(hours(1.5), hours(26.25));
        let expected: Vec<u64> = (0..24)
            .map(|bin| match bin {
                0 | 2..24 => hours(1.0).ticks(),
                _ => hours(0.75).ticks(),
            })
            .collect();
        assert_eq!(lengths.iter().sum::<u64>(), hours(24.75).ticks());
        assert_eq!(lengths[3..], expected[3..]);
        assert_eq!(Fold::of(None, None).unwrap(), None);
        for (period, step) in [(Some(1.0), None), (Some(10.0), Some(3.0)), (Some(1e9), Some(1.0)), (None, Some(1.0))] {
            assert!(Fold::of(period, step).is_err(), "{period:?} {step:?}");
        }
    }
}
