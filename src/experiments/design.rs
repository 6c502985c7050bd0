//! The points of an experiment: combinations of the values of its factors.

use std::ops::Range;

use toml::Spanned;

use super::error::{ExperimentError, at, at_line};
use super::factor::{Factor, Level};
use super::file::MOST_POINTS;
use super::fraction;
use tickless_core::random::StreamKey;

/// The combinations of its factors that an experiment runs.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::{Design, Experiment};
/// let text = "
///     station = [{ name = 'desk', service = 'exponential:2' }]
///     source = [{ name = 'in', interval = 'exponential:1', to = 'desk' }]
///     sink = [{ name = 'out' }]
///     route = [{ from = 'desk', to = 'out' }]
///     [experiment]
///     design = 'sobol'
///     points = 8
///     factors = { station.desk.servers = [3, 4], source.in.interval = { from = 1.0, to = 2.0, law = 'exponential:{}' } }
/// ";
/// let experiment = Experiment::from_toml(text)?;
/// assert_eq!(experiment.design(), Design::Sobol { points: 8, seed: 1 });
/// assert_eq!(experiment.points().len(), 8);
/// # Ok::<(), tickless::experiments::ExperimentError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Design {
    /// Every combination; the values of the last factor change fastest.
    Full,
    /// A regular fraction of points of two-level factors, of the highest resolution (Box and Hunter 1961).
    Fraction {
        /// The number of points, a power of two.
        points: u32,
    },
    /// A Latin hypercube (McKay, Beckman and Conover 1979): the range of each factor is cut into as many parts as there are points,
    /// and each point has a part of its own.
    LatinHypercube {
        /// The number of points.
        points: u32,
        /// The seed of the orders of the parts.
        seed: u64,
    },
    /// The first points of a Sobol sequence with the scrambling of Owen (1995), which fill the space evenly.
    Sobol {
        /// The number of points; powers of two are best.
        points: u32,
        /// The seed of the scrambling.
        seed: u64,
    },
}

/// The values of one point, a level a factor.
pub(super) type Setting = Vec<Level>;

/// The names of the designs in files.
pub(super) const DESIGNS: [&str; 4] = ["full", "fraction", "latin-hypercube", "sobol"];
const NAMES: &str = "`full`, `fraction`, `latin-hypercube` or `sobol`";
/// The most factors of a Sobol sequence.
const MOST_OF_SOBOL: usize = 256;
/// The most points of a Sobol sequence.
const MOST_POINTS_OF_SOBOL: u32 = 1 << 16;

impl Design {
    /// The design of a name, for these factors.
    pub(super) fn of(
        text: &str,
        name: Option<Spanned<String>>,
        points: Option<(u32, Range<usize>)>,
        seed: u64,
        factors: &[Factor],
    ) -> Result<Self, ExperimentError> {
        let place = name.as_ref().map(Spanned::span);
        let fault = |fault: String| match &place {
            Some(place) => at(text, place.clone(), fault),
            None => at_line(factors[0].line, fault),
        };
        let name = name.map_or("full".into(), Spanned::into_inner);
        let sampled = || {
            let count = points.as_ref().map(|(count, _)| *count);
            count.ok_or_else(|| fault(format!("a design '{name}' needs `points`, how many it has")))
        };
        let design = match name.as_str() {
            "full" if points.is_some() => {
                let place = points.map_or(0..0, |(_, place)| place);
                let said =
                    "a full design has every combination, and no `points`: leave it out, or choose another `design`";
                return Err(at(text, place, said));
            }
            "full" => Self::Full,
            "fraction" => Self::Fraction { points: sampled()? },
            "latin-hypercube" => Self::LatinHypercube { points: sampled()?, seed },
            "sobol" => Self::Sobol { points: sampled()?, seed },
            _ => return Err(fault(format!("`design` is \"{name}\"; it must be {NAMES}"))),
        };
        design.check(factors).map_err(|(place, said)| match place {
            Some(factor) => at_line(factors[factor].line, format!("the factor {}: {said}", factors[factor].name())),
            None => fault(said),
        })?;
        Ok(design)
    }

    /// Whether the design fits the factors; else the factor that does not fit, and why.
    fn check(self, factors: &[Factor]) -> Result<(), (Option<usize>, String)> {
        let ranges = factors.iter().position(|factor| factor.levels() == 0);
        match self {
            Self::Full | Self::Fraction { .. } if ranges.is_some() => Err((
                ranges,
                "it takes any number of a range: add `levels` or `step`, or choose the design latin-hypercube or sobol"
                    .into(),
            )),
            Self::Full => {
                let count = factors.iter().fold(1_u64, |all, factor| all.saturating_mul(factor.levels() as u64));
                let is_few = count <= MOST_POINTS as u64;
                is_few.then_some(()).ok_or_else(|| {
                    (None, format!("the factors have {count} combinations, and an experiment has {MOST_POINTS} points at the most: choose the design fraction, latin-hypercube or sobol"))
                })
            }
            Self::Fraction { points } => fraction::check(factors, points),
            Self::LatinHypercube { .. } => Ok(()),
            Self::Sobol { .. } if factors.len() > MOST_OF_SOBOL => Err((
                None,
                format!("there are {} factors; a Sobol sequence has {MOST_OF_SOBOL} at the most", factors.len()),
            )),
            Self::Sobol { points, .. } if points > MOST_POINTS_OF_SOBOL => {
                Err((None, format!("`points` is {points}; a Sobol sequence has {MOST_POINTS_OF_SOBOL} at the most")))
            }
            Self::Sobol { .. } => Ok(()),
        }
    }

    /// Whether its points are a grid of levels, so that effects of levels can be estimated.
    pub(super) fn is_factorial(self) -> bool {
        matches!(self, Self::Full | Self::Fraction { .. })
    }

    /// The values of all points.
    pub(super) fn settings(self, factors: &[Factor]) -> Vec<Setting> {
        match self {
            Self::Full => full(factors),
            Self::Fraction { points } => fraction::settings(factors, points),
            Self::LatinHypercube { points, seed } => latin_hypercube(factors, points, seed),
            Self::Sobol { points, seed } => sobol(factors, points, seed),
        }
    }
}

fn full(factors: &[Factor]) -> Vec<Setting> {
    combinations(&factors.iter().map(|factor| factor.values().collect()).collect::<Vec<_>>())
}

/// Every combination of an entry of each list; the entry of the last list changes first.
#[doc(hidden)]
pub fn combinations<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![vec![]], |all, list| {
        let with = |one: &Vec<T>| {
            let one = one.clone();
            list.iter().map(move |entry| one.iter().chain([entry]).cloned().collect())
        };
        all.iter().flat_map(with).collect()
    })
}

fn latin_hypercube(factors: &[Factor], points: u32, seed: u64) -> Vec<Setting> {
    let columns: Vec<Vec<u32>> = (0..factors.len() as u32).map(|factor| latin_column(factor, points, seed)).collect();
    let setting =
        |point: usize| factors.iter().zip(&columns).map(|(factor, column)| factor.at(column[point])).collect();
    (0..points as usize).map(setting).collect()
}

/// The place of each point of a Latin hypercube in the range of a factor: the parts of the range in an order of the factor's own, at
/// their middles, in 2^-32 of the range.
pub(super) fn latin_column(factor: u32, points: u32, seed: u64) -> Vec<u32> {
    let part = |place: u32| (((2 * u64::from(place) + 1) << 31) / u64::from(points)) as u32;
    let (mut order, mut stream) = ((0..points).collect::<Vec<_>>(), StreamKey::new(seed, 0).stream(factor));
    // Fisher and Yates, with a draw times the count in 64 bits: as even as 32 bits are.
    for place in (1..points).rev() {
        let other = (u64::from(stream.draw()) * u64::from(place + 1)) >> 32;
        order.swap(place as usize, other as usize);
    }
    order.into_iter().map(part).collect()
}

fn sobol(factors: &[Factor], points: u32, seed: u64) -> Vec<Setting> {
    let seed = (seed ^ seed >> 32) as u32;
    let coordinate = |point: u32, factor: usize| {
        // From 0 to below 1 in steps of 2^-24, which 32 bits hold.
        let share = sobol_burley::sample(point, factor as u32, seed);
        (f64::from(share) * 4_294_967_296.0) as u32
    };
    let setting =
        |point| factors.iter().enumerate().map(|(place, factor)| factor.at(coordinate(point, place))).collect();
    (0..points).map(setting).collect()
}
