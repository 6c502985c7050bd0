//! Fuel models by number: the standard models, and those of a file.

use std::borrow::Cow;

use super::fuel::{FUELS, of_tons};
use super::raster::{finite, wrong};
use super::{BARE, FireError, Fuel};
use tickless_core::reading::without_mark;

/// Tonnes per hectare in a short ton per acre; centimetres in a foot; kilojoules per kilogram in a Btu per pound.
const METRIC: [f64; 3] = [2.241_702, 30.48, 2.326];
/// The least and the most heat content, in Btu per pound: numbers in other units are far off.
const HEATS: [f64; 2] = [2_000.0, 12_000.0];
/// The fields of a line: names, and the ranges of numbers, in the units of [`FuelModels::parse`].
const FIELDS: [(&str, [f64; 2]); 15] = [
    ("number", [1.0, 65_535.0]),
    ("code", [0.0; 2]),
    ("load_1h", [0.0, 500.0]),
    ("load_10h", [0.0, 500.0]),
    ("load_100h", [0.0, 500.0]),
    ("load_herb", [0.0, 500.0]),
    ("load_woody", [0.0, 500.0]),
    ("type", [0.0; 2]),
    ("ratio_1h", [0.0, 10_000.0]),
    ("ratio_herb", [0.0, 10_000.0]),
    ("ratio_woody", [0.0, 10_000.0]),
    ("depth", [0.0, 1_000.0]),
    ("extinction", [0.0, 400.0]),
    ("heat_dead", HEATS),
    ("heat_live", HEATS),
];

/// The fuel models that a landscape can have: the standard models ([`Fuel::of`]), and the user's own, which take
/// precedence.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::FuelModels;
/// let text = "14 garrigue 2.5 1.1 0.4 0.2 3.1 static 1800 1600 1500 3.2 25 8200 8400\n";
/// let models = FuelModels::parse(text, "custom.fmd")?;
/// assert_eq!(models.of(14).unwrap().depth, 3.2);
/// assert_eq!(models.all().count(), 54);
/// let error = FuelModels::parse(&text.replace("3.2", "0"), "custom.fmd").unwrap_err();
/// assert_eq!(error.to_string(), "custom.fmd, line 1: depth is \"0\"; it must be a number above 0, at most 1000");
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FuelModels {
    own: Vec<Fuel>,
}

impl FuelModels {
    /// The model of a number, if it is one that burns.
    pub fn of(&self, number: u16) -> Option<&Fuel> {
        if self.own.is_empty() {
            return Fuel::of(number);
        }
        let own = self.own.binary_search_by_key(&number, |fuel| fuel.number).ok().map(|place| &self.own[place]);
        own.or_else(|| Fuel::of(number))
    }

    /// All models that burn, by number.
    pub fn all(&self) -> impl Iterator<Item = &Fuel> {
        let own = |number| self.own.binary_search_by_key(&number, |fuel: &Fuel| fuel.number).is_ok();
        let mut all: Vec<&Fuel> = Fuel::all().iter().filter(|fuel| !own(fuel.number)).chain(&self.own).collect();
        all.sort_by_key(|fuel| fuel.number);
        all.into_iter()
    }

    /// Whether a number may be in a landscape: a fuel model, ground that never burns, or nothing.
    pub(super) fn knows(&self, number: u16) -> bool {
        number == 0 || BARE.contains(&number) || self.of(number).is_some()
    }

    /// The numbers that fuels can have, for messages.
    pub(super) fn numbers(&self) -> Cow<'static, str> {
        if self.own.is_empty() {
            return FUELS.into();
        }
        let own: Vec<String> = self.own.iter().map(|fuel| fuel.number.to_string()).collect();
        format!("{} of --fuel-models, {FUELS}", own.join(", ")).into()
    }

    /// Reads fuel models in the order of FARSITE's `.fmd`, a line each, between spaces or commas:
    ///
    /// number, code, loads (1-hour, 10-hour, 100-hour, live herbaceous, live woody; tons per acre), `static` or `dynamic`,
    /// surface-to-volume ratios (1-hour, live herbaceous, live woody; per foot), depth (feet), moisture of extinction (percent),
    /// heat content of dead and live fuel (Btu per pound).
    ///
    /// A line with only the word `METRIC` changes the units behind it to tonnes per hectare, per centimetre, centimetres, and
    /// kilojoules per kilogram; `ENGLISH` changes them back. A line before the first model that begins with a letter is a heading. A
    /// description may follow the fields of a model, and text behind `#` is a comment.
    /// A model with the number of a standard model replaces it.
    ///
    /// # Errors
    /// [`FireError`], which names the file, the line and the value.
    pub fn parse(text: &str, name: &str) -> Result<Self, FireError> {
        let (mut own, mut metric): (Vec<Fuel>, bool) = (vec![], false);
        for (line, number) in without_mark(text).lines().zip(1..) {
            let line = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = line.split([',', ' ', '\t', '\r']).filter(|word| !word.is_empty()).collect();
            match words[..] {
                [] => continue,
                [unit] if unit.eq_ignore_ascii_case("metric") => metric = true,
                [unit] if unit.eq_ignore_ascii_case("english") => metric = false,
                [word, ..] if own.is_empty() && word.starts_with(char::is_alphabetic) => {}
                _ => {
                    let fuel = Line { file: name, number, words: &words, metric }.fuel()?;
                    if own.iter().any(|other| other.number == fuel.number) {
                        let what = format!("the fuel model {}", fuel.number);
                        return Err(FireError::Twice { file: name.into(), line: number, what });
                    }
                    own.push(fuel);
                }
            }
        }
        if own.is_empty() {
            return Err(FireError::Missing { file: name.into(), what: "line of a fuel model".into() });
        }
        own.sort_by_key(|fuel| fuel.number);
        Ok(Self { own })
    }
}

/// A line of a file of fuel models.
struct Line<'a> {
    file: &'a str,
    number: u64,
    words: &'a [&'a str],
    metric: bool,
}

impl Line<'_> {
    fn fuel(&self) -> Result<Fuel, FireError> {
        let (found, expected) = (self.words.len(), FIELDS.len());
        if found < expected {
            let names = FIELDS.map(|(name, _)| name).join(", ");
            let allowed = format!("{expected} or more, in this order: {names}");
            return Err(wrong(self.file, self.number, "the number of fields", &found.to_string(), &allowed));
        }
        let number = self.value(0, false)?;
        let fits = number.fract() == 0.0 && !BARE.contains(&(number as u16));
        if !fits {
            return Err(
                self.wrong(0, "a whole number from 1 to 65535, and none of 91, 92, 93, 98 and 99, which never burn")
            );
        }
        let dynamic = match self.words[7] {
            word if word.eq_ignore_ascii_case("dynamic") => true,
            word if word.eq_ignore_ascii_case("static") => false,
            _ => return Err(self.wrong(7, "static or dynamic")),
        };
        let [tons, per_foot, btu] = if self.metric { METRIC } else { [1.0; 3] };
        let mut loads = [0.0; 5];
        for (place, load) in loads.iter_mut().enumerate() {
            // A fire needs fine dead fuel to spread.
            *load = self.value(2 + place, place == 0)? / tons;
        }
        // A load without a surface never heats up.
        let needed = [loads[0] > 0.0, loads[3] > 0.0, loads[4] > 0.0];
        let mut ratios = [0.0; 3];
        for (place, ratio) in ratios.iter_mut().enumerate() {
            let value = self.value(8 + place, needed[place])? * if self.metric { per_foot } else { 1.0 };
            *ratio = if needed[place] { value } else { 0.0 };
        }
        Ok(Fuel {
            number: number as u16,
            code: Cow::Owned(self.words[1].to_owned()),
            depth: self.value(11, true)? / per_foot,
            extinction: self.value(12, true)? / 100.0,
            heat: [self.heat(13, btu)?, self.heat(14, btu)?],
            loads: of_tons(loads),
            ratios,
            dynamic,
        })
    }

    /// The number in a field; above 0 where it must be.
    fn value(&self, place: usize, positive: bool) -> Result<f64, FireError> {
        let [least, most] = FIELDS[place].1;
        let value = finite(self.words[place]).filter(|value| (least..=most).contains(value));
        value.filter(|value| !positive || *value > 0.0).ok_or_else(|| match positive {
            true => self.wrong(place, &format!("a number above 0, at most {most}")),
            false => self.wrong(place, &format!("a number from {least} to {most}")),
        })
    }

    /// Heat content in Btu per pound.
    fn heat(&self, place: usize, btu: f64) -> Result<f64, FireError> {
        let [least, most] = HEATS.map(|heat| heat * btu);
        let value = finite(self.words[place]).filter(|value| (least..=most).contains(value)).map(|value| value / btu);
        let unit = if self.metric { "kilojoules per kilogram" } else { "Btu per pound" };
        value.ok_or_else(|| self.wrong(place, &format!("a number of {unit} from {least} to {most}")))
    }

    fn wrong(&self, place: usize, allowed: &str) -> FireError {
        wrong(self.file, self.number, FIELDS[place].0, self.words[place], allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRASS: &str = "FuelMod# FuelCode 1H 10H 100H LiveH LiveW FMtype 1HSAV LiveHSAV LiveWSAV Depth XtMoist DHt LHt\n\
                         14, GR2, 0.1, 0, 0, 1.0, 0, dynamic, 2000, 1800, 0, 1.0, 15, 8000, 8000 # as published\n";

    /// Model 102 under another number is model 102; in metric units it is the same up to rounding.
    #[test]
    fn a_published_model_reads_back() {
        let read = FuelModels::parse(GRASS, "g.fmd").unwrap();
        let expected = Fuel { number: 14, ..Fuel::of(102).unwrap().clone() };
        assert_eq!(read.of(14), Some(&expected));
        let metric = "METRIC\nFuelMod# FuelCode\n14 GR2 0.2241702 0 0 2.241702 0 dynamic 65.6168 59.0551 0 30.48 15 18608 18608 as published\n";
        let metric = FuelModels::parse(metric, "m.fmd").unwrap().of(14).unwrap().clone();
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-5 * b;
        assert!(
            near(metric.loads[0], expected.loads[0])
                && near(metric.ratios[0], 2000.0)
                && near(metric.ratios[1], 1800.0)
        );
        assert!(near(metric.depth, 1.0) && near(metric.heat[0], 8000.0));
    }

    #[test]
    fn a_model_of_ones_own_takes_the_place_of_a_standard_one() {
        let models = FuelModels::parse(&GRASS.replace("14,", "2,"), "g.fmd").unwrap();
        assert_eq!((&*models.of(2).unwrap().code, models.all().count()), ("GR2", 53));
        assert!(
            models.all().map(|fuel| fuel.number).is_sorted()
                && models.numbers().starts_with("2 of --fuel-models, 1 to 13")
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let of = |from: &str, to: &str| FuelModels::parse(&GRASS.replace(from, to), "g.fmd").unwrap_err().to_string();
        for (from, to, said) in [
            (
                "14,",
                "99,",
                "g.fmd, line 2: number is \"99\"; it must be a whole number from 1 to 65535, and none of 91",
            ),
            ("dynamic", "live", "g.fmd, line 2: type is \"live\"; it must be static or dynamic"),
            ("2000,", "0,", "g.fmd, line 2: ratio_1h is \"0\"; it must be a number above 0, at most 10000"),
            ("0.1,", "0,", "g.fmd, line 2: load_1h is \"0\"; it must be a number above 0"),
            (
                ", 8000 #",
                "#",
                "g.fmd, line 2: the number of fields is \"14\"; it must be 15 or more, in this order: number, code",
            ),
            (
                "8000, 8000",
                "8000, 18608",
                "g.fmd, line 2: heat_live is \"18608\"; it must be a number of Btu per pound from 2000 to 12000",
            ),
            ("14, GR2", "#", "g.fmd has no line of a fuel model: add it"),
        ] {
            let found = of(from, to);
            assert!(found.starts_with(said), "{found}");
        }
        let twice = format!("{GRASS}{}", GRASS.lines().nth(1).unwrap());
        let found = FuelModels::parse(&twice, "g.fmd").unwrap_err().to_string();
        assert_eq!(found, "g.fmd, line 3: the fuel model 14 is there twice; give it once");
    }
}
