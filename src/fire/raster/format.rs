//! The format of a written grid, by the name of its file.

use std::path::Path;

/// The form of a file with a grid.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use std::path::Path;
/// use tickless::cells::fire::RasterFormat;
/// assert_eq!(RasterFormat::of(Path::new("times.TIF")), RasterFormat::GeoTiff);
/// assert_eq!(RasterFormat::of(Path::new("times")), RasterFormat::Text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RasterFormat {
    /// An ESRI ASCII grid: any other name.
    Text,
    /// A GeoTIFF: `.tif`, `.tiff`.
    GeoTiff,
    /// A map with a legend: `.png`.
    Picture,
}

impl RasterFormat {
    /// The format of a file's name.
    pub fn of(path: &Path) -> Self {
        let is = |ending: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
        match () {
            () if is("tif") || is("tiff") => Self::GeoTiff,
            () if is("png") => Self::Picture,
            () => Self::Text,
        }
    }
}
