//! Whole networks against the same ones by hand.

use super::pieces::*;
use super::{digest, same};
use crate::jmt::from_jmt;

#[test]
fn classes_switch_and_have_priorities_and_weights() {
    let put = [("a", "TailStrategyPriority"), ("b", "TailStrategyPriority")];
    let row = |one: f64, other: f64| {
        let cells = [("a", value("cell", one)), ("b", value("cell", other))];
        let cells: String = cells.iter().map(|(class, cell)| format!("<refClass>{class}</refClass>{cell}")).collect();
        sub("Row", "row", &cells)
    };
    let matrix = section("ClassSwitch", &array("matrix", &[("a", row(1.0, 0.0)), ("b", row(0.25, 0.75))]));
    let weights = array("PSStrategy", &[("a", sub("DPSStrategy", "d", "")), ("b", sub("DPSStrategy", "d", ""))])
        + &array("serviceWeights", &[("a", value("w", 1)), ("b", value("w", 4))]);
    let random = || router(&[("a", "RandomStrategy"), ("b", "RandomStrategy")]);
    let laws = |a: f64, b: f64| [("a", exponential(a)), ("b", exponential(b))];
    let parts = [
        open("a", "in", 0),
        open("b", "in", 2),
        source("in", &laws(1.0, 0.5), &random()),
        node("desk", &[line(3, "drop", &put), server("Server", 1, &laws(2.0, 4.0), ""), random()]),
        node("switch", &[plain(&["a", "b"]), matrix, random()]),
        node("shared", &[plain(&["a", "b"]), server("PSServer", 1, &laws(4.0, 8.0), &weights), random()]),
        sink("out"),
    ];
    same(
        &model(&parts, "in>desk desk>switch switch>shared switch>out shared>out", ""),
        "
        class = [{ name = 'a', priority = 1 }, { name = 'b' }]
        station = [
            { name = 'desk', service = 'exponential:0.5', capacity = 3, class = [{ name = 'b', service = 'exponential:0.25' }] },
            { name = 'shared', service = 'exponential:0.25', discipline = 'ps', class = [
                { name = 'a', weight = 1 }, { name = 'b', service = 'exponential:0.125', weight = 4 }] },
        ]
        source = [
            { name = 'of a', interval = 'exponential:1', to = 'desk', class = 'a' },
            { name = 'of b', interval = 'exponential:2', to = 'desk', class = 'b' },
        ]
        sink = [{ name = 'out' }]
        route = [
            { from = 'desk', to = 'shared', class = 'a', probability = 0.5 },
            { from = 'desk', to = 'out', class = 'a', probability = 0.5 },
            { from = 'desk', to = 'shared', class = 'b', becomes = 'a', probability = 0.125 },
            { from = 'desk', to = 'out', class = 'b', becomes = 'a', probability = 0.125 },
            { from = 'desk', to = 'shared', class = 'b', probability = 0.375 },
            { from = 'desk', to = 'out', class = 'b', probability = 0.375 },
            { from = 'shared', to = 'out' },
        ]",
    );
}

#[test]
fn closed_classes_start_where_they_are_put_and_blocked_jobs_wait() {
    let random = || router(&[("jobs", "RandomStrategy")]);
    let delay = section("Delay", &array("ServiceStrategy", &[("jobs", exponential(0.5))]));
    let parts = [
        closed("jobs", "think", 5),
        node("think", &[plain(&["jobs"]), delay, random()]),
        node(
            "one",
            &[
                line(-1, "drop", &[("jobs", "HeadStrategy")]),
                server("Server", 2, &[("jobs", exponential(1.0))], ""),
                random(),
            ],
        ),
        node(
            "two",
            &[
                line(2, "BAS blocking", &[("jobs", "TailStrategy")]),
                server("Server", 1, &[("jobs", law("Deterministic", &[("t", 0.75)]))], ""),
                random(),
            ],
        ),
        sink("never"),
    ];
    let preload = "<preload><stationPopulations stationName='one'><classPopulation refClass='jobs' population='2'/>\
                   </stationPopulations></preload>";
    same(
        &model(&parts, "think>one one>two two>never two>think", preload),
        "
        station = [
            { name = 'think', service = 'exponential:2', servers = 'infinite', tokens = 3 },
            { name = 'one', service = 'exponential:1', servers = 2, discipline = 'lcfs', tokens = 2 },
            { name = 'two', service = 'constant:0.75', capacity = 2, full = 'blocks' },
        ]
        route = [{ from = 'think', to = 'one' }, { from = 'one', to = 'two' }, { from = 'two', to = 'think' }]",
    );
}

/// A fork with its branches, and a join.
fn fork_and_join(fork: &str) -> String {
    let random = || router(&[("c", "RandomStrategy")]);
    let disk = |name| node(name, &[plain(&["c"]), server("Server", 1, &[("c", exponential(2.0))], ""), random()]);
    let strategy = sub("NormalJoin", "j", &value("numRequired", -1));
    let join = section("Join", &array("JoinStrategy", &[("c", strategy)]));
    let parts = [
        open("c", "in", 0),
        source("in", &[("c", exponential(0.5))], &random()),
        node("fork", &[plain(&["c"]), section("ServiceTunnel", ""), section("Fork", fork)]),
        disk("left"),
        disk("right"),
        node("join", &[join, section("ServiceTunnel", ""), random()]),
        sink("out"),
    ];
    model(&parts, "in>fork fork>left fork>right left>join right>join join>out", "")
}

#[test]
fn forks_send_copies_and_joins_wait_for_all() {
    let by_hand = |routes: &str| {
        format!(
            "
            station = [
                {{ name = 'fork', service = 'constant:0.000001', servers = 'infinite', routing = 'fork' }},
                {{ name = 'left', service = 'exponential:0.5' }},
                {{ name = 'right', service = 'exponential:0.5' }},
                {{ name = 'join', service = 'constant:0.000001', servers = 'infinite', joins = true }},
            ]
            source = [{{ name = 'in', interval = 'exponential:2', to = 'fork' }}]
            sink = [{{ name = 'out' }}]
            route = [{routes} {{ from = 'left', to = 'join' }}, {{ from = 'right', to = 'join' }}, {{ from = 'join', to = 'out' }}]"
        )
    };
    let [left, right] = ["left", "right"].map(|to| format!("{{ from = 'fork', to = '{to}' }},"));
    let standard = one("jobsPerLink", "1") + &one("block", "-1");
    same(&fork_and_join(&standard), &by_hand(&format!("{left}{right}")));
    let branch = |to: &str, chosen: f64, count: u32| {
        let way =
            sub("EmpiricalEntry", "outUnitProbability", &(value("stationName", to) + &value("probability", chosen)));
        let count = sub("EmpiricalEntry", "e", &(value("numbers", count) + &value("probability", 1)));
        sub("OutPath", "OutPathEntry", &(way + &sub("EmpiricalEntry", "JobsPerLinkDis", &count)))
    };
    let advanced = |chosen: f64| {
        let branches = sub("OutPath", "EmpiricalEntryArray", &(branch("left", 1.0, 2) + &branch("right", chosen, 1)));
        standard.clone()
            + &one("isSimplifiedFork", "false")
            + &array("ForkStrategy", &[("c", sub("ProbabilitiesFork", "f", &branches))])
    };
    same(&fork_and_join(&advanced(1.0)), &by_hand(&format!("{left}{left}{right}")));
    let error = from_jmt(&fork_and_join(&advanced(0.5))).unwrap_err();
    assert!(error.place.starts_with("node 'fork', section Fork, parameter ForkStrategy, class 'c'"), "{error}");
    assert!(error.fault.contains("a fork whose number of copies is drawn"), "{error}");
}

#[test]
fn regions_are_resources_with_gates() {
    let random = || router(&[("c", "RandomStrategy")]);
    let desk =
        |name, rate| node(name, &[plain(&["c"]), server("Server", 1, &[("c", exponential(rate))], ""), random()]);
    let parts = [
        open("c", "in", 0),
        source("in", &[("c", exponential(1.0))], &random()),
        desk("first", 1.25),
        desk("second", 2.0),
        desk("last", 4.0),
        sink("out"),
    ];
    let region = |drop| {
        format!(
            "<blockingRegion name='region' type='default'><regionNode nodeName='first'/><regionNode nodeName='second'/>\
             <globalConstraint maxJobs='3'/><globalMemoryConstraint maxMemory='-1'/><dropRules jobClass='c' dropThisClass='{drop}'/>\
             <classWeight jobClass='c' weight='1'/></blockingRegion>"
        )
    };
    for (drop, patience) in [(true, ", patience = 'constant:0.000001'"), (false, "")] {
        same(
            &model(&parts, "in>first first>second second>last last>out", &region(drop)),
            &format!(
                "
                resource = [{{ name = 'region', units = 3 }}]
                station = [
                    {{ name = 'first', service = 'exponential:0.8' }},
                    {{ name = 'second', service = 'exponential:0.5' }},
                    {{ name = 'last', service = 'exponential:0.25' }},
                    {{ name = 'gone', service = 'constant:0.000001', servers = 'infinite', releases = {{ region = 1 }} }},
                    {{ name = 'gate', service = 'constant:0.000001', servers = 'infinite', seizes = {{ region = 1 }}{patience} }},
                ]
                source = [{{ name = 'in', interval = 'exponential:1', to = 'gate' }}]
                sink = [{{ name = 'out' }}]
                route = [
                    {{ from = 'gate', to = 'first' }}, {{ from = 'first', to = 'second' }}, {{ from = 'second', to = 'gone' }},
                    {{ from = 'gone', to = 'last' }}, {{ from = 'last', to = 'out' }},
                ]"
            ),
        );
    }
}

/// A source whose jobs a router sends to two queues.
fn routed(strategy: &str) -> String {
    let desk = |name| {
        let laws = [("c", exponential(1.0))];
        node(name, &[plain(&["c"]), server("Server", 1, &laws, ""), router(&[("c", "RandomStrategy")])])
    };
    let ways = section("Router", &array("RoutingStrategy", &[("c", strategy.into())]));
    let parts = [
        open("c", "in", 0),
        source("in", &[("c", exponential(1.5))], &router(&[("c", "RandomStrategy")])),
        node("ways", &[plain(&["c"]), section("ServiceTunnel", ""), ways]),
        desk("left"),
        desk("right"),
        sink("out"),
    ];
    model(&parts, "in>ways ways>left ways>right left>out right>out", "")
}

#[test]
fn routers_choose() {
    let entry = |to: &str, key: &str, number: f64| sub("Entry", "e", &(value("stationName", to) + &value(key, number)));
    let by_hand = |routing: &str, routes: &str| {
        format!(
            "
            station = [
                {{ name = 'ways', service = 'constant:0.000001', servers = 'infinite', routing = '{routing}' }},
                {{ name = 'left', service = 'exponential:1' }}, {{ name = 'right', service = 'exponential:1' }},
            ]
            source = [{{ name = 'in', interval = 'exponential:0.6666666666666666', to = 'ways' }}]
            sink = [{{ name = 'out' }}]
            route = [{{ from = 'left', to = 'out' }}, {{ from = 'right', to = 'out' }}, {routes}]"
        )
    };
    let [left, right] = ["left", "right"].map(|to| format!("{{ from = 'ways', to = '{to}' }}, "));
    same(&routed(&sub("RoundRobinStrategy", "r", "")), &by_hand("round-robin", &(left.clone() + &right)));
    let shortest = by_hand("shortest-of:44", &(left.clone() + &right));
    same(&routed(&sub("ShortestQueueLengthRoutingStrategy", "r", "")), &shortest);
    let power = |k: u32| sub("PowerOfKRoutingStrategy", "r", &(value("k", k) + &value("withMemory", false)));
    same(&routed(&power(2)), &shortest);
    assert!(from_jmt(&routed(&power(1))).unwrap_err().fault.contains("PowerOfK has no equal here"));
    let weights = entry("left", "weight", 2.0) + &entry("right", "weight", 1.0);
    let weights = sub("WeightEntry", "WeightEntryArray", &weights);
    let turns = left.clone() + &left + &right;
    same(&routed(&sub("WeightedRoundRobinStrategy", "r", &weights)), &by_hand("round-robin", &turns));
    // By probabilities it is no station, but one stands behind the source, whose jobs all go one way.
    let shares = entry("left", "probability", 0.25) + &entry("right", "probability", 0.75);
    let shares = routed(&sub("EmpiricalStrategy", "r", &sub("EmpiricalEntry", "EmpiricalEntryArray", &shares)));
    let toml = from_jmt(&shares).unwrap().toml;
    assert!(!toml.contains("\"ways\"") && toml.contains("to = \"out of in\""), "{toml}");
    assert!(toml.contains("to = \"left\"\nprobability = 0.25\n"), "{toml}");
    assert_eq!(digest(&toml).len(), 64);
}
