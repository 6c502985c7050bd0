//! The tables of `tickless network` for people: digits, columns and names.

use super::network::CLINIC;
use super::*;

/// What a command prints of a network.
fn shown(name: &str, network: &str, options: &[&str]) -> String {
    let file = path(name);
    std::fs::write(&file, network).unwrap();
    let run = output(&[&["network", file.to_str().unwrap(), "--backend", "heap"], options].concat());
    std::fs::remove_file(&file).unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    text(&run.stdout)
}

/// The words of the first line that begins with this one.
fn words<'a>(shown: &'a str, first: &str) -> Vec<&'a str> {
    let line = shown.lines().find(|line| line.trim_start().starts_with(first));
    line.unwrap_or_else(|| panic!("no line begins with {first}:\n{shown}")).split_whitespace().collect()
}

fn loops(name: &str, mean: &str) -> String {
    format!(
        "[[station]]\nname = {name}\nservice = 'exponential:{mean}'\ntokens = 3\n[[route]]\nfrom = {name}\nto = {name}\n"
    )
}

#[test]
fn tiny_and_huge_figures_keep_their_digits_and_a_blank_between() {
    let network = format!("until = 1e9\nwarmup = 9e8\n{}", loops("'slow'", "1e7")) + &loops("'slower'", "3e7");
    let huge = shown("huge.toml", &network, &["--distributions", "--replications", "3"]);
    let row = words(&huge, "slow ");
    assert_eq!(row.len(), 9, "{huge}");
    assert!(row[6].ends_with("e7") && row[4].ends_with("e-8") || row[4].ends_with("e-7"), "{huge}");
    let tiny = shown("tiny.toml", &format!("until = 0.1\n{}", loops("'quick'", "0.00002")), &["--distributions"]);
    let row = words(&tiny, "quick");
    let (waiting, throughput): (f64, f64) = (row[6].parse().unwrap(), row[4].parse().unwrap());
    assert!((2e-5..8e-5).contains(&waiting) && (4e4..6e4).contains(&throughput), "{tiny}");
    let quantiles = words(tiny.split("no wait").nth(1).unwrap(), "quick");
    assert_eq!(quantiles.len(), 12, "{tiny}");
    let quantiles: Vec<f64> = quantiles[4..].iter().map(|value| value.parse().unwrap()).collect();
    assert!(quantiles.iter().all(|value| (1e-6..1e-3).contains(value)), "{tiny}");
}

#[test]
fn names_are_escaped_and_cut_in_tables_alone() {
    let name = "\u{1b}[31mregistration of out-patients\n\tground floor";
    let quoted = "\"\\u001b[31mregistration of out-patients\\n\\tground floor\"";
    let stations = path("named.csv");
    let options = ["--stations", stations.to_str().unwrap(), "--distributions"];
    let network = loops(quoted, "1") + &loops("'desk'", "2");
    let table = shown("named.toml", &network, &options);
    let csv = std::fs::read_to_string(&stations).unwrap();
    std::fs::remove_file(&stations).unwrap();
    assert!(csv.contains(name), "{csv}");
    assert!(table.chars().all(|c| c == '\n' || !c.is_control()), "{table:?}");
    let (long, short) = ("\\u{1b}[31mre…round floor", "desk");
    let [cut, desk] = [long, short].map(|first| table.lines().find(|line| line.trim_start().starts_with(first)));
    // The columns end where they end for everybody.
    assert_eq!(cut.unwrap().chars().count(), desk.unwrap().chars().count(), "{table}");
    let refused = output(&["network", CLINIC, "--distributions=\u{1b}[31mred"]);
    assert!(text(&refused.stderr).contains("'\\u{1b}[31mred'"), "{}", text(&refused.stderr));
}

#[test]
fn a_station_of_any_name_is_told_from_the_network() {
    let table = shown("visits.toml", &(loops("'all visits'", "1") + &loops("'until home'", "2")), &["--distributions"]);
    let quantiles = table.split("no wait").nth(1).unwrap();
    let (stations, network) = (quantiles, table.split("  network").nth(1).unwrap());
    assert!(stations.contains("all visits") && stations.contains("until home"), "{table}");
    assert!(network.contains("all visits") && !network.contains("until home"), "{table}");
}

#[test]
fn the_table_has_every_quantile_of_the_document() {
    let (_, report) = json(&["network", CLINIC, "--distributions", "--seed", "3"], &[]);
    let table = text(&output(&["network", CLINIC, "--distributions", "--seed", "3"]).stdout);
    let row = words(table.split("no wait").nth(1).unwrap(), "doctor");
    for (place, name) in ["median", "p90", "p95", "p99"].into_iter().enumerate() {
        let exact = report["distributions"]["stations"][1]["system_time"][name]["mean"].as_f64().unwrap();
        let found: f64 = row[8 + place].parse().unwrap();
        assert!((found / exact - 1.0).abs() < 1e-4, "{name}: {found} of {exact} in\n{table}");
    }
}

#[test]
fn a_precision_is_written_as_it_was_asked() {
    let run = output(&["network", CLINIC, "--precision", "0.5", "--backend", "heap"]);
    let shown = text(&run.stdout);
    let row = words(&shown, "precision");
    assert!(row[1].trim_end_matches(',').starts_with("0.") && row[2] == "0.5", "{shown}");
}
