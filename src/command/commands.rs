//! The commands, and how the words of a command line choose one.

use std::ffi::OsString;

use clap::{Args as _, Command};

use super::arguments::AFTER;
use super::cases::{CASES, CELLS, Commands, EXPERIMENT};
use super::convert::ConvertArguments;
use super::devices::DevicesArguments;
use super::interrupt::Interrupt;
use super::kernels::KernelsArguments;
use super::log::LogArguments;
use super::manual::{CompletionsArguments, ManArguments};
use super::merge::MergeArguments;
use super::paths::PathsArguments;
use super::reproduce::ReproduceArguments;
use super::rerun::RerunArguments;
use super::resume::ResumeArguments;
use super::schema::SchemaArguments;
use super::stored::Stored;
use super::terminal::{TerminalArguments, words_ahead};
use super::version::VERSIONS;
use super::{CommandError, Ending};

/// Every command. Commands of models are made from [`CASES`].
pub fn command() -> Command {
    let group = |name| Command::new(name).subcommand_required(true).arg_required_else_help(true);
    let cells =
        |make: fn(&Commands) -> Command| CASES.iter().filter(|case| case.group == CELLS).map(make).collect::<Vec<_>>();
    // The command of an experiment has a file, or a model whose options are varied.
    let with_varied = |case: &Commands, words: &str, make: fn(&Commands) -> Command| {
        if Some(case.name) != EXPERIMENT {
            return make(case);
        }
        let varied = CASES.iter().filter(|case| case.group == EXPERIMENT).map(make);
        make(case)
            .subcommand_negates_reqs(true)
            .subcommands(varied)
            .subcommand_value_name("MODEL")
            .subcommand_help_heading("Models")
            // The usage that clap makes asks for both.
            .override_usage(format!(
                "{words} {name} [OPTIONS] <FILE.toml>\n       {words} {name} <MODEL> [OPTIONS] --vary <OPTION=VALUES>",
                name = case.name
            ))
    };
    let models = || CASES.iter().filter(|case| case.group.is_none());
    let others = |words: &str, make: fn(&Commands) -> Command| {
        models().map(|case| with_varied(case, words, make)).collect::<Vec<_>>()
    };
    let log = LogArguments::augment_args(Command::new("log"))
        .about("Make a CSV file of what a run of cells wrote with --log");
    let whole = TerminalArguments::augment_args(Command::new("tickless"))
        .about("Discrete-event simulation on any GPU, with the same bits as a sequential event list")
        .version(VERSIONS)
        // Errors have no colours of clap's, so that the user's text is the only source of escapes.
        .styles(clap::builder::Styles::plain())
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(others("tickless", Commands::run_command))
        .subcommand(
            group("cells")
                .about("Run a cell space: fire, a watershed, or a file of rules")
                .subcommands(cells(Commands::run_command))
                .subcommand(log),
        )
        .subcommand(
            group("compare")
                .about("Run one model on several backends and compare every bit")
                .subcommands(others("tickless compare", Commands::compare_command))
                .subcommand(
                    group("cells").about("Compare runs of a cell space").subcommands(cells(Commands::compare_command)),
                ),
        )
        .subcommand(
            group("profile")
                .about("Run a model on a device and say how long each kernel took, and what limits it")
                .subcommands(others("tickless profile", Commands::profile_command))
                .subcommand(group("cells").about("Time a cell space").subcommands(cells(Commands::profile_command))),
        )
        .subcommand(
            PathsArguments::augment_args(Command::new("paths"))
                .about("Make a CSV file of what tickless search wrote with --paths"),
        )
        .subcommand(
            ConvertArguments::augment_args(Command::new("convert"))
                .about("Print a file of JMT (.jsimg, .jsimw) as a network file"),
        )
        .subcommand(
            MergeArguments::augment_args(Command::new("merge"))
                .about("Put shards of an ensemble together, which runs with --shard wrote"),
        )
        .subcommand(
            RerunArguments::augment_args(Command::new("rerun"))
                .about("Repeat the run of a JSON result and say whether the digest is the same"),
        )
        .subcommand(
            ResumeArguments::augment_args(Command::new("resume"))
                .about("Go on with a run that was given --checkpoint, here or on another backend")
                .after_help(AFTER),
        )
        .subcommand(
            ReproduceArguments::augment_args(Command::new("reproduce"))
                .about("Repeat the experiments of a paper and say what agrees and what differs"),
        )
        .subcommand(
            DevicesArguments::augment_args(Command::new("devices"))
                .about("List the adapters of this machine and say which one auto takes"),
        )
        .subcommand(
            KernelsArguments::augment_args(Command::new("kernels"))
                .about("List every kernel and the modules of shaders/ that it is made of, or print one"),
        )
        .subcommand(
            SchemaArguments::augment_args(Command::new("schema"))
                .about("List the formats of files and results, or print the JSON Schema of one"),
        )
        .subcommand(
            CompletionsArguments::augment_args(Command::new("completions"))
                .about("Print what a shell needs to complete these commands"),
        )
        .subcommand(
            ManArguments::augment_args(Command::new("man"))
                .about("Print the manual of these commands, as man reads it"),
        );
    with_negative_numbers(whole)
}

/// A negative number is a value, which its option refuses with its range, and not an unknown option.
fn with_negative_numbers(command: Command) -> Command {
    let negative = |arg: clap::Arg| {
        let takes_values = arg.get_action().takes_values();
        if takes_values { arg.allow_negative_numbers(true) } else { arg }
    };
    command.mut_args(negative).mut_subcommands(with_negative_numbers)
}

/// `tickless cells FILE.ma` and `tickless compare cells FILE.ma` are short for the model `rules` with that file.
pub fn with_rules(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let ahead = arguments.get(1..).map_or(0, words_ahead);
    let words: Vec<_> =
        arguments.iter().skip(1 + ahead).take(3).map(|word| word.to_string_lossy().into_owned()).collect();
    let place = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["cells", model, ..] if is_file(model) => 2,
        ["compare" | "profile", "cells", model] if is_file(model) => 3,
        _ => return arguments,
    };
    arguments.insert(ahead + place, "rules".into());
    arguments
}

/// Refuses `--vary` for a word that is not a model for experiments: clap would take it for a network file, which has no such
/// option.
///
/// # Errors
/// [`CommandError::Usage`] with the existing models.
pub fn check_varied(arguments: &[OsString]) -> Result<(), CommandError> {
    let ahead = arguments.get(1..).map_or(0, words_ahead);
    let words: Vec<_> = arguments.iter().skip(1 + ahead).map(|word| word.to_string_lossy()).collect();
    let words = match words.first().map(AsRef::as_ref) {
        Some("compare" | "profile") => &words[1..],
        _ => &words[..],
    };
    let ([experiment, model, rest @ ..], true) = (words, words.first().is_some_and(|word| word == "experiment")) else {
        return Ok(());
    };
    let varied = || CASES.iter().filter(|case| case.group == EXPERIMENT);
    let is_model = |word: &str| varied().any(|case| case.words() == format!("{experiment} {word}"));
    let varies = rest.iter().any(|word| word == "--vary" || word.starts_with("--vary="));
    // A word before the model has an error of its own.
    if !varies || model.starts_with('-') || is_model(model) || rest.iter().any(|word| is_model(word)) {
        return Ok(());
    }
    let names: Vec<_> = varied().map(Commands::word).collect();
    let message = format!(
        "'{model}' is none of the models that --vary goes with: {}; what varies in a network stands in the table [experiment] of its file",
        names.join(", ")
    );
    Err(CommandError::Usage { message })
}

/// Whether a word is not a model, an option or a command of clap's own.
fn is_file(word: &str) -> bool {
    !word.starts_with('-')
        && !["log", "help"].contains(&word)
        && CASES.iter().all(|case| case.words() != format!("cells {word}"))
}

/// Repeats the run and prints whether the digest is the same.
pub fn rerun(arguments: &RerunArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let stored = Stored::read(&arguments.file)?;
    let name: String = stored.field("model")?;
    let Some(case) = CASES.iter().find(|case| case.name == name) else {
        let names: Vec<_> = CASES.iter().map(|case| case.name).collect();
        return Err(stored.fault(format!("its model is '{name}', none of {}", names.join(", "))));
    };
    (case.rerun)(&stored, arguments, interrupt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_consistent() {
        command().debug_assert();
    }
}
