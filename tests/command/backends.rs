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
