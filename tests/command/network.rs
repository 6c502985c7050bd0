//! `tickless network`: the examples, the fields, the CSV file, and bad files.

use super::*;

pub const CLINIC: &str = "examples/networks/clinic.toml";

#[test]
fn every_example_runs() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/networks");
    let mut seen = 0;
    for path in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        let file = path.to_str().unwrap();
        let (code, first) = json(&["network", file], &[]);
        assert_eq!(code, 0, "{file}");
        assert!(first["events_per_second"].as_f64().unwrap() > 0.0, "{file}");
        let kinds: Vec<_> = first["warnings"].as_array().unwrap().iter().map(|warning| &warning["kind"]).collect();
        // Little's law, up to what the ends of the measured time cut. Who is served and finds no room elsewhere is there longer.
        let [present, throughput, time] = ["mean_present", "throughput", "mean_system_time"]
            .map(|figure| first["statistics"][figure].as_f64().unwrap());
        let classes = first["classes"].as_array().map_or(&[][..], Vec::as_slice);
        let held: f64 = classes.iter().filter_map(|class| class["blocked_time"].as_f64()).sum();
        let held = held / first["measured"].as_f64().unwrap();
        assert!((present - held - throughput * time).abs() < 0.1 * present, "{file}: {present}, {throughput} x {time}");
        assert!(kinds.iter().all(|kind| *kind != "model"), "{file}: {kinds:?}");
        seen += 1;
    }
    assert!(seen >= 2);
}

#[test]
fn options_override_the_file() {
    let (_, base) = json(&["network", CLINIC], &[]);
    for (option, value) in [("--seed", "2"), ("--until", "9000"), ("--warmup", "500"), ("--window", "3.5")] {
        let (code, other) = json(&["network", CLINIC, option, value], &[]);
        assert_eq!(code, 0);
        assert_ne!(other["digest"], base["digest"], "{option}");
    }
    let (_, shifted) = json(&["network", CLINIC, "--window", "3.5"], &[]);
    // The way to the X-ray takes 3 of it; who goes home meets nobody.
    assert_eq!(
        (&shifted["parameters"]["shifted_stations"], &shifted["parameters"]["window"]),
        (&2.into(), &3.5.into())
    );
}

/// Approximate time counts its causality errors; `auto` takes the heap where rounds would be small, and says so.
#[test]
fn approximate_time_counts_its_errors() {
    let torus = ["network", "examples/networks/torus.toml", "--window", "0", "--approximate"];
    let (code, small) = json(&torus, &["0.25", "--until", "20", "--warmup", "0"]);
    assert_eq!((code, &small["backend"], &small["parameters"]["approximate"]), (0, &"heap".into(), &0.25.into()));
    assert_eq!(small["parameters"]["window"], 0.25);
    assert_eq!(small["warnings"][0]["kind"], "heap_fallback");
    assert!(small["warnings"][0]["reason"].as_str().unwrap().contains("a round of this network"));
    let (_, found) = json(&torus, &["2", "--backend", "heap"]);
    let counts =
        found["stations"].as_array().unwrap().iter().map(|station| station["causality_errors"].as_u64().unwrap());
    assert_eq!(found["causality_errors"], counts.sum::<u64>());
    assert!(found["causality_errors"].as_u64().unwrap() > 0);
    let (_, exact) = json(&["network", CLINIC], &[]);
    let nulls =
        [&exact["causality_errors"], &exact["stations"][0]["causality_errors"], &exact["parameters"]["approximate"]];
    assert_eq!(nulls, [&Value::Null; 3]);
    let shown = text(&output(&["network", CLINIC, "--approximate", "0.5"]).stdout);
    assert!(shown.contains("multiples of 0.5") && shown.contains("causality errors"), "{shown}");
    for (options, part) in [
        (&["0.5", "--window", "1"][..], "give one of them"),
        (&["0"], "interval of approximate time is 0"),
        (&["soon"], "a number of time units"),
    ] {
        let refused = output(&[&["network", CLINIC, "--approximate"], options].concat());
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(part), "'{part}' is not in: {said}");
    }
}

/// A torus in approximate time is the network of the same name.
#[test]
fn a_torus_has_approximate_time_too() {
    let torus = ["torus", "--approximate", "2", "--tokens", "2", "--backend", "heap"];
    let (code, found) = json(&torus, &["--side", "32", "--until", "200", "--warmup", "50"]);
    let file = ["network", "examples/networks/torus.toml", "--window", "0", "--approximate", "2"];
    let (_, network) = json(&file, &["--until", "200", "--warmup", "50", "--backend", "heap"]);
    assert_eq!((code, &found["backend"], &found["parameters"]["approximate"]), (0, &"heap".into(), &2.0.into()));
    for figure in ["utilization", "mean_waiting_time", "throughput"] {
        assert_eq!(found["statistics"][figure], network["statistics"][figure], "{figure}");
    }
    assert_eq!((&found["causality_errors"], &found["events"]), (&network["causality_errors"], &network["events"]));
    assert_eq!(found["parameters"]["torus"]["shift"], Value::Null);
    if has_adapter("a_torus_has_approximate_time_too") {
        let (_, device) =
            json(&["torus", "--approximate", "2"], &["--side", "16", "--until", "50", "--backend", "wgpu"]);
        let (_, heap) = json(&["torus", "--approximate", "2"], &["--side", "16", "--until", "50", "--backend", "heap"]);
        assert_eq!((&device["backend"], &device["digest"]), (&"wgpu".into(), &heap["digest"]));
        assert_eq!(device["causality_errors"], heap["causality_errors"]);
        assert!(device["rounds"].as_u64().unwrap() <= 25);
    }
    let shown = text(&output(&["torus", "--side", "4", "--approximate", "0.5"]).stdout);
    assert!(shown.contains("multiples of 0.5") && shown.contains("causality errors"), "{shown}");
    for (options, part) in [
        (&["0"][..], "interval of approximate time is 0"),
        (&["1", "--window", "1"], "a window of 1 and approximate time of interval 1"),
    ] {
        let refused = output(&[&["torus", "--side", "4", "--approximate"], options].concat());
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(part), "'{part}' is not in: {said}");
    }
}

#[test]
fn the_figures_agree_with_each_other() {
    let (_, report) = json(&["network", CLINIC], &[]);
    let stations = report["stations"].as_array().unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    for station in stations {
        let (waiting, service) = (number(&station["mean_waiting_time"]), number(&station["mean_service_time"]));
        assert_eq!(number(&station["mean_system_time"]), waiting + service);
        // Little's law, up to what the ends of the measured time cut.
        let present = number(&station["mean_present"]);
        let little = number(&station["throughput"]) * (waiting + service);
        assert!((present - little).abs() < 0.05 * present, "{station}: {little}");
    }
    let shown = text(&output(&["network", CLINIC]).stdout);
    for part in ["registration", "x-ray", "sent ", "in the network", report["digest"].as_str().unwrap()] {
        assert!(shown.contains(part), "'{part}' is not in:\n{shown}");
    }
}

#[test]
fn the_csv_file_has_the_stations_of_the_json() {
    let file = path("stations.csv");
    let name = file.to_str().unwrap();
    let (code, report) = json(&["network", CLINIC, "--stations", name], &[]);
    assert_eq!(code, 0);
    let lines = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let header: Vec<&str> = lines.lines().next().unwrap().split(',').collect();
    // The half widths are columns of the figure that they belong to.
    let spreads = ["standard_deviations", "half_widths", "rests_on"];
    for name in keys(&report["stations"][0]).iter().filter(|name| !spreads.contains(name)) {
        assert!(header.contains(name), "{name} is not in {header:?}");
    }
    assert!(header.contains(&"utilization_half_width"), "{header:?}");
    assert_eq!(lines.lines().count(), 1 + report["stations"].as_array().unwrap().len());
    let refused = output(&["network", CLINIC, "--stations", "/nowhere/stations.csv"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("give --stations a path that can"));
}

#[test]
fn a_bad_file_is_refused_in_one_line() {
    let refused = |contents: &str, parts: &[&str]| {
        let file = path("bad.toml");
        std::fs::write(&file, contents).unwrap();
        let refused = output(&["network", file.to_str().unwrap()]);
        std::fs::remove_file(&file).unwrap();
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        parts.iter().for_each(|part| assert!(said.contains(part), "'{part}' is not in: {said}"));
    };
    refused("", &["bad.toml cannot be read: it is empty", "name a TOML file"]);
    refused("until = 5", &["bad.toml: the network has no station"]);
    refused("[[station]]\nname = 'a'\nservice = 'gumbel:1,2'\n", &["bad.toml, line 3: ", "gumbel:1,2"]);
    refused("[[station]]\nname = 'a'\nservice = 'constant:1'\ncolour = 'red'\n", &["line 4: ", "colour", "capacity"]);
    refused("[[station]]\nname = 'a'\nservice = 'constant:1'\ntokens = 1\n", &["no route leads away from station 'a'"]);
    refused("\u{0}\u{1}", &["bad.toml cannot be read: ", "line 1 has the byte 0x00"]);
    refused(
        "until = -5\n[[station]]\nname = 'a'\nservice = 'constant:1'\ntokens = 1\n[[route]]\nfrom = 'a'\nto = 'a'\n",
        &["bad.toml, line 1: until is -5"],
    );
    refused(
        "until = 18446744073709551616\n",
        &["bad.toml, line 1: `until` is 18446744073709551616; it must be a number above 0"],
    );
    refused(
        "until = 4.50\nwarmup = 4.50\n[[station]]\nname = 'a'\nservice = 'constant:1'\ntokens = 1\n\
         [[route]]\nfrom = 'a'\nto = 'a'\n",
        &["bad.toml, line 2: the warm-up time is 4.50; ", "below until, which is 4.50"],
    );
    refused(
        "distributions = ['b']\n[[station]]\nname = 'a'\nservice = 'constant:1'\ntokens = 1\n\
         [[route]]\nfrom = 'a'\nto = 'a'\n",
        &["bad.toml, line 1: no station is named 'b'", "there is 'a'"],
    );
    refused(
        "[[station]]\nname = 'a'\nservice = 'constant:1'\nservers = 0\n",
        &["line 4: station 'a': the number of servers is 0"],
    );
    let missing = output(&["network", "/nowhere/network.toml"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("/nowhere/network.toml cannot be read"));
    for (given, said) in [("-1", "clinic.toml: until is -1;"), ("1e300", "clinic.toml: until is 1e300;")] {
        let refused = output(&["network", CLINIC, "--until", given]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains(said), "{}", text(&refused.stderr));
    }
    assert_eq!(output(&["network"]).status.code(), Some(2));
}

/// What is no TOML is said in the same words as other faults, above its line and a caret.
#[test]
fn what_is_no_toml_is_shown_with_a_caret() {
    let file = path("no.toml");
    for (contents, said) in [
        (
            "until = 5\nfoo bar\n",
            "no.toml, line 2, column 5: a key has no value: write KEY = VALUE, and in quotes what has blanks, as in \
             station.\"my desk\".servers\n  foo bar\n      ^\n",
        ),
        ("\tuntil =\u{1b}[7m 5.\n", "no.toml, line 1, column 10: "),
    ] {
        std::fs::write(&file, contents).unwrap();
        let refused = output(&["network", file.to_str().unwrap()]);
        let shown = text(&refused.stderr);
        assert_eq!((refused.status.code(), shown.lines().count()), (Some(2), 3), "{shown}");
        assert!(shown.contains(said) && !shown.contains(['\t', '\u{1b}']), "{shown}");
    }
    std::fs::remove_file(&file).unwrap();
}

/// A torus of a file without tokens is refused, as that of the command and any other network is.
#[test]
fn a_network_without_tokens_is_refused() {
    let file = path("empty.toml");
    for kind in ["kind = 'torus'\nwidth = 4\nheight = 4", "kind = 'ring'\nstations = 4"] {
        std::fs::write(&file, format!("[generate]\n{kind}\nservice = 'constant:1'\n")).unwrap();
        let refused = output(&["network", file.to_str().unwrap(), "--backend", "heap"]);
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0), "{kind}: {said}");
        assert!(said.contains("no token ever reaches station 's0'"), "{kind}: {said}");
    }
    std::fs::remove_file(&file).unwrap();
}

/// A closed network that lost tokens says so above its figures, also where that was in the warm-up.
#[test]
fn what_was_lost_before_the_counting_is_said() {
    let file = path("lossy.toml");
    let network = "until = 1000\nwarmup = 500\n[[station]]\nname = 'many'\nservice = 'constant:1'\ntokens = 12\n\
                   [[station]]\nname = 'few'\nservice = 'exponential:9'\ncapacity = 4\n\
                   [[route]]\nfrom = 'many'\nto = 'few'\n[[route]]\nfrom = 'few'\nto = 'many'\n";
    std::fs::write(&file, network).unwrap();
    let name = file.to_str().unwrap();
    let run = ["network", name, "--backend", "heap"];
    let value: Value = serde_json::from_slice(&output(&[&run[..], &["--format", "json"]].concat()).stdout).unwrap();
    let before = value["losses_before"].as_u64().unwrap();
    assert!(before >= 6, "{before}");
    assert_eq!(12, before + value["losses"].as_u64().unwrap() + value["tokens_present"].as_u64().unwrap());
    let shown = text(&output(&run).stdout);
    let place = |part: &str| shown.find(part).unwrap_or_else(|| panic!("{part} is missing from\n{shown}"));
    assert!(place(&format!("{before} of 12, {before} before the counting began")) < place("utilization"), "{shown}");
    place(&format!("0, and {before} before the counting began"));
    // An open network loses tokens by design: its table has them.
    std::fs::write(&file, network.replace("to = 'many'", "to = 'out'") + "[[sink]]\nname = 'out'\n").unwrap();
    let shown = text(&output(&run).stdout);
    assert!(!shown.contains("TOKENS LOST") && shown.contains("before the counting began"), "{shown}");
    std::fs::remove_file(&file).unwrap();
}

/// The figures by class are in the table, the JSON and the file; shards of them merge to the bit.
#[test]
fn classes_are_told() {
    let file = "examples/networks/emergency.toml";
    let csv = path("classes.csv");
    let run = ["network", file, "--replications", "4", "--until", "8000", "--classes", csv.to_str().unwrap()];
    let (code, report) = json(&run, &[]);
    assert_eq!(code, 0);
    let classes = report["classes"].as_array().expect("classes");
    let names: Vec<_> = classes.iter().map(|class| (class["station"].as_str(), class["class"].as_str())).collect();
    assert_eq!((names.len(), names[3]), (6, (Some("physician"), Some("standard"))));
    assert!(classes[3]["reneged"].as_u64() > Some(100) && classes[3]["half_widths"]["mean_waiting_time"].is_number());
    let lines = std::fs::read_to_string(&csv).expect("a file");
    assert!(lines.starts_with("station,class,arrivals,") && lines.lines().count() == 7, "{lines}");
    let text = text(&output(&["network", file, "--until", "8000"]).stdout);
    assert!(text.contains("urgent, standard; event by event") && text.contains("reneging"), "{text}");
    let shards = ["0..1", "1..4"].map(|range| {
        let shard = path(&format!("classes-{range}.shard"));
        let asked = ["network", file, "--until", "8000", "--replications", range, "--shard", shard.to_str().unwrap()];
        assert_eq!(output(&asked).status.code(), Some(0));
        shard
    });
    let merged = json(&["merge", shards[1].to_str().unwrap(), shards[0].to_str().unwrap()], &[]).1;
    assert_eq!((&merged["digest"], &merged["classes"]), (&report["digest"], &report["classes"]));
    over_time(file, "--replications 4 --until 8000");
    // The file has names in it, so that a rerun needs nothing else.
    let result = path("classes.json");
    std::fs::write(&result, serde_json::to_string(&report).unwrap()).unwrap();
    assert_eq!(output(&["rerun", result.to_str().unwrap()]).status.code(), Some(0));
    in_rounds();
    // A series leaves the network its window.
    let series = path("window.csv");
    let with_series = ["network", CLINIC, "--window", "1", "--series", series.to_str().unwrap()];
    assert_eq!(output(&with_series).status.code(), Some(0));
    for refused in [
        &["network", CLINIC, "--classes", "x.csv"][..],
        &["network", file, "--window", "1"],
        &["network", file, "--ranks", "2"],
        &["network", file, "--checkpoint", "x.ckpt", "--backend", "wgpu"],
    ] {
        let output = output(refused);
        let (code, said) = (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned());
        assert!(
            code == Some(2) && (said.contains("classes") || said.contains("event by event")),
            "{refused:?}: {said}"
        );
    }
}

/// A file of classes with a window says so, on the heap and on a device, and a rerun has the same records.
fn in_rounds() {
    let (file, result) = ("examples/networks/departments.toml", path("rounds.json"));
    let run = |more: &[&str]| json(&[&["network", file], more].concat(), &[]);
    let (code, heap) = run(&["--backend", "heap"]);
    assert_eq!((code, &heap["parameters"]["window"]), (0, &0.5.into()));
    let (code, device) = run(&["--backend", "wgpu"]);
    assert_eq!((code, &device["digest"], &device["classes"]), (0, &heap["digest"], &heap["classes"]));
    assert!(heap["rounds"].is_null() && device["rounds"].as_u64() > Some(100), "{}", device["rounds"]);
    std::fs::write(&result, serde_json::to_string(&device).unwrap()).unwrap();
    assert_eq!(output(&["rerun", result.to_str().unwrap(), "--backend", "heap"]).status.code(), Some(0));
    let text = text(&output(&["network", file, "--backend", "heap"]).stdout);
    assert!(
        text.contains("walk-in, referred, returning\n") && text.contains("which shifts the law of one station"),
        "{text}"
    );
    let last_come = path("last-come.toml");
    let written = std::fs::read_to_string(file).expect("an example").replace("servers = 2", "discipline = 'lcfs'");
    std::fs::write(&last_come, written).expect("a file");
    let said = output(&["network", last_come.to_str().expect("a path"), "--backend", "heap"]).stderr;
    let said = String::from_utf8_lossy(&said);
    assert!(
        said.contains("line 5: the network has a window of 0.5") && said.contains("'laboratory' has a disc"),
        "{said}"
    );
}

/// Numbers over time are in a file, of a run and of its shards, and a rerun notes them again.
fn over_time(file: &str, options: &str) {
    let [csv, merged, shard, result] = ["series.csv", "merged.csv", "series.shard", "series.json"].map(path);
    let [csv, merged, shard, result] = [&csv, &merged, &shard, &result].map(|path| path.to_str().expect("a path"));
    let options: Vec<&str> = options.split(' ').collect();
    let run = [&["network", file][..], &options, &["--series", csv, "--series-step", "500", "--shard", shard]].concat();
    let (code, report) = json(&run, &[]);
    assert_eq!((code, &report["parameters"]["series_step"]), (0, &500.0.into()));
    let lines = std::fs::read_to_string(csv).expect("a file");
    // Times from 0 to 8000, of the network and three stations, each of all and of two classes.
    assert!(
        lines.starts_with("time,station,class,present,present_half_width,waiting,waiting_half_width,in_service,in_service_half_width,replications\n0.0,,,0.0,0.0,,,,,4\n"),
        "{lines}"
    );
    assert_eq!(lines.lines().count(), 1 + 17 * 4 * 3, "{lines}");
    assert!(lines.contains("\n8000.0,physician,standard,"), "{lines}");
    assert_eq!(output(&["merge", shard, "--series", merged]).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(merged).expect("a file"), lines);
    std::fs::write(result, serde_json::to_string(&report).unwrap()).unwrap();
    assert_eq!(output(&["rerun", result]).status.code(), Some(0));
    let again = [&["network", file][..], &options, &["--series", csv, "--classes", csv]].concat();
    let said = String::from_utf8_lossy(&output(&again).stderr).into_owned();
    assert!(said.contains("--series names") && said.contains("the file of --classes"), "{said}");
    // A network without classes is noted, too, at a hundred steps.
    let plain = ["network", CLINIC, "--until", "50", "--warmup", "0", "--series", csv];
    assert_eq!(output(&plain).status.code(), Some(0));
    let lines = std::fs::read_to_string(csv).expect("a file");
    assert!(lines.lines().skip(1).take(101).all(|line| line.contains(",,,")), "{lines}");
    assert!(lines.lines().nth(101).is_some_and(|line| line.starts_with("50.0,,,")), "{lines}");
}

const VOCABULARY: &str = "until = 400
[[resource]]
name = 'room'
units = 2
cost = { held = 2, unit = 1 }
[[station]]
name = 'desk'
service = 'exponential:1'
servers = 3
routing = 'fork'
seizes = { room = 1 }
releases = { room = 1 }
cost = { waiting = 2, served = -5, server = 3 }
[[station]]
name = 'paper'
service = 'exponential:1'
capacity = 2
full = 'lost'
[[station]]
name = 'stamp'
service = 'exponential:1'
servers = 'infinite'
joins = true
[[source]]
name = 'in'
interval = 'exponential:2'
to = 'desk'
[[sink]]
name = 'out'
cost = -0.5
[[route]]
from = 'desk'
to = 'paper'
[[route]]
from = 'desk'
to = 'stamp'
[[route]]
from = 'paper'
to = 'stamp'
[[route]]
from = 'stamp'
to = 'out'
";

/// Resources, copies and costs are in the table, the JSON and the file; shards of them merge to the bit.
#[test]
fn resources_copies_and_costs_are_told() {
    let [file, csv, shard] = ["vocabulary.toml", "costs.csv", "vocabulary.shard"].map(path);
    let [file, csv, shard] = [&file, &csv, &shard].map(|path| path.to_str().expect("a path"));
    std::fs::write(file, VOCABULARY).unwrap();
    let (code, report) = json(&["network", file, "--replications", "3", "--stations", csv, "--shard", shard], &[]);
    let (resource, forks, cost) = (&report["resources"][0], &report["forks"], &report["cost"]);
    assert_eq!((code, &resource["resource"], &resource["units"]), (0, &"room".into(), &2.into()));
    assert!(
        resource["utilization"].as_f64() > Some(0.1) && resource["utilization_half_width"].is_number(),
        "{resource}"
    );
    assert!(forks["copies"].as_u64() > forks["joined"].as_u64() && forks["joined"].as_u64() > Some(300), "{forks}");
    assert!(cost["mean"].as_f64().is_some_and(|cost| cost < 11.0) && cost["half_width"].is_number(), "{cost}");
    let cost_of = |of: &Value| of["cost"]["mean"].as_f64().expect("a cost");
    let (desk, out) = (&report["stations"][0], &report["sinks"][0]);
    assert_eq!(
        (cost_of(&report["stations"][1]), cost_of(&report)),
        (0.0, cost_of(desk) + cost_of(out) + cost_of(resource))
    );
    let left = out["tokens"].as_u64().expect("a count") as f64 / 3.0 / 400.0;
    let held = resource["utilization"].as_f64().expect("a share");
    assert!(
        (cost_of(out) + 0.5 * left).abs() < 1e-9 && (cost_of(resource) - 2.0 - 4.0 * held).abs() < 1e-9,
        "{report}"
    );
    let lines = std::fs::read_to_string(csv).expect("a file");
    let header = lines.lines().next().unwrap();
    assert!(header.ends_with(",in_service_until,cost,cost_half_width"), "{header}");
    let written: f64 = lines.lines().nth(1).and_then(|line| line.rsplit(',').nth(1)).unwrap().parse().unwrap();
    assert_eq!(written, cost_of(desk));
    for threads in ["1", "3"] {
        let again = json(&["network", file, "--replications", "3", "--threads", threads], &[]).1;
        assert_eq!(again["digest"], report["digest"], "{threads}");
    }
    let merged = json(&["merge", shard], &[]).1;
    for field in ["digest", "resources", "forks", "cost"] {
        assert_eq!(merged[field], report[field], "{field}");
    }
    let told = text(&output(&["network", file]).stdout);
    assert!(["resource ", "copies ", "cost "].iter().all(|row| told.contains(row)), "{told}");
    // What waits for ever is an error that names it.
    let needs = VOCABULARY.replace("name = 'stamp'\n", "name = 'stamp'\nseizes = { room = 2 }\n");
    std::fs::write(file, needs.replace("releases = { room = 1 }\n", "")).unwrap();
    let output = output(&["network", file]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("tokens wait for each other for ever") && said.contains("room -> stamp"), "{said}");
}
