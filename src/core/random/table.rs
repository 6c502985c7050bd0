//! Tables that times are drawn from: the twin of `shaders/lib/tables.wgsl`.
//!
//! A table of quantiles has 32 rows for each octave of both tails: the octave from 2⁻⁽ᶻ⁺¹⁾ to 2⁻ᶻ has the draws with z leading
//! zeros, counted from the end that is nearer. A row is the straight line that is nearest to the quantile function in the mean
//! square, so that the mean over each row is exact. A table of steps says which draws each value has, by a search.

use super::{Stream, scale};

/// Rows of an octave, as a logarithm.
const ROWS: u32 = 5;
/// What the first draw of a law with one draw is followed by: the middle of what a second draw may be.
const MIDDLE: u32 = 1 << 31;
/// A variate of 1.
const ONE: f64 = 4_294_967_296.0;
/// A law of one draw has a second moment within this of the law's own, as a part of it; otherwise two draws are taken.
const ONE_DRAW: f64 = 1e-5;
/// The shortest time of a table is told where it is this part of the mean or more: a round is at least so long.
const LEAST: f64 = 1.0 / 64.0;
/// No variate is longer: two of them fit a word.
const MOST: f64 = 2_147_483_648.0;
/// Places and weights of Gauss and Legendre for three points of the interval from 0 to 1.
const NODES: [(f64, f64); 3] =
    [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// The probability of all that is shorter, or of all that is longer; at most a half.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tail {
    Lower(f64),
    Upper(f64),
}

/// A straight line over a part of the draws, or a step: variates are in units of 2⁻³².
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Row {
    /// Where it begins.
    value: u64,
    /// How much more it ends with.
    width: u64,
}

impl Row {
    /// So far along the row, in units of 2⁻³².
    #[inline]
    fn along(self, t: u32) -> u64 {
        self.value + scale(t.into(), self.width)
    }
}

/// What a law draws its variates from.
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

/// A table, what its variates lack, and how far its moments are from the law's.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub(super) table: std::sync::Arc<Table>,
    /// What is to be added to every variate.
    pub(super) least: f64,
    /// By how much the mean and the mean square differ, as parts of them.
    pub(super) errors: [f64; 2],
}

impl Fit {
    /// Of the quantiles of a law with this mean square and longest time. Its mean is 1.
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
        // Both tails are read from the shorter time on.
        let along = if upper { 1.0 - place } else { place };
        let value = tail(first * (1.0 + (f64::from(row) + along) / f64::from(1_u32 << ROWS)));
        mean += weight * value;
        slope += 12.0 * weight * (place - 0.5) * value;
    }
    // What has no numbers here is refused for its moments.
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

    /// Steps of these values, in ticks, and their widths, with these shares of the draws; all of a step's variates are
    /// equally likely.
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

    /// Whether the values are searched for.
    #[inline]
    pub(super) fn is_of_steps(&self) -> bool {
        !self.uppers.is_empty()
    }

    /// The draws of a variate.
    #[inline]
    pub(super) fn draws(&self) -> u32 {
        self.draws
    }

    /// Steps, where these are steps.
    #[inline]
    pub(super) fn steps(&self) -> u32 {
        self.uppers.len() as u32
    }

    /// The longest variate.
    #[inline]
    pub(super) fn longest(&self) -> u64 {
        self.longest
    }

    /// The rows as a device reads them: behind those of steps the largest draws, four a row.
    #[inline]
    pub fn words(&self) -> impl Iterator<Item = [u32; 4]> {
        let uppers =
            self.uppers.chunks(4).map(|four| std::array::from_fn(|i| four.get(i).copied().unwrap_or(u32::MAX)));
        self.rows.iter().map(|row| bytemuck::cast(*row)).chain(uppers)
    }

    /// The mean and the mean square of a variate of a table of quantiles, with so much added.
    fn moments(&self, least: f64) -> [f64; 2] {
        let octaves = 32 * self.draws;
        let mut moments = [0.0; 2];
        for (number, row) in self.rows.iter().enumerate() {
            let octave = (number as u32 >> ROWS) % octaves;
            // The last octave of one draw is one draw, the first of its rows: it has all that lies beyond as well.
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

    /// The variate of a table of quantiles for these draws; the second one is left out where it takes one.
    #[inline]
    pub(super) fn at(&self, first: u32, second: u32) -> u64 {
        let second = if self.draws == 2 { second | 1 } else { MIDDLE };
        let upper = first >> 31 == 1;
        let tail = u64::from(if upper { !first } else { first }) << 32 | u64::from(second);
        let zeros = tail.leading_zeros();
        let fraction = ((tail << zeros) >> 32) as u32;
        let octave = zeros - 1 + if upper { 32 * self.draws } else { 0 };
        // Without the leading one.
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
