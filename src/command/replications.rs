//! The replications of an ensemble that run: a number of them, or a range for a shard.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

/// Replications from `first` on, up to `end`, which is not among them. A number is those from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "Given")]
#[schemars(into = "Given")]
#[schemars(inline)]
pub struct ReplicationRange {
    first: u32,
    end: u32,
}

/// Its form in a result.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number of replications, or a range of them as \"100..200\"")]
#[schemars(inline)]
enum Given {
    Number(u32),
    Range(String),
}

impl TryFrom<Given> for ReplicationRange {
    type Error = String;

    /// The model checks the number.
    fn try_from(given: Given) -> Result<Self, String> {
        match given {
            Given::Number(end) => Ok(Self { first: 0, end }),
            Given::Range(text) => text.parse(),
        }
    }
}

impl FromStr for ReplicationRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text, u32::MAX)
    }
}

impl ReplicationRange {
    /// From a text, for a model with so many replications at most.
    pub fn parse(text: &str, most: u32) -> Result<Self, String> {
        let range = || match text.split_once("..") {
            None => Some(Self { first: 0, end: text.parse().ok()? }),
            Some((first, end)) => Some(Self { first: first.parse().ok()?, end: end.parse().ok()? }),
        };
        let allowed = |range: &Self| range.first < range.end && range.end <= most;
        range().filter(allowed).ok_or_else(|| {
            format!("it takes a whole number from 1 to {most}, or a range of replications, as 100..200 for those from 100 to 199")
        })
    }

    /// The replications of a range.
    pub fn of(Range { start, end }: Range<u32>) -> Self {
        Self { first: start, end }
    }

    /// Their numbers.
    pub fn numbers(self) -> Range<u32> {
        self.first..self.end
    }

    /// How many there are.
    pub fn count(self) -> u32 {
        self.end.saturating_sub(self.first)
    }

    /// This many from the same first one on.
    pub fn with_count(self, count: u32) -> Self {
        Self { end: self.first.saturating_add(count), ..self }
    }
}

impl fmt::Display for ReplicationRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first {
            0 => write!(f, "{}", self.end),
            first => write!(f, "{first}..{}", self.end),
        }
    }
}

impl Serialize for ReplicationRange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.first {
            0 => serializer.serialize_u32(self.end),
            _ => serializer.collect_str(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for (text, numbers, json) in [("1", 0..1, "1"), ("0..7", 0..7, "7"), ("100..200", 100..200, "\"100..200\"")] {
            let found: ReplicationRange = text.parse().unwrap();
            assert_eq!((found.numbers(), serde_json::to_string(&found).unwrap().as_str()), (numbers, json));
            assert_eq!(serde_json::from_str::<ReplicationRange>(json).unwrap(), found);
        }
        let shorter = ReplicationRange::of(5..9).with_count(2);
        assert_eq!((shorter.numbers(), shorter.count(), shorter.to_string()), (5..7, 2, "5..7".into()));
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in ["0", "", "5..5", "7..5", "-1..3", "1..", "..3", "1..2..3", "1...4", "x", "0..101", "101"] {
            let said = ReplicationRange::parse(text, 100).unwrap_err();
            assert!(said.contains("from 1 to 100, or a range"), "{text}: {said}");
        }
        assert!(serde_json::from_str::<ReplicationRange>("\"5..5\"").is_err());
    }
}
