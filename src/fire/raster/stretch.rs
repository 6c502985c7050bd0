//! How long a metre of the ground is on a map, by the projection and the place: mostly on the sphere, which is near enough to tell
//! which maps cannot be those of a fire.

use super::wkt::{System, letters};

/// The radius of the Earth at the equator, in metres.
const RADIUS: f64 = 6_378_137.0;
/// That of a sphere with the area of the Earth.
const RADIUS_BY_AREA: f64 = 6_371_007.0;

/// The square of the eccentricity of the Earth.
const FLATTENED: f64 = 0.006_694_38;

/// The length of a parallel by that of one of a sphere.
fn longer(parallel: f64) -> f64 {
    1.0 / (1.0 - FLATTENED * libm::sin(parallel).powi(2)).sqrt()
}

/// Projections by what is known of their scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// True near the place that it is made for, but for its scale.
    Local,
    Mercator,
    PlateCarree,
    Transverse,
    PolarStereographic,
    Stereographic,
    EqualAreaCylinder,
    EqualAreaAzimuth,
    EquidistantAzimuth,
    Orthographic,
    Gnomonic,
    Sinusoidal,
    Mollweide,
    /// A map of the world, whose scale is another everywhere.
    World,
}

use Method::*;

/// Words in the names of methods, the first of which that fits counts; words without spaces and punctuation.
const NAMES: [(&str, Method); 46] = [
    ("spaceoblique", World),
    ("oblique", Local),
    ("hotine", Local),
    ("laborde", Local),
    ("transverse", Transverse),
    ("gauss", Transverse),
    ("utm", Transverse),
    ("mercator", Mercator),
    ("equirectangular", PlateCarree),
    ("plate", PlateCarree),
    ("equidistantcyl", PlateCarree),
    ("polarstereographic", PolarStereographic),
    ("stereographicnorthpole", PolarStereographic),
    ("stereographicsouthpole", PolarStereographic),
    ("stereographic", Stereographic),
    ("cylindricalequalarea", EqualAreaCylinder),
    ("azimuthalequalarea", EqualAreaAzimuth),
    ("azimuthalequidistant", EquidistantAzimuth),
    ("orthographic", Orthographic),
    ("gnomonic", Gnomonic),
    ("sinusoidal", Sinusoidal),
    ("mollweide", Mollweide),
    ("robinson", World),
    ("eckert", World),
    ("winkel", World),
    ("grinten", World),
    ("goode", World),
    ("homolosine", World),
    ("miller", World),
    ("gall", World),
    ("behrmann", World),
    ("equalearth", World),
    ("naturalearth", World),
    ("hammer", World),
    ("aitoff", World),
    ("loximuthal", World),
    ("quarticauthalic", World),
    ("wagner", World),
    ("patterson", World),
    ("times", World),
    ("fuller", World),
    ("cube", World),
    ("perspective", World),
    ("geostationary", World),
    ("craster", World),
    ("twopoint", World),
];
/// The same by the numbers of GeoTIFF.
const NUMBERS: [(u16, Method); 15] = [
    (1, Transverse),
    (7, Mercator),
    (10, EqualAreaAzimuth),
    (12, EquidistantAzimuth),
    (14, Stereographic),
    (15, PolarStereographic),
    (16, Stereographic),
    (17, PlateCarree),
    (19, Gnomonic),
    (20, World),
    (21, Orthographic),
    (23, World),
    (24, Sinusoidal),
    (25, World),
    (28, EqualAreaCylinder),
];

impl Method {
    pub(super) fn of_number(number: u16) -> Self {
        NUMBERS.iter().find(|(known, _)| *known == number).map_or(Local, |(_, method)| *method)
    }

    /// Its number, where it has one.
    pub(super) fn number(self) -> Option<u16> {
        NUMBERS.iter().find(|(_, method)| *method == self).map(|(number, _)| *number).filter(|_| self != World)
    }

    fn of_name(name: &str) -> Self {
        let name = letters(name);
        NAMES.iter().find(|(word, _)| name.contains(word)).map_or(Local, |(_, method)| *method)
    }

    /// What the projection is in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Local => "of another scale",
            Mercator => "Mercator's",
            PlateCarree => "equirectangular",
            Transverse => "transverse Mercator",
            PolarStereographic | Stereographic => "stereographic",
            EqualAreaCylinder => "the cylindrical one of equal areas",
            EqualAreaAzimuth => "the azimuthal one of equal areas",
            EquidistantAzimuth => "the azimuthal one of equal distances",
            Orthographic => "orthographic",
            Gnomonic => "gnomonic",
            Sinusoidal => "sinusoidal",
            Mollweide => "Mollweide's",
            World => "one of maps of the world",
        }
    }
}

/// A projection and its numbers, as far as the scale needs them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Form {
    pub(super) method: Method,
    /// The coordinates of its middle; `None` where they are not known.
    origin: [Option<f64>; 2],
    /// The scale at its middle.
    scale: f64,
    /// The parallel that is true, in degrees, where it is given.
    parallel: Option<f64>,
}

impl Form {
    /// With this middle.
    pub(super) fn new(method: Method, origin: [f64; 2]) -> Self {
        Self { method, origin: origin.map(Some), scale: 1.0, parallel: None }
    }

    /// Without a known middle.
    pub(super) fn unknown(method: Method) -> Self {
        Self { method, origin: [None; 2], scale: 1.0, parallel: None }
    }

    /// With a middle of which some may be known.
    pub(super) fn around(method: Method, origin: [Option<f64>; 2]) -> Self {
        Self { origin, ..Self::unknown(method) }
    }

    pub(super) fn with_parallel(self, degrees: f64) -> Self {
        Self { parallel: Some(degrees), ..self }
    }

    pub(super) fn with_scale(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// That of a text.
    pub(super) fn of_system(system: &System) -> Self {
        let method = Method::of_name(&system.method);
        let number = |words: &[&str]| {
            let has = |name: &str| words.iter().any(|word| name.starts_with(word));
            system.parameters.iter().find(|(name, _)| has(name)).map(|(_, value)| *value)
        };
        // A text leaves out numbers that are 0.
        let along = |words: &[&str]| Some(number(words).unwrap_or(0.0));
        let origin = [along(&["falseeasting", "eastingat"]), along(&["falsenorthing", "northingat"])];
        let own = number(&["standardparallel", "latitudeofstandardparallel", "latitudeof1ststandardparallel"]);
        let of_pole =
            || number(&["latitudeoforigin", "latitudeofnaturalorigin"]).filter(|_| method == PolarStereographic);
        let parallel = own.or_else(of_pole);
        let scale = number(&["scalefactor"]).unwrap_or(1.0);
        Self { parallel, ..Self::around(method, origin).with_scale(scale) }
    }

    /// How many metres of the map a metre of the ground has at a point, in the direction in which that is farthest from 1; `None` where it
    /// is not known. Not a number where no place of the Earth is there.
    pub(super) fn at(&self, point: [f64; 2]) -> Option<f64> {
        let along = |axis: usize| Some((point[axis] - self.origin[axis]?) / RADIUS);
        let parallel = self.parallel.unwrap_or(0.0).to_radians();
        let from_middle = || Some(along(0)?.hypot(along(1)?));
        let scale = self.scale;
        Some(match self.method {
            Local => scale,
            World => return None,
            Mercator => {
                let scale = scale * libm::cos(parallel);
                scale * libm::cosh(along(1)? / scale)
            }
            PlateCarree => libm::cos(parallel) / libm::cos(along(1)?),
            Transverse => scale * along(0).map_or(1.0, |east| libm::cosh(east / scale)),
            PolarStereographic | Stereographic => {
                let of_parallel = |degrees: f64| (1.0 + libm::sin(degrees.abs().to_radians())) / 2.0;
                let polar = self.parallel.filter(|_| self.method == PolarStereographic);
                let scale = scale * polar.map_or(1.0, of_parallel);
                let half = from_middle().map_or(0.0, |away| away / (2.0 * scale));
                scale * (1.0 + half * half)
            }
            EqualAreaCylinder => {
                let scale = libm::cos(parallel) * longer(parallel);
                let by_area = libm::asin(along(1)? * scale * (RADIUS / RADIUS_BY_AREA).powi(2));
                let north = by_area + FLATTENED / 3.0 * libm::sin(2.0 * by_area);
                scale / (libm::cos(north) * longer(north))
            }
            EqualAreaAzimuth => 1.0 / (1.0 - (from_middle()? / 2.0).powi(2)).sqrt(),
            EquidistantAzimuth => match from_middle()? {
                away if away < 1e-6 => 1.0,
                away if away >= std::f64::consts::PI => f64::NAN,
                away => away / libm::sin(away),
            },
            Orthographic => (1.0 - from_middle()?.powi(2)).sqrt(),
            Gnomonic => 1.0 + from_middle()?.powi(2),
            Sinusoidal => {
                let north = along(1)?;
                // Meridians lean by so much a metre.
                let lean = (along(0)? / libm::cos(north) * libm::sin(north)).abs();
                (lean.hypot(2.0) + lean) / 2.0
            }
            Mollweide => {
                let angle = libm::asin(along(1)? / std::f64::consts::SQRT_2);
                let north = libm::asin((2.0 * angle + libm::sin(2.0 * angle)) / std::f64::consts::PI);
                2.0 * std::f64::consts::SQRT_2 / std::f64::consts::PI * libm::cos(angle) / libm::cos(north)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::codes;

    /// The scales that pyproj 3 gives (`Proj.get_factors`), on the ellipsoid, to a hundredth.
    #[test]
    fn scales_are_those_of_other_programs() {
        for (code, point, expected) in SCALES {
            let found = codes::form(code).unwrap().at(point).unwrap();
            assert!((found / expected - 1.0).abs() < 0.01, "{code} at {point:?}: {found}, not {expected}");
        }
    }

    const SCALES: [(u16, [f64; 2], f64); 20] = [
        (3857, [0.0, 4e6], 1.2032),
        (3395, [0.0, 7e6], 1.6688),
        (3388, [0.0, 4e6], 1.0261),
        (5641, [5e6, 1.2e7], 1.0493),
        (6933, [0.0, 6.3e6], 1.6891),
        (6933, [0.0, 3.6e6], 0.9948),
        (32_610, [5e5, 4e6], 0.9996),
        (32_610, [2.5e6, 4e6], 1.0493),
        (3035, [4.3e6, 3.2e6], 1.0),
        (3035, [7e6, 1.5e6], 1.0322),
        (6931, [4e6, 0.0], 1.0528),
        (3413, [0.0, -2e6], 0.9950),
        (3413, [0.0, -6e6], 1.1970),
        (3031, [0.0, 1e6], 0.9790),
        (32_661, [2e6, 5e6], 1.0493),
        (4087, [0.0, 5e6], 1.4121),
        (54_008, [3e6, 5e6], 1.2633),
        (54_009, [0.0, 0.0], 0.9003),
        (54_034, [0.0, 5e6], 1.6176),
        (54_002, [0.0, 6.6e6], 0.9790),
    ];

    /// A text and its numbers.
    #[test]
    fn texts_have_their_scale() {
        let of = |method: &str, parameters: &str, point| {
            let text = format!(
                "PROJCS[\"p\",GEOGCS[\"g\",UNIT[\"Degree\",0.01745]],PROJECTION[\"{method}\"],{parameters}UNIT[\"m\",1]]"
            );
            Form::of_system(&crate::raster::wkt::read(&text).unwrap()).at(point)
        };
        let near = |found: Option<f64>, expected: f64| {
            assert!((found.unwrap() - expected).abs() < 0.002, "{found:?}, not {expected}")
        };
        let scale = "PARAMETER[\"scale_factor\",0.5],PARAMETER[\"false_easting\",500000.0],";
        near(of("Transverse_Mercator", scale, [5e5, 4e6]), 0.5);
        near(of("Lambert_Conformal_Conic_1SP", scale, [5e5, 4e6]), 0.5);
        near(of("Albers_Conic_Equal_Area", "", [5e5, 4e6]), 1.0);
        near(of("Cylindrical_Equal_Area", "PARAMETER[\"standard_parallel_1\",30],", [0.0, 6.3e6]), 1.6891);
        near(of("Stereographic_North_Pole", "PARAMETER[\"Standard_Parallel_1\",70.0],", [0.0, -6e6]), 1.1970);
        near(of("Polar_Stereographic", "PARAMETER[\"latitude_of_origin\",70],", [0.0, -6e6]), 1.1970);
        // Angles from the middle: the sine of 30 degrees, its tangent, and 30 degrees.
        near(of("Orthographic", "", [RADIUS / 2.0, 0.0]), 0.75_f64.sqrt());
        near(of("Gnomonic", "", [0.0, RADIUS / 3.0_f64.sqrt()]), 4.0 / 3.0);
        near(of("Azimuthal_Equidistant", "", [0.0, RADIUS * std::f64::consts::FRAC_PI_6]), std::f64::consts::FRAC_PI_3);
        assert_eq!(of("Robinson", "", [0.0, 5e6]), None);
        assert!(of("Orthographic", "", [RADIUS * 2.0, 0.0]).unwrap().is_nan());
    }
}
