//! What an option writes, and which endings of names say so: one table for all options, looked at before a run.

use std::path::Path;

use crate::CommandError;

/// Endings of other formats. A name that ends with one of them, and not with one of its option, says what would not be in the file. Other
/// endings say nothing.
const OTHERS: &str = "asc tif tiff png csv tsv json geojson html htm txt shp dbf gpkg kml kmz gml fgb gdb topojson nc nc4 cdf hdf h5 \
                      hdf5 grb grib grib2 img vrt bil flt jp2 zarr lcp jpg jpeg gif bmp webp svg pdf eps ps tga ico avif xls xlsx xlsm \
                      ods doc docx odt ppt pptx md tex xml yaml yml parquet feather arrow npy npz mat rds rda pkl db sqlite sqlite3 \
                      zip gz bz2 xz zst 7z tar tgz las laz mp4 avi mov";

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
        "--growth" | "--stations" | "--histograms" | "--classes" | "--series" | "--processes-csv" | "--results"
        | "--values" | "--points" | "--output" => ("a CSV table", &["csv", "txt"]),
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
pub(super) fn check(option: &'static str, path: &Path) -> Result<(), CommandError> {
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
        ] {
            let error = said(option, name).unwrap_or_else(|| panic!("{option} {name}"));
            assert!(error.starts_with(name) && error.contains(&format!("{option} writes ")), "{error}");
        }
        let grids = said("--depth", "d.gpkg").unwrap();
        assert!(grids.ends_with("end its name with .asc, .txt, .tif, .tiff, .png"), "{grids}");
    }

    #[test]
    fn other_names_are_taken() {
        for (option, name) in [
            ("--arrival", "a.TIF"),
            ("--arrival", "arrival"),
            ("--depth", "d.png"),
            ("--growth", "/dev/stdout"),
            ("--stations", "run.2"),
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
