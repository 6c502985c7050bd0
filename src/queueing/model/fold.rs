//! The bins of a period over which figures are folded: the hours of a day, or of a week.

use super::NetworkModel;
use crate::error::FoldError;
use tickless_core::time::Time;

/// The most bins of a period.
pub(crate) const MOST_BINS: u64 = 1_000;
/// How far the ratio of a period and its step may be from a whole number, as in decimals.
const NEARLY: f64 = 1e-6;
/// The most bins of a run, which are gone through one by one.
const MOST_IN_A_RUN: u64 = 10_000_000;

/// A period in equal bins, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fold {
    pub(crate) step: Time,
    pub(crate) bins: u32,
}

impl Fold {
    /// Of a period and a step in time units, for a run until a horizon; without a step the period is in 24 bins. A third of an hour is no whole
    /// number of ticks: the period becomes that many whole steps, which are off by half a tick each at most.
    ///
    /// # Errors
    /// [`FoldError`].
    pub(crate) fn of(period: Option<f64>, step: Option<f64>, until: Time) -> Result<Option<Self>, FoldError> {
        let Some(given) = period else {
            return step.map_or(Ok(None), |step| Err(FoldError::NoPeriod { step }));
        };
        let period = Time::from_units(given).filter(|period| (1..1 << 63).contains(&period.ticks()));
        let period = period.ok_or(FoldError::Period { value: given })?.ticks();
        let asked = step.unwrap_or(given / 24.0);
        let parts = given / asked;
        let bins = parts.round();
        if !((1.0..=MOST_BINS as f64).contains(&bins) && (parts - bins).abs() < NEARLY) {
            return Err(FoldError::Step { value: asked, period: given });
        }
        let bins = bins as u64;
        let step = (period + bins / 2) / bins;
        if step == 0 || until.ticks() / step > MOST_IN_A_RUN {
            return Err(FoldError::Many { step: asked, most: MOST_IN_A_RUN });
        }
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
        let until = Time::from_units(1000.0).unwrap();
        let of = |period, step| Fold::of(period, step, until);
        let day = of(Some(1440.0), None).unwrap().unwrap();
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
        assert_eq!(of(None, None).unwrap(), None);
        // A day in days, and thirds of an hour in hours, which no number of ticks is.
        let [hours, thirds] =
            [(1.0, None), (24.0, Some(0.333_333_333))].map(|(all, step)| of(Some(all), step).unwrap().unwrap());
        assert_eq!((hours.bins, thirds.bins), (24, 72));
        assert!(thirds.step.ticks().abs_diff((1 << 32) / 3) <= 1);
        for (period, step) in
            [(Some(0.0), None), (Some(10.0), Some(3.0)), (Some(1e9), Some(1.0)), (None, Some(1.0)), (Some(1e-6), None)]
        {
            assert!(of(period, step).is_err(), "{period:?} {step:?}");
        }
    }
}
