//! Maps of a report on a space of rules: the values of its cells at the end.

use super::RulesCase;
use crate::page::{Drawing, Picture};
use crate::text::short;
use tickless_cells::{CellModel as _, CellOutcome};
use tickless_core::picture;

/// The most ports that are drawn.
const MOST: usize = 4;
const SIDE: u32 = 512;
/// The colour of an unknown value.
const UNKNOWN: [u8; 3] = [128, 128, 128];

/// The first plane of the first replication, for each port if there are any.
pub fn pictures(case: &RulesCase, outcome: &CellOutcome) -> Vec<Picture> {
    let file = case.model.file();
    let ports = file.ports();
    let count = ports.len().max(1);
    // The cells of a plane come one after the other, by rows.
    let ends = (0..outcome.cells() as u32).map(|cell| file.place(cell)).take_while(|place| place[2..] == [0, 0]);
    let Some([rows, columns]) = ends.last().map(|place| [place[0] + 1, place[1] + 1]) else { return vec![] };
    let step = rows.max(columns).div_ceil(SIDE);
    let size = [columns.div_ceil(step), rows.div_ceil(step)];
    let plane = (rows * columns) as usize;
    let words = case.model.output_words();
    (0..count.min(MOST))
        .filter_map(|port| {
            let values = case.model.numbers(&outcome.output[..plane * words]).skip(port).step_by(count);
            let values: Vec<Option<f64>> = values.map(|number| number.value()).collect();
            let shown: Vec<Option<f64>> = (0..size[1] * size[0])
                .map(|pixel| values[(pixel / size[0] * step * columns + pixel % size[0] * step) as usize])
                .collect();
            let known = || values.iter().flatten().copied();
            let (least, most) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
            let width = (most - least).max(f64::MIN_POSITIVE);
            let colour = |value: &Option<f64>| value.map_or(UNKNOWN, |value| picture::colour((value - least) / width));
            let mut png = vec![];
            picture::write(size, shown.iter().map(colour), &mut png).ok()?;
            let what = ports.get(port).map_or("Values".to_owned(), |name| format!("Values of port {name}"));
            let range = match known().next() {
                Some(_) if least < most => format!(", from {} (violet) to {} (yellow)", short(least), short(most)),
                Some(_) => format!(", all {}", short(least)),
                None => ", none of them known".into(),
            };
            let title = format!("{what} of the cells at the end{range}");
            Some(Picture { about: title.clone(), title, drawing: Drawing::Pixels(png) })
        })
        .collect()
}
