//! Models of several spaces: their inputs from each other, and refusals.

use super::super::{Fixed, RuleFile, RuleModel};
use super::{naive, parse};
use tickless_cells::CellModel;
use tickless_core::run::unwatched;
use tickless_core::time::Time;

/// A space of 1 x 3 cells with its own rules.
fn space(name: &str, more: &str, rules: &str) -> String {
    format!(
        "[{name}]\ntype : cell\ndim : (1,3)\ndelay : transport\ndefaultDelayTime : 2\nborder : nowrapped\n\
         neighbors : {name}(0,-1) {name}(0,0)\ninitialvalue : 0\nlocaltransition : {name}-r\n{more}\n[{name}-r]\n{rules}\n"
    )
}

/// Values go along the first space, whose last cell sends to the middle of the second, which adds them up.
fn chain(first: &str) -> String {
    let first = space("first", "out : o\nlink : out@first(0,2) o", first);
    let more = "in : i\nlink : i in@second(0,1)\nportInTransition : in@second(0,1) add";
    let second = space("second", more, "rule : {(0,0)} 1 {t}\n[add]\nrule : {(0,0) + portValue(in)} 3 {t}");
    format!("[top]\ncomponents : first second\nlink : o@first i@second\n{first}{second}")
}

const COUNTS: &str = "rule : {(0,0) + 1} 10 {(0,-1) = ?}\nrule : {(0,-1)} 1 {t}";

fn model(file: RuleFile, until: f64, replications: u32) -> RuleModel {
    let until = Time::from_units(until).expect("a time");
    let file = file.fed(until, 5, replications, &mut unwatched()).unwrap_or_else(|e| panic!("{e}"));
    file.model(until, 5).with_replications(replications)
}

fn values(model: &RuleModel, replication: u32) -> Vec<String> {
    let (outputs, _) = naive::run(model, replication).unwrap_or_else(|e| panic!("{e}"));
    model.numbers(&outputs).map(|number| number.to_string()).collect()
}

#[test]
fn what_one_space_sends_comes_into_the_next() {
    let file = parse(&chain(COUNTS));
    assert_eq!((file.spaces(), file.space_name(), file.is_fed()), (vec!["first", "second"], "second", true));
    let first = file.of_space("first").expect("it is there");
    assert_eq!(values(&model(first, 43.0, 1), 0), ["4", "4", "4"]);
    assert!(file.of_space("third").is_none());
    // The first space sends 1, 2, 3 at 12, 22, 32: the second has their sums 3 later, and 0 from time 0.
    for (until, sum) in [(15.0, "0"), (15.5, "1"), (25.5, "3"), (35.5, "6")] {
        assert_eq!(values(&model(file.clone(), until, 1), 0), ["0", sum, "0"], "{until}");
    }
}

#[test]
fn it_is_what_events_of_the_same_values_make() {
    let fed = model(parse(&chain(COUNTS)), 50.0, 1);
    let alone = parse(&chain(COUNTS).replace("first second", "second").replace("link : o@first", "in : o\nlink : o"));
    let events = "00:00:00:000 o 0\n00:00:00:012 o 1\n00:00:00:022 o 2\n00:00:00:032 o 3\n00:00:00:042 o 4";
    let alone = |events: &str| alone.clone().with_events(events, "a.ev").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(fed.input_words(), model(alone(events), 50.0, 1).input_words());
    let other = events.replace("o 3", "o 3.5");
    assert_ne!(fed.input_words(), model(alone(&other), 50.0, 1).input_words());
}

#[test]
fn of_one_time_the_last_counts_and_of_ports_the_one_that_changes() {
    // At 1 the last cell becomes 5, and at once 6.
    let twice = "rule : 5 1 {(0,0) = 0 and cellpos(1) = 2}\nrule : 6 0 {(0,0) = 5}\nrule : {(0,0)} 1 {t}";
    assert_eq!(values(&model(parse(&chain(twice)), 4.5, 1), 0)[1], "6");
    // Port p changes at 10 and q at 5 and 15: of p alone there are two values.
    let ports = "rule : { ~p := 3; } 10 {(0,0)~p = 0}\nrule : { ~q := 1; } 5 {time > 0 and (0,0)~q = 0}\n\
                 rule : { ~q := (0,0)~q + 1; } 5 {t}";
    let text = chain(ports).replace("out : o\nlink : out@first", "neighborports : p q\nout : o\nlink : p@first");
    assert_eq!(values(&model(parse(&text), 40.0, 1), 0)[1], "3");
    // A port that changes in the second cycle of a time in which another has changed.
    let later = "rule : { ~q := 1; } 10 {(0,0)~q = 0}\nrule : { ~p := 3; } 0 {(0,0)~p = 0}\nrule : {} 1 {t}";
    let text = chain(later).replace("out : o\nlink : out@first", "neighborports : p q\nout : o\nlink : p@first");
    let until = Time::from_units(40.0).expect("a time");
    let fed = parse(&text).fed(until, 5, 1, &mut unwatched()).unwrap_or_else(|e| panic!("{e}"));
    let sent = [(0, Fixed::ZERO), (10 << 32, "3".parse().expect("a number"))];
    assert_eq!(fed.incoming.fed, Some(vec![vec![sent.to_vec()]]));
}

#[test]
fn spaces_draw_apart() {
    let drawn = COUNTS.replace("{(0,0) + 1} 10", "{(0,0) + random} 10");
    let file = parse(&chain(&drawn));
    assert!(file.draws() && !parse(&chain(COUNTS)).draws());
    let all = model(file, 50.0, 2);
    let found: Vec<_> = (0..2).map(|r| values(&all, r)).collect();
    assert_ne!(found[0], found[1]);
    // The same rules in both: other streams.
    let rules = "rule : {random} 10 {t}";
    let both = format!("[top]\ncomponents : a b\n{}{}", space("a", "", rules), space("b", "", rules));
    let [a, b] = ["a", "b"].map(|name| values(&model(parse(&both).of_space(name).expect("it"), 11.0, 1), 0));
    assert!(a.iter().zip(&b).all(|(a, b)| a != b), "{a:?} {b:?}");
}

#[test]
fn what_cannot_be_known_before_is_refused() {
    let refused = |text: &str| RuleFile::parse(text, "f.ma", |_| None).expect_err(text).to_string();
    let ring = chain(COUNTS).replace("link : o@first i@second", "link : o@first i@second\nlink : p@second i@first");
    assert!(refused(&ring).contains("f.ma:4:17: a link that leads back to 'second' is not supported"));
    let send = chain(COUNTS).replace("out@first", "other@first");
    assert!(refused(&send).contains("the port 'other', by which cells send to another space, is not supported"));
    // Outputs of the model may be anything.
    let away = chain(COUNTS).replace("link : out@first", "link : other@first(0,0) away\nlink : out@first");
    assert_eq!(
        parse(&away.replace("link : o@first i", "out : x\nlink : away@first x\nlink : o@first i")).spaces().len(),
        2
    );
    let until = Time::from_units(50.0).expect("a time");
    let unfed = parse(&chain(COUNTS)).model(until, 5);
    let error = naive::run(&unfed, 0).expect_err("not fed").to_string();
    assert!(error.contains("let RuleFile::fed run them first"), "{error}");
    // An error of the first space ends the run.
    let file = parse(&chain("rule : 1 1 {(0,0) = 7}"));
    let error = file.fed(until, 5, 1, &mut unwatched()).expect_err("no rule").to_string();
    assert!(error.contains("test.ma: cell (0,0) at 0 ms: no rule holds"), "{error}");
    assert_eq!(unfed.space().cells(), 3);
}

/// Lines of a file without an effect give a remark.
#[test]
fn what_leads_nowhere_is_said() {
    let said = |text: &str| parse(text).remarks().join("; ");
    assert_eq!(said(&chain(COUNTS)), "");
    let deaf = chain(COUNTS).replace("link : o@first i@second", "link : o@first j@second");
    assert_eq!(said(&deaf), "what comes to the port 'j' of 'second' reaches no cell: no link of 'second' begins there");
    let silent = chain(COUNTS).replace("link : o@first", "link : p@first");
    assert_eq!(said(&silent), "nothing leaves 'first' by its port 'p': no link of 'first' ends there");
    let generator = "g@generator\nlink : out@g i@second\n[g]\ndistribution : constant\nvalue : 1\ninitialx : 4\n";
    let misspelt =
        chain(COUNTS).replace("first second\nlink : o@first i@second\n", &format!("first second {generator}"));
    let keys = "a constant generator has distribution, value, initial, increment";
    assert_eq!(said(&misspelt), format!("'initialx' of the generator 'g' is left out: {keys}"));
    // The parameters of generators with another distribution.
    let normal =
        misspelt.replace("constant\nvalue : 1\ninitialx : 4", "exponential\nmean : 1\nvalue : 4\ndeviation : 2");
    let keys = "an exponential generator has distribution, mean, initial, increment";
    let left_out = ["deviation", "value"].map(|key| format!("'{key}' of the generator 'g' is left out: {keys}"));
    assert_eq!(said(&normal), left_out.join("; "));
}

/// A space whose rules have no tuples sends numbers, whatever other spaces have.
#[test]
fn tuples_are_those_of_one_space() {
    let text = chain(COUNTS).replace("[add]\n", "[add]\nelse : pairs\n") + "[pairs]\nrule : [1,2] 1 {t}\n";
    let file = parse(&text);
    assert_eq!((file.ports().len(), file.of_space("first").expect("a space").ports().len()), (3, 0));
    let both = text.replace("rule : {(0,-1)} 1 {t}", "rule : {(0,-1)} 1 {t}\nelse : pairs");
    let error = RuleFile::parse(&both, "f.ma", |_| None).expect_err("a tuple").to_string();
    assert!(error.contains("a tuple, which 'first' may have, and which goes to another space"), "{error}");
}

/// A program that only listens to a space changes nothing there; a space into which it sends cannot run.
#[test]
fn programs_that_only_hear_are_left_out() {
    let between = |to: &str| {
        let links = format!("components : first p@Buffer second\nlink : o@first in@p\nlink : out@p i@{to}");
        chain(COUNTS).replace("components : first second\nlink : o@first i@second", &links)
    };
    let file = parse(&between("second"));
    assert_eq!((file.spaces(), file.space_name()), (vec!["first"], "first"));
    assert_eq!(file.remarks(), ["the space second is left out, as p sends into it, whose behaviour is a program"]);
    assert_eq!(values(&model(file, 43.0, 1), 0), ["4", "4", "4"]);
    // Through the space that follows, too.
    let both = between("first").replace("link : o@first in@p", "link : o@first i@second");
    let error = RuleFile::parse(&both, "f.ma", |_| None).expect_err("a program").to_string();
    assert!(
        error.contains("f.ma:2:20: the component 'p' of the type 'buffer' is not supported: its behaviour"),
        "{error}"
    );
    let hears = chain(COUNTS).replace("first second\n", "first second p@Transducer\nlink : o@first in@p\n");
    assert_eq!(parse(&hears).remarks(), ["programs are left out that only hear of cells: p"]);
}
