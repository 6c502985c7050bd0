//! The integers that make a cell's ellipse: those that no weather changes, and those of a fuel under a row of the
//! weather.

use rayon::prelude::*;

use super::delays::SLOWEST;
use super::rothermel::FuelBed;
use super::spread::{LengthToWidth, Spread};
use super::{Laws, Wind};

/// Units of a factor, by which wind and slope make a fire faster: a fire without wind and slope has 0.
pub(super) const FACTOR: f64 = 16_384.0;
/// The largest push along an axis: 32,768.
const MOST_FACTOR: f64 = (1 << 29) as f64;
/// Units of shares of the wind below trees, as a logarithm.
const SHARE: u32 = 24;
/// Units of the ratio of the open wind's push to that of the midflame wind, as a logarithm.
const OPEN: u32 = 16;
/// Units in a minute.
pub(super) const PER_MINUTE: f64 = 65_536.0;
/// The longest time that the head of a fire takes from one side of a cell to the other.
pub(super) const SLOWEST_HEAD: u32 = (SLOWEST * PER_MINUTE) as u32;
/// The largest a of an ellipse: the sum of six fits 31 bits.
pub(super) const MOST: u64 = 1 << 28;
/// Places of the table of shapes for each doubling of the factor, as a logarithm.
const PLACES: u32 = 7;
/// Places of a kind of fuel in that table: 31 doublings, and the end of the last.
const SHAPE_WORDS: usize = (31 << PLACES) + 1;

/// Stands for a kind of fuel, or for a time, where nothing burns.
pub(super) const NONE: i32 = -1;

/// The part of a cell that no weather changes: its kind of fuel, the push of its slope toward east and toward south, and the share of
/// the wind's push that reaches it below trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::NoUninit)]
#[repr(C)]
pub(super) struct Ground(pub(super) [i32; 4]);

impl Ground {
    pub(super) const BARE: Self = Self([NONE, 0, 0, 1 << SHARE]);

    /// The ground of a slope (rise per distance toward east and north) under a share of the wind.
    pub(super) fn new(kind: usize, bed: &FuelBed, gradient: [f64; 2], share: f64) -> Self {
        let [east, south] = units(bed.slope_push(gradient));
        let share = libm::pow(share, bed.wind_power()).min(1.0);
        Self([kind as i32, east, south, ((share * f64::from(1 << SHARE)).round() as i32).max(1)])
    }
}

/// A kind of fuel under a row of the weather: how long a fire without wind and slope takes from one side of a cell to the other, the
/// push of the wind toward east and toward south, and the largest push of wind and slope together; the ratio of the open wind's push to
/// that of the midflame wind, 0 where the shape does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::NoUninit)]
#[repr(C)]
pub(super) struct Bed(pub(super) [i32; 8]);

impl Bed {
    pub(super) const BARE: Self = Self([NONE, 0, 0, 0, 0, 0, 0, 0]);

    /// The bed in cells with sides of `side` metres.
    pub(super) fn new(bed: &FuelBed, wind: Wind, laws: Laws, side: f64) -> Self {
        let still = side / bed.still_rate() * PER_MINUTE;
        // Not a number, or infinite, where nothing burns.
        if still.is_nan() || still > f64::from(i32::MAX) {
            return Self::BARE;
        }
        let [east, south] = units(bed.wind_push(wind.toward));
        let most = bed.most_factor(laws.limit).map_or(i32::MAX, |most| (most * FACTOR).min(f64::from(i32::MAX)) as i32);
        let open = match laws.shape {
            LengthToWidth::Alexander => libm::pow(wind.adjustment, -bed.wind_power()) * f64::from(1 << OPEN),
            LengthToWidth::Anderson | LengthToWidth::Rothermel => 0.0,
        };
        let open = open.min(f64::from(i32::MAX)) as i32;
        Self([(still.round() as i32).max(1), east, south, most, open, 0, 0, 0])
    }
}

/// Factors toward east and north as units toward east and south.
fn units([east, north]: [f64; 2]) -> [i32; 2] {
    [east, -north].map(|push| (push * FACTOR).clamp(-MOST_FACTOR, MOST_FACTOR) as i32)
}

/// The shapes of a fuel's fires by the factor, in steps of a 128th of each doubling: how much longer a fire takes around than ahead,
/// 0 for a circle, in units of 2^-16 of the time ahead.
pub(super) fn shapes(bed: &FuelBed, shape: LengthToWidth) -> Vec<u32> {
    let at = |place: usize| {
        let (doubling, step) = (place >> PLACES, (place & ((1 << PLACES) - 1)) as f64);
        let factor = (1_u64 << doubling) as f64 * (1.0 + step / f64::from(1 << PLACES)) / FACTOR;
        let wind = bed.wind_of(factor);
        let eccentricity = Spread::new(1.0, [0.0, 1.0], wind, shape.ratio(wind, 1.0)).eccentricity();
        (eccentricity / (1.0 - eccentricity) * 65_536.0).round() as u32
    };
    (0..SHAPE_WORDS).into_par_iter().map(at).collect()
}

/// The shapes of a kind of fuel, from those of all kinds one behind the other.
pub(super) fn shape_of(shapes: &[u32], kind: usize) -> &[u32] {
    &shapes[kind * SHAPE_WORDS..(kind + 1) * SHAPE_WORDS]
}

/// How much longer a fire of a factor takes around than ahead, interpolated between two places of the table.
fn longer(shapes: &[u32], factor: u32) -> u64 {
    if factor == 0 {
        return 0;
    }
    let doubling = factor.ilog2();
    let mantissa = factor << (31 - doubling);
    let place = (doubling << PLACES | mantissa << 1 >> (32 - PLACES)) as usize;
    let rest = u64::from(mantissa << (1 + PLACES) >> 20);
    let [low, high] = [shapes[place], shapes[place + 1]].map(u64::from);
    // The entries of a table never fall.
    low + ((high.saturating_sub(low) * rest) >> 12)
}

/// The least whole number whose square is at least this.
pub(super) fn root_above(square: u64) -> u32 {
    let root = square.isqrt();
    (root + u64::from(root * root < square)) as u32
}

/// The ellipse of a cell: `a` and `b` of [`Pace`](super::paces::Pace); `None` where no fire crosses it.
///
/// Twin of shaders/cells/fire_paces_made.wgsl.
pub(super) fn ellipse(ground: Ground, bed: Bed, shapes: &[u32]) -> Option<[i32; 3]> {
    let ([.., share], open) = (ground.0, bed.0[4]);
    let Head { push, length, factor, units: head } = head(ground, bed)?;
    let counted = if open == 0 { factor } else { in_the_open(factor, open as u32, share as u32) };
    let along = ((head * longer(shapes, counted)) >> 16).min(MOST - head);
    let part = |push: i32| {
        let size = (along * u64::from(push.unsigned_abs())).checked_div(u64::from(length)).unwrap_or(0) as i32;
        if push < 0 { -size } else { size }
    };
    Some([(head + along) as i32, part(push[0]), part(push[1])])
}

/// Whether a fire crosses a cell.
pub(super) fn crosses(ground: Ground, bed: Bed) -> bool {
    // Wind and slope only make it faster.
    let [kind, still] = [ground.0[0], bed.0[0]];
    kind != NONE && still != NONE && (still as u32 <= SLOWEST_HEAD || head(ground, bed).is_some())
}

/// The head of a fire: the push of wind and slope along the axes, its length and what of it counts, and the time from one side of a cell
/// to the other.
struct Head {
    push: [i32; 2],
    length: u32,
    factor: u32,
    units: u64,
}

/// `None` where no fire crosses the cell.
fn head(ground: Ground, bed: Bed) -> Option<Head> {
    let ([_, slope_east, slope_south, share], [still, east, south, limit, ..]) = (ground.0, bed.0);
    if still == NONE {
        return None;
    }
    let below = |push: i32| {
        let size = ((u64::from(push.unsigned_abs()) * share as u64) >> SHARE) as i32;
        if push < 0 { -size } else { size }
    };
    let push = [slope_east + below(east), slope_south + below(south)];
    let [x, y] = push.map(|along| u64::from(along.unsigned_abs()));
    let length = root_above(x * x + y * y);
    let factor = length.min(limit as u32);
    let units = (((still as u64) << 14) / u64::from((1 << 14) + factor)).max(1);
    (units <= u64::from(SLOWEST_HEAD)).then_some(Head { push, length, factor, units })
}

/// The factor of the wind in the open.
fn in_the_open(factor: u32, open: u32, share: u32) -> u32 {
    let most = i32::MAX as u64;
    let above = ((u64::from(factor) * u64::from(open)) >> OPEN).min(most);
    ((above << SHARE) / u64::from(share)).min(most) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inclines::STRETCHES;
    use crate::ways::EDGES;

    #[test]
    fn constants_are_those_of_the_kernel() {
        let text = tickless_kernels::text("cells/fire_paces_made").unwrap();
        let near = tickless_kernels::text("cells/fire_near").unwrap();
        let ways = EDGES.iter().map(|edge| edge.ways.len()).sum::<usize>();
        let stretches = STRETCHES.len() / 4;
        assert!(near.contains(&format!("const FIRST_DIRECTION: u32 = {ways}u;")));
        assert!(near.contains(&format!("const FIRST_STRETCH: u32 = {}u;", 2 * ways)));
        for (name, value) in
            [("FIRST_BED", 2 * ways + stretches), ("SHAPE_WORDS", SHAPE_WORDS), ("SLOWEST_HEAD", SLOWEST_HEAD as usize)]
        {
            assert!(text.contains(&format!("const {name}: u32 = {value}u;")), "{name}");
        }
        assert!(text.contains(&format!("const LARGEST: u32 = {MOST:#x}u;")));
    }
}
