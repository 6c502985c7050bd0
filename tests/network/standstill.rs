//! Stations that wait for each other for ever, where shifts, failures or patience might make them go on, and do not.

use super::*;

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
