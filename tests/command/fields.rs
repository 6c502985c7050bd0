//! What is printed and written.

use super::*;

#[test]
fn torus_json_has_every_documented_field() {
    let (code, value) = json(&["torus", "--backend", "heap", "--window", "1"], &SMALL);
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
        "appointments",
        "clock",
        "measured",
        "wall_seconds",
        "setup_seconds",
        "device_seconds",
        "completions_per_second",
        "statistics",
        "digest",
        "interrupted",
        "causality_errors",
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
    let document = include_str!("../../docs/json.md");
    let (_, torus) = json(&["torus", "--backend", "heap", "--window", "1"], &SMALL);
    let (_, devices) = json(&["devices"], &[]);
    let mut names = keys(&torus);
    for inner in [&torus["parameters"], &torus["statistics"], &torus["warnings"][0]] {
        names.extend(keys(inner));
    }
    names.extend(keys(&devices));
    names.extend(keys(&devices["cuda"]));
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
    let document = include_str!("../../docs/json.md");
    for name in &header {
        assert!(document.contains(&format!("`{name}`")), "docs/json.md does not name {name}");
    }
}
