//! The fields of a result, as tables: each with its interval, under its name in words.

use std::collections::{HashMap, HashSet};

use maud::{Markup, html};
use serde_json::{Map, Value};

use crate::figures::sure;
use crate::text::{counted, grouped, significant};

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

/// A field of a table.
struct Field {
    name: String,
    value: Value,
    /// Half of the interval of its value.
    half_width: Option<f64>,
    /// What is shown in place of the value.
    in_words: Option<String>,
}

/// What a field in words has at the end of its name.
const IN_WORDS: &str = "_in_words";

/// The fields with their intervals and their words, which are not fields of their own; without standard deviations, which intervals are made of.
fn flattened(fields: &Map<String, Value>) -> Vec<Field> {
    let mut found = vec![];
    flat("", fields, &mut found);
    let numbers: HashMap<&str, f64> =
        found.iter().filter_map(|(name, value)| Some((&**name, value.as_f64()?))).collect();
    let half_width = |name: &str| half_widths(name).iter().find_map(|half| numbers.get(&**half).copied());
    let names: HashSet<&str> = found.iter().map(|(name, _)| &**name).collect();
    let halves: HashSet<String> = names.iter().flat_map(|name| half_widths(name)).collect();
    let is_own = |name: &str| {
        let is_words = name.strip_suffix(IN_WORDS).is_some_and(|of| names.contains(of));
        !halves.contains(name) && !is_words && !name.starts_with("standard_deviations.")
    };
    let words = |of: &str| {
        let (_, words) = found.iter().find(|(name, _)| name.strip_suffix(IN_WORDS) == Some(of))?;
        words.as_str().map(str::to_owned)
    };
    let own = found.iter().filter(|(name, _)| is_own(name));
    own.map(|(name, value)| Field {
        name: name.clone(),
        value: value.clone(),
        half_width: half_width(name),
        in_words: words(name),
    })
    .collect()
}

/// The names that the half of the interval of a field may have.
fn half_widths(name: &str) -> Vec<String> {
    let of_value = ["mean", "here"].into_iter().find_map(|end| name.strip_suffix(end));
    let of_value = of_value.filter(|before| before.is_empty() || before.ends_with('.'));
    let of_value = of_value.map(|before| format!("{before}half_width"));
    [format!("half_widths.{name}"), format!("{name}_half_width")].into_iter().chain(of_value).collect()
}

/// The name of a field in words. A point before a digit is that of a number.
fn in_words(name: &str) -> String {
    let name = name.strip_suffix(".mean").unwrap_or(name).replace(['_', '['], " ").replace(']', "");
    let is_number = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let mut parts = name.split('.');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| format!("{text}{}{part}", if is_number(part) { "." } else { " " }))
}

/// A line for each field.
pub fn pairs(fields: &Map<String, Value>) -> Markup {
    html! {
        div.scroll {
            table {
                tbody {
                    @for field in flattened(fields).into_iter().filter(|field| !field.value.is_null()) {
                        tr {
                            th scope="row" title=(field.name) { (in_words(&field.name)) }
                            (cell(&field))
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

/// Whether a row is of a class, has numbers, and all of them are 0: a class that never came to a station. Of a station, a source or a sink
/// such a row may be what is looked for.
fn is_idle(row: &[Field]) -> bool {
    if !row.iter().any(|field| field.name == "class") {
        return false;
    }
    let figures = row.iter().filter(|field| !field.name.starts_with("rests_on."));
    let mut numbers = figures.filter_map(|field| field.value.as_f64()).peekable();
    numbers.peek().is_some() && numbers.all(|number| number == 0.0)
}

/// A row for each object but those of zeros, with the columns of all objects.
pub(super) fn rows(value: &Value) -> Markup {
    let all = value.as_array().map_or(&[][..], Vec::as_slice);
    let mut rows: Vec<Vec<Field>> = all.iter().take(MOST_ROWS).filter_map(Value::as_object).map(flattened).collect();
    let count = rows.len();
    if !rows.iter().all(|row| is_idle(row)) {
        rows.retain(|row| !is_idle(row));
    }
    let left_out = count - rows.len();
    let mut columns: Vec<&str> = vec![];
    // The one class of a network without classes has no name.
    let is_empty = |value: &Value| value.is_null() || value.as_str() == Some("");
    // The row with the most fields has their order.
    let mut longest: Vec<&Vec<Field>> = rows.iter().collect();
    longest.sort_by_key(|row| std::cmp::Reverse(row.iter().filter(|field| !is_empty(&field.value)).count()));
    for field in longest.into_iter().flatten().filter(|field| !is_empty(&field.value)) {
        if !columns.contains(&&*field.name) {
            columns.push(&field.name);
        }
    }
    let is_number = |column: &str| rows.iter().flatten().any(|field| field.name == column && field.value.is_number());
    html! {
        div.scroll tabindex="0" {
            table.sorts {
                thead {
                    tr {
                        @for column in &columns {
                            th.number[is_number(column)] scope="col" title=(column) { (in_words(column)) }
                        }
                    }
                }
                tbody {
                    @for row in &rows {
                        tr {
                            @for column in &columns {
                                @match row.iter().find(|field| field.name == *column) {
                                    Some(field) => (cell(field)),
                                    None => td {},
                                }
                            }
                        }
                    }
                }
            }
        }
        @if left_out > 0 { p { "without " (counted(left_out as u64, "row")) " of zeros" } }
        @if all.len() > MOST_ROWS { p { "and " (all.len() - MOST_ROWS) " more: --format json has all" } }
    }
}

/// A number with five digits, or as many as its interval leaves, and with all digits for sorting; any other value in full.
fn cell(field: &Field) -> Markup {
    match &field.value {
        Value::Null => html! { td {} },
        Value::Number(number) => {
            let shown = match (number.as_f64(), number.is_f64()) {
                _ if field.in_words.is_some() => field.in_words.clone().unwrap_or_default(),
                (Some(value), _) if field.half_width.is_some() => sure(value, field.half_width.unwrap_or_default()),
                (Some(value), true) => significant(value, 5),
                (Some(value), _) if value >= 1e4 && !field.name.ends_with("seed") => {
                    number.as_u64().map_or_else(|| number.to_string(), grouped)
                }
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
        for part in [">measures queue<", ">measures cost<", ">best queue<", ">3.5<"] {
            assert!(page.contains(part), "{part} in {page}");
        }
        // Names that do not differ.
        assert!(points("queue").contains(">measures 2<"));
    }

    #[test]
    fn a_figure_stands_with_its_interval() {
        let station = |name: &str, busy: f64| {
            let estimate = json!({ "mean": 12.3456, "half_width": 0.5 });
            json!({ "station": name, "class": "c", "mean_busy": busy, "lost": 0, "wait": 75.2758, "wait_half_width": 0.5123, "cost": estimate,
                    "half_widths": { "mean_busy": 12.345, "wait": null }, "standard_deviations": { "mean_busy": 7.0 } })
        };
        let page =
            rows(&json!([station("a", 2345.678), { "station": "b", "class": "c", "mean_busy": 0.0, "rests_on": { "wait": 3 } }]))
                .into_string();
        for part in [
            ">mean busy<",
            ">2346 ± 12<",
            "data-value=\"2345.678\"",
            ">75.28 ± 0.51<",
            ">12.35 ± 0.50<",
            "without 1 row of zeros",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
        assert!(!page.contains(">half") && !page.contains("deviation") && !page.contains(">b<"), "{page}");
        // The one class of a network without classes, and large counts.
        let page = rows(&json!([{ "class": "", "events": 1_234_567, "seed": 1_234_567 }])).into_string();
        assert!(!page.contains("class\"") && page.contains(">1,234,567<") && page.contains(">1234567<"), "{page}");
        let page = rows(&json!([{ "a": 1, "c": 3 }, { "a": 1, "b": 2, "c": 3 }])).into_string();
        let places = [">a<", ">b<", ">c<"].map(|head| page.find(head).unwrap());
        assert!(places.is_sorted(), "{page}");
        // Sorted by the number.
        let target = rows(&json!([{ "target": 0.25, "target_in_words": "15 s" }])).into_string();
        assert!(target.contains("data-value=\"0.25\">15 s<") && !target.contains("in words"), "{target}");
        // Of no class it may be what is looked for.
        assert!(rows(&json!([{ "station": "b", "lost": 0 }])).into_string().contains(">b<"));
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
            ">cost<",
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
