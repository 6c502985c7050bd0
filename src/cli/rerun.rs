//! `tickless rerun`: repeats the run of a result and holds the digests against each other.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use super::arguments::{Backend, DeviceArguments, Format};
use super::backend::Ready;
use super::case::{self, Case};
use super::inputs::check_unchanged;
use super::interrupt::Interrupt;
use super::output::print;
use super::report::{self, Origin, RerunReport, RunReport};
use super::report_text;
use super::version::{SCHEMA, VERSION};
use super::warning::{self, Warning};
use super::{CommandError, Ending};
use crate::reading::{self, Kind};

const CODES: &str = "Exit codes: 0 the same digest, 1 another one, 2 error, 130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = CODES)]
pub struct RerunArguments {
    /// What a run of a model wrote with --format json
    #[arg(value_name = "RESULT.json")]
    pub file: PathBuf,
    /// What runs it [default: the backend of the result]
    #[arg(long, value_name = "NAME")]
    backend: Option<Backend>,
    #[command(flatten)]
    device: DeviceArguments,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    format: Format,
}

/// Repeats the run of a model.
///
/// # Errors
/// [`CommandError`].
pub fn repeat<C: Case>(
    stored: &Stored,
    arguments: &RerunArguments,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    if stored.value.get("runs").is_some() {
        return Err(stored.fault("it is that of a comparison".into()));
    }
    let expected: RunReport<IgnoredAny> = stored.read_as()?;
    if expected.interrupted {
        return Err(stored.fault("its run was interrupted, and where that came is no part of the model".into()));
    }
    let origin: Origin<C::Arguments> = stored.read_as()?;
    stored.check_hash("digest", &expected.digest)?;
    for (place, input) in origin.inputs.iter().enumerate() {
        stored.check_hash(&format!("inputs[{place}].sha256"), &input.sha256)?;
    }
    check_unchanged(&origin.inputs, stored.path)?;
    let mut case = C::prepare(origin.arguments, &C::Options::default(), &C::Files::default())?;
    if case.inputs() != origin.inputs {
        return Err(stored.fault("its `arguments` and its `inputs` name different files".into()));
    }
    let backend = stored.backend(&expected.backend, arguments)?;
    let (backend, mut warnings) = Ready::choose(backend, &arguments.device, case.suits())?;
    if origin.version != VERSION {
        warnings.push(Warning::OtherVersion { version: origin.version.clone(), own: VERSION });
    }
    case.check_size(&backend)?;
    warning::tell(arguments.format, &warnings);
    let run = case::execute(&mut case, &backend, None, interrupt)?;

    let found = C::digest(&run.outcome).to_string();
    let equal = (!run.interrupted).then(|| found == expected.digest);
    let report = RerunReport {
        schema: SCHEMA,
        version: VERSION,
        model: C::NAME,
        file: stored.path.display().to_string(),
        expected_version: origin.version,
        expected_backend: expected.backend,
        backend: backend.name(),
        adapter: backend.adapter().cloned(),
        wall_seconds: run.wall.as_secs_f64(),
        expected: expected.digest,
        found,
        equal,
        interrupted: run.interrupted,
        warnings,
    };
    print(&match arguments.format {
        Format::Text => report_text::rerun(&report),
        Format::Json => report::json(&report)?,
    })?;
    Ok(match equal {
        Some(true) => Ending::Done,
        Some(false) => Ending::Different,
        None => Ending::Interrupted,
    })
}

/// A result as it was written.
pub struct Stored<'a> {
    path: &'a Path,
    value: Value,
}

/// Of a SHA-256, in hexadecimal.
const DIGITS: usize = 64;
/// The most characters of a value that an error repeats.
const LONGEST: usize = 40;

impl<'a> Stored<'a> {
    /// Reads a result, and refuses one whose fields mean something else.
    pub fn read(path: &'a Path) -> Result<Self, CommandError> {
        let text = reading::text(path, Kind::Result)
            .map_err(|source| CommandError::ResultFile { path: path.to_owned(), source })?;
        let mut stored = Self { path, value: Value::Null };
        stored.value = serde_json::from_str(&text).map_err(|error| stored.fault(format!("it is no JSON: {error}")))?;
        if stored.value.get("schema").is_none() {
            return Err(stored
                .fault("it has no field `schema`: it is no result of tickless, or one from before schema 2".into()));
        }
        match stored.field("schema")? {
            SCHEMA => Ok(stored),
            newer @ SCHEMA.. => Err(CommandError::NewerSchema { path: path.to_owned(), found: newer }),
            older => Err(stored.fault(format!("it has schema {older}; this tickless reads schema {SCHEMA}"))),
        }
    }

    /// What is wrong with it.
    pub fn fault(&self, fault: String) -> CommandError {
        CommandError::NoResult { path: self.path.to_owned(), fault }
    }

    /// A field that every result of tickless has.
    pub fn field<T: DeserializeOwned>(&self, name: &str) -> Result<T, CommandError> {
        let value = self.value.get(name).ok_or_else(|| self.fault(format!("it has no field `{name}`")))?;
        T::deserialize(value).map_err(|error| self.fault(format!("`{name}` is {}: {error}", shown(value))))
    }

    /// Its fields by the type that wrote them; others are left alone.
    fn read_as<T: DeserializeOwned>(&self) -> Result<T, CommandError> {
        serde_path_to_error::deserialize(&self.value).map_err(|error| {
            let path = error.path().to_string();
            let pointer = format!("/{}", path.replace(['.', '['], "/").replace(']', ""));
            let fault = error.inner();
            self.fault(match self.value.pointer(&pointer) {
                Some(value) if !value.is_object() => format!("`{path}` is {}: {fault}", shown(value)),
                Some(_) => format!("in `{path}`: {fault}"),
                None => fault.to_string(),
            })
        })
    }

    /// Refuses what no digest can be: it would differ from every run.
    fn check_hash(&self, name: &str, hash: &str) -> Result<(), CommandError> {
        let right = hash.len() == DIGITS && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let what = format!("a SHA-256, which is {DIGITS} digits from 0 to 9 and a to f");
        let fault = || format!("`{name}` is {}; it must be {what}", shown(&hash.into()));
        if right { Ok(()) } else { Err(self.fault(fault())) }
    }

    /// The backend of the options, or else that of the result.
    fn backend(&self, ran: &str, arguments: &RerunArguments) -> Result<Backend, CommandError> {
        let asks = arguments.device.adapter.is_some() || arguments.device.no_int64;
        let ran = match ran {
            // An option that only an adapter can follow asks for one.
            "heap" if asks => Backend::Auto,
            "heap" => Backend::Heap,
            "wgpu" => Backend::Wgpu,
            "cuda" => Backend::Cuda,
            other => return Err(self.fault(format!("its backend is '{other}', none of heap, wgpu and cuda"))),
        };
        Ok(arguments.backend.unwrap_or(ran))
    }
}

/// A value as an error repeats it.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > LONGEST { text.chars().take(LONGEST).chain(['…']).collect() } else { text }
}
