//! Stations that wait for each other for ever, where shifts, failures or patience might make them go on, and do not.

use super::multiclass_devices::{FORMS, compare};
use super::*;
use crate::adapter;

/// Two stations that are full of tokens of each other, with a line more in one of them.
fn round(full: &str, [first, second]: [&str; 2]) -> NetworkModel {
    let station = |name: &str, more: &str| {
        format!(
            "[[station]]\nname = \"{name}\"\nservice = \"exponential:1\"\ncapacity = 2\ntokens = 2\nfull = \"{full}\"\n{more}\n"
        )
    };
    let route = |from: &str, to: &str| format!("[[route]]\nfrom = \"{from}\"\nto = \"{to}\"\n");
    let text = ["until = 100\n".into(), station("a", first), station("b", second), route("a", "b"), route("b", "a")];
    model(Network::from_toml(&text.concat()).expect("a network"))
}

/// What changes nothing for two tokens of which one is served and one waits.
const IDLE: [&str; 3] = [
    "failures = { up = \"constant:1e6\", down = \"constant:1\" }",
    "failures = { use = \"constant:1e6\", down = \"constant:1\" }",
    "shifts = [[0, 1]]",
];

fn run(model: &NetworkModel) -> Result<NetworkOutcome, QueueingError> {
    let run = queueing::run(model, 0..1, Target::Heap, Default::default(), &mut unwatched());
    run.map(|mut run| run.outcome.remove(0))
}

#[test]
fn tokens_change_places_beside_servers_that_might_change() {
    let completions = |model: NetworkModel| -> u64 {
        run(&model).expect("a run").stations.facilities.iter().map(|record| record.completions).sum()
    };
    let expected = completions(round("exchanges", ["", ""]));
    assert!(expected > 100, "{expected}");
    for idle in IDLE {
        assert_eq!(completions(round("exchanges", [idle, ""])), expected, "{idle}");
        assert_eq!(completions(round("exchanges", ["", idle])), expected, "{idle}");
    }
}

#[test]
fn a_deadlock_is_found_beside_servers_that_might_change() {
    let expected = run(&round("blocks", ["", ""])).expect_err("a deadlock").to_string();
    for idle in IDLE {
        for places in [[idle, ""], ["", idle], [idle, idle]] {
            assert_eq!(run(&round("blocks", places)).expect_err("a deadlock").to_string(), expected, "{places:?}");
        }
    }
    // A second server goes on, until all tokens of its station are held.
    let later = run(&round("blocks", ["shifts = [[0, 1], [90, 2]]", ""])).expect_err("a deadlock").to_string();
    assert!(later.starts_with("at time 9"), "{later}");
    // Who leaves makes room.
    assert!(run(&round("blocks", ["patience = \"constant:80\"", ""])).is_ok());
}

/// Tokens hold all rooms where they come from, and want more where they go.
#[test]
fn units_that_nobody_gives_back_are_found_beside_what_might_change() {
    let run = |more: &str| {
        let text = format!(
            "until = 60\n[[resource]]\nname = \"room\"\nunits = 3\n\
             [[source]]\nname = \"in\"\ninterval = \"constant:1\"\nlimit = 3\nto = \"x\"\n\
             [[station]]\nname = \"x\"\nservice = \"constant:0.5\"\nservers = 3\nseizes = {{ room = 1 }}\n\
             [[station]]\nname = \"y\"\nservice = \"constant:0.5\"\nservers = 3\nseizes = {{ room = 2 }}\n{more}\n\
             [[sink]]\nname = \"out\"\n[[route]]\nfrom = \"x\"\nto = \"y\"\ndelay = 3\n[[route]]\nfrom = \"y\"\nto = \"out\"\n"
        );
        run(&model(Network::from_toml(&text).expect("a network")))
    };
    let expected = run("").expect_err("they wait for ever").to_string();
    for more in [
        "failures = { use = \"constant:10\", down = \"constant:1\" }",
        "failures = { up = \"constant:7\", down = \"constant:1\" }",
        "discipline = \"ps\"\nseizes_at = \"arrival\"",
        "setup = \"constant:0.01\"",
    ] {
        let found = run(more).expect_err("they wait for ever").to_string();
        let cycle = |error: &str| error.split("hold: ").last().map(str::to_owned);
        assert_eq!(cycle(&found), cycle(&expected), "{more}");
    }
}

fn deadlock(clock: f64, cycle: &str) -> Result<NetworkOutcome, QueueingError> {
    Err(QueueingError::Deadlock { clock, cycle: cycle.into() })
}

/// Stations, sources and routes that a text says, on the heap.
fn run_text(text: &str) -> Result<NetworkOutcome, QueueingError> {
    run(&model(Network::from_toml(text).expect("a network")))
}

/// The deadlock of two stations that are full of tokens of each other: the second one's first token is held at 4, the first one's at 5.
fn shifted(first: &str) -> String {
    format!(
        "until = 100\n[[station]]\nname = 'a'\nservice = 'constant:5'\ncapacity = 2\ntokens = 2\nfull = 'blocks'\n{first}\n\
         [[station]]\nname = 'b'\nservice = 'constant:4'\ncapacity = 2\ntokens = 2\nfull = 'blocks'\n\
         [[route]]\nfrom = 'a'\nto = 'b'\n[[route]]\nfrom = 'b'\nto = 'a'\n"
    )
}

/// What the first of these has, and when they wait for ever.
const SHIFTED: [(&str, f64); 6] = [
    ("shifts = [[0, 1]]", 5.0),
    ("shifts = [[0, 2], [1, 1]]\nshift_end = 'interrupt'", 5.0),
    ("shifts = [[0, 2], [1, 0], [2, 1]]\nshift_end = 'interrupt'", 6.0),
    ("shifts = [[0, 2], [1, 1]]\nperiod = 24\nshift_end = 'interrupt'", 97.0),
    // It is set up when its shift is over.
    ("setup = 'constant:4'\nshifts = [[0, 1], [10, 2], [12, 1]]", 14.0),
    // It is out of order as long as its shift lasts.
    ("failures = { up = 'constant:9', down = 'constant:4' }\nshifts = [[0, 1], [10, 2], [12, 1]]", 12.0),
];

/// A second server that has been there does not come back, and one that comes again serves who waits before all are held.
#[test]
fn shifts_that_are_over_make_nobody_go_on() {
    let [first, last] = ["a -> b -> a", "b -> a -> b"];
    for (shifts, clock) in SHIFTED {
        let found = run_text(&shifted(shifts));
        assert!([first, last].map(|cycle| deadlock(clock, cycle)).contains(&found), "{found:?} for {shifts}");
    }
}

/// There is room at `s` for one token of `y`, which waits for that of `t`; the one at `t` waits for its place. One of `x` is served beside
/// them until 5, and makes room that is of no use to them.
const OF_NO_USE: &str = "until = 100
[[class]]
name = 'x'
[[class]]
name = 'y'
[[station]]
name = 's'
service = 'constant:5'
servers = 2
tokens = 1
full = 'blocks'
[[station.class]]
name = 'y'
service = 'constant:1'
tokens = 1
capacity = 1
[[station]]
name = 't'
service = 'constant:2'
capacity = 1
full = 'blocks'
[[station.class]]
name = 'y'
tokens = 1
[[sink]]
name = 'out'
[[route]]
from = 's'
to = 'out'
class = 'x'
[[route]]
from = 's'
to = 't'
class = 'y'
[[route]]
from = 't'
to = 's'
class = 'y'
";

/// The same where who makes that room leaves, loses its patience in a line behind the one server, or balks that has come from `u` at 2;
/// and when they wait for ever.
fn of_no_use() -> [(String, f64); 3] {
    let impatient = "servers = 1\ntokens = 1\npatience = 'constant:7'\n";
    let comer = "[[station]]\nname = 'u'\nservice = 'constant:2'\ntokens = 1\n[[route]]\nfrom = 'u'\nto = 's'\n\
                 [[station]]\nname = 't'\n";
    let changes = [
        (&[][..], 5.0),
        (&[("'x'\n", "'x'\npriority = 1\n"), ("servers = 2\ntokens = 1\n", impatient)], 7.0),
        (&[("tokens = 1\n", "balking = [0, 1]\n"), ("[[station]]\nname = 't'\n", comer)], 2.0),
    ];
    let change = |text: String, (from, to): &(&str, &str)| text.replacen(from, to, 1);
    changes.map(|(changes, clock)| (changes.iter().fold(OF_NO_USE.to_owned(), change), clock))
}

#[test]
fn room_that_is_of_no_use_leaves_a_deadlock() {
    for (text, clock) in of_no_use() {
        assert_eq!(run_text(&text), deadlock(clock, "s -> t -> s"), "{text}");
    }
    // With room for a second token of the class nobody waits for ever.
    assert!(run_text(&OF_NO_USE.replacen("capacity = 1", "capacity = 2", 1)).is_ok());
}

/// Two stations that serve only while there is room at the other, and what the first has, beside a station with so many tokens.
fn before(first: &str, others: u32) -> String {
    format!(
        "until = 100\n[[class]]\nname = 'x'\n[[class]]\nname = 'y'\n[[sink]]\nname = 'out'\n\
         [[station]]\nname = 'a'\nservice = 'constant:3'\nfull = 'blocks-before'\ntokens = 1\n{first}\n\
         [[station]]\nname = 'b'\nservice = 'constant:2'\nfull = 'blocks-before'\ntokens = 1\ncapacity = 1\n\
         [[station]]\nname = 'c'\nservice = 'constant:1'\ntokens = {others}\n[[route]]\nfrom = 'c'\nto = 'out'\n\
         [[route]]\nfrom = 'a'\nto = 'b'\nclass = 'x'\n[[route]]\nfrom = 'a'\nto = 'out'\nclass = 'y'\n\
         [[route]]\nfrom = 'b'\nto = 'a'\n"
    )
}

/// A token of the other class leaves at 3, and the one at `b` is served until another one comes at 3.
const STOPPED_LATER: &str = "capacity = 2\nservers = 2\n[[station.class]]\nname = 'y'\ntokens = 1\n\
                             [[source]]\nname = 'in'\ninterval = 'constant:3'\nlimit = 1\nto = 'a'";

/// What the first has, how many tokens the last has, and when the others wait for ever.
const BEFORE: [(&str, u32, f64); 3] = [("capacity = 1", 1, 0.0), ("capacity = 1", 300, 0.0), (STOPPED_LATER, 1, 3.0)];

#[test]
fn deadlocks_before_the_service_are_named() {
    for (first, others, clock) in BEFORE {
        assert_eq!(run_text(&before(first, others)), deadlock(clock, "a -> b -> a"), "{first} {others}");
    }
}

/// A token at `a` is held for the room of `b` from 1 on, one at `b` for that of `a` from 2 on, and one at `f` likewise from 3 on. A second
/// server comes to `a` at 10 and takes a token that needs the room of `f`: that is when all wait for ever.
fn exchanging(until: f64) -> String {
    let station = |name: &str, time: u32, more: &str| {
        format!("[[station]]\nname = '{name}'\nservice = 'constant:{time}'\ntokens = 1\n{more}\n")
    };
    let route =
        |from: &str, to: &str, class: &str| format!("[[route]]\nfrom = '{from}'\nto = '{to}'\nclass = '{class}'\n");
    let second =
        "full = 'exchanges'\ncapacity = 2\nshifts = [[0, 1], [10, 2]]\n[[station.class]]\nname = 'y'\ntokens = 1";
    let stations = [
        station("a", 1, second),
        station("b", 2, "full = 'exchanges'\ncapacity = 1"),
        station("f", 3, "full = 'blocks-before'\ncapacity = 1"),
    ];
    let routes = [("a", "b", "x"), ("a", "f", "y"), ("b", "a", "x"), ("f", "a", "x"), ("f", "a", "y")];
    let routes = routes.map(|(from, to, class)| route(from, to, class));
    format!("until = {until}\n[[class]]\nname = 'x'\n[[class]]\nname = 'y'\n{}{}", stations.concat(), routes.concat())
}

/// The tokens of `a` and `b` that have been served change places at 10, behind the stop of the other one. At 11 and 12 they are served
/// again, and then the first of `a` is the one that waits for `f`, which does not exchange.
#[test]
fn tokens_change_places_behind_a_stop() {
    let outcome = run_text(&exchanging(11.5)).expect("a run");
    let completions: Vec<u64> = outcome.stations.facilities.iter().map(|station| station.completions).collect();
    assert_eq!(completions, [2, 1, 1]);
    // By class at each: `a` holds the first from 1 to 10 and the one that came from 11 on, and one of `y` from 10 on.
    let blocked: Vec<u128> = outcome.classes.iter().map(|class| class.blocked * 2 / UNIT).collect();
    assert_eq!(blocked, [19, 3, 16, 0, 17, 0]);
    assert_eq!(run_text(&exchanging(100.0)), deadlock(12.0, "a -> f -> a"));
}

/// Tokens of `a` and `b` wait for each other's room from 3 on. One that waits at `a` may get a room from the token that is served at `d`
/// until 5, and waits for the tool of `a` at `f` then: so all wait for ever, and those of `a` and `b` change places.
fn exchanging_for_units(until: f64) -> String {
    let station = |name: &str, time: u32, tokens: u32, more: &str| {
        format!("[[station]]\nname = '{name}'\nservice = 'constant:{time}'\ntokens = {tokens}\n{more}\n")
    };
    let route = |from: &str, to: &str| format!("[[route]]\nfrom = '{from}'\nto = '{to}'\n");
    let both = "servers = 2\ncapacity = 2\nfull = 'exchanges'\nseizes = { room = 1, tool = 1 }\nreleases = { room = 1, tool = 1 }";
    let stations = [
        station("a", 2, 2, both),
        station("b", 3, 1, "capacity = 1\nfull = 'exchanges'"),
        station("d", 5, 1, "seizes = { room = 1 }"),
        station("f", 1, 0, "seizes = { tool = 1 }\nreleases = { room = 1, tool = 1 }"),
    ];
    let routes = [route("a", "b"), route("b", "a"), route("d", "f"), route("f", "out")];
    format!(
        "until = {until}\n[[resource]]\nname = 'room'\nunits = 2\n[[resource]]\nname = 'tool'\nunits = 1\n\
         [[sink]]\nname = 'out'\n{}{}",
        stations.concat(),
        routes.concat()
    )
}

/// What they give back goes at once to the other token of `a`, which is held from 7 on.
#[test]
fn tokens_change_places_beside_units() {
    let outcome = run_text(&exchanging_for_units(7.5)).expect("a run");
    let completions: Vec<u64> = outcome.stations.facilities.iter().map(|station| station.completions).collect();
    assert_eq!(completions, [2, 1, 1, 0]);
    let blocked: Vec<u128> = outcome.classes.iter().map(|class| class.blocked * 2 / UNIT).collect();
    assert_eq!(blocked, [7, 4, 0, 0]);
    // Where one of the two does not exchange they wait for ever.
    let text = exchanging_for_units(7.5).replacen("'exchanges'", "'blocks'", 1);
    assert_eq!(run_text(&text), deadlock(5.0, "a -> b -> a"));
}

/// A token at `a` is held with the one room until 5, and still has it on its way to `b`. Another one waits for that.
const ON_ITS_WAY: &str = "until = 20
[[resource]]
name = 'room'
units = 1
[[station]]
name = 'a'
service = 'constant:1'
tokens = 2
seizes = { room = 1 }
[[station]]
name = 'b'
service = 'constant:5'
tokens = 1
capacity = 1
full = 'blocks'
releases = { room = 1 }
[[sink]]
name = 'out'
[[route]]
from = 'a'
to = 'b'
[[route]]
from = 'b'
to = 'out'
";

#[test]
fn units_on_their_way_are_not_stuck() {
    let outcome = run_text(ON_ITS_WAY).expect("a run");
    assert_eq!(outcome.sinks[0].tokens, 3);
}

#[test]
fn standstills_are_the_same_on_devices() {
    let plain = ("two that block".to_owned(), round("blocks", ["", ""]));
    let texts = SHIFTED.map(|(shifts, _)| shifted(shifts)).into_iter().chain(of_no_use().map(|(text, _)| text));
    let texts = texts.chain(BEFORE.map(|(first, others, _)| before(first, others)));
    let texts = texts.chain([11.5, 100.0].map(exchanging)).chain([7.5, 100.0].map(exchanging_for_units));
    let texts = texts.chain([ON_ITS_WAY.to_owned()]);
    let others = texts.map(|text| (text.clone(), model(Network::from_toml(&text).expect("a network"))));
    let all: Vec<_> = [plain].into_iter().chain(others).collect();
    for (form, device) in adapter::forms(&FORMS[..1]) {
        // In software each kernel takes seconds to compile: the first has that of other tests.
        let count = if adapter::in_software(device.as_ref()) { 1 } else { all.len() };
        for (what, model) in &all[..count] {
            compare(device.as_ref(), model, 0..2, &format!("{form}: {what}"));
        }
    }
}

/// Of several networks that run together the one is named in which tokens wait for ever, with the replication.
#[test]
fn the_network_and_the_replication_of_a_deadlock_are_named() {
    let with = |tokens: u32| {
        let text = "until = 100\n".to_owned()
            + &["a", "b"].map(|name| {
                format!(
                    "[[station]]\nname = \"{name}\"\nservice = \"exponential:1\"\ncapacity = 2\ntokens = {tokens}\nfull = \"blocks\"\n"
                )
            }).concat()
            + "[[route]]\nfrom = \"a\"\nto = \"b\"\n[[route]]\nfrom = \"b\"\nto = \"a\"\n";
        model(Network::from_toml(&text).expect("a network"))
    };
    let (sparse, full) = (with(1), with(2));
    let of = |target: Target<'_>| {
        let members = [(&sparse, 0..3), (&full, 4..6)];
        let ensemble = queueing::Ensemble { members: &members, take: &mut |_, _| () };
        let run = queueing::run(ensemble, (), target, Default::default(), &mut unwatched());
        run.map(|_| ()).expect_err("a deadlock")
    };
    let expected = of(Target::Heap);
    assert_eq!(expected.member, 1);
    let said = expected.error.to_string();
    assert!(
        said.starts_with("in replication 4, at time ") && said.contains("a -> b") | said.contains("b -> a"),
        "{said}"
    );
    let alone = queueing::run(&full, 4..5, Target::Heap, Default::default(), &mut unwatched()).map(|_| ());
    let alone = alone.expect_err("a deadlock").to_string();
    assert_eq!(said, format!("in replication 4, {alone}"));
    for (form, device) in adapter::forms(&FORMS[..1]) {
        let found = of(Target::Device(device.as_ref()));
        assert_eq!((found.member, found.error.to_string()), (expected.member, said.clone()), "{form}");
    }
}
