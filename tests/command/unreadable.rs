//! Files that cannot be read, or that are no text: every option that names one says what to do.

use super::cells::Files;
use super::network::CLINIC;
use super::*;

/// A command, with `*` where the file is, and what to name in its place.
const READERS: [(&[&str], &str); 12] = [
    (&["network", "*"], "name a TOML file that describes a network"),
    (&["compare", "network", "*"], "name a TOML file that describes a network"),
    (&["rerun", "*"], "with --format json"),
    (&["cells", "*"], "name a rule file of CD++"),
    (&["cells", "log", "*"], "name what tickless cells wrote with --log"),
    (&["cells", "fire", "--fuel", "*"], "name an ESRI ASCII grid or a GeoTIFF"),
    (&["cells", "fire", "--landscape", "*"], "name a GeoTIFF with the bands of a landscape, or an .lcp of FARSITE"),
    (&["cells", "fire", "--side", "9", "--barriers", "*"], "name a GeoJSON file"),
    (&["cells", "fire", "--side", "9", "--weather", "*"], "name a CSV file"),
    (&["cells", "fire", "--side", "9", "--ignitions", "*"], "name a CSV file"),
    (&["cells", "watershed", "--terrain", "*"], "name an ESRI ASCII grid or a GeoTIFF"),
    (&["compare", "cells", "watershed", "--terrain", "*"], "name an ESRI ASCII grid or a GeoTIFF"),
];

/// What a command says of a file, in its one line, or above the line of a rule file and a caret.
fn said(command: &[&str], file: &str) -> String {
    let arguments: Vec<&str> = command.iter().map(|word| if *word == "*" { file } else { word }).collect();
    let refused = output(&arguments);
    let said = text(&refused.stderr);
    let counts = (refused.status.code(), refused.stdout.len(), said.lines().count());
    let lines = if said.ends_with("^\n") { 3 } else { 1 };
    assert_eq!(counts, (Some(2), 0, lines), "{arguments:?}: {said}");
    assert!(said.contains(file), "{arguments:?}: {said}");
    said
}

#[test]
fn every_reader_says_what_to_do() {
    let files = Files::empty("unreadable");
    let (missing, folder, tiff) = (files.path("no-such.file"), files.path(""), files.path("grid.tif"));
    std::fs::write(&tiff, b"II*\0\x08\0\0\0\0\0\0\0").unwrap();
    for (command, advice) in READERS {
        let gone = said(command, &missing);
        assert!(gone.contains("there is no such file") && gone.contains(advice), "{gone}");
        let place = said(command, &folder);
        assert!(place.contains("it is a folder") && place.contains(advice), "{place}");
        let binary = said(command, &tiff);
        match command {
            ["cells", "log", _] => assert!(binary.contains("no log of cells"), "{binary}"),
            _ if advice.contains("GeoTIFF") => {
                assert!(binary.contains("it is no GeoTIFF that can be read"), "{binary}")
            }
            _ => assert!(binary.contains("it is a TIFF, as a GeoTIFF is"), "{binary}"),
        }
    }
    // Grids beside that of the fuels, and what a rule file names.
    let land = Files::new("unreadable-land");
    for option in ["--elevation", "--suppressed"] {
        let fire = ["cells", "fire", "--fuel", &land.path("fuel.asc"), option, "*"];
        assert!(said(&fire, &tiff).contains("no GeoTIFF") && said(&fire, &missing).contains("name an ESRI"));
        let netcdf = files.path("grid.nc");
        std::fs::write(&netcdf, b"CDF\x01\0\0\0\0").unwrap();
        assert!(said(&fire, &netcdf).contains("gdal_translate"), "{}", said(&fire, &netcdf));
    }
    let rules = std::fs::read_to_string("examples/cells/heat.ma").unwrap();
    std::fs::write(files.path("heat.ma"), rules).unwrap();
    for bytes in [None, Some(b"\x1f\x8b\x08\0".as_slice())] {
        bytes.map_or(Ok(()), |bytes| std::fs::write(files.path("heat.inc"), bytes)).unwrap();
        let said = said(&["cells", "*"], &files.path("heat.ma"));
        let part =
            if bytes.is_some() { "gunzip" } else { "beside the file that names it, and then in the working directory" };
        assert!(said.contains("heat.inc") && said.contains(part), "{said}");
        assert!(!said.contains("starts at the working directory"), "{said}");
    }
}

/// A path of no character is no file, and none that is not there.
#[test]
fn an_empty_path_is_refused_by_its_argument() {
    for (command, _) in READERS {
        let arguments: Vec<&str> = command.iter().map(|word| if *word == "*" { "" } else { word }).collect();
        let refused = output(&arguments);
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), said.lines().count()), (Some(2), 1), "{arguments:?}: {said}");
        assert!(said.contains("a value is required for '"), "{arguments:?}: {said}");
    }
}

/// A file without an end, or a pipe that nobody writes to, keeps nobody waiting.
#[cfg(target_os = "linux")]
#[test]
fn no_reader_waits_for_an_end() {
    let files = Files::empty("endless");
    let pipe = files.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (command, _) in READERS {
        said(command, "/dev/zero");
        if command[..2] != ["cells", "log"] {
            assert!(said(command, &pipe).contains("it is a named pipe"));
        }
    }
    // A pipe of the shell has no name, and is read.
    let program = env!("CARGO_BIN_EXE_tickless");
    let shell = format!("cat {CLINIC} | {program} network /dev/stdin --backend heap");
    let run = Command::new("sh").args(["-c", &shell]).output().unwrap();
    assert!(run.status.success() && text(&run.stdout).contains("digest"), "{}", text(&run.stderr));
}

/// A file that is somebody else's. Whoever may read everything is not refused.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_says_how_to_allow_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let files = Files::empty("forbidden");
    let file = files.path("locked.toml");
    std::fs::copy(CLINIC, &file).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&file).is_err() {
        for (command, _) in READERS {
            assert!(said(command, &file).contains("chmod u+r"));
        }
    }
}

/// A cell of a grid that has no value is not called by what stands for that inside.
#[test]
fn a_cell_without_data_is_called_so() {
    let files = Files::new("no-data");
    let grid = files.read("elevation.asc").replacen("\n100 101", "\n-9999 101", 1);
    std::fs::write(files.path("elevation.asc"), grid).unwrap();
    let fire = files.fire(&[]);
    let water = ["cells", "watershed", "--backend", "heap", "--terrain"].map(str::to_owned);
    let water = [&water[..], &[files.path("elevation.asc")]].concat();
    for arguments in [fire, water] {
        let refused = output(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let said = text(&refused.stderr);
        assert!(said.contains("column 0, row 0 (from 0, north-west) is no data; it must be a height"), "{said}");
        assert_eq!(refused.status.code(), Some(2));
    }
}
