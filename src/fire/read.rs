//! Files of a fire, read whole: each is parsed in its own room.

use std::path::Path;

use super::{Barriers, FireError, FuelModels, Grid, Ignition, Layers, Quantity, RasterFile, Weather};
use tickless_core::reading::{self, Kind};

impl Grid {
    /// Reads a file with a grid, and what lies beside it, as numbers of this quantity.
    ///
    /// # Errors
    /// As [`RasterFile::grid`].
    pub fn read(path: &Path, quantity: Quantity) -> Result<Self, FireError> {
        RasterFile::read(path, Kind::Grid, &mut reading::bytes)?.grid(quantity)
    }
}

impl Layers {
    /// Reads a file with all bands of a landscape, and what lies beside it.
    ///
    /// # Errors
    /// As [`RasterFile::layers`].
    pub fn read(path: &Path) -> Result<Self, FireError> {
        RasterFile::read(path, Kind::Landscape, &mut reading::bytes)?.layers()
    }
}

impl FuelModels {
    /// Reads a file of fuel models for [`FuelModels::parse`].
    ///
    /// # Errors
    /// [`FireError`], which names the file, the line and the value.
    pub fn read(path: &Path) -> Result<Self, FireError> {
        Self::parse(&text(path, Kind::Models)?, &name(path))
    }
}

impl Weather {
    /// Reads a file of weather, and the grids that it names, which lie beside it.
    ///
    /// # Errors
    /// [`FireError`], which names the file, the line and the column.
    pub fn read(path: &Path) -> Result<Self, FireError> {
        let beside = path.parent().unwrap_or(Path::new(""));
        Self::parse_with(&text(path, Kind::Table)?, &name(path), &mut |file, quantity| {
            Grid::read(&beside.join(file), quantity)
        })
    }
}

impl Ignition {
    /// Reads a file of ignitions: GeoJSON where its name ends with `.geojson` or `.json`, else a CSV file.
    ///
    /// # Errors
    /// [`FireError`], which names the file, and the line and the column or the feature.
    pub fn read(path: &Path) -> Result<Vec<Self>, FireError> {
        if Self::is_geojson(path) {
            return Self::of_geojson(&text(path, Kind::Places)?, &name(path));
        }
        Self::parse(&text(path, Kind::Table)?, &name(path))
    }

    /// Whether a file is read as GeoJSON.
    #[doc(hidden)]
    pub fn is_geojson(path: &Path) -> bool {
        path.extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("geojson") || ending.eq_ignore_ascii_case("json"))
    }
}

impl Barriers {
    /// Reads a GeoJSON file of lines and areas.
    ///
    /// # Errors
    /// [`FireError`], which names the file and the feature.
    pub fn read(path: &Path) -> Result<Self, FireError> {
        Self::parse(&text(path, Kind::Places)?, &name(path))
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn text(path: &Path, kind: Kind) -> Result<String, FireError> {
    reading::text(path, kind).map_err(|error| FireError::Read { file: name(path), cause: error.to_string() })
}
