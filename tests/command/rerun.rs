//! `tickless rerun`.

use super::cells::{Files, words};
use super::network::CLINIC;
use super::schemas::assert_described;
use super::*;

/// The path of a result with a change made to it.
fn stored(name: &str, arguments: &[&str], change: impl FnOnce(&mut Value)) -> PathBuf {
    let (code, mut value) = json(arguments, &[]);
    assert_eq!(code, 0);
    change(&mut value);
    let file = path(name);
    std::fs::write(&file, value.to_string()).unwrap();
    file
}

fn rerun(file: &PathBuf, options: &[&str]) -> (i32, Value) {
    let result = json(&["rerun", file.to_str().unwrap()], options);
    std::fs::remove_file(file).unwrap();
    result
}

#[test]
fn a_network_gives_the_same_digest_where_its_file_is_gone() {
    let network = path("gone.toml");
    std::fs::copy(CLINIC, &network).unwrap();
    let name = network.to_str().unwrap();
    // Every effective parameter differs from the file.
    let options = ["--seed", "18446744073709551615", "--window", "0.1", "--until", "1234.5678", "--warmup", "auto"];
    let file = stored("network.json", &[&["network", name, "--replications", "3"], &options[..]].concat(), |_| ());
    std::fs::remove_file(&network).unwrap();
    let (code, value) = rerun(&file, &[]);
    assert_eq!((code, &value["equal"], &value["interrupted"]), (0, &true.into(), &false.into()));
    assert_eq!((&value["found"], &value["backend"]), (&value["expected"], &value["expected_backend"]));
    assert_described("rerun", &value);
}

/// A result has the numbers of the tables that laws name.
#[test]
fn a_network_needs_no_table_of_a_law_again() {
    let [network, times, ages, seen] = ["laws.toml", "times.csv", "ages.csv", "seen.csv"].map(path);
    let name = |file: &PathBuf| file.file_name().unwrap().to_str().unwrap().to_owned();
    let text = format!(
        "until = 500\nstation = [{{ name = 'desk', service = 'empirical:{}' }}]\nsink = [{{ name = 'exit' }}]\n\
         source = [{{ name = 'street', interval = 'histogram:{}', to = 'desk' }}, {{ name = 'seen', trace = '{}', to = 'desk' }}]\nroute = [{{ from = 'desk', to = 'exit' }}]\n",
        name(&times),
        name(&ages),
        name(&seen)
    );
    std::fs::write(&network, text).unwrap();
    std::fs::write(&times, "minutes\n1.5\n2\n0.25\n").unwrap();
    std::fs::write(&ages, "0,1\n2,3\n5\n").unwrap();
    std::fs::write(&seen, "time,batch\n12.5,3\n40,\n").unwrap();
    let file = stored("laws.json", &["network", network.to_str().unwrap()], |_| ());
    [network, times, ages, seen].iter().for_each(|file| std::fs::remove_file(file).unwrap());
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("samples:1.5,2,0.25") && text.contains("histogram:0*1,2*3,5"), "{text}");
    let (code, value) = rerun(&file, &[]);
    assert_eq!((code, &value["equal"]), (0, &true.into()));
}

#[test]
fn a_torus_gives_the_same_digest() {
    for (number, law) in
        ["exponential:10", "uniform:0.3,1.1", "erlang:3,7.1", "hyperexponential:0.2,3,9"].iter().enumerate()
    {
        for window in [&[][..], &["--window", "0.7"], &["--window", "0"]] {
            let arguments = ["torus", "--side", "7", "--backend", "heap", "--service", law, "--until", "33.3"];
            let window = if *law == "uniform:0.3,1.1" && window.len() == 2 { &["--window", "0.5"] } else { window };
            let file = stored(&format!("torus-{number}.json"), &[&arguments, window].concat(), |_| ());
            let (code, value) = rerun(&file, &[]);
            assert_eq!(
                (code, &value["equal"], &value["model"]),
                (0, &true.into(), &"torus".into()),
                "{law} {window:?}"
            );
        }
    }
}

#[test]
fn approximate_time_gives_the_same_digest() {
    for (name, model) in [("torus", &["torus", "--side", "7"][..]), ("network", &["network", CLINIC])] {
        let options = ["--approximate", "0.7", "--until", "2000"];
        let file = stored(&format!("approximate-{name}.json"), &[model, &options[..]].concat(), |_| ());
        let (code, value) = rerun(&file, &[]);
        assert_eq!((code, &value["equal"]), (0, &true.into()), "{name}");
        let exact = stored(&format!("exact-{name}.json"), &[model, &options[..]].concat(), |value| {
            value["arguments"]["choices"]["approximate"] = Value::Null;
        });
        assert_eq!(rerun(&exact, &[]).0, 1, "{name}");
        if has_adapter("approximate_time_gives_the_same_digest") {
            let file = stored(&format!("elsewhere-{name}.json"), &[model, &options[..]].concat(), |_| ());
            let (code, value) = rerun(&file, &["--backend", "wgpu"]);
            assert_eq!((code, &value["equal"], &value["backend"]), (0, &true.into(), &"wgpu".into()), "{name}");
        }
    }
}

#[test]
fn another_backend_gives_the_same_digest() {
    if !has_adapter("another_backend_gives_the_same_digest") {
        return;
    }
    let network = ["network", CLINIC, "--window", "1", "--until", "2000", "--replications", "2"];
    let torus = ["torus", "--side", "12", "--until", "40", "--backend", "heap"];
    for arguments in [&network[..], &torus] {
        let file = stored("elsewhere.json", arguments, |_| ());
        let (code, value) = rerun(&file, &["--backend", "wgpu", "--no-int64"]);
        assert_eq!((code, &value["equal"], &value["backend"]), (0, &true.into(), &"wgpu".into()));
        assert_eq!(value["adapter"]["capabilities"]["int64"], false);
    }
}

#[test]
fn phold_gives_the_same_digest() {
    let base = ["phold", "--processes", "60", "--population", "2", "--seed", "9"];
    let models: [&[&str]; 4] = [
        &["--rate", "0.3", "--work", "3"],
        &["--lookahead", "0.123456789", "--mean", "1e-6", "--until", "2"],
        &["--remote", "0.123456789"],
        &["--remote", "1e-12", "--lookahead", "1e6", "--mean", "123456.789", "--until", "12345678.9"],
    ];
    for model in models {
        let file = stored("phold.json", &[&base[..], &["--backend", "heap"], model].concat(), |_| ());
        let (code, value) = rerun(&file, &[]);
        assert_eq!((code, &value["equal"], &value["model"]), (0, &true.into(), &"phold".into()), "{model:?}");
    }
    let file = stored("phold-seed.json", &base, |value| value["arguments"]["seed"] = 2.into());
    assert_eq!(rerun(&file, &[]).0, 1);
    for (name, wrong, part) in [
        ("per_round", "two", "`arguments.rounds.per_round` is \"two\": it takes all or one"),
        ("pending", "list", "`arguments.rounds.pending` is \"list\""),
        ("node_size", "many", "`arguments.rounds.node_size` is \"many\""),
    ] {
        let file = stored("phold-wrong.json", &base, |value| value["arguments"]["rounds"][name] = wrong.into());
        let said = text(&output(&["rerun", file.to_str().unwrap()]).stderr);
        std::fs::remove_file(&file).unwrap();
        assert!(said.contains(part), "{name}: {said}");
    }
    if has_adapter("phold_gives_the_same_digest") {
        let how = ["--backend", "wgpu", "--pending", "global-heap", "--node-size", "64", "--per-round", "one"];
        let file = stored("phold-device.json", &[&base[..], &how].concat(), |_| ());
        let (code, value) = rerun(&file, &[]);
        assert_eq!((code, &value["equal"], &value["backend"]), (0, &true.into(), &"wgpu".into()));
        let file = stored("phold-elsewhere.json", &[&base[..], &how].concat(), |_| ());
        assert_eq!(rerun(&file, &["--backend", "heap"]).1["equal"], true);
    }
}

/// Another digest.
fn doctor(value: &mut Value) {
    let digest = value["digest"].as_str().unwrap();
    let other = if digest.starts_with('0') { "1" } else { "0" };
    value["digest"] = format!("{other}{}", &digest[1..]).into();
}

/// Small cells of each kind, few arguments of which have their defaults.
const CELLS: [&[&str]; 5] = [
    &["fire", "--side", "14", "--until", "300.5", "--wind-limit", "rothermel", "--replications", "2", "--seed", "3"],
    &[
        "fire",
        "--side",
        "14",
        "--ignite",
        "3,4@0.1",
        "--ignite",
        "7,9",
        "--until",
        "300",
        "--seed",
        "18446744073709551615",
    ],
    &[
        "watershed",
        "--side",
        "9",
        "--seed",
        "4",
        "--rain",
        "31.7",
        "--hours",
        "0.11",
        "--soil",
        "2.9",
        "--flow",
        "0.15",
        "--step",
        "7.3",
        "--until",
        "700.1",
    ],
    &["examples/cells/forest.ma", "--until", "90.5", "--replications", "2", "--seed", "9"],
    &["examples/cells/life.ma", "--until", "350.5", "--max-waiting", "5"],
];

fn on_the_heap<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["cells"], arguments, &["--backend", "heap"]].concat()
}

#[test]
fn cells_give_the_same_digest() {
    for arguments in CELLS {
        let model = if arguments[0].ends_with(".ma") { "rules" } else { arguments[0] };
        let arguments = on_the_heap(arguments);
        let (code, value) = rerun(&stored("cells.json", &arguments, |_| ()), &[]);
        assert_eq!((code, &value["equal"], &value["model"]), (0, &true.into(), &model.into()), "{arguments:?}");
        assert_eq!((&value["backend"], &value["found"]), (&"heap".into(), &value["expected"]));
        let (code, value) = rerun(&stored("cells-changed.json", &arguments, doctor), &[]);
        assert_eq!((code, &value["equal"]), (1, &false.into()), "{arguments:?}");
    }
    if has_adapter("cells_give_the_same_digest") {
        let file = stored("cells-elsewhere.json", &on_the_heap(CELLS[2]), |_| ());
        let (code, value) = rerun(&file, &["--backend", "wgpu"]);
        assert_eq!((code, &value["equal"], &value["backend"]), (0, &true.into(), &"wgpu".into()));
    }
}

/// Every argument counts: a rerun without one names it, and one with another value has another digest.
#[test]
fn every_argument_is_read_again() {
    let others = [
        ("side", Value::from(13)),
        ("until", 60.0.into()),
        ("seed", 5.into()),
        ("replications", 1.into()),
        ("ignite", Value::from(vec!["3,4@0.2", "7,9@0"])),
        ("rain", 40.0.into()),
        ("hours", 0.2.into()),
        ("soil", 0.0.into()),
        ("flow", 0.2.into()),
        ("step", 10.0.into()),
        ("max_waiting", 6.into()),
        ("tokens", 3.into()),
        ("service", "constant:4".into()),
        ("warmup", 2.0.into()),
        ("processes", 31.into()),
        ("population", 2.into()),
        ("lookahead", 0.2.into()),
        ("length_to_width", "rothermel".into()),
        ("remote", 0.4.into()),
        ("work", 2.into()),
        (
            "description",
            "until = 7\n[[station]]\nname = 'a'\nservice = 'constant:1'\ntokens = 1\n[[route]]\nfrom = 'a'\nto = 'a'\n"
                .into(),
        ),
    ];
    let torus = ["torus", "--side", "5", "--until", "30", "--backend", "heap"];
    let phold = ["phold", "--processes", "30", "--until", "20", "--backend", "heap"];
    let others_models = [
        &torus[..],
        &phold,
        &["network", CLINIC, "--until", "500", "--warmup", "50", "--seed", "3", "--backend", "heap"],
    ];
    let models = CELLS.iter().map(|cells| on_the_heap(cells)).chain(others_models.map(<[&str]>::to_vec));
    for arguments in models {
        let (_, value) = json(&arguments, &[]);
        // Those of any queueing network are a group of their own.
        for group in ["/arguments", "/arguments/choices"] {
            let Some(all) = value.pointer(group) else { continue };
            let named = group[1..].replace('/', ".");
            let again = |change: &dyn Fn(&mut Value)| {
                let mut value = value.clone();
                change(value.pointer_mut(group).unwrap());
                let file = path("cells-argument.json");
                std::fs::write(&file, value.to_string()).unwrap();
                let output = output(&["rerun", file.to_str().unwrap()]);
                std::fs::remove_file(&file).unwrap();
                (output.status.code().unwrap(), text(&output.stderr))
            };
            let (code, said) = again(&|all| all["colour"] = "red".into());
            assert!(code == 2 && said.contains(&format!("`{named}.colour` is \"red\": unknown field")), "{said}");
            for name in keys(all) {
                let given = &all[name];
                let left_out = [
                    "max_waiting",
                    "until",
                    "seed",
                    "warmup",
                    "description",
                    "spread",
                    "length_to_width",
                    "adjust_wind",
                ];
                let optional = given.is_null() || left_out.contains(&name);
                let (code, said) = again(&|all| assert!(all.as_object_mut().unwrap().remove(name).is_some()));
                let missing = code == 2 && said.contains(&format!("in `{named}`: missing field `{name}`"));
                assert!(missing || optional, "{name}: {said}");
                let (code, said) = again(&|all| all[name] = serde_json::json!({"a": [true]}));
                assert!(code == 2 && said.contains(&format!("`{named}.{name}")), "{name}: {said}");
                // What a model has no use for is kept all the same.
                let unused = name == "max_waiting" && value["parameters"]["delay"] == "inertial";
                if unused || name == "seed" && value["seed"].is_null() {
                    continue;
                }
                // Where cells are drawn, none may be given.
                let other = others.iter().find(|(of, other)| *of == name && given != other);
                if let Some((_, other)) = other.filter(|_| *given != Value::Array(vec![])) {
                    let (code, said) = again(&|all| all[name] = other.clone());
                    let told = said.lines().all(|line| line.starts_with("tickless: note: as "));
                    assert!(code == 1 && told, "{name} of {arguments:?}: {code}, {said}");
                }
            }
        }
    }
}

/// The files of cells are part of a result by what was in them.
#[test]
fn cells_of_files_are_read_again_where_nothing_has_changed() {
    let files = Files::new("rerun-cells");
    for name in ["heat.ma", "heat.inc", "forest.ma", "forest.val"] {
        std::fs::copy(format!("examples/cells/{name}"), files.path(name)).unwrap();
    }
    let fire = files.fire(&["--ignite", "0,0@3"]);
    let [terrain, heat, forest] = ["elevation.asc", "heat.ma", "forest.ma"].map(|name| files.path(name));
    let cases: [(Vec<&str>, &[&str]); 4] = [
        (words(&fire), &["fuel.asc", "elevation.asc", "suppressed.asc", "ignitions.csv", "weather.csv"]),
        (on_the_heap(&["watershed", "--terrain", &terrain, "--until", "600"]), &["elevation.asc"]),
        (on_the_heap(&[&heat, "--until", "500"]), &["heat.ma", "heat.inc"]),
        (on_the_heap(&[&forest, "--until", "90"]), &["forest.ma", "forest.val"]),
    ];
    for (arguments, names) in cases {
        let (_, value) = json(&arguments, &[]);
        let inputs = value["inputs"].as_array().unwrap();
        let found: Vec<_> = inputs.iter().map(|input| input["path"].as_str().unwrap().to_owned()).collect();
        assert_eq!(found, names.iter().map(|name| files.path(name)).collect::<Vec<_>>());
        let result = files.path("result.json");
        std::fs::write(&result, value.to_string()).unwrap();
        let again = || output(&["rerun", &result]);
        let refused = |parts: &[&str]| {
            let output = again();
            let said = text(&output.stderr);
            assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
            parts.iter().for_each(|part| assert!(said.contains(part), "'{part}' is not in: {said}"));
        };
        assert_eq!(again().status.code(), Some(0));
        for name in names {
            let right = files.read(name);
            // What a parser would not see.
            std::fs::write(files.path(name), format!("{right}\n")).unwrap();
            refused(&[&files.path(name), "has changed since the run of", "result.json", "SHA-256"]);
            std::fs::remove_file(files.path(name)).unwrap();
            refused(&[&files.path(name), "cannot be read", "result.json"]);
            std::fs::write(files.path(name), &right).unwrap();
        }
        assert_eq!(again().status.code(), Some(0));
        let mut less = value.clone();
        less["inputs"].as_array_mut().unwrap().pop();
        std::fs::write(&result, less.to_string()).unwrap();
        refused(&["its `arguments` and its `inputs` name different files"]);
        let mut wrong = value.clone();
        assert!(wrong["inputs"][0].as_object_mut().unwrap().remove("sha256").is_some());
        std::fs::write(&result, wrong.to_string()).unwrap();
        refused(&["in `inputs[0]`: missing field `sha256`"]);
    }
}

/// A path is that of the working directory, as it was in the run.
#[test]
fn paths_of_cells_are_relative_to_the_working_directory() {
    let file = stored("relative.json", &on_the_heap(&["examples/cells/heat.ma", "--until", "200"]), |value| {
        assert_eq!(value["inputs"][0]["path"], "examples/cells/heat.ma");
    });
    let elsewhere = command(&["rerun", file.to_str().unwrap()]).current_dir(std::env::temp_dir()).output().unwrap();
    let said = text(&elsewhere.stderr);
    assert_eq!(elsewhere.status.code(), Some(2), "{said}");
    assert!(said.contains("examples/cells/heat.ma cannot be read"), "{said}");
    assert_eq!(rerun(&file, &[]).0, 0);
}

#[test]
fn a_changed_result_is_caught() {
    for arguments in [&["network", CLINIC][..], &["torus", "--side", "5", "--backend", "heap"]] {
        let (code, value) = rerun(&stored("changed.json", arguments, doctor), &[]);
        assert_eq!((code, &value["equal"]), (1, &false.into()));
        assert_ne!(value["expected"], value["found"]);
    }
    let seed = |value: &mut Value| value["arguments"]["choices"]["seed"] = 2.into();
    assert_eq!(rerun(&stored("seed.json", &["network", CLINIC], seed), &[]).0, 1);
    let file = stored("text.json", &["network", CLINIC], doctor);
    let shown = output(&["rerun", file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(shown.status.code(), Some(1));
    assert!(text(&shown.stdout).contains("DIFFERENT: the run gave another digest"));
}

#[test]
fn another_version_is_remarked_on() {
    let file = stored("version.json", &["network", CLINIC], |value| value["version"] = "0.0.1".into());
    let (code, value) = rerun(&file, &[]);
    assert_eq!((code, &value["warnings"][0]["kind"]), (0, &"other_version".into()));
}
