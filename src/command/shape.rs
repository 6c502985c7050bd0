//! The JSON Schema of a type.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The schema of a type that is written.
pub fn of_result<T: JsonSchema>() -> Schema {
    let mut schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    RecursiveTransform(first_paragraph).transform(&mut schema);
    schema
}

/// The schema of a type that is read from TOML, which has no `null`.
pub fn of_file<T: JsonSchema>() -> Schema {
    let mut schema = SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>();
    RecursiveTransform(first_paragraph).transform(&mut schema);
    RecursiveTransform(without_null).transform(&mut schema);
    schema
}

/// Keeps the first paragraph of a comment, in one line: examples in Rust are of no use here.
fn first_paragraph(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let first = text.split("\n\n").next().unwrap_or_default();
        *text = first.split_whitespace().collect::<Vec<_>>().join(" ");
    }
}

/// Removes the `null` of fields that may be left out.
fn without_null(schema: &mut Schema) {
    let is_null = |value: &Value| value == "null" || value == &serde_json::json!({ "type": "null" });
    let Some(fields) = schema.as_object_mut() else { return };
    for key in ["type", "anyOf", "enum"] {
        let Some(Value::Array(list)) = fields.get_mut(key) else { continue };
        list.retain(|value| !is_null(value) && !value.is_null());
        let [only] = &list[..] else { continue };
        let only = only.clone();
        match (key, only) {
            ("type", only) => drop(fields.insert("type".into(), only)),
            ("anyOf", Value::Object(only)) => {
                fields.remove("anyOf");
                // The comment of the field goes before that of the type.
                let own = std::mem::replace(fields, only);
                fields.extend(own);
            }
            _ => {}
        }
    }
}
