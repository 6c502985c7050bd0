//! Fires on landscapes in one file, with barriers, models of one's own and weather by cell; grids and perimeters that they write.

use super::cells::{Files, words};
use super::*;
use tickless::cells::fire::{Grid, Quantity};

const LANDSCAPE: &str = "tests/cells/rasters/lzw_tiles_apart.tif";
const WEATHER: &str = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,\
                       moisture_woody,temperature_c,humidity\n0,25,1,270,8,9,10,60,90,28,25\n30,wind.asc,1,240,,,,60,90,32,15\n";
/// In the coordinates of the landscape: from its northern to its southern border, with a gap.
const RIVER: &str = r#"{ "type": "LineString", "coordinates": [[-1499400, 2000000], [-1499400, 1999650]],
    "crs": { "type": "name", "properties": { "name": "urn:ogc:def:crs:EPSG::5070" } } }"#;
const STARTS: &str = r#"{ "type": "Feature", "properties": { "minutes": 2 }, "geometry": { "type": "Polygon", "coordinates":
    [[[-1499790, 1999610], [-1499730, 1999610], [-1499730, 1999850], [-1499790, 1999850], [-1499790, 1999610]]] } }"#;
const MODELS: &str = "METRIC\n102 tall 1.0 0.5 0 4 0 dynamic 60 55 0 60 20 18000 18000 # in place of GR2\n";

/// A folder with the files above.
fn files(name: &str) -> Files {
    let files = Files::empty(name);
    let wind =
        "ncols 40\nnrows 18\nxllcorner -1500000\nyllcorner 1999460\ncellsize 30\n".to_owned() + &"20 30 ".repeat(360);
    let all =
        [("w.csv", WEATHER), ("wind.asc", &wind), ("river.json", RIVER), ("starts.geojson", STARTS), ("m.fmd", MODELS)];
    all.iter().for_each(|(file, text)| std::fs::write(files.path(file), text).unwrap());
    files
}

fn fire(files: &Files, more: &[&str]) -> Vec<String> {
    let path = |file: &str| files.path(file);
    let paths = ["w.csv", "river.json", "starts.geojson", "m.fmd"].map(path);
    let options = ["--weather", "--barriers", "--ignitions", "--fuel-models"];
    let given = options.iter().zip(&paths).flat_map(|(option, path)| [(*option).to_owned(), path.clone()]);
    let first = ["cells", "fire", "--backend", "heap", "--landscape", LANDSCAPE, "--adjust-wind", "--until", "90"];
    first.iter().chain(more).map(|&word| word.to_owned()).chain(given).collect()
}

/// Nothing that is given is read and then ignored; what was read is in the result, and a rerun has the same digest.
#[test]
fn every_file_and_law_counts() {
    let files = files("fire-rasters");
    let base = fire(&files, &[]);
    let run = |arguments: &[String]| {
        let (code, value) = json(&words(arguments), &[]);
        assert_eq!(code, 0, "{arguments:?}");
        value
    };
    let all = run(&base);
    let inputs: Vec<&str> =
        all["inputs"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    let ends = ["m.fmd", "lzw_tiles_apart.tif", "river.json", "starts.geojson", "w.csv", "wind.asc"];
    assert!(inputs.len() == 6 && inputs.iter().zip(ends).all(|(path, end)| path.ends_with(end)), "{inputs:?}");
    assert_eq!(all["parameters"]["adjust_wind"], "flammap");
    for option in ["--weather", "--barriers", "--ignitions", "--fuel-models"] {
        let place = base.iter().position(|word| word == option).unwrap();
        assert_ne!(run(&[&base[..place], &base[place + 2..]].concat())["digest"], all["digest"], "{option}");
    }
    let without: Vec<String> = base.iter().filter(|word| *word != "--adjust-wind").cloned().collect();
    assert_ne!(run(&without)["digest"], all["digest"]);
    for law in ["alexander", "rothermel"] {
        let value = run(&fire(&files, &["--length-to-width", law]));
        assert!(value["digest"] != all["digest"] && value["parameters"]["length_to_width"] == law);
    }
    let result = files.path("result.json");
    std::fs::write(&result, all.to_string()).unwrap();
    assert_eq!(output(&["rerun", &result]).status.code(), Some(0));
    std::fs::write(files.path("wind.asc"), "changed").unwrap();
    let changed = output(&["rerun", &result]);
    assert!(
        changed.status.code() == Some(2) && text(&changed.stderr).contains("wind.asc"),
        "{}",
        text(&changed.stderr)
    );
}

/// Grids are in the form that their names ask for, and where the landscape lies.
#[test]
fn grids_and_perimeters_are_written() {
    let files = files("fire-outputs");
    let names = ["a.tif", "s.asc", "d.TIFF", "i.png", "f.tif", "p.geojson", "c.asc"].map(|name| files.path(name));
    let [arrival, rate, direction, intensity, flames, perimeters, conditional] = names.each_ref().map(String::as_str);
    let outputs = [
        ["--arrival", arrival],
        ["--rate-of-spread", rate],
        ["--direction", direction],
        ["--intensity", intensity],
        ["--flame-length", flames],
        ["--perimeters", perimeters],
        ["--perimeters-every", "30"],
        ["--conditional-flame-length", conditional],
    ];
    let (code, value) = json(&words(&fire(&files, outputs.as_flattened())), &[]);
    assert_eq!(code, 0);
    let read = |name: &str| Grid::read(Path::new(&files.path(name)), Quantity::Number).unwrap();
    let (times, rates, directions, lengths) = (read("a.tif"), read("s.asc"), read("d.TIFF"), read("f.tif"));
    assert_eq!(times.projection.as_ref().and_then(|projection| projection.epsg()), Some(5070));
    assert_eq!((times.frame, directions.frame), (rates.frame, rates.frame));
    let burnt = times.values.iter().filter(|time| !time.is_nan()).count() as u64;
    assert_eq!(Some(burnt), value["statistics"]["burnt_cells"].as_u64());
    for grid in [&rates, &directions, &lengths] {
        assert!(grid.values.iter().zip(&times.values).all(|(value, time)| value.is_nan() == time.is_nan()));
    }
    // One fire: the mean of those that came is that one.
    let mean = read("c.asc");
    assert!(mean.values.iter().zip(&lengths.values).all(|(a, b)| a.is_nan() && b.is_nan() || (a - b).abs() < 1e-3));
    assert!(std::fs::read(intensity).unwrap().starts_with(b"\x89PNG"));
    let drawn: Value = serde_json::from_str(&files.read("p.geojson")).unwrap();
    let features = drawn["features"].as_array().unwrap();
    let hectares: Vec<f64> =
        features.iter().map(|feature| feature["properties"]["hectares"].as_f64().unwrap()).collect();
    assert!(hectares.len() >= 3 && hectares.is_sorted(), "{hectares:?}");
    // At times of a list: the second is one of the steps.
    let listed = ["--perimeters", perimeters, "--perimeters-at", "90,60,0.01"];
    assert_eq!(json(&words(&fire(&files, &listed)), &[]).0, 0);
    let listed: Value = serde_json::from_str(&files.read("p.geojson")).unwrap();
    let size = |n: usize| listed["features"][n]["properties"]["hectares"].as_f64();
    assert_eq!([size(0), size(1), size(3)], [hectares.last().copied(), Some(hectares[1]), None]);
    assert!(size(2) < Some(hectares[0]));
    let area = value["statistics"]["burnt_hectares"].as_f64().unwrap();
    // The front has not come to the far sides of the cells that burn.
    assert!((hectares[hectares.len() - 1] / area - 1.0).abs() < 0.15, "{hectares:?} {area}");
}

#[test]
fn what_does_not_fit_is_refused_in_one_line() {
    let files = files("fire-refused");
    let far = files.path("far.json");
    std::fs::write(&far, RIVER.replace("-149", "-14")).unwrap();
    let fbp = files.path("fbp.asc");
    std::fs::write(&fbp, "ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n31\n").unwrap();
    let point = files.path("point.json");
    std::fs::write(&point, r#"{ "type": "Point", "coordinates": [0, 0] }"#).unwrap();
    let (elsewhere, degrees) = (files.path("elsewhere.json"), files.path("degrees.json"));
    std::fs::write(&elsewhere, RIVER.replace(":5070", ":26918")).unwrap();
    std::fs::write(&degrees, RIVER.replace(":5070", ":4326")).unwrap();
    let elsewhere_start = files.path("start.json");
    let start =
        r#"{ "type": "Point", "coordinates": [-1499760, 1999700], "crs": { "properties": { "name": "EPSG:26918" } } }"#;
    std::fs::write(&elsewhere_start, start).unwrap();
    let land = ["--landscape", LANDSCAPE];
    for (arguments, said) in [
        (&["--adjust-wind", "behaveplus"][..], "--adjust-wind behaveplus and --crown-ratio belong together"),
        (&["--fuel", &fbp, "--slope", &fbp], "--aspect"),
        (&[land[0], land[1], "--slope", &fbp, "--aspect", &fbp], "--slope"),
        (&["--fuel-models", "m.fmd"], "--fuel-models needs --fuel or --landscape"),
        (&[land[0], land[1], "--side", "9"], "--side"),
        (&[land[0], land[1], "--barriers", &far], "none of its lines and areas lies in the landscape"),
        (
            &[land[0], land[1], "--barriers", &point],
            "feature 0 (from 0): it is a point; a barrier must be a line or an area",
        ),
        (
            &[land[0], land[1], "--barriers", &elsewhere],
            "its crs is EPSG:26918, and the projection of the landscape is EPSG:5070",
        ),
        (
            &[land[0], land[1], "--ignitions", &elsewhere_start],
            "its crs is EPSG:26918, and the projection of the landscape",
        ),
        (&[land[0], land[1], "--barriers", &degrees], "EPSG::4326, whose coordinates are degrees"),
        (&["--fuel", &fbp], "line 6: 31 is a fuel type of the Canadian Forest Fire Behavior Prediction System"),
        (&["--fuel", "tests/cells/rasters/degrees.tif"], "its coordinates are degrees: project it to metres"),
        (&["--fuel", LANDSCAPE], "a landscape of several is for --landscape"),
        (&["--landscape", "tests/cells/rasters/make.py"], "it is no landscape file: name an .lcp of FARSITE"),
        (&["--side", "9", "--perimeters", "p.json", "--perimeters-every", "0"], "above 0"),
        (
            &["--side", "9", "--perimeters", "p.json", "--perimeters-at", "60,1441"],
            "1441 minutes, and the run ends at 1440",
        ),
    ] {
        let refused = output(&[&["cells", "fire", "--backend", "heap"], arguments].concat());
        let message = text(&refused.stderr);
        assert_eq!((refused.status.code(), message.lines().count()), (Some(2), 1), "{arguments:?}: {message}");
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
}
