//! What tokens carry: the rows of the model table.

use super::model_table::Rows;
use super::records::{NONE, Parameters};
use super::rows::{self, Row};
use crate::NetworkModel;
use crate::model::{Rules, Values};
use tickless_device::laws::Laws;

/// By what stations order, the laws of the attributes, the values of traces, and the sizes of services.
pub(super) fn rows(
    (model, rules): (&NetworkModel, &Rules),
    parameters: &mut Parameters,
    laws: &mut Laws,
    rows: &mut Rows,
) {
    parameters.attributes = rows.len() as u32;
    parameters.attribute_count = rules.attributes.len() as u32;
    rows.extend(rules.stations.iter().map(|of| Row::from(rows::OrderBy { number: of.order_by })));
    let all = rules.attributes.iter().flat_map(|attribute| &attribute.laws);
    rows.extend(all.map(|law| Row::from(rows::AttributeLaw { law: laws.number(law) })));
    let mut next = rows.len() as u32 + model.sources();
    for source in &rules.sources {
        let first = if source.values.is_empty() { NONE } else { next };
        rows.push(rows::SourceValues { first }.into());
        next += 2 * source.values.len() as u32;
    }
    let pair = |first: u64, second: u64| Row::from(rows::TraceValues { first, second });
    let of_row = |values: &Values| {
        let [a, b, c, d] = values.map(|value| value.ticks());
        [pair(a, b), pair(c, d)]
    };
    rows.extend(rules.sources.iter().flat_map(|source| &source.values).flat_map(of_row));
    parameters.sizes = rows.len() as u32;
    let size = |(number, factor)| Row::from(rows::Size { number, factor });
    let sizes = rules.visits.iter().map(|visit| visit.size.map_or((NONE, 0), |size| (size.attribute, size.factor)));
    rows.extend(sizes.map(size));
}
