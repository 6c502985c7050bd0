//! What the numbers of a grid are. The one place that decides what is made of a unit that a file states, for every layer and every
//! column of the weather: a factor, another conversion, or a refusal.

use super::stated::Stated;

/// What the numbers of a grid are read as.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{Quantity, RasterFile};
/// let text = b"ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n36\n";
/// // The percent layer of LANDFIRE, by its name.
/// let slope = RasterFile::new(text, "LC20_SlpP_220.asc").grid(Quantity::Slope)?;
/// assert!((slope.values[0] - 19.799).abs() < 1e-3);
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Numbers whatever their unit is.
    Number,
    /// Numbers of fuel models.
    Fuel,
    /// 1 where fire never enters.
    Suppressed,
    /// Heights in metres.
    Elevation,
    /// Slope in degrees.
    Slope,
    /// The direction in which the ground falls, in degrees clockwise from north.
    Aspect,
    /// Percent of the ground below crowns.
    CanopyCover,
    /// Heights of trees in metres; tenths of a metre where the file states no unit, as LANDFIRE has them.
    CanopyHeight,
    /// The speed of the wind in kilometres per hour.
    Wind,
    /// The same; miles per hour where the file states no unit.
    WindInMiles,
    /// The same; metres per second where the file states no unit.
    WindInMetres,
    /// The wind at midflame height as a share.
    WindAdjustment,
    /// The direction from which the wind comes, in degrees clockwise from north.
    WindFrom,
    /// Water in fuel in percent.
    Moisture,
}

use Quantity::{Aspect, CanopyCover, CanopyHeight, Elevation, Fuel, Moisture, Number, Slope, Suppressed};
use Quantity::{Wind, WindAdjustment, WindFrom, WindInMetres, WindInMiles};

/// What makes the numbers of a quantity of those of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Times(f64),
    /// Degrees of a rise by distance, which is so many times the number.
    RiseTimes(f64),
    /// Degrees counterclockwise from the east, as in GRASS.
    FromEast,
    /// The same in 24 parts of 15 degrees from 1 on; 25 where the ground is level.
    PartsFromEast,
    /// The middles of classes of cover, as in FARSITE.
    Middles,
}

impl Change {
    fn of(self, value: f64) -> f64 {
        match self {
            Self::Times(factor) => value * factor,
            Self::RiseTimes(factor) => libm::atan(value * factor).to_degrees(),
            Self::FromEast => (450.0 - value).rem_euclid(360.0),
            Self::PartsFromEast if !(1.0..25.0).contains(&value) => -1.0,
            Self::PartsFromEast => (450.0 - 15.0 * (value - 1.0)).rem_euclid(360.0),
            Self::Middles => [0.0, 10.0, 30.0, 60.0, 75.0].get(value as usize).copied().unwrap_or(f64::INFINITY),
        }
    }
}

const LENGTHS: &[Quantity] = &[Elevation, CanopyHeight];
const ANGLES: &[Quantity] = &[Slope, Aspect, WindFrom];
const SHARES: &[Quantity] = &[CanopyCover, Moisture];
const WINDS: &[Quantity] = &[Wind, WindInMiles, WindInMetres];
const FOOT: f64 = 0.3048;

/// Units by their names, in messages the first, without spaces and punctuation: of which quantities they are, and what is made of the
/// numbers.
const UNITS: [(&[Quantity], &[&str], Change); 25] = [
    (LENGTHS, &["metres", "m", "metre", "meter", "meters"], Change::Times(1.0)),
    (LENGTHS, &["feet", "ft", "foot", "internationalfoot", "internationalfeet", "footintl"], Change::Times(FOOT)),
    (
        LENGTHS,
        &["ussurveyfeet", "ftus", "usft", "footus", "feetus", "ussurveyfoot", "surveyfoot", "surveyfeet"],
        Change::Times(1200.0 / 3937.0),
    ),
    (LENGTHS, &["cm", "centimetre", "centimetres", "centimeter", "centimeters"], Change::Times(0.01)),
    (LENGTHS, &["mm", "millimetre", "millimetres", "millimeter", "millimeters"], Change::Times(0.001)),
    (LENGTHS, &["km", "kilometre", "kilometres", "kilometer", "kilometers"], Change::Times(1000.0)),
    (
        LENGTHS,
        &[
            "metersx10",
            "dm",
            "decimetre",
            "decimetres",
            "decimeter",
            "decimeters",
            "mx10",
            "metresx10",
            "meters*10",
            "m*10",
        ],
        Change::Times(0.1),
    ),
    (LENGTHS, &["feetx10", "ftx10", "feet*10"], Change::Times(0.1 * FOOT)),
    (ANGLES, &["degrees", "degree", "deg", "°", "azimuthdegrees", "azimuth", "decimaldegrees"], Change::Times(1.0)),
    (ANGLES, &["radians", "radian", "rad"], Change::Times(180.0 / std::f64::consts::PI)),
    (&[Slope], &["percent", "%", "pct", "percentrise", "percentslope", "slopepercent"], Change::RiseTimes(0.01)),
    (&[Slope], &["ratio", "rise/run", "m/m"], Change::RiseTimes(1.0)),
    (&[Aspect], &["grassdegrees"], Change::FromEast),
    (&[Aspect], &["grasscategories"], Change::PartsFromEast),
    (SHARES, &["percent", "%", "pct"], Change::Times(1.0)),
    (SHARES, &["fraction", "ratio", "kg/kg", "g/g"], Change::Times(100.0)),
    (&[CanopyCover], &["categories", "categories04"], Change::Middles),
    (&[WindAdjustment], &["fraction", "ratio", "1", "unitless"], Change::Times(1.0)),
    (&[WindAdjustment], &["percent", "%", "pct"], Change::Times(0.01)),
    (
        WINDS,
        &["km/h", "kmh", "kph", "kmph", "km/hr", "kilometresperhour", "kilometersperhour", "kmh1"],
        Change::Times(1.0),
    ),
    (WINDS, &["mph", "mi/h", "mi/hr", "milesperhour", "miles/hour", "mileperhour"], Change::Times(1.609_344)),
    (WINDS, &["m/s", "mps", "ms1", "meterspersecond", "metrespersecond", "m/sec"], Change::Times(3.6)),
    (WINDS, &["knots", "kt", "kts", "kn", "knot"], Change::Times(1.852)),
    (WINDS, &["m/min", "metersperminute", "metresperminute"], Change::Times(0.06)),
    (
        &[Fuel, Suppressed],
        &["class", "classes", "category", "categories", "code", "codes", "unitless", "none", "n/a", "na", "1", "model"],
        Change::Times(1.0),
    ),
];

/// Words of lengths that may be those of cells.
const METRIC: [&str; 5] = ["m", "mm", "cm", "dm", "km"];

/// Layers of LANDFIRE that have their unit in their name.
const LAYERS: [(&str, Quantity, &str); 2] = [("slpp", Slope, "percent"), ("slpd", Slope, "degrees")];

impl Quantity {
    /// What it is in messages, and the unit that is taken where a file states none.
    pub(super) fn usual(self) -> (&'static str, &'static str) {
        match self {
            Number => ("numbers", ""),
            Fuel => ("numbers of fuel models", "class"),
            Suppressed => ("marks of 0 and 1", "class"),
            Elevation => ("heights", "metres"),
            Slope => ("slopes", "degrees"),
            Aspect => ("aspects", "degrees"),
            CanopyCover => ("canopy cover", "percent"),
            CanopyHeight => ("heights of trees", "meters x 10"),
            Wind => ("speeds of the wind", "km/h"),
            WindInMiles => ("speeds of the wind", "mph"),
            WindInMetres => ("speeds of the wind", "m/s"),
            WindAdjustment => ("wind adjustments", "fraction"),
            WindFrom => ("directions of the wind", "degrees"),
            Moisture => ("moistures", "percent"),
        }
    }

    fn change(self, unit: &str) -> Option<Change> {
        let keep = |c: &char| !c.is_whitespace() && !"_-.()[]^".contains(*c);
        let unit: String = unit.to_lowercase().chars().filter(keep).collect();
        UNITS.iter().find(|(of, names, _)| of.contains(&self) && names.contains(&unit.as_str())).map(|unit| unit.2)
    }

    /// Makes the numbers of this quantity of those that a file has. `stem` is the file's name without folder and ending.
    ///
    /// # Errors
    /// Why that is not certain, and what to do.
    pub(super) fn convert(self, values: &mut [f64], stated: &Stated, stem: &str) -> Result<(), String> {
        let [scale, offset] = [stated.scale.unwrap_or(1.0), stated.offset.unwrap_or(0.0)];
        if scale != 1.0 || offset != 0.0 {
            values.iter_mut().for_each(|value| *value = *value * scale + offset);
        }
        if self == Number {
            return Ok(());
        }
        let change = self.of_stated(stated, stem)?;
        if change != Change::Times(1.0) {
            values.iter_mut().filter(|value| !value.is_nan()).for_each(|value| *value = change.of(*value));
        }
        Ok(())
    }

    fn of_stated(self, stated: &Stated, stem: &str) -> Result<Change, String> {
        let (what, usual) = self.usual();
        let remedy = || {
            let all = UNITS.iter().filter(|(of, ..)| of.contains(&self));
            let known: Vec<&str> = all.map(|(_, names, _)| names[0]).collect();
            format!(
                "{what} are read in {}: convert them, or state the right unit, as with gdal_edit.py -units",
                known.join(", ")
            )
        };
        let vertical = stated.vertical.as_ref().filter(|_| self == Elevation);
        let given = stated.unit.as_ref().or(vertical);
        let by_unit =
            given.map(|unit| self.change(unit).ok_or_else(|| format!("its unit is {unit:?}, and {}", remedy())));
        let by_unit = by_unit.transpose()?;
        let texts = [stem, stated.description.as_str()];
        let words =
            || texts.into_iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric())).map(str::to_lowercase);
        let layer = words().find_map(|word| {
            let of = |(name, quantity, _): &&(&str, Self, &str)| {
                word.trim_end_matches(char::is_numeric) == *name && *quantity == self
            };
            LAYERS.iter().find(of).and_then(|(.., unit)| Some((word.clone(), self.change(unit)?)))
        });
        match (by_unit, layer) {
            (Some(change), Some((word, other))) if change != other => {
                let unit = given.map(String::as_str).unwrap_or_default();
                return Err(format!("its unit is {unit:?}, and its name says {word:?}: correct one of them"));
            }
            (Some(change), _) | (None, Some((_, change))) => return Ok(change),
            (None, None) => {}
        }
        let Some(unstated) = self.change(usual) else { return Ok(Change::Times(1.0)) };
        // A name of one's own is no statement: where it has another unit, the user decides. A metric word behind a number is a resolution.
        let own = texts.iter().find_map(|text| {
            let words: Vec<String> = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
            let is_other = |place: &usize| {
                let before = place.checked_sub(1).map_or("", |before| &words[before]);
                let is_resolution = METRIC.contains(&words[*place].as_str())
                    && !before.is_empty()
                    && before.chars().all(char::is_numeric);
                !is_resolution && self.change(&words[*place]).is_some_and(|change| change != unstated)
            };
            (0..words.len()).find(is_other).map(|place| words[place].clone())
        });
        match own.filter(|_| ![Fuel, Suppressed].contains(&self)) {
            Some(word) => Err(format!(
                "its name has the word {word:?}, and without a unit in the file {what} are taken as {usual}: state the unit in \
                 the file, as with gdal_edit.py -units {word} (a GeoTIFF), or give it another name"
            )),
            None => Ok(unstated),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(quantity: Quantity, unit: &str, value: f64) -> Result<f64, String> {
        let mut values = [value];
        let stated = Stated { unit: Some(unit.into()), ..Stated::default() };
        quantity.convert(&mut values, &stated, "layer")?;
        Ok(values[0])
    }

    #[test]
    fn units_that_are_certain_are_converted() {
        let near = |quantity, unit, value, expected: f64| {
            let found = of(quantity, unit, value).unwrap();
            assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{unit}: {found}, not {expected}");
        };
        for (unit, expected) in [("Meters", 100.0), ("ft", 30.48), ("US survey foot", 120_000.0 / 3937.0), ("cm", 1.0)]
        {
            near(Elevation, unit, 100.0, expected);
        }
        for (unit, expected) in
            [("Percent", 45.0), ("%", 45.0), ("Degrees", 100.0), ("rad", 18_000.0 / std::f64::consts::PI)]
        {
            near(Slope, unit, 100.0, expected);
        }
        for (unit, expected) in [("Meters", 25.0), ("Meters x 10", 2.5), ("feet", 7.62), ("Feet x 10", 0.762)] {
            near(CanopyHeight, unit, 25.0, expected);
        }
        for (unit, expected) in [("km/h", 10.0), ("mph", 16.093_44), ("m s-1", 36.0), ("m/s", 36.0), ("knots", 18.52)] {
            near(Wind, unit, 10.0, expected);
        }
        // East, north-east, north, west: counterclockwise from the east, and clockwise from the north.
        for (grass, azimuth) in [(360.0, 90.0), (45.0, 45.0), (90.0, 0.0), (180.0, 270.0)] {
            near(Aspect, "Grass degrees", grass, azimuth);
        }
        for (part, azimuth) in [(1.0, 90.0), (7.0, 0.0), (13.0, 270.0), (19.0, 180.0), (25.0, -1.0)] {
            near(Aspect, "Grass categories", part, azimuth);
        }
        for (quantity, unit) in [(Moisture, "fraction"), (CanopyCover, "fraction")] {
            near(quantity, unit, 0.06, 6.0);
        }
        near(CanopyCover, "Categories (0-4)", 3.0, 60.0);
        near(Number, "anything", 3.0, 3.0);
    }

    #[test]
    fn units_that_are_not_are_refused() {
        for (quantity, unit) in [
            (Elevation, "Degrees"),
            (Slope, "gon"),
            (Wind, "furlongs"),
            (Fuel, "Meters"),
            (Suppressed, "Percent"),
            (Aspect, "Percent"),
            (Moisture, "mm"),
        ] {
            let error = of(quantity, unit, 1.0).unwrap_err();
            assert!(error.starts_with(&format!("its unit is {unit:?}, and ")), "{error}");
        }
    }

    #[test]
    fn names_of_layers_count_and_words_of_other_units_are_refused() {
        let of = |quantity: Quantity, stem: &str, stated: Stated| {
            let mut values = [100.0];
            quantity.convert(&mut values, &stated, stem).map(|()| values[0].round())
        };
        let none = Stated::default;
        for (stem, expected) in
            [("LC20_SlpP_220", 45.0), ("us_slpp2020", 45.0), ("LC20_SlpD_220", 100.0), ("slope", 100.0)]
        {
            assert_eq!(of(Slope, stem, none()), Ok(expected), "{stem}");
        }
        assert_eq!(of(Slope, "band", Stated { description: "LF2020_SlpP_220".into(), ..none() }), Ok(45.0));
        let degrees = Stated { unit: Some("Degrees".into()), ..none() };
        assert!(of(Slope, "LC20_SlpP_220", degrees).unwrap_err().contains("its name says \"slpp\""));
        for (quantity, stem) in [
            (Slope, "slope_percent"),
            (Elevation, "dem-ft"),
            (Wind, "wind_mph"),
            (CanopyHeight, "h_meters"),
            (Elevation, "dem_cm"),
            (Elevation, "DEM_dm_2020"),
            (CanopyHeight, "canopy_height_m"),
            (CanopyHeight, "ch_cm"),
        ] {
            assert!(of(quantity, stem, none()).unwrap_err().starts_with("its name has the word"), "{stem}");
        }
        for (quantity, stem) in [
            (Elevation, "dem_metres"),
            (Aspect, "slope_percent"),
            (Fuel, "fuel_ft"),
            (Elevation, "dem10m"),
            (Elevation, "dem_5_km"),
            (Elevation, "dem_m"),
            (CanopyHeight, "ch_30_m"),
            (CanopyHeight, "ch_dm"),
        ] {
            assert!(of(quantity, stem, none()).is_ok(), "{stem}");
        }
    }

    #[test]
    fn scale_and_offset_come_first() {
        let stated = Stated { unit: Some("ft".into()), scale: Some(0.1), offset: Some(100.0), ..Stated::default() };
        let mut values = [10.0, f64::NAN];
        Elevation.convert(&mut values, &stated, "z").unwrap();
        assert!((values[0] - 101.0 * FOOT).abs() < 1e-12 && values[1].is_nan());
    }
}
