//! The lines of the CSV file of `--points`.

use super::report::PointReport;
use tickless_core::number::Written;

/// A line for each point, below the names of the columns: `point`, the factors, `replications`, four columns a measure and `digest`.
pub fn points<'a>(
    (factors, measures): (&[&str], &[&str]),
    points: &'a [PointReport],
) -> impl Iterator<Item = Vec<String>> + 'a {
    let factors = factors.iter().map(|factor| (*factor).to_owned());
    let of_measures = measures.iter().flat_map(|measure| {
        ["", "_half_width", "_difference", "_difference_half_width"].map(|end| format!("{measure}{end}"))
    });
    let head = ["point".to_owned()].into_iter().chain(factors).chain(["replications".to_owned()]).chain(of_measures);
    let head = head.chain(["digest".to_owned()]).collect();
    let lines = points.iter().map(|point| {
        let number = |value: f64| Written(value).to_string();
        let all = point.measures.iter().enumerate().flat_map(|(place, figure)| {
            let difference = point.differences.as_ref().map(|all| all[place]);
            let half = |figure: Option<f64>| figure.map(number).unwrap_or_default();
            [
                figure.mean.map(number).unwrap_or_default(),
                half(figure.half_width),
                half(difference.and_then(|figure| figure.mean)),
                half(difference.and_then(|figure| figure.half_width)),
            ]
        });
        let before = [point.point.to_string()].into_iter().chain(point.settings.iter().cloned());
        before.chain([point.replications.to_string()]).chain(all).chain([point.digest.clone()]).collect()
    });
    [head].into_iter().chain(lines)
}
