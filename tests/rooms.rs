//! Who imports whom, as ARCHITECTURE.md says: the `use` lines and paths of every source file hold it.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file as (path from the root, text without comments and unit tests).
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("below the root");
            found.push((name.to_string_lossy().replace('\\', "/"), code(&text)));
        }
    }
}

/// Everything before the unit tests, without comments.
fn code(text: &str) -> String {
    let before = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    before.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn all() -> Vec<(String, String)> {
    let mut found = vec![];
    sources(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 30, "only {} sources found", found.len());
    found
}

/// The rooms that a room must not know: (where, what).
const RULES: [(&str, &[&str]); 7] = [
    ("src/heap/", &["crate::engine", "crate::device", "crate::queueing", "crate::cli"]),
    ("src/queueing/reference", &["crate::engine", "crate::device", "crate::cli", "super::gpu"]),
    ("src/engine/", &["crate::queueing", "crate::heap", "crate::cli"]),
    ("src/device/", &["crate::engine", "crate::queueing", "crate::heap", "crate::cli", "crate::statistics"]),
    ("src/statistics/", &["crate::engine", "crate::device", "crate::queueing", "crate::heap", "crate::cli"]),
    ("src/time.rs", &["crate::"]),
    ("src/queueing/", &["crate::cli"]),
];

/// What breaks a rule, as "file: what".
fn broken(files: &[(String, String)]) -> Vec<String> {
    let mut faults = vec![];
    for (name, text) in files {
        for (room, others) in RULES.iter().filter(|(room, _)| name.starts_with(room)) {
            let known = others.iter().filter(|other| text.contains(**other));
            faults.extend(known.map(|other| format!("{name} ({room}): {other}")));
        }
        let names_wgpu = text.contains("::wgpu as") || text.contains("use ::wgpu") || text.contains("api::");
        if names_wgpu && !name.starts_with("src/device/wgpu/") {
            faults.push(format!("{name}: wgpu"));
        }
    }
    faults
}

#[test]
fn dependencies_run_downhill() {
    assert_eq!(broken(&all()), Vec::<String>::new());
}

#[test]
fn a_wrong_import_is_caught() {
    let file = |name: &str, text: &str| (name.to_owned(), code(text));
    let wrong = [
        file("src/heap/far.rs", "use crate::engine::Options;"),
        file("src/queueing/reference/waiting.rs", "let d: crate::device::Device;"),
        file("src/engine/rounds.rs", "// crate::queueing in a comment is none"),
        file("src/cli/torus.rs", "use ::wgpu as api;"),
    ];
    assert_eq!(broken(&wrong).len(), 3);
}
