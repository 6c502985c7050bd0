//! The projection of the coordinates of a map, in the terms of GeoTIFF.

use super::wkt;
use crate::{FireError, Frame};

/// Keys of the directory.
const MODEL: u16 = 1024;
const RASTER: u16 = 1025;
const GEOGRAPHIC: u16 = 2048;
const PROJECTED: u16 = 3072;
const CITATION: u16 = 3073;
const METHOD: u16 = 3075;
const UNIT: u16 = 3076;
const UNIT_SIZE: u16 = 3077;
const VERTICAL: u16 = 4096;
const VERTICAL_UNIT: u16 = 4099;
/// The tags with the floating-point values of keys, and with their texts.
const DOUBLES: u16 = 34_736;
const TEXTS: u16 = 34_737;
/// What stands before the text of a system in a citation, as GDAL and ArcGIS write it.
const PREFIX: &str = "ESRI PE String = ";
/// Values of keys: coordinates on a plane, on the ellipsoid; values at points; the code for a system defined by the user; the metre.
const ON_PLANE: u16 = 1;
const IN_DEGREES: u16 = 2;
const POINTS: u16 = 2;
const OWN: u16 = 32_767;
const METRE: u16 = 9001;
const FOOT: u16 = 9002;
const SURVEY_FOOT: u16 = 9003;
/// Heights in them, by the codes of their systems.
const HEIGHTS: [(u16, u16); 2] = [(8228, FOOT), (6360, SURVEY_FOOT)];
/// Mercator's projection and plate carree, by their methods and by codes.
const MERCATOR: u16 = 7;
const PLATE_CARREE: u16 = 17;
const STRETCHED: [(u16, u16); 7] = [
    (3857, MERCATOR),
    (3785, MERCATOR),
    (3395, MERCATOR),
    (4087, PLATE_CARREE),
    (4088, PLATE_CARREE),
    (32_662, PLATE_CARREE),
    (32_663, PLATE_CARREE),
];
/// The radius by which Mercator's projection is stretched, in metres, and the most that may pass.
const RADIUS: f64 = 6_378_137.0;
const MOST_STRETCH: f64 = 1.01;

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

    /// The projection of a text in a file beside a grid; `None` where the text is no coordinate system.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        let system = wkt::read(text)?;
        let model = if system.in_degrees { IN_DEGREES } else { ON_PLANE };
        let mut keys = vec![[MODEL, 0, 1, model], [RASTER, 0, 1, 1]];
        let (mut doubles, mut texts) = (vec![], String::new());
        if !system.in_degrees {
            keys.push([PROJECTED, 0, 1, system.code.unwrap_or(OWN)]);
            if system.code.is_none() && text.contains('[') {
                texts = format!("{PREFIX}{}|", text.trim());
                keys.push([CITATION, TEXTS, u16::try_from(texts.len()).ok()?, 0]);
            }
            let is = |name: &str| system.method.contains(name);
            if is("mercator") && !["transverse", "oblique", "hotine", "gauss"].into_iter().any(is) {
                keys.push([METHOD, 0, 1, MERCATOR]);
            } else if ["equirectangular", "plate", "equidistant_cyl", "equidistant cyl"].into_iter().any(is) {
                keys.push([METHOD, 0, 1, PLATE_CARREE]);
            }
            match system.metres {
                Some(1.0) => keys.push([UNIT, 0, 1, METRE]),
                Some(metres) => {
                    keys.extend([[UNIT, 0, 1, OWN], [UNIT_SIZE, DOUBLES, 1, 0]]);
                    doubles.push(metres);
                }
                None => {}
            }
        }
        if let Some(unit) = system.vertical.map(|unit| unit.to_lowercase()) {
            let is = |name: &str| unit.contains(name);
            let code = match () {
                () if is("foot") || is("feet") || is("ft") => {
                    if is("us") || is("survey") {
                        SURVEY_FOOT
                    } else {
                        FOOT
                    }
                }
                () if unit.starts_with('m') => METRE,
                () => OWN,
            };
            keys.push([VERTICAL_UNIT, 0, 1, code]);
        }
        let directory = [vec![[1, 1, 0, keys.len() as u16]], keys].concat().concat();
        Some(Self { directory, doubles, text: texts })
    }

    /// The unit of heights, where the coordinate system has one.
    pub(super) fn vertical(&self) -> Option<String> {
        let unit = match self.unit_of_heights().or_else(|| Self::of_text(self.citation()?)?.unit_of_heights())? {
            METRE => "metres".into(),
            FOOT => "feet".into(),
            SURVEY_FOOT => "US survey feet".into(),
            other => format!("EPSG:{other}"),
        };
        Some(unit)
    }

    /// The code of the unit of heights, by the keys alone.
    fn unit_of_heights(&self) -> Option<u16> {
        let of_code = || HEIGHTS.iter().find(|(code, _)| self.key(VERTICAL) == Some(*code)).map(|(_, unit)| *unit);
        self.key(VERTICAL_UNIT).or_else(of_code)
    }

    /// The text of a system in a citation.
    fn citation(&self) -> Option<&str> {
        self.text.split_once(PREFIX)?.1.split('|').next()
    }

    /// Refuses coordinates that are not in metres, and metres that are not those of the ground.
    pub(super) fn check(&self, file: &str, frame: Frame) -> Result<(), FireError> {
        // A citation may say what keys do not.
        if let Some(cited) = self.citation().filter(|_| self.key(UNIT).is_none() && self.key(METHOD).is_none())
            && let Some(projection) = Self::of_text(cited)
        {
            let keys = [projection.key(UNIT), projection.key(METHOD)];
            if keys.iter().any(Option::is_some) || projection.key(MODEL) == Some(IN_DEGREES) {
                return projection.check(file, frame);
            }
        }
        let on_ellipsoid = self.key(PROJECTED).is_none() && self.key(GEOGRAPHIC).is_some();
        let cause = match (self.key(MODEL), self.key(UNIT)) {
            (Some(model), _) if model != ON_PLANE && model != OWN => Some("its coordinates are degrees".to_owned()),
            (None, None) if on_ellipsoid => Some("its coordinates are degrees".to_owned()),
            (_, Some(OWN)) if self.double(UNIT_SIZE) != Some(1.0) => Some("its coordinates are no metres".to_owned()),
            (_, Some(unit)) if unit != METRE && unit != OWN => Some("its coordinates are no metres".to_owned()),
            _ => None,
        };
        let Some(cause) = cause.or_else(|| self.stretch(frame)) else { return Ok(()) };
        let cause = format!("{cause}: project it to metres, as with gdalwarp -t_srs EPSG:5070 (or a zone of UTM)");
        Err(FireError::Read { file: file.into(), cause })
    }

    /// Why metres of the map are not those of the ground.
    fn stretch(&self, frame: Frame) -> Option<String> {
        let known = self.epsg().and_then(|code| STRETCHED.iter().find(|(known, _)| *known == code));
        let middle = frame.corner[1] + f64::from(frame.rows) * frame.cell_size / 2.0;
        // On the sphere one metre of the map is one of the ground at the equator alone.
        let stretch = (middle / RADIUS).cosh();
        match (known.map(|known| known.1), self.key(METHOD)) {
            (Some(MERCATOR), _) if stretch <= MOST_STRETCH => None,
            (Some(MERCATOR), _) => Some(format!(
                "its projection is Mercator's, and a metre on the ground is {stretch:.3} of its metres there"
            )),
            (None, Some(MERCATOR)) => {
                Some("its projection is Mercator's, whose metres are longer than those of the ground".to_owned())
            }
            (Some(PLATE_CARREE), _) | (None, Some(PLATE_CARREE)) => {
                Some("its projection is equirectangular, whose cells are no squares on the ground".to_owned())
            }
            _ => None,
        }
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
