//! Shards of ensembles, and `tickless merge`.

use super::network::CLINIC;
use super::*;

/// A folder of its own.
fn folder(name: &str) -> PathBuf {
    let folder = path(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn name(folder: &std::path::Path, file: &str) -> String {
    folder.join(file).to_str().unwrap().to_owned()
}

/// Runs the replications of each range, and returns the files of the shards.
fn shards(folder: &std::path::Path, model: &[&str], ranges: &[(&str, &str)]) -> Vec<String> {
    let shard = |(range, backend): &(&str, &str)| {
        let file = name(folder, &format!("{range}.shard"));
        let (code, run) = json(model, &["--replications", range, "--shard", &file, "--backend", backend]);
        let first: u64 = range.split_once("..").map_or(0, |(first, _)| first.parse().unwrap());
        assert_eq!((code, &run["parameters"]["first_replication"]), (0, &first.into()));
        file
    };
    ranges.iter().map(shard).collect()
}

fn merged(files: &[String], rest: &[&str]) -> (i32, Value) {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    json(&[&["merge"], &files[..]].concat(), rest)
}

/// What a merge must have as the whole run has it: all but how it ran.
fn results(value: &Value) -> Value {
    let mut value = value.clone();
    let fields = value.as_object_mut().unwrap();
    for field in [
        "backend",
        "adapter",
        "threads",
        "rounds",
        "wall_seconds",
        "setup_seconds",
        "device_seconds",
        "events_per_second",
        "appointments",
        "pilot",
        "warnings",
    ] {
        fields.remove(field);
    }
    value
}

fn ended(arguments: &[&str]) -> (i32, String) {
    let output = output(arguments);
    (output.status.code().unwrap(), text(&output.stderr))
}

fn refused(files: &[String], rest: &[&str]) -> String {
    let arguments = with(&[&["merge"], &files.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat(), rest);
    let (code, said) = ended(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((code, said.lines().count()), (2, 1), "{said}");
    said
}

#[test]
fn shards_of_a_network_are_the_whole_in_any_order_and_from_any_backend() {
    if !has_adapter("shards_of_a_network_are_the_whole_in_any_order_and_from_any_backend") {
        return;
    }
    let folder = folder("shards-network");
    let model = ["network", CLINIC, "--until", "2000", "--warmup", "300", "--distributions"];
    let files = ["stations.csv", "histograms.csv"].map(|file| name(&folder, file));
    let [stations, histograms] = &files;
    let written = ["--stations", stations, "--histograms", histograms];
    let (_, whole) = json(&model, &[&["--replications", "10", "--backend", "heap"], &written[..]].concat());
    let contents = || files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect::<Vec<_>>();
    let expected = contents();
    let mut shards =
        shards(&folder, &model, &[("4..9", "heap"), ("0..3", "heap"), ("3..4", "wgpu"), ("9..10", "heap")]);
    for _ in 0..2 {
        let (code, found) = merged(&shards, &written);
        assert_eq!((code, &found["backend"]), (0, &"merge".into()));
        assert_eq!(results(&found), results(&whole));
        assert!(contents() == expected, "files of the merge are those of the whole run");
        files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
        shards.reverse();
    }
    // What it has made can be run again, and is the same.
    let result = name(&folder, "merged.json");
    std::fs::write(&result, merged(&shards, &[]).1.to_string()).unwrap();
    let (code, again) = json(&["rerun", &result], &["--backend", "heap"]);
    assert_eq!((code, &again["equal"]), (0, &true.into()));
    let said = refused(&shards, &["--probability", "p.asc"]);
    assert!(said.contains("--probability is not for the model network"), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn shards_of_a_torus_and_of_fires_are_the_whole() {
    if !has_adapter("shards_of_a_torus_and_of_fires_are_the_whole") {
        return;
    }
    let folder = folder("shards-others");
    let torus = with(&["torus"], &SMALL);
    let torus: Vec<&str> = torus.iter().map(String::as_str).collect();
    let (_, whole) = json(&torus, &["--replications", "5", "--backend", "heap"]);
    let files = shards(&folder, &torus, &[("0..2", "heap"), ("2..5", "wgpu")]);
    assert_eq!(results(&merged(&files, &[]).1), results(&whole));
    assert_eq!(results(&merged(&files, &["--replications", "5"]).1), results(&whole));

    let fires = ["cells", "fire", "--side", "40", "--until", "500"];
    let [share, picture] = ["share.asc", "share.png"].map(|file| name(&folder, file));
    let written = ["--probability", &share, "--picture", &picture];
    let (_, whole) = json(&fires, &[&["--replications", "6", "--backend", "heap"], &written[..]].concat());
    let contents = || [&share, &picture].map(|file| std::fs::read(file).unwrap());
    let expected = contents();
    let files = shards(&folder, &fires, &[("1..2", "wgpu"), ("2..6", "heap"), ("0..1", "heap")]);
    let (code, found) = merged(&files, &written);
    assert_eq!((code, results(&found)), (0, results(&whole)));
    assert!(contents() == expected, "files of the merge are those of the whole run");
    // The figures without records, as a device adds them up, are those of the same fires.
    let (_, figures) = json(&fires, &["--replications", "2..6", "--backend", "wgpu"]);
    let (_, heap) = json(&fires, &["--replications", "2..6", "--backend", "heap"]);
    assert_eq!((&figures["digest"], &figures["statistics"]), (&heap["digest"], &heap["statistics"]));
    let said = refused(&files, &["--histograms", "h.csv"]);
    assert!(said.contains("--histograms is not for the model fire"), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_no_whole_ensemble_is_refused_by_name() {
    let folder = folder("shards-refused");
    let model = ["network", CLINIC, "--warmup", "0", "--until", "500"];
    let files = shards(&folder, &model, &[("0..3", "heap"), ("3..5", "heap"), ("4..8", "heap"), ("12..13", "heap")]);
    let of = |places: &[usize]| places.iter().map(|place| files[*place].clone()).collect::<Vec<_>>();
    let said = refused(&of(&[1, 3]), &[]);
    assert!(said.contains("the replications 0..3 and 5..12 of 13 are in no shard"), "{said}");
    let said = refused(&of(&[0, 1]), &["--replications", "6"]);
    assert!(said.contains("the replications 5..6 of 6 are in no shard"), "{said}");
    let said = refused(&of(&[2, 0, 1]), &[]);
    assert!(said.contains("4..8.shard: the replications 4..5 are in ") && said.contains("3..5.shard too"), "{said}");
    let said = refused(&of(&[0, 0]), &[]);
    assert!(said.contains("the replications 0..3 are in "), "{said}");
    let other = name(&folder, "other.shard");
    json(
        &["network", CLINIC, "--warmup", "0", "--until", "501"],
        &["--replications", "3..5", "--shard", &other, "--backend", "heap"],
    );
    let said = refused(&[files[0].clone(), other.clone()], &[]);
    assert!(
        said.contains("other.shard: it is of another ensemble: `arguments.choices.until` is 501.0, and 500.0 in "),
        "{said}"
    );
    let said = refused(&of(&[0, 1]), &["--stations", &files[1]]);
    assert!(said.contains("--stations names ") && said.contains("which is a file that the run reads"), "{said}");
    assert_eq!(merged(&of(&[0, 1]), &[]).0, 0, "a shard was overwritten");
    let said = refused(&[files[0].clone()], &["--histograms", "h.csv"]);
    assert!(said.contains("--histograms needs shards of runs that record distributions"), "{said}");

    let whole = std::fs::read(&files[0]).unwrap();
    let damaged = name(&folder, "damaged.shard");
    let last = whole.len() - 1;
    for (contents, what) in [
        (whole[..last].to_vec(), "it was not written or copied to its end"),
        ([&whole[..last], &[whole[last] ^ 1]].concat(), "it is damaged: SHA-256"),
        (vec![], "it is no shard of tickless"),
        (b"{ \"schema\": 3 }".to_vec(), "it is no shard of tickless"),
    ] {
        std::fs::write(&damaged, contents).unwrap();
        let said = refused(std::slice::from_ref(&damaged), &[]);
        assert!(said.contains("damaged.shard: ") && said.contains(what), "{said}");
    }
    let said = refused(&[name(&folder, "none.shard")], &[]);
    assert!(said.contains("none.shard: there is no such file; give a file that a run wrote with --shard"), "{said}");
    for (arguments, what) in [
        (&["--replications", "5..5"][..], "a range of replications, as 100..200"),
        (&["--replications", "7..5"], "from 1 to 1000000"),
        (&["--shard", &damaged, "--precision", "0.1"], "cannot be used with"),
    ] {
        let (code, said) = ended(&[&model[..], arguments].concat());
        assert!(code == 2 && said.contains(what), "{said}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// The model may be read from another place: what counts is what was in the file.
#[test]
fn a_network_may_lie_anywhere() {
    let folder = folder("shards-places");
    let copy = name(&folder, "copy.toml");
    std::fs::copy(CLINIC, &copy).unwrap();
    let run = |file: &str, range: &str| {
        let shard = name(&folder, &format!("{range}.shard"));
        let options =
            ["--warmup", "0", "--until", "400", "--replications", range, "--shard", &shard, "--backend", "heap"];
        assert_eq!(json(&["network", file], &options).0, 0);
        shard
    };
    let files = [run(CLINIC, "0..2"), run(&copy, "2..3")];
    std::fs::remove_file(&copy).unwrap();
    let (_, whole) =
        json(&["network", CLINIC, "--warmup", "0", "--until", "400", "--replications", "3", "--backend", "heap"], &[]);
    assert_eq!(merged(&files, &[]).1["digest"], whole["digest"]);
    std::fs::remove_dir_all(folder).unwrap();
}
