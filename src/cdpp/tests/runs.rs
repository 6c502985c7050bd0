//! The behaviour of whole models.

use std::path::Path;

use super::super::{Fixed, MOST_WAITING, RuleError, RuleFile};
use super::{HEAD, fixed, naive, parse, small};
use tickless_cells::{CellError, CellModel, Space};
use tickless_core::time::Time;

fn sample(name: &str) -> RuleFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cells").join(name);
    RuleFile::read(path).unwrap_or_else(|e| panic!("{e}"))
}

fn milliseconds(number: f64) -> Time {
    Time::from_units(number).expect("a time")
}

/// The last outputs of every cell before a time.
fn values(file: &RuleFile, until: f64) -> Vec<String> {
    let model = file.clone().model(milliseconds(until), 1);
    let (outputs, _) = naive::run(&model, 0).unwrap_or_else(|e| panic!("{e}"));
    model.numbers(&outputs).map(|number| number.to_string()).collect()
}

/// The living cells after a turn, by the well-known rules.
fn turn(space: &Space, alive: &[bool]) -> Vec<bool> {
    let around = |cell: u32| {
        let places = Space::moore().into_iter().filter_map(|offset| space.at(space.place(cell), offset));
        places.filter(|n| alive[*n as usize]).count()
    };
    (0..space.cells()).map(|cell| matches!((alive[cell as usize], around(cell)), (true, 2) | (_, 3))).collect()
}

#[test]
fn life_is_life() {
    let file = sample("life.ma");
    assert_eq!(file.lookahead(), milliseconds(100.0));
    let mut alive: Vec<bool> = (0..400).map(|cell| file.initial(cell) == Fixed::ONE).collect();
    let first = alive.clone();
    assert_eq!(alive.iter().filter(|a| **a).count(), 5);
    for generation in 1..=80 {
        alive = turn(file.space(), &alive);
        if generation % 16 == 0 {
            let expected: Vec<&str> = alive.iter().map(|a| if *a { "1" } else { "0" }).collect();
            assert_eq!(values(&file, f64::from(generation) * 100.0 + 1.0), expected, "generation {generation}");
        }
    }
    // A glider goes one cell down and right in 4 generations, and is where it was after 20 cells.
    assert_eq!(alive, first);
}

#[test]
fn quiet_cells_do_not_work() {
    let model = sample("life.ma").model(milliseconds(401.0), 1);
    let (_, transitions) = naive::run(&model, 0).expect("a run");
    // All of them at time 0, then only where the glider is.
    assert!((400..400 + 5 * 60).contains(&transitions), "{transitions}");
}

#[test]
fn a_forest_is_as_random_as_its_seed() {
    let file = sample("forest.ma");
    assert_eq!(file.lookahead(), milliseconds(1.0));
    let run = |seed, replication| {
        let model = file.clone().model(milliseconds(60.0), seed).with_replications(2);
        naive::run(&model, replication).expect("a run")
    };
    let first = run(1, 0);
    assert_eq!(first, run(1, 0));
    assert_ne!(first, run(2, 0));
    assert_ne!(first, run(1, 1));
    let bare = first.0.iter().filter(|word| **word == 0).count();
    assert!(bare > 10, "{bare} burnt");
}

#[test]
fn heat_uses_zones_macros_and_borders() {
    let file = sample("heat.ma");
    assert_eq!(file.lookahead(), milliseconds(10.0));
    let end = values(&file, 5000.0);
    let at = |row: usize, column: usize| end[row * 16 + column].parse::<f64>().expect("a number");
    assert_eq!([at(0, 0), at(0, 15), at(1, 0), at(15, 0)], [100.0, 100.0, 0.0, 0.0]);
    assert!(at(1, 8) > at(8, 8) && at(8, 8) > at(14, 2), "{} {} {}", at(1, 8), at(8, 8), at(14, 2));
    assert!((1..16).all(|row| (1..16).all(|column| (0.0..100.0).contains(&at(row, column)))));
}

/// A source at the left that is 1 from 1 ms on and 2 from 3 ms on, and the values of the middle.
fn pulse(delay: &str) -> RuleFile {
    let head = HEAD
        .replace("transport", delay)
        .replace("nowrapped", "nowrapped\nzone : source { (0,0) }\nzone : quiet { (0,2) }");
    let rules = "rule : {if((0,-1) = 2, 0, (0,-1))} {if((0,-1) = 1, 5, 4)} {t}\n[quiet]\nrule : 0 1 {t}\n[source]\n\
                 rule : {(0,0) + 1} {(0,0) + 1} {(0,0) < 2}\nrule : {(0,0)} 1 {t}";
    parse(&small(&head, rules))
}

#[test]
fn a_transport_delay_keeps_a_pulse_and_an_inertial_one_does_not() {
    let middle = |delay: &str, until: f64| values(&pulse(delay), until)[1].clone();
    // The source is 1 at 1 ms and 2 at 3 ms: the middle decides for 1 (due at 6), then for 0 (due at 7).
    assert_eq!(middle("transport", 6.0), "0");
    assert_eq!(middle("transport", 6.5), "1");
    // At 3 the middle was 0 itself: nothing to send. At 6 it hears itself, and is 0 again 4 later.
    assert_eq!(middle("transport", 9.9), "1");
    assert_eq!(middle("transport", 10.5), "0");
    assert_eq!(middle("inertial", 6.5), "0");
    assert_eq!(middle("inertial", 10.5), "0");
    let source = |delay: &str, until: f64| values(&pulse(delay), until)[0].clone();
    assert_eq!([source("inertial", 0.5), source("inertial", 2.9), source("inertial", 3.1)], ["0", "1", "2"]);
}

#[test]
fn of_rules_the_first_that_holds_counts() {
    let ends = |rules: &str| values(&parse(&small(HEAD, rules)), 10.0)[1].clone();
    assert_eq!(ends("rule : 3 1 {(0,0) = 0}\nrule : 4 1 {(0,0) = 0}\nrule : {(0,0)} 1 {t}"), "3");
    assert_eq!(ends("rule : 3 1 {?}\nrule : 4 1 {t}"), "4");
    assert_eq!(ends("rule : 3 1 {f}\nelse : s\n[s]\nrule : 5 1 {t}"), "5");
    assert_eq!(ends("rule : {(0,0)+1} 1 {(0,0) < 3}\nrule : ? 1 {?}"), "3");
    assert_eq!(ends("rule : {randInt(0) + 7} 1 {random < 2}"), "7");
    assert_eq!(ends("rule : 1 1 {random > 2}"), "0");
}

/// The error that ends a run of rules.
fn ended(rules: &str) -> String {
    let model = parse(&small(HEAD, rules)).model(milliseconds(100.0), 1);
    match naive::run(&model, 0).expect_err(rules) {
        CellError::Rule { what, .. } => what,
        error => panic!("{error}"),
    }
}

#[test]
fn faults_end_a_run_and_say_why() {
    assert!(ended("rule : 1 1 {(0,0) = 5}").starts_with("no rule holds"));
    assert!(ended("rule : {(0,0) * 200 + 200} 1 {t}").starts_with("a cell comes to a number beyond 32768"));
    assert!(ended("rule : 1 {-1} {t}").starts_with("a delay is negative or ?"));
    assert!(ended("rule : 1 {?} {t}").starts_with("a delay is negative or ?"));
    assert!(ended("rule : 1 1 {7 and t}").starts_with("a number other than 0, 1 and ?"));
    // A cell that hears the clock of its neighbour each ms and waits 50: more than 4 values wait.
    let rules = "rule : {(0,-1)} 50 {not isundefined((0,-1))}\nrule : {(0,0) + 1} 1 {t}";
    let full = ended(rules);
    assert!(full.starts_with("more than 4 values wait"), "{full}");
    assert!(full.ends_with(&format!("raise max_waiting to at most {MOST_WAITING}, or use shorter delays")), "{full}");
}

#[test]
fn room_may_be_chosen() {
    let rules = "rule : {(0,-1)} 12 {not isundefined((0,-1))}\nrule : {(0,0) + 1} 1 {t}";
    let file = parse(&small(HEAD, rules));
    assert!(naive::run(&file.clone().model(milliseconds(100.0), 1), 0).is_err());
    let model = file.clone().model(milliseconds(100.0), 1).with_max_waiting(13).expect("room");
    assert_eq!(model.state_words(), 2 + 3 * 13);
    let (outputs, _) = naive::run(&model, 0).expect("a run");
    assert_eq!(model.numbers(&outputs).map(|number| number.to_string()).collect::<Vec<_>>(), ["99", "87", "75"]);
    assert!(
        file.clone().model(milliseconds(1.0), 1).with_max_waiting(MOST_WAITING).expect("room").state_words() <= 1024
    );
    for room in [0, MOST_WAITING + 1] {
        assert!(matches!(
            file.clone().model(milliseconds(1.0), 1).with_max_waiting(room),
            Err(RuleError::MaxWaiting { .. })
        ));
    }
}

#[test]
fn the_lookahead_is_the_least_delay() {
    let lookahead = |rules: &str| parse(&small(HEAD, rules)).lookahead().units();
    assert_eq!(lookahead("rule : 1 100 {f}\nrule : 2 30.5 {t}"), 30.5);
    assert_eq!(lookahead("rule : 1 100 {f}\nrule : {(0,0)} 0 {t}"), 100.0);
    assert_eq!(lookahead("rule : 1 {(0,0)} {t}"), 0.0);
    assert_eq!(lookahead("rule : 1 {max((0,0), 7)} {t}"), 7.0);
    assert_eq!(lookahead("rule : 1 {uniform(5, 9) + randInt(4)} {t}"), 5.0);
    assert_eq!(lookahead("rule : 1 {if((0,0) > 1, 10, 20)} {t}"), 10.0);
    assert_eq!(lookahead("rule : 1 86400000.25 {t}"), 86_400_000.25);
    let inertial = parse(&small(&HEAD.replace("transport", "inertial"), "rule : 1 100 {f}\nrule : {(0,0)} 0 {t}"));
    assert_eq!(inertial.lookahead(), Time::ZERO);
}

#[test]
fn values_at_the_start_come_from_all_their_places() {
    let files = |name: &str| match name {
        "a.val" => Some("(1,0,1) = 5 % a comment\n\n(0,1,0)=?\n".to_owned()),
        "a.map" => Some("1 2 3 4\n5 6 7 8".to_owned()),
        _ => None,
    };
    let text = |last: &str| {
        small("delay : transport\nborder : wrapped\nneighbors : a(0,0,0)", "rule : 1 1 {t}")
            .replace("dim : (1,3)", &format!("dim : (2,2,2)\n{last}"))
    };
    let read = |last: &str| {
        let file = RuleFile::parse(&text(last), "f.ma", files).unwrap_or_else(|e| panic!("{e}"));
        (0..8).map(|cell| file.initial(cell).to_string()).collect::<Vec<_>>().join(" ")
    };
    // The cells in the order of the space: columns, then rows, then planes.
    assert_eq!(read("initialcellsvalue : a.val"), "0 ? 0 0 0 0 5 0");
    assert_eq!(read("initialmapvalue : a.map"), "1 3 5 7 2 4 6 8");
    let rows = parse(&small(&format!("{HEAD}\ninitialrow : 0 1.5 -2 ?"), "rule : 1 1 {t}"));
    assert_eq!([0, 1, 2].map(|cell| rows.initial(cell)), [fixed("1.5"), fixed("-2"), Fixed::UNDEFINED]);
}

#[test]
fn rows_are_y_and_columns_are_x() {
    let file = parse(
        "[top]\ncomponents : a\n[a]\ntype : cell\nwidth : 4\nheight : 2\ndelay : transport\nborder : nowrapped\n\
         neighbors : a(1,0) a(0,0)\ninitialvalue : 0\ninitialrowvalue : 1 0010\nlocaltransition : r\n[r]\n\
         rule : {(1,0)} 1 {cellpos(0) = 0 and cellpos(1) = 2}\nrule : {(0,0)} 1 {t}",
    );
    assert_eq!(file.space().size(), [4, 2, 1]);
    assert_eq!(values(&file, 2.0), ["0", "0", "1", "0", "0", "0", "1", "0"]);
}
