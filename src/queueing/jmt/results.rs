//! The results that files of JMT carry.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::xml::{Xml, children};

/// A measure of a run of JMT.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JmtMeasure {
    /// JMT's name of the measure, as `Response Time`.
    pub measure: String,
    /// The node; empty for the whole network.
    pub station: String,
    /// The class; empty for all of them.
    pub class: String,
    /// Its mean.
    pub mean: f64,
    /// The lower end of its interval; `null` where JMT has given none.
    pub lower: Option<f64>,
    /// The upper end of its interval.
    pub upper: Option<f64>,
}

/// The measures below a root.
pub(super) fn measures(root: Xml<'_>, sim: Xml<'_>) -> Vec<JmtMeasure> {
    let results = children(root, "results").flat_map(|all| children(all, "measure")).filter_map(|one| result(one, sim));
    let solutions = children(root, "solutions").flat_map(|all| children(all, "measure")).filter_map(solution);
    results.chain(solutions).collect()
}

/// A finite number of an attribute.
fn finite(element: Xml<'_>, name: &str) -> Option<f64> {
    element.attribute(name)?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A measure with the samples of its mean. Its number of a type differs between versions of JMT: that of its name in the model does not.
fn result(measure: Xml<'_>, sim: Xml<'_>) -> Option<JmtMeasure> {
    let name = measure.attribute("name")?;
    let text = |key| measure.attribute(key).unwrap_or_default().to_owned();
    let of_model = |one: &Xml<'_>| {
        let same =
            |theirs, ours| one.attribute(theirs).unwrap_or_default() == measure.attribute(ours).unwrap_or_default();
        one.attribute("name") == Some(name)
            && same("referenceNode", "referenceStation")
            && same("referenceUserClass", "referenceClass")
    };
    let declared = children(sim, "measure").find(of_model)?;
    let last = children(measure, "sample").last();
    let bounds = children(measure, "sample").filter(|sample| finite(*sample, "lowerBound").is_some()).last();
    Some(JmtMeasure {
        measure: declared.attribute("type")?.to_owned(),
        station: text("referenceStation"),
        class: text("referenceClass"),
        mean: finite(measure, "finalValue").or_else(|| finite(last?, "meanValue"))?,
        lower: bounds.and_then(|sample| finite(sample, "lowerBound")),
        upper: bounds.and_then(|sample| finite(sample, "upperBound")),
    })
}

/// A measure without samples.
fn solution(measure: Xml<'_>) -> Option<JmtMeasure> {
    let text = |key| measure.attribute(key).unwrap_or_default().to_owned();
    Some(JmtMeasure {
        measure: text("measureType"),
        station: text("station"),
        class: text("class"),
        mean: finite(measure, "meanValue")?,
        lower: finite(measure, "lowerLimit"),
        upper: finite(measure, "upperLimit"),
    })
}
