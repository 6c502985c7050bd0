//! Every field of a result, as tables.

use std::collections::HashSet;

use maud::{Markup, html};
use serde_json::{Map, Value};

use crate::text::significant;

/// The most rows of a table that are shown.
const MOST_ROWS: usize = 500;
/// The fields at the top of the page.
const ABOVE: [&str; 9] =
    ["schema", "version", "model", "seed", "warnings", "digest", "backend", "interrupted", "events_per_second"];

/// The tables of a result.
pub fn all(result: &Value) -> Markup {
    let Some(fields) = result.as_object() else { return html! {} };
    let own = |(name, value): &(&String, &Value)| !ABOVE.contains(&name.as_str()) && !value.is_null();
    let lists: Vec<_> = fields.iter().filter(own).filter(|(_, value)| is_table(value)).collect();
    let single: Vec<_> =
        fields.iter().filter(own).filter(|(_, value)| !value.is_array() && !value.is_object()).collect();
    let groups: Vec<_> = fields.iter().filter(own).filter(|(_, value)| value.is_object()).collect();
    html! {
        @for (name, value) in lists { (table(name, value)) }
        @if let Some(statistics) = fields.get("statistics").and_then(Value::as_object) {
            h2 { "statistics" }
            (pairs(statistics))
        }
        h2 { "run" }
        (pairs(&single.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect()))
        @for (name, value) in groups.into_iter().filter(|(name, _)| *name != "statistics") {
            details open[name == "parameters"] {
                summary { (name) }
                @if let Some(fields) = value.as_object() { (pairs(fields)) }
            }
        }
    }
}

/// A list of objects.
fn is_table(value: &Value) -> bool {
    value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(Value::is_object))
}

/// The fields of an object and of nested objects, with points between the names.
fn flat(prefix: &str, fields: &Map<String, Value>, found: &mut Vec<(String, Value)>) {
    for (name, value) in fields {
        let name = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            Value::Object(inner) => flat(&name, inner, found),
            Value::Array(list) if is_table(value) => {
                let names = names(list);
                for (place, inner) in list.iter().filter_map(Value::as_object).enumerate() {
                    match names.get(place) {
                        // Its name is clearer than its place.
                        Some(own) => flat(&format!("{name}.{own}"), &inner.iter().skip(1).map(cloned).collect(), found),
                        None => flat(&format!("{name}[{}]", place + 1), inner, found),
                    }
                }
            }
            value => found.push((name, value.clone())),
        }
    }
}

fn cloned((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

/// The names of objects that begin with a name, if they all differ.
fn names(list: &[Value]) -> Vec<&str> {
    let found: Vec<&str> = list.iter().filter_map(|object| object.as_object()?.values().next()?.as_str()).collect();
    let are_different = found.iter().collect::<HashSet<_>>().len() == list.len();
    if are_different { found } else { vec![] }
}

fn flattened(fields: &Map<String, Value>) -> Vec<(String, Value)> {
    let mut found = vec![];
    flat("", fields, &mut found);
    found
}

fn pairs(fields: &Map<String, Value>) -> Markup {
    html! {
        div.scroll {
            table {
                tbody {
                    @for (name, value) in flattened(fields).into_iter().filter(|(_, value)| !value.is_null()) {
                        tr {
                            th scope="row" { (name) }
                            (cell(&value))
                        }
                    }
                }
            }
        }
    }
}

fn table(name: &str, value: &Value) -> Markup {
    html! {
        h2 { (name.replace('_', " ")) }
        (rows(value))
    }
}

/// A row for each object, with the columns of all objects.
pub(super) fn rows(value: &Value) -> Markup {
    let all = value.as_array().map_or(&[][..], Vec::as_slice);
    let rows: Vec<Vec<(String, Value)>> =
        all.iter().take(MOST_ROWS).filter_map(Value::as_object).map(flattened).collect();
    let mut columns: Vec<&String> = vec![];
    for (column, _) in rows.iter().flatten().filter(|(_, value)| !value.is_null()) {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    html! {
        div.scroll tabindex="0" {
            table.sorts {
                thead { tr { @for column in &columns { th scope="col" { (column) } } } }
                tbody {
                    @for row in &rows {
                        tr {
                            @for column in &columns {
                                @match row.iter().find(|(name, _)| name == *column) {
                                    Some((_, value)) => (cell(value)),
                                    None => td {},
                                }
                            }
                        }
                    }
                }
            }
        }
        @if all.len() > MOST_ROWS { p { "and " (all.len() - MOST_ROWS) " more: --format json has all" } }
    }
}

/// A number with five digits, and with all digits for sorting; any other value in full.
fn cell(value: &Value) -> Markup {
    match value {
        Value::Null => html! { td {} },
        Value::Number(number) => {
            let shown = match (number.as_f64(), number.is_f64()) {
                (Some(value), true) => significant(value, 5),
                _ => number.to_string(),
            };
            html! { td.number data-value=(number) { (shown) } }
        }
        Value::String(text) if text.contains('\n') => html! { td { pre { (text) } } },
        Value::String(text) => html! { td { (text) } },
        Value::Array(list) => {
            let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            html! { td { (list.iter().map(shown).collect::<Vec<_>>().join(", ")) } }
        }
        other => html! { td { (other) } },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_of_measures_have_their_names() {
        let points = |second: &str| {
            let measures = json!([{ "measure": "queue", "mean": 1.5 }, { "measure": second, "mean": 2.5 }]);
            rows(&json!([{ "point": 1, "measures": measures, "best": [{ "measure": "queue", "mean": 3.5 }] }]))
                .into_string()
        };
        let page = points("cost");
        // Of two lists with the same names none is lost.
        for part in [">measures.queue.mean<", ">measures.cost.mean<", ">best.queue.mean<", ">3.5<"] {
            assert!(page.contains(part), "{part} in {page}");
        }
        // Names that do not differ.
        assert!(points("queue").contains(">measures[2].mean<"));
    }

    #[test]
    fn every_field_is_in_a_table() {
        let result = json!({
            "digest": "d", "events": 5, "wall_seconds": 0.123456789, "adapter": null,
            "stations": [{ "station": "a<b", "load": 1.5, "cost": { "mean": 2.25 } }, { "station": "c", "load": 2e-7 }],
            "statistics": { "utilization": 0.5 }, "parameters": { "until": 7.0, "torus": null },
        });
        let page = all(&result).into_string();
        for part in [
            "a&lt;b",
            "cost.mean",
            "2.25",
            "2e-7",
            "0.12346",
            ">utilization<",
            ">until<",
            "<td class=\"number\" data-value=\"5\">5</td>",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
        assert!(!page.contains("torus") && !page.contains("digest"), "{page}");
    }
}
