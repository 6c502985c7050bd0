//! `tickless search`, and `tickless paths`.

use super::*;

/// Searches that run at once.
const SMALL: [&str; 4] = ["--side", "40", "--searches", "30"];

/// A map of 6 x 4 cells, with a wall that has a gap in the south.
const MAP: &str = "type octile\nheight 4\nwidth 6\nmap\n..@...\n..@.S.\n..@...\n......\n";
/// Searches on it, with the lengths that they have, no path where the goal is blocked, and a length that is wrong.
const SCENARIOS: &str = "version 1\n\
    0\tsmall.map\t6\t4\t0\t0\t1\t1\t1.41421356\n\
    0\tsmall.map\t6\t4\t0\t0\t2\t0\t0\n\
    1\tsmall.map\t6\t4\t1\t0\t3\t0\t8\n\
    1\tsmall.map\t6\t4\t0\t0\t5\t3\t7.6\n";

/// A file that is gone when this is.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(path(&format!("search-{name}")))
    }

    fn with(name: &str, text: &str) -> Self {
        let file = Self::new(name);
        std::fs::write(&file.0, text).unwrap();
        file
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn file_name(&self) -> &str {
        self.0.file_name().unwrap().to_str().unwrap()
    }

    fn text(&self) -> String {
        text(&std::fs::read(&self.0).unwrap())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn shown(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The one line of an error.
fn refused(arguments: &[&str], named: &[&str]) {
    let output = output(arguments);
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}: {error}");
    assert!(error.lines().count() == 1 && error.starts_with("tickless: error: "), "{arguments:?}: {error}");
    for part in named {
        assert!(error.contains(part), "{arguments:?}: '{part}' is missing from {error}");
    }
}

#[test]
fn json_has_the_figures_of_the_searches() {
    let (code, value) = json(&["search", "--seed", "7", "--backend", "heap", "--threads", "1"], &SMALL);
    assert_eq!((code, &value["seed"], &value["threads"]), (0, &7.into(), &1.into()));
    let (parameters, statistics) = (&value["parameters"], &value["statistics"]);
    let free = parameters["free_cells"].as_u64().unwrap();
    assert!((900..1300).contains(&free) && parameters["made_up"] == true && parameters["drawn"] == true);
    assert_eq!((&statistics["searches"], &statistics["unfinished"]), (&30.into(), &0.into()));
    let [found, none] = ["found", "no_path"].map(|name| statistics[name].as_u64().unwrap());
    assert_eq!((found + none, &statistics["expansions"]), (30, &value["events"]));
    assert!((5.0..60.0).contains(&statistics["mean_cost"].as_f64().unwrap()));
    assert!(statistics["searches_per_second"].as_f64().unwrap() > 0.0 && statistics["lengths"].is_null());
    // What runs it changes nothing.
    let (_, all) = json(&["search", "--seed", "7", "--backend", "heap"], &SMALL);
    assert_eq!(all["digest"], value["digest"]);
}

#[test]
fn text_shows_the_effective_parameters_and_the_digest() {
    let shown = shown(&[&["search", "--backend", "heap", "--threads", "2", "--corners", "allow"], &SMALL[..]].concat());
    let (_, value) = json(&["search", "--backend", "heap", "--corners", "allow"], &SMALL);
    let digest = value["digest"].as_str().unwrap();
    for part in [
        "40 x 40, made up from the seed: ",
        " of 1,600 cells free\n",
        "to 8 neighbours; corners may be cut\n",
        "30 drawn from the seed\n",
        "expands 8 cells",
        "2 threads",
        digest,
    ] {
        assert!(shown.contains(part), "{part} is missing from\n{shown}");
    }
}

#[test]
fn every_option_of_the_model_counts() {
    let digest = |more: &[&str]| json(&["search", "--searches", "40", "--backend", "heap"], more).1["digest"].clone();
    let base = ["--side", "30"];
    let others: [&[&str]; 8] = [
        &["--side", "31"],
        &["--width", "30", "--height", "29"],
        &["--side", "30", "--density", "0.3"],
        &["--side", "30", "--obstacle-size", "2"],
        &["--side", "30", "--corners", "allow"],
        &["--side", "30", "--expand", "4"],
        &["--side", "30", "--keep-paths"],
        &["--side", "30", "--seed", "2"],
    ];
    assert_eq!(digest(&base), digest(&["--width", "30", "--height", "30"]));
    for other in others {
        assert_ne!(digest(&base), digest(other), "{other:?}");
    }
}

#[test]
fn few_searches_are_for_the_heap() {
    let (_, value) = json(&["search", "--side", "20", "--searches", "3"], &[]);
    assert_eq!((&value["backend"], &value["warnings"][0]["kind"]), (&"heap".into(), &"heap_fallback".into()));
    assert!(value["warnings"][0]["reason"].as_str().unwrap().starts_with("3 searches are few, and "), "{value}");
}

/// The bits of the heap on an adapter, with every set and any number of searches at once.
#[test]
fn backends_give_the_same_run() {
    if !has_adapter("backends_give_the_same_run") {
        return;
    }
    let (_, heap) = json(&["search", "--backend", "heap", "--keep-paths"], &SMALL);
    for (more, set) in [(&["--pending", "splay", "--at-once", "3"][..], Some("splay")), (&["--pending", "auto"], None)]
    {
        let arguments = [&["search", "--backend", "wgpu", "--keep-paths"], more].concat();
        let (code, device) = json(&arguments, &SMALL);
        assert_eq!((code, &device["digest"], &device["events"]), (0, &heap["digest"], &heap["events"]));
        let had = device["pending_set"].as_str().expect("a set");
        assert!(set.map_or(had != "auto", |set| set == had) && device["threads"].is_null(), "{had}");
    }
    let (code, value) = json(&["compare", "search", "--keep-paths", "--backends", "wgpu,heap"], &SMALL);
    assert_eq!((code, &value["equal"], &value["runs"][1]["digest"]), (0, &true.into(), &heap["digest"]));
    refused(&["search", "--backend", "wgpu", "--threads", "2"], &["--threads", "on a device", "--backend heap"]);
}

#[test]
fn a_map_and_scenarios_are_read() {
    let (map, scenarios) = (Scratch::with("a.map", MAP), Scratch::with("a.scen", SCENARIOS));
    let results = Scratch::new("a.csv");
    let files = ["search", "--map", map.name(), "--scenarios", scenarios.name(), "--backend", "heap"];
    let (code, value) = json(&files, &["--results", results.name()]);
    assert_eq!((code, &value["seed"], value["inputs"].as_array().unwrap().len()), (0, &Value::Null, 2));
    assert_eq!((&value["parameters"]["width"], &value["parameters"]["free_cells"]), (&6.into(), &21.into()));
    // One goal is blocked, which the file says by a length of 0; and the file names a map.
    let warned = [
        "the scenarios are for a map 'small.map', and --map has another name: it may not be theirs",
        "1 search has a start or a goal that is blocked, and finds no path",
    ];
    for (warning, message) in value["warnings"].as_array().unwrap().iter().zip(warned) {
        assert_eq!((&warning["kind"], &warning["message"]), (&"model".into(), &message.into()));
    }
    let named = Scratch::with("named.scen", &SCENARIOS.replace("small.map", &format!("maps/{}", map.file_name())));
    let (_, named) = json(&["search", "--map", map.name(), "--scenarios", named.name(), "--backend", "heap"], &[]);
    assert_eq!((named["warnings"].as_array().unwrap().len(), &named["digest"]), (1, &value["digest"]));
    let lengths = &value["statistics"]["lengths"];
    assert_eq!((&lengths["compared"], &lengths["agreeing"]), (&4.into(), &3.into()), "{lengths}");
    assert!(lengths["greatest_difference"].as_f64().unwrap() > 0.1);
    let lines = results.text();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[0], "search,start_column,start_row,goal_column,goal_row,cost,expansions,found");
    assert_eq!((lines[1], lines[2]), ("0,0,0,1,1,1.414214000,1,true", "1,0,0,2,0,,0,false"));
    // Around the wall.
    assert!(lines[3].starts_with("2,1,0,3,0,8.000000000,") && lines[4].starts_with("3,0,0,5,3,7."), "{lines:?}");
    let text = shown(&[&files[..], &["--searches", "2"]].concat());
    assert!(text.contains("2 of 2 are those of the file; the greatest difference is 4.4"), "{text}");

    // Dearer letters, and moves that cost the mean.
    let terrain = Scratch::with("a.csv", "letter,cost\n.,2\nS,100\n@,0\n");
    let dear = ["search", "--map", map.name(), "--terrain", terrain.name(), "--backend", "heap", "--searches", "5"];
    let (_, value) = json(&dear, &[]);
    assert_eq!((&value["parameters"]["least_cost"], &value["parameters"]["most_cost"]), (&2.into(), &100.into()));
    assert_eq!(value["seed"], 1);
    assert!(shown(&dear).contains("at costs of 2 to 100"));
    let document = include_str!("../../docs/json.md").split("# The CSV file of --results").nth(1).unwrap();
    for column in lines[0].split(',') {
        assert!(document.contains(&format!("`{column}`")), "docs/json.md does not name {column}");
    }
}

#[test]
fn paths_become_a_table() {
    let (map, scenarios) = (Scratch::with("p.map", MAP), Scratch::with("p.scen", SCENARIOS));
    let (paths, table) = (Scratch::new("p.paths"), Scratch::new("p.csv"));
    let files = ["search", "--map", map.name(), "--scenarios", scenarios.name(), "--backend", "heap"];
    let (_, value) = json(&files, &["--paths", paths.name()]);
    assert_eq!((&value["arguments"]["keep_paths"], &value["parameters"]["keeps_paths"]), (&true.into(), &true.into()));
    assert_eq!(value["digest"], json(&files, &["--keep-paths"]).1["digest"]);
    let printed = shown(&["paths", paths.name()]);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[..4], ["search,step,column,row", "0,0,0,0", "0,1,1,1", "2,0,1,0"]);
    assert_eq!(lines.last(), Some(&"3,7,5,3"));
    // Search 1 has no path; search 2 goes around the wall.
    assert!(lines.contains(&"2,8,3,0") && !lines.iter().any(|line| line.starts_with("1,")));
    shown(&["paths", paths.name(), "--output", table.name()]);
    assert_eq!(table.text(), printed);
    let document = include_str!("../../docs/json.md").split("# The CSV file of tickless paths").nth(1).unwrap();
    assert!(lines[0].split(',').all(|column| document.contains(&format!("`{column}`"))));

    let whole = std::fs::read(&paths.0).unwrap();
    let cut = Scratch::new("cut.paths");
    std::fs::write(&cut.0, &whole[..whole.len() - 40]).unwrap();
    let output = output(&["paths", cut.name()]);
    let (error, lines) = (text(&output.stderr), text(&output.stdout).lines().count());
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("ends in the middle, in search 3 of 4") && lines > 10, "{error}");
    refused(&["paths", map.name()], &[map.name(), "no file of paths", "--paths"]);
    refused(&["paths", "no-such.paths"], &["no-such.paths", "there is no such file"]);
    refused(&["paths", paths.name(), "--output", paths.name()], &["--output", "the paths"]);
    refused(&["search", "--map", paths.name()], &["a file of paths", "tickless paths FILE"]);
}

#[test]
fn every_backend_writes_the_same_paths() {
    if !has_adapter("every_backend_writes_the_same_paths") {
        return;
    }
    let files = ["heap", "wgpu"].map(|backend| (backend, Scratch::new(&format!("{backend}.paths"))));
    for (backend, file) in &files {
        json(&["search", "--backend", backend, "--paths", file.name()], &SMALL);
    }
    let [heap, wgpu] = files.map(|(_, file)| std::fs::read(&file.0).unwrap());
    assert!(heap == wgpu && heap.len() > 500, "{} and {} bytes", heap.len(), wgpu.len());
}

#[test]
fn a_picture_has_the_size_of_the_map() {
    let file = Scratch::new("map.png");
    let map = ["search", "--backend", "heap", "--width", "700", "--height", "50", "--searches", "6"];
    json(&map, &["--picture", file.name(), "--show", "5,0,5"]);
    let bytes = std::fs::read(&file.0).unwrap();
    let number = |place: usize| u32::from_be_bytes(bytes[place..place + 4].try_into().unwrap());
    assert_eq!((&bytes[1..4], number(16), number(20)), (&b"PNG"[..], 700, 50));
    refused(
        &[&map[..], &["--picture", file.name(), "--show", "6"]].concat(),
        &["--show", "search 6", "searches 0 to 5"],
    );
    refused(&[&map[..], &["--show", "1"]].concat(), &["--picture"]);
    refused(&[&map[..], &["--picture", file.name(), "--show", "1;2"]].concat(), &["--show", "1;2", "commas between"]);
}

#[test]
fn a_rerun_gives_the_same_digest() {
    let (map, scenarios) = (Scratch::with("r.map", MAP), Scratch::with("r.scen", SCENARIOS));
    let (paths, result) = (Scratch::new("r.paths"), Scratch::new("r.json"));
    let files = ["--map", map.name(), "--scenarios", scenarios.name(), "--searches", "3"];
    for model in [&SMALL[..], &["--density", "0", "--searches", "2", "--paths", paths.name()], &files] {
        let run = shown(&[&["search", "--backend", "heap", "--format", "json"], model].concat());
        std::fs::write(&result.0, run).unwrap();
        let (code, value) = json(&["rerun", result.name()], &[]);
        assert_eq!((code, &value["equal"], &value["model"]), (0, &true.into(), &"search".into()), "{model:?}");
    }
    // The last result is that of files.
    let changed = |field: &str, to: Value, named: &[&str]| {
        let mut value: Value = serde_json::from_str(&result.text()).unwrap();
        *value.pointer_mut(&format!("/arguments/{field}")).unwrap() = to;
        let file = Scratch::with("changed.json", &value.to_string());
        refused(&["rerun", file.name()], named);
    };
    changed("expand", 33.into(), &["`arguments.expand`", "--expand is 33", "from 1 to 32"]);
    changed("side", 6001.into(), &["--side is 6001", "from 1 to 6000"]);
    changed("density", 2.into(), &["--density is 2", "from 0 to 1"]);
    changed("searches", 0.into(), &["--searches is 0", "from 1 to 1073741824"]);
    changed("searches", 9.into(), &["--searches is 9", "has 4", "leave it out for all"]);
    changed("how/pending", "global-heap".into(), &["global-heap is one heap for all"]);
    changed("how/at_once", 0.into(), &["--at-once is 0"]);
    changed("map", Value::Null, &["--scenarios needs --map"]);
    std::fs::write(&map.0, MAP.replace('S', ".")).unwrap();
    refused(&["rerun", result.name()], &[map.name(), "has changed since"]);
}

/// Each: what is given, and what the one line of the error must name.
const BAD: [(&[&str], &[&str]); 26] = [
    (&["--side", "0"], &["'0'", "--side", "from 1 to 6000"]),
    (&["--side", "6001"], &["'6001'", "--side", "from 1 to 6000"]),
    (&["--width", "20"], &["--height"]),
    (&["--side", "20", "--width", "20", "--height", "20"], &["--side", "--width"]),
    (&["--density", "1.5"], &["'1.5'", "--density", "from 0 to 1"]),
    (&["--density", "-0.1"], &["'-0.1'", "--density"]),
    (&["--density", "NaN"], &["'NaN'", "--density"]),
    (&["--side", "1", "--density", "1"], &["no cell of the map is free", "--density"]),
    (&["--obstacle-size", "0"], &["'0'", "--obstacle-size", "from 0.001 to 1000"]),
    (&["--obstacle-size", "1001"], &["'1001'", "from 0.001 to 1000"]),
    (&["--searches", "0"], &["'0'", "--searches", "from 1 to 1073741824"]),
    (&["--expand", "0"], &["'0'", "--expand", "from 1 to 32"]),
    (&["--expand", "33"], &["'33'", "--expand", "from 1 to 32"]),
    (&["--corners", "cut"], &["'cut'", "--corners", "forbid, allow"]),
    (&["--threads", "0"], &["'0'", "--threads", "from 1 to 1024"]),
    (&["--at-once", "0"], &["'0'", "--at-once", "from 1 to"]),
    (&["--pending", "global-heap"], &["'global-heap'", "--pending", "one heap for all", "splay"]),
    (&["--pending", "list"], &["'list'", "auto, near-far, ", "splay"]),
    (&["--backend", "heap", "--pending", "splay"], &["--pending", "on the heap", "--backend wgpu"]),
    (&["--backend", "heap", "--at-once", "4"], &["--at-once", "on the heap"]),
    (
        &["--map", "no/such.map"],
        &["no/such.map cannot be read", "no such file", "name a .map file", "working directory"],
    ),
    (&["--map", ""], &["--map"]),
    (&["--map", "x.map", "--side", "9"], &["--map", "--side"]),
    (&["--map", "x.map", "--density", "0.1"], &["--map", "--density"]),
    (&["--scenarios", "x.scen"], &["--map"]),
    (&["--terrain", "x.csv"], &["--map"]),
];

#[test]
fn bad_input_is_refused_in_one_line() {
    for (arguments, named) in BAD {
        refused(&[&["search"], arguments].concat(), named);
    }
    let (map, wrong) = (Scratch::with("b.map", MAP), Scratch::with("wrong", "type octile\nheight 4\n"));
    let on = |option: &str, file: &str, named: &[&str]| {
        refused(&["search", "--map", map.name(), option, file], named);
    };
    on("--scenarios", map.name(), &[map.name(), "line 1", "'version 1'"]);
    on("--terrain", map.name(), &[map.name(), "line 1", "letter,cost"]);
    on("--scenarios", Scratch::with("none.scen", "version 1\n").name(), &["no search behind its first line"]);
    on("--scenarios", Scratch::with("empty.scen", "").name(), &["it is empty", "name a .scen file"]);
    on(
        "--terrain",
        Scratch::with("101.csv", "letter,cost\n.,101\n").name(),
        &["line 2", "'101'", "0 (blocked) to 100"],
    );
    on(
        "--terrain",
        Scratch::with("few.csv", "letter,cost\n.,1\n").name(),
        &[map.name(), "line 5", "'@'", "there are '.'"],
    );
    let other = SCENARIOS.replace("\t6\t4\t", "\t7\t4\t");
    on("--scenarios", Scratch::with("o.scen", &other).name(), &["line 2", "7 x 4", "6 x 4"]);
    let scenarios = Scratch::with("b.scen", SCENARIOS);
    let many = ["search", "--map", map.name(), "--scenarios", scenarios.name(), "--searches", "5"];
    refused(&many, &["--searches is 5", scenarios.name(), "has 4"]);
    refused(&["search", "--map", wrong.name()], &[wrong.name(), "line 2", "ends before the line 'map'"]);
    let output = [&["search", "--map", map.name(), "--backend", "heap"], &["--results", map.name()][..]].concat();
    refused(&output, &["--results", map.name(), "a file that the run reads"]);
}

/// One of anything is singular.
#[test]
fn one_search_is_one() {
    let one =
        shown(&["search", "--backend", "heap", "--searches", "1", "--side", "9", "--density", "0", "--expand", "1"]);
    assert!(one.contains("1 path;") && one.contains("expands 1 cell\n"), "{one}");
}
