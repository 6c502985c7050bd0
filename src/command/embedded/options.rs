//! Options by name, as clap reads them.

use clap::builder::Styles;
use clap::{ArgMatches, Command};

use super::Given;
use crate::CommandError;

/// The values of options of a command, of which some are allowed, and the words of a command line with them.
pub fn matched(
    (command, name): (Command, String),
    given: &[Given],
    allowed: &Command,
) -> Result<(ArgMatches, Vec<String>), CommandError> {
    let command = command.no_binary_name(true).disable_help_flag(true).styles(Styles::plain());
    let (mut words, mut behind) = (vec![], vec![]);
    for (name, values) in given {
        let argument = |of: &Command| of.get_arguments().find(|argument| argument.get_id() == name).cloned();
        let found = argument(allowed);
        if found.is_none() && argument(&command).is_some() {
            let message = format!("{name} is an option of the command that has no meaning here: leave it out");
            return Err(CommandError::Usage { message });
        }
        let option = format!("--{}", name.replace('_', "-"));
        match &values[..] {
            files if found.is_some_and(|argument| argument.is_positional()) => behind.extend_from_slice(files),
            [] => words.push(option),
            values => words.extend(values.iter().map(|value| format!("{option}={value}"))),
        }
    }
    if !behind.is_empty() {
        words.extend(["--".to_owned()].into_iter().chain(behind));
    }
    let matches = command.try_get_matches_from(&words).map_err(|error| {
        let typed: Vec<_> = words.iter().map(Into::into).collect();
        CommandError::usage(&error, &[name.as_str().into()], &typed)
    })?;
    let line = ["tickless"].into_iter().chain(name.split(' ')).map(Into::into);
    Ok((matches, line.chain(words).collect()))
}
