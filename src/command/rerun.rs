//! `tickless rerun`: repeats the run of a result and compares the digests.

use std::path::PathBuf;

use clap::Args;
use serde::de::IgnoredAny;

use super::arguments::{Backend, DeviceArguments, Format};
use super::backend::Ready;
use super::case::{self, Case, Wanted};
use super::foreign;
use super::inputs::check_unchanged;
use super::interrupt::Interrupt;
use super::merge;
use super::report::{Origin, RerunReport, RunReport, print_as};
use super::report_text;
use super::run;
use super::stored::Stored;
use super::version::{SCHEMA, VERSION};
use super::warning::{self, Warning};
use super::{CommandError, Ending};

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
    let case = C::prepare(origin.arguments, &C::Options::default(), &C::Files::default());
    let mut case = case.map_err(|error| stored.wrong(error))?;
    if case.inputs() != origin.inputs {
        return Err(stored.fault("its `arguments` and its `inputs` name different files".into()));
    }
    let backend = stored.backend(&expected.backend, arguments)?;
    case::check_threads::<C>(&arguments.device)?;
    let (mut backend, mut warnings) = Ready::choose(backend, &arguments.device, case.suits())?;
    warnings.extend(Warning::of_version(&origin.version));
    case.check_size(&backend.room(), Wanted::Figures)?;
    foreign::tell(stored.path, &case.read_only(), &[]);
    warning::tell(arguments.format, &warnings);
    let run =
        run::execute(&mut case, (&mut backend, arguments.format), Wanted::Figures, None, interrupt, |_, _| Ok(()))?;
    warnings.extend_from_slice(backend.unused());

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
    print_as(arguments.format, &report, || report_text::rerun(&report))??;
    Ok(match equal {
        Some(true) => Ending::Done,
        Some(false) => Ending::Different,
        None => Ending::Interrupted,
    })
}

impl Stored<'_> {
    /// The backend of the options, or else that of the result.
    fn backend(&self, ran: &str, arguments: &RerunArguments) -> Result<Backend, CommandError> {
        let asks = arguments.device.asks_for_one();
        let ran = match ran {
            // An option of adapters asks for an adapter.
            "heap" if asks => Backend::Auto,
            // Its shards may have run anywhere.
            merge::BACKEND => Backend::Auto,
            "heap" => Backend::Heap,
            "wgpu" => Backend::Wgpu,
            "cuda" => Backend::Cuda,
            other => {
                return Err(self.fault(format!("its backend is '{other}', none of heap, wgpu, cuda and merge")));
            }
        };
        Ok(arguments.backend.unwrap_or(ran))
    }
}
