//! The command: arguments, progress, text and JSON output. No other room of the library needs it.
//!
//! Results go to standard output; progress, warnings and errors to standard error. What the JSON fields and the CSV
//! columns mean is written down in `docs/json.md`.

mod arguments;
mod backend;
mod cells;
mod compare;
mod devices;
mod error;
mod facilities;
mod interrupt;
mod json;
mod kernels;
mod memory;
mod network;
mod phold;
mod progress;
mod rerun;
mod shift;
mod text;
mod torus;
mod warning;

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write as _};

use clap::Parser as _;

use arguments::{Arguments, Command};
pub use error::CommandError;
use interrupt::Interrupt;

/// The exit code of an interrupted run, as shells count it: 128 + SIGINT.
pub const INTERRUPTED: u8 = 130;

/// How a command ended that met no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It did what was asked.
    Done,
    /// The runs of a comparison differ.
    Different,
    /// No command was given; the help has been shown.
    Usage,
    /// Ctrl-C ended it early; what there was has been printed.
    Interrupted,
}

/// Runs the command that `arguments` (the program's name first) ask for.
///
/// # Errors
/// [`CommandError`], whose text is one line and says what to do.
///
/// ```
/// use tickless::cli;
/// let error = cli::run(["tickless", "torus", "--side", "4", "--until", "-1"]).unwrap_err();
/// assert!(error.to_string().starts_with("until is -1; it must be above 0"));
/// ```
pub fn run<I, T>(arguments: I) -> Result<Ending, CommandError>
where
    I: IntoIterator<Item = T>,
    T: Into<OsString>,
{
    let arguments = cells::with_rules(arguments.into_iter().map(Into::into).collect());
    let command = match Arguments::try_parse_from(&arguments) {
        Ok(arguments) => arguments.command,
        Err(error) => return unparsed(&error, &arguments),
    };
    match command {
        Command::Torus(arguments) => torus::run(&arguments, &Interrupt::install()?),
        Command::Network(arguments) => network::run(&arguments, &Interrupt::install()?),
        Command::Phold(arguments) => phold::run(&arguments, &Interrupt::install()?),
        Command::Cells(arguments) => cells::run(&arguments, &Interrupt::install()?),
        Command::Compare(arguments) => compare::run(&arguments.model, &Interrupt::install()?),
        Command::Rerun(arguments) => rerun::run(&arguments, &Interrupt::install()?),
        Command::Devices(arguments) => devices::run(&arguments),
        Command::Kernels(arguments) => kernels::run(&arguments),
    }
}

/// Help and version are no errors; anything else becomes one line.
fn unparsed(error: &clap::Error, arguments: &[OsString]) -> Result<Ending, CommandError> {
    use clap::error::ErrorKind;
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            print(&error.render().to_string())?;
            Ok(Ending::Done)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = write!(io::stderr(), "{}", error.render());
            Ok(Ending::Usage)
        }
        _ => {
            let words: Vec<_> = arguments.iter().skip(1).take(3).map(|word| word.to_string_lossy()).collect();
            let commands = match words.iter().map(AsRef::as_ref).collect::<Vec<_>>()[..] {
                ["compare", "cells", "fire" | "watershed" | "rules"] => 3,
                ["cells", "fire" | "watershed" | "rules" | "log", ..] => 2,
                ["compare", "torus" | "network" | "phold" | "cells", ..] => 2,
                ["torus" | "network" | "phold" | "cells" | "compare" | "rerun" | "devices" | "kernels", ..] => 1,
                _ => 0,
            };
            Err(CommandError::usage(error, &words[..commands]))
        }
    }
}

/// Writes to standard output. A reader that has gone away (`tickless ... | head`) is no error.
fn print(text: &str) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CommandError::Output(error)),
        _ => Ok(()),
    }
}

/// One line on standard error: `tickless: error: ...`. A closed standard error is nobody's to tell.
pub fn complain(kind: &str, message: &dyn fmt::Display) {
    let message = message.to_string();
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let _ = writeln!(io::stderr(), "tickless: {kind}: {}", text::escaped(&line));
}
