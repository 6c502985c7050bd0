//! The sketch beside the tables of a network on a terminal: the numbers of tokens over time.

use super::pictures::numbers_over_time;
use crate::terminal::sparkline;
use crate::text::{Table, name, short};
use tickless_queueing::{NetworkModel, NetworkOutcome};

/// Columns in front of a line and behind it.
const BESIDE: usize = 19 + 24;
/// The longest line.
const LONGEST: usize = 80;
/// The most classes that are shown.
const MOST: usize = 7;

/// A line for the network, and one for each class where there are several.
pub fn over_time(model: &NetworkModel, outcomes: &[NetworkOutcome], columns: usize, table: &mut Table) {
    let places = columns.saturating_sub(BESIDE).min(LONGEST);
    let all = numbers_over_time(model, outcomes);
    if places < 8 || all.is_empty() {
        return;
    }
    for line in all.iter().take(MOST) {
        let values: Vec<f64> = line.points.iter().map(|[_, y]| *y).collect();
        let most = values.iter().copied().fold(0.0, f64::max);
        let what = if line.name == "all" { "over time".to_owned() } else { name(&line.name) };
        table.row(&what, format!("{} up to {} tokens", sparkline(&values, places), short(most)));
    }
    table.gap();
}
