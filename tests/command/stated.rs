//! What files state and names say, by the command: units, projections, endings, times, edges.

use super::cells::Files;
use super::*;

/// A file of tests/cells/stated.
fn case(name: &str) -> String {
    format!("tests/cells/stated/{name}")
}

fn fire(arguments: &[&str]) -> Output {
    output(&[&["cells", "fire", "--backend", "heap"], arguments].concat())
}

/// Nothing is written by a run that is refused.
#[test]
fn endings_of_other_formats_are_refused_before_a_run() {
    let files = Files::empty("endings");
    for (option, name, said) in [
        ("--perimeters", "p.shp", "--perimeters writes GeoJSON: end its name with .geojson, .json"),
        ("--perimeters", "p.gpkg", "--perimeters writes GeoJSON"),
        ("--arrival", "a.nc", "--arrival writes an ESRI ASCII grid, a GeoTIFF or a picture"),
        ("--picture", "p.jpg", "--picture writes a PNG picture: end its name with .png"),
        ("--report", "r.pdf", "--report writes a page"),
        ("--growth", "g.xlsx", "--growth writes a CSV table"),
        ("--log", "l.csv", "tickless cells log makes a CSV table"),
        ("--arrival", "a.geotiff", "end its name with .asc, .txt, .tif, .tiff, .png"),
        ("--perimeters", "p.gpx", "--perimeters writes GeoJSON"),
    ] {
        let refused = fire(&["--side", "20", option, &files.path(name)]);
        let error = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && error.contains(said) && error.lines().count() == 1, "{error}");
        assert!(!Path::new(&files.path(name)).exists());
    }
}

#[test]
fn a_dash_is_no_file() {
    let refused = fire(&["--side", "20", "--arrival", "-"]);
    let error = text(&refused.stderr);
    assert!(
        refused.status.code() == Some(2) && error.contains("--arrival is -, which is no name of a file"),
        "{error}"
    );
    assert!(!Path::new("-").exists());
}

/// Trees that do not shelter are told, and those that do are not.
#[test]
fn a_canopy_that_is_not_used_is_told() {
    let files = Files::empty("canopy");
    let grid = |name: &str, value: &str| {
        let rows = [value; 49].join(" ");
        let text = format!("ncols 7\nnrows 7\nxllcorner 0\nyllcorner 0\ncellsize 30\n{rows}\n");
        std::fs::write(files.path(name), text).unwrap();
        files.path(name)
    };
    let (fuel, cover, height) = (grid("fuel.asc", "102"), grid("cover.asc", "60"), grid("height.asc", "150"));
    let run = |more: &[&str]| {
        let trees =
            ["--fuel", &fuel, "--canopy-cover", &cover, "--canopy-height", &height, "--ignite", "3,3", "--until", "1"];
        let done = fire(&[&trees, more].concat());
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stderr).to_owned()
    };
    let told = run(&[]);
    assert!(
        told.contains("--canopy-cover and --canopy-height are not used: ") && told.contains("give --adjust-wind"),
        "{told}"
    );
    assert!(!run(&["--adjust-wind"]).contains("canopy"));
}

#[test]
fn depths_are_in_the_form_of_their_names() {
    let files = Files::empty("depths");
    let run = |name: &str| {
        let path = files.path(name);
        let done =
            output(&["cells", "watershed", "--side", "9", "--until", "60", "--backend", "heap", "--depth", &path]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        std::fs::read(path).unwrap()
    };
    assert!(
        run("d.tif").starts_with(b"II*\0")
            && run("d.png").starts_with(b"\x89PNG")
            && run("d.asc").starts_with(b"ncols")
    );
    assert_eq!(
        tickless::cells::fire::Grid::read(Path::new(&files.path("d.tif")), tickless::cells::fire::Quantity::Number)
            .unwrap()
            .values
            .len(),
        81
    );
}

/// A fire that begins in the middle of 21 x 21 cells: by a line, and in a field smaller than a cell.
#[test]
fn lines_and_small_areas_burn_and_the_edge_is_told() {
    let grass = case("grass.tif");
    let begin = |more: &[&str]| fire(&[&["--fuel", grass.as_str()], more].concat());
    let done = begin(&["--ignite", "10,10", "--until", "2"]);
    assert!(done.status.success() && !text(&done.stderr).contains("edge"), "{}", text(&done.stderr));
    let done = begin(&["--ignite", "0,10", "--until", "2"]);
    assert!(
        text(&done.stderr).contains("the fire reached the edge of the landscape in 1 cell,"),
        "{}",
        text(&done.stderr)
    );
    let (code, value) =
        json(&["cells", "fire", "--backend", "heap", "--fuel", &grass, "--ignite", "0,10", "--until", "2"], &[]);
    assert_eq!((code, value["statistics"]["edge_cells"].as_u64()), (0, Some(1)));
    let files = Files::empty("small");
    for (name, count) in [("line.geojson", 27), ("tiny_polygon.geojson", 1)] {
        // The cases lie at the corner of a landscape without a projection.
        let fuel = files.path("grass.asc");
        let rows = "102 ".repeat(21).trim_end().to_owned() + "\n";
        let head = "ncols 21\nnrows 21\nxllcorner 0\nyllcorner 0\ncellsize 30\n";
        std::fs::write(&fuel, head.to_owned() + &rows.repeat(21)).unwrap();
        let arguments =
            ["cells", "fire", "--backend", "heap", "--fuel", &fuel, "--ignitions", &case(name), "--until", "0.01"];
        let (code, value) = json(&arguments, &[]);
        assert_eq!((code, value["statistics"]["burnt_cells"].as_u64()), (0, Some(count)), "{name}");
    }
}

#[test]
fn perimeters_without_a_code_are_told() {
    let files = Files::empty("codes");
    let perimeters = files.path("p.geojson");
    for (fuel, is_told) in [("local_albers.tif", true), ("utm.tif", false)] {
        let done = fire(&["--fuel", &case(fuel), "--ignite", "5,5", "--until", "2", "--perimeters", &perimeters]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        assert_eq!(text(&done.stderr).contains("the landscape has no EPSG code"), is_told, "{fuel}");
    }
}

/// What lies beside a grid is an input of the run.
#[test]
fn a_file_beside_a_grid_is_an_input() {
    let files = Files::empty("beside");
    std::fs::write(files.path("f.asc"), "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n1 1\n").unwrap();
    std::fs::write(files.path("f.prj"), "Projection UTM\nUnits METERS\n").unwrap();
    let fuel = files.path("f.asc");
    let (code, value) = json(&["cells", "fire", "--backend", "heap", "--fuel", &fuel, "--until", "1"], &[]);
    let paths: Vec<_> = value["inputs"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert!(code == 0 && paths.len() == 2 && paths[1].ends_with("f.prj"), "{paths:?}");
    std::fs::write(files.path("f.prj"), "Projection GEOGRAPHIC\nUnits DD\n").unwrap();
    let refused = fire(&["--fuel", &fuel, "--until", "1"]);
    assert!(refused.status.code() == Some(2) && text(&refused.stderr).contains("its coordinates are degrees"));
}
