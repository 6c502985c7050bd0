//! The fields of `tickless experiment phold` and its like.

use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::VariedOption;
use crate::cases::experiment::grid::Grid;
use crate::cases::experiment::report::{
    EffectReport, FactorReport, InteractionReport, PointReport, effect_reports, interaction_reports, points,
};

/// What ran.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VariedParameters {
    /// The options that are varied.
    pub factors: Vec<FactorReport>,
    /// How many there are.
    pub points: usize,
    /// Runs of each point.
    pub seeds: u32,
}

/// How much has run.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct VariedStatistics {
    /// Points that have ended.
    pub ended: usize,
}

/// What the runs gave.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VariedFigures {
    /// How much has run.
    pub statistics: VariedStatistics,
    /// The names of what was measured.
    pub measures: Vec<String>,
    /// Those that have ended; point 1 is the baseline.
    pub points: Vec<PointReport>,
    /// How much larger each measure is with a value of an option than with its first one; `null` where points are missing.
    pub effects: Option<Vec<EffectReport>>,
    /// How much larger the effect of one option is beside a value of another one than beside that one's first value; `null` likewise.
    pub interactions: Option<Vec<InteractionReport>>,
}

impl VariedParameters {
    pub fn new(options: &[VariedOption], points: usize, seeds: u32) -> Self {
        let factor = |option: &VariedOption| FactorReport {
            factor: option.name.clone(),
            levels: Some(option.levels.iter().map(|level| level.shown.clone()).collect()),
        };
        Self { factors: options.iter().map(factor).collect(), points, seeds }
    }
}

impl VariedFigures {
    pub fn new(grid: &Grid) -> Self {
        Self {
            statistics: VariedStatistics { ended: grid.points.len() },
            measures: grid.measures.clone(),
            points: points(grid),
            effects: effect_reports(grid),
            interactions: interaction_reports(grid),
        }
    }

    pub fn names(&self) -> Vec<&str> {
        self.measures.iter().map(String::as_str).collect()
    }
}
