//! `tickless optimize`: the best point, its limits, the same bits everywhere, and bad input.

use std::fs;

use serde_json::Value;

use super::{has_adapter, json, output, path, text};

/// Two desks one behind the other, for tokens that come at random; who waits costs, and so does a server.
const SHOP: &str = "
until = 300
warmup = 20
window = 0.125
[[station]]
name = 'desk'
service = 'exponential:0.25'
cost = { waiting = 4, server = 1 }
[[station]]
name = 'till'
service = 'exponential:0.5'
cost = { waiting = 2, server = 1.5 }
[[source]]
name = 'in'
interval = 'exponential:0.125'
to = 'desk'
[[sink]]
name = 'out'
[[route]]
from = 'desk'
to = 'till'
[[route]]
from = 'till'
to = 'out'
";

const TABLE: &str = "
[optimize]
smallest = 'cost'
max_replications = 700
replications = 5
together = 8
indifference = 0.2
[optimize.factors]
station.desk.servers = { from = 3, to = 14 }
station.till.servers = { from = 5, to = 16 }
";

fn file(name: &str, table: &str) -> String {
    let path = path(name);
    fs::write(&path, format!("{SHOP}{table}")).unwrap();
    path.to_str().unwrap().to_owned()
}

/// What a station of so many servers costs a time unit by Erlang's formula: the tokens that wait, and the servers.
fn cost(load: f64, servers: u32, waiting: f64, server: f64) -> f64 {
    let blocking = (1..=servers).fold(1.0, |blocked, count| load * blocked / (f64::from(count) + load * blocked));
    let servers = f64::from(servers);
    let waits = blocking / (1.0 - load / servers * (1.0 - blocking));
    waiting * waits * load / (servers - load) + server * servers
}

#[test]
fn the_best_is_that_of_theory() {
    let theory = |desk: u32, till: u32| cost(2.0, desk, 4.0, 1.0) + cost(4.0, till, 2.0, 1.5);
    let all = (3..=14).flat_map(|desk| (5..=16).map(move |till| (desk, till)));
    let least = all.map(|(desk, till)| theory(desk, till)).fold(f64::INFINITY, f64::min);
    let (code, result) = json(&["optimize", &file("shop.toml", TABLE)], &["--backend", "heap"]);
    let best = &result["best"];
    let [desk, till] = [0, 1].map(|factor| best["settings"][factor].as_str().unwrap().parse().unwrap());
    assert!(code == 0 && theory(desk, till) < least + 0.2, "{best}");
    // One server fewer or more at either station costs more by at least that.
    assert_eq!((desk, till), (4, 6), "{best}");
    assert_eq!((&best["within_limits"], &best["all_neighbours"]), (&Value::from(true), &Value::from(true)));
    assert_eq!((&result["ended"], &result["parameters"]["points"]), (&Value::from("sure"), &Value::from(144)));
    assert!(best["confidence"].as_f64().unwrap() >= 0.95 && best["better_by_at_most"].as_f64().unwrap() <= 0.2);
    let looked_at = result["statistics"]["looked_at"].as_u64().unwrap();
    assert!(looked_at < 100 && result["points"].as_array().unwrap().len() as u64 == looked_at, "{looked_at}");
    let mean = best["measures"][0]["mean"].as_f64().unwrap();
    assert!((mean - theory(4, 6)).abs() < 0.5, "{mean}");
}

#[test]
fn limits_are_kept() {
    let limits = |limits: &str| {
        let table = TABLE.replace("smallest = 'cost'", &format!("smallest = 'cost'\nlimits = [{limits}]"));
        let (code, result) =
            json(&["optimize", &file("limits.toml", &table)], &["--backend", "heap", "--until", "200"]);
        assert_eq!(code, 0);
        result
    };
    let tight = limits("{ measure = 'station.till.mean_waiting_time', at_most = 0.005 }");
    let till: u32 = tight["best"]["settings"][1].as_str().unwrap().parse().unwrap();
    // By Erlang's formula who waits does so for 0.0066 with 8 servers and for 0.0017 with 9.
    assert!(till >= 8 && tight["best"]["within_limits"] == true, "{}", tight["best"]);
    let waiting = tight["best"]["measures"][1]["mean"].as_f64().unwrap();
    assert!(waiting <= 0.005, "{waiting}");
    let beyond = tight["points"].as_array().unwrap().iter().filter(|point| point["within_limits"] == false);
    assert!(beyond.clone().count() > 0 && beyond.clone().all(|p| p["measures"][1]["mean"].as_f64().unwrap() > 0.005));
    // Nothing is within these: the one that comes closest is told, and that it is beyond.
    let none = limits("{ measure = 'network.throughput', at_least = 30 }");
    assert_eq!(none["best"]["within_limits"], false);
    assert_eq!(none["best"]["confidence"], 0.0);
    assert_eq!((&none["ended"], &none["best"]["better_by_at_most"]), (&Value::from("max_replications"), &Value::Null));
}

#[test]
fn backends_threads_and_reruns_have_the_same_bits() {
    // A network without classes is compiled anew for each of its points on a device: they are few.
    let table =
        TABLE.replace("max_replications = 700", "max_replications = 20").replace("together = 8", "together = 2");
    let file = file("bits.toml", &format!("{table}\n"));
    let short = ["optimize", &file, "--until", "30"];
    let (_, result) = json(&short, &["--backend", "heap", "--threads", "1"]);
    let (_, threads) = json(&short, &["--backend", "heap", "--threads", "3"]);
    assert_eq!((&result["digest"], &result["best"]), (&threads["digest"], &threads["best"]));
    assert_eq!(result["ended"], "max_replications");
    let stored = path("optimize.json");
    fs::write(&stored, result.to_string()).unwrap();
    let (code, again) = json(&["rerun", stored.to_str().unwrap()], &["--backend", "heap"]);
    assert_eq!((code, &again["found"]), (0, &result["digest"]));
    // A point is a network of its own.
    let point = &result["points"][1];
    let [desk, till] = [0, 1].map(|factor| point["settings"][factor].as_str().unwrap());
    let alone = SHOP
        .replace("name = 'desk'", &format!("name = 'desk'\nservers = {desk}"))
        .replace("name = 'till'", &format!("name = 'till'\nservers = {till}"));
    let alone_path = path("alone.toml");
    fs::write(&alone_path, alone).unwrap();
    let replications = point["replications"].to_string();
    let network = ["network", alone_path.to_str().unwrap(), "--until", "30", "--replications", &replications];
    let (_, network) = json(&network, &["--backend", "heap"]);
    assert_eq!(network["digest"], point["digest"]);
    if has_adapter("backends_threads_and_reruns_have_the_same_bits") {
        let compare = ["compare", "optimize", &file, "--until", "30"];
        let (code, compared) = json(&compare, &["--backends", "heap,wgpu"]);
        assert_eq!((code, &compared["equal"]), (0, &Value::from(true)));
    }
}

/// The largest throughput needs servers for all who come, and more than enough are as good.
#[test]
fn the_largest_is_found_within_several_limits() {
    let table = TABLE.replace(
        "smallest = 'cost'",
        "largest = 'station.till.utilization'\nlimits = [{ measure = 'network.throughput', at_least = 12 }, { measure = 'cost', at_most = 30 }]",
    );
    let (code, result) = json(&["optimize", &file("largest.toml", &table)], &["--backend", "heap", "--until", "200"]);
    let best = &result["best"];
    let till: u32 = best["settings"][1].as_str().unwrap().parse().unwrap();
    // Eight come a time unit, each to both stations; five servers are nearly busy all the time.
    assert!(code == 0 && best["within_limits"] == true && till == 5, "{best}");
    assert_eq!(result["parameters"]["measures"].as_array().unwrap().len(), 3);
}

/// A point that Ctrl-C has cut off is not told, and not the best.
#[cfg(unix)]
#[test]
fn an_interrupted_search_tells_what_has_ended() {
    let table = TABLE.replace("max_replications = 700", "max_replications = 4000000");
    let file = file("interrupted.toml", &table);
    let kept = path("interrupted.ckpt");
    let kept = kept.to_str().unwrap();
    // The first point has not ended by then, and many of its replications have.
    let many = ["optimize", &file, "--replications", "200000"];
    let arguments = [&many[..], &["--backend", "heap", "--checkpoint", kept, "--format", "json"]].concat();
    let pipe = std::process::Stdio::piped;
    let child = super::command(&arguments).stdout(pipe()).stderr(pipe()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(2));
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{}", text(&ended.stderr));
    let result: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!((&result["interrupted"], &result["ended"]), (&Value::from(true), &Value::Null));
    assert!(result["events"].as_u64() > Some(0) && result["best"].is_null(), "{result}");
    assert_eq!(result["points"], serde_json::json!([]));
}

#[test]
fn lines_and_text_tell_the_points() {
    let csv = path("optimize.csv");
    let file = file("lines.toml", TABLE);
    let options =
        ["--backend", "heap", "--until", "30", "--max-replications", "100", "--points", csv.to_str().unwrap()];
    let (_, result) = json(&["optimize", &file], &options);
    let lines: Vec<String> = fs::read_to_string(&csv).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 1 + result["points"].as_array().unwrap().len());
    let head = "point,station.desk.servers,station.till.servers,replications,within_limits,cost,cost_half_width,digest";
    assert_eq!(lines[0], head);
    let said =
        text(&output(&["optimize", &file, "--backend", "heap", "--until", "30", "--max-replications", "100"]).stdout);
    for part in [
        "wanted           the smallest cost",
        "search           144 points, at most 100 replications",
        "  best  ",
        " ± ",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let first = SHOP.lines().count() + 1;
    let factors = "[optimize.factors]\nstation.desk.servers = { from = 3, to = 9 }\n";
    let with = |table: &str| format!("[optimize]\n{table}\n{factors}");
    for (table, line, said) in [
        (String::new(), 1, "the file has no table [optimize]"),
        ("[optimize]\nsmallest = 'cost'\n".into(), first, "the table [optimize] varies nothing"),
        (with(""), first, "needs the measure that is to be small or large"),
        (with("smallest = 'cost'\nlargest = 'cost'"), first + 1, "leave one of them out"),
        (with("smallest = 'costs'"), first + 1, "'costs' is no measure"),
        (with("smallest = 'cost'\nmax_replications = 5"), first + 2, "`max_replications` is 5; it must be from 10"),
        (with("smallest = 'cost'\nreplications = 1"), first + 2, "`replications` is 1; it must be from 2"),
        (with("smallest = 'cost'\ntogether = 0"), first + 2, "`together` is 0; it must be from 1"),
        (with("smallest = 'cost'\nindifference = -1"), first + 2, "`indifference` is -1"),
        (with("smallest = 'cost'\nconfidence = 1"), first + 2, "above 0.5 and below 1"),
        (with("smallest = 'cost'\nlimits = [{ measure = 'cost' }]"), first + 2, "either `at_most` or `at_least`"),
        (
            with("smallest = 'cost'\nlimits = [{ measure = 'station.dsek.utilization', at_most = 1 }]"),
            first + 2,
            "no station 'dsek'",
        ),
        (with("smallest = 'cost'\nlimits = [{ measure = 'cost', at_most = inf }]"), first + 2, "inf is no bound"),
        (with("budget = 9"), first + 1, "there is no key `budget` here (it is `max_replications` now); it may be"),
        (with("smalest = 'cost'"), first + 1, "there is no key `smalest` here"),
        (
            "[optimize]\nsmallest = 'cost'\nfactors.station.desk.servers = { from = 3.5, to = 9 }\n".into(),
            first + 2,
            "add `levels` or `step`",
        ),
        ("[optimize]\nsmallest = 'cost'\nfactors.station.desk.servers = [0]\n".into(), 6, "the number of servers is 0"),
        (
            "[optimize]\nsmallest = 'cost'\nfactors.station.desk.servers = { from = 1, to = 2, step = 0 }\n".into(),
            first + 2,
            "`step` is 0",
        ),
    ] {
        let name = file("wrong.toml", &table);
        let ended = output(&["optimize", &name]);
        let error = text(&ended.stderr);
        assert_eq!((ended.status.code(), ended.stdout.len()), (Some(2), 0), "{table}: {error}");
        assert!(error.contains(&format!("line {line}")) && error.contains(said), "{table}: {error}");
    }
    // What the option sets the factor may not vary.
    let horizon = file("horizon.toml", &TABLE.replace("[optimize.factors]", "[optimize.factors]\nuntil = [20, 30]"));
    let ended = output(&["optimize", &horizon, "--until", "50"]);
    assert!(ended.status.code() == Some(2) && text(&ended.stderr).contains("the factor until and the option --until"));
    let file = file("options.toml", TABLE);
    for (option, said) in [
        ("--max-replications=3", "`max_replications` is 3"),
        ("--replications=1", "`replications` is 1"),
        ("--confidence=1", "above 0.5"),
        ("--confidence=x", "a number"),
    ] {
        let ended = output(&["optimize", &file, option]);
        let error = text(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{option}");
        assert!(error.contains(said), "{option}: {error}");
    }
}
