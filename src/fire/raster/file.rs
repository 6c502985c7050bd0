//! A file of grids, and what lies beside it.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use super::geotiff::GeoTiff;
use super::stated::{self, Stated};
use super::{Grid, Projection, Quantity, lcp, text, themes};
use crate::{FireError, FuelModels, Layers};
use tickless_core::reading::Kind;

/// Bands of a landscape in one GeoTIFF, in the order of FlamMap and of LANDFIRE: elevation, slope, aspect, fuel model, canopy cover,
/// canopy height, then bands of crowns, which surface fires do not use.
const BANDS: [usize; 2] = [5, 8];
/// The same, as they are read.
const QUANTITIES: [Quantity; 6] = [
    Quantity::Elevation,
    Quantity::Slope,
    Quantity::Aspect,
    Quantity::Fuel,
    Quantity::CanopyCover,
    Quantity::CanopyHeight,
];

/// A file of grids: its contents, and what the files beside it say of them. A coordinate system is read of a file of the same name that
/// ends with `.prj`, units, scales and offsets of one with `.aux.xml` behind the name, as GDAL writes both.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{Quantity, RasterFile};
/// let text = b"ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n7 8\n";
/// assert_eq!(RasterFile::new(text, "heights.asc").grid(Quantity::Elevation)?.values, [7.0, 8.0]);
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RasterFile<'a> {
    bytes: Cow<'a, [u8]>,
    name: String,
    projection: Option<Projection>,
    stated: Vec<Stated>,
}

impl<'a> RasterFile<'a> {
    /// The contents of a file with this name, and nothing beside it.
    pub fn new(bytes: &'a [u8], name: &str) -> Self {
        Self { bytes: bytes.into(), name: name.into(), projection: None, stated: vec![] }
    }

    /// Reads a file and those beside it by `read`, each once.
    ///
    /// # Errors
    /// [`FireError::Read`], which names the file.
    pub fn read(
        path: &Path,
        kind: Kind,
        read: &mut dyn FnMut(&Path, Kind) -> io::Result<Vec<u8>>,
    ) -> Result<RasterFile<'static>, FireError> {
        let name = |path: &Path| path.display().to_string();
        let mut bytes = |path: &Path, kind| {
            read(path, kind).map_err(|error| FireError::Read { file: name(path), cause: error.to_string() })
        };
        let own = bytes(path, kind)?;
        let mut file = RasterFile { bytes: own.into(), name: name(path), projection: None, stated: vec![] };
        if let Some(mask) = beside(path, ".msk") {
            let cause = format!(
                "{} is a mask of its cells without a value: write a number for them in its place, as with gdalwarp -dstnodata -9999",
                name(&mask)
            );
            return Err(FireError::Read { file: name(path), cause });
        }
        let described =
            ["prj", "PRJ"].map(|ending| path.with_extension(ending)).into_iter().find(|path| path.is_file());
        if let Some(path) = described {
            let text = bytes(&path, Kind::Input).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())?;
            file.projection = projection(&text, &name(&path))?;
        }
        if let Some(path) = beside(path, ".aux.xml") {
            let failed = |cause| FireError::Read { file: name(&path), cause };
            let xml = String::from_utf8(bytes(&path, Kind::Input)?)
                .map_err(|_| failed("it is no text in UTF-8: write it again, or remove it".into()))?;
            stated::check(&xml).map_err(failed)?;
            file.stated = stated::bands(&xml).map_err(failed)?;
            if file.projection.is_none() {
                file.projection =
                    stated::text_of(&xml, "SRS").map_or(Ok(None), |text| projection(&text, &name(&path)))?;
            }
        }
        Ok(file)
    }

    /// The only grid of the file, as numbers of this quantity.
    ///
    /// # Errors
    /// [`FireError`], which names the file, and the line and the value or the cell; a unit or a coordinate system that is not certain.
    pub fn grid(&self, quantity: Quantity) -> Result<Grid, FireError> {
        self.grid_of(quantity, Grid::parse)
    }

    /// The grid of fuels; an invalid number is refused with its line or cell.
    ///
    /// # Errors
    /// As [`RasterFile::grid`].
    pub fn fuels(&self, models: &FuelModels) -> Result<Grid, FireError> {
        self.grid_of(Quantity::Fuel, |text, name| Grid::parse_fuels(text, name, models))
    }

    /// The grid of where fire never enters, in the same way.
    ///
    /// # Errors
    /// As [`RasterFile::grid`].
    pub fn suppressed(&self) -> Result<Grid, FireError> {
        self.grid_of(Quantity::Suppressed, Grid::parse_suppressed)
    }

    fn grid_of(
        &self,
        quantity: Quantity,
        parse: impl FnOnce(&str, &str) -> Result<Grid, FireError>,
    ) -> Result<Grid, FireError> {
        let (mut grid, stated) = match self.geotiff()? {
            Some(file) => (file.only_band()?, self.stated_of(file.stated(0), 0)),
            None => {
                // The width of a cell in degrees is no width in metres.
                self.projection.iter().try_for_each(|projection| projection.check_unit(&self.name))?;
                let stated = self.stated_of(&Stated::default(), 0);
                (parse(text::of_bytes(&self.bytes, &self.name)?, &self.name)?, stated)
            }
        };
        themes::check(&stated.description, quantity)
            .map_err(|cause| FireError::Read { file: self.name.clone(), cause })?;
        if grid.projection.is_none() {
            self.projection.iter().try_for_each(|projection| projection.check(&self.name, grid.frame))?;
            grid.projection.clone_from(&self.projection);
        }
        self.convert(&mut grid, quantity, stated, false)?;
        Ok(grid)
    }

    /// All bands of a landscape: a GeoTIFF with 5 or 8 bands (elevation in metres, slope in degrees, aspect, fuel model, canopy cover in
    /// percent, canopy height in tenths of a metre, and crowns, unless it states other units), or an `.lcp` of FARSITE.
    ///
    /// # Errors
    /// [`FireError`], which names the file.
    pub fn layers(&self) -> Result<Layers, FireError> {
        let Some(file) = self.geotiff()? else {
            return lcp::read(&self.bytes, &self.name, self.projection.as_ref());
        };
        if !BANDS.contains(&file.bands()) {
            let needed = "elevation, slope, aspect, fuel model, canopy cover and, with crowns, canopy height, base height and density";
            let cause = format!("it has {} bands; a landscape has 5 or 8: {needed}", file.bands());
            return Err(FireError::Read { file: self.name.clone(), cause });
        }
        let stated: Vec<Stated> = (0..file.bands()).map(|band| self.stated_of(file.stated(band), band)).collect();
        let descriptions: Vec<String> = stated.iter().map(|band| band.description.clone()).collect();
        let order = themes::order(&descriptions).map_err(|cause| FireError::Read { file: self.name.clone(), cause })?;
        let with_crowns = file.bands() == BANDS[1];
        let at = |theme: usize| order[theme];
        let (mut ground, mut canopy) = if with_crowns {
            let [elevation, slope, aspect, fuel, cover, height] = file.bands_of([0, 1, 2, 3, 4, 5].map(at))?;
            (vec![elevation, slope, aspect, fuel], vec![cover, height])
        } else {
            (file.bands_of([0, 1, 2, 3].map(at))?.into(), vec![])
        };
        for (theme, (grid, quantity)) in ground.iter_mut().chain(&mut canopy).zip(QUANTITIES).enumerate() {
            if grid.projection.is_none() {
                self.projection.iter().try_for_each(|projection| projection.check(&self.name, grid.frame))?;
                grid.projection.clone_from(&self.projection);
            }
            self.convert(grid, quantity, stated[order[theme]].clone(), true)?;
        }
        let [elevation, slope, aspect, fuel] = ground.try_into().expect("four bands of ground");
        let mut layers = Layers::new(fuel).with_slope(slope, aspect);
        layers.elevation = Some(elevation);
        layers.canopy = canopy.try_into().ok();
        Ok(layers)
    }

    fn geotiff(&self) -> Result<Option<GeoTiff<'_>>, FireError> {
        GeoTiff::is_one(&self.bytes).then(|| GeoTiff::read(&self.bytes, &self.name)).transpose()
    }

    /// What the file states of a band, or else what is stated beside it.
    fn stated_of(&self, own: &Stated, band: usize) -> Stated {
        own.or(self.stated.get(band), self.projection.as_ref().and_then(Projection::vertical))
    }

    /// Makes the numbers of a quantity of those of a band, of a file with one or several bands.
    fn convert(&self, grid: &mut Grid, quantity: Quantity, mut stated: Stated, several: bool) -> Result<(), FireError> {
        let failed = |cause: String| FireError::Read { file: grid.name.clone(), cause };
        match &stated.unit_of_file {
            Some(unit) if several && stated.unit.is_none() => {
                let cause = format!(
                    "its file states the unit {unit:?} of all its bands, which are several: state that of each, as with gdal_edit.py -units"
                );
                return Err(failed(cause));
            }
            Some(unit) if stated.unit.is_none() => stated.unit = Some(unit.clone()),
            _ => {}
        }
        if let Some(no_data) = stated.no_data {
            // For 32-bit floats the value is written with fewer digits than it has.
            let is_none = |value: f64| value == no_data || value as f32 == no_data as f32;
            grid.values.iter_mut().filter(|value| is_none(**value)).for_each(|value| *value = f64::NAN);
        }
        let stem = Path::new(&self.name).file_stem().unwrap_or_default().to_string_lossy();
        let converted = quantity.convert(&mut grid.values, &stated, &stem);
        converted.map_err(|cause| FireError::Read { file: grid.name.clone(), cause })
    }
}

/// The file beside another one with an ending behind its name, if it is there.
fn beside(path: &Path, ending: &str) -> Option<PathBuf> {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    Some(PathBuf::from(name)).filter(|path| path.is_file())
}

/// The coordinate system of a text.
fn projection(text: &str, name: &str) -> Result<Option<Projection>, FireError> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let cause = "it has no coordinate system that is read, as WKT is: write it again, as with gdalsrsinfo -o wkt1, or remove it";
    Projection::of_text(text).map(Some).ok_or_else(|| FireError::Read { file: name.into(), cause: cause.into() })
}
