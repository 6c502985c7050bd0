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
        self.own_unit().unwrap_or("time units")
    }

    /// The same for one.
    pub fn time_unit(&self) -> &str {
        self.own_unit().unwrap_or("time unit")
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
}
