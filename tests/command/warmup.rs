//! `tickless network --warmup auto`, and what is said of a warm-up that is too short.

use super::network::CLINIC;
use super::*;

/// One slow queue that takes its time to fill: utilization 0.9.
const QUEUE: &str = "until = 20000\n[[station]]\nname = 'desk'\nservice = 'exponential:0.9'\n\
                     [[source]]\nname = 'in'\ninterval = 'exponential:1'\nto = 'desk'\n\
                     [[sink]]\nname = 'out'\n[[route]]\nfrom = 'desk'\nto = 'out'\n";

fn kinds(report: &Value) -> Vec<&str> {
    report["warnings"].as_array().unwrap().iter().map(|warning| warning["kind"].as_str().unwrap()).collect()
}

/// The report of QUEUE from a file of its own.
fn queue(name: &str, options: &[&str]) -> Value {
    let file = path(name);
    std::fs::write(&file, QUEUE).unwrap();
    let (code, report) = json(&["network", file.to_str().unwrap()], options);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(code, 0);
    report
}

#[test]
fn auto_takes_what_the_pilot_finds() {
    let report = queue("auto.toml", &["--warmup", "auto"]);
    let pilot = &report["pilot"];
    assert_eq!(report["parameters"]["warmup"], pilot["time"]);
    assert!(pilot["time"].as_f64().unwrap() > 0.0 && pilot["wall_seconds"].as_f64().unwrap() > 0.0, "{pilot}");
    assert_eq!((&pilot["too_short"], &pilot["replications"]), (&false.into(), &20.into()));
    assert!(!kinds(&report).iter().any(|kind| kind.ends_with("too_short")), "{:?}", kinds(&report));
    // The number that was found gives the same run.
    let again = queue("number.toml", &["--warmup", &pilot["time"].to_string()]);
    assert_eq!(again["digest"], report["digest"]);
}

/// The pilot's time is part of what a person waits for.
#[test]
fn the_report_says_what_the_pilot_took() {
    let shown = text(&output(&["network", CLINIC, "--warmup", "auto"]).stdout);
    let line = shown.lines().find(|line| line.trim_start().starts_with("pilot ")).unwrap_or_else(|| panic!("{shown}"));
    assert!(line.contains(" replications on the heap in ") && line.contains("before the run"), "{line}");
    assert!(
        !text(&output(&["network", CLINIC]).stdout).contains("replications on the heap"),
        "only where it was asked for"
    );
}

#[test]
fn a_horizon_that_is_too_short_is_said() {
    let report = queue("short.toml", &["--warmup", "auto", "--until", "15"]);
    assert_eq!(report["pilot"]["too_short"], true);
    let warning = report["warnings"].as_array().unwrap().iter().find(|warning| warning["kind"] == "horizon_too_short");
    let warning = warning.expect("a word on the horizon");
    assert_eq!((&warning["until"], &warning["warmup"]), (&15.0.into(), &report["pilot"]["time"]));
    assert!(warning["message"].as_str().unwrap().contains("give a longer --until"), "{warning}");
}

#[test]
fn a_warm_up_that_is_too_short_is_said() {
    let report = queue("none.toml", &["--replications", "400", "--until", "5000"]);
    let warning = report["warnings"].as_array().unwrap().iter().find(|warning| warning["kind"] == "warmup_too_short");
    let warning = warning.expect("a word on the warm-up");
    assert_eq!((&warning["warmup"], &warning["found"]), (&0.0.into(), &report["pilot"]["time"]));
    assert!(warning["message"].as_str().unwrap().contains("or --warmup auto"), "{warning}");
    let longer = queue("longer.toml", &["--warmup", "4000", "--replications", "400", "--until", "5000"]);
    assert!(!kinds(&longer).contains(&"warmup_too_short") && !longer["pilot"].is_null(), "{longer}");
    // A pilot would take longer than one replication.
    assert_eq!(queue("one.toml", &[])["pilot"], Value::Null);
}

#[test]
fn a_day_has_no_warm_up() {
    let file = path("day.toml");
    std::fs::write(&file, format!("terminating = true\n{QUEUE}")).unwrap();
    let file = file.to_str().unwrap();
    for value in ["auto", "5"] {
        let refused = output(&["network", file, "--warmup", value]);
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains("has no steady state to warm up to"), "{said}");
    }
    assert_eq!(output(&["network", file, "--until", "50"]).status.code(), Some(0));
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_warm_up_that_is_no_number_is_refused() {
    for (value, part) in [("soon", "or auto"), ("-1", "warm-up time is -1"), ("10000", "below until")] {
        let refused = output(&["network", CLINIC, "--warmup", value]);
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(part), "'{part}' is not in: {said}");
    }
}
