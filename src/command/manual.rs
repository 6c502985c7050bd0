//! `tickless completions` and `tickless man`: scripts for shells and pages for `man`, made from the definitions of the
//! arguments.

use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;

use super::output::{OutputFile, print};
use super::{CommandError, Ending};

/// The arguments of `tickless completions`.
#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// The shell that reads them
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// The arguments of `tickless man`.
#[derive(Debug, Args)]
pub struct ManArguments {
    /// Write the page of every command into this folder, as tickless-network.1, in place of the first one to standard output
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
}

/// Prints a script of a command for a shell.
///
/// # Errors
/// Standard output that cannot be written.
pub fn completions(arguments: &CompletionsArguments, mut command: Command) -> Result<Ending, CommandError> {
    let mut script = vec![];
    clap_complete::generate(arguments.shell, &mut command, "tickless", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Ending::Done)
}

/// Prints the page of the command, or writes those of all commands.
///
/// # Errors
/// A file that cannot be written.
pub fn man(arguments: &ManArguments, mut whole: Command) -> Result<Ending, CommandError> {
    whole.build();
    match &arguments.write {
        None => print(&String::from_utf8_lossy(&page(&whole)?))?,
        Some(folder) => {
            let fail = |source| CommandError::Records { option: "--write", path: folder.clone(), source };
            std::fs::create_dir_all(folder).map_err(fail)?;
            write(&whole, folder)?;
        }
    }
    Ok(Ending::Done)
}

fn page(command: &Command) -> Result<Vec<u8>, CommandError> {
    let mut text = vec![];
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    clap_mangen::Man::new(command.clone()).title(name).render(&mut text).map_err(CommandError::Output)?;
    Ok(text)
}

/// The pages of a command and its subcommands, but not of `help`.
fn write(command: &Command, folder: &Path) -> Result<(), CommandError> {
    // The name of a built command begins with those of the commands above it.
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let text = page(command)?;
    let file = OutputFile::open("--write", &folder.join(format!("{name}.1")))?;
    file.stream(|out| out.write_all(&text).map_err(CommandError::Output))?;
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    below.into_iter().try_for_each(|below| write(below, folder))
}
