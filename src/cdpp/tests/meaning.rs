//! The values of expressions.

use super::super::interpreter::{RuleFault, Surroundings};
use super::super::{Fixed, expression::Expression};
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
        draws: Some(super::super::draws::Draws::new(StreamKey::new(1, 0), 0)),
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
        ("1 / 3", "0.33333"),
        ("2 / 3", "0.66667"),
        ("-1 / 3 * 3", "-0.99998"),
        ("0.00001 * 0.5", "0.00002"),
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
        ("sqrt(2)", "1.41422"),
        ("sqrt(-1)", "?"),
        ("hip(3, 4)", "5"),
        ("power(2, 10) + power(2, -1)", "1024.5"),
        ("power(-2, 2)", "?"),
        ("power(2, 0.5)", "?"),
        ("exp(1) + exp(-20)", "2.71828"),
        ("ln(e) + log(1000) * 10", "31"),
        ("ln(0)", "?"),
        ("logn(8, 2)", "3"),
        ("sin(pi / 6) + cos(0) * 10", "10.5"),
        ("tan(pi / 4) + atan(1) * 4", "4.1416"),
        ("asin(1) + acos(1)", "1.5708"),
        ("asin(1.1)", "?"),
        ("ctok(1) + ctof(100) + ftoc(212) + ktoc(300)", "613"),
        ("sec(0)", "1"),
        ("degtorad(180) + radtodeg(pi)", "183.14159"),
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
        ("pi", "3.14159"),
        ("e", "2.71828"),
        ("(1 < 2) + (2 < 1) * 10 + (1 <= 1) * 100 + (2 > 1) * 1000 + (1 >= 2) * 10000", "1101"),
        ("1 = 1 and 2 != 3", "1"),
        ("not 1 = 2", "1"),
        ("t or t and f", "0"),
        ("(0,0)=2", "1"),
    ];
    for (text, value) in known {
        assert_eq!(worth(text).map(|v| v.to_string()), Ok(value.into()), "{text}");
    }
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
    for text in ["32767 + 1", "-32767 - 1", "200 * 200", "32767.99998 * 1.00002", "1 / 0.00002", "round(32767.9)"] {
        assert_eq!(worth(text), Err(RuleFault::Range), "{text}");
    }
    assert_eq!(worth("32767.99998 - 0").map(|v| v.to_string()), Ok("32767.99998".into()));
    for text in ["2 and t", "not 0.5", "if(3, 1, 1)"] {
        assert_eq!(worth(text), Err(RuleFault::Truth), "{text}");
    }
    // A branch that is not taken does no harm.
    assert_eq!(worth("if(t, 1, 200 * 200)"), Ok(Fixed::ONE));
}

#[test]
fn draws_stay_in_their_ranges() {
    let draws = |text: &str, low: &str, high: &str| {
        let value = worth(text).expect("a value");
        assert!((fixed(low).bits()..=fixed(high).bits()).contains(&value.bits()), "{text}: {value}");
    };
    for n in 0..50 {
        draws("random", "0", "0.99999");
        draws(&format!("uniform({n}, {n}.5)"), &n.to_string(), &format!("{n}.49999"));
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
    fn arithmetic_is_that_of_exact_fractions(a in i32::MIN + 1.., b in i32::MIN + 1..) {
        let (x, y) = (Fixed::from_word(a as u32), Fixed::from_word(b as u32));
        let exact = |bits: i128| i64::try_from(bits).ok().and_then(Fixed::steps);
        let (a, b) = (i128::from(a), i128::from(b));
        // The nearest whole number to a fraction, halves away from zero.
        let nearest = |n: i128, d: i128| {
            let size = (2 * n.abs() + d.abs()) / (2 * d.abs());
            if (n < 0) == (d < 0) { size } else { -size }
        };
        proptest::prop_assert_eq!(x.checked_add(y), exact(a + b));
        proptest::prop_assert_eq!(x.checked_sub(y), exact(a - b));
        proptest::prop_assert_eq!(x.checked_mul(y), exact(nearest(a * b, 1 << 16)));
        if b != 0 {
            proptest::prop_assert_eq!(x.checked_div(y), exact(nearest(a << 16, b)));
            proptest::prop_assert_eq!(i128::from(x.remainder(y).bits()), a % b);
        }
    }
}

proptest::proptest! {
    #[test]
    fn arithmetic_of_two_words_is_that_of_exact_fractions(a in -(1_i64 << 53) + 1..1 << 53, b in -(1_i64 << 53) + 1..1 << 53, less in 0..40) {
        let b = b >> less;
        let [x, y] = [a, b].map(|steps| Fixed::steps(steps).expect("a number"));
        let exact = |bits: i128| i64::try_from(bits).ok().and_then(Fixed::steps);
        let mut words = [0; 4];
        x.write(&mut words, 1, 2);
        proptest::prop_assert_eq!(Fixed::read(&words, 1, 2), x);
        let nearest = |n: i128, d: i128| {
            let size = (2 * n.abs() + d.abs()) / (2 * d.abs());
            if (n < 0) == (d < 0) { size } else { -size }
        };
        let (a, b) = (i128::from(a), i128::from(b));
        proptest::prop_assert_eq!(x.checked_add(y), exact(a + b));
        proptest::prop_assert_eq!(x.checked_mul(y), exact(nearest(a * b, 1 << 16)));
        if b != 0 {
            proptest::prop_assert_eq!(x.checked_div(y), exact(nearest(a << 16, b)));
        }
        let root = Fixed::steps(super::super::functions::square_root(x.bits().unsigned_abs()) as i64).expect("a root");
        let error = root.value().expect("a number") - (a.unsigned_abs() as f64 / 65536.0).sqrt();
        proptest::prop_assert!(error.abs() <= 1.0 / 65536.0, "{} {}", root, error);
    }
}

#[test]
fn numbers_are_read_to_the_nearest_step() {
    for (text, bits) in [
        ("0.5", 32768),
        ("-1.25", -81920),
        ("0.00001", 1),
        ("32767.99998", i32::MAX.into()),
        (".5", 32768),
        ("3.", 196_608),
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
