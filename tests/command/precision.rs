//! `tickless network --precision`.

use super::network::CLINIC;
use super::*;

fn largest(report: &Value) -> f64 {
    let mut largest: f64 = 0.0;
    let mut take = |figures: &Value, name: &str| {
        let (mean, half) = (figures[name].as_f64().unwrap(), figures["half_widths"][name].as_f64().unwrap());
        largest = largest.max(half / mean);
    };
    ["utilization", "throughput", "mean_system_time"].iter().for_each(|name| take(&report["statistics"], name));
    for station in report["stations"].as_array().unwrap() {
        ["utilization", "mean_system_time"].iter().for_each(|name| take(station, name));
    }
    largest
}

#[test]
fn replications_are_added_until_the_figures_are_precise() {
    let (code, report) = json(&["network", CLINIC], &["--precision", "0.03"]);
    let precision = &report["precision"];
    assert_eq!((code, &precision["asked"], &precision["met"]), (0, &0.03.into(), &true.into()));
    let (reached, count) = (precision["reached"].as_f64().unwrap(), report["parameters"]["replications"].as_u64());
    assert!(reached <= 0.03 && (reached - largest(&report)).abs() < 1e-12, "{reached}, {}", largest(&report));
    let count = count.unwrap();
    assert!(count > 10, "{count}");
    // The same as so many at once.
    let (_, at_once) = json(&["network", CLINIC], &["--replications", &count.to_string()]);
    for field in ["digest", "network", "stations", "sinks", "sources", "events", "measured", "clock"] {
        assert_eq!(at_once[field], report[field], "{field}");
    }
    assert_eq!(at_once["precision"], Value::Null);
}

#[test]
fn what_is_precise_at_once_takes_ten_replications() {
    let (_, report) = json(&["network", CLINIC], &["--precision", "0.9"]);
    assert_eq!(report["parameters"]["replications"], 10);
    assert_eq!(report["precision"]["met"], true);
}

#[test]
fn the_time_limit_ends_it_with_a_word() {
    let (code, report) = json(&["network", CLINIC], &["--precision", "0.00001", "--time-limit", "0.5"]);
    let precision = &report["precision"];
    assert_eq!((code, &precision["met"], &precision["time_limit_seconds"]), (0, &false.into(), &0.5.into()));
    let warning = report["warnings"].as_array().unwrap().iter().find(|w| w["kind"] == "precision_not_reached");
    let warning = warning.expect("a word on the precision");
    assert_eq!(warning["replications"], report["parameters"]["replications"]);
    assert_eq!(warning["reached"], precision["reached"]);
}

#[test]
fn batches_on_a_device_give_the_same_records() {
    if !has_adapter("batches_on_a_device_give_the_same_records") {
        return;
    }
    let options = ["--precision", "0.15", "--window", "1", "--until", "3000"];
    let (_, heap) = json(&["network", CLINIC, "--backend", "heap"], &options);
    let (_, device) = json(&["network", CLINIC, "--backend", "wgpu"], &options);
    assert!(heap["parameters"]["replications"].as_u64().unwrap() > 10);
    assert_eq!((&heap["digest"], &heap["events"]), (&device["digest"], &device["events"]));
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let cases: [(&[&str], &str); 5] = [
        (&["--precision", "0.1", "--replications", "3"], "--replications"),
        (&["--precision", "1"], "below 1"),
        (&["--precision", "-0.1"], "below 1"),
        (&["--precision", "0.1", "--time-limit", "0"], "above 0"),
        (&["--time-limit", "5"], "--precision"),
    ];
    for (options, part) in cases {
        let refused = output(&[&["network", CLINIC], options].concat());
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(part), "'{part}' is not in: {said}");
    }
}
