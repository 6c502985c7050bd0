//! `tickless phold`.

use super::*;

/// A model that runs at once.
const SMALL: [&str; 10] = ["--processes", "50", "--population", "3", "--until", "40", "--work", "2", "--remote", "0.5"];

#[test]
fn json_has_the_figures_of_the_model() {
    let (code, value) = json(&["phold", "--seed", "7"], &SMALL);
    assert_eq!((code, &value["seed"], &value["clock"]), (0, &7.into(), &40.0.into()));
    let (parameters, statistics) = (&value["parameters"], &value["statistics"]);
    assert_eq!((&parameters["events_at_start"], &parameters["remote"]), (&150.into(), &0.5.into()));
    assert!((parameters["mean_increment"].as_f64().unwrap() - 1.1).abs() < 1e-9);
    assert_eq!((&statistics["pending"], &statistics["executed"]), (&150.into(), &value["events"]));
    assert!((statistics["expected_ratio"].as_f64().unwrap() - 1.0).abs() < 0.1);
}

#[test]
fn text_shows_the_effective_parameters_and_the_digest() {
    let arguments = with(&["phold", "--rate", "2", "--backend", "heap"], &SMALL);
    let output = output(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let shown = text(&output.stdout);
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
    for part in ["3 events each = 150", "0.1 + exponential:0.5", "mean 0.6, 16.667 %", "probability 0.5", "pending"] {
        assert!(shown.contains(part), "{part} is missing from\n{shown}");
    }
    // A rate of 2 is a mean of a half.
    let (_, value) = json(&["phold", "--mean", "0.5"], &SMALL);
    assert!(shown.contains(value["digest"].as_str().unwrap()));
}

#[test]
fn every_option_of_the_model_counts() {
    let digest = |more: &[&str]| json(&["phold", "--until", "20"], more).1["digest"].clone();
    let base = ["--processes", "30"];
    let others: [&[&str]; 8] = [
        &["--processes", "31"],
        &["--processes", "30", "--population", "2"],
        &["--processes", "30", "--lookahead", "0.2"],
        &["--processes", "30", "--mean", "0.9"],
        &["--processes", "30", "--rate", "3"],
        &["--processes", "30", "--remote", "0.9"],
        &["--processes", "30", "--work", "1"],
        &["--processes", "30", "--seed", "2"],
    ];
    assert_eq!(digest(&base), digest(&base));
    for other in others {
        assert_ne!(digest(&base), digest(other), "{other:?}");
    }
}

/// A round that would hold few events is none for a device, unless it is asked for.
#[test]
fn auto_takes_the_heap_where_a_round_holds_little() {
    let (_, value) = json(&["phold"], &SMALL);
    assert_eq!(value["warnings"][0]["kind"], "heap_fallback");
    let reason = value["warnings"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("about 13.6 events"), "{reason}");
}

/// The bits of the heap on an adapter, whatever the rounds are like.
#[test]
fn backends_give_the_same_run() {
    if !has_adapter("backends_give_the_same_run") {
        return;
    }
    let (_, heap) = json(&["phold", "--backend", "heap"], &SMALL);
    for more in [["--pending", "splay", "--per-round", "one"], ["--max-pending", "150", "--pending", "circular"]] {
        let (code, device) = json(&[&["phold", "--backend", "wgpu"], &more[..]].concat(), &SMALL);
        assert_eq!((code, &device["digest"], &device["events"]), (0, &heap["digest"], &heap["events"]));
        assert!(device["rounds"].as_u64().unwrap() > 10 && device["adapter"]["name"].is_string());
        let (set, asked) = (&device["pending_set"], &device["arguments"]["rounds"]["pending"]);
        assert!(more.contains(&set.as_str().unwrap()) && asked == set);
    }
    let (code, value) = json(&["compare", "phold", "--backends", "wgpu,heap"], &SMALL);
    assert_eq!((code, &value["equal"], &value["parameters"]["population"]), (0, &true.into(), &3.into()));
    for run in value["runs"].as_array().unwrap() {
        assert_eq!((&run["digest"], &run["difference"]), (&heap["digest"], &Value::Null));
    }
    let shown = text(&output(&[&["compare", "phold"], &SMALL[..]].concat()).stdout);
    assert!(shown.contains("equal: every backend gave the same bits") && shown.contains("events/s"), "{shown}");
    let little = output(&[&["phold", "--backend", "wgpu", "--max-pending", "4"], &SMALL[..]].concat());
    let error = text(&little.stderr);
    assert!(little.status.code() == Some(2) && error.contains("and may have 4: allow at least"), "{error}");
}

/// The run says which set it had.
#[test]
fn the_set_of_auto_is_told() {
    if !has_adapter("the_set_of_auto_is_told") {
        return;
    }
    let (_, heap) = json(&["phold"], &SMALL);
    assert_eq!((&heap["pending_set"], &heap["arguments"]["rounds"]["pending"]), (&Value::Null, &Value::Null));
    let (_, value) = json(&["phold", "--backend", "wgpu", "--pending", "auto"], &SMALL);
    assert_eq!((&value["digest"], &value["pending_set"]), (&heap["digest"], &"heap-of-fours".into()));
    // A run is repeated with the set that it had.
    assert_eq!(value["arguments"]["rounds"]["pending"], "heap-of-fours");
    let arguments = [&["phold", "--backend", "wgpu"], &SMALL[..]].concat();
    let shown = text(&output(&arguments).stdout);
    assert!(shown.contains("heap-of-fours, all of a process in a round"), "{shown}");
}

#[test]
fn nodes_are_for_the_global_heap() {
    if !has_adapter("nodes_are_for_the_global_heap") {
        return;
    }
    for pending in [&[][..], &["--pending", "heap"]] {
        let arguments = [&["phold", "--backend", "wgpu", "--node-size", "64"], pending, &SMALL[..]].concat();
        let refused = output(&arguments);
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains("--node-size is for --pending global-heap"), "{refused:?}");
    }
    let (_, heap) = json(&["phold"], &SMALL);
    let nodes = ["phold", "--backend", "wgpu", "--node-size", "64", "--pending", "global-heap"];
    let (code, value) = json(&nodes, &SMALL);
    assert_eq!((code, &value["digest"], &value["pending_set"]), (0, &heap["digest"], &"global-heap".into()));
    assert_eq!((&value["node_size"], &heap["node_size"]), (&64.into(), &Value::Null));
    // No more than there are events.
    let nodes = ["phold", "--backend", "wgpu", "--node-size", "1048576", "--pending", "global-heap"];
    let shown = text(&output(&[&nodes[..], &SMALL].concat()).stdout);
    assert!(shown.contains("global-heap, all of a process in a round, nodes of 256 events"), "{shown}");
    let little = output(&[&nodes[..], &["--max-pending", "2"], &SMALL].concat());
    assert!(text(&little.stderr).contains("processes have 3 pending events in the mean"), "{little:?}");
}

/// A comparison says of each run on a device how events were kept.
#[test]
fn a_comparison_tells_its_sets() {
    if !has_adapter("a_comparison_tells_its_sets") {
        return;
    }
    let arguments = ["compare", "phold", "--pending", "splay", "--per-round", "one"];
    let (_, value) = json(&arguments, &SMALL);
    let [heap, device] = [&value["runs"][0], &value["runs"][1]];
    assert_eq!((&device["pending_set"], &device["per_round"]), (&"splay".into(), &"one".into()));
    assert_eq!(value["arguments"]["rounds"]["pending"], "splay");
    for name in ["pending_set", "per_round", "node_size"] {
        assert!(heap[name].is_null() && device.get(name).is_some(), "{name}");
    }
    let shown = text(&output(&[&arguments[..], &SMALL].concat()).stdout);
    assert!(shown.contains("splay, one of a process in a round"), "{shown}");
    // Nothing happens, and nothing is faster than that.
    let (code, value) = json(&["compare", "phold", "--processes", "9", "--until", "0.1"], &[]);
    assert_eq!((code, &value["runs"][0]["events"], &value["runs"][1]["speed_up"]), (0, &0.into(), &Value::Null));
}

#[test]
fn a_horizon_before_all_events_is_remarked_on() {
    for (until, remarked) in [("0.1", true), ("0.05", true), ("0.2", false)] {
        let (code, value) = json(&["phold", "--backend", "heap", "--processes", "9"], &["--until", until]);
        let kinds: Vec<_> = value["warnings"].as_array().unwrap().iter().map(|warning| &warning["kind"]).collect();
        assert_eq!((code, kinds.contains(&&"nothing_happens".into())), (0, remarked), "{until}");
        assert!(!remarked || value["events"] == 0, "{until}");
    }
}

/// One of a kind is no more than that, and nearly all is not all.
#[test]
fn text_counts_in_words_that_fit() {
    let arguments = ["phold", "--backend", "heap", "--processes", "1", "--until", "0.05", "--remote", "0.99999999999"];
    let shown = text(&output(&arguments).stdout);
    for part in ["1 event each = 1\n", "1 process executed nothing", "with probability 0.99999999"] {
        assert!(shown.contains(part), "{part} is missing from\n{shown}");
    }
}

#[test]
fn processes_add_up_to_the_whole() {
    let file = path("processes.csv");
    let (code, value) = json(&["phold", "--processes-csv", file.to_str().unwrap()], &SMALL);
    assert_eq!(code, 0);
    let mut reader = csv::Reader::from_path(&file).unwrap();
    let header = reader.headers().unwrap().clone();
    let lines: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    std::fs::remove_file(&file).unwrap();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let sum = |name: &str| lines.iter().map(|line| line[column(name)].parse::<u64>().unwrap()).sum::<u64>();
    assert_eq!(lines.len(), 50);
    for name in ["executed", "sent", "pending"] {
        assert_eq!(sum(name), value["statistics"][name].as_u64().unwrap(), "{name}");
    }
    assert!(sum("checksum") > 0);
    for line in &lines {
        assert!(line[column("last_event")].is_empty() || line[column("last_event")].parse::<f64>().unwrap() < 40.0);
        assert!(line[column("next_event")].is_empty() || line[column("next_event")].parse::<f64>().unwrap() >= 40.0);
    }
    let document = include_str!("../../docs/json.md");
    let section = document.split("# The CSV file of --processes-csv").nth(1).unwrap();
    for name in &header {
        assert!(section.contains(&format!("`{name}`")), "docs/json.md does not name {name}");
    }
}

/// Each: what is given, and what the one line of the error must name.
const BAD: [(&[&str], &[&str]); 32] = [
    (&["--processes", "0"], &["'0'", "--processes", "from 1 to 4294967294"]),
    (&["--processes", "-3"], &["'-3'", "--processes", "whole number"]),
    (&["--processes", "4294967296"], &["'4294967296'", "--processes"]),
    (&["--population", "0"], &["'0'", "--population", "from 1 to 4294967294"]),
    (&["--processes", "65536", "--population", "65536"], &["65536 processes with 65536", "4294967294"]),
    (&["--lookahead", "0"], &["lookahead is 0", "a tick"]),
    (&["--lookahead", "-0.1"], &["lookahead is -0.1"]),
    (&["--lookahead", "NaN"], &["lookahead is NaN"]),
    (&["--lookahead", "soon"], &["'soon'", "--lookahead", "a number"]),
    (&["--mean", "0"], &["mean of the exponential part", "is 0", "0.000001"]),
    (&["--mean", "1e-9"], &["is 1e-9", "the same few ticks"]),
    (&["--mean", "inf"], &["is inf"]),
    (&["--rate", "0"], &["the rate", "is 0;", "--rate"]),
    (&["--rate", "1e9"], &["the rate", "is 1000000000;", "1000000 "]),
    (&["--pending", "global-heap", "--node-size", "0"], &["'0'", "--node-size", "1 to 1048576"]),
    (&["--pending", "global-heap", "--node-size", "1048577"], &["'1048577'", "1 to 1048576"]),
    (&["--rate", "1", "--mean", "1"], &["--rate", "--mean"]),
    (&["--remote", "1.5"], &["remote event is 1.5", "between 0 and 1"]),
    (&["--remote", "-0.5"], &["remote event is -0.5"]),
    (&["--until", "0"], &["until is 0", "at least a tick (2^-32 time units)"]),
    (&["--until", "1e-10"], &["until is 1e-10", "at least a tick"]),
    (&["--until", "3e9"], &["until is 3000000000", "at most"]),
    (&["--work", "-1"], &["'-1'", "--work"]),
    (&["--work", "1048577"], &["work is 1048577 draws", "at most 1048576"]),
    (&["--backend", "gpu"], &["'gpu'", "auto, wgpu, cuda, heap"]),
    (&["--backend", "heap", "--pending", "splay"], &["--pending", "on the heap", "--backend wgpu"]),
    (&["--backend", "heap", "--per-round", "one"], &["--per-round", "on the heap"]),
    (&["--backend", "heap", "--max-pending", "9"], &["--max-pending", "on the heap"]),
    (&["--backend", "heap", "--adapter", "0"], &["--adapter", "--backend heap"]),
    (&["--pending", "list"], &["'list'", "circular-single-pass", "splay"]),
    (&["--per-round", "two"], &["'two'", "all or one"]),
    (&["--processes-csv", "no/such/folder/out.csv"], &["no/such/folder/out.csv", "cannot be written"]),
];

#[test]
fn bad_input_is_refused_in_one_line() {
    for (arguments, named) in BAD {
        let all = with(&["phold"], arguments);
        let output = output(&all.iter().map(String::as_str).collect::<Vec<_>>());
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        assert!(error.starts_with("tickless: error: "), "{arguments:?}: {error}");
        for part in named {
            assert!(error.contains(part), "{arguments:?}: '{part}' is missing from {error}");
        }
    }
}

/// A file that is that of standard output is nobody else's.
#[cfg(unix)]
#[test]
fn the_file_of_standard_output_is_not_overwritten() {
    let file = path("phold.txt");
    let stdout = std::fs::File::create(&file).unwrap();
    let arguments = ["phold", "--processes", "4", "--processes-csv", file.to_str().unwrap()];
    let refused = command(&arguments).stdout(stdout).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("that standard output goes to"));
}

/// As many events as 32 bits number need more memory than most machines have.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_said() {
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap();
    let line = meminfo.lines().find(|line| line.starts_with("MemAvailable:")).unwrap();
    let kibibytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    if kibibytes > 300 << 20 {
        let _ = writeln!(std::io::stderr(), "skipped: too_little_memory_is_said: this machine has enough");
        return;
    }
    let refused = output(&["phold", "--processes", "65535", "--population", "65535"]);
    let error = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{error}");
    assert!(error.contains("65535 processes with 65535 events each need about"), "{error}");
}
