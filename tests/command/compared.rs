//! `tickless compare network`.

use super::network::CLINIC;
use super::*;

#[test]
fn backends_give_the_same_replications() {
    if !has_adapter("backends_give_the_same_replications") {
        return;
    }
    let options = ["--replications", "5", "--window", "1", "--until", "2000", "--backends", "heap,wgpu"];
    let (code, value) = json(&["compare", "network", CLINIC], &options);
    assert_eq!((code, &value["equal"], &value["interrupted"]), (0, &true.into(), &false.into()));
    let runs = value["runs"].as_array().unwrap();
    for run in runs {
        for field in ["events", "digest", "statistics", "clock", "measured"] {
            assert_eq!(run[field], runs[0][field], "{} {field}", run["backend"]);
        }
        assert_eq!(run["difference"], Value::Null);
    }
    assert_eq!((runs.len(), &value["parameters"]["replications"]), (2, &5.into()));
    let (_, alone) = json(&["network", CLINIC], &options[..6]);
    assert_eq!((&alone["digest"], &alone["statistics"]), (&runs[0]["digest"], &runs[0]["statistics"]));
    let shown = text(&output(&[&["compare", "network", CLINIC], &options[2..6]].concat()).stdout);
    for part in ["equal: every backend gave the same bits", "clinic.toml", "speed-up", "heap "] {
        assert!(shown.contains(part), "'{part}' is not in:\n{shown}");
    }
}

/// In approximate time too, where a difference can be one of causality errors.
#[test]
fn backends_give_the_same_approximate_time() {
    if !has_adapter("backends_give_the_same_approximate_time") {
        return;
    }
    let options = ["--replications", "3", "--approximate", "0.7", "--until", "2000", "--backends", "heap,wgpu"];
    let (code, value) = json(&["compare", "network", CLINIC], &options);
    assert_eq!((code, &value["equal"]), (0, &true.into()));
    let runs = value["runs"].as_array().unwrap();
    assert!(runs.iter().all(|run| run["digest"] == runs[0]["digest"]), "{runs:?}");
}

#[test]
fn comparisons_that_make_no_sense_are_refused() {
    let cases: [(&[&str], &str); 5] = [
        (&[CLINIC, "--backends", "heap"], "two or more"),
        (&[CLINIC, "--backends", "heap,heap"], "the same"),
        (&["examples/networks/server.toml"], "'disks' has 4 servers"),
        (&["/nowhere/network.toml"], "cannot be read"),
        (&[CLINIC, "--replications", "0"], "see tickless compare network --help"),
    ];
    for (arguments, part) in cases {
        let refused = output(&[&["compare", "network"], arguments].concat());
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(part), "'{part}' is not in: {said}");
    }
}
