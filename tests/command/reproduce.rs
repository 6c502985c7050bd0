//! `tickless reproduce`.

use std::fs;

use serde_json::Value;

use super::reports::assert_well_formed;
use super::schemas::assert_described;
use super::{json, output, path, text};

/// A quick run on the heap, which has every figure but those of rounds.
const PARK: [&str; 5] = ["reproduce", "park", "--quick", "--backend", "heap"];

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

#[test]
fn a_paper_that_is_none_is_refused_with_those_that_are() {
    let ended = output(&["reproduce", "nobody"]);
    let error = text(&ended.stderr);
    assert_eq!((ended.status.code(), ended.stdout.len()), (Some(2), 0));
    for name in ["'nobody'", "sang", "park", "baudis", "seok", "liu"] {
        assert!(error.contains(name), "{name} is not in {error}");
    }
}

/// One run: its fields, its page and its verdicts.
#[test]
fn a_quick_run_has_the_fields_of_its_schema_and_a_figure_for_each_exhibit() {
    let file = path("park.html");
    let (code, found) = json(&PARK, &["--report", file.to_str().unwrap()]);
    assert_eq!(
        (code, &found["paper"], &found["quick"], &found["interrupted"]),
        (0, &"park".into(), &true.into(), &false.into())
    );
    assert_described("reproduce", &found);
    let exhibits = list(&found["exhibits"]);
    let numbers: Vec<_> = exhibits.iter().map(|exhibit| exhibit["number"].as_str().unwrap()).collect();
    assert_eq!(numbers, ["figure 19", "figure 20"]);
    let verdicts = |exhibit: &Value| {
        list(&exhibit["claims"]).iter().map(|claim| claim["verdict"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // The heap says nothing of the speed of rounds, and the same of the model as any device.
    assert_eq!(verdicts(&exhibits[0]), ["open"; 3]);
    assert_eq!(verdicts(&exhibits[1]), ["holds"; 3]);
    assert_eq!([&found["holds"], &found["differs"], &found["open"]], [3, 0, 3].map(Value::from).each_ref());

    let page = fs::read_to_string(&file).unwrap();
    assert_well_formed("park", &page);
    assert_eq!((page.matches("<figure>").count(), page.matches("role=\"img\" aria-label=").count()), (2, 2));
    for part in [
        "Figure 19: ",
        "SIMULATION 86(10), 2010",
        "small: this was a quick run",
        "class=\"holds\"",
        "tickless reproduce park",
    ] {
        assert!(page.contains(part), "{part} is not in the page");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_an_error_before_the_runs() {
    let ended = output(&["reproduce", "park", "--quick", "--backend", "heap", "--report", "no/such/folder/page.html"]);
    assert_eq!((ended.status.code(), ended.stdout.len()), (Some(2), 0));
    assert!(text(&ended.stderr).contains("--report"), "{}", text(&ended.stderr));
}

#[test]
fn options_of_adapters_have_no_meaning_on_the_heap() {
    let ended = output(&["reproduce", "park", "--quick", "--backend", "heap", "--adapter", "0"]);
    assert_eq!(ended.status.code(), Some(2));
    assert!(text(&ended.stderr).contains("--adapter has no meaning"), "{}", text(&ended.stderr));
}

/// What a paper has that is not repeated is listed with the reason. Without a device rounds have no values, and no claim holds of them.
#[test]
fn what_is_left_out_is_listed() {
    let (code, found) = json(&["reproduce", "baudis", "--quick", "--backend", "heap"], &[]);
    let exhibits = list(&found["exhibits"]);
    let numbers: Vec<_> = exhibits.iter().map(|exhibit| exhibit["number"].as_str().unwrap()).collect();
    let expected = ["figure 6", "figure 7 (a)", "figure 8 (a)", "figure 9", "figure 10", "figure 11", "table III"];
    assert_eq!((code, &numbers[..]), (0, &expected[..]));
    for exhibit in exhibits {
        let is_left_out = ["figure 9", "figure 11"].contains(&exhibit["number"].as_str().unwrap());
        assert_eq!(exhibit["left_out"].is_string(), is_left_out, "{exhibit}");
        assert_eq!(list(&exhibit["series"]).is_empty(), is_left_out, "{exhibit}");
        for value in list(&exhibit["series"]).iter().flat_map(|series| list(&series["values"])) {
            assert_eq!(value["ours"], Value::Null, "{exhibit}");
        }
    }
    assert_eq!([&found["holds"], &found["differs"]], [&Value::from(0); 2]);
}
