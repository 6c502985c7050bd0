use std::fs;
use std::path::PathBuf;

use super::*;

/// A file that is removed when this is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("tickless-reading-{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn said(path: &Path, kind: Kind) -> String {
    text(path, kind).unwrap_err().to_string()
}

#[test]
fn what_is_no_text_is_named_with_what_makes_one() {
    let tiff = b"II*\0\x08\0\0\0more".as_slice();
    for (name, bytes, kind, parts) in [
        ("tiff", tiff, Kind::Grid, ["a GeoTIFF", "gdal_translate -of AAIGrid"]),
        ("tiff2", tiff, Kind::Network, ["a GeoTIFF", "name a TOML file"]),
        ("nc", b"\x89HDF\r\n\x1a\n\0\0", Kind::Grid, ["netCDF 4", "gdal_translate"]),
        ("shp", b"\0\0\x27\x0a\0\0", Kind::Table, ["a shapefile", "ogr2ogr"]),
        ("gz", b"\x1f\x8b\x08\0", Kind::Result, ["packed by gzip", "gunzip FILE"]),
        ("xlsx", b"PK\x03\x04\x14\0", Kind::Table, ["a zip archive", "or save the spreadsheet as a CSV file"]),
        ("png", b"\x89PNG\r\n\x1a\n\0", Kind::Rules, ["a PNG picture", "name a rule file"]),
        (
            "utf16",
            b"\xff\xfen\0c\0",
            Kind::Grid,
            ["it is a text in UTF-16; what is read here is text in UTF-8", "iconv -f UTF-16 -t UTF-8 FILE > NEW"],
        ),
        ("latin", b"name = 'x'\n# Z\xfcrich\n", Kind::Network, ["line 2 has the byte 0xfc", "iconv -f ISO-8859-1"]),
        ("empty", b" \n\n", Kind::Grid, ["it is empty", "name an ESRI ASCII grid"]),
        ("nothing", b"", Kind::Network, ["it is empty", "name a TOML file"]),
        ("zero", b"ncols 3\n\0\0\0\0", Kind::Grid, ["line 2 has the byte 0x00", "name an ESRI ASCII grid"]),
        ("paths", b"tickless paths 1\n{}\n\xff", Kind::Map, ["a file of paths", "tickless paths FILE"]),
        ("map", b"", Kind::Map, ["it is empty", "name a .map file"]),
        ("scen", b"\n", Kind::Scenarios, ["it is empty", "name a .scen file"]),
        ("log", b"tickless cells log 1\n{}\n\xff", Kind::Table, ["a log of cells", "tickless cells log FILE"]),
    ] {
        let file = Scratch::new(name, bytes);
        let said = said(&file.0, kind);
        assert!(parts.iter().all(|part| said.contains(part)), "{name}: {said}");
    }
}

#[test]
fn a_text_is_read_whole_wherever_its_characters_are_cut() {
    for before in 0..4 {
        let long = "x".repeat(before) + &"€uro\n".repeat(30_000);
        let file = Scratch::new(&format!("long{before}"), long.as_bytes());
        assert!(text(&file.0, Kind::Grid).unwrap() == long);
    }
    // A fault far behind the first bytes is found too.
    let file = Scratch::new("late", &["a\n".repeat(100_000).as_bytes(), b"\xe4"].concat());
    assert!(said(&file.0, Kind::Grid).contains("line 100001 has the byte 0xe4"));
}

#[test]
fn a_file_that_is_not_there_or_a_folder_comes_with_advice() {
    let missing = said(Path::new("no/such.toml"), Kind::Network);
    assert!(missing.contains("no such file; name a TOML file") && missing.contains("working directory"), "{missing}");
    assert!(said(&std::env::temp_dir(), Kind::Grid).contains("it is a folder; name an ESRI ASCII grid"));
}

/// Endless files are not read to their end: a device of zeros, one of random bytes, a pipe without a writer, a file that
/// claims to be longer than it is.
#[cfg(target_os = "linux")]
#[test]
fn what_has_no_end_is_refused() {
    assert!(said(Path::new("/dev/zero"), Kind::Grid).contains("line 1 has the byte 0x00"));
    assert!(text(Path::new("/dev/urandom"), Kind::Grid).is_err());
    let long = Scratch::new("sparse", b"a = 1\n".repeat(20_000).as_slice());
    File::options().write(true).open(&long.0).unwrap().set_len(1 << 40).unwrap();
    for (kind, most) in [(Kind::Network, "256 MiB"), (Kind::Grid, "1024 MiB")] {
        let said = said(&long.0, kind);
        assert!(said.contains(most) && said.contains("give a smaller one"), "{said}");
    }
    let pipe = Scratch::new("pipe", b"");
    fs::remove_file(&pipe.0).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe.0).status().unwrap().success());
    assert!(said(&pipe.0, Kind::Table).contains("a named pipe"));
    assert_eq!(text(Path::new("/dev/null"), Kind::Named).unwrap(), "");
    assert!(said(Path::new("/dev/null"), Kind::Table).contains("it is empty; name a CSV file"));
}
