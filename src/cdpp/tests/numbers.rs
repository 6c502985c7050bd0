//! Numbers of published and of plain models against doubles and known values.

use super::super::{RuleFile, RuleModel};
use super::{HEAD, naive, parse, small};
use tickless_core::time::Time;

fn model(text: &str, until: f64) -> RuleModel {
    parse(text).model(Time::from_units(until).expect("a time"), 1)
}

fn ends(text: &str, until: f64) -> Vec<f64> {
    let model = model(text, until);
    let (outputs, _) = naive::run(&model, 0).unwrap_or_else(|e| panic!("{text}\n{e}"));
    model.numbers(&outputs).map(|number| number.value().expect("a number")).collect()
}

/// The value of a cell that begins with a number and has a rule until a time.
fn end(start: &str, rule: &str, until: f64) -> f64 {
    let text = small(HEAD, &format!("{rule}\nrule : {{(0,0)}} 1 {{t}}"));
    ends(&text.replace("initialvalue : 0", &format!("initialvalue : {start}")), until)[0]
}

/// Values of doubles, and how far numbers may be from them, in all.
#[test]
fn constants_keep_what_a_product_needs() {
    let known = [
        ("1000", "{0.0031 * (0,0)} 1 {time = 0}", 3.1, 1e-9),
        ("10000", "{(0,0) * 0.0001} 1 {time = 0}", 1.0, 1e-9),
        ("1000", "{(0,0) * 0.99999} 1 {time < 1000}", 990.049_784_249, 1e-6),
        ("0", "{(0,0) + 0.001} 1 {time < 1000}", 1.0, 1e-6),
        ("0.001", "{sin((0,0)) * 1000} 1 {time = 0}", 0.999_999_833, 2e-7),
        ("2000000000", "{(0,0) * 0.0000031} 1 {time = 0}", 6200.0, 1e-9),
        ("1000000", "{(0,0) * 0.000000000001} 1 {time = 0}", 0.000_001, 2e-10),
        ("3", "{(0,0) / 0.0000031} 1 {time = 0}", 967_741.935_483_871, 1e-9),
        ("7", "{(0,0) * 0.0000031 * 1000000 / 7} 1 {time = 0}", 3.1, 1e-9),
        ("7", "{0.00001 * 0.3 * (0,0) / 0.000007} 1 {time = 0}", 3.0, 1e-9),
        ("1", "{(0,0) / 3 + (0,0) / 3 + (0,0) / 3} 1 {time = 0}", 1.0, 5e-10),
        ("1", "{(1 - 0.99999) * 100000 * (0,0)} 1 {time = 0}", 1.0, 1e-9),
        ("1000", "{(0,0) - 0.0007} 1 {time < 1000}", 999.3, 2e-7),
        ("100", "{(0,0) * 1.0007} 1 {time < 1000}", 201.325_962_855, 1e-5),
        ("30000", "{(0,0) - (0,0) * 0.00003} 1 {time < 1000}", 29_113.352_905, 1e-5),
        ("0.5", "{3.57 * (0,0) * (1 - (0,0))} 1 {time < 10}", 0.348_814_174, 1e-5),
        ("2", "{exp(-20) * 1000000000 * (0,0)} 1 {time = 0}", 4.122_307_2, 0.4),
        ("20", "{exp((0,0)) / 1000000} 1 {time = 0}", 485.165_195_409_8, 1e-6),
        ("0.001", "{ln((0,0))} 1 {time = 0}", -6.907_755_279, 2e-7),
        ("2000000000", "{ln((0,0)) + log((0,0))} 1 {time = 0}", 30.717_443_013_2, 1e-9),
        ("1.01", "{power((0,0), 1000)} 1 {time = 0}", 20_959.155_6, 6e-3),
        ("0.0001", "{1 / (0,0)} 1 {time = 0}", 10_000.0, 1e-2),
    ];
    let wrong = known
        .iter()
        .map(|(start, rule, right, near)| (rule, end(start, &format!("rule : {rule}"), 2000.0), right, near));
    let wrong: Vec<_> = wrong.filter(|(_, found, right, near)| (found - *right).abs() > **near).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn constants_that_cannot_be_kept_are_named() {
    let said = |rule: &str| {
        let parsed = RuleFile::parse(&small(HEAD, &format!("rule : {rule}")), "f.ma", |_| None);
        parsed.map_or_else(|error| error.to_string(), |_| String::new())
    };
    for (rule, place) in [
        ("{(0,0) + 0.00001} 1 {t}", "f.ma:12:17: the constant is '0.00001'; "),
        ("0.0000000001 1 {t}", "f.ma:12:8: the constant is '0.0000000001'; "),
        ("{max((0,0), -0.000012)} 1 {t}", "f.ma:12:21: the constant is '-0.000012'; "),
        ("{0.00001 / (0,1)} 1 {t}", "f.ma:12:9: the constant is '0.00001'; "),
        ("{1} 1 {(0,0) > 0.0000000000001}", "f.ma:12:23: the constant is '0.0000000000001'; "),
        ("{(0,0) + 30000 * 100000} 1 {t}", "f.ma:12:31: '3000000000': it is out of the range"),
    ] {
        assert!(said(rule).starts_with(place), "{rule}: {}", said(rule));
    }
    for rule in
        ["{(0,0) * 0.00001} 1 {t}", "{(0,0) / 0.00001} 1 {(0,0) > 0.00001}", "{0.0001} 1 {random < 0.00000000000001}"]
    {
        assert_eq!(said(rule), "", "{rule}");
    }
}

/// What seldom happens does happen: in 4,000,000 draws 20, give or take 4.5.
#[test]
fn chances_are_as_small_as_they_are_written() {
    for (condition, chance) in
        [("random < 0.000005", 5e-6), ("0.0000075 >= random", 7.5e-6), ("not random > 0.00001", 1e-5)]
    {
        // The whole part of a cell counts its draws, and the rest 2^-10 for each that is below.
        let rules = format!("rule : {{(0,0) + 1 + 1 / 1024}} 1 {{{condition}}}\nrule : {{(0,0) + 1}} 1 {{t}}");
        let text = small("delay : inertial\nborder : wrapped\nneighbors : a(0,0)", &rules).replace("(1,3)", "(20,100)");
        let model = model(&text, 2000.5);
        assert!(!model.file().is_wide());
        let count: f64 = ends(&text, 2000.5).iter().map(|value| value.fract() * 1024.0).sum();
        let mean = chance * 2000.0 * 2000.0;
        assert!((count - mean).abs() < 4.0 * mean.sqrt(), "{condition}: {count} and not {mean}");
    }
}

/// A plate as doubles have it, with coefficients beside which values are large.
#[test]
fn a_plate_cools_as_in_doubles() {
    let head = "delay : transport\nborder : wrapped\nneighbors : a(-1,0) a(0,-1) a(0,0) a(0,1) a(1,0)\n\
                initialrow : 5 300 300 300 900 950 900 300 300 300 300 300 300";
    let rule =
        "rule : { 0.99079 * (0,0) + 0.0023 * (0,-1) + 0.0023 * (0,1) + 0.0023 * (-1,0) + 0.0023 * (1,0) } 1 { t }";
    let text = small(head, rule).replace("(1,3)", "(12,12)").replace("initialvalue : 0", "initialvalue : 300");
    let mut cells = vec![300.0; 144];
    cells[63..66].copy_from_slice(&[900.0, 950.0, 900.0]);
    for _ in 0..300 {
        let at = |row: usize, column: usize| cells[row % 12 * 12 + column % 12];
        let next = |cell: usize| {
            let (row, column) = (cell / 12 + 12, cell % 12 + 12);
            let sides = at(row, column - 1) + at(row, column + 1) + at(row - 1, column) + at(row + 1, column);
            0.99079 * at(row, column) + 0.0023 * sides
        };
        cells = (0..144).map(next).collect();
    }
    let found = ends(&text, 300.5);
    let most = found.iter().zip(&cells).map(|(found, right)| (found - right).abs()).fold(0.0, f64::max);
    assert!(most < 1e-6, "{most}");
}

/// A fire with the coefficients of Muzy's for Corsica: cells warm each other, and burn from 573 K on. Doubles and numbers may disagree on the
/// time at which a cell of 400 begins to burn; three cells may be off for that.
#[test]
fn a_fire_burns_as_in_doubles() {
    let rows = [4, 5, 6]
        .map(|row| format!("initialrow : {row} {}{}{}\n", "300 ".repeat(4), "900 ".repeat(6), "300 ".repeat(10)));
    let head = "delay : transport\nborder : wrapped\nneighbors : a(-1,0) a(0,-1) a(0,0) a(0,1) a(1,0)\nstatevariables : ti\nstatevalues : 0\n";
    let head = head.to_owned() + &rows.concat();
    let warms = "0.98689 * (0,0) + 0.0031 * ((0,-1) + (0,1) + (-1,0) + (1,0)) + 0.213";
    let burns = "{ $ti := if($ti = 0, time * 0.01 + 0.01, $ti); }";
    let rules = format!(
        "rule : {{ {warms} + 2.74 * exp(-0.19 * ((time + 1) * 0.01 - $ti)) }} {burns} 1 {{ (0,0) >= 573 }}\n\
         rule : {{ {warms} }} 1 {{ t }}"
    );
    let text = small(&head, &rules).replace("(1,3)", "(20,20)").replace("initialvalue : 0", "initialvalue : 300");
    let (mut cells, mut since) = (vec![300.0; 400], vec![0.0; 400]);
    [84, 104, 124].into_iter().for_each(|first| cells[first..first + 6].fill(900.0));
    for step in 0..800 {
        let now = f64::from(step);
        let at = |row: usize, column: usize| cells[row % 20 * 20 + column % 20];
        let next = |cell: usize| {
            let (row, column) = (cell / 20 + 20, cell % 20 + 20);
            let sides = at(row, column - 1) + at(row, column + 1) + at(row - 1, column) + at(row + 1, column);
            let warm = 0.98689 * at(row, column) + 0.0031 * sides + 0.213;
            if at(row, column) < 573.0 {
                return (warm, since[cell]);
            }
            let since = if since[cell] == 0.0 { now * 0.01 + 0.01 } else { since[cell] };
            (warm + 2.74 * libm::exp(-0.19 * ((now + 1.0) * 0.01 - since)), since)
        };
        (cells, since) = (0..400).map(next).unzip();
    }
    assert_eq!(since.iter().filter(|since| **since > 0.0).count(), 44, "it spreads");
    let found = ends(&text, 800.5);
    let off = found.iter().zip(&cells).filter(|(found, right)| (*found - *right).abs() > 1e-4).count();
    assert!(off <= 3, "{off} cells");
}

/// The value of a rule of one cell, as doubles have it, and how far numbers may be from it.
#[test]
fn functions_of_constants_keep_what_a_product_needs() {
    let known = [
        ("1000000000", "exp(0-20) * (0,0)", 2.061_153_622_438_558, 1e-9),
        ("1000000000", "power(10, 0-9) * (0,0)", 1.0, 1e-9),
        ("1000000", "(1 - cos(0.001)) * (0,0)", 0.499_999_958_333, 1e-9),
        ("1000000000", "(0,0) / exp(20)", 2.061_153_622_438_558, 1e-9),
        ("1000000000", "1 / exp(20) * (0,0)", 2.061_153_622_438_558, 1e-9),
        ("1000000000", "sqrt(0.00000000000002) * (0,0)", 141.421_356_237, 1e-9),
        ("1000000000", "ln(1.0000001) * (0,0)", 99.999_995, 1e-9),
        ("1000000000", "sin(0.0000001) * (0,0)", 100.0, 1e-9),
        ("1000000000", "remainder(1, 0.3) * (0,0) * 0.0000001", 10.0, 1e-9),
        ("1000000000", "logn(1.0000001, 10) * (0,0)", 43.429_446_019, 1e-9),
        ("2", "sin(pi) + cos(pi) + tan(pi/4) + (0,0)", 2.0, 0.0),
        ("2", "(0,0) * 1e-3 * 2.5E+2 + 1e0", 1.5, 0.0),
        ("100000000", "power(1.0000001, (0,0))", 22_026.454_781_577, 1e-4),
        ("10", "power(1.1, (0,0))", 2.593_742_460_1, 1e-8),
        ("10", "power(2, (0,0))", 1024.0, 0.0),
        ("5", "power(power(1.1, 2) - 0.21, (0,0))", 1.0, 0.0),
        ("2.5", "if(isUndefined(power(1.1, (0,0))), 7, 8)", 7.0, 0.0),
    ];
    for (start, rule, right, near) in known {
        let found = end(start, &format!("rule : {{{rule}}} 1 {{time = 0}}"), 10.0);
        assert!((found - right).abs() <= near, "{rule}: {found} and not {right}");
    }
}

#[test]
fn what_a_number_does_not_have_is_named() {
    let said =
        |text: &str| RuleFile::parse(text, "f.ma", |_| None).map_or_else(|error| error.to_string(), |_| String::new());
    for (rule, place) in [
        ("{(0,0) + exp(0-12)} 1 {t}", "the constant is '0.000006144212353328"),
        ("{(0,0) * exp(0-60)} 1 {t}", "a product of it and a number of the range is below half a step"),
        ("{(0,0) * 1e-30} 1 {t}", "leave it out, divide it by the other constants first"),
    ] {
        let said = said(&small(HEAD, &format!("rule : {rule}")));
        assert!(said.contains(place), "{rule}: {said}");
    }
    for start in ["0.0000000001", "-1e-11", "0.00000000005e-1"] {
        let text = small(HEAD, "rule : 1 1 {t}").replace("initialvalue : 0", &format!("initialvalue : {start}"));
        assert!(
            said(&text).contains(&format!("the number is '{start}'; numbers are kept in steps of 2^-32")),
            "{}",
            said(&text)
        );
    }
    for start in ["0", "0.000", "0e5", "0.0000000002"] {
        let text = small(HEAD, "rule : 1 1 {t}").replace("initialvalue : 0", &format!("initialvalue : {start}"));
        assert_eq!(said(&text), "");
    }
}

/// A mark before the text of a file, as editors of Windows write it, is no part of the text.
#[test]
fn a_mark_before_the_text_is_left_out() {
    let text = format!("\u{feff}{}", small(HEAD, "rule : {(0,0) + 1} 1 {time = 0}\nrule : {(0,0)} 1 {t}"));
    assert_eq!(ends(&text, 10.0), [1.0; 3]);
    let error = RuleFile::parse("\u{feff}{\"scenario\":{}}", "f.json", |_| None).expect_err("no rules");
    assert!(error.to_string().contains("Cadmium"), "{error}");
}
