//! The visits of tokens as files: CSV, Parquet and XES.

use std::collections::BTreeMap;

use super::{json, output, path, text};

const EMERGENCY: [&str; 8] =
    ["network", "examples/networks/emergency.toml", "--replications", "3..6", "--until", "4000", "--warmup", "0"];

/// The formats that this build writes.
const NAMES: &[&str] = if cfg!(feature = "parquet") { &["csv", "xes", "parquet"] } else { &["csv", "xes"] };

/// The visits of a file are those that the figures count, on every backend the same, and a sample of tokens is part of them.
#[test]
fn visits_add_up_to_the_figures() {
    let [all, again, part] = ["visits.csv", "again.csv", "part.csv"].map(path);
    let [of_all, of_again, of_part] = [&all, &again, &part].map(|path| path.to_str().unwrap());
    let run = ["network", "examples/networks/emergency.toml", "--replications", "3..6", "--until", "4000"];
    let run = [&run[..], &["--warmup", "0"]].concat();
    let (code, report) = json(&[&run[..], &["--backend", "heap", "--visits", of_all]].concat(), &[]);
    assert_eq!(code, 0);
    let text_of = std::fs::read_to_string(&all).unwrap();
    let lines: Vec<Vec<&str>> = text_of.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let at = |station: &str| -> Vec<&Vec<&str>> { lines.iter().filter(|line| line[3] == station).collect() };
    let time = |text: &str| text.parse::<f64>().unwrap();
    for (place, station) in ["triage", "physician", "tests"].into_iter().enumerate() {
        let (visits, told) = (at(station), &report["stations"][place]);
        assert_eq!(told["arrivals"], visits.len(), "{station}");
        let started: Vec<f64> =
            visits.iter().filter(|line| !line[5].is_empty()).map(|line| time(line[5]) - time(line[4])).collect();
        assert_eq!(told["starts"], started.len(), "{station}");
        let mean = started.iter().sum::<f64>() / started.len() as f64;
        assert!((mean - told["mean_waiting_time"].as_f64().unwrap()).abs() < 1e-6, "{station}");
        let ended = visits.iter().filter(|line| line[8] == "served").count();
        assert_eq!(told["completions"], ended, "{station}");
    }
    let left = |why: &str| lines.iter().filter(|line| line[8] == why).count();
    let sum =
        |key: &str| report["classes"].as_array().unwrap().iter().map(|one| one[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("reneged"), sum("balked")), (left("reneged") as u64, left("balked") as u64));
    let home = lines.iter().filter(|line| line[9] == "home").count();
    assert_eq!(report["sinks"][0]["tokens"], home);
    assert!(lines.iter().any(|line| line[0] == "5" && line[2] == "urgent") && left("present") > 0);
    assert_eq!(output(&[&run[..], &["--backend", "wgpu", "--visits", of_again]].concat()).status.code(), Some(0));
    assert_eq!(std::fs::read(&again).unwrap(), text_of.as_bytes());
    let sampled = [&run[..], &["--visits", of_part, "--sample", "1/10"]].concat();
    assert_eq!(output(&sampled).status.code(), Some(0));
    let kept = |line: &&str| line.split(',').nth(1).unwrap().parse().is_ok_and(|token: u64| token.is_multiple_of(10));
    let expected: Vec<&str> = text_of.lines().take(1).chain(text_of.lines().skip(1).filter(kept)).collect();
    assert_eq!(std::fs::read_to_string(&part).unwrap().lines().collect::<Vec<_>>(), expected);
    for wrong in [&["--sample", "1/10"][..], &["--visits", of_part, "--sample", "10"]] {
        assert_eq!(output(&[&run[..], wrong].concat()).status.code(), Some(2), "{wrong:?}");
    }
}

/// The contents of a file of visits of a run with these options.
fn written(name: &str, run: &[&str]) -> Vec<u8> {
    let file = path(name);
    let said = output(&[run, &["--visits", file.to_str().unwrap()]].concat());
    assert_eq!(said.status.code(), Some(0), "{name}: {}", text(&said.stderr));
    std::fs::read(&file).unwrap()
}

/// No backend and no number of threads changes a byte of any format.
#[test]
fn files_are_the_same_on_every_backend() {
    for ending in NAMES {
        let of = |name: &str, options: &[&str]| written(&format!("{name}.{ending}"), &[&EMERGENCY, options].concat());
        let heap = of("heap", &["--backend", "heap", "--threads", "1"]);
        assert_eq!(heap, of("threads", &["--backend", "heap", "--threads", "3"]), "{ending}");
        assert_eq!(heap, of("wgpu", &["--backend", "wgpu"]), "{ending}");
        assert!(of("part", &["--backend", "heap", "--sample", "1/10"]).len() < heap.len() / 2, "{ending}");
    }
}

/// The events of each trace of XES, by its name: station, transition, time in minutes and class.
fn traces(log: &str) -> Vec<(String, Vec<[String; 4]>)> {
    let between = |line: &str, begin: &str| -> String {
        let rest = line.split_once(begin).unwrap_or_else(|| panic!("{begin} in {line}")).1;
        rest.split_once('"').unwrap().0.to_owned()
    };
    let minutes = |date: &str| {
        let parts = date.strip_prefix("1970-01-").and_then(|rest| rest.strip_suffix("+00:00")).expect("a date");
        let parts: Vec<f64> = parts.split(['T', ':']).map(|part| part.parse().unwrap()).collect();
        ((parts[0] - 1.0) * 1440.0 + parts[1] * 60.0 + parts[2] + parts[3] / 60.0).to_string()
    };
    let named = |line: &str| between(line, "<string key=\"concept:name\" value=\"");
    let body = log.split_once("<trace>").unwrap().1.strip_suffix("</trace>\n</log>\n").unwrap();
    let all = body.split("</trace>\n<trace>").map(|trace| {
        let mut lines = trace.trim().lines();
        let name = named(lines.next().unwrap());
        let events = lines.map(|line| {
            assert!(line.starts_with("<event>") && line.ends_with("</event>"), "{line}");
            let transition = between(line, "<string key=\"lifecycle:transition\" value=\"");
            let time = minutes(&between(line, "<date key=\"time:timestamp\" value=\""));
            let class = line.contains("key=\"class\"").then(|| between(line, "<string key=\"class\" value=\""));
            [named(line), transition, time, class.unwrap_or_default()]
        });
        (name, events.collect())
    });
    all.collect()
}

/// The traces of XES have, token by token, what the lines of CSV say.
#[test]
fn traces_are_the_visits_of_tokens() {
    let [csv, xes] = ["traces.csv", "traces.xes"].map(|name| String::from_utf8(written(name, &EMERGENCY)).unwrap());
    let mut expected: BTreeMap<String, Vec<[&str; 4]>> = BTreeMap::new();
    for line in csv.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let events = expected.entry(format!("{}:{}", cells[0], cells[1])).or_default();
        let gone = if cells[6].is_empty() { cells[7] } else { "" };
        let left = if cells[5].is_empty() { "withdraw" } else { "ate_abort" };
        for (transition, time) in [("schedule", cells[4]), ("start", cells[5]), ("complete", cells[6]), (left, gone)] {
            events.extend((!time.is_empty()).then_some([cells[3], transition, time, cells[2]]));
        }
    }
    let found = traces(&xes);
    assert_eq!(found.len(), expected.len());
    for (name, events) in found {
        let expected = expected.remove(&name).unwrap_or_else(|| panic!("{name} twice, or of no token"));
        assert_eq!(events.len(), expected.len(), "{name}");
        for (found, expected) in events.iter().zip(&expected) {
            let apart = found[2].parse::<f64>().unwrap() - expected[2].parse::<f64>().unwrap();
            assert!(apart.abs() < 1e-7, "{name}: {found:?} and {expected:?}");
            assert_eq!([&*found[0], &found[1], &found[3]], [expected[0], expected[1], expected[3]], "{name}");
        }
    }
}

/// Names that XML would take for its own; a network without classes; a horizon behind all dates.
#[test]
fn names_and_dates_are_those_that_xml_allows() {
    let file = path("names.toml");
    let text_of = "until = 20\n[[source]]\nname = 'in'\ninterval = 'constant:4'\nto = 'A & <B>'\n[[station]]\nname = 'A & <B>'\n\
                   service = 'constant:1.5'\n[[sink]]\nname = 'out'\n[[route]]\nfrom = 'A & <B>'\nto = 'out'\n";
    std::fs::write(&file, text_of).unwrap();
    let run = ["network", file.to_str().unwrap(), "--backend", "heap"];
    let log = String::from_utf8(written("names.xes", &run)).unwrap();
    let event = "<event><string key=\"concept:name\" value=\"A &amp; &lt;B&gt;\"/><string key=\"lifecycle:transition\" \
                 value=\"complete\"/><date key=\"time:timestamp\" value=\"1970-01-01T00:00:05.500000+00:00\"/></event>\n";
    assert!(log.contains(event) && !log.contains("key=\"class\""), "{log}");
    std::fs::write(&file, format!("unit = \"week\"\n{text_of}")).unwrap();
    let late = path("late.xes");
    let said = output(&[&run[..], &["--until", "419000", "--visits", late.to_str().unwrap()]].concat());
    assert_eq!((said.status.code(), late.exists()), (Some(2), false));
    let said = text(&said.stderr);
    assert!(said.contains("horizon is 419000 week") && said.contains("at most 418985"), "{said}");
}

/// A name of another format, or of one that this build lacks, is refused before the run.
#[test]
fn other_formats_are_refused() {
    let mut cases = vec![("visits.xlsx", "end its name with .csv, .txt, .parquet, .xes")];
    if !cfg!(feature = "parquet") {
        cases.push(("visits.parquet", "build it with --features parquet, or end the name with .csv or .xes"));
    }
    for (name, part) in cases {
        let file = path(name);
        let said = output(&[&EMERGENCY[..], &["--visits", file.to_str().unwrap()]].concat());
        assert_eq!((said.status.code(), said.stdout.len(), file.exists()), (Some(2), 0, false), "{name}");
        assert!(text(&said.stderr).contains(part), "{}", text(&said.stderr));
    }
}

/// Ctrl-C while visits are written leaves the result, which is printed already, and no half of a file.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_half_of_a_file() {
    use std::io::Read as _;
    use std::process::{Command, Stdio};
    for ending in NAMES {
        let file = path(&format!("interrupted.{ending}"));
        let run = ["network", EMERGENCY[1], "--until", "2000000", "--backend", "heap", "--visits"];
        let mut child = super::command(&[&run[..], &[file.to_str().unwrap()]].concat());
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0; 8]).unwrap();
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let said = child.wait_with_output().unwrap();
        assert_eq!((said.status.code(), file.exists()), (Some(130), false), "{ending}: {}", text(&said.stderr));
        assert!(text(&said.stderr).contains("files were written"), "{}", text(&said.stderr));
        assert!(!std::fs::read_dir(file.parent().unwrap()).unwrap().any(|entry| {
            entry.unwrap().file_name().to_string_lossy().starts_with(&format!("interrupted.{ending}"))
        }));
    }
}

/// Every format says which resources a token held.
#[test]
fn resources_are_told() {
    let text =
        String::from_utf8(written("held.csv", &["network", "examples/recipes/bed-cleaning.toml", "--until", "3000"]))
            .unwrap();
    let with = text.lines().filter(|line| line.split(',').nth(10).is_some_and(|held| held.contains("bed"))).count();
    assert!(text.starts_with("replication,") && with > 5, "{text}");
    let log =
        String::from_utf8(written("held.xes", &["network", "examples/recipes/bed-cleaning.toml", "--until", "3000"]))
            .unwrap();
    assert!(log.contains("key=\"org:resource\" value=\""), "{log}");
}
