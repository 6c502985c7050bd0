//! What is printed and written.

use super::schemas::assert_described;
use super::*;

const PHOLD: [&str; 5] = ["phold", "--processes", "20", "--until", "9"];
const SEARCH: [&str; 5] = ["search", "--side", "20", "--searches", "9"];
const FIRE: [&str; 4] = ["cells", "fire", "--side", "12"];
const WATER: [&str; 6] = ["cells", "watershed", "--side", "9", "--until", "60"];
const HEAT: [&str; 4] = ["cells", "examples/cells/heat.ma", "--until", "300"];
const ALARM: [&str; 4] = ["cells", "examples/cells/alarm.ma", "--until", "3000"];
const NETWORK: [&str; 6] = ["network", network::CLINIC, "--warmup", "auto", "--precision", "0.9"];

const EXPERIMENT: [&str; 6] =
    ["experiment", "examples/networks/emergency.toml", "--until", "3100", "--replications", "1"];

const OPTIMIZE: [&str; 6] = ["optimize", "examples/networks/line.toml", "--until", "600", "--max-replications", "30"];

const VARIED: [&str; 8] = ["experiment", "phold", "--processes", "20", "--until", "9", "--vary", "remote=0,1"];

/// A run of every model on the heap, its name, and that of its schema.
const MODELS: [(&[&str], &str, &str); 11] = [
    (&["torus", "--side", "32", "--window", "1"], "torus", "torus"),
    (&NETWORK, "network", "network"),
    (&EXPERIMENT, "experiment", "experiment"),
    (&VARIED, "experiment phold", "experiment-model"),
    (&OPTIMIZE, "optimize", "optimize"),
    (&PHOLD, "phold", "phold"),
    (&SEARCH, "search", "search"),
    (&FIRE, "fire", "fire"),
    (&WATER, "watershed", "watershed"),
    (&HEAT, "rules", "rules"),
    (&ALARM, "rules", "rules"),
];

#[test]
fn every_model_has_the_fields_of_its_schema() {
    for (arguments, model, schema) in MODELS {
        let (code, value) = json(arguments, &["--backend", "heap"]);
        assert_eq!((code, &value["model"], &value["schema"]), (0, &model.into(), &4.into()));
        assert_eq!((&value["backend"], &value["interrupted"]), (&"heap".into(), &false.into()));
        assert_eq!((&value["adapter"], &value["rounds"]), (&Value::Null, &Value::Null));
        assert_eq!(value["digest"].as_str().unwrap().len(), 64);
        assert!(value["events"].as_u64().unwrap() > 0 && value["events_per_second"].as_f64().unwrap() > 0.0);
        assert_described(schema, &value);
        assert_described("run", &value);
    }
}

#[test]
fn a_torus_has_its_parameters_and_the_law_that_was_shifted() {
    let (code, value) = json(&["torus", "--backend", "heap", "--window", "1"], &SMALL);
    assert_eq!((code, &value["seed"], &value["clock"]), (0, &7.into(), &40.0.into()));
    assert_eq!(value["parameters"]["torus"]["effective_service"], "1 + S·(10 - 1)/10");
    assert_eq!((&value["tokens_present"], &value["stations"]), (&144.into(), &Value::Null));
    let warning = &value["warnings"][0];
    assert_eq!((&warning["kind"], &warning["coefficient_of_variation"]), (&"shifted_law".into(), &0.9.into()));
    assert!(warning["message"].as_str().unwrap().contains("its mean stays 10"));
}

#[test]
fn comparisons_and_devices_have_the_fields_of_their_schemas() {
    assert_described("devices", &json(&["devices"], &[]).1);
    if !has_adapter("comparisons_and_devices_have_the_fields_of_their_schemas") {
        return;
    }
    let (_, comparison) = json(&[&["compare"], &PHOLD[..]].concat(), &[]);
    assert_described("compare", &comparison);
    // A run of it, without what is beside the first one, is a result of the model.
    let mut result = comparison.clone();
    let fields = result.as_object_mut().unwrap();
    fields.extend(comparison["runs"][1].as_object().unwrap().clone());
    ["runs", "equal", "speed_up", "difference"].iter().for_each(|name| drop(fields.remove(*name)));
    assert_described("phold", &result);
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

/// A number of many zeros is written with its exponent.
#[test]
fn a_tiny_window_is_no_row_of_zeros() {
    let arguments = ["torus", "--backend", "heap", "--side", "4", "--until", "5", "--window", "1e-300"];
    let shown = text(&output(&arguments).stdout);
    assert!(shown.contains("1e-300 + S·(10 - 1e-300)/10") && !shown.contains("00000000"), "{shown}");
    let (_, value) = json(&arguments[..5], &["--window", "1e-300"]);
    assert!(value["warnings"][0]["message"].as_str().unwrap().contains("the window of 1e-300 shifts"), "{value}");
}

/// One of anything is singular.
#[test]
fn one_of_them_is_singular() {
    let shown = |arguments: &[&str]| text(&output(&[arguments, &["--backend", "heap"]].concat()).stdout);
    let clinic = shown(&["network", network::CLINIC, "--until", "2000"]);
    assert!(clinic.contains("3; 1 source, 1 sink\n"), "{clinic}");
    let water = shown(&["cells", "watershed", "--side", "1", "--until", "3000"]);
    assert!(water.contains("1 cell with 1 mm or more"), "{water}");
    let fire = shown(&["cells", "fire", "--side", "9", "--ignite", "0,0"]);
    assert!(fire.contains(" cells of ") && !fire.contains(" 1 cells") && !fire.contains(" 1 fuels"), "{fire}");
    let heat = shown(&HEAT);
    assert!(!heat.contains("in 1 cells") && heat.contains("in 1 cell\n"), "{heat}");
}

#[test]
fn stations_of_a_torus_add_up_to_the_network() {
    let file = path("stations.csv");
    std::fs::write(&file, "what was there before\n".repeat(10_000)).unwrap();
    let (code, value) = json(
        &["torus", "--backend", "heap", "--width", "7", "--height", "5", "--tokens", "3", "--until", "60"],
        &["--stations", file.to_str().unwrap()],
    );
    assert_eq!(code, 0);
    let mut reader = csv::Reader::from_path(&file).unwrap();
    let header = reader.headers().unwrap().clone();
    let lines: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    std::fs::remove_file(&file).unwrap();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let sum = |name: &str| lines.iter().map(|line| line[column(name)].parse::<f64>().unwrap()).sum::<f64>();
    assert_eq!(lines.len(), 35);
    assert_eq!(&lines[34][column("station")], "facility 34");
    let statistics = &value["statistics"];
    for count in ["arrivals", "starts", "completions", "losses"] {
        assert_eq!(sum(count), value[count].as_f64().unwrap(), "{count}");
    }
    let close = |a: f64, b: &Value| assert!((a - b.as_f64().unwrap()).abs() < 1e-9, "{a} against {b}");
    close(sum("utilization") / 35.0, &statistics["utilization"]);
    close(sum("mean_busy"), &statistics["mean_busy"]);
    close(sum("mean_present"), &statistics["mean_present"]);
    close(sum("throughput"), &statistics["throughput"]);
    let serving = lines.iter().filter(|line| !line[column("in_service_until")].is_empty()).count() as f64;
    assert_eq!((sum("queued") + serving, sum("serving")), (105.0, serving));
}
