//! The output on a terminal: colours, remarks and progress.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};

pub const HEADING: Style = Style::new().bold();
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const BAD: Style = AnsiColor::Red.on_default().bold();
pub const REMARK: Style = AnsiColor::Yellow.on_default().bold();

/// What every command takes. It is read by [`choose`] already, since what is wrong with the rest is told in colours too.
#[derive(Debug, Args)]
#[command(next_help_heading = "Terminal")]
pub struct TerminalArguments {
    /// Show no progress and make no remarks; errors, and files that could not be written, are told
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Whether there are colours; auto has them on a terminal where NO_COLOR is not set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Colours,
}

/// Whether there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Colours {
    /// On a terminal, where neither NO_COLOR nor TERM=dumb is set
    Auto,
    /// In files and pipes, too
    Always,
    /// Nowhere
    Never,
}

/// The options that every command takes, wherever they stand.
pub const GLOBAL: [&str; 2] = ["quiet", "color"];
const QUIET: [&str; 2] = ["--quiet", "-q"];
const COLOUR: &str = "--color";

static IS_QUIET: AtomicBool = AtomicBool::new(false);
/// For standard output; only known after [`choose`].
static HAS_COLOURS: AtomicBool = AtomicBool::new(false);
static IS_SHOWN: AtomicBool = AtomicBool::new(false);

/// Sets quiet and colours from the words of a command line, the program's name first.
pub fn choose(arguments: &[OsString]) {
    let (is_quiet, colours) = said(arguments);
    IS_QUIET.store(is_quiet, Ordering::Relaxed);
    match colours {
        Colours::Auto => ColorChoice::Auto,
        Colours::Always => ColorChoice::Always,
        Colours::Never => ColorChoice::Never,
    }
    .write_global();
    HAS_COLOURS.store(AutoStream::choice(&io::stdout()) != ColorChoice::Never, Ordering::Relaxed);
    IS_SHOWN.store(io::stdout().is_terminal(), Ordering::Relaxed);
}

/// Whether the words ask for quiet, and their last choice of colours.
fn said(arguments: &[OsString]) -> (bool, Colours) {
    let words: Vec<_> = arguments.iter().skip(1).map(|word| word.to_string_lossy()).collect();
    let words = words.split(|word| word == "--").next().unwrap_or_default();
    let is_quiet = words.iter().any(|word| QUIET.contains(&word.as_ref()));
    let behind = words.windows(2).filter(|pair| pair[0] == COLOUR).map(|pair| pair[1].as_ref());
    let within = words.iter().filter_map(|word| word.strip_prefix(COLOUR)?.strip_prefix('='));
    let colours = behind.chain(within).filter_map(|value| Colours::from_str(value, false).ok()).next_back();
    (is_quiet, colours.unwrap_or(Colours::Auto))
}

/// The number of words before a command that are options of the terminal.
pub fn words_ahead(arguments: &[OsString]) -> usize {
    let mut count = 0;
    while let Some(word) = arguments.get(count).map(|word| word.to_string_lossy()) {
        match word.as_ref() {
            quiet if QUIET.contains(&quiet) => count += 1,
            COLOUR => count += 2,
            word if word.strip_prefix(COLOUR).is_some_and(|rest| rest.starts_with('=')) => count += 1,
            _ => break,
        }
    }
    count.min(arguments.len())
}

/// Whether only errors are printed.
pub fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Whether standard output has colours.
pub fn has_colours() -> bool {
    HAS_COLOURS.load(Ordering::Relaxed)
}

/// The columns of the terminal, if standard output is one.
pub fn columns() -> Option<usize> {
    IS_SHOWN.load(Ordering::Relaxed).then(|| terminal_size::terminal_size().map_or(80, |(width, _)| width.0.into()))
}

/// Eighths of a place from the left.
const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
/// Eighths of a place from below.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A share from 0 to 1 as a bar in so many places.
pub fn bar(share: f64, places: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * places as f64).round() as usize;
    let text = "█".repeat(eighths / 8) + PARTS[eighths % 8];
    format!("{text:·<places$}")
}

/// Values as a line of levels from 0, or from the least value if it is below 0, in at most so many places: each is the mean of the
/// values that share it.
pub fn sparkline(values: &[f64], places: usize) -> String {
    let count = places.min(values.len());
    let mean = |place: usize| {
        let part = &values[place * values.len() / count..(place + 1) * values.len() / count];
        part.iter().sum::<f64>() / part.len() as f64
    };
    let means: Vec<f64> = (0..count).map(mean).collect();
    let least = means.iter().copied().fold(0.0, f64::min);
    let width = means.iter().copied().fold(least, f64::max) - least;
    let level = |value: &f64| if width > 0.0 { ((value - least) / width * 7.0).round() as usize } else { 0 };
    means.iter().map(|value| LEVELS[level(value).min(7)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_words_of_the_terminal_are_found_anywhere() {
        for (text, is_quiet, colours) in [
            ("tickless torus", false, Colours::Auto),
            ("tickless --quiet torus --color never", true, Colours::Never),
            ("tickless torus -q --color=always", true, Colours::Always),
            ("tickless torus --color=always --color=sometimes", false, Colours::Always),
            ("tickless torus -- --quiet", false, Colours::Auto),
        ] {
            assert_eq!(said(&words(text)), (is_quiet, colours), "{text}");
        }
        for (text, count) in
            [("cells x.ma", 0), ("-q --color always cells x.ma -q", 3), ("--color=never", 1), ("--color", 1)]
        {
            assert_eq!(words_ahead(&words(text)), count, "{text}");
        }
    }

    #[test]
    fn bars_are_as_long_as_their_shares() {
        assert_eq!([0.0, 0.5, 0.51, 1.0, 7.0].map(|share| bar(share, 4)), ["····", "██··", "██··", "████", "████"]);
        assert_eq!(bar(0.3, 4), "█▎··");
        assert_eq!(bar(0.03, 4), "▏···");
    }

    #[test]
    fn a_line_goes_as_its_values() {
        assert_eq!(sparkline(&[0.0, 1.0, 2.0, 7.0], 8), "▁▂▃█");
        assert_eq!(sparkline(&[0.0, 0.0, 7.0, 7.0, 3.0, 3.0], 3), "▁█▄");
        assert_eq!((sparkline(&[], 5), sparkline(&[0.0; 3], 5)), (String::new(), "▁▁▁".into()));
        assert_eq!(sparkline(&[-1.0, 1.0], 2), "▁█");
    }
}
