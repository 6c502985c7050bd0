//! Files as people have them, and their faults.

use crate::{Barriers, Fire, FireError, Frame, FuelModels, Grid, Ignition, Landscape, Layers, Quantity, Weather};
use tickless_core::random::StreamKey;

const GRID: &str =
    "NCOLS 3\nnrows 2\nxllcorner 10\nyllcorner 20.5\ncellsize 30\nNODATA_value -9999\n1 2 3\n4 -9999 6\n";
const WEATHER: &str = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,\
                       moisture_woody\n0,20,0.4,270,6,7,8,60,90\n60,25,0.4,300,5,7,8,60,90\n";
const STARTS: &str = "polygon,x,y,minutes\n,1,2,0\na,0,0,5\na,9,0,5\na,0,9,5\n";
const PLACES: &str = r#"{ "type": "Feature", "properties": { "minutes": 5 }, "geometry": { "type": "Polygon",
                       "coordinates": [[[0, 0], [9, 0], [0, 9], [0, 0]]] } }"#;
const MODELS: &str = "14 a 0.1 0.2 0 1.0 0.5 dynamic 2000 1800 1500 1.0 15 8000 8000\n";

fn landscape(grid: &Grid) -> Result<Landscape, FireError> {
    let (elevation, suppressed) = (Some(grid.clone()), Some(grid.clone()));
    Landscape::of_layers(&Layers { elevation, suppressed, ..Layers::new(grid.clone()) }, FuelModels::default())
}

/// Texts with random bytes in random places are read or refused, without a panic.
#[test]
fn no_text_panics() {
    let mut stream = StreamKey::new(7, 0).stream(0);
    let mut below = |most: usize| ((u64::from(stream.draw()) * most as u64) >> 32) as usize;
    let bytes = b"0123456789.,-+eE#\" \n\r\tnaif\xc3";
    let mut read = 0;
    for text in [GRID, WEATHER, STARTS, PLACES, MODELS] {
        for _ in 0..1000 {
            let mut text = text.as_bytes().to_vec();
            for _ in 0..=below(3) {
                let place = below(text.len());
                match below(3) {
                    0 => text[place] = bytes[below(bytes.len())],
                    1 => text.insert(place, bytes[below(bytes.len())]),
                    _ => text.truncate(place + 1),
                }
            }
            let text = String::from_utf8_lossy(&text);
            let grid = Grid::parse(&text, "file");
            read += u32::from(grid.is_ok_and(|grid| landscape(&grid).is_err()));
            read += u32::from(Weather::parse(&text, "file").is_ok());
            read += u32::from(FuelModels::parse(&text, "file").is_ok());
            read += u32::from(Barriers::parse(&text, "file").is_ok() && Ignition::of_geojson(&text, "file").is_ok());
            let starts = Ignition::parse(&text, "file");
            let meadow = Landscape::uniform(9, 9, 1.0, 1).unwrap();
            read += u32::from(
                starts
                    .is_ok_and(|starts| Fire::new(meadow, Weather::still()).ignite(starts).until(1.0).check().is_ok()),
            );
        }
    }
    assert!(read > 100, "only {read} texts are read");
}

/// The error of a changed text.
fn refused<T: std::fmt::Debug>(
    read: impl Fn(&str, &str) -> Result<T, FireError>,
    text: &str,
    changes: &[(&str, &str, &str)],
) {
    assert!(read(text, "file").is_ok());
    for (from, to, expected) in changes {
        assert!(text.contains(from), "{from}");
        let error = read(&text.replacen(from, to, 1), "file").expect_err(to).to_string();
        assert!(error.starts_with("file"), "{error}");
        assert!(error.contains(expected), "{from} -> {to}: {error}");
    }
}

#[test]
fn grids_are_read_and_written() {
    let grid = Grid::parse(GRID, "file").unwrap();
    assert_eq!(grid.frame, Frame { columns: 3, rows: 2, corner: [10.0, 20.5], cell_size: 30.0 });
    let mut text = vec![];
    grid.write(&mut text, 2).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.ends_with("1.00 2.00 3.00\n4.00 -9999 6.00\n"), "{text}");
    let back = Grid::parse(&text, "file").unwrap();
    assert!(back.frame == grid.frame && back.values[4].is_nan() && back.values[5] == 6.0);
    let wrapped = Grid::parse(&GRID.replace("2 3\n4", "2\n\n3 4"), "file").unwrap();
    assert_eq!(wrapped.values[..4], grid.values[..4], "lines of values may break anywhere");
}

/// Such a grid is read and written in parts.
#[test]
fn long_grids_are_read_and_written() {
    let (columns, rows) = (701_u32, 900_u32);
    let frame = Frame { columns, rows, corner: [0.0, 0.0], cell_size: 30.0 };
    let value = |cell: u32| if cell % 97 == 5 { f64::NAN } else { f64::from(cell % 1000) / 4.0 };
    let grid = Grid { name: "file".into(), frame, projection: None, values: (0..columns * rows).map(value).collect() };
    let mut text = vec![];
    grid.write(&mut text, 2).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.lines().count(), 6 + rows as usize);
    let bits = |grid: &Grid| grid.values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert!(bits(&Grid::parse(&text, "file").unwrap()) == bits(&grid));
    let (header, values) = text.split_at(text.match_indices('\n').nth(5).unwrap().0);
    let in_a_line = format!("{header}\n{}", values.replace('\n', " "));
    assert!(bits(&Grid::parse(&in_a_line, "file").unwrap()) == bits(&grid));
    // A wrong value is named by its own line, also with one value too many or too few.
    let last = text.trim_end().rfind(' ').unwrap();
    for (wrong, said) in [
        (format!("{} high\n", &text[..last]), "file, line 906: the value in column 700, row 899"),
        (format!("{text}7\n"), "file, line 907: the grid has 630901 values there; its header says 630900"),
        (format!("{}\n", &text[..last]), "file, line 906: the grid has 630899 values there; its header says 630900"),
    ] {
        let error = Grid::parse(&wrong, "file").unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
}

#[test]
fn wrong_grids_are_refused_by_line() {
    refused(
        Grid::parse,
        GRID,
        &[
            ("NCOLS 3\n", "", "has no ncols"),
            ("nrows 2\n", "", "has no nrows"),
            ("cellsize 30\n", "", "has no cellsize"),
            ("xllcorner 10\n", "", "has no xllcorner"),
            ("cellsize 30", "dx 30", "line 5: \"dx\" is not known here; known are ncols"),
            (
                "cellsize 30",
                "cellsize 0",
                "line 5: cellsize is \"0\"; it must be a number of metres from 0.01 to 100000",
            ),
            ("cellsize 30", "cellsize 30 40", "cellsize is \"30 40\""),
            ("nrows 2", "nrows 2.5", "line 2: nrows is \"2.5\""),
            ("nrows 2", "nrows 0", "line 2: nrows is \"0\""),
            ("NCOLS 3", "NCOLS 99999999999", "line 1: ncols is"),
            ("nrows 2", "ncols 3\nnrows 2", "line 2: ncols is there twice"),
            ("yllcorner 20.5", "yllcorner 20.5\nyllcenter 30", "yllcorner is there twice"),
            ("4 ", "four ", "line 8: the value in column 0, row 1 (from 0, north-west) is \"four\""),
            ("4 ", "nan ", "is \"nan\""),
            ("4 ", "inf ", "is \"inf\""),
            (" 6", "", "line 8: the grid has 5 values there; its header says 6"),
            (" 6", " 6 7", "line 8: the grid has 7 values"),
            ("2 3\n4 -9999 6\n", "", "line 7: the grid has 1 values"),
        ],
    );
    let huge = GRID.replace("NCOLS 3", "ncols 2147483648").replace("nrows 2", "nrows 2147483648");
    let said = Grid::parse(&huge, "file").unwrap_err().to_string();
    assert!(said.starts_with("file: the space is 2147483648 x 2147483648"), "{said}");
    let thin = Grid::parse(&GRID.replace("size 30", "size 0.0003"), "file").unwrap_err().to_string();
    assert!(thin.starts_with("file, line 5: cellsize is \"0.0003\""), "{thin}");
    assert!(matches!(Landscape::uniform(3, 3, 0.0003, 1), Err(FireError::CellSize { .. })));
    assert!(matches!(Grid::parse("", "file"), Err(FireError::Missing { .. })));
    let none = Grid::read("no such file".as_ref(), Quantity::Number).unwrap_err();
    assert!(none.to_string().starts_with("no such file: "), "{none}");
}

#[test]
fn wrong_weather_is_refused_by_column() {
    refused(
        Weather::parse,
        WEATHER,
        &[
            ("wind_from", "wind_to", "\"wind_to\" is not known here"),
            (",wind_from", "", "has no column \"wind_from\""),
            ("wind_from", "wind_kmh", "the column \"wind_kmh\" is there twice"),
            ("0,20,", "0,-1,", "line 2: wind_kmh is \"-1\"; it must be a number from 0 to 300"),
            ("0,20,", "0,fast,", "line 2: wind_kmh is \"fast\""),
            ("0,20,", "0,nan,", "line 2: wind_kmh is \"nan\""),
            ("0,20,", "0,,", "line 2: wind_kmh is \"\""),
            ("0.4,300", "1.4,300", "line 3: wind_adjustment is \"1.4\""),
            ("300,5", "361,5", "line 3: wind_from is \"361\""),
            ("6,7,8", "6,7,301", "line 2: moisture_100h is \"301\""),
            ("0,20", "1,20", "line 2: minutes is \"1\"; it must be 0 in the first row"),
            ("60,25", "0,25", "line 3: minutes is \"0\"; it must be later than the row before, at 0"),
            ("60,25", "3e9,25", "line 3: minutes is"),
            (",90\n", "\n", "line 2: there are 8 fields, and the header has 9 columns"),
        ],
    );
    let header = WEATHER.lines().next().unwrap();
    let missing = FireError::Missing { file: "file".into(), what: "row of weather".into() };
    assert_eq!(Weather::parse(header, "file"), Err(missing));
}

#[test]
fn columns_may_come_in_any_order() {
    let turned: String =
        WEATHER.lines().map(|line| line.split(',').rev().collect::<Vec<_>>().join(",") + "\n").collect();
    assert_eq!(Weather::parse(&turned, "file"), Weather::parse(WEATHER, "file"));
    let spaced = WEATHER.replace(',', " , ").replace('\n', "\r\n");
    assert_eq!(Weather::parse(&spaced, "file"), Weather::parse(WEATHER, "file"));
}

#[test]
fn wrong_ignitions_are_refused_by_line() {
    refused(
        Ignition::parse,
        STARTS,
        &[
            ("polygon", "name", "\"name\" is not known here"),
            (",minutes\n,1,2,0\na,0,0,5\na,9,0,5\na,0,9,5", "", "has no column \"minutes\""),
            ("9,0,5", "9,0,6", "line 4: minutes is \"6\"; it must be 5, as in the other corners of \"a\""),
            ("a,9,0,5", "b,9,0,5", "line 5: the polygon \"a\" is there twice"),
            ("a,9,0,5", ",9,0,5", "line 5: the polygon \"a\" is there twice"),
            (",1,2", ",east,2", "line 2: x is \"east\""),
        ],
    );
    assert_eq!(Ignition::parse(STARTS, "file").unwrap().len(), 2);
}

/// Each name used to be compared with all before it.
#[test]
fn many_polygons_are_read() {
    let lines: String = (0..60_000).map(|n| format!("p{n},1,2,0\n")).collect();
    let places = Ignition::parse(&format!("polygon,x,y,minutes\n{lines}"), "file").unwrap();
    assert_eq!(places.len(), 60_000);
}
