//! The documents name files that exist, and show the programs that they say they show.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

const DOCUMENTS: [&str; 19] = [
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/cells.md",
    "docs/checkpoints.md",
    "docs/clusters.md",
    "docs/experiments.md",
    "docs/json.md",
    "docs/networks.md",
    "docs/performance.md",
    "docs/random.md",
    "docs/ranks.md",
    "docs/rounds.md",
    "docs/searches.md",
    "docs/scale.md",
    "docs/semantics.md",
    "docs/synchronization.md",
    "docs/tutorial.md",
];

/// What stands in backticks, and the targets of links and pictures.
fn names(document: &str) -> Vec<&str> {
    let quoted = document.split('`').skip(1).step_by(2);
    let linked = document.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    quoted.chain(linked).collect()
}

/// Whether a name is meant as a path of this repository.
fn is_path(name: &str) -> bool {
    const FOLDERS: [&str; 8] = ["src/", "shaders/", "tests/", "examples/", "benches/", "docs/", "scripts/", ".ci/"];
    let file = name.ends_with(".md") || name.starts_with("LICENSE-");
    !name.contains(char::is_whitespace) && (file || FOLDERS.iter().any(|folder| name.starts_with(folder)))
}

/// The paths that a document names, relative to the root.
fn paths(document: &str, text: &str) -> Vec<PathBuf> {
    let folder = Path::new(document).parent().unwrap_or(Path::new(""));
    let named = names(text).into_iter().filter(|name| is_path(name));
    // A link is relative to its document; every other name to the root.
    named
        .map(|name| if root().join(folder).join(name).exists() { folder.join(name) } else { PathBuf::from(name) })
        .collect()
}

#[test]
fn every_path_in_the_documents_exists() {
    let mut seen = 0;
    for document in DOCUMENTS {
        for path in paths(document, &read(document)) {
            assert!(root().join(&path).exists(), "{document} names {}, which is not there", path.display());
            seen += 1;
        }
    }
    assert!(seen > 30, "only {seen} paths found: the search is broken");
}

#[test]
fn a_missing_path_is_caught() {
    let text = "see `src/lib.rs`, `src/nothing.rs` and [this](docs/none.md), not `d/2` or `cargo test`";
    let missing: Vec<_> = paths("README.md", text).into_iter().filter(|p| !root().join(p).exists()).collect();
    assert_eq!(missing, ["src/nothing.rs", "docs/none.md"].map(PathBuf::from));
}

/// The program in the README is examples/ten_lines.rs without its assertion.
#[test]
fn the_program_in_the_readme_is_the_example() {
    let readme = read("README.md");
    let shown = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program");
    let keep = |line: &&str| !line.starts_with("//!") && !line.contains("assert");
    let example = read("examples/ten_lines.rs");
    let example: Vec<&str> = example.lines().filter(keep).collect();
    assert_eq!(shown.trim(), example.join("\n").trim());
}

#[test]
fn every_example_is_in_the_readme() {
    let readme = read("README.md");
    for entry in fs::read_dir(root().join("examples")).expect("examples").flatten() {
        let name = format!("`examples/{}`", entry.file_name().to_string_lossy());
        assert!(readme.contains(&name), "{name} is not in README.md");
    }
}

/// The command lines of `tickless` in fenced blocks of shell, as lists of arguments.
fn command_lines(text: &str) -> Vec<Vec<String>> {
    let blocks = text.split("```").skip(1).step_by(2).filter(|block| block.starts_with("sh\n"));
    let lines = blocks.flat_map(|block| block.lines().skip(1));
    let starts = ["tickless ", "$ tickless ", "cargo run --release -- "];
    let arguments = |line: &str| {
        let rest = starts.iter().find_map(|start| line.trim().strip_prefix(start))?;
        let rest = rest.split(['#', '|', '>']).next().unwrap_or_default();
        Some(rest.split_whitespace().map(str::to_owned).collect())
    };
    lines.filter_map(arguments).collect()
}

/// What the command says of arguments, if it does not take them. `--help` at the end keeps it from running.
fn refusal(arguments: &[String]) -> Option<String> {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tickless")).args(arguments).arg("--help").output().expect("a command");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn every_command_line_in_the_documents_is_taken() {
    let mut seen = 0;
    for document in DOCUMENTS {
        for arguments in command_lines(&read(document)) {
            assert_eq!(refusal(&arguments), None, "{document}: tickless {}", arguments.join(" "));
            seen += 1;
        }
    }
    assert!(seen > 3, "only {seen} command lines found: the search is broken");
}

#[test]
fn a_wrong_command_line_is_caught() {
    let text = "```sh\ntickless torus --sides 5\ntickless torus --window two # two\ntickless devices | less\n```";
    let lines = command_lines(text);
    assert_eq!(lines[1], ["torus", "--window", "two"]);
    assert_eq!(lines.iter().map(|line| refusal(line).is_some()).collect::<Vec<_>>(), [true, true, false]);
}

/// The blocks of TOML are network files.
#[test]
fn every_network_in_the_documents_can_run() {
    let text = read("docs/networks.md");
    let mut networks = text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).peekable();
    assert!(networks.peek().is_some(), "no network found: the search is broken");
    for network in networks {
        let network = tickless::queueing::Network::from_toml(network).expect(network);
        network.check().expect("a model");
    }
}

/// The file of the tutorial, as it grows: a network, and then an experiment whose best shop has three tills.
#[test]
fn the_tutorial_says_what_happens() {
    use tickless::device::Target;
    use tickless::experiments::{self, Experiment};
    use tickless::run::unwatched;
    let text = read("docs/tutorial.md");
    let blocks: Vec<&str> = text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let [network, experiment] = blocks[..] else { panic!("{} blocks of TOML", blocks.len()) };
    tickless::queueing::Network::from_toml(network).expect("a network").check().expect("a model");
    let experiment = Experiment::from_toml(&format!("{network}{experiment}")).expect("an experiment");
    assert_eq!(experiment.points().len(), 6);
    let experiment = experiment.with_replications(20).expect("few enough");
    let run = experiments::run(&experiment, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    let (best, found) = run.outcome.best.expect("a best point");
    assert!(found && experiment.points()[best].settings[0].shown == "3", "{best}");
}
