//! The projection of the coordinates of a map, in the terms of GeoTIFF.

use super::codes::{self, Unit};
use super::stretch::{Form, Method};
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
/// Numbers of a projection: the eastings and the northings of its middle, its scale there, the parallel that is true, and that of a pole.
const EASTINGS: [u16; 3] = [3082, 3086, 3090];
const NORTHINGS: [u16; 3] = [3083, 3087, 3091];
const SCALES: [u16; 2] = [3092, 3093];
const PARALLEL: u16 = 3078;
const POLE: u16 = 3081;
/// The most that metres of the map may differ from those of the ground, as a factor; Mercator's, which differ everywhere, less.
const MOST_STRETCH: f64 = 1.02;
const MOST_OF_MERCATOR: f64 = 1.01;

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
            let method = Form::of_system(&system).method;
            // A text in brackets is kept whole.
            if !text.contains('[') || matches!(method, Method::Mercator | Method::PlateCarree) {
                keys.extend(method.number().map(|number| [METHOD, 0, 1, number]));
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
        self.check_unit(file)?;
        let cited = self.cited();
        cited.as_ref().unwrap_or(self).stretch(frame).map(drop).map_err(|cause| refused(file, &cause))
    }

    /// Refuses coordinates that are not in metres.
    pub(super) fn check_unit(&self, file: &str) -> Result<(), FireError> {
        let cited = self.cited();
        cited.as_ref().unwrap_or(self).unit().map_or(Ok(()), |cause| Err(refused(file, &cause)))
    }

    /// What a citation says where the keys do not.
    fn cited(&self) -> Option<Self> {
        let text = self.citation().filter(|_| self.key(UNIT).is_none() && self.key(METHOD).is_none())?;
        let cited = Self::of_text(text)?;
        let says = cited.key(UNIT).is_some() || cited.key(METHOD).is_some() || cited.key(MODEL) == Some(IN_DEGREES);
        says.then_some(cited)
    }

    /// Why its coordinates are not in metres.
    fn unit(&self) -> Option<String> {
        let on_ellipsoid = self.key(PROJECTED).is_none() && self.key(GEOGRAPHIC).is_some();
        let degrees = || Some("its coordinates are degrees".to_owned());
        let others = || Some("its coordinates are no metres".to_owned());
        match (self.key(MODEL), self.key(UNIT)) {
            (Some(model), _) if model != ON_PLANE && model != OWN => return degrees(),
            (None, None) if on_ellipsoid => return degrees(),
            (_, Some(OWN)) if self.double(UNIT_SIZE) != Some(1.0) => return others(),
            (_, Some(unit)) if unit != METRE && unit != OWN => return others(),
            _ => {}
        }
        let code = self.epsg()?;
        let stated = self.key(UNIT).is_some();
        match codes::unit(code) {
            Unit::Degrees => Some(format!("its projection is EPSG:{code}, whose coordinates are degrees")),
            Unit::Others if stated => Some(format!("its unit is the metre, and that of EPSG:{code} is not")),
            Unit::Others => Some(format!("its projection is EPSG:{code}, whose coordinates are no metres")),
            Unit::Unknown if !stated => Some(format!(
                "its projection is EPSG:{code}, which is not known to be in metres, and it states no unit"
            )),
            Unit::Unknown | Unit::Metres => None,
        }
    }

    /// The projection and its numbers, where its metres may be others than those of the ground.
    fn form(&self) -> Option<Form> {
        if let Some(form) = self.epsg().and_then(codes::form) {
            return Some(form);
        }
        if self.epsg().is_some() {
            return None;
        }
        if let Some(system) = self.citation().and_then(wkt::read) {
            return Some(Form::of_system(&system));
        }
        let method = Method::of_number(self.key(METHOD)?);
        let first = |keys: &[u16]| keys.iter().find_map(|key| self.double(*key));
        let form =
            Form::around(method, [first(&EASTINGS), first(&NORTHINGS)]).with_scale(first(&SCALES).unwrap_or(1.0));
        let of_pole = || self.double(POLE).filter(|_| method == Method::PolarStereographic);
        Some(self.double(PARALLEL).or_else(of_pole).map_or(form, |parallel| form.with_parallel(parallel)))
    }

    /// Why metres of the map cannot be those of the ground, as an error; a remark where they may not be.
    fn stretch(&self, frame: Frame) -> Result<Option<String>, String> {
        let Some(form) = self.form() else { return Ok(None) };
        let Frame { columns, rows, corner: [west, south], cell_size } = frame;
        let middle = [west + f64::from(columns) * cell_size / 2.0, south + f64::from(rows) * cell_size / 2.0];
        let most = if form.method == Method::Mercator { MOST_OF_MERCATOR } else { MOST_STRETCH };
        let name = form.method.name();
        match (form.method, form.at(middle)) {
            (_, Some(stretch)) if stretch.max(1.0 / stretch) <= most => Ok(None),
            (Method::PlateCarree, _) => {
                Err("its projection is equirectangular, whose cells are no squares on the ground".into())
            }
            (Method::Mercator, None) => {
                Err("its projection is Mercator's, whose metres are longer than those of the ground".into())
            }
            (_, Some(stretch)) if stretch.is_nan() => {
                Err(format!("its projection is {name}, which has no place where its cells lie"))
            }
            (_, Some(stretch)) => {
                Err(format!("its projection is {name}, and a metre on the ground is {stretch:.3} of its metres there"))
            }
            (_, None) => Ok(Some(format!(
                "the projection of the landscape is {name}, and a metre on the ground may be more or less than one of its metres there: \
                 project it, as with gdalwarp -t_srs EPSG:5070 (or a zone of UTM)"
            ))),
        }
    }

    /// What may be odd about metres of the map where these cells lie; coordinates that are certainly no metres of the ground are refused
    /// where they are read.
    pub fn remark(&self, frame: Frame) -> Option<String> {
        self.stretch(frame).ok().flatten()
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

/// The error of a projection.
fn refused(file: &str, cause: &str) -> FireError {
    let cause = format!("{cause}: project it to metres, as with gdalwarp -t_srs EPSG:5070 (or a zone of UTM)");
    FireError::Read { file: file.into(), cause }
}
