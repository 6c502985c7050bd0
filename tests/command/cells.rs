//! `tickless cells` and `tickless compare cells`.

use std::path::Path;

use super::*;

const LIFE: &str = "examples/cells/life.ma";
const ALARM: &str = "examples/cells/alarm.ma";
/// Before what comes next: a terrain of so many cells each way, for ten minutes.
const WATER: [&str; 5] = ["watershed", "--side", "12", "--until", "600"];

/// What every grid of these tests begins with.
const FRAME: &str = "ncols 6\nnrows 4\nxllcorner 1000\nyllcorner 2000\ncellsize 30\nNODATA_value -9999\n";
/// Two grasses and a shrub; water in one place, nothing in another.
const FUEL: &str = "1 1 1 1 1 1\n1 2 2 1 98 1\n1 1 102 1 1 -9999\n1 1 1 1 1 1\n";
/// Nothing that burns.
const BARE: &str = "99 99 99 99 99 99\n99 99 99 99 99 99\n99 99 99 99 99 99\n99 99 99 99 99 99\n";
const ELEVATION: &str = "100 101 102 103 104 105\n97 98 99 100 101 102\n94 95 96 97 98 99\n91 92 93 94 95 96\n";
const SUPPRESSED: &str = "0 0 0 1 0 0\n0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 0 0 0 0\n";
const WEATHER: &str = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,\
                       moisture_woody\n0,20,0.4,270,6,7,8,60,90\n5,250,0.4,90,5,7,8,60,90\n";
/// A point in the south-west, and a field that burns later.
const IGNITIONS: &str = "polygon,x,y,minutes\n,1015,2015,0\nfield,1085,2060,5\nfield,1185,2060,5\nfield,1185,2160,5\n";

/// A folder with the files of a fire, gone when this is.
pub struct Files(pub PathBuf);

impl Files {
    pub fn new(name: &str) -> Self {
        let folder = path(name);
        std::fs::create_dir_all(&folder).unwrap();
        let grid = |cells: &str| format!("{FRAME}{cells}");
        let files = [
            ("fuel.asc", grid(FUEL)),
            ("elevation.asc", grid(ELEVATION)),
            ("suppressed.asc", grid(SUPPRESSED)),
            ("weather.csv", WEATHER.into()),
            ("ignitions.csv", IGNITIONS.into()),
        ];
        files.iter().for_each(|(file, text)| std::fs::write(folder.join(file), text).unwrap());
        Self(folder)
    }

    /// A folder with nothing in it.
    pub fn empty(name: &str) -> Self {
        let folder = path(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub fn path(&self, file: &str) -> String {
        self.0.join(file).to_str().unwrap().to_owned()
    }

    pub fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap()
    }

    /// A fire of all of these files, with further options.
    pub fn fire(&self, more: &[&str]) -> Vec<String> {
        let files = ["fuel", "elevation", "suppressed", "weather", "ignitions"].into_iter();
        let files = files.zip(["asc", "asc", "asc", "csv", "csv"]);
        let options = files.flat_map(|(name, end)| [format!("--{name}"), self.path(&format!("{name}.{end}"))]);
        let first = ["cells", "fire", "--backend", "heap"].map(str::to_owned);
        first.into_iter().chain(options).chain(more.iter().map(|&word| word.to_owned())).collect()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn words(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

/// The result of cells on the heap.
fn on_the_heap(arguments: &[&str]) -> Value {
    let (code, value) = json(&["cells"], &[arguments, &["--backend", "heap"]].concat());
    assert_eq!(code, 0, "{arguments:?}");
    value
}

/// The values of a grid; the header is that of the fuels.
fn grid(text: &str) -> Vec<f64> {
    assert!(text.starts_with(FRAME), "{text}");
    text.lines().skip(6).flat_map(str::split_whitespace).map(|word| word.parse().unwrap()).collect()
}

fn assert_png(path: &str, size: [u32; 2]) {
    let bytes = std::fs::read(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{path}");
    assert_eq!(bytes[16..24], *size.map(u32::to_be_bytes).as_flattened(), "{path}");
}

#[test]
fn figures_are_those_of_the_run() {
    let water = on_the_heap(&WATER);
    let (space, figures) = (&water["parameters"], &water["statistics"]);
    assert_eq!((&space["cells"], &space["depth"], &space["border"]), (&288.into(), &2.into(), &"open".into()));
    assert_eq!((&space["lookahead"], &water["clock"], &water["seed"]), (&10.0.into(), &600.0.into(), &1.into()));
    assert_eq!((&figures["lost_units"], &figures["soaked_mm"]), (&0.into(), &0.0.into()));
    assert_eq!(figures["rained_mm"], figures["standing_mm"]);

    let life = on_the_heap(&[LIFE, "--until", "2000"]);
    assert_eq!((&life["seed"], &life["parameters"]["delay"]), (&Value::Null, &"transport".into()));
    // A glider stays one.
    let values = &life["statistics"]["values"];
    assert_eq!((&values[0]["cells"], &values[1]["cells"], &values[1]["value"]), (&395.into(), &5.into(), &1.0.into()));

    // The fire is in the first room; after a minute and a half everybody but the nine walls has heard of it.
    let alarm = on_the_heap(&[ALARM, "--until", "90000"]);
    assert_eq!(alarm["parameters"]["ports"], serde_json::json!(["smoke", "alarm"]));
    assert_eq!(alarm["parameters"]["variables"], serde_json::json!(["kind", "readings", "told"]));
    let [smoke, heard] = [0, 1].map(|port| &alarm["statistics"]["ports"][port]);
    assert_eq!((&smoke["port"], &heard["port"]), (&"smoke".into(), &"alarm".into()));
    assert_eq!((&heard["values"][0]["cells"], &heard["values"][0]["value"]), (&151.into(), &1.0.into()));
    let walls = smoke["values"].as_array().unwrap().iter().find(|value| value["value"].is_null()).unwrap();
    assert_eq!((&walls["cells"], &alarm["statistics"]["values"]), (&9.into(), &Value::Null));

    let fires = on_the_heap(&["fire", "--side", "24", "--replications", "3"]);
    assert_eq!((&fires["replications"], &fires["parameters"]["random_ignitions"]), (&3.into(), &true.into()));
    let [least, mean, most] = ["smallest_hectares", "burnt_hectares", "largest_hectares"]
        .map(|name| fires["statistics"][name].as_f64().unwrap());
    assert!(0.0 < least && least <= mean && mean <= most, "{least} {mean} {most}");
}

#[test]
fn text_shows_the_model_and_the_digest() {
    let cases = [
        (&["fire", "--side", "12"][..], &["made up from the seed", "ignitions", "perimeter", "lookahead"][..]),
        (&WATER, &["12 x 12 x 2 = 288 cells, open border", "0 units lost", "deepest"]),
        (&[ALARM], &["smoke alarm", "kind readings told", "~smoke", "~alarm", "in 160 cells"]),
        (&[LIFE], &["20 x 20 = 400 cells, wrapped border", "transport delays", "1 in 5 cells", "mean value"]),
    ];
    for (arguments, parts) in cases {
        let all = with(&["cells"], &[arguments, &["--backend", "heap"]].concat());
        let output = output(&words(&all));
        let shown = text(&output.stdout);
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
        let digest = on_the_heap(arguments)["digest"].as_str().unwrap().to_owned();
        for part in parts.iter().copied().chain([digest.as_str()]) {
            assert!(shown.contains(part), "{part} is missing from\n{shown}");
        }
    }
}

/// `tickless cells FILE.ma` is short for `tickless cells rules FILE.ma`.
#[test]
fn a_file_alone_is_a_file_of_rules() {
    assert_eq!(on_the_heap(&["rules", LIFE])["digest"], on_the_heap(&[LIFE])["digest"]);
}

#[test]
fn a_fire_of_files_writes_what_is_asked() {
    let files = Files::new("cells-fire");
    let names = ["arrival.asc", "probability.asc", "growth.csv", "fire.png"].map(|name| files.path(name));
    let [arrival, probability, growth, picture] = names.each_ref().map(String::as_str);
    let outputs = ["--arrival", arrival, "--probability", probability, "--growth", growth, "--picture", picture];
    let arguments = files.fire(&[&outputs[..], &["--isochrones", "2", "--ignite", "0,0@3"]].concat());
    let (code, value) = json(&words(&arguments), &[]);
    assert_eq!(code, 0);
    let (parameters, figures) = (&value["parameters"], &value["statistics"]);
    assert_eq!((&parameters["made_up"], &parameters["burnable_cells"]), (&false.into(), &21.into()));
    assert_eq!((&parameters["fuels"], &parameters["weather_rows"]), (&3.into(), &2.into()));
    assert_eq!(figures["burnt_cells"], 21);

    let times = grid(&files.read("arrival.asc"));
    // The point, the cell by its column and row, the field; water, suppressed and nothing never burn.
    assert_eq!((times[18], times[0], times[9], times[10]), (0.0, 3.0, 5.0, -9999.0));
    assert_eq!((times[3], times[17]), (-9999.0, -9999.0));
    let last = times.iter().copied().fold(0.0, f64::max);
    assert!((last - figures["last_ignition"].as_f64().unwrap()).abs() < 1e-4);
    let reached: Vec<f64> = times.iter().map(|&time| if time < 0.0 { 0.0 } else { 1.0 }).collect();
    assert_eq!(grid(&files.read("probability.asc")), reached);
    let growth = files.read("growth.csv");
    let rows: Vec<&str> = growth.lines().collect();
    assert_eq!(rows[0], "minutes,cells,hectares,perimeter_m");
    assert!(rows[1].starts_with("0,1,0.0900,") && rows.last().unwrap().contains(",21,1.8900,"), "{growth}");
    assert_png(picture, [1058, 657]);
}

/// What comes too late is said, and the mark with which some programs begin a text is none.
#[test]
fn late_ignitions_are_noted_and_marks_passed_over() {
    let files = Files::new("cells-late");
    std::fs::write(files.path("fuel.asc"), format!("\u{feff}{FRAME}{FUEL}")).unwrap();
    let arguments = files.fire(&["--until", "5"]);
    let output = output(&words(&arguments));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("ignitions come at the horizon of 5 minutes or later"), "{said}");
    assert!(text(&output.stdout).contains("burnt"));
}

/// No input is read and then ignored.
#[test]
fn every_file_of_a_fire_counts() {
    let files = Files::new("cells-inputs");
    let base = files.fire(&[]);
    let digest = |arguments: &[String]| json(&words(arguments), &[]).1["digest"].clone();
    let all = digest(&base);
    for option in ["--elevation", "--suppressed", "--weather", "--ignitions"] {
        let place = base.iter().position(|word| word == option).unwrap();
        let less = [&base[..place], &base[place + 2..]].concat();
        assert_ne!(digest(&less), all, "{option}");
    }
    for more in [&["--ignite", "5,3"][..], &["--wind-limit", "rothermel"], &["--until", "4"]] {
        assert_ne!(digest(&files.fire(more)), all, "{more:?}");
    }
}

#[test]
fn water_and_values_are_written() {
    let folder = Files::new("cells-outputs");
    let [depth, picture, values] = ["depth.asc", "water.png", "values.csv"].map(|name| folder.path(name));
    let terrain = folder.path("elevation.asc");
    let water = ["watershed", "--terrain", &terrain, "--until", "600", "--depth", &depth, "--picture", &picture];
    let value = on_the_heap(&water);
    assert_eq!(value["seed"], Value::Null);
    let depths = grid(&folder.read("depth.asc"));
    let mean = depths.iter().sum::<f64>() / 24.0;
    assert!((mean - value["statistics"]["standing_mm"].as_f64().unwrap()).abs() < 1e-3, "{mean}");
    // It flows to the south-west.
    assert!(depths[18] > 10.0 * depths[5], "{depths:?}");
    assert_png(&picture, [6, 4]);

    on_the_heap(&[LIFE, "--until", "50", "--values", &values]);
    let table = folder.read("values.csv");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!((lines.len(), lines[0]), (401, "replication,row,column,plane,value"));
    assert_eq!((lines[1 + 22], lines[1 + 23]), ("0,1,2,0,1.0", "0,1,3,0,0.0"));

    // A column for each port; a wall has sent '?' by then, the fire its smoke.
    on_the_heap(&[ALARM, "--until", "1500", "--values", &values]);
    let table = folder.read("values.csv");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!((lines.len(), lines[0]), (161, "replication,row,column,plane,smoke,alarm"));
    assert_eq!((lines[1 + 8], lines[1 + 2 * 16 + 3]), ("0,0,8,0,,0.0", "0,2,3,0,100.0,0.0"));
}

/// Cells that change again and again at one time, from the start or later: every backend says so in the same words.
#[test]
fn time_that_does_not_go_on_is_an_error() {
    let files = Files::new("cells-illegitimate");
    let head = "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (1,2)\ndelay : transport\ndefaultDelayTime : 1\n\
                border : wrapped\nneighbors : a(0,0)\ninitialvalue : 0\nlocaltransition : r\n[r]\n";
    let rules =
        [("rule : {1 - (0,0)} 0 {t}\n", 0), ("rule : {(0,0) + 1} 1000 {(0,0) < 3}\nrule : {7 - (0,0)} 0 {t}\n", 3000)];
    let path = files.path("a.ma");
    let mut heap = String::new();
    for (rules, time) in rules {
        std::fs::write(&path, format!("{head}{rules}")).unwrap();
        let said =
            format!("a.ma: 65569 cycles of events at {time} ms, and time does not go on: give rules delays above 0");
        heap = said_of(&["cells", &path, "--backend", "heap"], &[&said]);
    }
    if has_adapter("time_that_does_not_go_on_is_an_error") {
        let device = output(&["cells", &path, "--backend", "wgpu"]);
        // A software adapter is remarked on first.
        assert_eq!((device.status.code(), text(&device.stderr).lines().last()), (Some(2), heap.lines().last()));
    }
}

/// No two columns have one name.
#[test]
fn a_port_has_a_column_of_its_own() {
    let files = Files::new("cells-columns");
    let head = "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (1,2)\ndelay : transport\ndefaultDelayTime : 1\n\
                border : wrapped\nneighbors : a(0,0)\ninitialvalue : 0\nneighborports : row port_row\n";
    let rules = "localtransition : r\n[r]\nrule : { ~row := 1; } 1 { (0,0)~row = 0 }\nrule : {} 1 { t }\n";
    std::fs::write(files.path("a.ma"), [head, rules].concat()).unwrap();
    let paths = ["a.ma", "values.csv", "a.log"].map(|name| files.path(name));
    let [model, values, log] = paths.each_ref().map(String::as_str);
    on_the_heap(&[model, "--until", "9", "--values", values, "--log", log]);
    let table = files.read("values.csv");
    assert!(table.starts_with("replication,row,column,plane,port_port_row,port_row\n0,0,0,0,1.0,0.0\n"), "{table}");
    let shown = text(&output(&["cells", "log", log]).stdout);
    assert!(shown.starts_with("replication,time,ticks,row,column,plane,port_port_row,port_row\n"), "{shown}");
}

#[test]
fn backends_give_the_same_cells() {
    if !has_adapter("backends_give_the_same_cells") {
        return;
    }
    let fields = |value: &Value| {
        let runs = value["runs"].as_array().unwrap();
        assert_eq!(runs[0]["digest"], runs[1]["digest"]);
        assert_eq!((&runs[0]["backend"], &runs[1]["backend"]), (&"heap".into(), &"wgpu".into()));
        assert_eq!((&value["equal"], &runs[1]["difference"]), (&true.into(), &Value::Null));
    };
    let (code, value) = json(&["compare", "cells"], &[LIFE, "--until", "500"]);
    assert_eq!((code, &value["model"]), (0, &"rules".into()));
    fields(&value);
    let (code, value) = json(&["compare", "cells", "fire", "--side", "16", "--until", "300"], &[]);
    assert_eq!((code, &value["model"]), (0, &"fire".into()));
    fields(&value);
}

/// Each: what is given, and what the one line of the error must name.
const BAD: [(&[&str], &[&str]); 40] = [
    (&["fire", "--side", "65536"], &["'65536'", "from 1 to 23170"]),
    (&["fire", "--side", "9", "--ignite", "-1,0"], &["'-1,0'", "--ignite", "whole numbers from 0"]),
    (&["fire", "--side", "9", "--until", "1e999"], &["'1e999'", "minutes from"]),
    (&["watershed", "--rain", "1e999"], &["'1e999'", "--rain"]),
    (&["watershed", "--rain", "1e300"], &["the rain is 1e300", "from 0 to 351562.5 mm an hour"]),
    (&[LIFE, "--room", "321"], &["'321'", "from 1 to 320"]),
    (&[LIFE, "--until", "1e-300"], &["'1e-300'", "--until", "of milliseconds from 2^-32 (a tick) to 1000000000"]),
    (&["fire", "--side", "9", "--suppressed", "s.asc"], &["--suppressed needs --fuel"]),
    (&["fire", "--side", "9", "--elevation", "e.asc"], &["--elevation needs --fuel"]),
    (&["watershed", "--side", "40000"], &["'40000'", "--side", "from 1 to 32768"]),
    (&["fire", "--side", "0"], &["'0'", "--side", "from 1 to 23170"]),
    (
        &["fire", "--side", "9", "--until", "0"],
        &["'0'", "--until", "of minutes from 2^-32 (a tick) to 2^31 (fronts: 2^28)"],
    ),
    (&["fire", "--side", "9", "--replications", "0"], &["'0'", "--replications", "from 1 to 4294967295"]),
    (&["fire", "--side", "9", "--replications", "4", "--ignite", "3,3"], &["4 replications", "the same fire"]),
    (&["fire", "--side", "9", "--ignite", "3"], &["'3'", "--ignite", "COLUMN,ROW"]),
    (
        &["fire", "--side", "9", "--ignite", "30,2"],
        &["column 30, row 2", "outside", "columns are 0 to 8 and rows 0 to 8"],
    ),
    (&["fire", "--side", "9", "--ignite", "3,3@-1"], &["'3,3@-1'", "--ignite", "minutes numbers from 0 to 2^31"]),
    (&["fire", "--side", "9", "--isochrones", "0", "--picture", "p.png"], &["'0'", "--isochrones", "above 0"]),
    (&["fire", "--side", "9", "--isochrones", "5"], &["--picture"]),
    (&["fire", "--side", "9", "--random-weather"], &["--weather"]),
    (&["fire", "--side", "9", "--wind-limit", "x"], &["'x'", "none, rothermel"]),
    (&["fire", "--side", "9", "--arrival", "no/such/folder/a.asc"], &["no/such/folder/a.asc", "--arrival"]),
    (&["fire", "--elevation", "e.asc"], &["--fuel"]),
    (&["fire", "--fuel", "no-such.asc"], &["no-such.asc: "]),
    (&["fire", "--adapter", "0"], &["--adapter", "--backend heap"]),
    (&["watershed", "--side", "0"], &["'0'", "--side", "from 1 to 32768"]),
    (&["watershed", "--flow", "0.3"], &["'0.3'", "--flow", "it takes a number from 0.000001 to 0.2"]),
    (&["watershed", "--rain", "-1"], &["'-1'", "--rain", "0 or more"]),
    (&["watershed", "--hours", "-2"], &["'-2'", "--hours", "from 0 to 250000"]),
    (&["watershed", "--soil", "-2"], &["'-2'", "--soil", "0 or more"]),
    (&["watershed", "--step", "0"], &["'0'", "--step", "from 0.001 to 1000000"]),
    (&["watershed", "--until", "0"], &["'0'", "--until", "of seconds from 0.001 to 1000000000"]),
    (&["watershed", "--terrain", "t.asc", "--side", "3"], &["--terrain", "--side"]),
    (&["no-such.ma"], &["no-such.ma cannot be read: "]),
    (&[LIFE, "--until", "-1"], &["'-1'", "--until", "milliseconds"]),
    (&[LIFE, "--until", "1e999"], &["'1e999'", "milliseconds from 2^-32"]),
    (&[LIFE, "--room", "0"], &["'0'", "--room", "from 1 to 320"]),
    (&[ALARM, "--room", "204"], &["1026 words", "2 ports", "3 state variables", "lower the room to 203"]),
    (&[LIFE, "--replications", "0"], &["'0'", "--replications", "from 1 to 4294967295"]),
    (&[LIFE, "--replications", "3"], &["3 replications", "nothing draws"]),
];

fn refused(arguments: &[&str], named: &[&str]) {
    let error = said_of(arguments, named);
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
}

/// What a command says that refuses what it is given.
fn said_of(arguments: &[&str], named: &[&str]) -> String {
    let output = output(arguments);
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}: {error}");
    assert!(error.starts_with("tickless: error: "), "{arguments:?}: {error}");
    for part in named {
        assert!(error.contains(part), "{arguments:?}: '{part}' is missing from {error}");
    }
    error
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for (arguments, named) in BAD {
        refused(&words(&with(&["cells"], &[arguments, &["--backend", "heap"]].concat())), named);
    }
    refused(&["compare", "cells", LIFE, "--backends", "heap"], &["--backends needs two or more"]);
}

/// A file of a fire that is wrong: the line and the value are named.
#[test]
fn wrong_files_are_refused_by_line() {
    let files = Files::new("cells-wrong");
    let points = &IGNITIONS["polygon,x,y,minutes\n".len()..];
    let changes: [(&str, &str, &str, &[&str]); 18] = [
        ("ignitions.csv", points, "", &["ignitions.csv has no line of an ignition"]),
        (
            "fuel.asc",
            "1 1 102",
            "1 1 1.10e2",
            &["fuel.asc, line 9", "column 2, row 2", "\"1.10e2\"", "101 to 109, 121 to 124"],
        ),
        ("fuel.asc", "cellsize", "cell", &["fuel.asc, line 5", "\"cell\"", "cellsize"]),
        ("fuel.asc", FUEL, BARE, &["fuel.asc: no cell can burn", "give one a fuel"]),
        ("fuel.asc", "1 98 1", "1 98", &["fuel.asc", "23", "24"]),
        ("elevation.asc", "ncols 6\nnrows 4", "ncols 4\nnrows 6", &["elevation.asc", "the same cells"]),
        (
            "suppressed.asc",
            "0 0 0 1",
            "0 0 0 2",
            &["suppressed.asc, line 7", "column 3, row 0", "\"2\"", "0, or 1 where"],
        ),
        ("weather.csv", "wind_from", "wind_to", &["weather.csv, line 1", "\"wind_to\"", "wind_from"]),
        ("weather.csv", "5,250,", "5,2500,", &["weather.csv, line 3", "wind_kmh", "2500"]),
        ("weather.csv", "5,250,", "5,300.50,", &["weather.csv, line 3", "\"300.50\"", "from 0 to 300"]),
        ("weather.csv", "5,250,", "0.00,250,", &["weather.csv, line 3", "\"0.00\"", "later than the row before"]),
        ("weather.csv", "5,250,", "5,", &["weather.csv, line 3", "8 fields", "9 columns", "give each column one"]),
        ("ignitions.csv", "1185,2160,5", "1185,2160", &["ignitions.csv, line 5", "3 fields", "4 columns"]),
        ("fuel.asc", "cellsize 30", "cellsize 0.0010", &["fuel.asc, line 5", "\"0.0010\"", "from 0.01 to 100000"]),
        ("elevation.asc", "97 98", "97 9e9", &["elevation.asc: the slope in column 0, row 0", "from -1000 to 1000"]),
        ("ignitions.csv", "2015,0", "2015,-0.50", &["ignitions.csv, line 2", "\"-0.50\"", "from 0 to 2^31"]),
        ("ignitions.csv", "field,1185,2160,5\n", "", &["ignitions.csv, line 3", "2 corners", "give it 3 or more"]),
        ("ignitions.csv", ",1015,", ",15,", &["ignitions.csv, line 2", "(15, 2015)", "outside", "x from 1000 to 1180"]),
    ];
    let terrain = files.path("elevation.asc");
    let terrains: [(&str, &str, &[&str]); 2] = [
        (" 96 97", " -9999 97", &["column 2, row 2", "no data", "every cell needs one"]),
        ("97 98", "97 2092", &["column 1, row 1", "2092", "2000 m"]),
    ];
    for (from, to, named) in terrains {
        let right = files.read("elevation.asc");
        std::fs::write(&terrain, right.replacen(from, to, 1)).unwrap();
        refused(&["cells", "watershed", "--terrain", &terrain], &[&["elevation.asc: "], named].concat());
        std::fs::write(&terrain, &right).unwrap();
    }
    for (file, from, to, named) in changes {
        let right = files.read(file);
        let wrong = right.replacen(from, to, 1);
        assert_ne!(right, wrong, "{file}: {from}");
        std::fs::write(files.path(file), &wrong).unwrap();
        refused(&words(&files.fire(&[])), named);
        std::fs::write(files.path(file), &right).unwrap();
    }
    assert_eq!(json(&words(&files.fire(&[])), &[]).0, 0);
}

/// A rule file that is wrong, or that turns out to be: where it is, or which cell.
#[test]
fn wrong_rules_are_refused_by_line_and_column() {
    let folder = Files::new("cells-rules");
    let life = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(LIFE)).unwrap();
    let changes: [(&str, &str, &[&str]); 9] = [
        ("life(-1,-1)", "life(-1,-40000)", &["wrong.ma:11:17", "'(-1,-40000)'", "from -32768 to 32768"]),
        ("dim : (20,20)", "dim : (0,20)", &["wrong.ma:7:7", "'(0,20)'", "from 1"]),
        ("dim : (20,20)", "dim : (65536,65536)", &["wrong.ma:7:7", "'(65536,65536)'", "2^31 cells"]),
        ("type : cell\n", "type : cells\n", &["wrong.ma:6:8", "'cells'", "'cell' is allowed"]),
        ("truecount = 4", "sinh(4) = 4", &[":22:48", "'sinh' is not supported"]),
        ("delay : transport", "link : a\ndelay : transport", &["there is the end where the port that a link leads to"]),
        ("{ (0,0) = 0 and", "{ (0,0)~a = 0 and", &["the port 'a' is unknown", "'neighborports : a'"]),
        ("{ (0,0) = 0 and", "{ (0,2) = 0 and", &["(0,2)", "not among the neighbors"]),
        ("rule : 0 100 { t }", "", &["wrong.ma: cell (0,0) at 0 ms", "no rule holds"]),
    ];
    for (from, to, named) in changes {
        let wrong = life.replacen(from, to, 1);
        assert_ne!(life, wrong, "{from}");
        std::fs::write(folder.path("wrong.ma"), &wrong).unwrap();
        let path = folder.path("wrong.ma");
        let said = said_of(&["cells", &path, "--backend", "heap"], named);
        // Below what is wrong stands the line, and the caret under the place.
        let Some(place) = said.split("wrong.ma:").nth(1).filter(|rest| rest.starts_with(char::is_numeric)) else {
            assert_eq!(said.lines().count(), 1, "{said}");
            continue;
        };
        let [line, column] = [0, 1].map(|part| place.split(':').nth(part).unwrap().parse::<usize>().unwrap());
        let lines: Vec<&str> = said.lines().collect();
        let text = wrong.lines().nth(line - 1).unwrap();
        assert_eq!(lines[1..], [format!("  {text}"), format!("  {}^", " ".repeat(column - 1))], "{said}");
    }
}

/// The place of a long line is shown, with what does something to a terminal escaped.
#[test]
fn a_long_line_is_shown_around_its_fault() {
    let folder = Files::empty("cells-long");
    let life = std::fs::read_to_string(LIFE).unwrap();
    let many = "truecount = 4 or ".repeat(60);
    let wrong = life.replace("truecount = 4", &format!("{many}\u{7}sinh(4) = 4 or {many} t"));
    std::fs::write(folder.path("long.ma"), wrong).unwrap();
    let said = said_of(&["cells", &folder.path("long.ma"), "--backend", "heap"], &["long.ma:22:", "\\u{7}"]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    assert!(lines[1].starts_with("  …") && lines[1].ends_with('…') && lines[1].len() < 130, "{said}");
    let below: String = lines[1].chars().skip(lines[2].chars().count() - 1).collect();
    assert!(below.starts_with(" sinh(4)"), "{said}");
}

/// Events of a file come into cells, the run can be repeated, and what is left out of a file of values is said.
#[test]
fn events_come_into_cells() {
    let folder = Files::empty("cells-events");
    let model = "[top]\ncomponents : a\nin : x\nlink : x x@a\n[a]\ntype : cell\ndim : (2,3)\ndelay : transport\n\
                defaultDelayTime : 5\nborder : nowrapped\nneighbors : a(0,-1) a(0,0)\ninitialvalue : 0\n\
                initialCellsValue : A.VAL\nin : x\nlink : x in@a(0,0)\nlocaltransition : r\n[r]\n\
                rule : {if((0,-1) = ?, (0,0), (0,-1))} 10 {t}\n";
    std::fs::write(folder.path("a.ma"), model).unwrap();
    std::fs::write(folder.path("a.val"), "(1,1) = 2\n(1,2) = 3").unwrap();
    std::fs::write(folder.path("a.ev"), "00:00:00:020 x 7.5\n").unwrap();
    let [model, events, result] = ["a.ma", "a.ev", "a.json"].map(|name| folder.path(name));
    let heap = ["cells", &model, "--backend", "heap", "--until", "100"];
    let values = |value: &Value| value["statistics"]["values"].clone();
    let (code, with) = json(&heap, &["--events", &events]);
    assert_eq!((code, &with["statistics"]["values"][0]), (0, &serde_json::json!({"value": 0.0, "cells": 3})), "{with}");
    assert_eq!(values(&with)[1], serde_json::json!({"value": 7.5, "cells": 3}));
    let (_, without) = json(&heap, &[]);
    assert_eq!(values(&without)[0]["cells"], 6);
    assert_eq!(without["arguments"].get("events"), None);
    let said = with["warnings"].to_string();
    assert!(said.contains("a.val:2") || said.contains("A.VAL:2"), "{said}");
    std::fs::write(&result, with.to_string()).unwrap();
    let again = output(&["rerun", &result]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    std::fs::write(&events, "00:00:00:020 y 7.5\n").unwrap();
    said_of(&[&heap[..], &["--events", &events]].concat(), &["a.ev:1:14: the port 'y' is unknown", "model are x"]);
    refused(&[&heap[..], &["--events", "no-such.ev"]].concat(), &["no-such.ev cannot be read: there is no such file"]);
}

/// What a cell meets while rules run has the file, and the cell as the file counts it; the room that fits is said.
#[test]
fn what_ends_rules_names_the_cell_by_row_and_column() {
    let folder = Files::empty("cells-run");
    let file = |rules: &str| {
        let head = "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (2,3)\ndelay : transport\nborder : nowrapped\n\
                    neighbors : a(0,-1) a(0,0)\ninitialvalue : 0\nlocaltransition : r\n[r]\n";
        std::fs::write(folder.path("a.ma"), format!("{head}{rules}\n")).unwrap();
    };
    let path = folder.path("a.ma");
    let heap = ["cells", &path, "--backend", "heap"];
    let follows =
        |delay: u32| format!("rule : {{(0,-1)}} {delay} {{not isundefined((0,-1))}}\nrule : {{(0,0) + 1}} 1 {{t}}");
    file(&follows(50));
    let four = [&heap[..], &["--room", "4"]].concat();
    refused(&four, &["a.ma: cell (0,1) at 5 ms", "more than 4 values wait", "raise the room to at most 320"]);
    // Without a room it begins again until there is enough, and says with how much.
    let (_, grown) = json(&heap, &["--until", "500"]);
    assert_eq!(grown["arguments"]["room"], 64);
    let (_, asked) = json(&heap, &["--until", "500", "--room", "64"]);
    assert_eq!(grown["digest"], asked["digest"]);
    file(&follows(400));
    refused(&heap, &["a.ma: cell (0,1) at 321 ms", "more than 320 values wait", "use shorter delays"]);
    file("rule : 1 {-1} {cellpos(0) = 1 and cellpos(1) = 2}\nrule : {(0,0)} 1 {t}");
    refused(&heap, &["a.ma: cell (1,2) at 0 ms: a delay is negative or ?"]);
    file("rule : {(0,0) * 200 + 200} 1 {cellpos(0) = 1}\nrule : {(0,0)} 1 {t}");
    refused(&heap, &["a.ma: cell (1,0) at 4 ms: a number leaves the range of -2^37 to 2^37"]);
    if has_adapter("what_ends_rules_names_the_cell_by_row_and_column") {
        let device = output(&["cells", &path, "--backend", "wgpu"]);
        let said = text(&device.stderr);
        assert!(said.contains("a.ma: cell (1,0) at 1 ms: a number leaves the range"), "{said}");
    }
}
