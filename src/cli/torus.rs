//! `tickless torus`

use super::arguments::{Format, TorusArguments};
use super::backend::{Ready, Suits};
use super::facilities::RecordsFile;
use super::interrupt::Interrupt;
use super::json::{self, ModelReport, RunReport, TorusReport};
use super::{CommandError, Ending, shift, text, warning};

/// Runs the model and prints the result.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &TorusArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let model = arguments.model.torus().check()?;
    let (backend, about_backend) = Ready::choose(arguments.backend, &arguments.device, Suits::torus(&model))?;
    backend.check_size(&model)?;
    let output = &arguments.output;
    let facilities = output.facilities.as_deref().map(|path| RecordsFile::open("--facilities", path)).transpose()?;
    warning::tell(output.format, &about_backend);
    let run = backend.run(&model, interrupt)?;
    if let Some(file) = facilities {
        file.write(&model, &run.outcome)?;
    }
    let warnings = shift::warning(&model).into_iter().chain(about_backend).collect();
    let report = TorusReport { model: ModelReport::new(&model), run: RunReport::new(&backend, &run), warnings };
    super::print(&match output.format {
        Format::Text => text::torus(&report),
        Format::Json => json::text(&report)?,
    })?;
    Ok(if run.interrupted { Ending::Interrupted } else { Ending::Done })
}
