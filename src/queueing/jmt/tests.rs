//! Small models of JMT against the same networks by hand.

use super::{decoded, from_jmt, is_xml};
use crate::{Network, combined_digest};
use tickless_core::run::unwatched;
use tickless_device::Target;

/// Models in pieces: what JMT writes, with short names of Java packages.
mod pieces {
    /// A parameter in another one.
    pub fn sub(kind: &str, name: &str, inner: &str) -> String {
        format!("<subParameter classPath='x.{kind}' name='{name}'>{inner}</subParameter>")
    }

    pub fn value(name: &str, value: impl std::fmt::Display) -> String {
        sub("Value", name, &format!("<value>{value}</value>"))
    }

    /// An array with an entry for each class.
    pub fn array(name: &str, entries: &[(&str, String)]) -> String {
        let entry = |(class, entry): &(&str, String)| format!("<refClass>{class}</refClass>{entry}");
        let entries: String = entries.iter().map(entry).collect();
        format!("<parameter array='true' classPath='x.Array' name='{name}'>{entries}</parameter>")
    }

    pub fn one(name: &str, value: &str) -> String {
        format!("<parameter classPath='x.{name}' name='{name}'><value>{value}</value></parameter>")
    }

    /// A distribution with its numbers, as a strategy.
    pub fn law(name: &str, numbers: &[(&str, f64)]) -> String {
        let numbers: String = numbers.iter().map(|(name, number)| value(name, number)).collect();
        sub("ServiceTimeStrategy", "s", &(sub(name, "d", "") + &sub("Par", "distrPar", &numbers)))
    }

    pub fn exponential(rate: f64) -> String {
        law("Exponential", &[("lambda", rate)])
    }

    pub fn section(name: &str, inner: &str) -> String {
        format!("<section className='{name}'>{inner}</section>\n")
    }

    pub fn router(entries: &[(&str, &str)]) -> String {
        let entries: Vec<_> = entries.iter().map(|(class, kind)| (*class, sub(kind, "r", ""))).collect();
        section("Router", &array("RoutingStrategy", &entries))
    }

    pub fn node(name: &str, sections: &[String]) -> String {
        format!("<node name='{name}'>\n{}</node>\n", sections.concat())
    }

    pub fn source(name: &str, laws: &[(&str, String)], router: &str) -> String {
        let laws = section("RandomSource", &array("ServiceStrategy", laws));
        node(name, &[laws, section("ServiceTunnel", ""), router.into()])
    }

    pub fn sink(name: &str) -> String {
        node(name, &[section("JobSink", "")])
    }

    /// The line of a station: its room, and the discipline and what becomes of who finds no room, of each class.
    pub fn line(size: i32, rule: &str, put: &[(&str, &str)]) -> String {
        let rules: Vec<_> = put.iter().map(|(class, _)| (*class, value("dropStrategy", rule))).collect();
        let put: Vec<_> = put.iter().map(|(class, put)| (*class, sub(put, "p", ""))).collect();
        let inner = [
            one("size", &size.to_string()),
            array("dropStrategies", &rules),
            one("FCFSstrategy", ""),
            array("QueuePutStrategy", &put),
        ];
        section("Queue", &inner.concat())
    }

    /// A line with room for all, first come first served.
    pub fn plain(classes: &[&str]) -> String {
        line(-1, "drop", &classes.iter().map(|class| (*class, "TailStrategy")).collect::<Vec<_>>())
    }

    pub fn server(kind: &str, servers: u32, laws: &[(&str, String)], more: &str) -> String {
        section(kind, &(one("maxJobs", &servers.to_string()) + &array("ServiceStrategy", laws) + more))
    }

    pub fn open(name: &str, source: &str, priority: u32) -> String {
        format!("<userClass name='{name}' type='open' priority='{priority}' referenceSource='{source}'/>\n")
    }

    pub fn closed(name: &str, station: &str, customers: u32) -> String {
        format!(
            "<userClass name='{name}' type='closed' priority='0' customers='{customers}' referenceSource='{station}'/>\n"
        )
    }

    /// A model of classes and nodes, of connections `a>b` between blanks, and what follows them.
    pub fn model(parts: &[String], connections: &str, rest: &str) -> String {
        let connection = |one: &str| {
            let (from, to) = one.split_once('>').expect("two ends");
            format!("<connection source='{from}' target='{to}'/>\n")
        };
        let connections: String = connections.split_whitespace().map(connection).collect();
        format!("<archive>\n<sim name='m' maxSimulated='200'>\n{}{connections}{rest}</sim>\n</archive>", parts.concat())
    }
}
use pieces::*;

fn digest(text: &str) -> String {
    let model = Network::from_toml(text).unwrap_or_else(|error| panic!("{error}: {text}")).check();
    let model = model.unwrap_or_else(|error| panic!("{error}: {text}"));
    let run = crate::run(&model, 0..2, Target::Heap, Default::default(), &mut unwatched()).unwrap();
    assert!(run.outcome.iter().any(|outcome| outcome.stations.facilities[0].completions > 20), "{text}");
    combined_digest(&run.outcome).to_string()
}

/// A model of JMT runs as a network by hand.
#[track_caller]
fn same(jmt: &str, by_hand: &str) {
    let toml = from_jmt(jmt).unwrap_or_else(|error| panic!("{error}")).toml;
    assert_eq!(digest(&toml), digest(&format!("until = 200\nwarmup = 10\n{by_hand}")), "{toml}");
}

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

/// A model of one queue.
fn queue(line: &str, law: &str, server_and_more: (&str, &str)) -> String {
    let random = || router(&[("c", "RandomStrategy")]);
    let (kind, more) = server_and_more;
    let server = server(kind, 1, &[("c", law.into())], more);
    let desk = node("desk", &[line.into(), server, random()]);
    let source = source("in", &[("c", exponential(0.5))], &random());
    model(&[open("c", "in", 0), source, desk, sink("out")], "in>desk desk>out", "")
}

#[test]
fn laws_have_their_parameters_here() {
    let lognormal = format!("lognormal:{},{}", 0.125_f64.exp(), 0.125_f64.exp() * 0.25_f64.exp_m1().sqrt());
    for (name, numbers, expected) in [
        ("Exponential", &[("lambda", 4.0)][..], "exponential:0.25"),
        ("DeterministicDistr", &[("t", 2.0)], "constant:2"),
        ("DeterministicDistr", &[("t", 0.0)], "constant:0.000001"),
        ("Erlang", &[("alpha", 4.0), ("r", 2.0)], "erlang:2,0.5"),
        ("HyperExp", &[("p", 0.25), ("lambda1", 2.0), ("lambda2", 4.0)], "hyperexponential:0.25,0.5,0.25"),
        ("Uniform", &[("min", 0.5), ("max", 1.5)], "uniform:0.5,1.5"),
        ("GammaDistr", &[("alpha", 4.0), ("beta", 0.5)], "gamma:4,2"),
        ("Weibull", &[("alpha", 0.5), ("r", 2.0)], "weibull:2,0.5"),
        ("Normal", &[("mean", 2.0), ("standardDeviation", 0.5)], "normal:2,0.5"),
        ("Lognormal", &[("mu", 0.0), ("sigma", 0.5)], &lognormal),
        ("Pareto", &[("alpha", 4.0), ("k", 1.0)], "pareto:4,1,256"),
        ("CoxianDistr", &[("lambda0", 2.0), ("lambda1", 4.0), ("phi0", 0.75)], "coxian:0.5,0.25,0.25"),
    ] {
        let toml = from_jmt(&queue(&plain(&["c"]), &law(name, numbers), ("Server", ""))).unwrap().toml;
        assert!(toml.contains(&format!("service = \"{expected}\"\n")), "{name}: {toml}");
        assert!(Network::from_toml(&toml).is_ok(), "{toml}");
    }
    let matrix = |name: &str, rows: &[&[f64]]| {
        let row =
            |row: &&[f64]| sub("Object", "vector", &row.iter().map(|one| value("entry", one)).collect::<String>());
        sub("Object", name, &rows.iter().map(row).collect::<String>())
    };
    let strategy =
        |name: &str, par: String| sub("ServiceTimeStrategy", "s", &(sub(name, "d", "") + &sub("Par", "p", &par)));
    let phases = matrix("alpha", &[&[0.5, 0.5]]) + &matrix("T", &[&[-1.0, 0.5], &[0.0, -2.0]]);
    let toml = from_jmt(&queue(&plain(&["c"]), &strategy("PhaseTypeDistr", phases), ("Server", ""))).unwrap().toml;
    assert!(toml.contains("service = \"phase-type:0.5,0.5;-1,0.5;0,-2\""), "{toml}");
    let map = matrix("D0", &[&[-2.0, 1.0], &[0.0, -1.0]]) + &matrix("D1", &[&[0.5, 0.5], &[1.0, 0.0]]);
    let rates = [("lambda0", 2.0), ("lambda1", 0.5), ("sigma0", 0.25), ("sigma1", 0.125)];
    let rates: String = rates.iter().map(|(name, rate)| value(name, rate)).collect();
    for (arrivals, expected) in [
        (strategy("MAPDistr", map), "phases = { d0 = [[-2.0, 1.0], [0.0, -1.0]], d1 = [[0.5, 0.5], [1.0, 0.0]] }"),
        (
            strategy("MMPP2Distr", rates),
            "phases = { generator = [[-0.25, 0.25], [0.125, -0.125]], arrivals = [2.0, 0.5] }",
        ),
    ] {
        let plain_queue = queue(&plain(&["c"]), &exponential(4.0), ("Server", ""));
        let toml = from_jmt(&plain_queue.replacen(&exponential(0.5), &arrivals, 1)).unwrap().toml;
        assert!(toml.contains(expected), "{toml}");
        assert_eq!(digest(&toml).len(), 64);
        let error = from_jmt(&queue(&plain(&["c"]), &arrivals, ("Server", ""))).unwrap_err();
        assert!(error.fault.contains("a Markovian arrival process as service has no equal here"), "{error}");
    }
}

#[test]
fn lines_have_their_discipline_room_and_patience_here() {
    let fast = exponential(4.0);
    for (size, rule, put, expected) in [
        (-1, "drop", "HeadStrategy", "discipline = \"lcfs\"\n"),
        (-1, "drop", "LCFSPRStrategy", "discipline = \"lcfs-preemptive\"\n"),
        (-1, "drop", "RandStrategy", "discipline = \"siro\"\n"),
        (-1, "drop", "SJFStrategy", "discipline = \"sjf\"\n"),
        (4, "drop", "TailStrategy", "capacity = 4\n"),
        (4, "waiting queue", "TailStrategy", "# JMT has room for 4 here"),
        (4, "BAS blocking", "TailStrategy", "to = \"out of in\""),
    ] {
        let toml = from_jmt(&queue(&line(size, rule, &[("c", put)]), &fast, ("Server", ""))).unwrap().toml;
        assert!(toml.contains(expected), "{expected}: {toml}");
        assert_eq!(digest(&toml).len(), 64);
    }
    for (size, rule, put, expected) in [
        (-1, "drop", "SRPTStrategy", "the discipline SRPTStrategy has no equal here"),
        (4, "waiting queue", "HeadStrategy", "'waiting queue' at a station that is full has no equal here"),
        (4, "retrial", "TailStrategy", "'retrial' at a station that is full has no equal here"),
        (4, "throw", "TailStrategy", "the rule of a full station 'throw' is not known"),
    ] {
        let error = from_jmt(&queue(&line(size, rule, &[("c", put)]), &fast, ("Server", ""))).unwrap_err();
        assert!(error.fault.contains(expected) && error.place.contains("node 'desk', section Queue"), "{error}");
    }
    let leaves = array("Impatience", &[("c", exponential(0.25).replacen("ServiceTimeStrategy", "Reneging", 1))]);
    let impatient = plain(&["c"]).replacen("</section>", &format!("{leaves}</section>"), 1);
    let toml = from_jmt(&queue(&impatient, &fast, ("Server", ""))).unwrap().toml;
    assert!(toml.contains("patience = \"exponential:4\"\n"), "{toml}");
    let gps = array("PSStrategy", &[("c", sub("GPSStrategy", "g", ""))]);
    let error = from_jmt(&queue(&plain(&["c"]), &fast, ("PSServer", &gps))).unwrap_err();
    assert!(error.fault.contains("sharing by GPSStrategy has no equal here"), "{error}");
}

/// Of two stations with a line the one serves by the mean service, the other as they come.
#[test]
fn classes_have_one_order() {
    let random = || router(&[("a", "RandomStrategy"), ("b", "RandomStrategy")]);
    let laws = |a: f64, b: f64| [("a", exponential(a)), ("b", exponential(b))];
    let desk = |name, put: &str| {
        node(name, &[line(-1, "drop", &[("a", put), ("b", put)]), server("Server", 1, &laws(2.0, 4.0), ""), random()])
    };
    let of = |first: &str, second: &str| {
        let classes = [open("a", "in", 0), open("b", "in", 1), source("in", &laws(0.5, 0.5), &random())];
        let parts = [&classes[..], &[desk("one", first), desk("two", second), sink("out")]].concat();
        from_jmt(&model(&parts, "in>one one>two two>out", ""))
    };
    let toml = of("SEPTStrategy", "FCFSPRStrategyPriority").unwrap().toml;
    assert!(toml.contains("name = \"a\"\npriority = 1\n") && toml.contains("preemptive = true"), "{toml}");
    assert!(!of("FCFSPRStrategy", "TailStrategy").unwrap().toml.contains("pri"));
    let error = of("SEPTStrategy", "TailStrategy").unwrap_err();
    assert_eq!(error.place, "node 'one'");
    assert!(error.fault.starts_with("an order of classes that other stations do not have"), "{error}");
}

#[test]
fn faults_name_the_place_and_the_line() {
    let whole = queue(&plain(&["c"]), &exponential(4.0), ("Server", ""));
    let line_of = |part: &str| 1 + whole[..whole.find(part).expect(part)].matches('\n').count();
    let server = line_of("<section className='Server'>");
    for (from, to, line, said) in [
        ("<archive>", "<model>", 20, "it is no XML: "),
        (
            "<section className='Server'>",
            "<section className='Semaphore'>",
            server,
            "a station that waits for some copies",
        ),
        ("<section className='Server'>", "<section className='Oven'>", server, "the section 'Oven' is not known"),
        ("name='maxJobs'", "name='most'", server, "section Server, parameter most: the parameter 'most' is not known"),
        ("<value>1</value>", "<value>many</value>", server, "parameter maxJobs: 'many' is wrong"),
        ("<value>1</value>", "<value>0</value>", server, "'0' is wrong; it must be 1 server or more"),
        ("<value>4</value>", "<value>-4</value>", server, "'-4' is wrong; it must be above 0"),
        (
            "classPath='x.RandomStrategy'",
            "classPath='x.Compass'",
            7,
            "class 'c': the routing strategy 'Compass' is not known",
        ),
        (
            "source='desk' target='out'",
            "source='desk' target='home'",
            18,
            "'home' is wrong; it must be the name of a node",
        ),
        ("<connection source='desk' target='out'/>", "", 9, "node 'desk': it lacks a connection that leads from it"),
        ("source='desk' target='out'", "source='desk' target='in'", 18, "a connection that leads to a source, 'in',"),
        ("source='desk' target='out'", "source='out' target='desk'", 18, "a connection that leads from a sink, 'out',"),
        ("referenceSource='in'", "referenceSource='inn'", 3, "'inn' is wrong; it must be the name of a node"),
        ("<node name='desk'>", "<node name='in'>", 9, "'in' is wrong; it must be a name that nothing else has"),
        ("type='open'", "type='ajar'", 3, "class 'c': 'ajar' is wrong; it must be open or closed"),
    ] {
        let error = from_jmt(&whole.replacen(from, to, 1)).expect_err(to);
        assert!(error.to_string().contains(said) && error.line == line, "{to}: {error}");
    }
    let unserved = queue(&plain(&["c"]), "", ("Server", ""));
    let error = from_jmt(&unserved).unwrap_err();
    assert_eq!((error.line, &*error.place), (server, "node 'desk', section Server"));
    assert_eq!(error.fault, "it lacks a service of class 'c', whose jobs come here");
    let oven = queue(&plain(&["c"]), &law("Oven", &[]), ("Server", ""));
    let error = from_jmt(&oven).unwrap_err();
    assert_eq!(error.place, "node 'desk', section Server, parameter ServiceStrategy, class 'c'");
    assert!(error.fault.starts_with("the distribution 'Oven' is not known; known are Coxian, "), "{error}");
    assert!(from_jmt("<sim/>").unwrap_err().fault.contains("it lacks a node"));
    // Diamonds of routers, one behind the other: each doubles the number of ways.
    let random = || router(&[("c", "RandomStrategy")]);
    let pass = |name: String| node(&name, &[line(-1, "drop", &[]), section("ServiceTunnel", ""), random()]);
    let mut nodes = vec![open("c", "in", 0), source("in", &[("c", exponential(0.5))], &random())];
    let mut connections = "in>a0 ".to_owned();
    for step in 0..40 {
        nodes.extend(["a", "b", "c"].map(|name| pass(format!("{name}{step}"))));
        let next = if step < 39 { format!("a{}", step + 1) } else { "desk".into() };
        connections += &format!("a{step}>b{step} a{step}>c{step} b{step}>{next} c{step}>{next} ");
    }
    let service = pieces::server("Server", 1, &[("c", exponential(4.0))], "");
    nodes.extend([node("desk", &[plain(&["c"]), service, random()]), sink("out")]);
    let error = from_jmt(&model(&nodes, &(connections + "desk>out"), "")).unwrap_err();
    assert!(error.fault.contains("so many nodes without a station between them"), "{error}");
    assert!(from_jmt("<html/>").unwrap_err().fault.contains("an <archive> with a <sim>"));
}

#[test]
fn files_are_decoded_as_they_say() {
    let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?>\n<a name='caf\xe9'/>".to_vec();
    assert!(is_xml(&latin) && decoded(latin).unwrap().contains("café"));
    assert!(decoded(b"<a name='caf\xe9'/>".to_vec()).is_err());
    assert!(is_xml("\u{feff} \n<a/>".as_bytes()) && !is_xml(b"until = 5"));
}

#[test]
fn results_are_read_in_both_forms() {
    let measure = "<measure name='m' type='Response Time' referenceNode='desk' referenceUserClass='c'/>";
    let results = "<results><measure name='m' type='2' referenceStation='desk' referenceClass='c' finalValue='1.5'>
        <sample meanValue='1' lowerBound='1.25' upperBound='1.75'/><sample meanValue='1.5'/></measure></results>
        <solutions><measure measureType='Utilization' station='desk' class='' meanValue='0.5' lowerLimit='0.4' upperLimit='0.6'/>
        </solutions></archive>";
    let whole = queue(&plain(&["c"]), &exponential(4.0), ("Server", ""));
    let whole = whole.replacen("<connection", &format!("{measure}<connection"), 1).replacen("</archive>", results, 1);
    let found = from_jmt(&whole).unwrap().results;
    let told: Vec<_> = found.iter().map(|one| (&*one.measure, &*one.station, &*one.class, one.mean)).collect();
    assert_eq!(told, [("Response Time", "desk", "c", 1.5), ("Utilization", "desk", "", 0.5)]);
    assert_eq!((found[0].lower, found[0].upper, found[1].upper), (Some(1.25), Some(1.75), Some(0.6)));
}

/// The page lists what is known.
#[test]
fn the_page_has_every_distribution_strategy_and_discipline() {
    let page = include_str!("../../../docs/jmt.md");
    let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(super::laws::DISTRIBUTIONS), "{}", super::laws::DISTRIBUTIONS);
    assert!(flat.contains(super::choices::STRATEGIES), "{}", super::choices::STRATEGIES);
    for (theirs, ours, _) in super::stations::DISCIPLINES {
        let name = theirs.trim_end_matches("StrategyPriority");
        assert!(page.contains(&format!("`{name}`")) && page.contains(&format!("`{ours}`")), "{theirs}");
    }
}
