//! What an option writes, and which endings of names say so: one table for all options, looked at before a run.

use std::path::Path;

use crate::CommandError;

/// Endings of other formats. A name that ends with one of them, and not with one of its option, says what would not be in the file. Other
/// endings say nothing.
const OTHERS: &str = "asc tif tiff geotif geotiff gtif gtiff btf cog tfw tifw aux ovr msk png apng csv tsv tab psv json jsonl ndjson geojson \
                      geojsonl geojsons html htm xhtml mhtml txt shp shx dbf prj cpg qpj sbn sbx qgz qgs qlr qml sld gpkg kml kmz gml \
                      gpx osm pbf dxf dwg dgn wkt wkb ewkt fgb gdb mdb accdb topojson mif mid mbtiles pmtiles mvt e00 nc nc3 nc4 cdf \
                      netcdf hdf hdf4 hdf5 h4 h5 he5 grb grb2 grib grib1 grib2 bufr img vrt bil bip bsq hdr flt fld \
                      adf aig asciigrid agr arc grd gsb rst sdat sgrd rdc pix ers ecw sid jp2 j2k jpx zarr tdb xyz ply pcd e57 stl \
                      lcp fmd wxs atm dem hgt bt dt0 dt1 dt2 jpg jpeg jpe jfif gif bmp dib webp svg svgz pdf eps ps ai psd \
                      xcf tga ico avif heic heif exr pgm ppm pbm pnm pcx xls xlsx xlsm xlsb ods doc docx odt rtf ppt pptx odp \
                      md rst tex xml xes mxml yaml yml toml ini parq parquet pq orc avro feather arrow ipc npy npz mat rds rda rdata dta \
                      pkl pickle joblib db sqlite sqlite3 duckdb sql zip gz bz2 xz zst lz4 br 7z rar tar tgz las laz copc mp4 \
                      m4v webm mkv avi mov";
/// What standard output is called elsewhere.
const DASH: &str = "-";

/// What an option writes, and the endings that say so; none where any name is right that has no ending of another format.
fn of(option: &str) -> Option<(&'static str, &'static [&'static str])> {
    Some(match option {
        "--arrival"
        | "--rate-of-spread"
        | "--direction"
        | "--intensity"
        | "--flame-length"
        | "--probability"
        | "--conditional-flame-length"
        | "--depth" => ("an ESRI ASCII grid, a GeoTIFF or a picture", &["asc", "txt", "tif", "tiff", "png"]),
        "--picture" => ("a PNG picture", &["png"]),
        "--perimeters" => ("GeoJSON", &["geojson", "json"]),
        "--report" => ("a page", &["html", "htm"]),
        "--growth" | "--stations" | "--histograms" | "--classes" | "--series" | "--folded" | "--processes-csv"
        | "--results" | "--values" | "--points" | "--output" => ("a CSV table", &["csv", "txt"]),
        "--visits" => ("a CSV table, a Parquet file or an XES log", &["csv", "txt", "parquet", "xes"]),
        "--log" => ("a log, of which tickless cells log makes a CSV table", &[]),
        "--paths" => ("paths, of which tickless paths makes a CSV table", &[]),
        "--shard" => ("a shard for tickless merge", &[]),
        "--checkpoint" => ("a checkpoint for tickless resume", &[]),
        _ => return None,
    })
}

/// Refuses a name whose ending says something else than what the option writes.
///
/// # Errors
/// [`CommandError::Form`], which lists what can be written.
pub fn check(option: &'static str, path: &Path) -> Result<(), CommandError> {
    if path.as_os_str() == DASH {
        return Err(CommandError::Dash { option });
    }
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let (Some(ending), Some((written, endings))) = (ending, of(option)) else { return Ok(()) };
    if endings.contains(&ending.as_str()) || !OTHERS.split_whitespace().any(|other| other == ending) {
        return Ok(());
    }
    let names = endings.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ");
    let remedy =
        if names.is_empty() { "give it another ending, or none".into() } else { format!("end its name with {names}") };
    Err(CommandError::Form { option, path: path.to_owned(), written, remedy })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(option: &'static str, name: &str) -> Option<String> {
        check(option, Path::new(name)).err().map(|error| error.to_string())
    }

    #[test]
    fn names_that_say_something_else_are_refused() {
        for (option, name) in [
            ("--arrival", "a.nc"),
            ("--arrival", "a.csv"),
            ("--perimeters", "p.shp"),
            ("--perimeters", "p.GPKG"),
            ("--picture", "p.jpg"),
            ("--picture", "p.pdf"),
            ("--growth", "g.xlsx"),
            ("--stations", "s.json"),
            ("--report", "r.pdf"),
            ("--log", "l.csv"),
            ("--results", "r.csv.gz"),
            ("--arrival", "a.geotiff"),
            ("--arrival", "a.gtiff"),
            ("--arrival", "a.cog"),
            ("--depth", "a.grb2"),
            ("--depth", "a.adf"),
            ("--intensity", "a.xyz"),
            ("--perimeters", "a.shx"),
            ("--perimeters", "a.gpx"),
            ("--perimeters", "a.dxf"),
            ("--arrival", "a.prj"),
            ("--arrival", "a.tfw"),
            ("--growth", "a.parq"),
            ("--stations", "a.xes"),
            ("--visits", "a.parq"),
        ] {
            let error = said(option, name).unwrap_or_else(|| panic!("{option} {name}"));
            assert!(error.starts_with(name) && error.contains(&format!("{option} writes ")), "{error}");
        }
        for option in ["--arrival", "--log", "--write"] {
            assert_eq!(
                said(option, "-").unwrap(),
                format!("{option} is -, which is no name of a file: name one, or /dev/stdout for standard output")
            );
        }
        let grids = said("--depth", "d.gpkg").unwrap();
        assert!(grids.ends_with("end its name with .asc, .txt, .tif, .tiff, .png"), "{grids}");
        let visits = said("--visits", "v.feather").unwrap();
        assert!(visits.ends_with("end its name with .csv, .txt, .parquet, .xes"), "{visits}");
    }

    #[test]
    fn other_names_are_taken() {
        for (option, name) in [
            ("--arrival", "a.TIF"),
            ("--arrival", "arrival"),
            ("--depth", "d.png"),
            ("--growth", "/dev/stdout"),
            ("--stations", "run.2"),
            ("--visits", "v.XES"),
            ("--visits", "v.parquet"),
            ("--log", "fire.log"),
            ("--perimeters", "p.json"),
            ("--write", "anything.pdf"),
        ] {
            assert_eq!(said(option, name), None, "{option} {name}");
        }
    }

    /// Each option that names a file to write is in the table.
    #[test]
    fn every_option_is_known() {
        fn options(command: &clap::Command, found: &mut Vec<String>) {
            for option in command.get_arguments().filter(|option| option.get_help_heading() == Some("Output")) {
                let is_file = option.get_value_names().is_some_and(|names| names.iter().any(|name| name == "FILE"));
                found.extend(option.get_long().filter(|_| is_file).map(|name| format!("--{name}")));
            }
            command.get_subcommands().for_each(|command| options(command, found));
        }
        let mut found = vec![];
        options(&crate::commands::command(), &mut found);
        assert!(found.len() > 20, "{found:?}");
        for option in found {
            assert!(of(&option).is_some(), "{option}");
        }
    }
}
