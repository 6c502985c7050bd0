//! Roots, logarithms, powers and angles of fixed-point numbers in integer arithmetic: the twin of `roots.wgsl`, `powers.wgsl` and
//! `angles.wgsl` of `shaders/cells/`. Numbers are steps of 2^-16, and never `?` here. Unless stated otherwise a result is at most
//! one step from the true one.

/// The number 1.
const ONE: u32 = 1 << 16;
/// ln 2 and log10 2 in 2^-32.
pub(super) const NATURAL: u32 = 0xB172_17F8;
pub(super) const DECIMAL: u32 = 0x4D10_4D42;
/// log2 e in 2^-31.
const BINARY: u32 = 0xB8AA_3B29;
/// The least number whose exponential is out of range, and the number below which the exponential is 0.
const TOO_LARGE: i64 = 681_391;
const TOO_SMALL: i64 = -819_200;
/// 2^48 / (2 pi).
const TURNS: u64 = 44_798_133_900_177;
/// Pi in 2^-28.
const PI: i32 = 843_314_857;
/// 2^(2^-k) for k from 1, in 2^-31.
const POWERS: [u32; 16] = [
    0xb504_f334,
    0x9837_f052,
    0x8b95_c1e4,
    0x85aa_c368,
    0x82cd_8699,
    0x8164_d1f4,
    0x80b1_ed50,
    0x8058_d7d3,
    0x802c_6437,
    0x8016_302f,
    0x800b_179d,
    0x8005_8baf,
    0x8002_c5d0,
    0x8001_62e6,
    0x8000_b173,
    0x8000_58b9,
];
/// (pi / 2)^n / n! for n = 1, 3, 5, ..., in 2^-31.
const SINES: [u32; 7] = [3_373_259_426, 1_387_197_337, 171_138_612, 10_053_990, 344_545, 7728, 122];
/// The arc tangents of 2^-k, in 2^-28.
const ANGLES: [i32; 28] = [
    210_828_714,
    124_459_457,
    65_760_959,
    33_381_290,
    16_755_422,
    8_385_879,
    4_193_963,
    2_097_109,
    1_048_571,
    524_287,
    262_144,
    131_072,
    65_536,
    32_768,
    16_384,
    8192,
    4096,
    2048,
    1024,
    512,
    256,
    128,
    64,
    32,
    16,
    8,
    4,
    2,
];

/// The high word of a product.
fn high(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}

/// The whole number nearest to a root, a bit at a time.
fn root(radicand: u128) -> u64 {
    let mut found = 0_u64;
    for bit in (0..(129 - radicand.leading_zeros()) / 2).rev() {
        let tried = found | 1 << bit;
        if u128::from(tried) * u128::from(tried) <= radicand {
            found = tried;
        }
    }
    let rest = radicand - u128::from(found) * u128::from(found);
    found + u64::from(rest > u128::from(found))
}

/// The root of a non-negative number.
pub(super) fn square_root(a: u64) -> u64 {
    root(u128::from(a) << 16)
}

/// The root of the sum of two squares.
pub(super) fn hypotenuse(a: u64, b: u64) -> u64 {
    root(u128::from(a) * u128::from(a) + u128::from(b) * u128::from(b))
}

/// The logarithm to 2 of a whole number above 0, in 2^-26: its fraction comes by squaring.
fn logarithm(x: u64) -> i64 {
    let zeros = x.leading_zeros();
    let (mut part, mut found) = ((x << zeros >> 32) as u32, u64::from(63 - zeros));
    for _ in 0..26 {
        let square = u64::from(part) * u64::from(part);
        let bit = square >> 63;
        part = (square >> (31 + bit)) as u32;
        found = found << 1 | bit;
    }
    found as i64
}

/// The logarithm to 2 of a number above 0, in 2^-26.
pub(super) fn logarithm_of(a: u64) -> i64 {
    logarithm(a) - (16 << 26)
}

/// The logarithm to a base whose own logarithm to 2 has this inverse, in 2^-32.
pub(super) fn logarithm_by(a: u64, factor: u32) -> i32 {
    let binary = logarithm_of(a);
    let size = ((high(binary.unsigned_abs() as u32, factor) + (1 << 9)) >> 10) as i32;
    if binary < 0 { -size } else { size }
}

/// The exponential, to 2^-26 of itself and one step; `None` where it is out of the range of one word.
pub(super) fn exponential(a: i64) -> Option<u32> {
    if a >= TOO_LARGE {
        return None;
    }
    if a < TOO_SMALL {
        return Some(0);
    }
    let exponent = (a.unsigned_abs() * u64::from(BINARY)) >> 15;
    let exponent = if a < 0 { exponent.wrapping_neg() } else { exponent };
    let (whole, fraction) = ((exponent >> 32) as i32, exponent as u32);
    let mut part = 1_u32 << 31;
    for (k, power) in POWERS.iter().enumerate() {
        if fraction >> (31 - k) & 1 == 1 {
            part = ((u64::from(part) * u64::from(*power)) >> 31) as u32;
        }
    }
    part += high(part, high(fraction & 0xFFFF, NATURAL));
    let shift = (14 - whole) as u32;
    Some(if shift < 32 { ((part >> shift) + 1) >> 1 } else { 0 })
}

/// A power of a non-negative number with a whole exponent: each product is rounded to a step. `None` where a product is above
/// `most`.
pub(super) fn power(a: u64, exponent: i64, most: u64) -> Option<u64> {
    let product = |a: u64, b: u64| {
        let product = (u128::from(a) * u128::from(b) + (1 << 15)) >> 16;
        u64::try_from(product).ok().filter(|product| *product <= most)
    };
    let mut base = match (exponent < 0, a) {
        (true, 0 | 1) => return None,
        (true, _) => ((1_u64 << 32) + a / 2).checked_div(a)?,
        (false, _) => a,
    };
    let (mut rest, mut found) = (exponent.unsigned_abs(), u64::from(ONE));
    while rest > 0 {
        if rest & 1 == 1 {
            found = product(found, base)?;
        }
        rest >>= 1;
        if rest > 0 {
            base = product(base, base)?;
        }
    }
    Some(found)
}

/// An angle in turns; a whole turn is 2^32.
fn turns(angle: i32) -> u32 {
    let size = angle.unsigned_abs();
    let turns = size.wrapping_mul((TURNS >> 32) as u32).wrapping_add(high(size, TURNS as u32));
    if angle < 0 { turns.wrapping_neg() } else { turns }
}

/// The sine of an angle in turns, in 2^-31: its size, and whether it is negative.
fn sine_of(turns: u32) -> (u32, bool) {
    let part = if turns >> 30 & 1 == 1 { !(turns << 2) } else { turns << 2 };
    let square = high(part, part);
    let series = SINES.iter().rev().fold(0, |rest, sine| sine - high(square, rest));
    (high(part, series), turns >> 31 == 1)
}

fn rounded((size, negative): (u32, bool)) -> i32 {
    let size = ((size + (1 << 14)) >> 15) as i32;
    if negative { -size } else { size }
}

/// A quarter of a turn.
const QUARTER: u32 = 1 << 30;

/// The sine of an angle.
pub(super) fn sine(angle: i32) -> i32 {
    rounded(sine_of(turns(angle)))
}

/// The cosine of an angle.
pub(super) fn cosine(angle: i32) -> i32 {
    rounded(sine_of(turns(angle).wrapping_add(QUARTER)))
}

/// The sine and the cosine of an angle, in 2^-30.
pub(super) fn sine_and_cosine(angle: i32) -> [i32; 2] {
    let turns = turns(angle);
    [turns, turns.wrapping_add(QUARTER)].map(|turns| {
        let (size, negative) = sine_of(turns);
        let size = (size >> 1) as i32;
        if negative { -size } else { size }
    })
}

/// The angle of a point right of and above the middle, in 2^-28, by turning it onto the axis.
fn angle(y: u32, x: u32) -> i32 {
    let largest = x.max(y).max(1);
    let zeros = largest.leading_zeros();
    let scaled = |a: u32| if zeros >= 3 { a << (zeros - 3) } else { a >> (3 - zeros) };
    let (mut x, mut y, mut found) = (scaled(x) as i32, scaled(y) as i32, 0);
    for (k, angle) in ANGLES.iter().enumerate() {
        let (dx, dy) = (y >> k, x >> k);
        if y > 0 {
            (x, y, found) = (x + dx, y - dy, found + angle);
        } else {
            (x, y, found) = (x - dx, y + dy, found - angle);
        }
    }
    found
}

fn steps(angle: i32) -> i32 {
    (angle + (1 << 11)) >> 12
}

/// The arc tangent.
pub(super) fn arc_tangent(a: i32) -> i32 {
    let size = steps(angle(a.unsigned_abs(), ONE));
    if a < 0 { -size } else { size }
}

/// The other short side of a right triangle with the longest side 1 and a side `a` below 1, in 2^-30.
fn other_side(a: u32) -> u32 {
    root(u128::from((ONE - a) << 14) * u128::from((ONE + a) << 14)) as u32
}

/// The arc sine of a number from -1 to 1.
pub(super) fn arc_sine(a: i32) -> i32 {
    let side = a.unsigned_abs();
    let size = steps(angle(side << 14, other_side(side)));
    if a < 0 { -size } else { size }
}

/// The arc cosine of a number from -1 to 1.
pub(super) fn arc_cosine(a: i32) -> i32 {
    let side = a.unsigned_abs();
    let found = angle(other_side(side), side << 14);
    steps(if a < 0 { PI - found } else { found })
}

/// An exponential variate of mean 1 from a draw, in 2^-26.
fn waiting(draw: u32) -> u32 {
    high(((32 << 26) - logarithm(u64::from(draw) | 1)) as u32, NATURAL)
}

/// An exponential variate of mean 1 from a draw.
pub(super) fn exponential_variate(draw: u32) -> i32 {
    ((waiting(draw) + (1 << 9)) >> 10) as i32
}

/// A normal variate of mean 0 and deviation 1 from two draws (Box and Muller).
pub(super) fn normal(draw: u32, turns: u32) -> i32 {
    let radius = root(u128::from(waiting(draw)) << 7);
    let (size, negative) = sine_of(turns);
    let size = ((radius * u64::from(size) + (1 << 30)) >> 31) as i32;
    if negative { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1.0 / 65536.0;

    fn numbers() -> impl Iterator<Item = i32> {
        let few = [0, 1, 2, 3, 65535, 65536, 65537, 102_944, 205_887, 411_775, 1 << 20, 681_390, i32::MAX];
        let many = (0..20_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> (1 + n % 29)) as i32);
        few.into_iter().chain(many).flat_map(|n| [n, -n])
    }

    fn near(found: i32, expected: f64, steps: f64, of: i32) {
        let error = (f64::from(found) * STEP - expected).abs() / STEP;
        assert!(error <= steps, "{error} steps at {of}: {} and not {expected}", f64::from(found) * STEP);
    }

    #[test]
    fn results_are_as_near_as_they_say() {
        for n in numbers() {
            let a = f64::from(n) * STEP;
            near(sine(n), libm::sin(a), 1.0, n);
            near(cosine(n), libm::cos(a), 1.0, n);
            near(arc_tangent(n), libm::atan(a), 1.0, n);
            if n >= 0 {
                near(square_root(n as u64) as i32, libm::sqrt(a), 0.5001, n);
                near(
                    hypotenuse(n as u64 / 2, 70_000) as i32,
                    libm::hypot(f64::from(n / 2) * STEP, 70_000.0 * STEP),
                    0.5001,
                    n,
                );
            }
            if n > 0 {
                near(logarithm_by(n as u64, NATURAL), libm::log(a), 1.0, n);
                near(logarithm_by(n as u64, DECIMAL), libm::log10(a), 1.0, n);
            }
            if n.abs() <= 65536 {
                near(arc_sine(n), libm::asin(a), 1.0, n);
                near(arc_cosine(n), libm::acos(a), 1.0, n);
            }
            match exponential(n.into()) {
                Some(found) => near(found as i32, libm::exp(a), 1.0 + libm::exp(a) / STEP / 67_108_864.0, n),
                None => assert!(a > 10.397, "{a}"),
            }
        }
    }

    #[test]
    fn powers_have_whole_exponents() {
        let of = |a: f64, n| power((a * 65536.0) as u64, n, i32::MAX as u64).map(|found| found as f64 * STEP);
        assert_eq!([of(2.0, 0), of(2.0, 10), of(0.0, 3), of(0.0, 0)], [Some(1.0), Some(1024.0), Some(0.0), Some(1.0)]);
        assert_eq!([of(2.0, -3), of(0.5, 4), of(1.5, 2)], [Some(0.125), Some(0.0625), Some(2.25)]);
        assert_eq!([of(2.0, 15), of(0.0, -1), of(300.0, 2)], [None; 3]);
        assert_eq!(of(181.0, 2), Some(32761.0));
    }

    #[test]
    fn variates_have_their_moments() {
        let mut stream = tickless_core::random::StreamKey::new(3, 0).stream(0);
        let count = 200_000;
        let moments = |next: &mut dyn FnMut() -> i32| {
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..count {
                let x = f64::from(next()) * STEP;
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
