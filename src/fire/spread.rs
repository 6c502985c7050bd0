//! The rate of spread in each direction: an ellipse with the fire at its rear focus.

/// Feet in a metre.
pub(super) const FEET: f64 = 1.0 / 0.3048;
/// Miles per hour in feet per minute.
const MILE_PER_HOUR: f64 = 88.0;
/// The largest ratio of length to width of a fire (Finney 1998).
const LONGEST: f64 = 8.0;
/// The ratio of the wind at 10 m over the ground to the wind at 20 feet over the vegetation.
const OPEN: f64 = 1.15;
/// √½.
const DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Unit vectors, toward east and toward north, of the offsets of [`Space::moore`](tickless_cells::Space::moore), where
/// row 0 is in the north.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::{Space, fire::DIRECTIONS};
/// for (direction, offset) in DIRECTIONS.iter().zip(Space::moore()) {
///     assert!(direction[0] * f64::from(offset[0]) >= 0.0 && direction[1] * f64::from(offset[1]) <= 0.0);
/// }
/// ```
pub const DIRECTIONS: [[f64; 2]; 8] = [
    [-DIAGONAL, DIAGONAL],
    [0.0, 1.0],
    [DIAGONAL, DIAGONAL],
    [-1.0, 0.0],
    [1.0, 0.0],
    [-DIAGONAL, -DIAGONAL],
    [0.0, -1.0],
    [DIAGONAL, -DIAGONAL],
];

/// Whether the effective wind has an upper limit.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// assert_eq!(tickless::cells::fire::WindLimit::default(), tickless::cells::fire::WindLimit::None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WindLimit {
    /// No limit, as Andrews, Cruz and Rothermel (2013) advise.
    #[default]
    None,
    /// The effective wind in feet per minute is at most 0.9 times the reaction intensity in Btu per square foot and
    /// minute (Rothermel 1972, equation 86).
    Rothermel,
}

/// The ratio of length to width of a fire, by the effective wind. It is at most 8, as Finney (1998) allows.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::LengthToWidth;
/// // 5 miles an hour at midflame height, 0.4 of the wind at 20 feet.
/// let of = |law: LengthToWidth| (100.0 * law.ratio(134.112, 0.4)).round() / 100.0;
/// assert_eq!([LengthToWidth::Anderson, LengthToWidth::Alexander, LengthToWidth::Rothermel].map(of), [1.59, 2.04, 2.25]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthToWidth {
    /// 0.936 exp(0.1147 U) + 0.461 exp(-0.0692 U) - 0.397, with U in miles per hour at midflame height (Anderson 1983).
    #[default]
    Anderson,
    /// 1 + 0.0012 W^2.154, with W in kilometres per hour 10 m over the ground (Alexander 1985): the effective wind divided by the
    /// wind adjustment, times 1.15.
    Alexander,
    /// 1 + 0.25 U, with U in miles per hour at midflame height (Rothermel 1991).
    Rothermel,
}

impl LengthToWidth {
    /// The ratio of a fire under an effective wind in metres per minute at midflame height, which is `adjustment` times the
    /// wind at 20 feet.
    pub fn ratio(self, wind: f64, adjustment: f64) -> f64 {
        let miles = wind * FEET / MILE_PER_HOUR;
        let ratio = match self {
            Self::Anderson => 0.936 * libm::exp(0.1147 * miles) + 0.461 * libm::exp(-0.0692 * miles) - 0.397,
            Self::Alexander => 1.0 + 0.0012 * libm::pow(wind * 0.06 / adjustment * OPEN, 2.154),
            Self::Rothermel => 1.0 + 0.25 * miles,
        };
        ratio.clamp(1.0, LONGEST)
    }
}

/// The wind at midflame height.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// let wind = tickless::cells::fire::Wind { toward: [100.0, 0.0], adjustment: 0.4 };
/// assert_eq!(wind.toward[0], 100.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wind {
    /// Toward east and toward north, in metres per minute.
    pub toward: [f64; 2],
    /// Its share of the wind at 20 feet over the vegetation.
    pub adjustment: f64,
}

/// The laws of a fire's spread, where several can be chosen.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{Laws, WindLimit};
/// assert_eq!(Laws::default().limit, WindLimit::None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Laws {
    /// The limit of the wind.
    pub limit: WindLimit,
    /// The shape of the fire.
    pub shape: LengthToWidth,
}

/// The spread of a fire from a point: an ellipse that keeps its shape.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{Fuel, FuelBed, Laws, Moisture, Wind};
/// let dry = Moisture { one_hour: 5.0, ten_hour: 6.0, hundred_hour: 7.0, herb: 60.0, woody: 90.0 };
/// // Wind toward the east, 100 m/min at midflame height.
/// let wind = Wind { toward: [100.0, 0.0], adjustment: 0.4 };
/// let spread = FuelBed::new(Fuel::of(1).unwrap(), &dry).spread(wind, [0.0; 2], Laws::default());
/// assert_eq!(spread.azimuth(), 90.0);
/// assert!(spread.rate_toward([1.0, 0.0]) > 2.0 * spread.rate_toward([0.0, 1.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    rate: f64,
    heading: [f64; 2],
    effective_wind: f64,
    length_to_width: f64,
    eccentricity: f64,
}

impl Spread {
    /// The spread of a rate at the head and an effective wind, both in metres per minute, a direction of the head, and length
    /// to width.
    pub(super) fn new(rate: f64, heading: [f64; 2], effective_wind: f64, length_to_width: f64) -> Self {
        let eccentricity = (length_to_width * length_to_width - 1.0).max(0.0).sqrt() / length_to_width;
        Self { rate, heading, effective_wind, length_to_width, eccentricity }
    }

    /// The rate at the head, in metres per minute.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Where the head goes, in degrees clockwise from north; 0 for a circle.
    pub fn azimuth(&self) -> f64 {
        let degrees = libm::atan2(self.heading[0], self.heading[1]).to_degrees();
        if degrees < 0.0 { degrees + 360.0 } else { degrees }
    }

    /// Where the head goes: a unit vector toward east and north.
    pub(super) fn heading(&self) -> [f64; 2] {
        self.heading
    }

    /// The eccentricity of the ellipse.
    pub(super) fn eccentricity(&self) -> f64 {
        self.eccentricity
    }

    /// The wind at midflame height, in metres per minute, with the effect of wind and slope together.
    pub fn effective_wind(&self) -> f64 {
        self.effective_wind
    }

    /// The ratio of length to width of the fire, by its [law](LengthToWidth).
    pub fn length_to_width(&self) -> f64 {
        self.length_to_width
    }

    /// The rate in a direction (a unit vector toward east and north), from the point of ignition, in metres per minute.
    pub fn rate_toward(&self, direction: [f64; 2]) -> f64 {
        let cosine = self.heading[0] * direction[0] + self.heading[1] * direction[1];
        self.rate * (1.0 - self.eccentricity) / (1.0 - self.eccentricity * cosine)
    }

    /// The rate of a straight front across a direction (a unit vector toward east and north), in that direction and in metres
    /// per minute: the ellipse is the envelope of such fronts (Richards 1990).
    pub fn rate_across(&self, direction: [f64; 2]) -> f64 {
        let cosine = self.heading[0] * direction[0] + self.heading[1] * direction[1];
        let (half, e) = (self.rate / (1.0 + self.eccentricity), self.eccentricity);
        half * (e * cosine + (1.0 - e * e + e * e * cosine * cosine).sqrt())
    }

    /// The rates in all eight [`DIRECTIONS`].
    pub fn rates(&self) -> [f64; 8] {
        DIRECTIONS.map(|direction| self.rate_toward(direction))
    }
}
