//! `tickless convert`, which prints a file of JMT as a network file.

use clap::Args;

use super::inputs::{InputPath, jmt_model};
use super::output::print;
use super::{CommandError, Ending};

/// The arguments of `tickless convert`.
#[derive(Debug, Args)]
pub struct ConvertArguments {
    /// A .jsimg or .jsimw of JMT; docs/jmt.md says what is read of it
    #[arg(value_name = "FILE.jsimg")]
    file: InputPath,
}

/// Prints the network file.
///
/// # Errors
/// A file that cannot be read, is none of JMT, or says what no network file can say.
pub fn run(arguments: &ConvertArguments) -> Result<Ending, CommandError> {
    let Some(model) = jmt_model(&arguments.file)?.0 else {
        let file = arguments.file.as_ref().display();
        let message =
            format!("{file} is no file of JMT, which is XML: give a .jsimg or .jsimw; network files run as they are");
        return Err(CommandError::Usage { message });
    };
    print(&model.toml)?;
    Ok(Ending::Done)
}
