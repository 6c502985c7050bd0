//! The projection of the coordinates of a map, in the terms of GeoTIFF.

use crate::FireError;

/// Keys of the directory.
const MODEL: u16 = 1024;
const RASTER: u16 = 1025;
const PROJECTED: u16 = 3072;
const UNIT: u16 = 3076;
const UNIT_SIZE: u16 = 3077;
/// The tag with the floating-point values of keys.
const DOUBLES: u16 = 34_736;
/// Values of keys: coordinates on a plane, on the ellipsoid; values at points; the code for a system defined by the user; the metre.
const ON_PLANE: u16 = 1;
const IN_DEGREES: u16 = 2;
const POINTS: u16 = 2;
const OWN: u16 = 32_767;
const METRE: u16 = 9001;

/// The projection of a map: the keys of a GeoTIFF, carried from input to output as they are.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::Projection;
/// assert_eq!(Projection::of_epsg(5070).epsg(), Some(5070));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// Version and number of keys, then four numbers a key, and the values that keys refer to.
    pub(super) directory: Vec<u16>,
    pub(super) doubles: Vec<f64>,
    pub(super) text: String,
}

impl Projection {
    /// The projection of an EPSG code for coordinates in metres on a plane.
    pub fn of_epsg(code: u16) -> Self {
        let keys = [[1, 1, 0, 3], [MODEL, 0, 1, ON_PLANE], [RASTER, 0, 1, 1], [PROJECTED, 0, 1, code]];
        Self { directory: keys.concat(), doubles: vec![], text: String::new() }
    }

    /// Its code, where it has one.
    pub fn epsg(&self) -> Option<u16> {
        self.key(PROJECTED).filter(|code| *code != OWN)
    }

    /// Whether a value is that of the point where the file says it lies, not of the cell with that corner.
    pub(super) fn has_points(&self) -> bool {
        self.key(RASTER) == Some(POINTS)
    }

    /// The same for values of cells.
    pub(super) fn of_cells(mut self) -> Self {
        self.directory.chunks_exact_mut(4).skip(1).filter(|key| key[0] == RASTER).for_each(|key| key[3] = 1);
        self
    }

    /// Refuses coordinates that are not in metres.
    pub(super) fn check(&self, file: &str) -> Result<(), FireError> {
        let cause = match (self.key(MODEL), self.key(UNIT)) {
            (Some(IN_DEGREES), _) => "its coordinates are degrees",
            (_, Some(OWN)) if self.double(UNIT_SIZE).is_some_and(|metres| metres != 1.0) => {
                "its coordinates are no metres"
            }
            (_, Some(unit)) if unit != METRE && unit != OWN => "its coordinates are no metres",
            _ => return Ok(()),
        };
        let cause = format!("{cause}: project it to metres, as with gdalwarp -t_srs EPSG:5070 (or a zone of UTM)");
        Err(FireError::Read { file: file.into(), cause })
    }

    /// A floating-point value.
    fn double(&self, key: u16) -> Option<f64> {
        let mut keys = self.directory.chunks_exact(4).skip(1);
        let found = keys.find(|found| found[0] == key && found[1] == DOUBLES)?;
        self.doubles.get(usize::from(found[3])).copied()
    }

    /// A value in the directory itself.
    fn key(&self, key: u16) -> Option<u16> {
        self.directory.chunks_exact(4).skip(1).find(|found| found[0] == key && found[1] == 0).map(|found| found[3])
    }
}
