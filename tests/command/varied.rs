//! `tickless experiment phold` and its like: models at the points that their options make.

use std::fs;

use serde_json::Value;

use super::checkpoints::{clock, either, folder, killed_behind_a_checkpoint, results};
use super::{has_adapter, json, output, path, text};

const PHOLD: [&str; 6] = ["experiment", "phold", "--processes", "16", "--until", "4"];
const TWO: [&str; 6] = ["--vary", "lookahead=0.5,0.1", "--vary", "remote=0,1", "--seeds", "3"];

#[test]
fn a_point_is_the_mean_of_its_runs() {
    let csv = path("varied.csv");
    let options = [&TWO[..], &["--measures", "events,pending,rounds", "--points", csv.to_str().unwrap()]].concat();
    // The heap has no rounds.
    let refused = output(&[&PHOLD[..], &options, &["--backend", "heap"]].concat());
    let error = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && error.contains("'rounds', which is no number"), "{error}");
    let options: Vec<&str> = options.iter().map(|word| word.trim_end_matches(",rounds")).collect();
    let (code, result) = json(&PHOLD, &[&options[..], &["--backend", "heap"]].concat());
    assert_eq!((code, result["points"].as_array().unwrap().len()), (0, 4));
    assert_eq!(
        (&result["model"], &result["measures"]),
        (&"experiment phold".into(), &serde_json::json!(["events", "pending"]))
    );
    let point = &result["points"][2];
    assert_eq!(point["settings"], serde_json::json!(["0.1", "0"]));
    let mut events = 0;
    for seed in ["1", "2", "3"] {
        let alone =
            ["phold", "--processes", "16", "--until", "4", "--lookahead", "0.1", "--remote", "0", "--seed", seed];
        let (_, run) = json(&alone, &["--backend", "heap"]);
        events += run["events"].as_u64().unwrap();
    }
    assert_eq!(point["measures"][0]["mean"].as_f64().unwrap(), events as f64 / 3.0);
    assert_eq!(point["measures"][1]["mean"], 16.0);
    let effect = &result["effects"][0];
    assert_eq!(
        (&effect["factor"], &effect["level"], &effect["measure"]),
        (&"lookahead".into(), &"0.1".into(), &"events".into())
    );
    assert!(effect["mean"].as_f64().unwrap() > 0.0);
    let lines = fs::read_to_string(csv).unwrap();
    assert!(lines.lines().count() == 5 && lines.starts_with("point,lookahead,remote,replications,events,"), "{lines}");
}

#[test]
fn reruns_and_backends_have_the_same_bits() {
    let (_, result) = json(&PHOLD, &[&TWO[..], &["--backend", "heap"]].concat());
    let stored = path("varied.json");
    fs::write(&stored, result.to_string()).unwrap();
    let (code, again) = json(&["rerun", stored.to_str().unwrap()], &["--backend", "heap"]);
    assert_eq!((code, &again["found"]), (0, &result["digest"]));
    let mut changed = result.clone();
    changed["arguments"]["seeds"] = 0.into();
    fs::write(&stored, changed.to_string()).unwrap();
    let refused = output(&["rerun", stored.to_str().unwrap()]);
    assert!(
        refused.status.code() == Some(2) && text(&refused.stderr).contains("--seeds is 0"),
        "{}",
        text(&refused.stderr)
    );
    let (_, other) = json(&PHOLD, &[&TWO[..], &["--backend", "heap", "--seed", "2"]].concat());
    assert_ne!(result["digest"], other["digest"]);
    if has_adapter("reruns_and_backends_have_the_same_bits") {
        let few = ["compare", "experiment", "phold", "--processes", "16", "--until", "2", "--seeds", "2"];
        let (code, compared) = json(&few, &["--vary", "remote=0,1", "--backends", "heap,wgpu"]);
        assert_eq!((code, &compared["equal"]), (0, &Value::from(true)));
    }
}

/// Every model but networks, which have files of experiments.
#[test]
fn every_model_can_be_varied() {
    for (words, vary) in [
        (&["torus", "--side", "8", "--until", "9"][..], "side=8,12"),
        (&["torus", "--side", "8", "--until", "9"], "service=erlang:2,10;exponential:3"),
        (&["search", "--side", "12"], "searches=2,5"),
        (&["fire", "--side", "9"], "spread=fronts,neighbours"),
        (&["watershed", "--side", "9", "--until", "60"], "side=9,12"),
        (&["rules", "examples/cells/life.ma", "--until", "300"], "until=200,300"),
    ] {
        let seeds = if words[0] == "rules" { "1" } else { "2" };
        let options = ["--vary", vary, "--seeds", seeds, "--backend", "heap"];
        let options = if seeds == "1" { [&options[..2], &options[4..]].concat() } else { options.to_vec() };
        let arguments = [&["experiment"], words, &options, &["--format", "json"]].concat();
        let ended = output(&arguments);
        assert_eq!(ended.status.code(), Some(0), "{arguments:?}: {}", text(&ended.stderr));
        let result: Value = serde_json::from_slice(&ended.stdout).unwrap();
        let points = result["points"].as_array().unwrap();
        assert_eq!((points.len(), points[0]["replications"].to_string().as_str()), (2, seeds), "{words:?}");
        assert_ne!(points[0]["digest"], points[1]["digest"], "{words:?}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (options, said) in [
        (&["--vary", "lookahed=1"][..], "'lookahead' is probably meant"),
        (&["--vary", "lookahead"], "it must be an option and its values"),
        (&["--vary", "lookahead=1,,2"], "has an empty value"),
        (&["--vary", "lookahead=1,1"], "has 1 twice"),
        (&["--vary", "lookahead=1", "--vary", "lookahead=2"], "give all its values together"),
        (&["--vary", "processes=0.5"], "it takes a whole number"),
        (&["--vary", "lookahead=-1"], "-1"),
        (&["--vary", "lookahead=0.1,0"], "at point 2 (lookahead = 0): the lookahead is 0"),
        (&["--vary", "lookahead=0.1,x"], "see tickless experiment phold --help"),
        (&["--vary", "pending=hep"], "hep"),
        (&["--vary", "remote=0,1", "--measures", "events,events"], "has events twice"),
        (&["--vary", "seed=1,2"], "every point has the same seeds"),
        (&["--vary", "remote=0,1", "--seeds", "0"], "--seeds"),
        (&["--vary", "remote=0,1", "--measures", "evnts"], "there are events, "),
        (&[], "--vary"),
    ] {
        let ended = output(&[&PHOLD[..], options, &["--backend", "heap"]].concat());
        let error = text(&ended.stderr);
        assert_eq!((ended.status.code(), ended.stdout.len()), (Some(2), 0), "{options:?}: {error}");
        assert!(error.contains(said), "{options:?}: {error}");
    }
    for (words, said) in [
        (&["rules", "examples/cells/life.ma", "--vary", "until=200,300", "--seeds", "2"][..], "leave --seeds out"),
        (&["fire", "--side", "9", "--vary", "spread=round"], "fronts"),
        (&["torus", "--side", "8", "--warmup", "auto", "--vary", "tokens=1,4"], "give a number here"),
        (&["torus", "--side", "8", "--vary", "warmup=auto,10"], "give a number here"),
        (&["torus", "--width", "8", "--height", "8", "--vary", "side=8,16"], "cannot be used with --"),
        (&["torus", "--vary", "side=8,16", "--vary", "width=8,9"], "cannot be used with --"),
        (&["phld", "--vary", "remote=0,1"], "'phld' is none of the models that --vary goes with: torus, phold"),
        (&["network", "a.toml", "--vary=until=5"], "stands in the table [experiment]"),
    ] {
        let ended = output(&[&["experiment"], words, &["--backend", "heap"]].concat());
        let error = text(&ended.stderr);
        assert!(ended.status.code() == Some(2) && error.contains(said), "{words:?}: {error}");
    }

    // What every command takes may stand anywhere; what is of a file may not stand before a model.
    let small =
        ["phold", "--processes", "8", "--until", "2", "--vary", "remote=0,1", "--seeds", "1", "--backend", "heap"];
    for first in [&["experiment", "-q"][..], &["-q", "experiment"], &["experiment", "--color", "never"]] {
        let ended = output(&[first, &small].concat());
        assert_eq!(ended.status.code(), Some(0), "{first:?}: {}", text(&ended.stderr));
    }
    for (first, said) in
        [(&["--until", "5"][..], "--until stands before the model"), (&["a.toml"], "the file stands before")]
    {
        let ended = output(&[&["experiment"], first, &small].concat());
        let error = text(&ended.stderr);
        assert!(ended.status.code() == Some(2) && error.contains(said), "{first:?}: {error}");
    }
}

/// Runs side by side leave what they leave alone, on as many threads as there are; a measured time is that of a run alone.
#[test]
fn runs_side_by_side_have_the_same_bits() {
    let options = [&TWO[..], &["--backend", "heap", "--threads"]].concat();
    let [(_, alone), (_, beside)] = ["1", "3"].map(|threads| json(&PHOLD, &[&options[..], &[threads]].concat()));
    assert_eq!((&alone["threads"], &beside["threads"]), (&1.into(), &3.into()));
    assert_eq!(results(&alone), results(&beside));
    assert_eq!(alone["clock"], 12.0, "it counts runs");
    let timed = [&options[..], &["3", "--measures", "events,wall_seconds"]].concat();
    let (_, timed) = json(&PHOLD, &timed);
    assert_eq!((&timed["threads"], &timed["digest"]), (&1.into(), &alone["digest"]));
    if has_adapter("runs_side_by_side_have_the_same_bits") {
        let on_device = [&TWO[..], &["--backend", "wgpu"]].concat();
        let (_, beside) = json(&PHOLD, &on_device);
        assert_eq!((&beside["digest"], &beside["device_seconds"]), (&alone["digest"], &Value::Null));
        let events = |result: &Value| -> Vec<Value> {
            let points = result["points"].as_array().unwrap();
            points.iter().map(|point| point["measures"][0].clone()).collect()
        };
        assert_eq!((events(&beside), &beside["measures"][0]), (events(&alone), &alone["measures"][0]));
    }
}

/// A run that is killed goes on with the runs that it has not ended.
#[test]
fn a_killed_experiment_goes_on() {
    let (folder, file) = folder("checkpoints-varied");
    let until = either("400", "60");
    let model =
        ["experiment", "phold", "--processes", "400", "--until", until, "--vary", "remote=0,0.5,1", "--seeds", "40"];
    let model = [&model[..], &["--backend", "heap", "--threads", "2"]].concat();
    let (_, whole) = json(&model, &[]);
    let begin = [&model[..], &["--checkpoint", &file, "--checkpoint-interval", "0.01s"]].concat();
    killed_behind_a_checkpoint(&begin, &file);
    let so_far = clock(&file).unwrap();
    assert!((1.0..120.0).contains(&so_far) && so_far.fract() == 0.0, "{so_far}");
    let (code, end) = json(&["resume", &file], &[]);
    assert_eq!((code, results(&end)), (0, results(&whole)));
    std::fs::remove_dir_all(folder).unwrap();
}
