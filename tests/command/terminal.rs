//! `--quiet` and `--color`, and what a terminal is shown beside the tables.

use std::process::Command;

use super::{command, output, text};

const ESCAPE: char = '\u{1b}';
/// A run on the heap of which a note says why it is there.
const NOTED: [&str; 6] = ["torus", "--side", "4", "--until", "10", "--backend=auto"];

fn both(arguments: &[&str], environment: &[(&str, &str)]) -> [String; 2] {
    let mut command = command(arguments);
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(environment.iter().copied());
    let ended = command.output().unwrap();
    [text(&ended.stdout), text(&ended.stderr)]
}

#[test]
fn colours_come_where_they_are_asked_for() {
    let wrong = ["torus", "--until", "-1"];
    let [plain, note] = both(&NOTED, &[]);
    assert!(note.starts_with("tickless: note: ") && plain.starts_with("tickless "), "{plain}{note}");
    for environment in [&[][..], &[("NO_COLOR", "1")]] {
        for text in [both(&NOTED, environment), both(&wrong, environment), both(&["torus", "--help"], environment)] {
            assert!(!text.concat().contains(ESCAPE), "{text:?}");
        }
    }
    for always in [&["--color", "always"][..], &["--color=always"]] {
        let with = |arguments: &[&str]| both(&[always, arguments].concat(), &[("NO_COLOR", "1")]);
        let [result, note] = with(&NOTED);
        assert!(
            result.starts_with("\u{1b}[1mtickless ") && note.contains("\u{1b}[1m\u{1b}[33mnote\u{1b}[0m: "),
            "{note}"
        );
        let [_, error] = with(&wrong);
        assert!(error.contains("\u{1b}[1m\u{1b}[31merror\u{1b}[0m: until is -1"), "{error}");
        assert!(with(&["torus", "--help"])[0].contains(ESCAPE));
        // What programs read is the same everywhere.
        let [json, _] = with(&[&NOTED[..], &["--format", "json"]].concat());
        assert!(json.starts_with("{\n") && !json.contains(ESCAPE), "{json}");
    }
    let [_, never] = both(&[&NOTED[..], &["--color", "never"]].concat(), &[("CLICOLOR_FORCE", "1")]);
    assert!(!never.contains(ESCAPE), "{never}");
    let refused = output(&["torus", "--color", "red"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("'--color <WHEN>' [possible values: auto, always, never]"));
}

#[test]
fn quiet_leaves_errors_alone() {
    let [loud, note] = both(&NOTED, &[]);
    let digest = |text: &str| text.lines().find(|line| line.starts_with("  digest")).unwrap().to_owned();
    assert!(!note.is_empty());
    for quiet in ["--quiet", "-q"] {
        let [result, nothing] = both(&[&NOTED[..], &[quiet]].concat(), &[]);
        assert_eq!((digest(&result), nothing.as_str()), (digest(&loud), ""));
        let ended = output(&[quiet, "torus", "--until", "-1"]);
        assert_eq!(ended.status.code(), Some(2));
        assert!(text(&ended.stderr).starts_with("tickless: error: until is -1"));
    }
    // In front of the short form of a command, too.
    let ended = output(&["--quiet", "--color", "never", "cells", "examples/cells/life.ma", "--until", "100"]);
    assert_eq!((ended.status.code(), text(&ended.stderr).as_str()), (Some(0), ""));
}

#[test]
fn every_command_has_them() {
    for words in [&["torus"][..], &["devices"], &["cells", "rules"], &["compare", "cells", "fire"], &["man"]] {
        let help = text(&output(&[words, &["--help"]].concat()).stdout);
        assert!(help.contains("--quiet") && help.contains("--color <WHEN>"), "{words:?}: {help}");
    }
    assert!(text(&output(&["man"]).stdout).contains("\\-\\-color"));
    assert!(text(&output(&["completions", "bash"]).stdout).contains("--color"));
}

/// Under a terminal of `script`, where there is one.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_shown_the_series() {
    let run = "network examples/networks/clinic.toml --until 900 --warmup 100 --backend heap --series-step 30";
    let typed = format!("{} {run}", env!("CARGO_BIN_EXE_tickless"));
    let Ok(ended) = Command::new("script").args(["-qec", &typed, "/dev/null"]).output() else { return };
    let shown = text(&ended.stdout);
    assert!(ended.status.success() && shown.contains("  over time ") && shown.contains('▁'), "{shown}");
    let piped = text(&output(&run.split(' ').collect::<Vec<_>>()).stdout);
    assert!(!piped.contains("over time") && !piped.contains('▁'), "{piped}");
}
