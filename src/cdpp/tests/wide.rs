//! The words of numbers: one where it keeps every number of the file, two elsewhere.

use super::super::{Fixed, RuleFile, RuleModel};
use super::{HEAD, naive, parse, small};
use tickless_cells::gpu::{self, CellOptions};
use tickless_cells::{CellError, CellModel as _};
use tickless_core::time::Time;
use tickless_device::AdapterDescription;

fn model(file: &RuleFile, until: f64) -> RuleModel {
    file.clone().model(Time::from_units(until).expect("a time"), 1)
}

/// The last output of each cell, on every port.
fn numbers(model: &RuleModel) -> Vec<String> {
    let (outputs, _) = naive::run(model, 0).unwrap_or_else(|e| panic!("{e}"));
    model.numbers(&outputs).map(|number: Fixed| number.to_string()).collect()
}

#[test]
fn one_word_is_for_files_whose_numbers_it_keeps_whatever_happens() {
    let is_wide = |value: &str, start: &str| {
        let text = small(
            HEAD,
            &format!("rule : {{{value}}} {{1 + random * 0.3}} {{(0,0) < 0.1 and time < 70000}}\nrule : 0 1 {{t}}"),
        );
        parse(&text.replace("initialvalue : 0", &format!("initialvalue : {start}"))).is_wide()
    };
    let short = [
        "(0,0) + 1 - (0,-1) * 3",
        "0.5",
        "min(0.25 * 0.25, max(0.5, abs((0,0))))",
        "(0,-1) * (0,1)",
        "trunc((0,0) / 3) + remainder((0,0), 7) + round(uniform(0, 5))",
        "if(random < 0.3, 1, 0) + randInt(5) + truecount + (random > 0.000001)",
        "ifu((0,-1) > 0.7, 2, 3, ?)",
        "binomial(5, 0.3) + poisson(2.2) + sign(sin((0,0)))",
    ];
    for value in short {
        assert!(!is_wide(value, "0"), "{value}");
        assert!(is_wide(value, "0.1") && is_wide(value, "40000"), "{value}");
    }
    let long = [
        "0.1",
        "40000",
        "(0,0) * 0.5",
        "(0,0) / 3",
        "time",
        "random",
        "uniform(0, 2)",
        "sqrt((0,0))",
        "exp((0,0))",
        "if(t, 1, 0.3)",
        "fractional((0,0) / 7)",
    ];
    for value in long {
        assert!(is_wide(value, "0"), "{value}");
    }
    // Sixteen bits once, but not times sixteen others.
    let small = |value: &str| parse(&small(HEAD, &format!("rule : {{{value}}} 1 {{t}}"))).is_wide();
    assert_eq!([small("if((0,0) = 0, 0.0000152587890625, 1)"), small("(0,0) + 0.0000152587890625")], [false; 2]);
    assert!(small("remainder((0,0) + 0.0000152587890625, 1) * remainder((0,0), 1)"));
    // A state variable that grows finer by way of a port.
    let head = format!("{HEAD}\nneighborports : p\nstatevariables : x\nstatevalues : 1");
    let by_way = |factor: &str| {
        let rules = format!("rule : {{ ~p := $x * 0.5; }} {{ $x := (0,0)~p * {factor}; }} 1 {{t}}");
        parse(&super::small(&head, &rules)).is_wide()
    };
    assert_eq!([by_way("1"), by_way("2"), by_way("0")], [true, true, true]);
}

#[test]
fn a_file_with_a_large_number_has_two_words_for_each() {
    let file = parse(&small(HEAD, "rule : {if((0,-1) = ?, 100000.5, (0,-1) * 2)} {10 + (0,0) - (0,0)} {t}"));
    assert!(file.is_wide());
    let model = model(&file, 25.0);
    assert_eq!((model.output_words(), model.state_words()), (2, 2 + 1 + 4 * 4));
    assert_eq!(numbers(&model), ["100000.5", "200001", "0"]);
    // A number at the start counts, too.
    let start = HEAD.to_owned() + "\ninitialrow : 0 -100000 ? 0.5";
    let file = parse(&small(&start, "rule : {(0,0) * 1.5} 10 {(0,0) != ? and (0,0) > -300000}\nrule : {(0,0)} 10 {t}"));
    assert_eq!(numbers(&self::model(&file, 35.0)), ["-337500", "?", "1.6875"]);
}

#[test]
fn ports_variables_and_both_delays_have_large_numbers() {
    for delay in ["transport", "inertial"] {
        let head =
            HEAD.replace("transport", delay) + "\nneighborports : p q\nstatevariables : x y\nstatevalues : 70000 ?";
        let rules = "rule : { ~p := $x + (0,0)~q; ~q := (0,0)~q - 50000; } { $y := $x * 2; $x := $x + $y; } 10 {(0,0)~q > -120000}\n\
                     rule : {} 10 {t}";
        let file = parse(&small(&head, rules));
        // 70000, 210000, 630000, 1890000 in x; -50000, -100000, -150000 in q.
        assert_eq!(numbers(&model(&file, 35.0)), ["1790000", "-150000"].repeat(3), "{delay}");
    }
}

/// Sixteen ports have sixteen numbers of two words.
#[test]
fn as_many_ports_have_two_words() {
    let names: Vec<String> = (0..16).map(|n| format!("p{n}")).collect();
    let sets: String = names.iter().enumerate().map(|(n, name)| format!("~{name} := {n} / 10; ")).collect();
    let head = format!("{HEAD}\nneighborports : {}", names.join(" "));
    let file = parse(&small(&head, &format!("rule : {{ {sets} }} 1 {{t}}")));
    let numbers = numbers(&model(&file, 5.0));
    assert_eq!((numbers.len(), &*numbers[15], &*numbers[33]), (48, "1.5", "0.1"));
}

#[test]
fn a_run_that_leaves_one_word_may_begin_again_with_two() {
    let file = parse(&small(HEAD, "rule : {(0,0) * 200 + 200} 1 {(0,0) < 32000}\nrule : {(0,0)} 1 {t}"));
    let narrow = model(&file, 10.0);
    assert!(!narrow.file().is_wide());
    let error = naive::run(&narrow, 0).expect_err("too large");
    let wide = narrow.with_wide_numbers(&error).expect("a model");
    assert_eq!(numbers(&wide)[0], "40200");
    assert!(wide.with_wide_numbers(&error).is_none());
    assert!(narrow.with_more_room(&error).is_none());
    let file = parse(&small(HEAD, "rule : {(0,0) * 200 + 200} 1 {t}"));
    let wide = model(&file, 10.0).with_wide_numbers(&error).expect("a model");
    let said = naive::run(&wide, 0).expect_err("too large still").to_string();
    assert!(said.contains("a number leaves the range of -2^31 to 2^31"), "{said}");
    // Whatever is not kept may be larger.
    let file = parse(&small(HEAD, "rule : {remainder((0,0) * 20000 + 30000, 20000)} 1 {t}"));
    assert!(!file.is_wide());
    assert_eq!(numbers(&model(&file, 5.0)), ["10000"; 3]);
}

#[test]
fn functions_take_large_numbers_or_end_the_run() {
    let value = |text: &str| {
        let file = parse(&small(HEAD, &format!("rule : {{{text}}} 1 {{(0,0) = 0}}\nrule : {{(0,0)}} 1 {{t}}"))).wide();
        naive::run(&model(&file, 2.0), 0).map(|(words, _)| Fixed::read(&words, 0, 2).to_string())
    };
    let known = [
        ("sqrt(1000000 * 1000)", "31622.776601684"),
        ("hip(300000, 400000)", "500000"),
        ("power(10, 9) + 40000 - 40000", "1000000000"),
        ("log(1000000) + ln(100000) * 0", "6"),
        ("round(100000.5) + trunc(-100000.5)", "-1"),
        ("sin(100000)", "0.0357487980"),
        ("cos(2000000000)", "0.4041098574"),
        ("atan(2000000000)", "1.5707963263"),
    ];
    for (text, right) in known {
        let found: f64 = value(text).expect("a number").parse().expect("a number");
        let right: f64 = right.parse().expect("a number");
        assert!((found - right).abs() < 1e-9, "{text}: {found}");
    }
    for text in ["poisson(100000)", "binomial(100000, 0.5)", "power(10, 10)", "exp(21.5)"] {
        assert!(matches!(value(text), Err(CellError::Rule { .. })), "{text}");
    }
    let drawn = parse(&small(
        HEAD,
        "rule : {uniform(-2000000, 2000000) + randInt(90000000) * 0} 1 {(0,0) = 0}\nrule : {(0,0)} 1 {t}",
    ));
    for number in numbers(&model(&drawn, 2.0)) {
        let number: f64 = number.parse().expect("a number");
        assert!(number.abs() <= 2e6 && number != 0.0, "{number}");
    }
}

#[test]
fn devices_run_it() {
    let wide = model(&parse(&small(HEAD, "rule : 100000 1 {t}")), 10.0);
    let adapter = AdapterDescription::imagined(true, 0);
    assert!(gpu::parts(&wide, 0..1, &CellOptions::default(), &adapter, false).is_ok());
}
