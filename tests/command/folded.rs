//! Figures by the hour: the CSV file, the result, the page, and shards.

use super::{json, output, path, text};

/// A desk with shifts, and arrivals by day alone, for ten days.
const DESK: &str = r#"until = "10 days"
unit = "min"
token = "caller"
fold = "1 day"
fold_step = "6 h"

[[source]]
name = "calls"
rates = [["0 h", 0], ["6 h", 0.25], ["18 h", 0]]
period = "1 day"
to = "desk"

[[station]]
name = "desk"
service = "exponential:6"
shifts = [["0 h", 1], ["12 h", 2]]
period = "1 day"
patience = "exponential:30"

[[sink]]
name = "done"

[[route]]
from = "desk"
to = "done"
"#;

#[test]
fn figures_by_the_hour() {
    let [file, csv, merged, shard, page] =
        ["folded.toml", "folded.csv", "folded-merged.csv", "folded.shard", "folded.html"].map(path);
    std::fs::write(&file, DESK).unwrap();
    let [file, csv, merged, shard, page] = [&file, &csv, &merged, &shard, &page].map(|path| path.to_str().unwrap());
    let run = ["network", file, "--replications", "6", "--folded", csv, "--shard", shard, "--report", page];
    let (code, report) = json(&run, &[]);
    assert_eq!(code, 0);
    let lines = std::fs::read_to_string(csv).unwrap();
    assert_eq!(lines.lines().count(), 5, "{lines}");
    assert!(lines.starts_with("from,to,station,class,resource,arrivals,arrivals_half_width,unserved,"), "{lines}");
    let bins = report["folded"].as_array().unwrap();
    let of = |bin: usize, key: &str| bins[bin][key].as_f64();
    assert_eq!((of(2, "from"), of(2, "to"), of(2, "on_duty")), (Some(720.0), Some(1080.0), Some(2.0)));
    assert_eq!((of(0, "arrivals"), of(3, "arrivals"), of(0, "unserved")), (Some(0.0), Some(0.0), Some(0.0)));
    // The mean over the day is that of the station.
    let present: f64 =
        (0..4).map(|bin| of(bin, "waiting").unwrap() + of(bin, "in_service").unwrap()).sum::<f64>() / 4.0;
    let station = report["stations"][0]["mean_present"].as_f64().unwrap();
    assert!((present - station).abs() < 1e-9 * station, "{present} {station}");
    // One server in the morning, who is busy, and two behind noon.
    assert!(of(1, "utilization").unwrap() > 0.9 && of(2, "utilization").unwrap() < 0.9, "{lines}");
    assert!(of(1, "mean_waiting_time").unwrap() > 2.0 * of(2, "mean_waiting_time").unwrap(), "{lines}");
    let said = text(&output(&["network", file, "--replications", "6"]).stdout);
    assert!(
        said.contains("from 360 to 720 min of the period: ") && said.contains(" callers wait at 'desk', "),
        "{said}"
    );
    assert_eq!(output(&["merge", shard, "--folded", merged]).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(merged).unwrap(), lines);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("'desk' by the time in a period of 1440 min: how long they wait"), "{page}");
    // Whoever folds nothing has no such file.
    let plain = ["network", "examples/networks/clinic.toml", "--until", "50", "--warmup", "0", "--folded", csv];
    let said = output(&plain);
    assert_eq!(said.status.code(), Some(2));
    assert!(text(&said.stderr).contains("fold = 1440"), "{}", text(&said.stderr));
}
