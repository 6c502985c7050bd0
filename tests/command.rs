//! The command itself: exit codes, fields, bad input, Ctrl-C and pipes.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// A small torus that every backend runs at once.
const SMALL: [&str; 6] = ["--side", "12", "--until", "40", "--seed", "7"];

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tickless"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn output(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn with(first: &[&str], rest: &[&str]) -> Vec<String> {
    first.iter().chain(rest).map(|text| (*text).to_owned()).collect()
}

/// The exit code and the JSON of a command that writes nothing to standard error.
fn json(first: &[&str], rest: &[&str]) -> (i32, Value) {
    let arguments = with(first, rest);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(["--format", "json"]).collect();
    let output = output(&arguments);
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Whether there is an adapter. Having none is a failure in CI and said aloud elsewhere.
fn has_adapter(test: &str) -> bool {
    let (_, devices) = json(&["devices"], &[]);
    let found = devices["adapters"].as_array().is_some_and(|adapters| !adapters.is_empty());
    if !found {
        assert!(
            std::env::var_os("CI").is_none(),
            "{test}: CI needs an adapter; mesa-vulkan-drivers has a software one"
        );
        // Past the capture of the test harness, so that it is seen.
        let _ = writeln!(std::io::stderr(), "skipped: {test}: this machine has no adapter");
    }
    found
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// A path for this process and test alone.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()))
}

#[test]
fn torus_json_has_every_documented_field() {
    let (code, value) = json(&["torus", "--backend", "heap"], &SMALL);
    assert_eq!(code, 0);
    let mut expected = vec![
        "model",
        "version",
        "parameters",
        "seed",
        "backend",
        "adapter",
        "events",
        "rounds",
        "clock",
        "measured",
        "wall_seconds",
        "setup_seconds",
        "device_seconds",
        "completions_per_second",
        "statistics",
        "digest",
        "interrupted",
        "warnings",
    ];
    let mut found = keys(&value);
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!((&value["model"], &value["backend"]), (&"torus".into(), &"heap".into()));
    assert_eq!(
        (&value["adapter"], &value["rounds"], &value["interrupted"]),
        (&Value::Null, &Value::Null, &false.into())
    );
    assert_eq!((&value["seed"], &value["clock"]), (&7.into(), &40.0.into()));
    assert_eq!(value["digest"].as_str().unwrap().len(), 64);
    assert_eq!(value["parameters"]["effective_service"], "1 + S·(10 - 1)/10");
    assert_eq!(value["statistics"]["tokens_present"], 144);
    let warning = &value["warnings"][0];
    assert_eq!((&warning["kind"], &warning["coefficient_of_variation"]), (&"shifted_law".into(), &0.9.into()));
    assert!(warning["message"].as_str().unwrap().contains("its mean stays 10"));
}

/// The documented fields and the real ones are the same list.
#[test]
fn the_document_names_every_field() {
    let document = include_str!("../docs/json.md");
    let (_, torus) = json(&["torus", "--backend", "heap"], &SMALL);
    let (_, devices) = json(&["devices"], &[]);
    let mut names = keys(&torus);
    for inner in [&torus["parameters"], &torus["statistics"], &torus["warnings"][0]] {
        names.extend(keys(inner));
    }
    names.extend(keys(&devices));
    for adapter in devices["adapters"].as_array().unwrap() {
        names.extend(keys(adapter));
        names.extend(keys(&adapter["capabilities"]));
    }
    for name in names {
        let named = document.contains(&format!("`{name}`")) || document.contains(&format!(".{name}`"));
        assert!(named, "docs/json.md does not name {name}");
    }
}

#[test]
fn torus_text_shows_the_shifted_law_and_the_digest() {
    let arguments = with(&["torus", "--backend", "heap", "--window", "2.5"], &SMALL);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = output(&arguments);
    let shown = text(&output.stdout);
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
    for part in ["2.5 + S·(10 - 2.5)/10", "variation is 0.75 instead of 1", "12 x 12 = 144", "digest", "utilization"] {
        assert!(shown.contains(part), "{part} is missing from\n{shown}");
    }
    let (_, value) = json(&["torus", "--backend", "heap", "--window", "2.5"], &SMALL);
    assert!(shown.contains(value["digest"].as_str().unwrap()));
}

#[test]
fn backends_give_the_same_result() {
    if !has_adapter("backends_give_the_same_result") {
        return;
    }
    let (code, value) = json(&["compare", "torus", "--backends", "heap,wgpu,wgpu-words", "--warmup", "10"], &SMALL);
    assert_eq!((code, &value["equal"], &value["interrupted"]), (0, &true.into(), &false.into()));
    let runs = value["runs"].as_array().unwrap();
    let names: Vec<_> = runs.iter().map(|run| run["backend"].as_str().unwrap()).collect();
    assert_eq!(names, ["heap", "wgpu", "wgpu-words"]);
    for run in runs {
        for field in ["events", "digest", "statistics", "clock", "measured"] {
            assert_eq!(run[field], runs[0][field], "{} {field}", run["backend"]);
        }
        assert_eq!(run["difference"], Value::Null);
    }
    assert_eq!(runs[2]["adapter"]["capabilities"]["int64"], false);
    assert!(runs[1]["rounds"].as_u64().unwrap() > 10);
    let (code, alone) = json(&["torus", "--backend", "wgpu", "--no-int64", "--warmup", "10"], &SMALL);
    assert_eq!((code, &alone["digest"]), (0, &runs[0]["digest"]));
}

#[test]
fn auto_takes_what_devices_says() {
    let (code, devices) = json(&["devices"], &[]);
    assert_eq!(code, 0);
    let (code, run) = json(&["torus"], &SMALL);
    assert_eq!((code, &run["backend"]), (0, &devices["auto"]["backend"]));
    let index = &devices["auto"]["adapter"];
    assert_eq!(&run["adapter"].get("index").cloned().unwrap_or(Value::Null), index);
    let said = |kind: &str| run["warnings"].as_array().unwrap().iter().any(|warning| warning["kind"] == kind);
    match index.as_u64() {
        None => assert!(said("heap_fallback")),
        Some(index) => {
            assert_eq!(said("software_adapter"), devices["adapters"][index as usize]["kind"] == "software");
            let (code, named) = json(&["torus", "--adapter", &index.to_string()], &SMALL);
            assert_eq!((code, &named["digest"]), (0, &run["digest"]));
        }
    }
}

#[test]
fn auto_takes_the_heap_where_there_is_no_lookahead() {
    let (code, value) = json(&["torus", "--window", "0"], &SMALL);
    assert_eq!((code, &value["backend"], &value["parameters"]["window"]), (0, &"heap".into(), &0.0.into()));
    assert_eq!(value["warnings"][0]["kind"], "heap_fallback");
    let shown = output(&["torus", "--side", "3", "--window", "0"]);
    assert!(text(&shown.stderr).starts_with("tickless: note: running on the heap: "));
}

/// Without any driver the heap takes over, with a notice; whoever asked for an adapter gets an error.
#[cfg(target_os = "linux")]
#[test]
fn without_an_adapter_the_heap_takes_over() {
    let without = |arguments: &[&str]| {
        let mut command = command(arguments);
        command.env("VK_DRIVER_FILES", "/nonexistent.json").env("VK_ICD_FILENAMES", "/nonexistent.json");
        command.output().unwrap()
    };
    let run = without(&["torus", "--side", "4", "--format", "json"]);
    let value: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((run.status.code(), &value["backend"]), (Some(0), &"heap".into()));
    let kinds: Vec<_> = value["warnings"].as_array().unwrap().iter().map(|warning| &warning["kind"]).collect();
    assert_eq!(kinds, ["shifted_law", "heap_fallback"]);
    assert!(text(&without(&["devices"]).stdout).contains("auto takes the heap"));
    for arguments in [&["torus", "--backend", "wgpu"][..], &["torus", "--no-int64"], &["torus", "--adapter", "0"]] {
        let refused = without(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(text(&refused.stderr).contains("no GPU and no software adapter"), "{arguments:?}");
    }
}

/// Each: what is given on the heap, and what the one line of the error must name.
const BAD: [(&[&str], &[&str]); 30] = [
    (&["--side", "0"], &["'0'", "--side", "at least 1"]),
    (&["--side", "-3"], &["-3"]),
    (&["--side", "1.5"], &["'1.5'", "--side", "whole number"]),
    (&["--width", "0", "--height", "4"], &["'0'", "--width"]),
    (&["--width", "4"], &["--height"]),
    (&["--height", "4"], &["--width"]),
    (&["--side", "4", "--width", "4", "--height", "4"], &["--side", "--width"]),
    (&["--side", "40000"], &["40000 x 40000", "1073741823"]),
    (&["--side", "4294967296"], &["'4294967296'", "--side"]),
    (&["--side", "1000", "--tokens", "4295"], &["4295 tokens", "4294"]),
    (&["--tokens", "-1"], &["'-1'", "--tokens"]),
    (&["--seed", "-1"], &["'-1'", "--seed"]),
    (&["--seed", "x"], &["'x'", "--seed"]),
    (&["--until", "-5"], &["until is -5"]),
    (&["--until", "0"], &["until is 0"]),
    (&["--until", "NaN"], &["until is NaN"]),
    (&["--until", "inf"], &["until is inf"]),
    (&["--until", "soon"], &["'soon'", "--until", "a number"]),
    (&["--warmup", "-1"], &["warm-up time is -1"]),
    (&["--warmup", "NaN"], &["warm-up time is NaN"]),
    (&["--until", "100", "--warmup", "100"], &["warm-up time is 100", "below until"]),
    (&["--window", "10"], &["window is 10", "below the mean service time 10"]),
    (&["--window", "-0.5"], &["window is -0.5"]),
    (&["--window", "NaN"], &["window is NaN"]),
    (&["--service", "normal:3"], &["'normal:3'", "--service", "known laws are"]),
    (&["--service", "exponential:-1"], &["'exponential:-1'", "between"]),
    (&["--adapter", "0"], &["--adapter", "--backend heap"]),
    (&["--no-int64"], &["--no-int64", "--backend heap"]),
    (&["--facilities", "no/such/folder/out.csv"], &["no/such/folder/out.csv", "cannot be written"]),
    (&["--format", "xml"], &["'xml'", "text, json"]),
];

fn refused(arguments: &[&str], named: &[&str]) {
    let output = output(arguments);
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.starts_with("tickless: error: "), "{arguments:?}: {error}");
    for part in named {
        assert!(error.contains(part), "{arguments:?}: '{part}' is missing from {error}");
    }
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for (arguments, named) in BAD {
        let all = with(&["torus", "--backend", "heap"], arguments);
        refused(&all.iter().map(String::as_str).collect::<Vec<_>>(), named);
    }
    refused(&["torus", "--backend", "cuda"], &["'cuda'", "auto, wgpu, heap"]);
    refused(&["torus", "--backend", "wgpu", "--window", "0"], &["no lookahead", "window above 0"]);
    refused(&["torus", "--adapter", ""], &["--adapter"]);
    refused(&["simulate"], &["'simulate'"]);
    refused(&["compare", "torus", "--backends", "heap"], &["two or more"]);
    refused(&["compare", "torus", "--backends", "heap,heap"], &["heap and heap", "the same"]);
    refused(&["compare", "torus", "--backends", "wgpu,wgpu-words", "--no-int64"], &["the same under --no-int64"]);
    refused(&["compare", "torus", "--backends", "heap,abacus"], &["'abacus'", "wgpu-words"]);
    if has_adapter("bad_input_is_refused_in_one_line") {
        refused(&["torus", "--adapter", "no such adapter"], &["'no such adapter'", "there are: 0"]);
        refused(&["torus", "--adapter", "99"], &["'99'", "there are: 0"]);
        refused(&["compare", "torus", "--adapter", "99"], &["'99'"]);
    }
}

#[test]
fn help_and_version_are_no_errors() {
    for arguments in [&["--help"][..], &["torus", "--help"], &["compare", "torus", "-h"], &["--version"]] {
        let output = output(arguments);
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{arguments:?}");
        assert!(output.stdout.starts_with(b"tickless") || text(&output.stdout).contains("Usage: tickless"));
    }
    assert_eq!(output(&[]).status.code(), Some(2));
}

#[test]
fn facilities_add_up_to_the_network() {
    let file = path("facilities.csv");
    std::fs::write(&file, "what was there before\n".repeat(10_000)).unwrap();
    let (code, value) = json(
        &["torus", "--backend", "heap", "--width", "7", "--height", "5", "--tokens", "3", "--until", "60"],
        &["--facilities", file.to_str().unwrap()],
    );
    assert_eq!(code, 0);
    let mut reader = csv::Reader::from_path(&file).unwrap();
    let header = reader.headers().unwrap().clone();
    let lines: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    std::fs::remove_file(&file).unwrap();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let sum = |name: &str| lines.iter().map(|line| line[column(name)].parse::<f64>().unwrap()).sum::<f64>();
    assert_eq!(lines.len(), 35);
    assert_eq!(
        (&lines[34][column("facility")], &lines[34][column("row")], &lines[34][column("column")]),
        ("34", "4", "6")
    );
    let statistics = &value["statistics"];
    for count in ["arrivals", "starts", "completions", "losses"] {
        assert_eq!(sum(count), statistics[count].as_f64().unwrap(), "{count}");
    }
    let close = |a: f64, b: &Value| assert!((a - b.as_f64().unwrap()).abs() < 1e-9, "{a} against {b}");
    close(sum("utilization") / 35.0, &statistics["utilization"]);
    close(sum("mean_present") / 35.0, &statistics["mean_present"]);
    close(sum("waiting_time") / sum("starts"), &statistics["mean_waiting_time"]);
    let serving = lines.iter().filter(|line| !line[column("in_service_until")].is_empty()).count() as f64;
    assert_eq!(sum("queued") + serving, 105.0);
    let document = include_str!("../docs/json.md");
    for name in &header {
        assert!(document.contains(&format!("`{name}`")), "docs/json.md does not name {name}");
    }
}

/// 32,000 x 32,000 facilities are more than most machines hold, and are refused before anything is allocated.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_said_with_what_fits() {
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap();
    let line = meminfo.lines().find(|line| line.starts_with("MemAvailable:")).unwrap();
    let kibibytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    if kibibytes > 150 << 20 {
        let _ =
            writeln!(std::io::stderr(), "skipped: too_little_memory_is_said_with_what_fits: this machine has enough");
        return;
    }
    let named = ["32000 x 32000", "GiB of memory for the heap", "GiB are available", "a side of at most "];
    refused(&["torus", "--backend", "heap", "--side", "32000"], &named);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = spawn(&["torus", "--backend", "heap", "--side", "64", "--until", "100", "--format", "json"]);
    drop(child.stdout.take());
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!((child.wait().unwrap().code(), error.as_str()), (Some(0), ""));
}

fn spawn(arguments: &[&str]) -> Child {
    command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[cfg(unix)]
mod interrupted {
    use super::*;
    use std::time::{Duration, Instant};

    /// Sends SIGINT to a run that would take hours.
    fn interrupt(arguments: &[&str]) -> (Option<i32>, Value) {
        let long = ["--side", "128", "--until", "50000000", "--format", "json"];
        let arguments = with(arguments, &long);
        let child = spawn(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        std::thread::sleep(Duration::from_secs(2));
        let sent = Instant::now();
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let output = child.wait_with_output().unwrap();
        assert!(sent.elapsed() < Duration::from_secs(20), "it took {:?} to stop", sent.elapsed());
        assert_eq!(text(&output.stderr), "");
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
    }

    fn holds(run: &Value) {
        assert_eq!(run["interrupted"], true);
        let clock = run["clock"].as_f64().unwrap();
        assert!(clock > 0.0 && clock < 5e7, "{clock}");
        assert_eq!(run["measured"], run["clock"]);
        assert_eq!(run["statistics"]["completions"], run["events"]);
        assert_eq!(run["statistics"]["tokens_present"], 128 * 128);
    }

    #[test]
    fn the_heap_stops_and_prints_what_there_is() {
        let (code, run) = interrupt(&["torus", "--backend", "heap"]);
        assert_eq!(code, Some(130));
        holds(&run);
    }

    #[test]
    fn a_device_stops_and_prints_what_there_is() {
        if !has_adapter("a_device_stops_and_prints_what_there_is") {
            return;
        }
        let (code, run) = interrupt(&["torus", "--backend", "wgpu"]);
        assert_eq!(code, Some(130));
        holds(&run);
    }

    #[test]
    fn a_comparison_stops_without_a_verdict() {
        if !has_adapter("a_comparison_stops_without_a_verdict") {
            return;
        }
        let (code, value) = interrupt(&["compare", "torus"]);
        assert_eq!((code, &value["interrupted"], &value["equal"]), (Some(130), &true.into(), &Value::Null));
        assert_eq!(value["runs"].as_array().unwrap().len(), 1);
        holds(&value["runs"][0]);
    }
}
