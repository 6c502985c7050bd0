//! `tickless network --distributions` and `--histograms`.

use super::network::CLINIC;
use super::schemas::assert_described;
use super::*;

#[test]
fn every_share_adds_up() {
    let (code, report) = json(&["network", CLINIC, "--distributions", "--replications", "3"], &[]);
    let recorded = &report["distributions"];
    assert_eq!((code, &report["parameters"]["distributions"]), (0, &true.into()));
    assert_eq!(recorded["stations"].as_array().unwrap().len(), 3);
    for station in recorded["stations"].as_array().unwrap() {
        let present: Vec<f64> =
            station["present"].as_array().unwrap().iter().map(|share| share.as_f64().unwrap()).collect();
        assert!((present.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!(present.len() as u64, station["most_present"].as_u64().unwrap() + 1);
        let mean = |name: &str| station["system_time"][name]["mean"].as_f64().unwrap();
        assert!(mean("median") < mean("p90") && mean("p90") < mean("p99"));
    }
    // The mean number present is that of the distribution.
    let doctor = &recorded["stations"][1];
    let shares = doctor["present"].as_array().unwrap().iter().enumerate();
    let mean: f64 = shares.map(|(number, share)| number as f64 * share.as_f64().unwrap()).sum();
    assert!((mean - report["stations"][1]["mean_present"].as_f64().unwrap()).abs() < 1e-6);
    assert_described("network", &report);
}

#[test]
fn the_path_is_the_same_with_and_without() {
    let (_, plain) = json(&["network", CLINIC], &[]);
    let (_, mut recorded) = json(&["network", CLINIC, "--distributions=doctor"], &[]);
    // Only a distribution has them.
    assert!(recorded["stations"][1]["empty_share"].as_f64().is_some_and(|share| share > 0.0 && share < 1.0));
    for share in ["empty_share", "full_share"] {
        recorded["stations"][1][share] = Value::Null;
    }
    for field in ["network", "stations", "sources", "sinks", "events"] {
        assert_eq!(plain[field], recorded[field], "{field}");
    }
    assert_ne!(plain["digest"], recorded["digest"], "what is recorded is in the digest");
    assert_eq!((&plain["distributions"], &plain["parameters"]["distributions"]), (&Value::Null, &Value::Null));
    assert_eq!(recorded["parameters"]["distributions"], serde_json::json!(["doctor"]));
    assert_eq!(recorded["distributions"]["stations"][0]["station"], "doctor");
    assert_eq!(recorded["distributions"]["network"], Value::Null);
}

#[test]
fn a_result_with_distributions_repeats_itself() {
    for option in ["--distributions", "--distributions=x-ray,doctor"] {
        let (_, result) = json(&["network", CLINIC, option, "--warmup", "auto"], &[]);
        let file = path("distributions.json");
        std::fs::write(&file, result.to_string()).unwrap();
        let (code, repeated) = json(&["rerun", file.to_str().unwrap()], &[]);
        std::fs::remove_file(&file).unwrap();
        assert_eq!((code, &repeated["equal"]), (0, &true.into()), "{option}");
    }
}

#[test]
fn names_are_there_and_there_once() {
    let (code, report) = json(&["network", CLINIC, "--distributions=x-ray,doctor,x-ray"], &[]);
    assert_eq!((code, &report["parameters"]["distributions"]), (0, &serde_json::json!(["doctor", "x-ray"])));
    let refused = |arguments: &[&str], part: &str| {
        let refused = output(arguments);
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(part), "'{part}' is not in: {said}");
    };
    for names in ["--distributions=", "--distributions=doctor,,x-ray", "--distributions=doctor,"] {
        refused(&["network", CLINIC, names], "a name is missing");
    }
    let file = path("nobody.toml");
    let clinic = std::fs::read_to_string(CLINIC).unwrap();
    std::fs::write(&file, format!("distributions = []\n{clinic}")).unwrap();
    refused(&["network", file.to_str().unwrap()], "is empty: name a station, or give true");
    std::fs::remove_file(&file).unwrap();
}

/// What the file asks for can be taken back, and the result of that repeats itself.
#[test]
fn distributions_and_approximate_time_can_be_taken_back() {
    let (file, result) = (path("back.toml"), path("back.json"));
    let clinic = std::fs::read_to_string(CLINIC).unwrap();
    std::fs::write(&file, format!("distributions = true\napproximate = 0.5\n{clinic}")).unwrap();
    let (_, plain) = json(&["network", CLINIC], &[]);
    let arguments = ["network", file.to_str().unwrap(), "--no-distributions"];
    let (_, approximate) = json(&arguments, &[]);
    let (code, back) = json(&arguments, &["--no-approximate"]);
    std::fs::write(&result, back.to_string()).unwrap();
    let (_, repeated) = json(&["rerun", result.to_str().unwrap()], &[]);
    std::fs::remove_file(&file).unwrap();
    std::fs::remove_file(&result).unwrap();
    assert_eq!((code, &back["digest"], &repeated["equal"]), (0, &plain["digest"], &true.into()));
    assert_eq!(approximate["parameters"]["approximate"], 0.5);
    assert_eq!((&approximate["distributions"], &back["parameters"]["approximate"]), (&Value::Null, &Value::Null));
    for pair in [
        &["--no-distributions", "--distributions"][..],
        &["--no-distributions", "--histograms", "h.csv"],
        &["--no-approximate", "--approximate", "1"],
    ] {
        assert_eq!(output(&[&["network", CLINIC], pair].concat()).status.code(), Some(2), "{pair:?}");
    }
}

#[test]
fn backends_record_the_same() {
    if !has_adapter("backends_record_the_same") {
        return;
    }
    let arguments = ["compare", "network", CLINIC, "--distributions", "--until", "1500", "--backends", "heap,wgpu"];
    let (code, report) = json(&arguments, &[]);
    assert_eq!((code, &report["equal"]), (0, &true.into()));
}

#[test]
fn files_hold_a_line_for_each_station_and_each_bin() {
    let (stations, histograms) = (path("stations.csv"), path("histograms.csv"));
    let arguments =
        ["network", CLINIC, "--stations", stations.to_str().unwrap(), "--histograms", histograms.to_str().unwrap()];
    let (code, report) = json(&arguments, &["--replications", "3"]);
    assert_eq!((code, &report["parameters"]["distributions"]), (0, &true.into()));
    let read = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        std::fs::remove_file(file).unwrap();
        let rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect::<Vec<Vec<String>>>();
        move |row: usize, name: &str| {
            rows.get(row).map(|line| line[rows[0].iter().position(|n| n == name).expect(name)].clone())
        }
    };
    let of_station = read(&stations);
    let doctor = &report["distributions"]["stations"][1];
    assert_eq!(of_station(2, "most_present").unwrap(), doctor["most_present"].to_string());
    assert_eq!(of_station(2, "system_time_p99").unwrap(), doctor["system_time"]["p99"]["mean"].to_string());
    for (column, value) in [
        ("mean_service_time_half_width", &report["stations"][1]["half_widths"]["mean_service_time"]),
        ("no_wait_half_width", &doctor["no_wait"]["half_width"]),
        ("waiting_time_median_half_width", &doctor["waiting_time"]["median"]["half_width"]),
        ("waiting_time_p95_half_width", &doctor["waiting_time"]["p95"]["half_width"]),
        ("system_time_p99_half_width", &doctor["system_time"]["p99"]["half_width"]),
    ] {
        assert_eq!(of_station(2, column).unwrap(), value.to_string(), "{column}");
    }
    let line = read(&histograms);
    let rows = (1..).take_while(|row| line(*row, "measure").is_some());
    let (mut waited, mut stayed) = (0.0, 0.0);
    for row in rows {
        let weight: f64 = line(row, "weight").unwrap().parse().unwrap();
        match (line(row, "station").unwrap().as_str(), line(row, "measure").unwrap().as_str()) {
            ("doctor", "waiting_time") => waited += weight,
            ("", "time_in_network") => stayed += weight,
            _ => (),
        }
    }
    assert_eq!(waited, report["stations"][1]["starts"].as_f64().unwrap());
    assert_eq!(stayed, report["sinks"][0]["tokens"].as_f64().unwrap());
}

/// On the command line a comma ends a name; in the file it need not.
#[test]
fn names_with_commas_go_in_the_file() {
    let file = path("commas.toml");
    let stations = "[[station]]\nname = 'desk, left'\nservice = 'constant:1'\ntokens = 1\n\
                    [[route]]\nfrom = 'desk, left'\nto = 'desk, left'\n";
    std::fs::write(&file, format!("distributions = ['desk, left']\n{stations}")).unwrap();
    let (code, report) = json(&["network", file.to_str().unwrap()], &[]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!((code, &report["distributions"]["stations"][0]["station"]), (0, &"desk, left".into()));
    let help = text(&output(&["network", "--help"]).stdout);
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("names with commas go in the list `distributions` of the file"), "{help}");
}

#[test]
fn the_text_has_a_table_and_a_wrong_name_is_refused() {
    let shown = text(&output(&["network", CLINIC, "--distributions"]).stdout);
    for part in ["no wait", "99 %", "all visits", "until home"] {
        assert!(shown.contains(part), "{part} is missing from\n{shown}");
    }
    let refused = output(&["network", CLINIC, "--distributions=docter"]);
    let said = text(&refused.stderr);
    assert_eq!((refused.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains("no station is named 'docter'"), "{said}");
}

/// Each class at a station and a sink has its own, in the JSON, the files and the text; shards of them merge to the bit.
#[test]
fn classes_have_their_own() {
    let emergency = ["network", "examples/networks/emergency.toml", "--distributions", "--until", "6000"];
    let [classes, histograms] = ["of-classes.csv", "bins.csv"].map(path);
    let [classes, histograms] = [&classes, &histograms].map(|file| file.to_str().unwrap());
    let (code, report) = json(&emergency, &["--replications", "3", "--classes", classes, "--histograms", histograms]);
    let physician = &report["distributions"]["stations"][1];
    let [urgent, standard] = [0, 1].map(|class| &physician["classes"][class]);
    assert_eq!((code, &urgent["class"], &standard["class"]), (0, &"urgent".into(), &"standard".into()));
    let wait = |of: &Value| of["waiting_time"]["p90"]["mean"].as_f64().unwrap();
    assert!(wait(urgent) < wait(physician) && wait(physician) < wait(standard), "{physician}");
    let mean = |of: &Value| -> f64 {
        let shares = of["present"].as_array().unwrap().iter().map(|share| share.as_f64().unwrap());
        shares.enumerate().map(|(number, share)| number as f64 * share).sum()
    };
    assert!((mean(urgent) + mean(standard) - mean(physician)).abs() < 1e-9, "{physician}");
    let home = &report["distributions"]["sinks"][0]["classes"];
    assert!(home[0]["time_in_network"]["median"]["mean"].as_f64() > Some(10.0), "{home}");
    let read = |file: &str| std::fs::read_to_string(file).unwrap();
    let (lines, bins) = (read(classes), read(histograms));
    let columns = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let column =
        |name: &str| columns(lines.lines().next().unwrap()).iter().position(|column| column == name).expect(name);
    let of_standard = columns(lines.lines().nth(4).unwrap());
    assert_eq!(of_standard[column("waiting_time_p90")], standard["waiting_time"]["p90"]["mean"].to_string());
    assert_eq!(of_standard[column("most_present")], standard["most_present"].to_string());
    assert_eq!(
        of_standard[column("system_time_p99_half_width")],
        standard["system_time"]["p99"]["half_width"].to_string()
    );
    assert!(bins.starts_with("station,sink,class,measure,") && bins.contains("\nphysician,,standard,waiting_time,"));
    assert!(bins.contains("\n,home,urgent,time_in_network,") && bins.contains("\nphysician,,,present,"));
    let shards = ["0..2", "2..3"].map(|range| {
        let shard = path(&format!("by-class-{range}.shard"));
        let asked = [&emergency[..], &["--replications", range, "--shard", shard.to_str().unwrap()]].concat();
        assert_eq!(output(&asked).status.code(), Some(0));
        shard
    });
    let merged = json(&["merge", shards[0].to_str().unwrap(), shards[1].to_str().unwrap()], &[]).1;
    assert_eq!((&merged["digest"], &merged["distributions"]), (&report["digest"], &report["distributions"]));
    let shown = text(&output(&emergency).stdout);
    let rows: Vec<_> = shown.lines().filter(|line| line.contains("physician") && line.contains(" urgent ")).collect();
    assert!(rows.len() == 2 && shown.contains("until home"), "{shown}");
}
