//! The command: arguments, progress, text and JSON output. No other room of the library needs it.
//!
//! Results go to standard output; progress, warnings and errors to standard error. What JSON fields mean the comments of their types say, of
//! which `tickless schema` makes `docs/reference`; what CSV columns mean is written down in `docs/json.md`.

mod arguments;
mod backend;
mod case;
mod cases;
mod checkpoint;
mod commands;
mod compare;
mod conversion;
mod convert;
mod devices;
mod distributed;
#[doc(hidden)]
pub mod embedded;
mod ending;
mod error;
mod figures;
mod files;
mod foreign;
mod inputs;
mod interrupt;
mod kernels;
mod limits;
mod log;
mod manual;
mod memory;
mod merge;
mod output;
mod page;
mod paths;
mod profile;
mod progress;
mod replications;
mod report;
mod report_text;
mod reproduce;
mod rerun;
mod resume;
mod rounds;
mod run;
mod schema;
mod shape;
mod shard;
mod stored;
mod terminal;
mod text;
mod version;
mod warning;

use std::ffi::OsString;
use std::io::{self, Write as _};

use clap::ArgMatches;
use clap::parser::ValueSource;

use arguments::parsed;
use cases::{CASES, Commands};
/// Models, and whether a GPU suits replications of a network, as `--backend auto` sees it: for packages of other languages.
#[doc(hidden)]
pub use cases::{prepare_family, prepare_network, suits_a_gpu};
use commands::command;
pub use ending::{Ending, FAILED, INTERRUPTED, leave};
pub use error::CommandError;
use interrupt::Interrupt;
pub use limits::on_its_own_stack;
pub use output::complain;

use tickless_core::ranks::Transport;

/// Runs the command that `arguments` (the program's name first) ask for.
///
/// # Errors
/// [`CommandError`], whose text says what to do.
///
/// ```
/// # use tickless_command::facade as tickless;
/// use tickless::cli;
/// let error = cli::run(["tickless", "torus", "--side", "4", "--until", "-1"]).unwrap_err();
/// assert!(error.to_string().starts_with("until is -1; it must be above 0"));
/// ```
pub fn run<I, T>(arguments: I) -> Result<Ending, CommandError>
where
    I: IntoIterator<Item = T>,
    T: Into<OsString>,
{
    run_words(arguments.into_iter().map(Into::into).collect())
}

/// Runs the words of a command. It is compiled with this library: a generic function, with all code of the models that it calls, would be
/// compiled again with every program.
fn run_words(words: Vec<OsString>) -> Result<Ending, CommandError> {
    let arguments = commands::with_rules(words);
    terminal::choose(&arguments);
    commands::check_varied(&arguments)?;
    let matches = match command().try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        Err(error) => return unparsed(&error, &arguments),
    };
    if let Some(option) = misplaced(&matches) {
        let message = format!(
            "{option} stands before the model, whose options come behind its name: put it there, or leave it out"
        );
        return Err(CommandError::Usage { message });
    }
    let (words, matches) = chosen(&matches);
    output::refuse_signals();
    output::check_open()?;
    if words == ["devices"] {
        return devices::run(&parsed(matches)?);
    }
    if words == ["schema"] {
        return schema::run(&parsed(matches)?);
    }
    if words == ["completions"] {
        return manual::completions(&parsed(matches)?, command());
    }
    if words == ["convert"] {
        return convert::run(&parsed(matches)?);
    }
    if words == ["man"] {
        return manual::man(&parsed(matches)?, command());
    }
    if words == ["kernels"] {
        limits::prepare()?;
        return kernels::run(&parsed(matches)?);
    }
    // The handler has a thread of its own.
    let interrupt = Interrupt::install()?;
    limits::prepare()?;
    let ended = match words[..] {
        ["rerun"] => commands::rerun(&parsed(matches)?, &interrupt),
        ["cells", "log"] => log::convert(&parsed(matches)?, &interrupt),
        ["merge"] => merge::run(&parsed(matches)?, |name| cases::named(name)?.merge, &interrupt),
        ["resume"] => resume::run(&parsed(matches)?, (|name| Some(cases::named(name)?.resume), command()), &interrupt),
        ["reproduce"] => reproduce::run(&parsed(matches)?, &interrupt),
        ["paths"] => paths::convert(&parsed(matches)?, &interrupt),
        // clap would have refused an unknown model.
        _ => CASES.iter().find(|case| of_model(&words) == case.words()).map_or(Ok(Ending::Usage), |case| {
            if words[0] == "compare" {
                (case.compare)(matches, &interrupt)
            } else if words[0] == "profile" {
                (case.profile)(matches, &interrupt)
            } else {
                (case.run)(matches, &arguments[1..], &interrupt)
            }
        }),
    };
    noted(ended)
}

/// An interruption before the run is no error.
fn noted(ended: Result<Ending, CommandError>) -> Result<Ending, CommandError> {
    match ended {
        Err(CommandError::Run(error)) if error.is_interrupted() => {
            complain("note", &error);
            Ok(Ending::Interrupted)
        }
        Err(error @ CommandError::NotResumed { .. }) => {
            complain("note", &error);
            Ok(Ending::Interrupted)
        }
        ended => ended,
    }
}

/// Runs the command that `arguments` ask for over ranks that are processes, of which this is one: all get the same arguments.
/// Rank 0 prints and writes like `tickless`; the others print only errors of their own.
///
/// # Errors
/// [`CommandError`]; [`CommandError::ranks`] says whether it is that of another rank.
///
/// ```
/// # use tickless_command::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::{cli, ranks::side_by_side};
/// let words = ["tickless", "phold", "--processes", "8", "--until", "-1"];
/// let ends = side_by_side(
///     NonZeroU32::new(2).unwrap(),
///     |transport| cli::run_over(words, transport).map_err(|error| error.to_string()),
///     |transport| cli::run_over(words, transport).map_err(|error| error.to_string()),
/// );
/// let text = |rank: usize| ends[rank].as_ref().unwrap().as_ref().unwrap_err();
/// assert!(text(0).starts_with("until is -1; it must be at least a tick"));
/// assert_eq!(text(1), "rank 0 has ended with an error, so the run has no result");
/// ```
pub fn run_over<I, T>(arguments: I, transport: &mut dyn Transport) -> Result<Ending, CommandError>
where
    I: IntoIterator<Item = T>,
    T: Into<OsString>,
{
    run_words_over(arguments.into_iter().map(Into::into).collect(), transport)
}

fn run_words_over(words: Vec<OsString>, transport: &mut dyn Transport) -> Result<Ending, CommandError> {
    let arguments = commands::with_rules(words);
    terminal::choose(&arguments);
    let is_first = transport.rank() == 0;
    let matches = match command().try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        // All ranks have the same arguments, so only one reports the error.
        Err(error) if is_first => return unparsed(&error, &arguments),
        Err(error) => return Ok(if error.use_stderr() { Ending::Usage } else { Ending::Done }),
    };
    let (words, matches) = chosen(&matches);
    let words = words.join(" ");
    let case = CASES.iter().find(|case| words == case.words()).and_then(|case| case.take_part);
    if case.is_none() && words != "resume" {
        let over = CASES.iter().filter(|case| case.take_part.is_some()).map(Commands::words).collect::<Vec<_>>();
        let message = format!("no {words} goes over ranks: use tickless, or one of {}", over.join(", "));
        return if is_first { Err(CommandError::Usage { message }) } else { Ok(Ending::Usage) };
    }
    output::refuse_signals();
    let prepared = Interrupt::install().and_then(|interrupt| limits::prepare().map(|()| interrupt));
    let interrupt = checkpoint::agree(transport, prepared)?;
    noted(match case {
        Some(take_part) => take_part(matches, &arguments[1..], transport, &interrupt),
        None => resume::take_part(
            &parsed(matches)?,
            (|name| Some(cases::named(name)?.resume), command()),
            transport,
            &interrupt,
        ),
    })
}

/// An option that was given to a command above the chosen one, where only common options are allowed.
fn misplaced(mut matches: &ArgMatches) -> Option<String> {
    while let Some((_, below)) = matches.subcommand() {
        let is_given = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        // Groups of options have names of types.
        let options = matches.ids().map(clap::Id::as_str).filter(|id| id.starts_with(char::is_lowercase));
        if let Some(id) = options.filter(|id| !terminal::GLOBAL.contains(id)).find(is_given) {
            return Some(if id == "file" { "the file".into() } else { format!("--{}", id.replace('_', "-")) });
        }
        matches = below;
    }
    None
}

/// The words of the chosen command, and its arguments.
fn chosen(mut matches: &ArgMatches) -> (Vec<&str>, &ArgMatches) {
    let mut words = vec![];
    while let Some((word, below)) = matches.subcommand() {
        words.push(word);
        matches = below;
    }
    (words, matches)
}

/// The words that name a model, without the verb.
fn of_model(words: &[&str]) -> String {
    match words {
        ["compare" | "profile", model @ ..] => model.join(" "),
        model => model.join(" "),
    }
}

/// Help and version are no errors; any other error becomes one line.
fn unparsed(error: &clap::Error, arguments: &[OsString]) -> Result<Ending, CommandError> {
    use clap::error::ErrorKind;
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            output::print(&help(arguments, error))?;
            Ok(Ending::Done)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let words =
                arguments.iter().skip(1).fold("tickless".to_owned(), |all, word| format!("{all} {}", word.display()));
            complain("error", &format!("'{words}' lacks what to do: add one of the commands below"));
            let _ = write!(io::stderr(), "{}", error.render());
            Ok(Ending::Usage)
        }
        _ => {
            let mut command = command();
            let mut words = vec![];
            let ahead = 1 + terminal::words_ahead(&arguments[1..]);
            for word in arguments.iter().skip(ahead).map(|word| word.to_string_lossy()) {
                let Some(below) = command.find_subcommand(word.as_ref()).cloned() else { break };
                command = below;
                words.push(word);
            }
            Err(CommandError::usage(error, &words, arguments))
        }
    }
}

/// The help or the version, with colours if standard output has them. It contains no word of the user.
fn help(arguments: &[OsString], error: &clap::Error) -> String {
    let styled = command().styles(clap::builder::Styles::styled()).try_get_matches_from(arguments);
    match styled.err().filter(|_| terminal::has_colours()) {
        Some(styled) => styled.render().ansi().to_string(),
        None => error.render().to_string(),
    }
}

/// The crate that examples call `tickless`.
#[doc(hidden)]
pub mod facade {
    pub use crate as cli;
    pub use tickless_core::{archive, heap, memory, random, ranks, run, statistics, time};
    pub use tickless_device as device;
}
