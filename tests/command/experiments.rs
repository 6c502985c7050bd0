//! `tickless experiment`: points, effects, the best of them, and bad input.

use std::fs;

use serde_json::Value;

use super::{has_adapter, json, output, path, text};

/// A network without luck, where nobody waits.
const DESK: &str = "
until = 100
[[station]]
name = 'desk'
service = 'constant:1'
[[station]]
name = 'till'
service = 'constant:1'
servers = 3
[[sink]]
name = 'out'
[[source]]
name = 'in'
interval = 'constant:1'
to = 'desk'
[[route]]
from = 'desk'
to = 'till'
delay = 0.25
[[route]]
from = 'till'
to = 'out'
";

/// One desk or several, for tokens that come at random.
const QUEUE: &str = "
until = 200
window = 0.25
[[station]]
name = 'desk'
service = 'exponential:2'
servers = 3
cost = { waiting = 1, server = 4 }
[[sink]]
name = 'out'
[[source]]
name = 'in'
interval = 'exponential:1'
to = 'desk'
[[route]]
from = 'desk'
to = 'out'
";

/// A file of a network with a table below it.
fn file(name: &str, network: &str, experiment: &str) -> String {
    let path = path(name);
    fs::write(&path, format!("{network}{experiment}")).unwrap();
    path.to_str().unwrap().to_owned()
}

fn mean(figure: &Value) -> f64 {
    figure["mean"].as_f64().unwrap()
}

/// Sums of numbers with weights are rounded.
fn assert_close(found: &[f64], expected: &[f64]) {
    let same = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(same), "{found:?}, not {expected:?}");
}

#[test]
fn effects_are_those_of_the_numbers() {
    let table = "
        [experiment]
        replications = 2
        measures = ['sink.out.mean_time_in_network']
        [experiment.factors]
        station.till.service = ['constant:1', 'constant:2', 'constant:3']
        route.desk.till.delay = [0.25, 0.5]
    ";
    let file = file("effects.toml", DESK, table);
    let (code, result) = json(&["experiment", &file], &[]);
    assert_eq!((code, result["points"].as_array().unwrap().len()), (0, 6));
    let times: Vec<f64> =
        result["points"].as_array().unwrap().iter().map(|point| mean(&point["measures"][0])).collect();
    assert_eq!(times, [2.25, 2.5, 3.25, 3.5, 4.25, 4.5]);
    let effects: Vec<_> = result["effects"].as_array().unwrap().iter().map(mean).collect();
    assert_close(&effects, &[1.0, 2.0, 0.25]);
    // Nothing is more than the sum of its parts.
    let interactions: Vec<_> = result["interactions"].as_array().unwrap().iter().map(mean).collect();
    assert_close(&interactions, &[0.0, 0.0]);
    assert_eq!(result["parameters"]["baseline"], 1);
    assert_eq!(result["points"][0]["differences"], Value::Null);
    let sixth = &result["points"][5];
    assert_eq!((mean(&sixth["differences"][0]), &sixth["differences"][0]["half_width"]), (2.25, &Value::from(0.0)));
    assert_eq!(sixth["settings"], serde_json::json!(["constant:3", "0.5"]));
}

/// The digest of a point is that of a network with its values, and the file as it stands is the baseline.
#[test]
fn a_point_is_a_network_of_its_own() {
    let table = "
        [experiment]
        replications = 3
        factors = { station.desk.servers = [4, 3], source.in.start = [0, 5.5] }
    ";
    let varied = file("points.toml", QUEUE, table);
    let csv = path("points.csv");
    let (code, result) = json(&["experiment", &varied], &["--points", csv.to_str().unwrap(), "--backend", "heap"]);
    assert_eq!((code, &result["parameters"]["baseline"]), (0, &Value::from(3)));
    let start = QUEUE.replace("name = 'in'", "name = 'in'\nstart = 5.5").replace("servers = 3", "servers = 4");
    let alone = file("point.toml", &start, "");
    let (_, network) = json(&["network", &alone], &["--replications", "3", "--backend", "heap"]);
    assert_eq!(result["points"][1]["digest"], network["digest"]);
    assert_eq!(mean(&result["points"][1]["measures"][2]), network["statistics"]["mean_system_time"].as_f64().unwrap());
    assert_eq!(mean(&result["points"][1]["measures"][3]), network["cost"]["mean"].as_f64().unwrap());
    let (_, whole) = json(&["network", &varied], &["--replications", "3", "--backend", "heap"]);
    assert_ne!(result["points"][1]["digest"], whole["digest"], "the table changes nothing of the network itself");
    let lines: Vec<String> = fs::read_to_string(csv).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 5);
    assert!(lines[0].starts_with(
        "point,station.desk.servers,source.in.start,replications,network.throughput,network.throughput_half_width,"
    ));
    assert!(
        lines[2].starts_with("2,4,5.5,3,") && lines[2].ends_with(network["digest"].as_str().unwrap()),
        "{}",
        lines[2]
    );
}

/// Cost and waiting of M/M/c are Erlang's; more servers than four cost more than they save.
#[test]
fn the_best_number_of_servers_is_found() {
    let table = |rule: &str| {
        format!(
            "
            [experiment]
            replications = 20
            factors.station.desk.servers = {{ from = 3, to = 8, step = 1 }}
            select = {{ smallest = 'cost', {rule} }}
            front = {{ smallest = ['cost', 'station.desk.mean_waiting_time'] }}
            "
        )
    };
    for (name, rule) in [("zone", "indifference = 1, confidence = 0.99"), ("budget", "budget = 300")] {
        let file = file(&format!("{name}.toml"), QUEUE, &table(rule));
        let (code, result) = json(&["experiment", &file], &["--backend", "heap"]);
        assert_eq!(
            (code, &result["best"]["point"], &result["best"]["found"]),
            (0, &Value::from(1), &Value::from(true))
        );
        let each: Vec<u64> =
            result["points"].as_array().unwrap().iter().map(|p| p["replications"].as_u64().unwrap()).collect();
        assert_eq!(result["best"]["replications"], each.iter().sum::<u64>());
        assert!(each.iter().all(|count| *count >= 20), "{each:?}");
        if name == "budget" {
            assert_eq!(each.iter().sum::<u64>(), 300);
            // Far worse points get little beyond their beginning.
            assert!(each[0] > 2 * each[5], "{each:?}");
        }
        // More servers always mean less waiting, so that all points are on the front.
        assert_eq!(result["front"], serde_json::json!([1, 2, 3, 4, 5, 6]));
    }
}

#[test]
fn designs_that_sample_fill_the_space() {
    for (design, points) in [("latin-hypercube", 9), ("sobol", 8)] {
        let table = format!(
            "
            [experiment]
            design = '{design}'
            points = {points}
            replications = 1
            factors = {{ station.desk.servers = {{ from = 1, to = 3 }}, source.in.start = {{ from = 0.0, to = 8.0 }} }}
            "
        );
        let file = file(&format!("{design}.toml"), QUEUE, &table);
        let (code, result) = json(&["experiment", &file], &["--until", "20", "--backend", "heap"]);
        assert_eq!((code, &result["effects"]), (0, &Value::Null));
        let settings: Vec<(u32, f64)> = result["points"]
            .as_array()
            .unwrap()
            .iter()
            .map(|point| {
                let number = |place: usize| point["settings"][place].as_str().unwrap();
                (number(0).parse().unwrap(), number(1).parse().unwrap())
            })
            .collect();
        let mut parts: Vec<usize> =
            settings.iter().map(|(_, start)| (start / 8.0 * f64::from(points)) as usize).collect();
        parts.sort_unstable();
        assert_eq!(parts, (0..points as usize).collect::<Vec<_>>(), "{design}: every part has a point");
        let of = |servers: u32| settings.iter().filter(|(number, _)| *number == servers).count();
        let counts = [of(1), of(2), of(3)];
        assert!(counts.iter().all(|count| (2..=3).contains(count)), "{design}: {counts:?}");
    }
}

#[test]
fn a_fraction_says_its_resolution() {
    let table = "
        [experiment]
        design = 'fraction'
        points = 4
        replications = 2
        measures = ['sink.out.mean_time_in_network']
        [experiment.factors]
        station.desk.service = ['constant:0.25', 'constant:0.75']
        station.till.service = ['constant:1', 'constant:2']
        route.desk.till.delay = [0.25, 0.5]
    ";
    let file = file("fraction.toml", DESK, table);
    let (code, result) = json(&["experiment", &file], &[]);
    assert_eq!((code, &result["parameters"]["resolution"]), (0, &Value::from(3)));
    let effects: Vec<_> = result["effects"].as_array().unwrap().iter().map(mean).collect();
    assert_close(&effects, &[0.5, 1.0, 0.25]);
    let said = text(&output(&["experiment", &file]).stdout);
    assert!(
        said.contains("fraction, resolution 3: 4 points with 2 replications each, common random numbers"),
        "{said}"
    );
    assert!(said.contains("station.till.service = constant:2 in place of constant:1"), "{said}");
}

/// Without luck the time in the network is the sum of two services and a delay: a plane has all of it.
#[test]
fn planes_tell_what_numbers_do() {
    let table = "
        [experiment]
        design = 'sobol'
        points = 12
        replications = 2
        measures = ['sink.out.mean_time_in_network']
        [experiment.factors]
        station.till.service = { from = 1.0, to = 2.0, law = 'constant:{}' }
        route.desk.till.delay = { from = 0.0, to = 4.0 }
    ";
    let file = file("planes.toml", DESK, table);
    let (code, result) = json(&["experiment", &file], &["--backend", "heap"]);
    assert_eq!((code, &result["effects"]), (0, &Value::Null));
    let values = |factor: usize, of: &dyn Fn(&str) -> f64| {
        let settings =
            result["points"].as_array().unwrap().iter().map(|point| of(point["settings"][factor].as_str().unwrap()));
        let all: Vec<f64> = settings.collect();
        all.iter().copied().fold(f64::MIN, f64::max) - all.iter().copied().fold(f64::MAX, f64::min)
    };
    let number = |text: &str| text.trim_start_matches("constant:").parse().unwrap();
    let found: Vec<f64> = result["slopes"].as_array().unwrap().iter().map(mean).collect();
    for (found, expected) in found.iter().zip([values(0, &number), values(1, &number)]) {
        // Times are rounded to ticks.
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    assert!(result["slopes"][0]["explained"].as_f64().unwrap() > 0.999_999);
    let said = text(&output(&["experiment", &file, "--backend", "heap"]).stdout);
    assert!(said.contains("route.desk.till.delay over its range"), "{said}");
}

#[test]
fn backends_and_reruns_have_the_same_bits() {
    let table = "
        [experiment]
        replications = 2
        factors.station.desk.servers = [2, 3]
    ";
    let file = file("backends.toml", QUEUE, table);
    let (_, result) = json(&["experiment", &file], &["--backend", "heap", "--threads", "1"]);
    let (_, threads) = json(&["experiment", &file], &["--backend", "heap", "--threads", "3"]);
    assert_eq!(result["digest"], threads["digest"]);
    let stored = path("experiment.json");
    fs::write(&stored, result.to_string()).unwrap();
    let (code, again) = json(&["rerun", stored.to_str().unwrap()], &["--backend", "heap"]);
    assert_eq!((code, &again["found"]), (0, &result["digest"]));
    if has_adapter("backends_and_reruns_have_the_same_bits") {
        let (code, compared) = json(&["compare", "experiment", &file], &["--backends", "heap,wgpu"]);
        assert_eq!((code, &compared["equal"]), (0, &Value::from(true)));
    }
}

#[test]
fn own_random_numbers_make_points_independent() {
    let table = |common: bool| {
        format!(
            "
            [experiment]
            replications = 40
            common_random_numbers = {common}
            measures = ['network.mean_system_time']
            factors.source.in.start = [0, 1]
            "
        )
    };
    let half = |common| {
        let file = file(&format!("common-{common}.toml"), QUEUE, &table(common));
        let (_, result) = json(&["experiment", &file], &["--backend", "heap"]);
        result["points"][1]["differences"][0]["half_width"].as_f64().unwrap()
    };
    let (common, own) = (half(true), half(false));
    assert!(common < own / 2.0, "{common} {own}");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let first = QUEUE.lines().count() + 1;
    let factors = "[experiment.factors]\nstation.desk.servers = [2, 3]\n";
    for (table, line, said) in [
        ("", 1, "the file has no table [experiment]"),
        ("[experiment]\n", first, "the table [experiment] varies nothing"),
        ("[experiment]\nfactors = 3\n", first + 1, "`factors` must be a table of keys"),
        ("[experiment.factors]\nstation.desk.servers = 3\n", first + 1, "it must be a list of values"),
        ("[experiment.factors]\nstation.desk.servers = []\n", first + 1, "it has no value"),
        ("[experiment.factors]\nstation.desk.servers = [2, 2]\n", first + 1, "it has the value 2 twice"),
        (
            "[experiment.factors]\nstation.dsek.servers = [2]\n",
            first + 1,
            "the file has no station 'dsek'; 'desk' is probably meant",
        ),
        ("[experiment.factors]\nseed = [2, 3]\n", first + 1, "every point has the same seeds"),
        ("[experiment.factors]\nstation.desk.servers = { from = 3, to = 2 }\n", first + 1, "`to` must be above `from`"),
        ("[experiment.factors]\nstation.desk.servers = { from = 1, to = 2 }\n", first + 1, "add `levels` or `step`"),
        (
            "[experiment.factors]\nstation.desk.servers = { from = 1, to = 4, levels = 3 }\n",
            first + 1,
            "are not all whole",
        ),
        (
            "[experiment.factors]\nstation.desk.servers = { from = 1, to = 4, levls = 3 }\n",
            first + 1,
            "there is no key `levls` in a range",
        ),
        ("[experiment.factors]\nuntil = { from = 1, to = 4, levels = 2, law = 'x' }\n", first + 1, "a text with {}"),
        ("[experiment]\ndesign = 'half'\n", first + 1, "it must be `full`, `fraction`"),
        ("[experiment]\ndesign = 'sobol'\n", first + 1, "needs `points`"),
        ("[experiment]\ndesign = 'fraction'\npoints = 3\n", first + 1, "a power of two of them, from 2 to 2"),
        ("[experiment]\npoints = 3\n", first + 1, "a full design has every combination"),
        (
            "[experiment]\nreplications = 0\n",
            first + 1,
            "`replications` is 0; it must be a whole number from 1 to 1000000",
        ),
        ("[experiment]\nmeasures = ['station.desk.utilisation']\n", first + 1, "'utilization' is probably meant"),
        ("[experiment]\nmeasures = ['station.dsek.utilization']\n", first + 1, "no station 'dsek'"),
        ("[experiment]\nmeasures = ['network.reneging_probability']\n", first + 1, "nobody balks or reneges"),
        ("[experiment]\nbaseline = 3\n", first + 1, "`baseline` is 3; it must be the number of a point, from 1 to 2"),
        ("[experiment]\nmeasure = ['cost']\n", first + 1, "there is no key `measure` here"),
        ("[experiment]\nselect = { indifference = 1 }\n", first + 1, "`select` needs the measure"),
        ("[experiment]\nselect = { smallest = 'cost' }\n", first + 1, "needs `indifference`"),
        ("[experiment]\nselect = { smallest = 'cost', indifference = 0 }\n", first + 1, "a difference above 0"),
        (
            "[experiment]\nselect = { smallest = 'cost', indifference = 1, confidence = 2 }\n",
            first + 1,
            "above 0.5 and below 1",
        ),
        (
            "[experiment]\nselect = { smallest = 'cost', indifference = 1, budget = 2 }\n",
            first + 1,
            "leave one of them out",
        ),
        ("[experiment]\nfront = { smallest = ['cost'] }\n", first + 1, "`front` has 1 measures"),
    ] {
        let has_factors = table.contains("factors") || table.is_empty() || table == "[experiment]\n";
        let whole = if has_factors { table.to_owned() } else { format!("{table}{factors}") };
        let name = file("wrong.toml", QUEUE, &whole);
        let ended = output(&["experiment", &name]);
        let error = text(&ended.stderr);
        assert_eq!((ended.status.code(), ended.stdout.len()), (Some(2), 0), "{table}: {error}");
        assert!(error.contains(&format!("wrong.toml, line {line}: ")) && error.contains(said), "{table}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// A value that the network does not take is a fault of the point that has it, on the line of the file.
#[test]
fn a_point_that_cannot_run_is_named() {
    let table = "[experiment]\nfactors = { station.desk.servers = [2, 0], until = [50, 60] }\n";
    let name = file("points-wrong.toml", QUEUE, table);
    let ended = output(&["experiment", &name]);
    let error = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2));
    let line = QUEUE.lines().position(|line| line.starts_with("servers")).unwrap() + 1;
    assert!(
        error.contains(&format!("points-wrong.toml, line {line}: at point 3 (station.desk.servers = 0, until = 50): ")),
        "{error}"
    );
    assert!(error.contains("servers"), "{error}");
}

/// A run that is killed goes on where it was, and ends with the result of one that was not.
#[cfg(unix)]
#[test]
fn an_experiment_that_is_killed_goes_on() {
    use super::checkpoints::{either, folder, killed_behind_a_checkpoint, results};
    let table = format!(
        "
        [experiment]
        replications = {}
        factors = {{ station.desk.servers = [3, 4, 5, 6], source.in.start = [0, 1, 2, 3] }}
        ",
        either("3000", "300")
    );
    let file = file("killed.toml", QUEUE, &table);
    let (_, checkpoint) = folder("experiment");
    let on_one = ["--backend", "heap", "--threads", "1"];
    let (_, whole) = json(&["experiment", &file], &on_one);
    let begin =
        [&["experiment", &file, "--checkpoint", &checkpoint, "--checkpoint-interval", "0.01s"], &on_one[..]].concat();
    killed_behind_a_checkpoint(&begin, &checkpoint);
    killed_behind_a_checkpoint(&["resume", &checkpoint], &checkpoint);
    let (code, resumed) = json(&["resume", &checkpoint], &[]);
    assert_eq!(code, 0);
    assert_eq!(results(&resumed), results(&whole));
}

/// What has no line: replications and budgets that the points cannot have.
#[test]
fn replications_that_cannot_be_are_refused() {
    let select = "[experiment]\nselect = { smallest = 'cost', budget = 39 }\nfactors.station.desk.servers = [2, 3]\n";
    let many = "[experiment]\nreplications = 1000000\ncommon_random_numbers = false\nfactors.until = { from = 1, to = 9999, step = 1 }\n";
    for (table, said) in [
        (select, "`budget` is 39; all points begin with 40 replications together"),
        (&select.replace("39", "99999999999"), "so it must be from that to 2000000"),
        (many, "each of the 9999 points has 1000000 replications; they may have 1 to 429539 each"),
    ] {
        let name = file("replications.toml", QUEUE, table);
        let ended = output(&["experiment", &name]);
        let error = text(&ended.stderr);
        assert_eq!((ended.status.code(), ended.stdout.len()), (Some(2), 0), "{error}");
        assert!(error.contains(said), "{error}");
    }
}
