//! The lines of the CSV file of `--points`.

use super::points::{FigureReport, Grid, PointReport, Seen};
use tickless_core::number::Written;

/// A line for each point, below the names of the columns: `point`, the factors, `replications`, `within_limits` where there are limits, two
/// columns a measure, and two more for the difference where there is a baseline, and `digest`.
pub fn lines<S: Seen>(grid: &Grid, points: &[PointReport<S>]) -> impl Iterator<Item = Vec<String>> {
    let of_figure = |end: &str| ["", "_half_width"].map(|half| format!("{end}{half}"));
    let ends = [""].into_iter().chain(S::HAS_BASELINE.then_some("_difference")).flat_map(of_figure).collect::<Vec<_>>();
    let mut head = vec!["point".to_owned()];
    head.extend(grid.factors.iter().map(|factor| factor.name.clone()));
    head.push("replications".into());
    head.extend((!S::HAS_BASELINE).then(|| "within_limits".into()));
    head.extend(grid.measures.iter().flat_map(|measure| ends.iter().map(move |end| format!("{measure}{end}"))));
    head.push("digest".into());
    let number = |value: Option<f64>| value.map(|value| Written(value).to_string()).unwrap_or_default();
    let cells = move |figure: Option<&FigureReport>| {
        [figure.and_then(|figure| figure.mean), figure.and_then(|figure| figure.half_width)].map(number)
    };
    let of_point = move |point: &PointReport<S>| {
        let mut line = vec![point.point.to_string()];
        line.extend(point.settings.iter().cloned());
        line.push(point.replications.to_string());
        line.extend(point.seen.within_limits().map(|is_within| is_within.to_string()));
        for (place, figure) in point.seen.measures().iter().enumerate() {
            line.extend(cells(Some(figure)));
            let difference = point.seen.differences().map(|all| &all[place]);
            line.extend(S::HAS_BASELINE.then(|| cells(difference)).into_iter().flatten());
        }
        line.push(point.digest.clone());
        line
    };
    [head].into_iter().chain(points.iter().map(of_point).collect::<Vec<_>>())
}
