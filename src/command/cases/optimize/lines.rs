//! The lines of the CSV file of `--points`.

use super::report::OptimizeFigures;
use tickless_core::number::Written;
use tickless_experiments::optimization::Optimization;

/// A line for each point, below the names of the columns: `point`, the factors, `replications`, `within_limits`, two columns a measure
/// and `digest`.
pub fn points<'a>(
    optimization: &'a Optimization,
    figures: &'a OptimizeFigures,
) -> impl Iterator<Item = Vec<String>> + 'a {
    let names = |before: &[&str]| before.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let factors = optimization.factors().iter().map(|factor| factor.name().to_owned());
    let measures = optimization.measures().iter();
    let of_measures = measures.flat_map(|measure| ["", "_half_width"].map(|end| format!("{}{end}", measure.name())));
    let head = names(&["point"]).into_iter().chain(factors).chain(names(&["replications", "within_limits"]));
    let head = head.chain(of_measures).chain(names(&["digest"])).collect();
    let lines = figures.points.iter().map(|point| {
        let number = |value: f64| Written(value).to_string();
        let figures = point.measures.iter().flat_map(move |figure| {
            [figure.mean.map(number).unwrap_or_default(), figure.half_width.map(number).unwrap_or_default()]
        });
        let before = [point.point.to_string()].into_iter().chain(point.settings.iter().cloned());
        let counts = [point.replications.to_string(), point.within_limits.to_string()];
        before.chain(counts).chain(figures).chain([point.digest.clone()]).collect()
    });
    [head].into_iter().chain(lines)
}
