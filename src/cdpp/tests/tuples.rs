//! Tuples: ports that have several numbers.

use super::super::{Fixed, RuleFile};
use super::{HEAD, naive, small};
use tickless_core::time::Time;

/// A file of 1 x 3 cells that start with [1,4], [1,4] and 1.
fn file(head: &str, rules: &str) -> RuleFile {
    let head = format!("{HEAD}\n{head}\ninitialcellsvalue : a.val");
    let starts = "(0,0) = [1,4] and more\n(0,1) = [1, 4]\n(0,2) = 1\n";
    let file = RuleFile::parse(&small(&head, rules), "f.ma", |_| Some(starts.into()));
    file.unwrap_or_else(|e| panic!("{e}\n{rules}"))
}

#[test]
fn a_section_begins_behind_braces_that_are_not_closed() {
    let text = small(HEAD, "rule : [1,2] 1 {t}\n[unused]\nrule : {(0,0) 1 {t}\n[also unused]\nrule : 3 1 {t}");
    let file = RuleFile::parse(&text, "f.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(sent(&file, 0, 1.5), "1 2 2");
}

/// The last outputs of a cell before a time, on all its ports.
fn sent(file: &RuleFile, cell: usize, until: f64) -> String {
    let model = file.clone().model(Time::from_units(until).expect("a time"), 1);
    let (outputs, _) = naive::run(&model, 0).unwrap_or_else(|e| panic!("{e}"));
    let ports = file.ports().len();
    let numbers = model.numbers(&outputs).skip(cell * ports).take(ports);
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn cells_have_numbers_and_tuples_and_give_them_on() {
    let rules = "rule : {\n[\n(0,-1)!1 + 1,\n(0,0)!0\n]\n} 10 {cellpos(1) = 1 and time = 0}\n\
                 rule : {(0,-1)} 1 {cellpos(1) = 2 and (0,-1)!0 = 5}\nrule : 8 2 {cellpos(1) = 0 and (0,1)!0 = 5}\n\
                 rule : {(0,0)} 1 {t}";
    let file = file("", rules);
    assert_eq!(file.ports(), ["out", "out!1", "out!size"]);
    assert_eq!([0, 1, 2].map(|cell| sent(&file, cell, 9.5)), ["1 4 2", "1 4 2", "1 ? ?"]);
    assert_eq!([0, 1, 2].map(|cell| sent(&file, cell, 20.0)), ["8 ? ?", "5 1 2", "5 1 2"]);
}

#[test]
fn comparisons_and_components_of_values_are_known() {
    let known = [
        ("(0,-1) = (0,0)", "1"),
        ("(0,0) = (0,1)", "0"),
        ("(0,0) = [1,4]", "1"),
        ("(0,0) = [1,5]", "0"),
        ("(0,0) != [1,4,4]", "1"),
        ("[1,?] = [1]", "0"),
        ("[?] = ?", "0"),
        ("(0,1) = 1", "1"),
        ("(0,0) = 1", "0"),
        ("1 != (0,0)", "1"),
        ("(0,0)!0 = 1", "1"),
        ("(0,0)!1 + 1 = 5", "1"),
        ("(0,1)!0 = ?", "1"),
        ("(0,1)!1 = ?", "1"),
        ("(0,0)!1=4 and (0,0)!1!=2", "1"),
        ("[2,(0,1),7]!2 = 7", "1"),
        ("[2,3,7]!0 > 1", "1"),
        ("statecount(1) = 3", "1"),
        ("if((0,1) = 1, (0,0), (0,1)) = [1,4]", "1"),
        ("if(?, 3, [2]) = [2]", "1"),
        ("isundefined((0,1)!1)", "1"),
    ];
    for (text, expected) in known {
        // The longest tuple of all has three numbers.
        let file = file(
            "",
            &format!("rule : {{if({text}, 1, 0)}} 1 {{time = 0}}\nrule : [0,0,0] 1 {{f}}\nrule : {{(0,0)}} 1 {{t}}"),
        );
        assert_eq!(sent(&file, 1, 1.5), format!("{expected} ? ? ?"), "{text}");
    }
}

#[test]
fn a_tuple_waits_as_a_whole() {
    let rules = "rule : 2 4 {cellpos(1) = 0 and time = 0}\nrule : {[1,2]} 10 {cellpos(1) = 1 and time = 0}\n\
                 rule : {[9,4]} 1 {cellpos(1) = 1 and time = 4}\nrule : {(0,0)} 1 {t}";
    let file = file("", rules);
    assert_eq!([4.5, 5.5, 10.5].map(|time| sent(&file, 1, time)), ["1 4 2", "9 4 2", "1 2 2"]);
}

#[test]
fn ports_have_tuples_under_both_delays() {
    for delay in ["transport", "inertial"] {
        let rules = "rule : { ~q := [$x, (0,0)~p!0, 3]; } { $x := $x + 2; } 5 {cellpos(1) = 1 and time = 0}\n\
                     rule : { ~p := (0,-1)~q; } 1 {(0,-1)~q!2 = 3}\nrule : {} 1 {t}";
        let head = "neighborports : p q\nstatevariables : x\nstatevalues : 4";
        let text = file(head, rules);
        assert_eq!(text.ports()[..5], ["p", "p!1", "p!2", "p!size", "q"]);
        let changed = small(&HEAD.replace("transport", delay), rules)
            .replace("initialvalue : 0", &format!("initialvalue : [1,4]\n{head}"));
        let file = RuleFile::parse(&changed, "f.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(sent(&file, 1, 5.5), "1 4 ? 2 6 1 3 3", "{delay}");
        assert_eq!(sent(&file, 2, 6.5), "6 1 3 3 1 4 ? 2", "{delay}");
    }
}

#[test]
fn what_comes_in_is_a_number() {
    let head = "in : x\nlink : x in@a(0,1)\ndefaultdelaytime : 3";
    let text = small(&format!("{HEAD}\n{head}"), "rule : [7,8] 2 {(0,0) = 0 and time = 0}\nrule : {(0,0)} 1 {t}");
    let text = text.replace("components : a\n", "components : a\nin : x\nlink : x x@a\n");
    let file = RuleFile::parse(&text, "f.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
    let file = file.with_events("00:00:00:010 x 5", "a.ev").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!([12.5, 13.5].map(|time| sent(&file, 1, time)), ["7 8 2", "5 ? ?"]);
}

#[test]
fn what_is_no_tuple_is_named() {
    let shown = |text: &str| RuleFile::parse(text, "f.ma", |_| None).expect_err(text).to_string();
    let cases = [
        ("rule : {[1,2] + 1} 1 {t}", "a tuple where a number should be is not supported"),
        ("rule : {[[1,2],3]} 1 {t}", "a tuple where a number should be is not supported"),
        ("rule : 1 {[1,2]} {t}", "a tuple where a number should be is not supported"),
        ("rule : 1 1 {[1,2]}", "a tuple where a number should be is not supported"),
        ("rule : {if([1,2], 1, 2)} 1 {t}", "a tuple where a number should be is not supported"),
        ("rule : {[1,2]} 1 {(0,0)!2 = 1}", "the component is '2'; the longest tuple of the file has those from 0 to 1"),
        ("rule : {(0,0)!x} 1 {t}", "there is 'x' where the number of a component"),
        ("rule : {[1,2} 1 {t}", "there is '}' where ',' should be"),
        ("rule : {if(random < 0.5, [1,2], [3,4])} 1 {t}", "a tuple that is chosen at random is not supported"),
    ];
    for (rules, expected) in cases {
        let error = shown(&small(HEAD, rules));
        assert!(error.contains(expected), "{rules}\n{error}");
    }
    let variables = format!("{HEAD}\nstatevariables : x");
    let error = shown(&small(&variables, "rule : {1} { $x := [1,2]; } 1 {t}"));
    assert!(error.contains("a tuple where a number should be"), "{error}");
    let error = shown(&small(HEAD, "rule : 1 1 {t}").replace("initialvalue : 0", "initialvalue : [1,2"));
    assert!(error.contains("there is '[' where a tuple as in '[1,2]' should be"), "{error}");
    let many = (0..16).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let error = shown(&small(HEAD, &format!("rule : [{many}] 1 {{t}}")));
    assert!(
        error.contains("numbers of a tuple, with the one that says how many they are, pass the limit of 16"),
        "{error}"
    );
    let ports = format!("{HEAD}\nneighborports : p q r s t");
    let error = shown(&small(&ports, "rule : { ~p := [1,2,3]; } 1 {t}"));
    assert!(
        error.contains("numbers of ports, each of which has those of the longest tuple and one more, pass"),
        "{error}"
    );
    // Without tuples no cell has components.
    let file = RuleFile::parse(&small(HEAD, "rule : {if((0,0)!3 = ?, 5, 6)} 1 {t}"), "f.ma", |_| None);
    let file = file.unwrap_or_else(|e| panic!("{e}"));
    let (outputs, _) =
        naive::run(&file.model(Time::UNIT.checked_add(Time::UNIT).expect("a time"), 1), 0).expect("a run");
    assert_eq!(Fixed::from_word(outputs[1]).to_string(), "5");
}
