//! Histograms of times with bins that grow with the time: a fixed relative precision over any range, in integers.

use crate::time::Time;
use serde::{Deserialize, Serialize};

/// Bins for a factor of two.
const EACH: u64 = 32;

/// The bins of a histogram of times (Tene's HdrHistogram has the same).
///
/// The first bin holds the time 0 alone. Then come 32 bins of 2^`shift` ticks each, and from there on 32 bins for every
/// factor of two, so that a bin is never wider than 1/32 of the times in it. The last one holds everything that is
/// longer, too. A bin is found by shifts and the highest bit, so every backend finds the same.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::{statistics::Scale, time::Time};
/// let scale = Scale::new(Time::UNIT, Time::from_units(1000.0).unwrap());
/// assert_eq!(scale.bin(0), 0);
/// let bin = scale.bin(Time::from_units(300.0).unwrap().ticks());
/// // 300 units lie in a bin of 8 units: 2^8 / 32.
/// assert_eq!(scale.bounds(bin).map(|time| time.units()), [296.0, 304.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    shift: u32,
    bins: u32,
}

impl Scale {
    /// The scale for times up to `longest` whose finest bins are 1/512 to 1/256 of `typical`.
    #[inline]
    pub fn new(typical: Time, longest: Time) -> Self {
        let shift = typical.ticks().max(1).ilog2().saturating_sub(8);
        let open = Self { shift, bins: u32::MAX };
        Self { shift, bins: open.bin(longest.ticks()) as u32 + 1 }
    }

    /// Ticks of the finest bins, as a power of two.
    #[inline]
    pub fn shift(&self) -> u32 {
        self.shift
    }

    /// How many bins there are.
    #[inline]
    pub fn bins(&self) -> u32 {
        self.bins
    }

    /// The bin of a time in ticks.
    #[inline]
    pub fn bin(&self, ticks: u64) -> usize {
        if ticks == 0 {
            return 0;
        }
        let scaled = ticks >> self.shift;
        let octave = scaled.max(1).ilog2().saturating_sub(EACH.ilog2());
        let bin = 1 + EACH * u64::from(octave) + (scaled >> octave);
        bin.min(u64::from(self.bins - 1)) as usize
    }

    /// Where a bin begins and where it ends: its times are at the first or later, and before the second. The last bin
    /// is open; its end is given as if it were not.
    #[inline]
    pub fn bounds(&self, bin: usize) -> [Time; 2] {
        let edge = |place: u64| {
            let octave = (place / EACH).saturating_sub(1);
            Time::from_ticks((place - EACH * octave) << octave << self.shift)
        };
        match bin as u64 {
            0 => [Time::ZERO, Time::from_ticks(1)],
            // Time 0 has a bin of its own.
            1 => [Time::from_ticks(1), edge(1).max(Time::from_ticks(2))],
            place => [edge(place - 1), edge(place)],
        }
    }

    /// The time that a share `below` of the counted times do not exceed, in time units, as if the times of a bin were
    /// spread evenly over it; `None` where nothing was counted. The error is less than the width of the bin.
    ///
    /// ```
    /// # use tickless_core::facade as tickless;
    /// use tickless::{statistics::Scale, time::Time};
    /// let scale = Scale::new(Time::UNIT, Time::from_units(100.0).unwrap());
    /// let mut counts = vec![0; scale.bins() as usize];
    /// for units in 0..100 {
    ///     counts[scale.bin(Time::from_units(f64::from(units)).unwrap().ticks())] += 1;
    /// }
    /// let median = scale.quantile(&counts, 0.5).unwrap();
    /// assert!((median - 49.5).abs() < 1.0, "{median}");
    /// ```
    #[inline]
    pub fn quantile(&self, counts: &[u64], below: f64) -> Option<f64> {
        let all: u64 = counts.iter().sum();
        let mut rest = below * all as f64;
        for (bin, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let count = *count as f64;
            if rest <= count {
                let [begin, end] = self.bounds(bin).map(|time| time.units());
                // The bin of time 0 has no width.
                return Some(if bin == 0 { 0.0 } else { begin + (end - begin) * rest / count });
            }
            rest -= count;
        }
        // Rounding may leave a little of the last count.
        let last = counts.iter().rposition(|count| *count > 0)?;
        Some(self.bounds(last)[1].units())
    }
}

/// The distributions at one station after the warm-up. Trailing zeros are cut.
///
/// ```
/// # use tickless_core::facade as tickless;
/// let nothing = tickless::statistics::Distribution::default();
/// assert_eq!(nothing.most_present(), 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distribution {
    /// Services that started, by the bin of their waiting time.
    pub waiting: Vec<u64>,
    /// Visits by the bin of how long they last, with the time that a token is blocked or waits for siblings.
    pub system: Vec<u64>,
    /// Ticks during which so many tokens were present, tokens in service included.
    pub present: Vec<u64>,
    /// Services that ended, by the bin of how long their tokens were blocked then. Empty where no token is blocked.
    pub blocked: Vec<u64>,
    /// Tokens whose wait for siblings has ended, by the bin of how long they waited. Empty where no token waits.
    pub joining: Vec<u64>,
    /// Services that started, by the number of targets below their waiting time. Empty without targets.
    pub waiting_targets: Vec<u64>,
    /// Visits likewise.
    pub system_targets: Vec<u64>,
    /// The longest waiting time of a service that started, and the longest visit, in ticks. Empty where these are not recorded.
    pub longest: Vec<u64>,
}

impl Distribution {
    /// How many lists there are.
    #[doc(hidden)]
    pub const LISTS: usize = 8;

    /// The most tokens that were present at once.
    #[inline]
    pub fn most_present(&self) -> usize {
        self.present.len().saturating_sub(1)
    }

    /// Every list, with its name.
    #[doc(hidden)]
    pub fn lists(&self) -> [(&'static str, &Vec<u64>); Self::LISTS] {
        let Self { waiting, system, present, blocked, joining, waiting_targets, system_targets, longest } = self;
        [
            ("waiting", waiting),
            ("system", system),
            ("present", present),
            ("blocked", blocked),
            ("joining", joining),
            ("waiting_targets", waiting_targets),
            ("system_targets", system_targets),
            ("longest", longest),
        ]
    }

    /// The same lists, mutable.
    #[doc(hidden)]
    pub fn lists_mut(&mut self) -> [&mut Vec<u64>; Self::LISTS] {
        let Self { waiting, system, present, blocked, joining, waiting_targets, system_targets, longest } = self;
        [waiting, system, present, blocked, joining, waiting_targets, system_targets, longest]
    }

    /// Adds the distribution of other times.
    #[doc(hidden)]
    pub fn add(&mut self, other: &Self) {
        let longest = std::mem::take(&mut self.longest);
        self.lists_mut().into_iter().zip(other.lists()).for_each(|(counts, (_, more))| add(counts, more));
        self.longest = longest_of_both(longest, &other.longest);
    }

    /// Cuts trailing zeros, so that equal distributions are equal.
    #[must_use]
    #[inline]
    pub fn trimmed(mut self) -> Self {
        self.lists_mut().into_iter().for_each(trim);
        self
    }
}

/// Cuts trailing zeros and gives their memory back: a run of many replications keeps a list of each.
#[inline]
pub fn trim(counts: &mut Vec<u64>) {
    counts.truncate(counts.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1));
    counts.shrink_to_fit();
}

/// Adds counts; the list grows where `more` is longer.
#[inline]
pub fn add(counts: &mut Vec<u64>, more: &[u64]) {
    counts.resize(counts.len().max(more.len()), 0);
    counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
}

/// The longer ones of two lists of longest times.
#[doc(hidden)]
pub fn longest_of_both(mut times: Vec<u64>, others: &[u64]) -> Vec<u64> {
    times.resize(times.len().max(others.len()), 0);
    times.iter_mut().zip(others).for_each(|(time, other)| *time = (*time).max(*other));
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scale(shift: u32) -> Scale {
        Scale { shift, bins: u32::MAX }
    }

    #[test]
    fn bins_follow_one_another() {
        for shift in [0, 1, 5, 24, 40] {
            let scale = scale(shift);
            // A bin of one tick beside time 0 is empty: its only time would be 0.
            let first = if shift == 0 { 2 } else { 1 };
            for bin in first..300 {
                let [begin, end] = scale.bounds(bin).map(Time::ticks);
                assert!(begin < end);
                assert_eq!((scale.bin(begin), scale.bin(end - 1), scale.bin(end)), (bin, bin, bin + 1), "{shift}");
                let width = end - begin;
                assert!(width <= 1 << shift || width * 32 <= begin, "{shift} {bin}");
            }
        }
    }

    #[test]
    fn the_last_bin_is_open() {
        let scale = Scale::new(Time::UNIT, Time::from_units(10.0).unwrap());
        let last = scale.bins() as usize - 1;
        assert_eq!(scale.bin(u64::MAX), last);
        assert_eq!(scale.bin(10 << 32), last);
        assert!(scale.bin((10 << 32) - 1) < last);
    }

    #[test]
    fn quantiles_of_what_is_known() {
        let scale = Scale::new(Time::UNIT, Time::from_units(1000.0).unwrap());
        assert_eq!(scale.quantile(&[], 0.5), None);
        assert_eq!(scale.quantile(&[7], 0.99), Some(0.0));
        // Half of them wait: a fifth of these, 60 % of all together, below the end of the first two tenths.
        let mut counts = vec![0; scale.bins() as usize];
        counts[0] = 50;
        counts[1] = 50;
        assert_eq!(scale.quantile(&counts, 0.5), Some(0.0));
        let [begin, end] = scale.bounds(1).map(|time| time.units());
        assert_eq!(scale.quantile(&counts, 0.6), Some(begin + (end - begin) * 0.2));
        assert_eq!(scale.quantile(&counts, 1.0), Some(end));
    }

    proptest! {
        #[test]
        fn a_time_lies_in_its_bin(ticks in 1_u64..u64::MAX >> 1, shift in 0_u32..50) {
            let scale = scale(shift);
            let [begin, end] = scale.bounds(scale.bin(ticks)).map(Time::ticks);
            prop_assert!((begin..end).contains(&ticks));
        }
    }
}
