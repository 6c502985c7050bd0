//! `tickless schema`: the JSON Schema of network files and of results, and the pages of docs/reference, both made of the types that are
//! read and written.

mod page;
mod repeats;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use schemars::Schema;
use serde_json::{Map, Value};

use super::cases::{CASES, EXPERIMENT};
use super::devices::DevicesReport;
use super::output::{print, write_into};
use super::profile::ProfileReport;
use super::report::{CompareReport, Report, RerunReport, json};
use super::reproduce::Reproduction;
use super::shape::{of_file, of_result};
use super::{CommandError, Ending};
use page::Other;
use tickless_core::reading::names;
use tickless_experiments::NetworkFile;

/// The arguments of `tickless schema`.
#[derive(Debug, Args)]
pub struct SchemaArguments {
    /// The format, as the list names it [default: the list]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// How it is written [default: json]
    #[arg(long, value_name = "FORMAT")]
    format: Option<SchemaFormat>,
    /// Write every format into this folder, as network.json or network.md
    #[arg(long, value_name = "FOLDER", conflicts_with = "name")]
    write: Option<PathBuf>,
}

/// How a format is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SchemaFormat {
    /// JSON Schema, of draft 2020-12, which editors and validators read
    Json,
    /// For people: the page of docs/reference
    Markdown,
}

/// The fields that results of every model have.
type AnyOf = Map<String, Value>;

/// A format of files or results.
struct Described {
    name: String,
    about: String,
    schema: fn() -> Schema,
    kind: Kind,
}

/// The kind of a format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A file in TOML.
    File,
    /// The part common to all runs.
    Run,
    /// The result of a model, or of a command.
    Result,
}

/// Every format.
fn all() -> Vec<Described> {
    let of = |name: &str, about: &str, schema| {
        let (name, about) = (name.to_owned(), about.to_owned());
        Described { name, about, schema, kind: Kind::Result }
    };
    let file = "Network files, with the tables of experiments and optimizations";
    let mut all = vec![
        Described { kind: Kind::File, ..of("network-file", file, of_file::<NetworkFile>) },
        Described {
            kind: Kind::Run,
            ..of(
                "run",
                "What the results of all models have, beside `statistics`, the main figures of each, and others of its own",
                of_result::<Report<AnyOf, AnyOf, AnyOf>>,
            )
        },
    ];
    let models = CASES.iter().filter(|case| case.group != EXPERIMENT);
    all.extend(models.map(|case| {
        let about = case.about.split(';').next().unwrap_or(case.about);
        let about = format!("Results of `tickless {}`: {about}", case.words());
        Described { name: case.name.to_owned(), about, schema: case.schema, kind: Kind::Result }
    }));
    // Experiments are alike, whatever the model.
    let varied = CASES.iter().find(|case| case.group == EXPERIMENT);
    all.extend(varied.map(|case| {
        of("experiment-model", "Results of `tickless experiment` with a model whose options are varied", case.schema)
    }));
    all.extend([
        of("compare", "Results of `tickless compare`", of_result::<CompareReport<AnyOf, AnyOf, AnyOf>>),
        of("rerun", "Results of `tickless rerun`", of_result::<RerunReport>),
        of("devices", "Results of `tickless devices`", of_result::<DevicesReport>),
        of("profile", "Results of `tickless profile`", of_result::<ProfileReport<AnyOf>>),
        of("reproduce", "Results of `tickless reproduce`", of_result::<Reproduction>),
    ]);
    all
}

/// Lists formats, describes one or writes all.
///
/// # Errors
/// An unknown name, and a file that cannot be written.
pub fn run(arguments: &SchemaArguments) -> Result<Ending, CommandError> {
    let SchemaArguments { name, format, write: folder } = arguments;
    let (all, given, format) = (all(), *format, format.unwrap_or(SchemaFormat::Json));
    if let Some(folder) = folder {
        let end = if format == SchemaFormat::Json { "json" } else { "md" };
        let file = |one: &Described| Ok((format!("{}.{end}", one.name), one.text(format)?));
        return write_into(folder, all.iter().map(file).collect::<Result<_, CommandError>>()?);
    }
    let Some(name) = name else {
        if given.is_some() {
            let message =
                "--format is of one format, as in tickless schema network --format markdown, or of all with --write";
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
    print(&found.text(format)?)?;
    Ok(Ending::Done)
}

/// The result that has most of the fields of this one, whose page describes them.
fn alike(name: &str) -> Option<&'static str> {
    match name {
        "torus" => Some("network"),
        "fire" | "watershed" => Some("rules"),
        "optimize" | "experiment-model" => Some("experiment"),
        _ => None,
    }
}

impl Described {
    /// As it is printed.
    fn text(&self, format: SchemaFormat) -> Result<String, CommandError> {
        let schema = self.titled();
        match format {
            SchemaFormat::Json => json(&schema),
            SchemaFormat::Markdown => {
                let run = of_result::<Report<AnyOf, AnyOf, AnyOf>>();
                let alike = alike(&self.name).and_then(|name| all().into_iter().find(|one| one.name == name));
                let alike = alike.map(|one| ((one.schema)(), one.name));
                let mut others = vec![];
                if self.kind == Kind::Result {
                    others.push(Other { page: "run", about: "every run", schema: &run });
                    others.extend(alike.as_ref().map(|(schema, name)| Other { page: name, about: name, schema }));
                }
                Ok(page::page(&self.name, &schema, &others, self.kind == Kind::File))
            }
        }
    }

    /// With a title.
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
