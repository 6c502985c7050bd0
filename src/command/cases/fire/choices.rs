//! Values of options of `tickless cells fire`.

use std::fmt;
use std::str::FromStr;

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use tickless_fire::{Ignition, LATEST, LengthToWidth, Spreading, WindLimit};

/// Whether the effective wind is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// It is not (Andrews, Cruz and Rothermel 2013)
    None,
    /// To 0.9 times the reaction intensity (Rothermel 1972)
    Rothermel,
}

impl Limit {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Rothermel => "rothermel",
        }
    }
}

impl From<Limit> for WindLimit {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::None => Self::None,
            Limit::Rothermel => Self::Rothermel,
        }
    }
}

/// The program by whose formulas trees and fuels make the wind at midflame height.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Adjustment {
    /// Every canopy shelters, by its cover (Finney 1998 and 2006, after Albini and Baughman 1979)
    Flammap,
    /// Crowns that fill 5 % of the space below their tops shelter, by cover and --crown-ratio (Andrews 2012, likewise)
    Behaveplus,
}

impl Adjustment {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flammap => "flammap",
            Self::Behaveplus => "behaveplus",
        }
    }
}

/// How fire comes from cell to cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Spread {
    /// As fronts, straight from between two cells: fires have the shape of their ellipses
    Fronts,
    /// From each of the eight neighbours alone: fires have eight corners, and are too small where the wind blows
    Neighbours,
}

impl Spread {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fronts => "fronts",
            Self::Neighbours => "neighbours",
        }
    }

    /// The default for old results, which had no other way.
    pub fn neighbours() -> Self {
        Self::Neighbours
    }
}

impl From<Spread> for Spreading {
    fn from(spread: Spread) -> Self {
        match spread {
            Spread::Fronts => Self::Fronts,
            Spread::Neighbours => Self::Neighbours,
        }
    }
}

/// The law of how many times longer than wide a fire is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Anderson 1983, of the wind at midflame height
    Anderson,
    /// Alexander 1985, of the wind at 10 m
    Alexander,
    /// Rothermel 1991, of the wind at midflame height
    Rothermel,
}

impl Shape {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anderson => "anderson",
            Self::Alexander => "alexander",
            Self::Rothermel => "rothermel",
        }
    }

    /// The default for old results, which had no other way.
    pub fn anderson() -> Self {
        Self::Anderson
    }
}

impl From<Shape> for LengthToWidth {
    fn from(shape: Shape) -> Self {
        match shape {
            Shape::Anderson => Self::Anderson,
            Shape::Alexander => Self::Alexander,
            Shape::Rothermel => Self::Rothermel,
        }
    }
}

/// A cell that burns from a minute on.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(into = "String")]
#[schemars(inline)]
pub struct Spot {
    column: u32,
    row: u32,
    minute: f64,
}

impl FromStr for Spot {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = || {
            let (place, minute) = text.split_once('@').unwrap_or((text, "0"));
            let (column, row) = place.split_once(',')?;
            let [column, row] = [column, row].map(|along| along.trim().parse().ok());
            Some(Self { column: column?, row: row?, minute: minute.trim().parse().ok()? })
        };
        parse().filter(|spot: &Self| (0.0..=LATEST).contains(&spot.minute)).ok_or_else(|| {
            "it takes COLUMN,ROW or COLUMN,ROW@MINUTE, as in 100,40 or 100,40@30: columns and rows are whole numbers from 0, \
             minutes numbers from 0 to 2^31"
                .into()
        })
    }
}

impl Spot {
    /// The ignition there.
    pub fn ignition(&self) -> Ignition {
        Ignition::cell(self.column, self.row).at(self.minute)
    }
}

impl TryFrom<String> for Spot {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}@{}", self.column, self.row, self.minute)
    }
}

impl Serialize for Spot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spot_reads_back_as_it_is_written() {
        for (given, written) in [("3,4", "3,4@0"), (" 3 , 4@ 0.1", "3,4@0.1"), ("0,9@1e-9", "0,9@0.000000001")] {
            let spot: Spot = given.parse().unwrap();
            assert_eq!(spot.to_string(), written);
            let json = serde_json::to_string(&spot).unwrap();
            assert_eq!((serde_json::from_str::<Spot>(&json).unwrap(), json), (spot, format!("{written:?}")));
        }
        assert!(["3", "3,4@", "-1,0", "3,4,5"].iter().all(|text| text.parse::<Spot>().is_err()));
    }
}
