//! Inputs of cells from outside: generators, events, links and the rules of ports.

use super::super::RuleFile;
use super::{naive, parse};
use tickless_core::time::Time;

/// A row of four cells with an input port `x` of the model at the second cell; waiting cells hold their values.
fn row(delay: &str, more: &str, rules: &str) -> String {
    format!(
        "[top]\ncomponents : a\nin : x y\nlink : x x@a\nlink : y y@a\n[a]\ntype : cell\ndim : (1,4)\ndelay : {delay}\n\
         defaultDelayTime : 5\nborder : nowrapped\nneighbors : a(0,-1) a(0,0)\ninitialvalue : 0\nin : x y\n\
         link : x in@a(0,1)\n{more}\nlocaltransition : r\n[r]\nrule : {{(0,0)}} 1 {{t}}\n{rules}"
    )
}

/// The values of the cells before a time, in milliseconds.
fn values(text: &str, events: &str, until: f64) -> Vec<String> {
    let file = parse(text).with_events(events, "a.ev").unwrap_or_else(|e| panic!("{e}"));
    let model = file.model(Time::from_units(until).expect("a time"), 1);
    let (outputs, _) = naive::run(&model, 0).unwrap_or_else(|e| panic!("{e}"));
    model.numbers(&outputs).map(|number| number.to_string()).collect()
}

#[test]
fn without_rules_a_cell_becomes_what_comes_in_after_the_default_delay() {
    for delay in ["transport", "inertial"] {
        let text = row(delay, "", "");
        assert_eq!(values(&text, "00:00:00:010 x 2.5", 15.0), ["0", "0", "0", "0"], "{delay}");
        assert_eq!(
            values(&text, "00:00:00:010 X 2.5\n% a note\n00:01:00:000 x 9", 15.1),
            ["0", "2.5", "0", "0"],
            "{delay}"
        );
        // In an inertial cell the second takes the place of the first.
        let expected = if delay == "transport" { "2.5" } else { "0" };
        assert_eq!(values(&text, "00:00:00:010 x 2.5\n00:00:00:012 x 3", 16.0)[1], expected, "{delay}");
        assert_eq!(values(&text, "00:00:00:010 x 2.5\n00:00:00:012 x 3", 17.1)[1], "3", "{delay}");
    }
}

#[test]
fn rules_of_a_port_take_the_place_of_those_of_the_cell() {
    let more = "link : y other@a(0,1)\nportInTransition : in@a(0,1) take";
    let rules = "[take]\nrule : {(0,0) + portValue(thisPort) * 10} 1 {portValue(other) = ?}\n\
                 rule : {portValue(other) + portValue(in) * 100} 2 {t}\n";
    let text = row("transport", more, rules);
    assert_eq!(values(&text, "00:00:00:010 x 3", 12.0)[1], "30");
    // The last input by another port is known, and the input by the port itself comes unchanged.
    let events = "00:00:00:010 y 7\n00:00:00:020 x 3";
    assert_eq!(values(&text, events, 16.0)[1], "7");
    assert_eq!(values(&text, events, 22.5)[1], "307");
    // Of two at one time the first link counts; the value of the other is known.
    assert_eq!(values(&text, "00:00:00:010 y 7\n00:00:00:010 x 3", 13.0)[1], "307");
}

#[test]
fn what_comes_in_while_neighbours_send_keeps_the_rules_of_the_cell_from_being_tried() {
    let text = row("transport", "", "")
        .replace("{(0,0)} 1 {t}", "{if((0,-1) = ?, time + 1, (0,-1))} 1 {t}")
        .replace("defaultDelayTime : 5", "defaultDelayTime : 4.5");
    // The first cell sends each millisecond, and the second follows it one later.
    assert_eq!(values(&text, "", 10.5)[..2], ["10", "9"]);
    // At 9 the second does not look at what the first sends.
    assert_eq!(values(&text, "00:00:00:009 x 77", 10.5)[1], "8");
    assert_eq!(values(&text, "00:00:00:009 x 77", 11.5)[1], "10");
    assert_eq!(values(&text, "00:00:00:009 x 77", 13.7)[1], "77");
}

#[test]
fn generators_begin_at_once_and_count() {
    let text = row("transport", "", "").replace(
        "components : a\nin : x y\nlink : x x@a\nlink : y y@a",
        "components : a g@Generator\nlink : out@g x@a",
    ) + "[g]\ndistribution : constant\nvalue : 0.25\ninitial : 4\nincrement : -1\n";
    assert_eq!(values(&text, "", 5.5)[1], "4");
    assert_eq!(values(&text, "", 255.5)[1], "3");
    assert_eq!(values(&text, "", 1005.5)[1], "0");
    let file = parse(&text.replace("constant\nvalue", "exponential\nmean"));
    assert!(file.draws());
    let run =
        |seed| naive::run(&file.clone().model(Time::from_units(3000.0).expect("a time"), seed), 0).expect("a run");
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    // So many that they do not fit into memory.
    let endless = parse(&text.replace("value : 0.25", "value : 0")).model(Time::UNIT, 1);
    let error = naive::run(&endless, 0).expect_err("too many").to_string();
    assert!(error.contains("more than 4194304 numbers come into cells"), "{error}");
}

/// Numbers that need two words have them wherever they come from, and none wraps; events after every horizon do not come earlier.
#[test]
fn large_numbers_and_late_times_come_as_they_are() {
    let text = row("transport", "", "");
    let wide = |text: &str, events: &str, until: f64| {
        let file = parse(text).with_events(events, "a.ev").expect("events");
        let model = file.model(Time::from_units(until).expect("a time"), 1);
        assert!(model.file().is_wide());
        let (outputs, _) = naive::run(&model, 0).unwrap_or_else(|e| panic!("{e}"));
        model.numbers(&outputs).map(|number| number.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(wide(&text, "00:00:00:010 x 40000", 20.0)[1], "40000");
    let generator = text.replace(
        "components : a\nin : x y\nlink : x x@a\nlink : y y@a",
        "components : a g@Generator\nlink : out@g x@a",
    ) + "[g]\ndistribution : constant\nvalue : 0.002\ninitial : 32760\nincrement : 1\n";
    assert_eq!(wide(&generator, "", 25.5)[1], "32770");
    // 2^32 ms and some: before this was 0.2 s.
    assert_eq!(values(&text, "00:71582:47:496 x 7", 1000.0)[1], "0");
}

#[test]
fn what_leaves_the_space_goes_nowhere() {
    let more = "out : y\nlink : out@a(0,3) y\nlink : other@a(0,3) y";
    let text = row("transport", more, "")
        .replace("link : y y@a", "out : z\nlink : y@a z")
        .replace("{(0,0)} 1 {t}", "{(0,0) + send(other, 5) + 1} 1 {(0,0) < 3}\nrule : {(0,0)} 1 {t}");
    assert_eq!(values(&text, "", 10.0), ["3", "3", "3", "3"]);
}

#[test]
fn what_is_wrong_in_events_is_named_with_its_place() {
    let file = parse(&row("transport", "", ""));
    let cases = [
        ("00:00:01 x 1", "e.ev:1:1: the time is '00:00:01'; hours up to 999, minutes, seconds and milliseconds"),
        ("\n00:00:00:001 z 1", "e.ev:2:14: the port 'z' is unknown; the input ports of the model are x y"),
        ("00:00:00:001 x one", "e.ev:1:16: 'one': it is no number"),
        ("00:00:00:001 x", "e.ev:1:1: there is a line of 2 words where 'HH:MM:SS:mmm PORT VALUE' should be"),
        ("9999:00:00:000 x 1", "e.ev:1:1: the time is '9999:00:00:000'"),
    ];
    for (events, expected) in cases {
        let error = file.clone().with_events(events, "e.ev").expect_err(events).to_string();
        assert!(error.starts_with(expected), "{events}\n{error}");
    }
    let none = RuleFile::parse(&super::small(super::HEAD, "rule : 1 1 {t}"), "f.ma", |_| None).expect("a file");
    let error = none.with_events("00:00:00:001 x 1", "e.ev").expect_err("no port").to_string();
    assert!(error.contains("the model has none: declare it in the section 'top' as in 'in : PORT'"), "{error}");
}
