//! Who imports whom within a crate, as ARCHITECTURE.md says: the `use` lines and paths of every source file hold it. And what
//! files are called, and how long they are.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file as (path from the root, text without comments and unit tests).
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
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

/// The rooms that a room must not know, though its crate does: (where, what). Between crates the compiler holds it.
const RULES: [(&str, &[&str]); 4] = [
    ("src/queueing/reference", &["tickless_engine", "tickless_device", "gpu"]),
    ("src/processes/reference", &["tickless_engine", "tickless_device", "gpu"]),
    ("src/cells/reference", &["tickless_engine", "tickless_device", "gpu"]),
    ("src/pathfinding/reference", &["tickless_engine", "tickless_device", "gpu"]),
];

/// Names that say nothing of what is in a room.
const EMPTY_NAMES: [&str; 8] = ["utils", "util", "common", "manager", "helpers", "helper", "misc", "shared"];
const LONGEST_FILE: usize = 500;

/// The module of a file, from its crate on.
fn module(file: &str) -> Vec<&str> {
    let stem = file.trim_start_matches("src/").trim_end_matches(".rs");
    let parts = stem.split_once('/').map_or("", |(_, within)| within);
    parts.split('/').filter(|part| !["", "mod", "lib", "main"].contains(part)).collect()
}

/// The ends of a path or of the groups of paths at the start of `text`: `a::{b::c, d}` is `a::b::c` and `a::d`.
fn ends(text: &str) -> Vec<String> {
    let name = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(text, |end| &text[..end]);
    if let Some(rest) = text[name.len()..].strip_prefix("::").filter(|_| !name.is_empty()) {
        return ends(rest).into_iter().map(|end| format!("{name}::{end}")).collect();
    }
    let Some(group) = text.strip_prefix('{') else { return vec![name.to_owned()] };
    let (mut found, mut depth, mut fresh) = (vec![], 0, true);
    for (place, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            c if fresh && !c.is_whitespace() => {
                found.extend(ends(&group[place..]));
                fresh = false;
            }
            _ => {}
        }
    }
    found
}

/// The paths that a file names: of its crate from the crate on, of others with the crate.
fn named(file: &str, text: &str) -> Vec<String> {
    let mut found = vec![];
    for (place, _) in text.match_indices("tickless_") {
        found.extend(ends(&text[place..]));
    }
    for (place, _) in text.match_indices("crate::") {
        found.extend(ends(&text[place + "crate::".len()..]));
    }
    for (place, _) in text.match_indices("super::").filter(|&(place, _)| !text[..place].ends_with("super::")) {
        let mut own = module(file);
        let mut rest = &text[place..];
        while let Some(up) = rest.strip_prefix("super::") {
            own.pop();
            rest = up;
        }
        found.extend(ends(rest).into_iter().map(|end| [own.join("::"), end].join("::")));
    }
    found.into_iter().map(|path| path.trim_start_matches("::").to_owned()).collect()
}

/// wgpu is named in its own room only; the command chooses adapters through that room.
fn names_wgpu(file: &str, text: &str) -> bool {
    let direct = ["use wgpu", "use ::wgpu", " ::wgpu", "(::wgpu", "<::wgpu", "api::", "wgpu::api"];
    let room = file.starts_with("src/device/wgpu/");
    let through = file.starts_with("src/command/");
    !room && (direct.iter().any(|name| text.contains(name)) || (!through && text.contains("wgpu::")))
}

/// CUDA's crates are named in their own room only.
fn names_cuda(file: &str, text: &str) -> bool {
    let room = file.starts_with("src/device/cuda/");
    !room && ["cudarc", "libloading", "nvrtc::"].iter().any(|name| text.contains(name))
}

/// What breaks a rule, as "file: what".
fn broken(files: &[(String, String)]) -> Vec<String> {
    let mut faults = vec![];
    for (name, text) in files {
        for (room, others) in RULES.iter().filter(|(room, _)| name.starts_with(room)) {
            for path in named(name, text) {
                let inside = |other: &&&str| path == **other || path.starts_with(&format!("{other}::"));
                faults.extend(others.iter().find(inside).map(|_| format!("{name} ({room}): {path}")));
            }
        }
        if names_wgpu(name, text) {
            faults.push(format!("{name}: wgpu"));
        }
        if names_cuda(name, text) {
            faults.push(format!("{name}: CUDA"));
        }
        let empty = name.trim_end_matches(".rs").split('/').find(|part| EMPTY_NAMES.contains(part));
        faults.extend(empty.map(|part| format!("{name}: a room named {part}")));
    }
    faults
}

#[test]
fn dependencies_run_downhill() {
    assert_eq!(broken(&all()), Vec::<String>::new());
}

#[test]
fn no_file_is_long() {
    for (name, _) in all() {
        let lines = fs::read_to_string(&name).expect("a source file").lines().count();
        assert!(lines < LONGEST_FILE, "{name} has {lines} lines");
    }
}

#[test]
fn a_wrong_import_is_caught() {
    let file = |name: &str, text: &str| (name.to_owned(), code(text));
    let wrong = [
        file("src/queueing/reference/waiting.rs", "let d: tickless_device::Device;"),
        file("src/queueing/reference.rs", "use super::{NetworkModel, gpu::parts};"),
        file(
            "src/queueing/reference/waiting.rs",
            "use tickless_core::time::Time;\nuse crate::{time::Time,\n    gpu::parts};",
        ),
        file("src/processes/reference.rs", "use tickless_engine::Options;"),
        file("src/processes/reference/entry.rs", "use tickless_device::Device;"),
        file("src/processes/reference.rs", "use super::gpu::parts;"),
        file("src/cells/reference.rs", "use tickless_engine::{Rounds, pending::PendingSet};"),
        file("src/cells/reference.rs", "use tickless_device::Device;"),
        file("src/cells/reference.rs", "use super::{CellModel, gpu::DeviceCells};"),
        file("src/pathfinding/reference.rs", "use crate::gpu::Finder;"),
        file("src/engine/rounds.rs", "fn f(x: wgpu::Device) {}"),
        file("src/command/torus.rs", "use ::wgpu as api;"),
        file("src/command/backend.rs", "use cudarc::driver::CudaContext;"),
        file("src/engine/rounds.rs", "let library: libloading::Library;"),
        file("src/command/utils.rs", ""),
        file("src/engine/common/mod.rs", ""),
    ];
    for wrong in wrong {
        assert_ne!(broken(std::slice::from_ref(&wrong)), Vec::<String>::new(), "{wrong:?}");
    }
    let right = [
        file("src/cells/reference.rs", "// crate::gpu in a comment is none"),
        file("src/queueing/reference.rs", "use crate::NetworkModel;"),
        file("src/queueing/gpu.rs", "use tickless_device::Device;"),
        file("src/processes/reference.rs", "use super::{Outcome, ProcessModel};\nuse tickless_core::heap::BucketList;"),
        file("src/fire/watershed.rs", "use tickless_cells::gpu::DeviceCells;\nuse tickless_device::BufferSpec;"),
        file("src/command/backend.rs", "use tickless_device::wgpu::{OpenOptions, Selection};"),
        file("src/device/wgpu/mod.rs", "pub use ::wgpu as api;"),
        file("src/device/cuda/driver.rs", "use cudarc::driver::sys;"),
        file("src/command/backend.rs", "use tickless_device::cuda::CudaDevice;"),
    ];
    assert_eq!(broken(&right), Vec::<String>::new());
}
