//! Numbers of two words: beyond 32768.

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
    assert!(!parse(&small(HEAD, "rule : {32767.99998} 1 {t}")).is_wide());
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

#[test]
fn a_run_that_leaves_one_word_may_begin_again_with_two() {
    let file = parse(&small(HEAD, "rule : {(0,0) * 200 + 200} 1 {(0,0) < 32000}\nrule : {(0,0)} 1 {t}"));
    let narrow = model(&file, 10.0);
    let error = naive::run(&narrow, 0).expect_err("too large");
    let wide = narrow.with_wide_numbers(&error).expect("a model");
    assert_eq!(numbers(&wide)[0], "40200");
    assert!(wide.with_wide_numbers(&error).is_none());
    assert!(narrow.with_more_room(&error).is_none());
    let file = parse(&small(HEAD, "rule : {(0,0) * 200 + 200} 1 {t}"));
    let wide = model(&file, 10.0).with_wide_numbers(&error).expect("a model");
    let said = naive::run(&wide, 0).expect_err("too large still").to_string();
    assert!(said.contains("a number leaves the range of -2^37 to 2^37"), "{said}");
}

#[test]
fn functions_take_large_numbers_or_end_the_run() {
    let value = |text: &str| {
        let file = parse(&small(HEAD, &format!("rule : {{{text}}} 1 {{(0,0) = 0}}\nrule : {{(0,0)}} 1 {{t}}")));
        naive::run(&model(&file, 2.0), 0).map(|(words, _)| Fixed::read(&words, 0, 2).to_string())
    };
    assert_eq!(value("sqrt(1000000 * 1000)").expect("a number"), "31622.7766");
    assert_eq!(value("hip(300000, 400000)").expect("a number"), "500000");
    assert_eq!(value("power(10, 9) + 40000 - 40000").expect("a number"), "1000000000");
    assert_eq!(value("log(1000000) + ln(100000) * 0").expect("a number"), "6");
    assert_eq!(value("round(100000.5) + trunc(-100000.5)").expect("a number"), "-1");
    for text in ["sin(100000)", "tan(100000)", "poisson(100000)", "power(10, 12) + 40000"] {
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
fn no_device_runs_it() {
    let wide = model(&parse(&small(HEAD, "rule : 100000 1 {t}")), 10.0);
    let adapter = AdapterDescription::imagined(true, 0);
    let error = gpu::parts(&wide, 0..1, &CellOptions::default(), &adapter, false).expect_err("no kernels").to_string();
    assert!(error.contains("on the heap alone: choose --backend heap"), "{error}");
}
