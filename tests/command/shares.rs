//! Figures that only some stations have: shares of servers, and times that tokens wait for room elsewhere.

use super::*;

/// One token, which is served by an hour's shift for four hours, by nobody's server for five, and at a till of two for ten.
const ONE: &str = "until = 100
[[station]]
name = 'desk'
service = 'constant:4'
shifts = [[0, 1], [1, 0]]
[[station]]
name = 'yard'
service = 'constant:5'
servers = 'infinite'
[[station]]
name = 'till'
service = 'constant:10'
servers = 2
[[sink]]
name = 'exit'
[[source]]
name = 'in'
interval = 'constant:0.5'
to = 'desk'
limit = 1
[[route]]
from = 'desk'
to = 'yard'
[[route]]
from = 'yard'
to = 'till'
[[route]]
from = 'till'
to = 'exit'
";

/// Of each, `servers`, `utilization`, `scheduled_utilization` and `mean_busy`.
fn known() -> [[Value; 4]; 3] {
    let null = || Value::Null;
    [
        [1.into(), null(), 4.0.into(), 0.04.into()],
        [null(), null(), null(), 0.05.into()],
        [2.into(), 0.05.into(), null(), 0.1.into()],
    ]
}

const FIGURES: [&str; 4] = ["servers", "utilization", "scheduled_utilization", "mean_busy"];

#[test]
fn only_shares_of_fixed_servers_are_utilization() {
    let (file, csv) = (path("shares.toml"), path("shares.csv"));
    std::fs::write(&file, ONE).unwrap();
    let run = ["network", file.to_str().unwrap(), "--backend", "heap"];
    let (code, report) = json(&run, &["--stations", csv.to_str().unwrap(), "--precision", "0.1"]);
    assert_eq!((code, &report["precision"]["met"]), (0, &true.into()));
    for place in 0..3 {
        for list in ["stations", "classes"] {
            let found = FIGURES[usize::from(list == "classes")..].iter().map(|name| &report[list][place][name]);
            assert!(found.eq(&known()[place][usize::from(list == "classes")..]), "{}", report[list][place]);
        }
    }
    let all = &report["statistics"];
    let [shared, scheduled, busy] = ["utilization", "scheduled_utilization", "mean_busy"].map(|name| &all[name]);
    assert_eq!((shared, scheduled, busy), (&0.05.into(), &Value::Null, &0.19.into()));
    assert_eq!(all["half_widths"]["utilization"], 0.0);
    assert!(report["stations"][1]["half_widths"]["utilization"].is_null());

    let mut reader = csv::Reader::from_path(&csv).unwrap();
    let header = reader.headers().unwrap().clone();
    let columns = FIGURES.map(|name| header.iter().position(|column| column == name).unwrap());
    for (line, known) in reader.records().map(Result::unwrap).zip(known()) {
        let cells = known.map(|value| value.as_f64());
        assert_eq!(columns.map(|column| line[column].parse().ok()), cells, "{line:?}");
        assert!(
            columns.iter().zip(&cells).all(|(column, cell)| line[*column].is_empty() == cell.is_none()),
            "{line:?}"
        );
    }

    let shown = text(&output(&run).stdout);
    let cells = |first: &str, count: usize| -> Vec<&str> {
        let line = shown.lines().find(|line| line.trim_start().starts_with(first));
        line.unwrap_or_else(|| panic!("{shown}")).split_whitespace().take(count).collect()
    };
    assert_eq!(cells("station ", 5), ["station", "servers", "busy", "utilization", "scheduled"], "{shown}");
    assert_eq!(cells("desk ", 5), ["desk", "1", "0.04", "-", "4"], "{shown}");
    assert_eq!(cells("yard ", 5), ["yard", "inf", "0.05", "-", "-"], "{shown}");
    assert_eq!(cells("till ", 5), ["till", "2", "0.1", "0.05", "-"], "{shown}");
    assert_eq!(cells("busy ", 2), ["busy", "0.19"], "{shown}");
    [file, csv].iter().for_each(|file| std::fs::remove_file(file).unwrap());
}

/// A measure that a station does not have is refused, and what it has is named.
#[test]
fn a_share_that_there_is_not_is_no_measure() {
    let file = path("shares-of.toml");
    for (measure, said) in [
        (
            "station.yard.utilization",
            "the station 'yard' has no utilization: its servers are infinitely many; measure mean_busy",
        ),
        ("station.yard.scheduled_utilization", "its servers are infinitely many"),
        ("station.desk.utilization", "its servers go by shifts; measure scheduled_utilization or mean_busy"),
        ("station.till.scheduled_utilization", "it has no shifts; measure utilization or mean_busy"),
        ("network.scheduled_utilization", "only stations with shifts have one; measure network.mean_busy"),
    ] {
        let limits = format!("limits = [{{ measure = '{measure}', at_most = 1 }}]");
        for (command, table) in [("experiment", format!("measures = ['{measure}']")), ("optimize", limits)] {
            let first = if command == "optimize" { "largest = 'network.mean_busy'\n" } else { "" };
            let factors = format!("[{command}.factors]\nstation.till.servers = [1, 2]\n");
            std::fs::write(&file, format!("{ONE}[{command}]\n{first}{table}\n{factors}")).unwrap();
            let refused = output(&[command, file.to_str().unwrap()]);
            let error = text(&refused.stderr);
            assert_eq!(refused.status.code(), Some(2), "{error}");
            assert!(error.contains(said) && error.lines().count() == 1, "'{said}' is not in: {error}");
        }
    }
    std::fs::write(&file, format!("{ONE}[experiment]\nmeasures = ['station.desk.scheduled_utilization', 'network.mean_busy']\n[experiment.factors]\nstation.till.servers = [1, 2]\n")).unwrap();
    let (code, report) = json(&["experiment", file.to_str().unwrap(), "--backend", "heap"], &["--replications", "2"]);
    let measures = &report["points"][0]["measures"];
    assert_eq!((code, &measures[0]["mean"], &measures[1]["mean"]), (0, &4.0.into(), &0.19.into()));
    std::fs::remove_file(&file).unwrap();
}

/// Three tokens of time 0 go from a press to a dock with room for one, which takes 10: the second and the third hold the server of the press
/// from 2 and 12 until 11 and 21.
const BLOCKED: &str = "until = 100
terminating = true
[[station]]
name = 'press'
service = 'constant:1'
tokens = 3
[[station]]
name = 'dock'
service = 'constant:10'
capacity = 1
full = 'blocks'
[[sink]]
name = 'exit'
[[route]]
from = 'press'
to = 'dock'
[[route]]
from = 'dock'
to = 'exit'
";

/// Waits of 0, 1 and 11; services of 1; 0, 9 and 9 in the server. Little: 1 + 11 + 21 of 100.
#[test]
fn a_visit_has_the_time_that_a_token_holds_its_server() {
    let (file, csv) = (path("blocked.toml"), path("blocked.csv"));
    std::fs::write(&file, BLOCKED).unwrap();
    let run = ["network", file.to_str().unwrap(), "--backend", "heap", "--distributions"];
    let (code, report) = json(&run, &["--stations", csv.to_str().unwrap()]);
    assert_eq!(code, 0);
    let figures =
        ["mean_waiting_time", "mean_service_time", "mean_blocked_time", "mean_joining_time", "mean_system_time"];
    let press = figures.map(|figure| report["stations"][0][figure].as_f64());
    assert_eq!(press, [Some(4.0), Some(1.0), Some(6.0), None, Some(11.0)]);
    assert_eq!(report["stations"][0]["mean_present"], 0.33);
    assert_eq!(
        report["distributions"]["stations"][0]["system_time"]["median"]["mean"].as_f64().map(f64::round),
        Some(11.0)
    );
    assert!(report["stations"][1]["mean_blocked_time"].is_null());
    let mut reader = csv::Reader::from_path(&csv).unwrap();
    let header = reader.headers().unwrap().clone();
    let line = reader.records().next().unwrap().unwrap();
    let cell = |name: &str| line[header.iter().position(|column| column == name).unwrap()].to_owned();
    assert_eq!(figures.map(cell), ["4.0", "1.0", "6.0", "", "11.0"]);
    let shown = text(&output(&run).stdout);
    let heads = shown.lines().find(|line| line.trim_start().starts_with("station ")).unwrap();
    assert!(heads.contains("blocked") && !heads.contains("joining"), "{shown}");
    let table = "[experiment]\nmeasures = ['station.dock.mean_blocked_time']\n[experiment.factors]\nstation.press.servers = [1, 2]\n";
    std::fs::write(&file, format!("{BLOCKED}{table}")).unwrap();
    let refused = output(&["experiment", file.to_str().unwrap()]);
    let said = text(&refused.stderr);
    assert!(
        said.contains(
            "the station 'dock' has no mean_blocked_time: no token that has been served waits there for room elsewhere"
        ),
        "{said}"
    );
    [file, csv].iter().for_each(|file| std::fs::remove_file(file).unwrap());
}

/// Short visits of one class, and visits of 5 to 8 of another one, whose quantiles are not cut at the longest visit of the first.
#[test]
fn quantiles_of_a_class_in_approximate_time_lie_within_its_own_law() {
    let file = path("approximate_classes.toml");
    let text = "until = 1000
[[class]]
name = 'short'
[[class]]
name = 'long'
[[station]]
name = 'desk'
service = 'constant:1'
[[station.class]]
name = 'long'
service = 'uniform:5,8'
[[sink]]
name = 'exit'
[[source]]
name = 'shorts'
interval = 'uniform:9,12'
to = 'desk'
class = 'short'
[[source]]
name = 'longs'
interval = 'uniform:19,30'
to = 'desk'
class = 'long'
[[route]]
from = 'desk'
to = 'exit'
";
    std::fs::write(&file, text).unwrap();
    let run = ["network", file.to_str().unwrap(), "--backend", "heap", "--distributions", "--approximate", "0.5"];
    let (code, report) = json(&run, &[]);
    let desk = &report["distributions"]["stations"][0];
    let median = |of: &Value| of["system_time"]["median"]["mean"].as_f64().unwrap();
    let [short, long] = [0, 1].map(|class| median(&desk["classes"][class]));
    assert!(code == 0 && (1.0..2.0).contains(&short) && (5.0..9.0).contains(&long), "{short} {long}");
}
