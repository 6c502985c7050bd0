//! Roots, logarithms, powers and angles of fixed-point numbers in integer arithmetic: the twin of `roots.wgsl`, `powers.wgsl` and
//! `angles.wgsl` of `shaders/cells/`. Numbers are steps of 2^-32, and never `?` here. Unless stated otherwise a result is at most
//! one step from the true one.

use super::fixed::shifted;

/// The number 1.
const ONE: u64 = 1 << 32;
/// ln 2 and log10 2 in 2^-64.
pub(super) const NATURAL: u64 = 0xb172_17f7_d1cf_79ac;
pub(super) const DECIMAL: u64 = 0x4d10_4d42_7de7_fbcc;
/// log2 e in 2^-63, and what it has above 1 in 2^-64.
const BINARY: u64 = 0xb8aa_3b29_5c17_f0bc;
const BINARY_ABOVE: u64 = 0x7154_7652_b82f_e177;
/// 1/3 in 2^-64.
const THIRD: u64 = 0x5555_5555_5555_5555;
/// The number from which on exponentials are out of range, and the one below which they are 0.
const TOO_LARGE: i64 = 22 << 32;
const TOO_SMALL: i64 = -(23 << 32);
/// 2^96 / (2 pi): its upper and its lower 64 bits.
const TURNS: [u64; 2] = [0x0000_0000_28be_60db, 0x9391_054a_7f09_d5f4];
/// Pi in 2^-60.
const PI: i64 = 0x3243_f6a8_885a_308d;
/// 2^(2^-k) for k from 1, in 2^-63.
const POWERS: [u64; 12] = [
    0xb504_f333_f9de_6484,
    0x9837_f051_8db8_a96f,
    0x8b95_c1e3_ea8b_d6e7,
    0x85aa_c367_cc48_7b15,
    0x82cd_8698_ac2b_a1d7,
    0x8164_d1f3_bc03_0773,
    0x80b1_ed4f_d999_ab6c,
    0x8058_d7d2_d5e5_f6b1,
    0x802c_6436_d0e0_4f51,
    0x8016_302f_1746_7628,
    0x800b_179c_8202_8fd1,
    0x8005_8baf_7fee_3b5d,
];
/// 2^-(2^-k) for k from 1, in 2^-64.
const INVERSES: [u64; 12] = [
    0xb504_f333_f9de_6484,
    0xd744_fcca_d69d_6af4,
    0xeac0_c6e7_dd24_392f,
    0xf525_7d15_2486_cc2c,
    0xfa83_b2db_722a_033a,
    0xfd3e_0c0c_f486_c175,
    0xfe9e_115c_7b8f_884c,
    0xff4e_cb59_511e_c8a5,
    0xffa7_5652_1c8d_aed2,
    0xffd3_a751_c0f7_e10c,
    0xffe9_d2b2_f7db_2756,
    0xfff4_e91b_ff1b_8c3e,
];
/// (pi / 2)^n / n! for n = 1, 3, 5, ..., in 2^-63.
const SINES: [u64; 10] = [
    0xc90f_daa2_2168_c235,
    0x52ae_f398_96f9_4afb,
    0x0a33_5e33_bad5_70e9,
    0x0099_6966_7315_ec2e,
    0x0005_41e0_d21f_b9e0,
    0x0000_1e30_74fd_e887,
    0x0000_007a_3d0d_3406,
    0x0000_0001_6fad_b9f1,
    0x0000_0000_0355_d865,
    0x0000_0000_0006_2901,
];
/// The arc tangents of 2^-k, in 2^-60; the later ones are 2^-k.
const ANGLES: [i64; 20] = [
    0x0c90_fdaa_2216_8c23,
    0x076b_19c1_586e_d3da,
    0x03eb_6ebf_2590_1bac,
    0x01fd_5ba9_aac2_f6dc,
    0x00ff_aadd_b967_ef4e,
    0x007f_f556_eea5_d893,
    0x003f_feaa_b776_e535,
    0x001f_ffd5_55bb_ba97,
    0x000f_fffa_aaad_dddc,
    0x0007_ffff_5555_6eef,
    0x0003_ffff_eaaa_ab77,
    0x0001_ffff_fd55_555c,
    0x0000_ffff_ffaa_aaab,
    0x0000_7fff_fff5_5555,
    0x0000_3fff_fffe_aaab,
    0x0000_1fff_ffff_d555,
    0x0000_0fff_ffff_faab,
    0x0000_07ff_ffff_ff55,
    0x0000_03ff_ffff_ffeb,
    0x0000_01ff_ffff_fffd,
];
/// How many angles are used.
const TURNED: usize = 36;

/// The upper half of a product.
fn high(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// The whole number nearest to a root.
fn root(radicand: u128) -> u64 {
    let found = radicand.isqrt();
    (found + u128::from(radicand - found * found > found)) as u64
}

/// The root of a non-negative number.
pub(super) fn square_root(a: u64) -> u64 {
    root(u128::from(a) << 32)
}

/// The root of the sum of two squares, to 2^-60 of itself.
pub(super) fn hypotenuse(a: u64, b: u64) -> u64 {
    let less = if (a | b) >> 61 == 0 { 0 } else { 2 };
    let [a, b] = [a, b].map(|side| u128::from(side >> less));
    root(a * a + b * b) << less
}

/// The logarithm to 2 of a number of steps above 0, in 2^-56.
pub(super) fn logarithm_of(a: u64) -> i64 {
    let zeros = a.leading_zeros();
    let (mut part, mut found) = (a << zeros, 0);
    for (k, inverse) in INVERSES.iter().enumerate() {
        let less = high(part, *inverse);
        if less >> 63 == 1 {
            (part, found) = (less, found | 1 << (55 - k));
        }
    }
    // What is above 1, by three terms of the series.
    let above = part << 1;
    let square = high(above, above);
    let sum = above - square / 2 + high(high(square, above), THIRD);
    let sum = sum + high(sum, BINARY_ABOVE);
    (i64::from(31 - zeros as i32) << 56) + found + (sum >> 8) as i64
}

/// The logarithm to a base whose own logarithm to 2 has this inverse, in 2^-64.
pub(super) fn logarithm_by(a: u64, factor: u64) -> i64 {
    let binary = logarithm_of(a);
    let size = ((high(binary.unsigned_abs(), factor) + (1 << 23)) >> 24) as i64;
    if binary < 0 { -size } else { size }
}

/// The exponential, to 2^-58 of itself and one step; `None` where it is out of range.
pub(super) fn exponential(a: i64) -> Option<u64> {
    if a >= TOO_LARGE {
        return None;
    }
    if a < TOO_SMALL {
        return Some(0);
    }
    // The exponent of 2: in 2^-121, then its whole part and its fraction in 2^-64.
    let exponent = (u128::from(a.unsigned_abs() << 26) * u128::from(BINARY)) >> 57;
    let exponent = if a < 0 { exponent.wrapping_neg() } else { exponent };
    let (whole, fraction) = ((exponent >> 64) as i32, exponent as u64);
    let mut part = 1_u64 << 63;
    for (k, power) in POWERS.iter().enumerate() {
        if fraction >> (63 - k) & 1 == 1 {
            part = high(part, *power) << 1;
        }
    }
    // The rest, by four terms of the series.
    let rest = high(fraction & ((1 << 52) - 1), NATURAL);
    let square = high(rest, rest);
    let cube = high(square, rest);
    let sum = rest + square / 2 + high(cube, THIRD) / 2 + high(high(cube, rest), THIRD) / 8;
    part += high(part, sum);
    match 31 - whole {
        shift @ 1..65 => shifted(part.into(), shift as u32),
        shift if shift < 1 => None,
        _ => Some(0),
    }
}

/// A number above 0 as a mantissa from 2^63 on and the exponent of 2 of its factor.
#[derive(Clone, Copy)]
struct Scaled {
    mantissa: u64,
    exponent: i32,
}

/// Exponents beyond which every result is out of range, or 0.
const FAR: i32 = 1 << 12;

impl Scaled {
    /// The product, rounded down.
    fn times(self, other: Self) -> Self {
        let product = u128::from(self.mantissa) * u128::from(other.mantissa);
        let up = (product >> 127) as i32;
        let exponent = (self.exponent + other.exponent + 63 + up).clamp(-FAR, FAR);
        Self { mantissa: (product >> (63 + up)) as u64, exponent }
    }

    fn inverse(self) -> Self {
        match u64::try_from((1_u128 << 126) / u128::from(self.mantissa >> 1)) {
            Ok(mantissa) => Self { mantissa, exponent: -127 - self.exponent },
            // A power of 2.
            Err(_) => Self { mantissa: 1 << 63, exponent: -126 - self.exponent },
        }
    }

    /// In steps.
    fn steps(self) -> Option<u64> {
        match -32 - self.exponent {
            shift @ 1..65 => shifted(self.mantissa.into(), shift as u32),
            shift if shift < 1 => None,
            _ => Some(0),
        }
    }
}

/// A power of a non-negative number with a whole exponent, to 2^-62 of itself for each unit of the exponent, and one step. `None`
/// where it is out of range.
pub(super) fn power(a: u64, exponent: i64) -> Option<u64> {
    if a == 0 {
        return if exponent < 0 { None } else { Some(if exponent == 0 { ONE } else { 0 }) };
    }
    let zeros = a.leading_zeros();
    let mut base = Scaled { mantissa: a << zeros, exponent: -32 - zeros as i32 };
    let mut found = Scaled { mantissa: 1 << 63, exponent: -63 };
    let mut rest = exponent.unsigned_abs();
    while rest > 0 {
        if rest & 1 == 1 {
            found = found.times(base);
        }
        rest >>= 1;
        base = base.times(base);
    }
    if exponent < 0 { found.inverse() } else { found }.steps()
}

/// An angle in turns; a whole turn is 2^64.
fn turns(angle: i64) -> u64 {
    let size = angle.unsigned_abs();
    let turns = size.wrapping_mul(TURNS[0]).wrapping_add(high(size, TURNS[1]));
    if angle < 0 { turns.wrapping_neg() } else { turns }
}

/// The sine of an angle in turns, in 2^-63: its size, and whether it is negative.
fn sine_of(turns: u64) -> (u64, bool) {
    let part = if turns >> 62 & 1 == 1 { !(turns << 2) } else { turns << 2 };
    let square = high(part, part);
    let series = SINES.iter().rev().fold(0, |rest, sine| sine - high(square, rest));
    (high(part, series), turns >> 63 == 1)
}

fn signed(size: u64, negative: bool) -> i64 {
    if negative { -(size as i64) } else { size as i64 }
}

fn rounded((size, negative): (u64, bool)) -> i64 {
    signed((size + (1 << 30)) >> 31, negative)
}

/// A quarter of a turn.
const QUARTER: u64 = 1 << 62;

/// The sine of an angle.
pub(super) fn sine(angle: i64) -> i64 {
    rounded(sine_of(turns(angle)))
}

/// The cosine of an angle.
pub(super) fn cosine(angle: i64) -> i64 {
    rounded(sine_of(turns(angle).wrapping_add(QUARTER)))
}

/// The sine and the cosine of an angle, in 2^-62.
pub(super) fn sine_and_cosine(angle: i64) -> [i64; 2] {
    let turns = turns(angle);
    [turns, turns.wrapping_add(QUARTER)].map(|turns| {
        let (size, negative) = sine_of(turns);
        signed(size >> 1, negative)
    })
}

/// The angle of a point right of and above the middle, in 2^-60, by turning it onto the axis.
fn angle(y: u64, x: u64) -> i64 {
    let zeros = x.max(y).max(1).leading_zeros();
    let scaled = |a: u64| if zeros >= 3 { a << (zeros - 3) } else { a >> (3 - zeros) };
    let (mut x, mut y, mut found) = (scaled(x) as i64, scaled(y) as i64, 0);
    for k in 0..TURNED {
        let angle = ANGLES.get(k).copied().unwrap_or(1 << (60 - k));
        let (dx, dy) = (y >> k, x >> k);
        if y > 0 {
            (x, y, found) = (x + dx, y - dy, found + angle);
        } else {
            (x, y, found) = (x - dx, y + dy, found - angle);
        }
    }
    found
}

fn steps(angle: i64) -> i64 {
    (angle + (1 << 27)) >> 28
}

/// The arc tangent.
pub(super) fn arc_tangent(a: i64) -> i64 {
    let size = steps(angle(a.unsigned_abs(), ONE));
    if a < 0 { -size } else { size }
}

/// The other short side of a right triangle with the longest side 1 and a side `a` below 1, in 2^-60.
fn other_side(a: u64) -> u64 {
    root((u128::from(ONE - a) * u128::from(ONE + a)) << 56)
}

/// The arc sine of a number from -1 to 1.
pub(super) fn arc_sine(a: i64) -> i64 {
    let side = a.unsigned_abs();
    let size = steps(angle(side << 28, other_side(side)));
    if a < 0 { -size } else { size }
}

/// The arc cosine of a number from -1 to 1.
pub(super) fn arc_cosine(a: i64) -> i64 {
    let side = a.unsigned_abs();
    let found = angle(other_side(side), side << 28);
    steps(if a < 0 { PI - found } else { found })
}

/// An exponential variate of mean 1 from a draw.
pub(super) fn exponential_variate(draw: u32) -> i64 {
    -logarithm_by(u64::from(draw) | 1, NATURAL)
}

/// A normal variate of mean 0 and deviation 1 from two draws (Box and Muller).
pub(super) fn normal(draw: u32, turns: u32) -> i64 {
    let radius = root((exponential_variate(draw) as u128) << 33);
    let (size, negative) = sine_of(u64::from(turns) << 32);
    signed(((u128::from(radius) * u128::from(size) + (1 << 62)) >> 63) as u64, negative)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1.0 / 4_294_967_296.0;

    fn numbers() -> impl Iterator<Item = i64> {
        let few = [
            0,
            1,
            2,
            3,
            ONE - 1,
            ONE,
            ONE + 1,
            6_746_518_852,
            13_493_037_705,
            26_986_075_409,
            1 << 36,
            92_288_378_626,
            i64::MAX as u64,
        ];
        let many = (0..20_000_u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (1 + n % 61));
        few.into_iter().chain(many).flat_map(|n| [n as i64, -(n as i64)])
    }

    /// Within so many steps, and the rounding of the float beside it.
    fn near(found: i64, expected: f64, steps: f64, of: i64) {
        let error = (found as f64 * STEP - expected).abs() / STEP;
        let allowed = steps + expected.abs() / STEP * 3.0 * f64::EPSILON;
        assert!(error <= allowed, "{error} steps at {of}: {} and not {expected}", found as f64 * STEP);
    }

    #[test]
    fn results_are_as_near_as_they_say() {
        for n in numbers() {
            let a = n as f64 * STEP;
            // A float of a larger angle is another angle.
            if n.abs() < 1 << 45 {
                near(sine(n), libm::sin(a), 1.0, n);
                near(cosine(n), libm::cos(a), 1.0, n);
            }
            near(arc_tangent(n), libm::atan(a), 1.0, n);
            if n >= 0 {
                near(square_root(n as u64) as i64, libm::sqrt(a), 0.5001, n);
                let other = 70_000 << 32;
                near(hypotenuse(n as u64 / 2, other) as i64, libm::hypot((n / 2) as f64 * STEP, 70_000.0), 1.0, n);
            }
            if n > 0 {
                near(logarithm_by(n as u64, NATURAL), libm::log(a), 1.0, n);
                near(logarithm_by(n as u64, DECIMAL), libm::log10(a), 1.0, n);
            }
            if n.unsigned_abs() <= ONE {
                near(arc_sine(n), libm::asin(a), 1.0, n);
                near(arc_cosine(n), libm::acos(a), 1.0, n);
            }
            match exponential(n) {
                Some(found) => near(found as i64, libm::exp(a), 1.0, n),
                None => assert!(a > 21.487, "{a}"),
            }
        }
    }

    #[test]
    fn powers_have_whole_exponents() {
        let of = |a: f64, n| power((a / STEP) as u64, n).map(|found| found as f64 * STEP);
        assert_eq!([of(2.0, 0), of(2.0, 10), of(0.0, 3), of(0.0, 0)], [Some(1.0), Some(1024.0), Some(0.0), Some(1.0)]);
        assert_eq!(
            [of(2.0, -3), of(0.5, 4), of(1.5, 2), of(0.5, -30)],
            [Some(0.125), Some(0.0625), Some(2.25), Some(1_073_741_824.0)]
        );
        assert_eq!([of(2.0, 31), of(0.0, -1), of(50_000.0, 2), of(0.5, -31), of(3.0, i64::MAX >> 32)], [None; 5]);
        assert_eq!(
            [of(46_340.0, 2), of(0.5, 40), of(3.0, -(1 << 31) + 1)],
            [Some(2_147_395_600.0), Some(0.0), Some(0.0)]
        );
        for (a, n) in [(0.99999, 1000), (1.000_01, 100_000), (0.3, 7), (12.75, -2), (1.07, 300), (0.999, -20_000)] {
            let steps = (a / STEP) as u64;
            let exact = libm::pow(steps as f64 * STEP, n as f64);
            near(
                power(steps, n).expect("in range") as i64,
                exact,
                1.0 + exact / STEP * n.unsigned_abs() as f64 * f64::EPSILON,
                n,
            );
        }
    }

    #[test]
    fn variates_have_their_moments() {
        let mut stream = tickless_core::random::StreamKey::new(3, 0).stream(0);
        let count = 200_000;
        let moments = |next: &mut dyn FnMut() -> i64| {
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..count {
                let x = next() as f64 * STEP;
                (sum, squares) = (sum + x, squares + x * x);
            }
            let mean = sum / f64::from(count);
            (mean, squares / f64::from(count) - mean * mean)
        };
        let (mean, variance) = moments(&mut || normal(stream.draw(), stream.draw()));
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
        let (mean, variance) = moments(&mut || exponential_variate(stream.draw()));
        assert!((mean - 1.0).abs() < 0.01 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }
}
