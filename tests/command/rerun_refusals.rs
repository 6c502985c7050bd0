//! What `tickless rerun` refuses.

use super::network::CLINIC;
use super::*;

#[test]
fn what_is_no_whole_result_is_refused() {
    let refused = |contents: &str, part: &str| {
        let file = path("refused.json");
        std::fs::write(&file, contents).unwrap();
        let refused = output(&["rerun", file.to_str().unwrap()]);
        std::fs::remove_file(&file).unwrap();
        let said = text(&refused.stderr);
        // A text that is no TOML comes with its line and a caret.
        let lines = if said.ends_with("^\n") { 3 } else { 1 };
        assert_eq!((refused.status.code(), said.lines().count()), (Some(2), lines), "{said}");
        assert!(said.contains(part), "'{part}' is not in: {said}");
    };
    let (_, report) = json(&["network", CLINIC], &[]);
    let changed = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
        let mut value = report.clone();
        change(value.as_object_mut().unwrap());
        value.to_string()
    };
    refused("", "it is empty");
    refused("until = 5", "it is no JSON");
    refused(&report.to_string()[..500], "it is no JSON");
    let pretty = output(&["network", CLINIC, "--format", "json"]);
    let pretty = text(&pretty.stdout);
    let place = pretty.find("\"digest\"").unwrap();
    let end = place + pretty[place..].find('\n').unwrap();
    let line = 1 + pretty[..place].matches('\n').count();
    let open = format!("{}{}", pretty[..end].trim_end_matches(['"', ',']), &pretty[end..]);
    refused(&open, &format!("in line {line} the text of `digest` has no closing quote, \"; put it there"));
    refused("[1, 2]", "no field `schema`: it is no result of tickless");
    refused("{\"name\": \"a package\", \"version\": 1}", "no field `schema`");
    refused("{\"schema\": \"new\"}", "`schema` is \"new\"");
    refused("{\"schema\": 3, \"model\": \"torus\"}", "it has schema 3; this tickless reads schema 4: run it anew");
    refused("{\"schema\": 5, \"model\": \"future\"}", "has schema 5; this tickless reads up to 4");
    refused("{\"schema\": 4}", "no field `model`");
    let names = "'weather', none of torus, network, experiment, optimize, phold, search, fire, watershed, rules";
    refused("{\"schema\": 4, \"model\": \"weather\"}", names);
    let (_, devices) = json(&["devices"], &[]);
    refused(&devices.to_string(), "no field `model`");
    refused(&changed(&|v| v["interrupted"] = true.into()), "interrupted");
    refused(&changed(&|v| v["backend"] = "abacus".into()), "'abacus'");
    for digest in ["xyz", "", &"g".repeat(64), &"A".repeat(64), &"0".repeat(65)] {
        let said = "it must be a SHA-256, which is 64 digits from 0 to 9 and a to f";
        refused(&changed(&|v| v["digest"] = digest.into()), said);
        let input = || vec![serde_json::json!({"path": "x.csv", "sha256": digest})];
        refused(&changed(&|v| v["inputs"] = input().into()), "`inputs[0].sha256` is");
    }
    // What the command line refuses together.
    for (changes, both) in [
        ([("exact", Value::from(true)), ("window", 1.into())], "--exact cannot be used with --window"),
        ([("exact", true.into()), ("approximate", 1.into())], "--exact cannot be used with --approximate"),
        ([("no_approximate", true.into()), ("approximate", 1.into())], "--no-approximate cannot be used with"),
        ([("no_distributions", true.into()), ("distributions", Value::Array(vec![]))], "--no-distributions cannot"),
    ] {
        let changed = changed(&|v| {
            changes.iter().for_each(|(name, value)| v["arguments"]["choices"][*name] = value.clone());
        });
        refused(&changed, both);
    }
    for (arguments, changes, said) in [
        (&["torus", "--side", "4"][..], vec![("width", Value::from(4))], "--width and --height go together"),
        (
            &["phold", "--processes", "4"],
            vec![("mean", 1.into()), ("rate", 1.into())],
            "--mean cannot be used with --rate",
        ),
        (&["cells", "fire", "--side", "9"], vec![("random_weather", true.into())], "--random-weather needs --weather"),
    ] {
        let (_, mut value) = json(arguments, &["--backend", "heap"]);
        changes.into_iter().for_each(|(name, change)| value["arguments"][name] = change);
        refused(&value.to_string(), said);
    }
    // What somebody has changed is named by its field.
    for (arguments, field, change, said) in [
        (&["cells", "watershed", "--side", "9"][..], "flow", Value::from(4.0), "`arguments.flow`: the flow is 4;"),
        (&["cells", "watershed", "--side", "9"], "until", (-3).into(), "`arguments.until`: the horizon is -3"),
        (&["cells", "fire", "--side", "9"], "replications", 0.into(), "`arguments.replications`: "),
        (&["phold", "--processes", "4"], "lookahead", 0.into(), "`arguments.lookahead`: the lookahead is 0;"),
        (&["torus", "--side", "4"], "side", 40_000.into(), "`arguments.side`: side is 40000;"),
        (&["torus", "--side", "4"], "width", 4.into(), "`arguments`: --width and --height"),
    ] {
        let (_, mut value) = json(arguments, &["--backend", "heap"]);
        value["arguments"][field] = change;
        refused(&value.to_string(), said);
    }
    refused(&changed(&|v| v["arguments"]["choices"]["warmup"] = (-2).into()), "`arguments.choices.warmup`: ");
    refused(&changed(&|v| v["interrupted"] = "no".into()), "`interrupted` is \"no\"; it must be true or false");
    refused(
        &changed(&|v| v["arguments"]["choices"]["seed"] = (-1).into()),
        "`arguments.choices.seed` is -1; it must be a whole number from 0 to 1844",
    );
    refused(&changed(&|v| v["arguments"]["description"] = "[[route]\n".into()), "line 1");
    refused(&changed(&|v| v["arguments"]["choices"]["replications"] = 0.into()), "0 replications");
    refused(&changed(&|v| v["arguments"]["choices"]["max_tokens"] = 0.into()), "--max-tokens is 0");
    refused(&changed(&|v| v["arguments"]["choices"]["until"] = (-5).into()), "until is -5");
    refused(
        &changed(&|v| v["arguments"]["choices"]["distributions"] = 3.into()),
        "`arguments.choices.distributions` is 3",
    );
    refused(&changed(&|v| v["arguments"]["choices"]["until"] = "late".into()), "`arguments.choices.until` is \"late\"");
    refused(&changed(&|v| v["arguments"]["choices"]["warmup"] = "late".into()), "a number of time units, or \"auto\"");
    refused(
        &changed(&|v| v["arguments"]["choices"]["replications"] = 1.5.into()),
        "`arguments.choices.replications` is 1.5",
    );
    for field in ["version", "digest", "arguments", "inputs", "interrupted", "backend"] {
        refused(&changed(&|v| assert!(v.remove(field).is_some())), &format!("missing field `{field}`"));
    }
    if has_adapter("what_is_no_whole_result_is_refused") {
        let (_, comparison) = json(&["compare", "torus"], &SMALL);
        refused(&comparison.to_string(), "that of a comparison");
    }
    let missing = output(&["rerun", "/nowhere/result.json"]);
    assert!(text(&missing.stderr).contains("/nowhere/result.json cannot be read"));
    assert_eq!((missing.status.code(), output(&["rerun"]).status.code()), (Some(2), Some(2)));
}
