//! Which backend runs, and that all agree.

use super::*;

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

/// Whether the adapter that auto would take is the processor itself.
fn in_software(devices: &Value) -> bool {
    let auto = devices["auto"]["adapter"].as_u64().filter(|_| devices["auto"]["backend"] == "wgpu");
    auto.is_some_and(|index| devices["adapters"][index as usize]["kind"] == "software")
}

#[test]
fn auto_takes_what_devices_says() {
    let (code, devices) = json(&["devices"], &[]);
    assert_eq!(code, 0);
    // Rounds of fewer than 100 events would be for the heap.
    let torus = ["torus", "--window", "1", "--side", "40", "--until", "20"];
    let (code, run) = json(&torus, &[]);
    assert_eq!(code, 0);
    let said = |kind: &str| run["warnings"].as_array().unwrap().iter().any(|warning| warning["kind"] == kind);
    let index = devices["auto"]["adapter"].as_u64().filter(|_| !in_software(&devices));
    assert_eq!(run["adapter"].get("index").and_then(Value::as_u64), index);
    match index {
        None => assert!(run["backend"] == "heap" && said("heap_fallback")),
        Some(index) => {
            assert_eq!(run["backend"], devices["auto"]["backend"]);
            let backend = devices["auto"]["backend"].as_str().unwrap();
            let (code, named) = json(&torus, &["--backend", backend, "--adapter", &index.to_string()]);
            assert_eq!((code, &named["digest"]), (0, &run["digest"]));
        }
    }
}

/// Where the processor would be the adapter, the heap is done sooner.
#[test]
fn auto_takes_no_software_adapter_where_the_heap_is_done_sooner() {
    let (_, devices) = json(&["devices"], &[]);
    let fire = &["cells", "fire", "--side", "9"][..];
    let watershed = &["cells", "watershed", "--side", "9", "--until", "60"];
    let rules = &["cells", "examples/cells/life.ma", "--until", "50"];
    for arguments in [fire, watershed, rules, &["torus", "--window", "1", "--side", "40", "--until", "20"]] {
        let (code, run) = json(arguments, &[]);
        assert_eq!(code, 0);
        if in_software(&devices) {
            let kinds: Vec<_> = run["warnings"].as_array().unwrap().iter().map(|warning| &warning["kind"]).collect();
            assert_eq!(run["backend"], "heap", "{arguments:?}");
            assert!(kinds.contains(&&"heap_fallback".into()), "{arguments:?}: {kinds:?}");
        }
    }
}

#[test]
fn auto_takes_the_heap_where_several_servers_have_no_lookahead() {
    let file = ["network", "examples/networks/server.toml"];
    let (code, value) = json(&file, &["--until", "20", "--warmup", "5"]);
    assert_eq!((code, &value["backend"]), (0, &"heap".into()));
    assert_eq!(value["warnings"][0]["kind"], "heap_fallback");
    assert!(value["warnings"][0]["reason"].as_str().unwrap().contains("station 'disks' has 4 servers"));
    let shown = output(&[&file[..], &["--until", "20", "--warmup", "5"]].concat());
    assert!(text(&shown.stderr).starts_with("tickless: note: running on the heap: "));
}

/// A torus needs none: the law as it is written, which is the default, and the digest of the heap.
#[test]
fn an_exact_torus_runs_everywhere() {
    for exact in [&[][..], &["--exact"], &["--window", "0"]] {
        let run = |backend| json(&[&["torus", "--backend", backend], exact].concat(), &SMALL);
        let ((code, heap), (_, wgpu)) = (run("heap"), run("wgpu"));
        assert_eq!(
            (code, &heap["parameters"]["window"], &heap["parameters"]["torus"]["shift"]),
            (0, &0.0.into(), &Value::Null)
        );
        assert_eq!((&wgpu["backend"], &heap["digest"]), (&"wgpu".into(), &wgpu["digest"]));
        assert!(wgpu["rounds"].as_u64().is_some_and(|rounds| rounds > 0));
        let said = |field: &str, most: f64| {
            let value = wgpu["appointments"][field].as_f64().unwrap();
            assert!(value > 0.0 && value < most, "{field}: {value}");
        };
        said("working", 1.0);
        said("drift", 40.0);
        assert_eq!((keys(&wgpu["appointments"]), &heap["appointments"]), (vec!["working", "drift"], &Value::Null));
        let (code, auto) = json(&[&["torus"], exact].concat(), &SMALL);
        assert_eq!((code, &auto["digest"]), (0, &heap["digest"]));
    }
}

/// Nor does a network of single servers: --exact takes back the window of the file.
#[test]
fn an_exact_network_runs_everywhere() {
    let file = "examples/networks/random-regular.toml";
    let short = ["--until", "30", "--warmup", "10"];
    for exact in [&["--exact"][..], &["--window", "0"]] {
        let run = |backend| json(&[&["network", file, "--backend", backend], exact].concat(), &short);
        let ((code, heap), (_, wgpu)) = (run("heap"), run("wgpu"));
        assert_eq!(
            (code, &heap["parameters"]["window"], &heap["parameters"]["given_window"]),
            (0, &0.0.into(), &0.0.into())
        );
        assert_eq!(heap["parameters"]["shifted_stations"], 0);
        assert_eq!((&wgpu["backend"], &heap["digest"]), (&"wgpu".into(), &wgpu["digest"]));
        assert!(wgpu["rounds"].as_u64().is_some_and(|rounds| rounds > 0));
        let (code, auto) = json(&[&["network", file], exact].concat(), &short);
        assert_eq!((code, &auto["digest"]), (0, &heap["digest"]));
    }
}

/// Without any driver the heap takes over, with a notice; whoever asked for an adapter gets an error.
#[cfg(target_os = "linux")]
#[test]
fn without_an_adapter_the_heap_takes_over() {
    let without = |arguments: &[&str]| {
        let mut command = command(arguments);
        command.env("VK_DRIVER_FILES", "/nonexistent.json").env("VK_ICD_FILENAMES", "/nonexistent.json");
        command.env("CUDA_VISIBLE_DEVICES", "");
        command.output().unwrap()
    };
    let run = without(&["torus", "--side", "4", "--window", "1", "--format", "json"]);
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

/// CUDA runs with the heap's bits where it can, and else says what is missing.
#[cfg(feature = "cuda")]
#[test]
fn cuda_runs_or_says_why_not() {
    let (code, devices) = json(&["devices"], &[]);
    assert_eq!((code, &devices["cuda"]["built"]), (0, &true.into()));
    let compared = ["compare", "torus", "--backends", "heap,cuda,cuda-words"];
    let Some(problem) = devices["cuda"]["problem"].as_str() else {
        let (code, value) = json(&compared, &SMALL);
        assert_eq!((code, &value["equal"]), (0, &true.into()));
        assert_eq!(value["runs"][2]["adapter"]["capabilities"]["int64"], false);
        let refused = output(&["torus", "--backend", "cuda", "--adapter", "99"]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains("no adapter matches '99'; there are: 0 "), "{}", text(&refused.stderr));
        // All GPUs together, and one that is two of half the work.
        let (_, one) = json(&["torus", "--backend", "cuda"], &SMALL);
        for devices in ["all", "0,0"] {
            let (code, several) = json(&["torus", "--devices", devices], &SMALL);
            assert_eq!(
                (code, &several["digest"], &several["backend"]),
                (0, &one["digest"], &"cuda".into()),
                "{devices}"
            );
        }
        let refused = output(&["torus", "--devices", "0,99"]);
        assert!(text(&refused.stderr).contains("no adapter matches '99'; there are: 0 "), "{}", text(&refused.stderr));
        return;
    };
    assert_ne!(devices["auto"]["backend"], "cuda");
    for arguments in [&["torus", "--backend", "cuda"][..], &compared] {
        let refused = output(arguments);
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), text(&refused.stdout).as_str()), (Some(2), ""), "{arguments:?}");
        assert!(said.contains(problem) && said.contains("--backend wgpu"), "{said}");
    }
}

/// A GPU that the driver hides is as good as none.
#[cfg(all(feature = "cuda", target_os = "linux"))]
#[test]
fn without_a_gpu_cuda_is_refused_in_one_line() {
    let refused = command(&["torus", "--backend", "cuda"]).env("CUDA_VISIBLE_DEVICES", "").output().unwrap();
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2));
    assert!(said.starts_with("tickless: error: CUDA cannot be used (") && said.lines().count() == 1, "{said}");
}

/// Several GPUs are for CUDA, and are named by numbers.
#[test]
fn gpus_that_cannot_be_used_are_refused_in_one_line() {
    for (arguments, what) in [
        (&["torus", "--devices", "0,x"][..], "numbers of GPUs with commas between them, as in 0,1, or all"),
        (&["torus", "--devices", ""], "numbers of GPUs"),
        (&["torus", "--devices", "0,1", "--adapter", "0"], "cannot be used with '--adapter"),
        (&["torus", "--devices", "0,1", "--backend", "heap"], "--devices has no meaning with --backend heap"),
        (&["torus", "--devices", "all", "--backend", "wgpu"], "--backend wgpu takes one adapter"),
        (&["compare", "torus", "--devices", "0,1"], "names neither cuda nor cuda-words"),
    ] {
        let refused = output(arguments);
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(what), "{said}");
    }
}

#[cfg(not(feature = "cuda"))]
#[test]
fn a_build_without_cuda_says_how_to_get_it() {
    let refused = output(&["torus", "--backend", "cuda"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--features cuda"), "{}", text(&refused.stderr));
}

/// A replication on each core, or all on one: the same result. What has one run, or no run on the heap, has no threads.
#[test]
fn threads_change_no_result() {
    let runs = [
        &["network", network::CLINIC, "--until", "1200", "--replications", "9"][..],
        &["torus", "--side", "8", "--until", "30", "--replications", "5"],
        &["cells", "fire", "--side", "12", "--replications", "6"],
        &["search", "--side", "20", "--searches", "40"],
    ];
    for run in runs {
        let on = |threads: &[&str]| json(run, &[&["--backend", "heap"], threads].concat());
        let (one, three, all) = (on(&["--threads", "1"]), on(&["--threads", "3"]), on(&[]));
        for (code, value) in [&three, &all] {
            assert_eq!((*code, &value["digest"], &value["events"]), (0, &one.1["digest"], &one.1["events"]), "{run:?}");
            assert_eq!(value["statistics"].get("mean_cost"), one.1["statistics"].get("mean_cost"), "{run:?}");
            assert_eq!(value["arguments"], one.1["arguments"], "{run:?}");
        }
        assert_eq!((&one.1["threads"], &three.1["threads"]), (&1.into(), &3.into()), "{run:?}");
        assert!(all.1["threads"].as_u64().unwrap() >= 1);
        let shown = output(&[run, &["--backend", "heap", "--threads", "3"]].concat());
        assert!(text(&shown.stdout).contains("3 threads"), "{}", text(&shown.stdout));
    }
    let refused = |arguments: &[&str], part: &str| {
        let output = output(arguments);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.lines().count() == 1, "{arguments:?}: {said}");
        assert!(said.contains("--threads") && said.contains(part), "{arguments:?}: {said}");
    };
    refused(&["phold", "--threads", "2"], "phold on the heap is one run on one core");
    refused(&["compare", "torus", "--backends", "wgpu,wgpu-words", "--threads", "2"], "names devices alone");
    let logged = ["cells", "fire", "--side", "8", "--replications", "3", "--backend", "heap", "--log"];
    let file = path("threads.log");
    let log = [&logged[..], &[file.to_str().unwrap()]].concat();
    assert_eq!(json(&log, &[]).1["threads"], 1);
    std::fs::remove_file(&file).unwrap();
    refused(&[&log[..], &["--threads", "2"]].concat(), "with --log one replication comes after the other");
    for number in ["0", "1025", "-1", "x"] {
        refused(&["torus", "--backend", "heap", "--threads", number], "from 1 to 1024");
    }
    if has_adapter("threads_change_no_result") {
        refused(&["torus", "--side", "4", "--backend", "wgpu", "--threads", "2"], "on a device");
    }
}
