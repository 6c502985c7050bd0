//! The user's own words for a time unit, a token and money.

use std::borrow::Cow;

use crate::error::NetworkError;
use tickless_core::number::{acts, named};

/// The most characters of a word.
const MOST: usize = 24;

/// Units of time with their lengths in microseconds.
pub(crate) const UNITS: [(&[&str], u64); 7] = [
    (&["us", "µs"], 1),
    (&["ms"], 1000),
    (&["s", "sec", "second", "seconds"], 1_000_000),
    (&["min", "minute", "minutes"], 60_000_000),
    (&["h", "hr", "hour", "hours"], 3_600_000_000),
    (&["d", "day", "days"], 86_400_000_000),
    (&["week", "weeks"], 604_800_000_000),
];

/// The length of a unit, if it is one of these.
pub(crate) fn microseconds(unit: &str) -> Option<u64> {
    UNITS.iter().find(|(names, _)| names.contains(&unit.trim())).map(|(_, length)| *length)
}

/// `days` for `day`, and `min` for `min`: the known units that are written out have a plural.
fn several(unit: &str) -> &str {
    let is_plural = |name: &&&str| name.strip_suffix('s') == Some(unit);
    UNITS.iter().flat_map(|(names, _)| *names).find(is_plural).unwrap_or(&unit)
}

/// `day` for `days`.
fn one(unit: &str) -> &str {
    let is_singular = |name: &&&str| unit.strip_suffix('s') == Some(**name);
    UNITS.iter().flat_map(|(names, _)| *names).find(is_singular).unwrap_or(&unit)
}

/// Whether five digits say all of a number that is not small.
fn is_short(number: f64) -> bool {
    let rounded = format!("{number:.4e}").parse().unwrap_or(0.0);
    number >= 0.1 && (number - rounded).abs() <= 1e-9 * number
}

/// What results call a time unit, a token and the unit of costs: [`Network::unit`](super::Network::unit),
/// [`Network::token`](super::Network::token) and [`Network::currency`](super::Network::currency) say it.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Station};
/// let mut network = Network::new().unit("min").token("patient");
/// let desk = network.station(Station::new("desk", "constant:1".parse()?).tokens(1));
/// network.route(desk, desk, 1.0, 0.0);
/// let model = network.check()?;
/// let words = model.words();
/// assert_eq!((words.time_units(), words.token(), &*words.tokens()), ("min", "patient", "patients"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    pub(in super::super) unit: Option<String>,
    pub(in super::super) token: Option<String>,
    pub(in super::super) currency: Option<String>,
}

impl Words {
    /// The word for a time unit, if there is one.
    pub fn own_unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }

    /// How long a time unit is, where its word is a known unit of time.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// assert_eq!(tickless::queueing::Words::default().microseconds(), None);
    /// ```
    pub fn microseconds(&self) -> Option<u64> {
        self.own_unit().and_then(microseconds)
    }

    /// What stands behind a number of time units: `time units`, or the user's word.
    pub fn time_units(&self) -> &str {
        self.own_unit().map_or("time units", several)
    }

    /// The same for one.
    pub fn time_unit(&self) -> &str {
        self.own_unit().map_or("time unit", one)
    }

    /// The word behind this number: `1 day`, and `3 days`.
    pub fn behind(&self, number: &str) -> &str {
        if number == "1" { self.time_unit() } else { self.time_units() }
    }

    /// A time in the largest unit, no longer than the own one, in which its number is short, and the word behind it.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::queueing::Network;
    /// # let mut network = Network::new().unit("min");
    /// # let desk = network.station(tickless::queueing::Station::new("desk", "constant:1".parse()?).tokens(1));
    /// # network.route(desk, desk, 1.0, 0.0);
    /// // A network whose unit is "min".
    /// let model = network.check()?;
    /// assert_eq!(model.words().shortest(1.0 / 3.0), (20.0, "s"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shortest(&self, units: f64) -> (f64, &str) {
        let own = self.microseconds().filter(|_| !is_short(units));
        let shorter = UNITS.iter().rev().find_map(|(names, length)| {
            let own = own.filter(|own| length < own)?;
            Some((units * (own / length) as f64, names[0])).filter(|(number, _)| is_short(*number))
        });
        let (number, unit) = shorter.unwrap_or((units, self.time_units()));
        match shorter {
            // Nobody sees more digits, so that 20.000000000000004 s are 20 s.
            Some(_) => (format!("{number:.4e}").parse().unwrap_or(number), unit),
            None => (number, if number == 1.0 { self.time_unit() } else { unit }),
        }
    }

    /// The word for a token, if there is one.
    pub fn own_token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// `token`, or the user's word.
    pub fn token(&self) -> &str {
        self.own_token().unwrap_or("token")
    }

    /// The same for several.
    pub fn tokens(&self) -> Cow<'static, str> {
        self.own_token().map_or("tokens".into(), |token| named(2_u32, token).into())
    }

    /// The word for the unit of costs, if there is one.
    pub fn currency(&self) -> Option<&str> {
        self.currency.as_deref()
    }

    /// What stands behind a cost: `EUR per h`, or `per h` without a word for the unit of costs.
    pub fn of_cost(&self) -> String {
        let per = format!("per {}", self.time_unit());
        self.currency().map_or(per.clone(), |currency| format!("{currency} {per}"))
    }

    pub(in super::super) fn check(&self) -> Result<(), NetworkError> {
        let fits =
            |word: &str| (1..=MOST).contains(&word.chars().count()) && !word.trim().is_empty() && !word.contains(acts);
        for (key, word) in [("unit", &self.unit), ("token", &self.token), ("currency", &self.currency)] {
            if let Some(word) = word.as_ref().filter(|word| !fits(word)) {
                return Err(NetworkError::Word { key, word: word.clone(), most: MOST });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_say_nothing_or_act_are_refused() {
        let of = |word: &str| Words { token: Some(word.to_owned()), ..Words::default() }.check();
        for word in ["h", "Patientin", "患者", &"x".repeat(24)] {
            assert_eq!(of(word), Ok(()), "{word}");
        }
        for word in ["", "  ", "a\tb", "\u{202e}x", "\u{200b}", &"x".repeat(25)] {
            let said = of(word).expect_err(word).to_string();
            assert!(said.contains("`token` is '") && said.contains("1 to 24 characters"), "{said}");
        }
        let plural = |word: &str| Words { token: Some(word.to_owned()), ..Words::default() }.tokens().into_owned();
        assert_eq!(
            ["box", "party", "day", "dish", "call"].map(plural),
            ["boxes", "parties", "days", "dishes", "calls"]
        );
    }

    #[test]
    fn units_that_are_written_out_have_a_plural() {
        for (unit, one, several) in [
            ("day", "day", "days"),
            ("hours", "hour", "hours"),
            ("min", "min", "min"),
            ("s", "s", "s"),
            ("ms", "ms", "ms"),
            ("d", "d", "d"),
            ("Tag", "Tag", "Tag"),
        ] {
            let words = Words { unit: Some(unit.into()), ..Words::default() };
            assert_eq!((words.time_unit(), words.time_units()), (one, several));
            assert_eq!((words.behind("1"), words.behind("3")), (one, several));
        }
    }

    #[test]
    fn a_time_has_the_largest_unit_in_which_it_is_short() {
        for (unit, time, told) in [
            ("min", 20.0 / 60.0, (20.0, "s")),
            ("min", 0.5, (0.5, "min")),
            ("min", 90.0, (90.0, "min")),
            ("h", 20.0 / 3600.0, (20.0, "s")),
            ("h", 7.0 / 60.0, (7.0, "min")),
            ("day", 1.0, (1.0, "day")),
            ("day", 3.0, (3.0, "days")),
            ("day", 1.0 / 24.0, (1.0, "h")),
            ("s", 0.05, (50.0, "ms")),
            ("s", 0.0, (0.0, "s")),
            ("min", 1.0 / 7.0, (1.0 / 7.0, "min")),
            ("Tag", 1.0 / 3.0, (1.0 / 3.0, "Tag")),
        ] {
            let words = Words { unit: Some(unit.into()), ..Words::default() };
            assert_eq!(words.shortest(time), told, "{time} {unit}");
        }
        assert_eq!(Words::default().shortest(2.0), (2.0, "time units"));
    }
}
