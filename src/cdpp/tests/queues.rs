//! Queues of CD++'s library.

use super::super::RuleFile;
use super::{naive, parse};
use tickless_cells::CellModel as _;
use tickless_core::run::unwatched;
use tickless_core::time::Time;

/// A row of three cells, to whose middle a queue sends the inputs of `x`; the inputs of `y` are done.
fn row(links: &str, more: &str) -> String {
    format!(
        "[top]\ncomponents : a q@Queue\nin : x y\n{links}\n[q]\npreparation : 00:00:00:007\n{more}\n[a]\ntype : cell\n\
         dim : (1,3)\ndelay : transport\ndefaultDelayTime : 5\nborder : nowrapped\nneighbors : a(0,0)\ninitialvalue : 0\n\
         in : x\nlink : x in@a(0,1)\nlocaltransition : r\n[r]\nrule : {{(0,0)}} 1 {{t}}\n"
    )
}

const LINKS: &str = "link : x in@q\nlink : y done@q\nlink : out@q x@a";

fn file(text: &str, events: &str) -> RuleFile {
    parse(text).with_events(events, "a.ev").unwrap_or_else(|e| panic!("{e}"))
}

/// The inputs of cells of a file, as words.
fn words(text: &str, events: &str) -> Vec<u32> {
    let model = file(text, events).model(Time::from_units(100.0).expect("a time"), 1);
    model.input_words().expect("something comes in").to_vec()
}

/// The same without the queue.
fn without(events: &str) -> Vec<u32> {
    words(&row("link : x x@a", "").replace("components : a q@Queue", "components : a"), events)
}

#[test]
fn the_first_goes_out_after_its_preparation_and_the_next_once_it_is_done() {
    let cases = [
        ("00:00:00:010 x 3\n00:00:00:012 x 4", "00:00:00:017 x 3"),
        ("00:00:00:010 x 3\n00:00:00:012 x 4\n00:00:00:030 y 1", "00:00:00:017 x 3\n00:00:00:037 x 4"),
        // A number that is done before it has gone out does not go out.
        ("00:00:00:010 x 3\n00:00:00:012 x 4\n00:00:00:013 y 1", "00:00:00:020 x 4"),
        ("00:00:00:010 x 3\n00:00:00:012 y 1\n00:00:00:015 x 5", "00:00:00:022 x 5"),
        // At the time at which it goes out.
        ("00:00:00:010 x 3\n00:00:00:017 y 1\n00:00:00:017 x 6", "00:00:00:017 x 3\n00:00:00:024 x 6"),
        // There is nothing to be done.
        ("00:00:00:002 y 1\n00:00:00:010 x 3\n00:00:00:098 x 1", "00:00:00:017 x 3"),
    ];
    for (events, expected) in cases {
        assert_eq!(words(&row(LINKS, ""), events), without(expected), "{events}");
    }
    assert_ne!(words(&row(LINKS, ""), cases[0].0), without("00:00:00:018 x 3"));
    let model = file(&row(LINKS, ""), cases[1].0).model(Time::from_units(42.5).expect("a time"), 1);
    let (outputs, _) = naive::run(&model, 0).unwrap_or_else(|e| panic!("{e}"));
    let found: Vec<String> = model.numbers(&outputs).map(|number| number.to_string()).collect();
    assert_eq!((found, model.space().cells()), (["0", "4", "0"].map(String::from).to_vec(), 3));
}

#[test]
fn what_comes_at_one_time_comes_in_the_order_of_the_links() {
    let text = row("link : y done@q\nlink : x in@q\nlink : out@q x@a", "");
    let events = "00:00:00:010 x 3\n00:00:00:010 x 4\n00:00:00:010 y 1";
    assert_eq!(words(&text, events), without("00:00:00:017 x 3"));
    // 3 is done at once where the links stand the other way.
    assert_eq!(words(&row(LINKS, ""), events), without("00:00:00:017 x 4"));
    // Without a preparation, too, a number goes out after numbers that come at the same time.
    let text = row(LINKS, "").replace("00:00:00:007", "00:00:00:000");
    assert_eq!(words(&text, events), without("00:00:00:010 x 4"));
}

#[test]
fn queues_hear_of_queues_and_generators() {
    let links = "link : out@g in@q\nlink : out@q in@p\nlink : out@p x@a\nlink : out@g done@q\nlink : y done@p";
    let more = "[p]\npreparation : 00:00:00:002\n[g]\ndistribution : constant\nvalue : 0.03\ninitial : 1";
    let text = row(links, more).replace("q@Queue", "p@queue q@Queue g@Generator");
    // 1 is done when it comes, and so are 2, 3 and 4: each was the only one, and none goes out.
    assert_eq!(words(&text, "").len(), without("00:00:00:200 x 1").len());
    let text = text.replace("link : out@g done@q\n", "");
    assert_eq!(words(&text, ""), without("00:00:00:009 x 1"));
}

#[test]
fn what_a_space_sends_may_wait_before_it_comes_into_another() {
    let space = |name: &str, more: &str, rule: &str| {
        format!(
            "[{name}]\ntype : cell\ndim : (1,2)\ndelay : transport\ndefaultDelayTime : 1\nborder : nowrapped\n\
             neighbors : {name}(0,0)\ninitialvalue : 0\nlocaltransition : {name}-r\n{more}\n[{name}-r]\n{rule}\n"
        )
    };
    let text = |links: &str| {
        let first = space(
            "first",
            "out : o\nlink : out@first(0,0) o",
            "rule : {(0,0) + 1} 10 {time < 25}\nrule : {(0,0)} 1 {t}",
        );
        let second = space("second", "in : i\nlink : i in@second(0,1)", "rule : {(0,0)} 1 {t}");
        format!("[top]\ncomponents : first q@queue second\n{links}\n[q]\npreparation : 0:0:0:2\n{first}{second}")
    };
    let through = parse(&text("link : o@first in@q\nlink : o@first done@q\nlink : out@q i@second"));
    assert!(through.is_fed());
    let until = Time::from_units(50.0).expect("a time");
    let fed = through.fed(until, 1, 1, &mut unwatched()).unwrap_or_else(|e| panic!("{e}"));
    let (outputs, _) = naive::run(&fed.model(until, 1), 0).unwrap_or_else(|e| panic!("{e}"));
    // 0, 1, 2 and 3 come, each is done at once, and none goes out.
    assert_eq!(outputs, [0, 0]);
    let fed = parse(&text("link : o@first in@q\nlink : out@q i@second"));
    let fed = fed.fed(until, 1, 1, &mut unwatched()).unwrap_or_else(|e| panic!("{e}"));
    let model = fed.model(until, 1);
    assert_eq!(&model.input_words().expect("something comes in")[4..6], [0, 2]);
    let ring = text("link : o@first in@q\nlink : out@q i@second\nlink : o@second done@q");
    let error = RuleFile::parse(&ring, "f.ma", |_| None).expect_err("a ring").to_string();
    assert!(error.contains("f.ma:5:17: a link that leads back to 'second' is not supported"), "{error}");
    // Inputs of a queue from a program are unknown to the cells after it.
    let program = text("link : out@p in@q\nlink : out@q i@second").replace("first q@queue", "first p@Buffer q@queue");
    assert_eq!(
        parse(&program).remarks(),
        ["the space second is left out, as p sends into it, whose behaviour is a program"]
    );
}
