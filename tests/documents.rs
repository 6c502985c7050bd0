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

const AT_THE_ROOT: [&str; 6] =
    ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md"];

/// All documents: those at the root, and those below docs.
fn documents() -> Vec<String> {
    let mut documents: Vec<String> = AT_THE_ROOT.map(String::from).to_vec();
    for folder in ["docs", "docs/from", "docs/notebook", "docs/performance", "docs/recipes", "docs/reference"] {
        let files = fs::read_dir(root().join(folder)).expect("a folder of documents").flatten();
        let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
        documents.extend(names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")));
    }
    documents.sort();
    documents
}

/// A document without its fenced blocks, and these: the language of each, and what stands in it.
fn blocks(text: &str) -> (String, Vec<(&str, &str)>) {
    let parts: Vec<&str> = text.split("```").collect();
    let fenced = parts.iter().skip(1).step_by(2).filter_map(|part| part.split_once('\n')).collect();
    (parts.into_iter().step_by(2).collect(), fenced)
}

/// The places in a document that links lead to, as GitHub and mdBook name its headings.
fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = vec![];
    for heading in blocks(text).0.lines().filter(|line| line.starts_with('#')) {
        let kept = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        let name = kept.replace(|c: char| !c.is_alphanumeric() && c != '-' && c != '_', "");
        let again = anchors.iter().filter(|known| known.trim_end_matches(|c: char| c == '-' || c.is_numeric()) == name);
        let again = again.count();
        anchors.push(if again == 0 { name } else { format!("{name}-{again}") });
    }
    anchors
}

/// The targets of the links and pictures of a document that are in this repository.
fn links(text: &str) -> Vec<String> {
    let text = blocks(text).0;
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://")).map(str::to_owned).collect()
}

/// What a link names, relative to the root: `..` is taken back by hand, since files may be links themselves.
fn target(document: &str, link: &str) -> (String, Option<String>) {
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor.to_owned())));
    if file.is_empty() {
        return (document.to_owned(), anchor);
    }
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    (parts.join("/"), anchor)
}

/// The links of a document that lead nowhere.
fn broken(document: &str, text: &str) -> Vec<String> {
    let leads = |link: &String| {
        let (file, anchor) = target(document, link);
        let Ok(found) = fs::read(root().join(file)) else { return false };
        anchor.is_none_or(|anchor| anchors(&String::from_utf8_lossy(&found)).contains(&anchor))
    };
    links(text).into_iter().filter(|link| !leads(link)).collect()
}

#[test]
fn every_link_leads_somewhere() {
    for document in documents() {
        assert_eq!(broken(&document, &read(&document)), Vec::<String>::new(), "{document}");
    }
}

#[test]
fn a_broken_link_is_caught() {
    let text = "[a](networks.md#the-file) [b](networks.md#no-file) [c](../README.md) [d](../docs/none.md) [e](#fire)";
    assert_eq!(broken("docs/cells.md", text), ["networks.md#no-file", "../docs/none.md"]);
    assert_eq!(anchors("# A b: `c`\n## A\n### A\n```sh\n# no\n```\n"), ["a-b-c", "a", "a-1"]);
}

/// The table of contents has every document, each in one place.
#[test]
fn every_document_is_in_the_contents() {
    let listed: Vec<String> =
        links(&read("docs/SUMMARY.md")).iter().map(|link| target("docs/SUMMARY.md", link).0).collect();
    let mut expected = documents();
    expected.retain(|document| document != "docs/SUMMARY.md");
    let mut sorted = listed.clone();
    sorted.sort();
    assert_eq!(sorted, expected);
}

/// Where a block stands behind the name of a file, its lines stand in that file.
fn shown(text: &str) -> Vec<(&str, &str)> {
    let behind = text.split("<!-- from: ").skip(1);
    let parts = behind.filter_map(|rest| Some((rest.split_once(" -->")?.0, rest.split("```").nth(1)?)));
    parts.filter_map(|(file, block)| Some((file, block.split_once('\n')?.1))).collect()
}

#[test]
fn what_documents_show_of_files_stands_in_them() {
    let mut seen = 0;
    for document in documents() {
        for (file, lines) in shown(&read(&document)) {
            assert!(read(file).contains(lines), "{document} shows what is not in {file}:\n{lines}");
            seen += 1;
        }
    }
    assert!(seen > 10, "only {seen} blocks found: the search is broken");
    let text = "<!-- from: a.toml -->\n\n```toml\nseed = 1\n```\n```sh\nno\n```";
    assert_eq!(shown(text), [("a.toml", "seed = 1\n")]);
}

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
    for document in documents() {
        for path in paths(&document, &read(&document)) {
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

/// The pages of docs/reference are what the command makes of its types.
#[test]
fn the_reference_is_what_the_command_writes() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference");
    fs::remove_dir_all(&folder).ok();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tickless"));
    command.args(["schema", "--format", "markdown", "--write"]).arg(&folder);
    assert!(command.status().expect("a command").success());
    let names = |folder: &Path| {
        let files = fs::read_dir(folder).expect("a folder of pages").flatten();
        let mut names: Vec<_> = files.map(|file| file.file_name().into_string().expect("a name")).collect();
        names.sort();
        names
    };
    let how = "tickless schema --format markdown --write docs/reference writes it";
    assert_eq!(names(&root().join("docs/reference")), names(&folder), "{how}");
    for name in names(&folder) {
        let written = fs::read_to_string(folder.join(&name)).expect("a page");
        assert!(written == read(&format!("docs/reference/{name}")), "docs/reference/{name} is another page: {how}");
    }
    fs::remove_dir_all(folder).expect("the folder is this test's own");
}

/// What says how to cite tickless has its version.
#[test]
fn the_version_to_cite_is_that_of_the_crate() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in
        [("CITATION.cff", format!("version: {version}")), ("codemeta.json", format!("\"version\": \"{version}\","))]
    {
        assert!(read(file).lines().any(|own| own.trim() == line), "{file} has no line {line}");
    }
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
fn every_example_is_in_the_list() {
    let list = read("docs/examples.md");
    for entry in fs::read_dir(root().join("examples")).expect("examples").flatten() {
        let name = format!("`examples/{}`", entry.file_name().to_string_lossy());
        assert!(list.contains(&name), "{name} is not in docs/examples.md");
    }
}

/// The arguments of a line of shell that runs `tickless`.
fn arguments(line: &str) -> Option<Vec<String>> {
    let starts = ["tickless ", "$ tickless ", "cargo run --release -- "];
    let rest = starts.iter().find_map(|start| line.trim().strip_prefix(start))?;
    let rest = rest.split(['#', '|', '>']).next().unwrap_or_default();
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

/// The command lines of `tickless` in fenced blocks of shell, as lists of arguments.
fn command_lines(text: &str) -> Vec<Vec<String>> {
    let blocks = blocks(text).1.into_iter().filter(|(language, _)| *language == "sh");
    blocks.flat_map(|(_, block)| block.lines().filter_map(arguments)).collect()
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
    for document in documents() {
        for arguments in command_lines(&read(&document)) {
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

/// A folder with the files of a folder of examples, from which the commands of its documents run.
fn beside_examples(examples: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("documents, {}", examples.replace('/', " ")));
    fs::remove_dir_all(&folder).ok();
    let to = folder.join(examples);
    fs::create_dir_all(&to).expect("a folder");
    for file in fs::read_dir(root().join(examples)).expect("examples").flatten() {
        fs::copy(file.path(), to.join(file.file_name())).expect("a copy");
    }
    folder
}

/// The words of a line, however they are aligned.
fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// What the commands of a block of shell print, which run on the heap.
fn printed(block: &str, folder: &Path) -> String {
    let run = |arguments: Vec<String>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tickless"));
        command.args(&arguments).args(["--backend", "heap"]).current_dir(folder);
        let output = command.output().expect("a command");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    block.lines().filter_map(arguments).map(run).collect()
}

/// The lines of output that stand behind a block of shell, and that its commands do not print.
fn unsaid(text: &str, folder: &Path) -> Vec<String> {
    let mut unsaid = vec![];
    let blocks = blocks(text).1;
    for (place, (_, block)) in blocks.iter().enumerate().filter(|(_, (language, _))| *language == "sh") {
        let said = printed(block, folder);
        let is_said = |line: &&str| said.lines().any(|own| words(own) == words(line));
        if let Some(("text", expected)) = blocks.get(place + 1) {
            unsaid.extend(expected.lines().filter(|line| !is_said(line)).map(str::to_owned));
        }
    }
    unsaid
}

/// Every model of another program, with what came of it.
#[test]
fn models_of_other_programs_give_what_the_documents_say() {
    let folder = beside_examples("examples/from");
    let mut seen = 0;
    for document in documents().iter().filter(|document| document.starts_with("docs/from/")) {
        let text = read(document);
        assert_eq!(unsaid(&text, &folder), Vec::<String>::new(), "{document}");
        seen += usize::from(!command_lines(&text).is_empty());
    }
    assert!(seen >= 7, "only {seen} documents with commands: the search is broken");
    let text = "```sh\ntickless phold --processes 4 --until 2\n```\n```text\n  processes   4\n  processes 5\n```";
    assert_eq!(unsaid(text, &folder), ["  processes 5"]);
    fs::remove_dir_all(folder).expect("the folder is this test's own");
}

/// Every recipe shows a part of its own file, one command that runs it, and what that prints; every such file has a recipe.
#[test]
fn every_recipe_gives_what_it_says() {
    let folder = beside_examples("examples/recipes");
    let mut with_recipe = vec![];
    for document in documents().iter().filter(|document| document.starts_with("docs/recipes/")) {
        let text = read(document);
        let file = document.replace("docs/", "examples/").replace(".md", ".toml");
        let fenced = blocks(&text).1;
        let [("toml", _), ("sh", _), ("text", output)] = fenced[..] else {
            panic!("{document} has other blocks than a part of its file, a command and output")
        };
        let named: Vec<&str> = shown(&text).into_iter().map(|(file, _)| file).collect();
        assert_eq!(named, [file.as_str()], "{document}");
        let commands = command_lines(&text);
        let [command] = &commands[..] else { panic!("{document} has not one command") };
        assert!(command.contains(&file), "{document} runs another file");
        assert!(!output.trim().is_empty(), "{document} shows no output");
        assert_eq!(unsaid(&text, &folder), Vec::<String>::new(), "{document}");
        with_recipe.push(file);
    }
    let files = fs::read_dir(root().join("examples/recipes")).expect("examples").flatten();
    let mut files: Vec<_> =
        files.map(|file| format!("examples/recipes/{}", file.file_name().to_string_lossy())).collect();
    files.sort();
    with_recipe.sort();
    assert_eq!(with_recipe, files);
    fs::remove_dir_all(folder).expect("the folder is this test's own");
}

/// Which simulator runs which networks is said by the module that decides.
#[test]
fn the_table_of_simulators_is_that_of_the_code() {
    let text = read("docs/networks.md");
    for table in [tickless::queueing::capability::table(), tickless::queueing::capability::features()] {
        assert!(text.contains(&table), "docs/networks.md shall have:\n{table}");
    }
}
