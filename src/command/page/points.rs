//! The points of a study in words: a column for each factor and each measure, under names for people.

use serde_json::{Map, Value};

use crate::text::path_in_words;

/// What stands in the parameters of a study: its factors and its measures.
const FACTORS: &str = "factors";
const MEASURES: &str = "measures";
/// Fields of points, of effects and of the best point whose texts are paths.
const PATHS: [&str; 4] = ["factor", FACTORS, "measure", "objective"];

/// A result of a study whose lists have names for people; any other result as it is.
pub fn in_words(result: &Value) -> Value {
    let mut result = result.clone();
    let factors: Vec<String> = texts(&result["parameters"][FACTORS], |factor| factor["factor"].as_str());
    let mut measures: Vec<String> = texts(&result["parameters"][MEASURES], Value::as_str);
    if measures.is_empty() {
        // A study of another model than a network names them in its effects, in their order.
        measures = texts(&result["effects"], |effect| effect["measure"].as_str());
        let mut seen = std::collections::HashSet::new();
        measures.retain(|measure| seen.insert(measure.clone()));
    }
    if factors.is_empty() || measures.is_empty() {
        return result;
    }
    let Some(fields) = result.as_object_mut() else { return result };
    for (name, list) in fields.iter_mut().filter(|(_, list)| list.is_array()) {
        for row in list.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            if name == "points" {
                *row = point(row, [&factors, &measures]);
            }
            paths(row);
        }
    }
    for inner in fields.values_mut().filter_map(Value::as_object_mut) {
        paths(inner);
        if let Some(Value::Array(list)) = inner.get_mut(MEASURES) {
            list.iter_mut().for_each(path);
        }
        if let Some(Value::Array(list)) = inner.get_mut(FACTORS) {
            list.iter_mut().filter_map(Value::as_object_mut).for_each(paths);
        }
    }
    result
}

/// The words of paths, of which no two are alike: those that would be stay paths.
fn texts(list: &Value, text: impl Fn(&Value) -> Option<&str>) -> Vec<String> {
    let paths: Vec<&str> = list.as_array().into_iter().flatten().filter_map(text).collect();
    let words: Vec<String> = paths.iter().map(|path| path_in_words(path)).collect();
    let is_one = |said: &String| words.iter().filter(|other| *other == said).count() == 1;
    let of = |(said, path): (&String, &&str)| if is_one(said) { said.clone() } else { (*path).to_owned() };
    words.iter().zip(&paths).map(of).collect()
}

fn path(text: &mut Value) {
    if let Some(said) = text.as_str() {
        *text = path_in_words(said).into();
    }
}

fn paths(row: &mut Map<String, Value>) {
    for name in PATHS {
        match row.get_mut(name) {
            Some(Value::Array(list)) => list.iter_mut().for_each(path),
            Some(text) => path(text),
            None => {}
        }
    }
}

/// A point with a field for each factor, each measure and each difference.
fn point(row: &Map<String, Value>, [factors, measures]: [&[String]; 2]) -> Map<String, Value> {
    let mut found = Map::new();
    for (name, value) in row {
        let list = value.as_array();
        let named = match name.as_str() {
            "settings" => (factors, ""),
            MEASURES => (measures, ""),
            "differences" => (measures, "difference of "),
            _ => {
                found.insert(name.clone(), value.clone());
                continue;
            }
        };
        for (own, value) in named.0.iter().zip(list.into_iter().flatten()) {
            let mut value = value.clone();
            // It rests on as many replications as the point has.
            if let Some(figure) = value.as_object_mut().filter(|figure| figure.get("count") == row.get("replications"))
            {
                figure.remove("count");
            }
            found.insert(format!("{}{own}", named.1), value);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn points_have_columns_for_people() {
        let figure = |mean: f64| json!({ "mean": mean, "half_width": 0.5, "count": 4 });
        let result = json!({
            "parameters": { "factors": [{ "factor": "station.a.servers", "levels": ["1", "2"] }], "measures": ["station.a.mean_waiting_time"] },
            "points": [
                { "point": 1, "settings": ["2"], "replications": 4, "measures": [figure(3.0)], "differences": null },
                { "point": 2, "settings": ["1"], "replications": 4, "measures": [figure(5.0)], "differences": [figure(2.0)] },
            ],
            "effects": [{ "measure": "station.a.mean_waiting_time", "factor": "station.a.servers", "level": "2" }],
        });
        let told = in_words(&result);
        let point = &told["points"][1];
        assert_eq!((&point["servers at a"], &point["mean waiting time at a"]["mean"]), (&"1".into(), &5.0.into()));
        assert_eq!(point["difference of mean waiting time at a"]["mean"], 2.0);
        assert!(point["mean waiting time at a"]["count"].is_null() && point["measures"].is_null(), "{point}");
        assert_eq!(told["effects"][0]["factor"], "servers at a");
        assert!(!told.to_string().contains("mean_waiting_time"), "{told}");
        let other = json!({ "stations": [{ "station": "a.b" }], "parameters": { "measures": ["x_y"] } });
        assert_eq!(in_words(&other), other);
    }
}
