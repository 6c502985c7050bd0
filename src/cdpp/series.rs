//! Functions of constants, while a rule is read: in integers of 120 fraction bits, of which results keep what a product with any number
//! of a rule shows.

use super::expression::Operator;
use super::fixed::Fixed;
use super::functions;
use super::ratio::Ratio;

use Operator as O;

/// Bits of a fraction here.
pub(super) const BITS: u32 = 120;
/// The number 1.
const ONE: i128 = 1 << BITS;
/// ln 2, ln 10 and a quarter of a turn; of this the next 64 bits.
const LN_2: i128 = 0x00b1_7217_f7d1_cf79_abc9_e3b3_9803_f2f6;
const LN_10: i128 = 0x024d_7637_76aa_a2b0_5ba9_5b58_ae0b_4c28;
const QUARTER: i128 = 0x0192_1fb5_4442_d184_6989_8cc5_1701_b839;
const QUARTER_BEHIND: i128 = 0xa252_049c_1114_cf98;
/// Fraction bits of sines, angles and logarithms: the sine of pi, as far as digits give it, is 0 by them.
const SNAP: u32 = 80;

/// A product.
pub(super) fn times(a: i128, b: i128) -> i128 {
    let (x, y, low) = (a.unsigned_abs(), b.unsigned_abs(), u128::from(u64::MAX));
    let (cross, other) = ((x >> 64) * (y & low), (x & low) * (y >> 64));
    let middle = (((x & low) * (y & low)) >> 64) + (cross & low) + (other & low);
    let upper = (x >> 64) * (y >> 64) + (cross >> 64) + (other >> 64) + (middle >> 64);
    let lower = (middle << 64) | (((x & low) * (y & low)) & low);
    let size = (upper << (128 - BITS) | lower >> BITS) as i128;
    if (a < 0) == (b < 0) { size } else { -size }
}

/// A quotient; `None` where it is 128 or more.
fn by(a: i128, b: i128) -> Option<i128> {
    Ratio::new(Some(a), Some(b))?.scaled(BITS)
}

/// The exponential of a number below 1 in size.
fn exponential(a: i128) -> i128 {
    let (mut sum, mut term, mut n) = (ONE, ONE, 0);
    while term != 0 {
        n += 1;
        term = times(term, a) / n;
        sum += term;
    }
    sum
}

/// The sine and the cosine of a number below 1 in size.
fn sine_and_cosine(a: i128) -> [i128; 2] {
    let of = |first: i128, begin: i128| {
        let (mut sum, mut term, mut n) = (first, first, begin);
        while term != 0 {
            n += 2;
            term = -times(times(term, a), a) / (n * (n - 1));
            sum += term;
        }
        sum
    };
    [of(a, 1), of(ONE, 0)]
}

/// The sine and the cosine of any angle: quarters of a turn are taken away from it.
fn of_angle(angle: Ratio) -> Option<[i128; 2]> {
    let quarters = angle.value() / std::f64::consts::FRAC_PI_2;
    if quarters.abs() > 4e9 {
        return None;
    }
    let quarters = quarters.round() as i128;
    // All is modulo 2^128: what is left is small.
    let taken = quarters.wrapping_mul(QUARTER).wrapping_add((quarters * QUARTER_BEHIND) >> 64);
    let [sine, cosine] = sine_and_cosine(angle.wrapped(BITS).wrapping_sub(taken));
    Some(match quarters.rem_euclid(4) {
        0 => [sine, cosine],
        1 => [cosine, -sine],
        2 => [-sine, -cosine],
        _ => [-cosine, sine],
    })
}

/// The natural logarithm; `None` unless the number is above 0.
fn logarithm(a: Ratio) -> Option<i128> {
    let (mut part, mut exponent) = a.mantissa().filter(|_| a.sign() > 0)?;
    if part > ONE + ONE / 2 {
        (part, exponent) = (part / 2, exponent + 1);
    }
    let first = by(part - ONE, part + ONE)?;
    let (square, mut power, mut sum, mut n) = (times(first, first), first, 0, 1);
    while power != 0 {
        sum += power / n;
        power = times(power, square);
        n += 2;
    }
    Some(2 * sum + i128::from(exponent) * LN_2)
}

/// The root.
fn root(a: Ratio) -> Option<Ratio> {
    if a.sign() == 0 {
        return Some(a);
    }
    let (part, exponent) = a.mantissa().filter(|_| a.sign() > 0)?;
    let odd = exponent.rem_euclid(2);
    let part = part << odd;
    // Half of the bits, and then one of Newton's steps.
    let near = part.isqrt() << (BITS / 2);
    Ratio::rounded((near + by(part, near)?) / 2, (exponent - odd) / 2 - BITS as i32, None)
}

/// The arc tangent: what is left of the angle to a step of 2^-32 is tiny.
fn arc_tangent(a: Ratio) -> Option<i128> {
    if a.sign() != 0 && a.value().abs() > 1.0 {
        let rest = arc_tangent(a.inverse()?)?;
        return Some(if a.sign() < 0 { -QUARTER } else { QUARTER } - rest);
    }
    let (tangent, near) = (a.scaled(BITS)?, functions::arc_tangent(a.nearest()?.bits()));
    let near = i128::from(near) << (BITS - 32);
    let [sine, cosine] = sine_and_cosine(near);
    let rest = by(times(tangent, cosine) - sine, cosine + times(tangent, sine))?;
    Some(near + rest - times(times(rest, rest), rest) / 3)
}

/// The arc sine; `None` beyond 1.
fn arc_sine(a: Ratio) -> Option<i128> {
    let one = Ratio::of(Fixed::ONE)?;
    let under = one.plus(a)?.times(one.plus(a.negated())?)?;
    match under.sign() {
        0 => Some(if a.sign() < 0 { -QUARTER } else { QUARTER }),
        _ => arc_tangent(a.times(root(under)?.inverse()?)?),
    }
}

/// A power with a whole exponent; `None` where it is none, or too large.
fn power(a: Ratio, exponent: Ratio) -> Option<Ratio> {
    let number = exponent.whole()?;
    let (mut base, mut rest) = (if number < 0 { a.inverse()? } else { a }, number.unsigned_abs());
    let mut found = Ratio::of(Fixed::ONE)?;
    if a.sign() < 0 || rest >> 32 > 0 {
        return None;
    }
    while rest > 0 {
        found = if rest & 1 == 1 { found.times(base)? } else { found };
        rest >>= 1;
        base = if rest > 0 { base.times(base)? } else { base };
    }
    Some(found)
}

/// The natural logarithm, to 2^-80.
pub(super) fn natural(a: Ratio) -> Option<Ratio> {
    Ratio::rounded(logarithm(a)?, -(BITS as i32), Some(SNAP))
}

/// A function of constants; `None` where it has no value, a value out of range, or is none of those that are computed here.
pub(super) fn function(operator: Operator, a: Ratio, b: Option<Ratio>) -> Option<Ratio> {
    let snapped = |found: i128| Ratio::rounded(found, -(BITS as i32), Some(SNAP));
    match operator {
        O::SquareRoot => root(a),
        O::Hypotenuse if a.sign() >= 0 && b?.sign() >= 0 => root(a.times(a)?.plus(b?.times(b?)?)?),
        O::Power => power(a, b?),
        O::ExponentialOf if a.value() < -85.0 => Ratio::rounded(1, -1000, None),
        O::ExponentialOf if a.value() < 64.0 => {
            let exponent = a.scaled(BITS)?;
            let twos = (exponent + LN_2 / 2).div_euclid(LN_2);
            Ratio::rounded(exponential(exponent - twos * LN_2), twos as i32 - BITS as i32, None)
        }
        O::Natural => natural(a),
        O::Decimal => snapped(by(logarithm(a)?, LN_10)?),
        O::LogarithmTo => snapped(by(logarithm(a)?, logarithm(b?)?)?),
        O::Sine => snapped(of_angle(a)?[0]),
        O::Cosine => snapped(of_angle(a)?[1]),
        O::Tangent => {
            let [sine, cosine] = of_angle(a)?;
            snapped(by(sine, cosine)?)
        }
        O::ArcSine => snapped(arc_sine(a)?),
        O::ArcCosine => snapped(QUARTER - arc_sine(a)?),
        O::ArcTangent => snapped(arc_tangent(a)?),
        O::Absolute => Some(if a.sign() < 0 { a.negated() } else { a }),
        O::Sign => Ratio::of(Fixed::whole(a.sign().into())?),
        O::Minimum => Some(if b?.plus(a.negated())?.sign() < 0 { b? } else { a }),
        O::Maximum => Some(if a.plus(b?.negated())?.sign() < 0 { b? } else { a }),
        O::Truncate => a.below(0),
        O::Ceiling => Some(a.negated().below(0)?.negated()),
        O::Round => a.below(1),
        O::Fractional => a.remainder(Ratio::of(Fixed::ONE)?),
        O::Remainder => a.remainder(b?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(text: &str) -> Ratio {
        match text.strip_prefix('-') {
            Some(size) => Ratio::parse(size).expect("a number").negated(),
            None => Ratio::parse(text).expect("a number"),
        }
    }

    /// A function, and the same of floats.
    type Twins = (Operator, fn(f64) -> f64);

    #[test]
    fn values_are_those_of_floats() {
        let floats: [Twins; 11] = [
            (O::ExponentialOf, libm::exp),
            (O::Natural, libm::log),
            (O::Decimal, libm::log10),
            (O::SquareRoot, libm::sqrt),
            (O::Sine, libm::sin),
            (O::Cosine, libm::cos),
            (O::Tangent, libm::tan),
            (O::ArcSine, libm::asin),
            (O::ArcCosine, libm::acos),
            (O::ArcTangent, libm::atan),
            (O::Fractional, |a| a % 1.0),
        ];
        let texts = [
            "0.001",
            "0.0000003",
            "0.3",
            "0.5",
            "0.984375",
            "1",
            "1.0000000298023223876953125",
            "1.5",
            "2",
            "3.7",
            "20.5",
            "355",
            "1000000.25",
            "-0.25",
            "-1",
            "-20",
            "-44",
            "-123.4375",
        ];
        for (operator, float) in floats {
            for text in texts {
                let (right, found) = (float(text.parse().expect("a float")), function(operator, ratio(text), None));
                let Some(found) = found else {
                    assert!(right.is_nan() || right > 2e27, "{operator:?} of {text} is {right}");
                    continue;
                };
                let error = (found.value() - right).abs();
                assert!(
                    error <= right.abs() * 2e-15 + 1e-24,
                    "{operator:?} of {text}: {} and not {right}",
                    found.value()
                );
            }
        }
    }

    /// What has few digits has them to the last.
    #[test]
    fn simple_values_are_exact() {
        let pi = ratio(super::super::expression::PI);
        for (operator, a, b, right) in [
            (O::SquareRoot, ratio("2.25"), None, "1.5"),
            (O::SquareRoot, ratio("0"), None, "0"),
            (O::Hypotenuse, ratio("3"), Some("4"), "5"),
            (O::ExponentialOf, ratio("0"), None, "1"),
            (O::Natural, ratio("1"), None, "0"),
            (O::Decimal, ratio("1000"), None, "3"),
            (O::LogarithmTo, ratio("1024"), Some("2"), "10"),
            (O::Sine, pi, None, "0"),
            (O::Cosine, pi.times(ratio("5")).expect("small"), None, "-1"),
            (O::Tangent, pi.times(ratio("0.25")).expect("small"), None, "1"),
            (O::ArcCosine, ratio("1"), None, "0"),
            (O::Power, ratio("10"), Some("-9"), "0.000000001"),
            (O::Power, ratio("0"), Some("0"), "1"),
            (O::Truncate, ratio("-0.5"), None, "-1"),
            (O::Ceiling, ratio("-0.5"), None, "0"),
            (O::Round, ratio("2.5"), None, "2"),
            (O::Round, ratio("-1.5"), None, "-2"),
            (O::Round, ratio("-0.7"), None, "-1"),
            (O::Remainder, ratio("-7.5"), Some("2"), "-1.5"),
            (O::Minimum, ratio("0.1"), Some("-0.1"), "-0.1"),
            (O::Maximum, ratio("0.1"), Some("-0.1"), "0.1"),
        ] {
            assert_eq!(function(operator, a, b.map(ratio)), Some(ratio(right)), "{operator:?} of {}", a.value());
        }
        for (operator, a, b) in [
            (O::SquareRoot, "-1", None),
            (O::Natural, "0", None),
            (O::Natural, "-2", None),
            (O::ArcSine, "1.5", None),
            (O::Power, "-2", Some("2")),
            (O::Power, "2", Some("0.5")),
            (O::Power, "0", Some("-1")),
            (O::Remainder, "1", Some("0")),
        ] {
            assert_eq!(function(operator, ratio(a), b.map(ratio)), None, "{operator:?} of {a}");
        }
    }

    /// Long products are rounded and stay near.
    #[test]
    fn a_power_of_a_long_number_is_near() {
        let found = function(O::Power, ratio("1.0000001"), Some(ratio("100000000"))).expect("a value").value();
        assert!((found - 22_026.454_781_577_307).abs() < 1e-8, "{found}");
        let tiny = function(O::ExponentialOf, ratio("-1000"), None).expect("a value");
        assert!(tiny.sign() > 0 && tiny.value() < 1e-37);
    }
}
