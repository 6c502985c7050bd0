//! `tickless network --max-tokens`, and networks that pass what a device holds.

use super::network::CLINIC;
use super::*;

/// Every token stays: the station is offered twenty times what it serves.
const OVERLOADED: &str = "[[station]]\nname = 'desk'\nservice = 'constant:2'\n\
                          [[source]]\nname = 'in'\ninterval = 'exponential:0.1'\nto = 'desk'\n\
                          [[sink]]\nname = 'out'\n[[route]]\nfrom = 'desk'\nto = 'out'\n";

/// Runs OVERLOADED on a device; the exit code and what was said.
fn overloaded(name: &str, options: &[&str]) -> (Option<i32>, String) {
    let file = path(name);
    std::fs::write(&file, OVERLOADED).unwrap();
    let run = ["network", file.to_str().unwrap(), "--backend", "wgpu", "--format", "json"];
    let done = output(&[&run, options].concat());
    std::fs::remove_file(&file).unwrap();
    (done.status.code(), text(&done.stderr))
}

#[test]
fn a_run_stops_at_the_limit_with_a_word() {
    if !has_adapter("a_run_stops_at_the_limit_with_a_word") {
        return;
    }
    // About 950 tokens of 1000 are there at the end.
    let (code, said) = overloaded("limit.toml", &["--max-tokens", "500"]);
    assert_eq!((code, said.lines().count()), (Some(2), 1), "{said}");
    for part in ["may have 500", "allow at least ", "--max-tokens", "at time "] {
        assert!(said.contains(part), "'{part}' is not in: {said}");
    }
    assert_eq!(overloaded("enough.toml", &["--max-tokens", "2000"]), (Some(0), String::new()));
    // The limit is over all replications that run at once.
    assert_eq!(overloaded("many.toml", &["--max-tokens", "2000", "--replications", "5"]).0, Some(2));
}

/// The smallest limit that an error names is one with which the run gets further.
#[test]
fn the_limit_that_is_named_gets_further() {
    if !has_adapter("the_limit_that_is_named_gets_further") {
        return;
    }
    let number = |said: &str, before: &str| -> f64 {
        let rest = &said[said.find(before).unwrap_or_else(|| panic!("{before} in {said}")) + before.len()..];
        rest.split_whitespace().next().unwrap().parse().unwrap_or_else(|_| panic!("{rest}"))
    };
    let (_, said) = overloaded("first.toml", &["--max-tokens", "500"]);
    let least = number(&said, "allow at least ");
    assert!(least > 500.0, "{said}");
    let (_, further) = overloaded("further.toml", &["--max-tokens", &least.to_string()]);
    assert!(number(&further, "more than ") >= least, "{said}\n{further}");
}

/// Ten replications at once need ten times the places of one: they run in parts, and all of them, whatever the time limit.
#[test]
fn the_first_ten_replications_for_a_precision_run_in_parts() {
    if !has_adapter("the_first_ten_replications_for_a_precision_run_in_parts") {
        return;
    }
    let file = path("parts.toml");
    std::fs::write(&file, OVERLOADED).unwrap();
    let run = ["network", file.to_str().unwrap()];
    let precise = ["--precision", "0.5", "--time-limit", "0.001", "--max-tokens", "2000", "--backend", "wgpu"];
    let (code, report) = json(&run, &precise);
    let (_, at_once) = json(&run, &["--replications", "10"]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!((code, &report["parameters"]["replications"]), (0, &10.into()));
    assert_eq!((&report["digest"], &report["precision"]["met"]), (&at_once["digest"], &true.into()));
}

#[test]
fn a_limit_changes_no_result() {
    if !has_adapter("a_limit_changes_no_result") {
        return;
    }
    let options = ["--backend", "wgpu", "--until", "3000", "--replications", "4"];
    let (_, base) = json(&["network", CLINIC], &options);
    let (code, limited) = json(&["network", CLINIC, "--max-tokens", "600"], &options);
    assert_eq!((code, &limited["digest"]), (0, &base["digest"]));
}

#[test]
fn a_limit_on_the_heap_is_refused() {
    for (options, part) in [
        (&["--backend", "heap", "--max-tokens", "500"][..], "the pool of a device"),
        (&["--max-tokens", "500"], "name a device with --backend wgpu"),
        (&["--max-tokens", "0"], "from 1 to"),
        (&["--max-tokens", "-1"], "from 1 to"),
    ] {
        let refused = output(&[&["network", CLINIC], options].concat());
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(part), "'{part}' is not in: {said}");
    }
}
