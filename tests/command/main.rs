//! The command itself: exit codes, fields, bad input, Ctrl-C and pipes.

mod answers;
mod backends;
mod cell_log;
mod cells;
#[cfg(unix)]
mod checkpoints;
#[cfg(unix)]
mod checkpoints_of_rules;
#[cfg(unix)]
mod checkpoints_over_ranks;
mod compared;
mod distributions;
#[cfg(all(feature = "cuda", target_os = "linux"))]
mod driver;
mod examples_of_keys;
mod experiments;
mod fields;
mod fire_rasters;
mod folded;
mod foreign;
mod interruption;
mod jmt;
mod manual;
#[cfg(target_os = "linux")]
mod memory;
mod network;
mod optimize;
mod outputs;
mod phold;
mod player;
mod precision;
mod profile;
mod ranks;
mod refusals;
mod reports;
mod reproduce;
mod rerun;
mod rerun_refusals;
mod rules;
mod schemas;
mod search;
mod shards;
mod shares;
mod stated;
mod tables;
mod terminal;
mod tokens;
mod unreadable;
mod unwritten;
mod varied;
mod visits;
mod warmup;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// A small torus that every backend runs at once.
const SMALL: [&str; 6] = ["--side", "12", "--until", "40", "--seed", "7"];

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tickless"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn output(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn with(first: &[&str], rest: &[&str]) -> Vec<String> {
    first.iter().chain(rest).map(|text| (*text).to_owned()).collect()
}

/// The exit code and the JSON of a command that writes nothing to standard error, but for the files that somebody else's file names.
fn json(first: &[&str], rest: &[&str]) -> (i32, Value) {
    let arguments = with(first, rest);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(["--format", "json"]).collect();
    let output = output(&arguments);
    let is_foreign = matches!(arguments[0], "resume" | "rerun");
    let told =
        |line: &&str| !(is_foreign && line.starts_with("tickless: note: as ") && line.contains(" says, its run "));
    let said = text(&output.stderr);
    let said: Vec<_> = said.lines().filter(told).collect();
    assert_eq!(said, [""; 0], "{arguments:?}");
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Whether there is an adapter. Having none is a failure in CI and said aloud elsewhere.
fn has_adapter(test: &str) -> bool {
    let (_, devices) = json(&["devices"], &[]);
    let found = devices["adapters"].as_array().is_some_and(|adapters| !adapters.is_empty());
    if !found {
        assert!(
            std::env::var_os("CI").is_none(),
            "{test}: CI needs an adapter; mesa-vulkan-drivers has a software one"
        );
        // Past the capture of the test harness, so that it is seen.
        let _ = writeln!(std::io::stderr(), "skipped: {test}: this machine has no adapter");
    }
    found
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// A path for this process and test alone.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()))
}
