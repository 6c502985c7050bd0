//! Laws, lines and orders of stations.

use super::pieces::*;
use super::{digest, queue};
use crate::Network;
use crate::jmt::from_jmt;

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
        (-1, "drop", "SRPTStrategy", "discipline = \"srpt\"\n"),
        (4, "drop", "TailStrategy", "capacity = 4\n"),
        (4, "waiting queue", "TailStrategy", "# JMT has room for 4 here"),
        (4, "BAS blocking", "TailStrategy", "to = \"out of in\""),
    ] {
        let toml = from_jmt(&queue(&line(size, rule, &[("c", put)]), &fast, ("Server", ""))).unwrap().toml;
        assert!(toml.contains(expected), "{expected}: {toml}");
        assert_eq!(digest(&toml).len(), 64);
    }
    for (size, rule, put, expected) in [
        (-1, "drop", "LJFStrategy", "the discipline LJFStrategy has no equal here"),
        (4, "waiting queue", "HeadStrategy", "'waiting queue' at a station that is full has no equal here"),
        (4, "retrial", "TailStrategy", "it lacks a time until jobs of class 'c' try again"),
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
    let error = of("FCFSPRStrategyPriority", "TailStrategy").unwrap_err();
    assert_eq!(error.place, "node 'one'");
    assert!(error.fault.starts_with("an order of classes that other stations do not have"), "{error}");
}
