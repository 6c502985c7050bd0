//! The values of expressions.

use super::super::interpreter::{RuleFault, Surroundings};
use super::super::{Fixed, expression::Expression, ratio::Ratio};
use super::{HEAD, fixed, parse, small};
use tickless_core::random::StreamKey;
use tickless_core::time::Time;

/// The expression as a rule's value.
fn expression(text: &str) -> Expression {
    parse(&small(HEAD, &format!("rule : {{{text}}} 1 {{t}}"))).sections[0].rules[0].values[0].1.clone()
}

/// The value of an expression in a cell of 2 with 0.5 before it and nothing after it.
fn worth(text: &str) -> Result<Fixed, RuleFault> {
    let around = |n: usize, _: usize| if n == 0 { fixed("0.5") } else { Fixed::UNDEFINED };
    let mut around = Surroundings {
        width: 1,
        own: &[fixed("2").word()],
        variables: &mut [],
        neighbours: &around,
        count: 2,
        own_counts: true,
        now: Time::from_units(12.25).expect("a time"),
        place: [0, 1, 0, 0],
        inputs: &[],
        stream: Some(StreamKey::new(1, 0).stream(0)),
    };
    around.value(&expression(text))
}

#[test]
fn operators_give_known_values() {
    let known = [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("2 - 3 - 4", "-5"),
        ("7 / 2 / 2", "1.75"),
        ("-2 * -3", "6"),
        ("- (0,0)", "-2"),
        ("(0,0) -1", "1"),
        ("1 / 3", "0.3333333333"),
        ("2 / 3", "0.6666666667"),
        ("-1 / 3 * 3", "-1"),
        ("(0,0) / -3 * 3 / 2", "-1"),
        ("0.0001 * 0.5 * (0,0)", "0.0001"),
        ("5 / 0", "?"),
        ("(0,1) + 1", "?"),
        ("(0,-1) * 4", "2"),
        ("min(3, -4)", "-4"),
        ("max(3, -4)", "3"),
        ("max(3, ?)", "?"),
        ("abs(-4.5)", "4.5"),
        ("sign(-0.1) + sign(0) * 10 + sign(9) * 100", "99"),
        ("trunc(2.9) + trunc(-2.9) * 10", "-28"),
        ("truncUpper(2.1) + truncUpper(-2.9) * 10", "-17"),
        ("round(2.5) + round(3.5) * 10", "42"),
        ("round(-2.5) + round(-3.5) * 10", "-42"),
        ("round(2.49999) + round(2.50002) * 10", "32"),
        ("sqrt(2)", "1.4142135624"),
        ("sqrt(-1)", "?"),
        ("hip(3, 4)", "5"),
        ("power(2, 10) + power(2, -1)", "1024.5"),
        ("power(-2, 2)", "?"),
        ("power(2, 0.5)", "?"),
        ("exp(1)", "2.7182818286"),
        ("exp((0,0) - 22)", "0.000000002"),
        ("ln(e) + log(1000) * 10", "31"),
        ("ln(0)", "?"),
        ("logn(8, 2)", "3"),
        ("sin(pi / 6) + cos(0) * 10", "10.5"),
        ("tan(pi / 4) + atan(1) * 4", "4.1415926537"),
        ("asin(1) + acos(1)", "1.5707963267"),
        ("asin(1.1)", "?"),
        ("ctok(1) + ctof(100) + ftoc(212) + ktoc(300)", "613"),
        ("sec(0)", "1"),
        ("degtorad(180) + radtodeg(pi)", "183.1415926537"),
        ("fractional(-2.75)", "-0.75"),
        ("remainder(7.5, 2)", "1.5"),
        ("remainder(-7.5, 2)", "-1.5"),
        ("remainder(7, 0)", "?"),
        ("odd(3) + odd(4) * 10 + odd(-3) * 100 + odd(2.5) * 1000", "101"),
        ("even(3) + even(4) * 10 + even(0) * 100 + even(2.5) * 1000", "110"),
        ("isint(3) + isint(3.5) * 10", "1"),
        ("isint(?) + odd(?) + even(?)", "0"),
        ("isundefined(?) + isundefined((0,1)) * 10 + isundefined(5) * 100", "11"),
        ("if(t, 1, 2) + if(f, 10, 20) + if(?, 100, 200)", "221"),
        ("ifu(?, 1, 2, 3)", "3"),
        ("ifu(f, 1, 2, 3)", "2"),
        ("statecount(2) + statecount(0.5) * 10 + statecount(7) * 100", "11"),
        ("truecount + falsecount * 10 + undefcount * 100", "100"),
        ("undefcount()", "1"),
        ("cellpos(0) + cellpos(1) * 10", "10"),
        ("time", "12.25"),
        ("pi", "3.1415926537"),
        ("e", "2.7182818286"),
        ("(1 < 2) + (2 < 1) * 10 + (1 <= 1) * 100 + (2 > 1) * 1000 + (1 >= 2) * 10000", "1101"),
        ("1 = 1 and 2 != 3", "1"),
        ("not 1 = 2", "1"),
        ("t or t and f", "0"),
        ("(0,0)=2", "1"),
    ];
    // What is constant is computed while it is read, and what (0,0) is in, which is 2, in the run.
    let in_the_run = |text: &str| {
        let alone = text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.matches('(').count() == 1;
        let counted = text.contains("count") || text.contains("cellpos") || text.contains("if(");
        let moved = text.replacen('(', "((0,0) - 2 + ", 1).replace(", ", ", (0,0) - 2 + ");
        if alone && text.ends_with(')') && !counted { moved } else { text.to_owned() }
    };
    let texts = known.into_iter().flat_map(|(text, value)| [(text.to_owned(), value), (in_the_run(text), value)]);
    let wrong = texts.map(|(text, value)| (text.clone(), worth(&text).map(|v| v.to_string()), Ok(value.to_owned())));
    assert_eq!(wrong.filter(|(_, found, right)| found != right).collect::<Vec<_>>(), []);
}

/// The values of an operator for t, f and ? on the left, and for each of them t, f and ? on the right.
fn table(operator: &str) -> String {
    let values = ["t", "f", "?"];
    let pairs = values.iter().flat_map(|a| values.iter().map(move |b| format!("{a} {operator} {b}")));
    let shown = |text: String| match worth(&text).expect("a value") {
        Fixed::ONE => 't',
        Fixed::ZERO => 'f',
        _ => '?',
    };
    pairs.map(shown).collect()
}

#[test]
fn logic_has_three_values() {
    assert_eq!(table("and"), "tf?fff?f?");
    assert_eq!(table("or"), "ttttf?t??");
    assert_eq!(table("xor"), "ft?tf????");
    assert_eq!(table("imp"), "tf?tttt??");
    assert_eq!(table("eqv"), "tffftffft");
    assert_eq!(table("="), "tffftffft");
    assert_eq!(table("!="), "ftttftttf");
    assert_eq!(table("<"), "ff?tf???f");
    assert_eq!(table("<="), "tf?tt???t");
    assert_eq!(table(">"), "ft?ff???f");
    assert_eq!(table(">="), "tt?ft???t");
    assert_eq!(worth("not t"), Ok(Fixed::ZERO));
    assert_eq!(worth("not ?"), Ok(Fixed::UNDEFINED));
}

#[test]
fn what_leaves_the_range_is_a_fault() {
    let far = [
        "2147483646 + (0,0)",
        "-2147483646 - (0,0)",
        "50000 * (0,0) * 30000 * (0,0)",
        "1500000000 * (0,0)",
        "(0,0) / 0.0000000009",
        "2 / (0.0000000001 * (0,0) + (0,0) / 4294967296)",
        "round(2147483647.9)",
        "exp(21.5)",
        "power(2, 31)",
        "power((0,-1), -31)",
        "hip(2000000000, 2000000000)",
    ];
    for text in far {
        assert_eq!(worth(text), Err(RuleFault::Range), "{text}");
    }
    assert_eq!(worth("2147483647.25 - 0").map(|v| v.to_string()), Ok("2147483647.25".into()));
    for text in ["2 and t", "not 0.5", "if(3, 1, 1)"] {
        assert_eq!(worth(text), Err(RuleFault::Truth), "{text}");
    }
    // A branch that is not taken does no harm.
    assert_eq!(worth("if(t, 1, exp(22))"), Ok(Fixed::ONE));
}

#[test]
fn draws_stay_in_their_ranges() {
    let draws = |text: &str, low: &str, high: &str| {
        let value = worth(text).expect("a value");
        assert!((fixed(low).bits()..=fixed(high).bits()).contains(&value.bits()), "{text}: {value}");
    };
    for n in 0..50 {
        draws("random", "0", "0.9999999998");
        draws(&format!("uniform({n}, {n}.5)"), &n.to_string(), &format!("{n}.4999999998"));
        draws(&format!("randInt({n})"), "0", &n.to_string());
        draws("abs(randomSign)", "1", "1");
        draws("isint(randInt(5))", "1", "1");
    }
    assert_eq!(worth("uniform(2, 1)"), Ok(Fixed::UNDEFINED));
    assert_eq!(worth("uniform(2, 2)"), Ok(fixed("2")));
    assert_eq!(worth("randInt(-1)"), Ok(Fixed::UNDEFINED));
}

proptest::proptest! {
    #[test]
    fn arithmetic_is_that_of_exact_fractions(a in i64::MIN + 1.., b in i64::MIN + 1.., less in [0..63, 0..63]) {
        let [a, b] = [a >> less[0], b >> less[1]];
        let [x, y] = [a, b].map(|steps| Fixed::steps(steps).expect("a number"));
        let mut words = [0; 4];
        x.write(&mut words, 1, 2);
        proptest::prop_assert_eq!(Fixed::read(&words, 1, 2), x);
        let exact = |bits: i128| i64::try_from(bits).ok().and_then(Fixed::steps);
        let (a, b) = (i128::from(a), i128::from(b));
        // The nearest whole number to a fraction, halves away from zero.
        let nearest = |n: i128, d: i128| {
            let size = (2 * n.abs() + d.abs()) / (2 * d.abs());
            if (n < 0) == (d < 0) { size } else { -size }
        };
        proptest::prop_assert_eq!(x.checked_add(y), exact(a + b));
        proptest::prop_assert_eq!(x.checked_sub(y), exact(a - b));
        let halves = (a * b).unsigned_abs() >> 31;
        let product = (halves / 2 + halves % 2) as i128;
        proptest::prop_assert_eq!(x.checked_mul(y), exact(if (a < 0) == (b < 0) { product } else { -product }));
        if b != 0 {
            proptest::prop_assert_eq!(x.checked_div(y), exact(nearest(a << 32, b)));
            proptest::prop_assert_eq!(i128::from(x.remainder(y).bits()), a % b);
        }
        proptest::prop_assert_eq!(x.to_string().parse(), Ok(x));
    }
}

proptest::proptest! {
    /// A factor of up to nine digits, or its inverse, times a number is the nearest step to the exact product.
    #[test]
    fn constants_keep_their_digits(steps in i64::MIN + 1.., less in 0..63, digits in 1..1_000_000_000_u64, places in 0..12_u32, divides: bool) {
        let steps = steps >> less;
        let text = format!("{digits}e-{places}");
        let ratio = Ratio::parse(&text).expect("a number");
        let factor = if divides { ratio.inverse().expect("not 0") } else { ratio };
        let found = factor.factor().expect("a factor").times(Fixed::steps(steps).expect("a number"));
        let (unit, digits) = (10_u128.pow(places), u128::from(digits));
        let (above, below) = if divides { (unit, digits) } else { (digits, unit) };
        let Some(product) = u128::from(steps.unsigned_abs()).checked_mul(above) else { return Ok(()) };
        let (size, rest) = (product / below, product % below);
        // A half more or less is seen as long as it is more than a 2^-63 of the product.
        let near = rest * 2 == below || (rest * 2).abs_diff(below) as f64 / below as f64 > size as f64 / (1_u64 << 62) as f64;
        let right = i64::try_from(size + u128::from(2 * rest >= below)).ok();
        if near {
            proptest::prop_assert_eq!(found.map(|found| found.bits().abs()), right);
        }
    }
}

#[test]
fn numbers_are_read_to_the_nearest_step() {
    for (text, bits) in [
        ("0.5", 1 << 31),
        ("-1.25", -5 << 30),
        ("0.0000000002", 1),
        ("2147483647.9999999998", i64::MAX),
        (".5", 1 << 31),
        ("3.", 3 << 32),
    ] {
        assert_eq!(fixed(text).bits(), bits, "{text}");
        assert_eq!(fixed(&fixed(text).to_string()), fixed(text));
    }
    for (text, same) in
        [("1e3", "1000"), ("-2.5E-1", "-0.25"), ("1.0000000e+000", "1"), ("0.00001e5", "1"), ("1e-99", "0")]
    {
        assert_eq!(fixed(text), fixed(same), "{text}");
    }
    for text in [
        "",
        ".",
        "-",
        "1e",
        "e3",
        "1e3.5",
        "1e12",
        "1e--3",
        "1e99",
        "137438953472",
        "1.2.3",
        "99999999999999999999999999999999999999999",
        "--1",
    ] {
        assert!(text.parse::<Fixed>().is_err(), "{text}");
    }
}
