//! What tokens carry: the rows of the model table.

use super::model_table::Rows;
use super::records::{NONE, Parameters};
use super::rows::{self, Row};
use crate::NetworkModel;
use crate::model::{Rules, Values, VisitRules};
use tickless_device::laws::Laws;

/// In place of the number of a law of patience: the token gives up by what it carries.
pub(super) const BY_VALUE: u32 = u32::MAX - 1;

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
    let classes = rules.classes() as usize;
    let by = |(place, visit): (usize, &VisitRules)| {
        let (number, factor) = visit.patience_by.map_or((NONE, 0), |size| (size.attribute, size.factor));
        let from_source = rules.stations[place / classes].patience_from_source.into();
        Row::from(rows::PatienceBy { number, factor, from_source })
    };
    rows.extend(rules.visits.iter().enumerate().map(by));
}
