//! Rule files: the interpreter in the sequential simulator against the rules as kernels, for every operator.

use std::path::Path;

use tickless::cells::gpu::CellOptions;
use tickless::cells::rules::{RuleFile, RuleModel, corpus};
use tickless::cells::{self, CellOutcome};
use tickless::device::Target;
use tickless::random::StreamKey;
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;

fn milliseconds(number: f64) -> Time {
    Time::from_units(number).expect("a time")
}

fn expected(model: &RuleModel, replications: u32) -> CellOutcome {
    cells::run(model, 0..replications, Target::Heap, Default::default(), &mut unwatched())
        .unwrap_or_else(|e| panic!("{e}"))
        .outcome
}

#[track_caller]
fn assert_same_on_devices((model, replications): (&RuleModel, u32), forms: &[&str], what: &str) {
    let expected = expected(model, replications);
    for (form, device) in adapter::forms(forms) {
        let run = cells::run(model, 0..replications, Target::Device(&device), Default::default(), &mut unwatched());
        let run = run.unwrap_or_else(|e| panic!("{form}: {what}\n{e}"));
        assert_eq!(expected.first_difference(&run.outcome), None, "{form}: {what}");
        assert_eq!(expected.digest(), run.outcome.digest(), "{form}: {what}");
    }
}

#[test]
fn every_operator_is_the_same_on_devices() {
    let texts = corpus();
    let pairs = texts.len() - 8;
    let few = adapter::native().is_some_and(|device| adapter::in_software(&device));
    for (place, text) in texts.into_iter().enumerate() {
        // The last four come with each kind of delay: in software with one of them, by turns.
        if few && place >= pairs && (place - pairs) / 2 % 2 != (place - pairs) % 2 {
            continue;
        }
        let file = RuleFile::parse(&text, "corpus.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
        let model = file.model(milliseconds(40.0), 3);
        let room = model.most_waiting();
        let model = model.with_max_waiting(room).expect("room");
        assert_same_on_devices((&model, 2), &[["native", "words"][place / 2 % 2]], &text);
    }
}

#[test]
fn samples_are_the_same_on_devices() {
    let samples = [("life.ma", 3001.0), ("heat.ma", 600.0), ("forest.ma", 60.0), ("alarm.ma", 60_000.0)];
    for (place, (name, until)) in samples.into_iter().enumerate() {
        let file = RuleFile::read(Path::new("examples/cells").join(name)).unwrap_or_else(|e| panic!("{e}"));
        let model = file.model(milliseconds(until), 7);
        assert_same_on_devices((&model, 2), &[["native", "words"][place % 2]], name);
    }
}

/// Of a number (0,0) and another one (0,1), of any size: none leaves the range.
const OF_TWO: [&str; 27] = [
    "(0,0) * fractional((0,1))",
    "fractional((0,0)) * fractional((0,1)) * 0.0000031",
    "(0,0) * 0.3333",
    "(0,0) / 7 - (0,1) / 0.7 * 0.1",
    "(0,0) / (abs((0,1)) + 1)",
    "fractional((0,0)) / (fractional((0,1)) + 1.001)",
    "remainder((0,0), (0,1))",
    "if((0,0) < (0,1), (0,0), (0,1)) / 2 - max((0,0), 3.7) / 2",
    "round((0,0) / 2) - trunc((0,1) / 2)",
    "truncUpper((0,0) / 4) + sign((0,1))",
    "sqrt(abs((0,0)))",
    "hip(abs((0,0)) / 2, abs((0,1)) / 2)",
    "ln(abs((0,0)))",
    "log(abs((0,0)))",
    "logn(abs((0,0)) + 2, abs((0,1)) + 2)",
    "exp(remainder((0,0), 21))",
    "exp(0 - remainder(abs((0,0)), 24))",
    "sin((0,0))",
    "cos((0,0))",
    "atan((0,0))",
    "atan(tan((0,0)))",
    "asin(fractional((0,0)))",
    "acos(fractional((0,0)))",
    "power(abs(fractional((0,0))) + 0.9, trunc(remainder((0,1), 30)))",
    "power(abs(fractional((0,0))), trunc(abs((0,1))))",
    "power(1.0001, trunc(remainder((0,1), 100000)) + if((0,0) < 0, 0.5, 0))",
    "normal(fractional((0,0)), 3.3) + uniform(0, 0.1) + exponential(0.7)",
];

/// Arithmetic and functions of two words a number, on random numbers of every size.
#[test]
fn random_numbers_are_the_same_on_devices() {
    let mut stream = StreamKey::new(5, 0).stream(0);
    let mut number = || {
        let (whole, sign) = ((stream.draw() >> 1) >> (stream.draw() % 32), ["", "-"][stream.draw() as usize % 2]);
        format!("{sign}{whole}.{:010}", stream.draw())
    };
    let mut head = format!(
        "[top]\ncomponents : a\n[a]\ntype : cell\ndim : ({},40)\ndelay : transport\nborder : wrapped\n\
         neighbors : a(0,0) a(0,1)\ninitialvalue : 0\nlocaltransition : none\n",
        OF_TWO.len()
    );
    let mut rules = "[none]\nrule : {(0,0)} 1 {t}\n".to_owned();
    for (row, expression) in OF_TWO.iter().enumerate() {
        let numbers: Vec<String> = (0..40).map(|_| number()).collect();
        head += &format!("initialrow : {row} {}\nzone : z{row} {{ ({row},0)..({row},39) }}\n", numbers.join(" "));
        rules += &format!("[z{row}]\nrule : {{{expression}}} 1 {{time = 0}}\nrule : {{(0,0)}} 1 {{t}}\n");
    }
    let file = RuleFile::parse(&(head + &rules), "two.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
    assert!(file.is_wide());
    assert_same_on_devices((&file.model(milliseconds(1.5), 3), 1), &["native", "words"], "two words");
}

/// More rules than are written into a function, shared by zones, with counts and a table of parts.
#[test]
fn many_rules_are_the_same_on_devices() {
    let table = (0..6).fold("?".to_owned(), |rest, n| format!("if((0,1) = {n}, {}, {rest})", (n * 7) % 20));
    let rules: String =
        (1..17).map(|n| format!("rule : {{(0,1) + 1}} 1 {{(0,0) = {n} and truecount < {n}}}\n")).collect();
    let text = format!(
        "[top]\ncomponents : m\n[m]\ntype : cell\ndim : (6,7)\ndelay : transport\nborder : nowrapped\ninitialvalue : 1\n\
         initialrow : 2 3 9 0 1 17 ? 25\nneighbors : m(-1,0) m(0,0) m(0,1) m(1,0)\nzone : first {{ (0,0)..(2,2) }}\n\
         zone : second {{ (2,1)..(4,5) }}\nlocaltransition : many\n[first]\nrule : 5 2 {{statecount((0,1)) > 1}}\n\
         else : many\n[second]\nrule : {{{table}}} 2 {{(0,1) > 1}}\nelse : many\n\
         [many]\n{rules}rule : {{remainder(statecount(?) + (0,0) + 1, 20)}} 3 {{time < 60}}\nrule : {{(0,0)}} 1 {{t}}\n"
    );
    let file = RuleFile::parse(&text, "many.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
    let model = file.model(milliseconds(80.0), 1);
    let transitions = expected(&model, 1).transitions;
    assert!(transitions > 150, "{transitions}");
    assert_same_on_devices((&model, 1), &["native"], &text);
}

/// The faults of rules, as the file makes them: both backends say the same.
#[test]
fn faults_are_the_same_on_devices() {
    let text = |rules: &str| {
        let ports = if rules.contains('~') { "neighborports : v\nstatevariables : x\nstatevalues : 1\n" } else { "" };
        format!(
            "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (1,3)\ndelay : transport\nborder : nowrapped\n\
             neighbors : a(0,-1) a(0,0)\ninitialvalue : 0\n{ports}localtransition : r\n[r]\n{rules}\n"
        )
    };
    let cases = [
        ("rule : 1 1 {(0,0) = 5}", "no rule holds"),
        ("rule : {(0,0) * 200 + 200} 1 {t}", "a number beyond 32768"),
        ("rule : {exp((0,0) + 21.5)} 1 {t}", "a number leaves the range"),
        ("rule : {round(2147483647.9)} 1 {t}", "a number leaves the range"),
        ("rule : 1 {-1} {t}", "a delay is negative or ?"),
        ("rule : 1 {?} {t}", "a delay is negative or ?"),
        ("rule : 1 1 {7 and t}", "a number other than 0, 1 and ?"),
        (
            "rule : {(0,-1)} 50 {not isundefined((0,-1))}\nrule : {(0,0) + 1} 1 {t}",
            "values wait for their transport delay",
        ),
        ("rule : { ~v := $x; } { $x := $x * 200; } 1 {t}", "a number beyond 32768"),
        (
            "rule : { ~v := $x; } { $x := $x + 1; } 50 {not isundefined((0,-1)~v)}\nrule : { ~v := (0,0)~v + 1; } 1 {t}",
            "values wait for their transport delay",
        ),
    ];
    for (place, (rules, what)) in cases.into_iter().enumerate() {
        let file = RuleFile::parse(&text(rules), "f.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
        let model = file.model(milliseconds(100.0), 1);
        let error =
            cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect_err(rules).to_string();
        assert!(error.contains(what), "{error}");
        for (form, device) in adapter::forms(&["words"]) {
            // In software each fault once: the same rules in other words are left out.
            if adapter::in_software(device.as_ref()) && [2, 3, 5, 8].contains(&place) {
                continue;
            }
            let run = cells::run(&model, 0..1, Target::Device(&device), Default::default(), &mut unwatched());
            let error = run.expect_err(rules).to_string();
            assert!(error.contains(what), "{form}: {rules}: {error}");
        }
    }
}

/// Cells that change again and again at one time, from the start or later: the heap and devices name the same time and cell.
#[test]
fn time_that_does_not_go_on_is_an_error_of_devices() {
    let head = "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (1,2)\ndelay : transport\ndefaultDelayTime : 1\n\
                border : wrapped\nneighbors : a(0,0)\ninitialvalue : 0\nlocaltransition : r\n[r]\n";
    for (form, rules) in [
        ("native", "rule : {1 - (0,0)} 0 {t}\n"),
        ("words", "rule : {(0,0) + 1} 1000 {(0,0) < 3}\nrule : {7 - (0,0)} 0 {t}\n"),
    ] {
        let file = RuleFile::parse(&format!("{head}{rules}"), "f.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
        let model = file.model(milliseconds(9000.0), 1);
        let said =
            cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect_err(rules).to_string();
        let few = said.replace("65569 cycles", "41 cycles");
        assert_ne!(few, said);
        for (form, device) in adapter::forms(&[form]) {
            let options = CellOptions { most_cycles: Some(40), ..CellOptions::default() };
            let run = cells::run(&model, 0..1, Target::Device(&device), options, &mut unwatched());
            assert_eq!(run.expect_err(rules).to_string(), few, "{form}");
        }
    }
}

/// What a first space sends comes into a second one, which draws.
#[test]
fn spaces_that_are_sent_to_are_the_same_on_devices() {
    let space = |name: &str, more: &str| {
        format!(
            "[{name}]\ntype : cell\ndim : (4,5)\ndelay : inertial\nborder : wrapped\nneighbors : {name}(0,1) {name}(0,0)\n\
             initialvalue : 1\nlocaltransition : r\n{more}\n"
        )
    };
    let [first, second] =
        [space("a", "out : o\nlink : out@a(1,1) o"), space("b", "defaultDelayTime : 1\nin : i\nlink : i x@b(2,2)")];
    let text = format!(
        "[top]\ncomponents : a b\nlink : o@a i@b\n{first}{second}\
         [r]\nrule : {{remainder((0,1) + 2 + randInt(3), 40)}} {{2 + randInt(2)}} {{t}}\n"
    );
    let file = RuleFile::parse(&text, "spaces.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
    let file = file.fed(milliseconds(40.0), 3, 2, &mut unwatched()).unwrap_or_else(|e| panic!("{e}"));
    let model = file.model(milliseconds(40.0), 3);
    assert_same_on_devices((&model, 2), &["native"], &text);
}

/// The comparison sees a rule that gives something else in one cell.
#[test]
fn one_changed_rule_is_caught() {
    let read = |text: &str| RuleFile::parse(text, "f.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
    let texts = corpus();
    let run = |text: &str| {
        let model = read(text).model(milliseconds(8.0), 3);
        let room = model.most_waiting();
        expected(&model.with_max_waiting(room).expect("room"), 1)
    };
    let changes = [
        ("* 3 + 1", "* 3 + 1.00002"),
        ("$x + 2;", "$x + 2.00002;"),
        ("~q + 1", "~q + 2"),
        ("(0,0) + portValue(thisPort)", "(0,0) - portValue(thisPort)"),
    ];
    for (from, to) in changes {
        let text = texts.iter().find(|text| text.contains(from)).expect("a file has it");
        let other = text.replacen(from, to, 1);
        assert_ne!(run(text).first_difference(&run(&other)), None, "{from}");
    }
}
