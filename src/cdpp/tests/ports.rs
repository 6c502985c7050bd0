//! Neighbor ports and state variables: their syntax, their meaning, and refusals.

use super::super::{RuleError, RuleFile};
use super::{HEAD, naive, parse, small};
use tickless_cells::CellModel;
use tickless_core::time::Time;

/// Ports p and q, variables x and y, which are 1 and 2.
fn with_ports(delay: &str, rules: &str) -> String {
    let head = HEAD.replace("transport", delay);
    small(&format!("{head}\nneighborports : p q\nstatevariables : x y\nstatevalues : 1 2"), rules)
}

fn milliseconds(number: f64) -> Time {
    Time::from_units(number).expect("a time")
}

/// The last outputs of a cell on all its ports before a time.
fn sent(file: &RuleFile, cell: usize, until: f64) -> String {
    let model = file.clone().model(milliseconds(until), 1);
    let (outputs, _) = naive::run(&model, 0).unwrap_or_else(|e| panic!("{e}"));
    let words = outputs.chunks(model.output_words()).nth(cell).expect("a cell");
    model.numbers(words).map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

/// A source at the left, the rules in the middle, and a cell that does nothing at the right.
fn middle(delay: &str, rules: &str) -> RuleFile {
    let text = with_ports(delay, &format!("{rules}\nrule : {{}} 1 {{t}}"));
    let zones = "nowrapped\nzone : source { (0,0) }\nzone : quiet { (0,2) }";
    let more = "[quiet]\nrule : {} 1 {t}\n[source]\nrule : { ~p := 9; } 4 {time = 0}\nrule : {} 1 {t}\n";
    parse(&(text.replace("nowrapped", zones) + more))
}

#[test]
fn a_delay_sees_old_variables_and_assignments_and_values_see_new_ones() {
    let rules = "rule : { ~p := $x; ~q := $y; } { $x := $x + 1; $y := $x * 10; } {$x} { (0,0)~p = 0 }\nrule : {} 1 {t}";
    let file = parse(&with_ports("transport", rules));
    assert_eq!([sent(&file, 1, 1.0), sent(&file, 1, 1.5)], ["0 0", "2 20"]);
    // The original has assignments before the delay; here they may also be after it.
    let after = rules.replace(" { $x := $x + 1; $y := $x * 10; } {$x}", " {$x} { $x := $x + 1; $y := $x * 10; }");
    assert_ne!(after, rules);
    assert_eq!(parse(&with_ports("transport", &after)).sections[0].rules, file.sections[0].rules);
    // Assignments of a rule that does not hold have no effect, and no cell has the variables of another.
    let rules = "rule : {} { $x := 7; } 1 { cellpos(1) = 0 }\nrule : {} { $x := 8; } 1 { (0,0)~p = 5 }\n\
                 rule : { ~p := $x; } 1 { (0,0)~p = 0 }\nrule : {} 1 {t}";
    let file = parse(&with_ports("inertial", rules));
    assert_eq!([0, 1, 2].map(|cell| sent(&file, cell, 5.0)), ["0 0", "1 0", "1 0"]);
}

#[test]
fn a_transport_delay_sends_the_ports_that_a_rule_sets() {
    // Of two outputs at one time the later overrides port by port.
    let file = middle("transport", "rule : { ~q := 7; ~p := 5; } 10 {time = 0}\nrule : { ~p := 6; } 6 {time = 4}");
    assert_eq!([sent(&file, 1, 9.9), sent(&file, 1, 10.5)], ["0 0", "6 7"]);
    let model = file.model(milliseconds(20.0), 1).with_max_waiting(1).expect("room");
    assert!(naive::run(&model, 0).is_ok(), "one place is enough for one time");
    // An earlier output leaves the other port, and waiting outputs come in their time.
    let file = middle("transport", "rule : { ~q := 7; ~p := 5; } 10 {time = 0}\nrule : { ~p := 6; } 1 {time = 4}");
    assert_eq!([4.5, 5.5, 10.5].map(|time| sent(&file, 1, time)), ["0 0", "6 0", "5 7"]);
    // A port that is set to its present value does not wait.
    let file = middle("transport", "rule : { ~q := 0; ~p := 5; } 10 {time = 0}\nrule : { ~q := 3; } 2 {time = 4}");
    assert_eq!([6.5, 10.5].map(|time| sent(&file, 1, time)), ["0 3", "5 3"]);
    assert_eq!([sent(&file, 0, 4.5), sent(&file, 2, 20.0)], ["9 0", "0 0"]);
}

#[test]
fn an_inertial_delay_begins_anew_for_all_ports() {
    let file = middle("inertial", "rule : { ~q := 7; ~p := 5; } 10 {time = 0}\nrule : { ~p := 6; } 8 {time = 4}");
    assert_eq!([10.5, 11.9, 12.5].map(|time| sent(&file, 1, time)), ["0 0", "0 0", "6 7"]);
    // A waiting output goes on waiting.
    let file = middle("inertial", "rule : { ~q := 7; ~p := 5; } 10 {time = 0}\nrule : { ~p := 5; } 8 {time = 4}");
    assert_eq!([9.9, 10.5].map(|time| sent(&file, 1, time)), ["0 0", "5 7"]);
    // No port: nothing happens.
    let file = middle("inertial", "rule : { ~q := 7; ~p := 5; } 10 {time = 0}\nrule : {} 1 {time = 4}");
    assert_eq!([9.9, 10.5].map(|time| sent(&file, 1, time)), ["0 0", "5 7"]);
}

#[test]
fn neighbors_see_ports_and_counts_have_them() {
    let file = middle("transport", "rule : { ~q := (0,-1)~p + statecount(9, ~p) * 100; } 1 {(0,-1)~p = 9}");
    assert_eq!(sent(&file, 1, 6.0), "0 109");
    assert_eq!(file.ports(), ["p", "q"]);
    assert_eq!(file.variables(), ["x", "y"]);
    assert!(parse(&small(HEAD, "rule : 1 1 {t}")).ports().is_empty());
}

/// The value without a port is one more port, which is not kept if no rule uses it.
#[test]
fn the_value_without_a_port_is_another() {
    let rules = "rule : {(0,0) + 1} 1 {truecount = 3}\nrule : { ~p := (0,0); } 1 {(0,0)~p != (0,0)}\nrule : {} 1 {t}";
    let file = parse(&with_ports("transport", rules).replace("initialvalue : 0", "initialvalue : 1"));
    assert_eq!(file.ports(), ["p", "q", "out"]);
    assert_eq!(file.clone().model(Time::UNIT, 1).output_words(), 3);
    // Only the middle cell has three cells around it that are 1.
    assert_eq!([sent(&file, 1, 1.5), sent(&file, 1, 2.5), sent(&file, 0, 9.0)], ["1 1 2", "2 1 2", "1 1 1"]);
}

#[test]
fn variables_go_without_ports() {
    let rules =
        "rule : {} { $x := $x + 1; } 1 { (0,0) = 5 }\nrule : {$x} { $x := $x * 3; } 2 { $x < 20 }\nrule : {} 1 {t}";
    for delay in ["transport", "inertial"] {
        let file = parse(&with_ports(delay, rules).replace("neighborports : p q\n", ""));
        let model = file.clone().model(milliseconds(50.0), 1);
        assert_eq!(model.output_words(), 1);
        assert_eq!(model.state_words(), if delay == "transport" { 1 + 2 + 1 + 4 * 3 } else { 1 + 2 + 1 });
        assert_eq!([2.5, 4.5, 50.0].map(|time| sent(&file, 1, time)), ["3", "9", "27"], "{delay}");
    }
}

#[test]
fn a_rule_that_keeps_a_port_does_not_count_for_the_lookahead() {
    let rules = "rule : { ~p := (0,0)~p; } 1 {f}\nrule : {} { $x := 1; } 0 {f}\nrule : { ~p := (0,0)~q; } 7 {t}";
    assert_eq!(parse(&with_ports("transport", rules)).lookahead().units(), 7.0);
    assert_eq!(parse(&with_ports("inertial", rules)).lookahead().units(), 1.0);
}

#[test]
fn values_at_the_start_are_of_every_port_and_variable() {
    let files = |name: &str| match name {
        "a.val" => Some("(0,1) = 4\n".to_owned()),
        "a.var" => Some("% two each\n(0,2) = -3.5 ?\n\n(0,0)=5 6\n".to_owned()),
        _ => None,
    };
    let rules = "rule : { ~p := $x; ~q := $y; } 1 {(0,0)~q = (0,0)~p}\nrule : {} 1 {t}";
    let head = "initialcellsvalue : a.val\nInitialVariablesValue : a.var\nneighborports";
    let text = with_ports("transport", rules).replace("neighborports", head);
    let file = RuleFile::parse(&text, "f.ma", files).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!([0, 1, 2].map(|cell| sent(&file, cell, 0.5)), ["0 0", "4 4", "0 0"]);
    assert_eq!([0, 1, 2].map(|cell| sent(&file, cell, 1.5)), ["5 6", "1 2", "-3.5 ?"]);
    // Without values they are not known.
    let text = with_ports("transport", rules).replace("statevalues : 1 2", "");
    assert_eq!(sent(&parse(&text), 0, 1.5), "? ?");
}

/// As in published models: keys in any case and repeated, assignments over lines, ports in macros.
#[test]
fn what_people_write_is_read() {
    let text = "#include(m.inc)\n[top]\ncomponents : lab\n[lab]\ntype : cell\ndim : (2, 2)\ndelay : transport\n\
        defaultDelayTime : 1000\nborder : nonwrapped\nneighbors : lab(0,-1)\nneighbors : lab(-1,0) lab(0,0) lab(1,0)\n\
        initialvalue : -1\nStateVariables: conc\nstatevariables : i_sus_0 Kind\nNeighborPorts: c TY\nneighborports : value\n\
        StateValues: 500 -100 0.3\nlocaltransition : lab-rules\n\n[lab-rules]\n\
        rule : {~c := $conc; ~ty := $KIND;} {$conc:= trunc(min((1 - #macro(e)) * (0,0)~c,1)*100)/100; } 1 {(0,0)~value = -1}\n\
        rule: {\n\t\t~c \t:= (0,-1)~c; % a comment\n\t\t#macro(Set)\n\t}\n\t{\n\t\t$conc := $conc + 1;\n\t}\n\t 0\n\t{\n\
        \t\t(0,0)#macro(Is) AND\n\t\t(not isUndefined((0,-1)~c)) }\n\
        rule : {} {} 5 { stateCount(-1,~value) = 1 and #macro(North) = 2 }\nrule : { ~ty := 1 ; } 1 { t }\n";
    let inc = "#BeginMacro(e)\n0.2\n#EndMacro\n#BeginMacro(Set)\n~value := 1;\n#EndMacro\n#BeginMacro(Is)\n~value =2\n\
        #EndMacro\n#BeginMacro(North)\n(-1,0)~value\n#EndMacro";
    let file = RuleFile::parse(text, "f.ma", |_| Some(inc.into())).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(file.ports(), ["c", "ty", "value"]);
    assert_eq!(file.variables(), ["conc", "i_sus_0", "kind"]);
    let rules = &file.sections[0].rules;
    assert_eq!(rules.iter().map(|rule| rule.values.len()).collect::<Vec<_>>(), [2, 2, 0, 1]);
    assert_eq!(rules.iter().map(|rule| rule.variables.len()).collect::<Vec<_>>(), [1, 1, 0, 0]);
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let cases = [
        ("rule : { ~r := 1; } 1 {t}", "15:11: the port 'r' is unknown; the neighborports are p q"),
        ("rule : {(0,0)~r} 1 {t}", "15:15: the port 'r' is unknown; the neighborports are p q"),
        ("rule : {} 1 {$z = 1}", "15:15: the state variable 'z' is unknown; the statevariables are x y"),
        ("rule : { ~p := 1 } 1 {t}", "15:18: there is '}' where ';' should be"),
        ("rule : { ~p := 1; ~p := 2; } 1 {t}", "15:19: the port 'p' of this rule is given twice"),
        ("rule : { ~p := 1; $x := 2; } 1 {t}", "15:19: there is '$' where '~NAME := VALUE;' or '}' should be"),
        ("rule : {} { $x := 2; ~p := 1; } 1 {t}", "15:22: there is '~' where '$NAME := VALUE;' or '}' should be"),
        ("rule : { ~p := 1; send(p, 1); } 1 {t}", "15:24: the output port 'p' is unknown; a link from a cell"),
        ("rule : { ~p + 1 } 1 {t}", "15:10: there is '~' where a cell before its port, as in (0,1)~NAME"),
        ("rule : {} { $x := 2; } 1 { $y := 1; } {t}", "15:31: there is ':=' where '=' of a comparison"),
        (
            "rule : {} 1 {truecount(~p) = 1}",
            "15:14: 'truecount' of a port is not supported: write statecount(1, ~NAME)",
        ),
        (
            "rule : {} 1 {undefcount(~p) = 1}",
            "15:14: 'undefcount' of a port is not supported: write statecount(?, ~NAME)",
        ),
        ("rule : {} 1 {statecount(1, 2) = 1}", "15:14: 'statecount' takes 1 arguments and has 2"),
        ("rule : {} 1 {statecount(~p) = 1}", "15:25: there is '~' where a cell before its port"),
        ("rule : {} 1 {max(1, ~p) = 1}", "15:21: there is '~' where a cell before its port"),
    ];
    for (rules, expected) in cases {
        let error = RuleFile::parse(&with_ports("transport", rules), "f.ma", |_| None).expect_err(rules).to_string();
        assert!(error.starts_with(&format!("f.ma:{expected}")), "{rules}\n{error}");
    }
}

/// The error of a space with these declarations.
fn declaring(lines: &str) -> String {
    let files = |name: &str| match name {
        "a.val" => Some("(0,0) = x 2\n".to_owned()),
        "a.var" => Some("(0,0) = 1\n".to_owned()),
        _ => None,
    };
    let error = RuleFile::parse(&small(&format!("{HEAD}\n{lines}"), "rule : {} 1 {t}"), "f.ma", files);
    error.map(|_| ()).expect_err(lines).to_string()
}

#[test]
fn what_is_declared_wrongly_is_named_with_its_place() {
    let cases = [
        ("neighborports : a 5", "f.ma:11:19: there is '5' where the name of a port"),
        ("neighborports : a\nneighborports : a", "f.ma:12:17: the port 'a' is given twice (before at line 11)"),
        ("neighborports : out", "f.ma:11:17: the name of a port is 'out'; this is the value that a cell has besides"),
        ("neighborports : a b c d e f g h i j k l m n o p q", "f.ma:11:49: ports pass the limit of 16"),
        ("statevariables : a A", "f.ma:11:20: the state variable 'a' is given twice"),
        ("statevalues : 1", "f.ma:11:1: the section 'a' has no 'statevariables': 'statevalues' needs them"),
        ("initialvariablesvalue : a.var", "f.ma:11:1: the section 'a' has no 'statevariables'"),
        (
            "statevariables : a b\nstatevalues : 1",
            "f.ma:12:15: the number of values of state variables is '1'; there are 2",
        ),
        ("statevariables : a b\nstatevalues : 1 x", "f.ma:12:17: 'x': it is no number"),
        ("statevariables : a b\ninitialvariablesvalue : a.var", "a.var:1:9: the number of values of state variables"),
        ("statevariables : a b\ninitialvariablesvalue : no.var", "f.ma:12:25: the file 'no.var' cannot be read"),
        ("neighborports : a\ninitialcellsvalue : a.val", "a.val:1:9: 'x': it is no number"),
    ];
    for (lines, expected) in cases {
        let error = declaring(lines);
        assert!(error.starts_with(expected), "{lines}\n{error}");
    }
    let names = |count: usize, letter: char| (0..count).map(|n| format!(" {letter}{n}")).collect::<String>();
    let most = format!("neighborports :{}\nstatevariables :{}", names(16, 'p'), names(988, 's'));
    let file = parse(&small(&format!("{HEAD}\n{most}"), "rule : { ~p15 := $s987; } 1 {t}"));
    assert_eq!(file.model(Time::UNIT, 1).state_words(), 1024);
    let error = declaring(&format!("{most} one"));
    let expected = "f.ma:11:17: a cell needs 1025 words of state for 16 ports and 989 state variables, with room for what \
                    waits; there are 1024: use fewer ports or variables";
    assert!(error.starts_with(expected), "{error}");
    let text = small(&format!("{HEAD}\n{most}"), "rule : {(0,0)} 1 {t}");
    let error = RuleFile::parse(&text, "f.ma", |_| None).expect_err("too many").to_string();
    assert!(
        error.starts_with("f.ma:11:17: ports with the value without a port, which a rule uses, pass the limit"),
        "{error}"
    );
}

#[test]
fn room_is_what_ports_and_variables_leave() {
    let model = parse(&with_ports("transport", "rule : {} 1 {t}")).model(Time::UNIT, 1);
    assert_eq!((model.state_words(), model.most_waiting()), (2 + 2 + 1 + 4 * 5, 203));
    let draws = parse(&with_ports("transport", "rule : {} 1 {random < 2}")).model(Time::UNIT, 1);
    assert_eq!((draws.state_words(), draws.most_waiting()), (2 + 2 + 2 + 1 + 4 * 5, 203));
    assert_eq!(model.clone().with_max_waiting(203).expect("room").state_words(), 1020);
    let error = model.with_max_waiting(204).expect_err("no room");
    assert!(
        matches!(error, RuleError::Words { max_waiting: 204, ports: 2, variables: 2, words: 1025, most: 203 }),
        "{error}"
    );
    assert!(error.to_string().ends_with("lower max_waiting to 203, or use fewer ports or variables"), "{error}");
    let inertial = parse(&with_ports("inertial", "rule : {} 1 {t}")).model(Time::UNIT, 1);
    assert_eq!(inertial.with_max_waiting(20).expect("room").state_words(), 2 + 2 + 2);
}

/// The value without a port has the names that it has in CD++, in files with ports and in others.
#[test]
fn the_value_without_a_port_has_names() {
    let rules = "rule : { ~out := (0,0)~neighborChange + 1; } 1 { (0,0)~out < 3 }\nrule : {(0,0)} 1 {t}";
    let same = "rule : {(0,0) + 1} 1 { (0,0) < 3 }\nrule : {(0,0)} 1 {t}";
    let read = |rules: &str| parse(&small(HEAD, rules)).sections.remove(0).rules;
    assert_eq!(read(rules), read(same));
    let both = parse(&with_ports("transport", "rule : { ~p := 1; ~out := 5; } 1 { (0,0)~out = 0 }\nrule : {} 1 {t}"));
    assert_eq!((both.ports().join(" "), sent(&both, 1, 2.0)), ("p q out".into(), "1 0 5".into()));
    let twice = RuleFile::parse(&small(HEAD, "rule : { ~out := 1; ~out := 2; } 1 {t}"), "f.ma", |_| None);
    assert!(twice.expect_err("twice").to_string().contains("the port 'out' of this rule is given twice"));
}
