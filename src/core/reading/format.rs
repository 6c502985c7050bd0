//! Files that are no text, by their first bytes.

use std::fmt;

use super::Kind;

/// The format of a file that is no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A format of the table below.
    Known(&'static str, Remedy),
    /// A byte that no text in UTF-8 has: its line from 1, and its value.
    Foreign(usize, u8),
}

/// How to make a text of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// GDAL makes a grid of it.
    Raster,
    /// GDAL makes a table of it.
    Vector,
    /// A program unpacks it.
    Packed(&'static str),
    /// A program saves it as a table.
    Sheet,
    /// Another program reads it.
    Program(&'static str),
    /// There is no way.
    Nothing,
}

/// The first bytes of a format, its name, and how to make a text of it.
const FORMATS: [(&[u8], &str, Remedy); 27] = [
    (b"II*\0", "a TIFF, as a GeoTIFF is", Remedy::Raster),
    (b"MM\0*", "a TIFF, as a GeoTIFF is", Remedy::Raster),
    (b"II+\0", "a BigTIFF, as a GeoTIFF is", Remedy::Raster),
    (b"MM\0+", "a BigTIFF, as a GeoTIFF is", Remedy::Raster),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file, as one of netCDF 4 is", Remedy::Raster),
    (b"CDF\x01", "a netCDF file", Remedy::Raster),
    (b"CDF\x02", "a netCDF file", Remedy::Raster),
    (b"CDF\x05", "a netCDF file", Remedy::Raster),
    (b"GRIB", "a GRIB file", Remedy::Raster),
    (b"EHFA_HEADER_TAG", "an Erdas Imagine grid", Remedy::Raster),
    (b"\0\0\x27\x0a", "a shapefile", Remedy::Vector),
    (b"SQLite format 3\0", "an SQLite database, as a GeoPackage is", Remedy::Vector),
    (b"PAR1", "a Parquet file", Remedy::Vector),
    (b"\x1f\x8b", "packed by gzip", Remedy::Packed("gunzip")),
    (b"BZh", "packed by bzip2", Remedy::Packed("bunzip2")),
    (b"\xfd7zXZ\0", "packed by xz", Remedy::Packed("unxz")),
    (b"\x28\xb5\x2f\xfd", "packed by zstd", Remedy::Packed("unzstd")),
    (b"PK\x03\x04", "a zip archive, as a spreadsheet may be", Remedy::Packed("unzip")),
    (b"\xd0\xcf\x11\xe0", "a document of Microsoft Office", Remedy::Sheet),
    (b"\x89PNG", "a PNG picture", Remedy::Nothing),
    (b"\xff\xd8\xff", "a JPEG picture", Remedy::Nothing),
    (b"%PDF-", "a PDF document", Remedy::Nothing),
    (b"\x7fELF", "a program", Remedy::Nothing),
    (b"\xff\xfe", "a text in UTF-16", Remedy::Program("iconv -f UTF-16 -t UTF-8 FILE")),
    (b"\xfe\xff", "a text in UTF-16", Remedy::Program("iconv -f UTF-16 -t UTF-8 FILE")),
    (b"tickless cells log", "a log of cells", Remedy::Program("tickless cells log FILE")),
    (b"tickless paths", "a file of paths", Remedy::Program("tickless paths FILE")),
];

/// The format of a file whose first bytes are not those of a text; `None` for a text. The last character may be cut
/// off.
pub(super) fn other_than_text(first: &[u8]) -> Option<Format> {
    let whole = std::str::from_utf8(first).map_err(|error| error.error_len()).err().flatten().is_none();
    (!whole || first.contains(&0)).then(|| of(first))
}

/// The format of a file that is no text.
pub(super) fn of(bytes: &[u8]) -> Format {
    if let Some((_, name, remedy)) = FORMATS.iter().find(|(first, ..)| bytes.starts_with(first)) {
        return Format::Known(name, *remedy);
    }
    let foreign = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    let place = bytes.iter().take(foreign).position(|&byte| byte == 0).unwrap_or(foreign);
    let line = 1 + bytes[..place].iter().filter(|&&byte| byte == b'\n').count();
    Format::Foreign(line, bytes.get(place).copied().unwrap_or(0))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(name, Remedy::Program(_)) => write!(f, "it is {name}; what is read here is text in UTF-8"),
            Self::Known(name, _) => write!(f, "it is {name}, and no text"),
            Self::Foreign(line, byte) => write!(f, "it is no text in UTF-8: line {line} has the byte {byte:#04x}"),
        }
    }
}

impl Format {
    /// What to do with the file; `None` where another file has to be named.
    pub(super) fn remedy(&self, kind: Kind) -> Option<String> {
        match self {
            Self::Known(_, Remedy::Raster) if kind == Kind::Grid => {
                Some("make an ESRI ASCII grid of it, as with gdal_translate -of AAIGrid FILE OUT.asc".into())
            }
            Self::Known(_, Remedy::Vector) if kind == Kind::Table => {
                Some("make a CSV file of it, as with ogr2ogr -f CSV -lco GEOMETRY=AS_XY OUT.csv FILE".into())
            }
            Self::Known(_, Remedy::Packed(program)) => {
                let sheet = if kind == Kind::Table { ", or save the spreadsheet as a CSV file" } else { "" };
                let sheet = if *program == "unzip" { sheet } else { "" };
                Some(format!("unpack it first, as with {program} FILE{sheet}"))
            }
            Self::Known(_, Remedy::Sheet) if kind == Kind::Table => Some("save it as a CSV file".into()),
            Self::Known(_, Remedy::Program(command)) => Some(format!("convert it first, as with {command} > NEW")),
            Self::Foreign(_, byte) if *byte >= 0x80 => {
                Some("save it as UTF-8, as with iconv -f ISO-8859-1 -t UTF-8 FILE".into())
            }
            _ => None,
        }
    }
}
