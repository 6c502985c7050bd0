//! `tickless cells` and `tickless compare cells`.

use super::*;

pub const LIFE: &str = "examples/cells/life.ma";
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
pub fn on_the_heap(arguments: &[&str]) -> Value {
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
    assert_eq!(fires["statistics"]["edge_fires"], 3);
    let [least, mean, most] = ["smallest_hectares", "burnt_hectares", "largest_hectares"]
        .map(|name| fires["statistics"][name].as_f64().unwrap());
    assert!(0.0 < least && least <= mean && mean <= most, "{least} {mean} {most}");
}

#[test]
fn text_shows_the_model_and_the_digest() {
    let cases = [
        (
            &["fire", "--side", "12"][..],
            &[
                "made up from the seed: 144 cells of ",
                " m can burn, ",
                " ha, ",
                " % of what can burn",
                "as fronts",
                "lookahead",
            ][..],
        ),
        (&["fire", "--side", "24", "--replications", "3"], &[" ha in the mean, from ", "; ", " % of what can burn\n"]),
        (&WATER, &["12 x 12 x 2 = 288 cells, open border", "0 units lost", "deepest"]),
        (&[ALARM], &["smoke alarm", "kind readings told", "~smoke", "~alarm", "in 160 cells"]),
        (&[LIFE], &["20 x 20 = 400 cells, wrapped border", "transport delays", "1 in 5 cells", "mean value"]),
    ];
    for (arguments, parts) in cases {
        let all = with(&["cells"], &[arguments, &["--backend", "heap"]].concat());
        let output = output(&words(&all));
        let shown = text(&output.stdout);
        // The landscapes are so small that their fires reach the edge.
        let is_several = arguments.contains(&"--replications");
        let told = match (arguments[0], is_several) {
            ("fire", true) => "tickless: note: 3 of 3 fires reached the edge of the landscape in ",
            ("fire", false) => "tickless: note: the fire reached the edge of the landscape in ",
            _ => "",
        };
        let stderr = text(&output.stderr);
        assert!(output.status.code() == Some(0) && stderr.starts_with(told), "{stderr}");
        assert_eq!(stderr.is_empty(), told.is_empty(), "{stderr}");
        let digest = on_the_heap(arguments)["digest"].as_str().unwrap().to_owned();
        for part in parts.iter().copied().chain([digest.as_str()]) {
            assert!(shown.contains(part), "{part} is missing from\n{shown}");
        }
    }
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
    (&[LIFE, "--max-waiting", "321"], &["'321'", "from 1 to 320"]),
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
    (&[LIFE, "--max-waiting", "0"], &["'0'", "--max-waiting", "from 1 to 320"]),
    (&[ALARM, "--max-waiting", "204"], &["1439 words", "2 ports", "3 state variables", "lower max_waiting to 144"]),
    (&[LIFE, "--replications", "0"], &["'0'", "--replications", "from 1 to 4294967295"]),
    (&[LIFE, "--replications", "3"], &["3 replications", "nothing draws"]),
];

pub fn refused(arguments: &[&str], named: &[&str]) {
    let error = said_of(arguments, named);
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
}

/// What a command says that refuses what it is given.
pub fn said_of(arguments: &[&str], named: &[&str]) -> String {
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
        (
            "elevation.asc",
            "97 98",
            "97 9e9",
            &["elevation.asc: the value in column 1, row 1", "from -500 to 9000 metres"],
        ),
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
