//! What the text and the page of a network begin with.

use super::{json, output, path, text};

const CLINIC: &str = "examples/networks/clinic.toml";

/// What the text and the page begin with has the figures of the JSON, and says nothing where there is nothing to say.
#[test]
fn answers_come_first() {
    let page = path("answers.html");
    let run = ["network", "examples/networks/emergency.toml", "--replications", "8", "--until", "9000"];
    let (code, report) = json(&[&run[..], &["--report", page.to_str().unwrap()]].concat(), &[]);
    assert_eq!(code, 0);
    let said = text(&output(&run).stdout);
    let before = said.split("  station ").next().unwrap();
    let of = |value: &serde_json::Value, times: f64| times * value.as_f64().unwrap();
    let sure = |value: f64, half: f64| {
        let decimals = (1.0 - half.log10().floor()) as usize;
        format!("{value:.decimals$} ± {half:.decimals$}")
    };
    let [home, physician, standard] = [&report["sinks"][0], &report["stations"][1], &report["classes"][3]];
    let time = sure(of(&home["mean_time_in_network"], 1.0), of(&home["mean_time_in_network_half_width"], 1.0));
    let line = &physician["mean_time_in_line"];
    let wait = sure(of(line, 1.0), of(&physician["half_widths"]["mean_time_in_line"], 1.0));
    let [busy, left] = [(physician, "utilization"), (standard, "reneging_probability")]
        .map(|(all, key)| sure(of(&all[key], 100.0), of(&all["half_widths"][key], 100.0)));
    let page = std::fs::read_to_string(&page).unwrap();
    let top = page.split("<figure").next().unwrap();
    for answer in [
        format!("{time} min until 'home' ("),
        format!("{left} % of arrivals of class 'standard' at 'physician' lost their patience"),
        format!("'physician': its 4 servers are busy {busy} % of the time; patients wait {wait} min"),
        "the widest interval of a time above is ± ".to_owned(),
    ] {
        assert!(before.contains(&answer) && top.contains(&answer), "{answer}: {before} {top}");
    }
    assert!(said.contains(" per min") && page.contains("patients per min on each way"), "{said}");
    assert_eq!((&report["parameters"]["unit"], &report["parameters"]["token"]), (&"min".into(), &"patient".into()));
    let usual = path("usual.toml");
    let text_of = std::fs::read_to_string("examples/networks/emergency.toml").unwrap();
    std::fs::write(&usual, text_of.replace("unit = \"min\"\ntoken = \"patient\"\n", "")).unwrap();
    let (_, other) = json(&[&["network", usual.to_str().unwrap()], &run[2..]].concat(), &[]);
    assert_eq!((&other["digest"], &other["parameters"]["unit"]), (&report["digest"], &serde_json::Value::Null));
    let wrong = text_of.replace("\"patient\"", "\"\"");
    std::fs::write(&usual, wrong).unwrap();
    let refused = output(&["network", usual.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    let refused = text(&refused.stderr);
    assert!(
        refused.contains("line 5") && refused.contains("`token` is ''; it must have 1 to 24 characters"),
        "{refused}"
    );
    let alone = text(&output(&["network", "examples/networks/server.toml", "--until", "6000"]).stdout);
    assert!(alone.contains("not known of one replication") && !alone.contains("not served"), "{alone}");
    let nothing = text(&output(&["network", CLINIC, "--warmup", "0", "--until", "0.001"]).stdout);
    assert!(!nothing.contains("how sure"), "{nothing}");
    let torus = text(&output(&["torus", "--side", "8", "--until", "30"]).stdout);
    assert!(!torus.contains("busiest"), "{torus}");
}

/// A file of this text, run a few times.
fn told(file: &str, network: &str, replications: &str) -> (String, serde_json::Value) {
    let file = path(file);
    std::fs::write(&file, network).unwrap();
    let run = ["network", file.to_str().unwrap(), "--replications", replications];
    (text(&output(&run).stdout), json(&run, &[]).1)
}

/// Tokens of time 0 have no time in the network, and are not counted beside it.
#[test]
fn times_are_of_tokens_from_sources() {
    let network = "until = 1000\n[[station]]\nname = 'desk'\nservice = 'constant:1'\ntokens = 100\n\
                   [[source]]\nname = 'in'\ninterval = 'constant:200'\nlimit = 3\nto = 'desk'\n\
                   [[sink]]\nname = 'out'\n[[route]]\nfrom = 'desk'\nto = 'out'\n";
    let (said, report) = told("first.toml", network, "1");
    assert!(said.contains("1 time unit until 'out' (3 tokens)"), "{said}");
    assert!(said.contains("took 103 (3 of them from sources), after 1 in the network"), "{said}");
    assert_eq!((&report["sinks"][0]["from_sources"], &report["sinks"][0]["throughput"]), (&3.into(), &0.103.into()));
}

/// A station that is down or blocked is busy with that; of stations that are alike one is named. Who loses patience counts in the line.
#[test]
fn the_busiest_station_is_the_one_that_can_serve_nobody_else() {
    let network = "until = 900\n[[source]]\nname = 'in'\ninterval = 'exponential:10'\nto = 'fails'\n[[sink]]\nname = 'out'\n\
                   [[station]]\nname = 'fails'\nservice = 'constant:1'\n\
                   failures = { up = 'exponential:10', down = 'exponential:40' }\n\
                   [[station]]\nname = 'works'\nservice = 'exponential:3'\n\
                   [[route]]\nfrom = 'fails'\nto = 'works'\n[[route]]\nfrom = 'works'\nto = 'out'\n";
    let (said, _) = told("fails.toml", network, "4");
    assert!(said.contains("'fails': its server is busy ") && said.contains(" % of the time, out of order "), "{said}");
    let network = "until = 500\n[[source]]\nname = 'in'\ninterval = 'constant:1'\nto = 'a'\n[[sink]]\nname = 'out'\n\
                   [[station]]\nname = 'a'\nservice = 'constant:1'\n[[station]]\nname = 'b'\nservice = 'constant:1'\n\
                   [[route]]\nfrom = 'a'\nto = 'b'\n[[route]]\nfrom = 'b'\nto = 'out'\n";
    let (said, _) = told("alike.toml", &network.replace("until = 500", "until = 500\nwarmup = 100"), "2");
    assert!(said.contains("(and 1 station alike)"), "{said}");
    // A ward whose beds are nearly all held, and a cleaner who has little to do.
    let network = "until = 500\n[[source]]\nname = 'in'\ninterval = 'constant:2'\nto = 'ward'\n[[sink]]\nname = 'out'\n\
                   [[resource]]\nname = 'beds'\nunits = 12\n\
                   [[station]]\nname = 'ward'\nservice = 'constant:15'\nservers = 'infinite'\nseizes = { beds = 1 }\n\
                   [[station]]\nname = 'cleaner'\nservice = 'constant:0.5'\nreleases = { beds = 1 }\n\
                   [[route]]\nfrom = 'ward'\nto = 'cleaner'\n[[route]]\nfrom = 'cleaner'\nto = 'out'\n";
    let (said, _) = told("beds.toml", network, "2");
    assert!(said.contains("  busiest          'beds': 6") && said.contains(" % of 12 units held\n"), "{said}");
    assert!(said.contains("  busiest station  'cleaner': its server is busy 2"), "{said}");
    let (said, _) = told("beds.toml", &network.replace("constant:0.5", "constant:1.9"), "2");
    assert!(said.contains("  busiest          'cleaner'") && said.contains("  most held        'beds'"), "{said}");
    let network = "until = 4000\n[[source]]\nname = 'in'\ninterval = 'exponential:1'\nto = 'a'\n[[sink]]\nname = 'out'\n\
                   [[station]]\nname = 'a'\nservice = 'exponential:2'\npatience = 'exponential:3'\n\
                   [[route]]\nfrom = 'a'\nto = 'out'\n";
    let (said, report) = told("patience.toml", network, "3");
    let all = &report["stations"][0];
    let [of_served, of_lost, in_line] =
        ["mean_waiting_time", "mean_patience", "mean_time_in_line"].map(|key| all[key].as_f64().unwrap());
    let class = &report["classes"][0];
    let [starts, reneged] = ["starts", "reneged"].map(|key| class[key].as_f64().unwrap());
    let expected = (of_served * starts + of_lost * reneged) / (starts + reneged);
    assert!((in_line - expected).abs() < 1e-9 && reneged > 100.0, "{in_line} {expected}");
    assert!(said.contains("time in line"), "{said}");
    let (_, report) = told("patient.toml", &network.replace("patience = 'exponential:3'\n", ""), "3");
    assert!(report["stations"][0]["mean_time_in_line"].is_null());
}

/// Times with units are those without: of a file, of its laws, and of what an experiment varies.
#[test]
fn times_may_have_units() {
    const UNITS: &str = r#"
unit = "min"
until = "1 day 2 h"
warmup = "90 min"

[experiment]
measures = ["station.desk.mean_waiting_time"]

[experiment.factors]
source.in.interval = ["exponential:0.25 h", "exponential:20"]
until = ["30 h", 2400]

[[source]]
name = "in"
interval = "exponential:600 s"
to = "desk"

[[station]]
name = "desk"
service = "uniform:240 s,12"
shifts = [[0, 1], ["16 h", 2]]
period = "1 day"

[[sink]]
name = "out"

[[route]]
from = "desk"
to = "out"
delay = "30 s"
"#;
    let changes = [
        ("\"1 day 2 h\"", "1560"),
        ("\"90 min\"", "90"),
        ("0.25 h", "15"),
        ("\"30 h\"", "1800"),
        ("600 s", "10"),
        ("240 s", "4"),
        ("\"16 h\"", "960"),
        ("\"1 day\"", "1440"),
        ("\"30 s\"", "0.5"),
    ];
    let numbers = changes.iter().fold(UNITS.to_owned(), |text, (with, number)| {
        assert!(text.contains(with), "{with}");
        text.replace(with, number)
    });
    let [with, without] = [("with.toml", UNITS), ("without.toml", &numbers)].map(|(name, said)| {
        let file = path(name);
        std::fs::write(&file, said).unwrap();
        let of = |kind: &str| json(&[kind, file.to_str().unwrap(), "--backend", "heap"], &[]).1;
        let rows = path(&format!("{name}.csv"));
        let run =
            output(&["experiment", file.to_str().unwrap(), "--backend", "heap", "--points", rows.to_str().unwrap()]);
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
        (of("network")["digest"].clone(), std::fs::read_to_string(rows).unwrap())
    });
    assert!(with.0.is_string() && with.1.lines().count() > 4);
    assert_eq!(with, without);
}

/// Shares within targets are in the answers, the table and the JSON, quantiles that are asked for in the tables, and both are measures.
#[test]
fn targets_and_quantiles_are_told() {
    let file = path("targets.toml");
    let whole = std::fs::read_to_string("examples/networks/emergency.toml").unwrap();
    let plain = whole.split("[experiment]").next().unwrap();
    let home = plain.replace("name = \"home\"\n", "name = \"home\"\ntargets = [\"4 h\"]\n");
    let asked = home.replace("name = \"physician\"\n", "name = \"physician\"\ntargets = [15, 60.5]\n");
    let asked = asked.replace("name = \"triage\"\n", "name = \"triage\"\ntargets = [\"20 s\"]\n");
    assert!(home != *plain && asked != home);
    let sweep = "[experiment.factors]\n'station.physician.servers' = [4, 5]\n";
    let measures = "measures = ['station.physician.served_within.60.5', 'sink.home.time_within.240', \
                    'sink.home.class.urgent.time_quantile.1']\n";
    std::fs::write(&file, format!("quantiles = [0.25, 1]\n{asked}[experiment]\n{measures}{sweep}")).unwrap();
    let run = ["network", file.to_str().unwrap(), "--replications", "8", "--until", "9000"];
    let (code, report) = json(&run, &[]);
    assert_eq!(code, 0);
    let said = text(&output(&run).stdout);
    let all = report["targets"].as_array().unwrap();
    let share = |owner: &str, name: &str, figure: &str, target: f64| {
        let found = all.iter().filter(|one| {
            one[owner] == name && one["class"].is_null() && one["figure"] == figure && one["target"] == target
        });
        found.map(|one| one["share"].as_f64().unwrap()).next().unwrap()
    };
    let left = share("sink", "home", "time_within", 240.0);
    let served = share("station", "physician", "served_within", 60.5);
    assert!(0.8 < left && left < 1.0 && served < share("station", "physician", "waiting_within", 60.5), "{all:?}");
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    assert!(said.contains(" % within 240 min") && said.contains(&percent(left)[..2]), "{said}");
    assert!(said.contains("of patients at 'physician' within 60.5 min"), "{said}");
    assert!(said.contains("of patients at 'triage' within 20 s") && !said.contains("0.33333"), "{said}");
    assert!(said.contains(" 25 % ") && said.contains(" longest") && !said.contains(" 90 % "), "{said}");
    let times = &report["distributions"]["sinks"][0]["time_in_network"];
    let [quarter, longest] = [&times["asked"][0], &times["asked"][1]];
    assert_eq!((&quarter["below"], &longest["below"]), (&0.25.into(), &1.0.into()));
    assert!(quarter["half_width"].is_f64() && longest["half_width"].is_null(), "{times}");
    assert!(quarter["mean"].as_f64() < times["median"]["mean"].as_f64(), "{times}");
    assert!(times["p99"]["mean"].as_f64() < longest["mean"].as_f64(), "{times}");
    let (code, swept) = json(&["experiment", run[1], "--replications", "8", "--until", "9000"], &[]);
    let point = &swept["points"][0]["measures"];
    assert_eq!(code, 0);
    let units = ["share of patients", "share of patients", "min"].map(serde_json::Value::from);
    assert_eq!(swept["parameters"]["measure_units"], serde_json::Value::from(&units[..]));
    let of = |place: usize| point[place]["mean"].as_f64().unwrap();
    assert!((of(0) - served).abs() < 1e-12 && (of(1) - left).abs() < 1e-12 && of(2) > 0.0, "{point}");
    for (from, to, part) in [
        ("served_within.60.5", "served_within.61", "the station 'physician' has no target of 61: there are 15, 60.5"),
        ("home.time_within", "gone.time_within", "the sink 'gone' has no targets: give it `targets = [240]`"),
        ("quantile.1'", "quantile.2'", "lacks a share from above 0 to 1 at its end, as in `time_quantile.0.95`"),
        (
            "quantiles = [",
            "distributions = false\nquantiles = [",
            "none are recorded: set `distributions = true`, or leave",
        ),
        ("[0.25, 1]", "[0.25, 0]", "a quantile is 0; it must be above 0 and at most 1"),
        ("[15, 60.5]", "[15, -60.5]", "station 'physician': a target is -60.5; it must be from 0 to 1e9 time units"),
    ] {
        let text_of = std::fs::read_to_string(&file).unwrap();
        let wrong = path("wrong-targets.toml");
        std::fs::write(&wrong, text_of.replace(from, to)).unwrap();
        let refused = output(&["experiment", wrong.to_str().unwrap(), "--replications", "8", "--until", "9000"]);
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains(part) && said.contains("line "), "{to}: {said}");
    }
}

/// Shares count for the precision where there are enough times; a torus has none.
#[test]
fn shares_are_as_precise_as_asked() {
    let torus = output(&["torus", "--side", "3", "--precision", "0.2", "--backend", "heap"]);
    assert_eq!(torus.status.code(), Some(0), "{}", text(&torus.stderr));
    let file = path("precise.toml");
    let desk = "[[station]]\nname = 'desk'\nservice = 'exponential:1'\ntargets = [0.0001, 2]\n[[sink]]\nname = 'out'\n";
    let ways =
        "[[source]]\nname = 'in'\ninterval = 'exponential:2'\nto = 'desk'\n[[route]]\nfrom = 'desk'\nto = 'out'\n";
    std::fs::write(&file, format!("until = 300\n{desk}{ways}")).unwrap();
    let run = ["network", file.to_str().unwrap(), "--precision", "0.05", "--backend", "heap"];
    let (code, report) = json(&run, &[]);
    assert_eq!(code, 0);
    let all = report["targets"].as_array().unwrap();
    let widest = all.iter().map(|one| one["share_half_width"].as_f64().unwrap()).fold(0.0, f64::max);
    assert!(widest > 0.0 && widest <= report["precision"]["reached"].as_f64().unwrap(), "{report}");
}

/// One replication has intervals by batches: of every table, as its digest is without them; and what they do not go with is refused.
#[test]
fn one_replication_has_intervals_by_batch_means() {
    let run = ["network", CLINIC, "--until", "20000", "--warmup", "100"];
    let (code, plain) = json(&run, &["--backend", "heap"]);
    assert_eq!(code, 0);
    let (code, report) = json(&run, &["--batch-means", "20"]);
    assert_eq!(code, 0);
    assert_eq!((&report["digest"], &report["completions"]), (&plain["digest"], &plain["completions"]));
    let near = |one: &serde_json::Value, other: &serde_json::Value| {
        let [one, other] = [one, other].map(|value| value.as_f64().unwrap_or_else(|| panic!("{value}")));
        (one - other).abs() <= 1e-9 * one.abs()
    };
    for list in ["stations", "sinks"] {
        for (one, other) in report[list].as_array().unwrap().iter().zip(plain[list].as_array().unwrap()) {
            let (one, other) = (one.as_object().unwrap(), other.as_object().unwrap());
            for (key, value) in other.iter().filter(|(_, value)| value.is_number()) {
                assert!(near(value, &one[key]), "{key}: {value} {}", one[key]);
            }
            let has = |of: &serde_json::Map<String, serde_json::Value>| {
                of.iter()
                    .filter(|(key, value)| key.contains("half_width") && (value.is_number() || value.is_object()))
                    .count()
            };
            assert!(has(one) > 0 && has(other) == 0, "{one:?}");
        }
    }
    assert!(near(&report["measured"], &plain["measured"]) && report["batch_means"]["batches"] == 20, "{report}");
    assert!(report["batch_means"]["correlation"].as_f64().unwrap().abs() < 1.0);
    let said = text(&output(&[&run[..], &["--batch-means", "20"]].concat()).stdout);
    assert!(said.contains("20 batches") && said.contains("±") && !said.contains("not known"), "{said}");
    let short = text(&output(&["network", CLINIC, "--warmup", "0", "--until", "200", "--batch-means", "100"]).stderr);
    assert!(short.contains("follow each other"), "{short}");
    for (others, what) in [
        (&["--replications", "2"][..], "--replications"),
        (&["--precision", "0.1"], "--precision"),
        (&["--checkpoint", "none.checkpoint"], "--checkpoint"),
        (&["--backend", "wgpu"], "a device"),
        (&["--ranks", "2"], "--ranks"),
    ] {
        let refused = output(&[&run[..], &["--batch-means", "20"], others].concat());
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains(what) && said.contains("--batch-means"), "{said}");
    }
    for wrong in ["1", "1001", "x"] {
        let refused = output(&["network", CLINIC, "--batch-means", wrong]);
        assert!(text(&refused.stderr).contains("from 2 to 1000"), "{}", text(&refused.stderr));
    }
}
