//! `tickless schema`: what JSON Schema says of network files and of results, and the pages of docs/reference, both made of the types that
//! are read and written.

mod page;

use clap::{Args, ValueEnum};
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use super::cases::{CASES, EXPERIMENT};
use super::devices::DevicesReport;
use super::output::print;
use super::profile::ProfileReport;
use super::report::{CompareReport, Report, RerunReport, json};
use super::reproduce::Reproduction;
use super::{CommandError, Ending};
use crate::experiments::NetworkFile;
use crate::reading::names;

/// The arguments of `tickless schema`.
#[derive(Debug, Args)]
pub struct SchemaArguments {
    /// The format, as the list names it [default: the list]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// How it is written
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    format: SchemaFormat,
}

/// How a format is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SchemaFormat {
    /// JSON Schema, of draft 2020-12, which editors and validators read
    Json,
    /// For people: the page of docs/reference
    Markdown,
}

/// What is there in results of any model.
type AnyOf = Map<String, Value>;

/// A format of files or results.
struct Described {
    name: String,
    about: String,
    schema: fn() -> Schema,
    kind: Kind,
}

/// What a format is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A file in TOML.
    File,
    /// The result of a model, which has the fields of every run.
    Run,
    /// Another result.
    Other,
}

/// Every format.
fn all() -> Vec<Described> {
    let other = |name: &str, about: &str, schema| {
        let (name, about) = (name.to_owned(), about.to_owned());
        Described { name, about, schema, kind: Kind::Other }
    };
    let file = "Network files, with the tables of experiments and optimizations";
    let mut all = vec![
        Described { kind: Kind::File, ..other("network-file", file, of_file::<NetworkFile>) },
        other("run", "What the results of all models have", of_result::<Report<AnyOf, AnyOf, AnyOf>>),
    ];
    let models = CASES.iter().filter(|case| case.group != EXPERIMENT);
    all.extend(models.map(|case| {
        let about = case.about.split(';').next().unwrap_or(case.about);
        let about = format!("Results of `tickless {}`: {about}", case.words());
        Described { name: case.name.to_owned(), about, schema: case.schema, kind: Kind::Run }
    }));
    // They are alike, whatever the model.
    let varied = CASES.iter().find(|case| case.group == EXPERIMENT);
    all.extend(varied.map(|case| Described {
        kind: Kind::Run,
        ..other(
            "experiment-model",
            "Results of `tickless experiment` with a model whose options are varied",
            case.schema,
        )
    }));
    all.extend([
        other("compare", "Results of `tickless compare`", of_result::<CompareReport<AnyOf, AnyOf, AnyOf>>),
        other("rerun", "Results of `tickless rerun`", of_result::<RerunReport>),
        other("devices", "Results of `tickless devices`", of_result::<DevicesReport>),
        other("profile", "Results of `tickless profile`", of_result::<ProfileReport<AnyOf>>),
        other("reproduce", "Results of `tickless reproduce`", of_result::<Reproduction>),
    ]);
    all
}

/// Lists formats, or describes one.
///
/// # Errors
/// A name that no format has.
pub fn run(arguments: &SchemaArguments) -> Result<Ending, CommandError> {
    let all = all();
    let Some(name) = &arguments.name else {
        if arguments.format == SchemaFormat::Markdown {
            let message =
                "--format markdown is of one format: name it, as in tickless schema network --format markdown";
            return Err(CommandError::Usage { message: message.into() });
        }
        let line = |one: &Described| format!("{:<18}{}\n", one.name, one.about.replace('`', ""));
        print(&all.iter().map(line).collect::<String>())?;
        return Ok(Ending::Done);
    };
    let Some(found) = all.iter().find(|one| one.name == *name) else {
        let known = names::known(name, all.iter().map(|one| one.name.as_str()));
        return Err(CommandError::Usage { message: format!("no format is named '{name}': {known}") });
    };
    let schema = found.titled();
    print(&match arguments.format {
        SchemaFormat::Json => json(&schema)?,
        SchemaFormat::Markdown => {
            let run = of_result::<Report<AnyOf, AnyOf, AnyOf>>();
            let known = if found.kind == Kind::Run { Some(&run) } else { None };
            page::page(&found.name, &schema, known, found.kind == Kind::File)
        }
    })?;
    Ok(Ending::Done)
}

impl Described {
    /// With what it is of.
    fn titled(&self) -> Schema {
        let mut schema = (self.schema)();
        schema.insert("title".into(), format!("tickless {}", self.name).into());
        let about = match schema.get("description").and_then(Value::as_str).filter(|_| self.kind == Kind::File) {
            Some(said) => format!("{}. {said}", self.about),
            None => format!("{}.", self.about),
        };
        schema.insert("description".into(), about.into());
        schema
    }
}

/// Of what is written.
pub fn of_result<T: JsonSchema>() -> Schema {
    let mut schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    RecursiveTransform(first_paragraph).transform(&mut schema);
    schema
}

/// Of what is read from TOML, which has no `null`.
fn of_file<T: JsonSchema>() -> Schema {
    let mut schema = SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>();
    RecursiveTransform(first_paragraph).transform(&mut schema);
    RecursiveTransform(without_null).transform(&mut schema);
    schema
}

/// What a comment says first, in one line: programs that show how to use a type in Rust are of no use here.
fn first_paragraph(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let first = text.split("\n\n").next().unwrap_or_default();
        *text = first.split_whitespace().collect::<Vec<_>>().join(" ");
    }
}

/// Without the `null` of what may be left out.
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
                // What is said of the field goes before what is said of the type.
                let own = std::mem::replace(fields, only);
                fields.extend(own);
            }
            _ => {}
        }
    }
}
