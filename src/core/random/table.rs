//! Tables of variates: the twin of `shaders/lib/tables.wgsl`.
//!
//! A table of quantiles has 32 rows for each octave of both tails: the octave from 2⁻⁽ᶻ⁺¹⁾ to 2⁻ᶻ has the draws with z leading
//! zeros, counted from the nearer end. A row is the straight line nearest to the quantile function in the mean square, so that
//! the mean over each row is exact. A table of steps has the draws of each value, found by a search.

use super::{Stream, scale};

/// Rows of an octave, as a logarithm.
const ROWS: u32 = 5;
/// The second draw of a law with one draw: the middle of the range.
const MIDDLE: u32 = 1 << 31;
/// A variate of 1.
const ONE: f64 = 4_294_967_296.0;
/// A law takes one draw where that changes its second moment by at most this part; otherwise two draws.
const ONE_DRAW: f64 = 1e-5;
/// A table states its shortest time where that is at least this part of the mean: the least length of a round.
const LEAST: f64 = 1.0 / 64.0;
/// The longest variate: two of them fit a word.
const MOST: f64 = 2_147_483_648.0;
/// Places and weights of Gauss and Legendre for three points of the interval from 0 to 1.
const NODES: [(f64, f64); 3] =
    [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// The probability of all shorter times, or of all longer ones; at most a half.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tail {
    Lower(f64),
    Upper(f64),
}

/// A straight line over a part of the draws, or a step: variates are in units of 2⁻³².
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Row {
    /// The start of the line.
    value: u64,
    /// Its rise.
    width: u64,
}

impl Row {
    /// The variate at a part of the row, in units of 2⁻³².
    #[inline]
    fn along(self, t: u32) -> u64 {
        self.value + scale(t.into(), self.width)
    }
}

/// The table of a law's variates.
///
/// ```
/// # use tickless_core::facade as tickless;
/// let law: tickless::random::ServiceLaw = "gamma:2.5,10".parse().unwrap();
/// assert_eq!(law.effective(None).table.unwrap().words().count(), 2048);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Table {
    /// The draws of a variate.
    draws: u32,
    rows: Vec<Row>,
    /// The largest draw of each step; empty in a table of quantiles.
    uppers: Vec<u32>,
    /// The longest variate.
    longest: u64,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("draws", &self.draws).field("rows", &self.rows.len()).finish_non_exhaustive()
    }
}

/// A table, the constant part of its times, and its errors.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub(super) table: std::sync::Arc<Table>,
    /// The constant to be added to every variate.
    pub(super) least: f64,
    /// The relative errors of the mean and the mean square.
    pub(super) errors: [f64; 2],
}

impl Fit {
    /// The table of a law of mean 1, with its quantiles, mean square and longest time.
    #[inline]
    pub(super) fn of_quantiles(quantile: &dyn Fn(Tail) -> f64, square: f64, longest: f64) -> Self {
        let one = Self::of_draws(1, quantile, square, longest);
        let good = one.errors[1] <= ONE_DRAW;
        if good { one } else { Self::of_draws(2, quantile, square, longest) }
    }

    fn of_draws(draws: u32, quantile: &dyn Fn(Tail) -> f64, square: f64, longest: f64) -> Self {
        let (octaves, longest) = (32 * draws, longest.min(MOST));
        let mut lines = Vec::with_capacity(2 << ROWS);
        for upper in [false, true] {
            let tail = |p| quantile(if upper { Tail::Upper(p) } else { Tail::Lower(p) });
            let mut half = 0.25;
            for _ in 0..octaves {
                lines.extend((0..1 << ROWS).map(|row| line(&tail, half, row, upper, longest)));
                half /= 2.0;
            }
        }
        let least = lines.iter().fold(f64::INFINITY, |least, [low, _]| least.min(*low));
        let least = if least >= LEAST { least } else { 0.0 };
        let fixed = |value: f64| (value * ONE) as u64;
        let row = |[low, high]: &[f64; 2]| Row { value: fixed(low - least), width: fixed(high - low) };
        let table = Table::new(draws, lines.iter().map(row).collect(), vec![]);
        let [mean, found] = table.moments(least);
        let errors = [(mean - 1.0).abs(), (found / square - 1.0).abs()];
        Self { table: table.into(), least, errors }
    }
}

/// The two ends of the straight line over one row of the octave that begins with this probability.
fn line(tail: &dyn Fn(f64) -> f64, first: f64, row: u32, upper: bool, longest: f64) -> [f64; 2] {
    let (mut mean, mut slope) = (0.0, 0.0);
    for (place, weight) in NODES {
        // Both tails go from the shorter time to the longer.
        let along = if upper { 1.0 - place } else { place };
        let value = tail(first * (1.0 + (f64::from(row) + along) / f64::from(1_u32 << ROWS)));
        mean += weight * value;
        slope += 12.0 * weight * (place - 0.5) * value;
    }
    // A law without finite numbers here is refused for its moments.
    if !(mean.is_finite() && slope.is_finite()) {
        return [0.0; 2];
    }
    let low = (mean - slope / 2.0).clamp(0.0, longest);
    [low, (mean + slope / 2.0).clamp(low, longest)]
}

impl Table {
    fn new(draws: u32, rows: Vec<Row>, uppers: Vec<u32>) -> Self {
        let longest = rows.iter().map(|row| row.value + row.width).max().unwrap_or(0);
        Self { draws, rows, uppers, longest }
    }

    /// A table of steps: values and widths, in ticks, and shares of the draws; all variates of a step are equally
    /// likely.
    #[inline]
    pub(super) fn of_steps(steps: &[(u64, u64, f64)]) -> Self {
        let all: f64 = steps.iter().map(|(.., weight)| weight).sum();
        let mut sum = 0.0;
        let mut upper = |weight: f64| {
            sum += weight;
            ((sum / all * ONE).round() - 1.0).clamp(0.0, f64::from(u32::MAX)) as u32
        };
        let mut uppers: Vec<u32> = steps.iter().map(|(.., weight)| upper(*weight)).collect();
        uppers.last_mut().into_iter().for_each(|last| *last = u32::MAX);
        let draws = if steps.iter().any(|(_, width, _)| *width > 0) { 2 } else { 1 };
        Self::new(draws, steps.iter().map(|&(value, width, _)| Row { value, width }).collect(), uppers)
    }

    /// Whether the table is one of steps.
    #[inline]
    pub(super) fn is_of_steps(&self) -> bool {
        !self.uppers.is_empty()
    }

    /// The number of draws of a variate.
    #[inline]
    pub(super) fn draws(&self) -> u32 {
        self.draws
    }

    /// The number of steps, where the table is one of steps.
    #[inline]
    pub(super) fn steps(&self) -> u32 {
        self.uppers.len() as u32
    }

    /// The longest variate.
    #[inline]
    pub(super) fn longest(&self) -> u64 {
        self.longest
    }

    /// The rows as a device reads them: steps are followed by the largest draws, four a row.
    #[inline]
    pub fn words(&self) -> impl Iterator<Item = [u32; 4]> {
        let uppers =
            self.uppers.chunks(4).map(|four| std::array::from_fn(|i| four.get(i).copied().unwrap_or(u32::MAX)));
        self.rows.iter().map(|row| bytemuck::cast(*row)).chain(uppers)
    }

    /// The mean and the mean square of a variate of a table of quantiles plus `least`.
    fn moments(&self, least: f64) -> [f64; 2] {
        let octaves = 32 * self.draws;
        let mut moments = [0.0; 2];
        for (number, row) in self.rows.iter().enumerate() {
            let octave = (number as u32 >> ROWS) % octaves;
            // With one draw the last octave is a single draw, in its first row: it has all that lies beyond as well.
            let weight = match octave {
                _ if octave + 1 < octaves => 0.25 / f64::from(1_u32 << ROWS) / libm::exp2(octave.into()),
                _ if (number as u32).is_multiple_of(1 << ROWS) => 1.0 / libm::exp2(octaves.into()),
                _ => continue,
            };
            let (value, width) = (row.value as f64 / ONE + least, row.width as f64 / ONE);
            moments[0] += weight * (value + width / 2.0);
            moments[1] += weight * (value * value + value * width + width * width / 3.0);
        }
        moments
    }

    /// The next variate of a stream from a table of quantiles.
    #[inline]
    pub(super) fn quantile(&self, stream: &mut Stream) -> u64 {
        let first = stream.draw();
        self.at(first, if self.draws == 2 { stream.draw() } else { 0 })
    }

    /// The variate of a table of quantiles for these draws; the second is unused where the table takes one draw.
    #[inline]
    pub(super) fn at(&self, first: u32, second: u32) -> u64 {
        let second = if self.draws == 2 { second | 1 } else { MIDDLE };
        let upper = first >> 31 == 1;
        let tail = u64::from(if upper { !first } else { first }) << 32 | u64::from(second);
        let zeros = tail.leading_zeros();
        let fraction = ((tail << zeros) >> 32) as u32;
        let octave = zeros - 1 + if upper { 32 * self.draws } else { 0 };
        // Without the leading one-bit.
        let fraction = fraction << 1;
        let row = self.rows[(octave << ROWS | fraction >> (32 - ROWS)) as usize];
        let t = fraction << ROWS;
        row.along(if upper { !t } else { t })
    }

    /// The next variate of a stream from a table of steps.
    #[inline]
    pub(super) fn step(&self, stream: &mut Stream) -> u64 {
        let draw = stream.draw();
        let row = self.rows[self.uppers.partition_point(|upper| *upper < draw)];
        if self.draws == 1 { row.value } else { row.along(stream.draw()) }
    }
}
