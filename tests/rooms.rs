//! Who imports whom, as ARCHITECTURE.md says: the `use` lines and paths of every source file hold it. And what files
//! are called, and how long they are.

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

/// The rooms that a room must not know: (where, what).
const RULES: [(&str, &[&str]); 20] = [
    ("src/ranks/", &["engine", "device", "queueing", "processes", "cells", "pathfinding", "cli", "statistics"]),
    ("src/heap/", &["engine", "device", "queueing", "processes", "cells", "cli", "ranks"]),
    ("src/queueing/reference", &["engine", "device", "cli", "queueing::gpu"]),
    ("src/processes/reference", &["engine", "device", "cli", "queueing", "processes::gpu"]),
    ("src/cells/reference", &["engine", "device", "cli", "cells::gpu"]),
    ("src/pathfinding/reference", &["engine", "device", "cli", "pathfinding::gpu"]),
    ("src/engine/", &["queueing", "processes", "cells", "pathfinding", "heap", "cli"]),
    ("src/device/", &["engine", "queueing", "processes", "cells", "pathfinding", "heap", "cli", "statistics"]),
    (
        "src/run/",
        &["engine", "device", "queueing", "processes", "cells", "pathfinding", "heap", "cli", "statistics", "random"],
    ),
    (
        "src/random/",
        &["engine", "device", "queueing", "processes", "cells", "pathfinding", "heap", "cli", "statistics"],
    ),
    ("src/statistics/", &["engine", "device", "queueing", "processes", "cells", "pathfinding", "heap", "cli"]),
    ("src/time.rs", &[""]),
    (
        "src/reading",
        &[
            "engine",
            "device",
            "queueing",
            "processes",
            "cells",
            "pathfinding",
            "heap",
            "cli",
            "statistics",
            "run",
            "random",
        ],
    ),
    (
        "src/memory.rs",
        &["engine", "device", "queueing", "processes", "cells", "pathfinding", "heap", "cli", "statistics", "run"],
    ),
    (
        "src/archive.rs",
        &["engine", "device", "queueing", "processes", "cells", "pathfinding", "heap", "cli", "statistics", "run"],
    ),
    ("src/experiments/", &["cli", "processes", "cells", "pathfinding", "engine", "heap"]),
    ("src/queueing/", &["cli", "processes", "cells", "pathfinding", "experiments"]),
    ("src/processes/", &["cli", "queueing", "cells", "pathfinding"]),
    ("src/cells/", &["cli", "queueing", "processes", "pathfinding"]),
    ("src/pathfinding/", &["cli", "queueing", "processes", "cells"]),
];

/// Names that say nothing of what is in a room.
const EMPTY_NAMES: [&str; 8] = ["utils", "util", "common", "manager", "helpers", "helper", "misc", "shared"];
const LONGEST_FILE: usize = 500;

/// The module of a file, from the crate on.
fn module(file: &str) -> Vec<&str> {
    let stem = file.trim_start_matches("src/").trim_end_matches(".rs");
    stem.split('/').filter(|part| !["mod", "lib", "main"].contains(part)).collect()
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

/// The paths of this crate that a file names, from the crate on.
fn named(file: &str, text: &str) -> Vec<String> {
    let mut found = vec![];
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

/// The crate is named in its own room only; the command chooses adapters through that room.
fn names_wgpu(file: &str, text: &str) -> bool {
    let direct = ["use wgpu", "use ::wgpu", " ::wgpu", "(::wgpu", "<::wgpu", "api::", "wgpu::api"];
    let room = file.starts_with("src/device/wgpu/");
    let through = file.starts_with("src/cli/");
    !room && (direct.iter().any(|name| text.contains(name)) || (!through && text.contains("wgpu::")))
}

/// CUDA's crates are named in their own room only.
fn names_cuda(file: &str, text: &str) -> bool {
    let room = file.starts_with("src/device/cuda/");
    !room && ["cudarc", "libloading", "nvrtc::"].iter().any(|name| text.contains(name))
}

/// The library's one error is for callers: below the command each room has its own.
fn names_the_facade(file: &str, path: &str) -> bool {
    let above = file.starts_with("src/cli/") || ["src/lib.rs", "src/error.rs", "src/main.rs"].contains(&file);
    !above && ["error", "RunError"].iter().any(|name| path.split("::").next() == Some(name))
}

/// What breaks a rule, as "file: what".
fn broken(files: &[(String, String)]) -> Vec<String> {
    let mut faults = vec![];
    for (name, text) in files {
        for (room, others) in RULES.iter().filter(|(room, _)| name.starts_with(room)) {
            for path in named(name, text) {
                let inside =
                    |other: &&&str| other.is_empty() || path == **other || path.starts_with(&format!("{other}::"));
                faults.extend(others.iter().find(inside).map(|_| format!("{name} ({room}): {path}")));
            }
        }
        let facade = named(name, text).into_iter().find(|path| names_the_facade(name, path));
        faults.extend(facade.map(|path| format!("{name}: {path}, which is for callers")));
        if names_wgpu(name, text) {
            faults.push(format!("{name}: wgpu"));
        }
        if names_cuda(name, text) {
            faults.push(format!("{name}: CUDA"));
        }
        let empty = module(name).into_iter().find(|part| EMPTY_NAMES.contains(part));
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
        file("src/heap/far.rs", "use crate::engine::Options;"),
        file("src/heap/far.rs", "use crate::{time::Time,\n    device::{Device, Kernel}};"),
        file("src/heap/mod.rs", "use super::engine::Options;"),
        file("src/queueing/reference/waiting.rs", "let d: crate::device::Device;"),
        file("src/queueing/reference.rs", "use super::{NetworkModel, gpu::parts};"),
        file("src/processes/reference.rs", "use crate::engine::Options;"),
        file("src/processes/reference/entry.rs", "use crate::device::Device;"),
        file("src/processes/reference.rs", "use super::gpu::parts;"),
        file("src/processes/model.rs", "use crate::queueing::Network;"),
        file("src/cells/reference.rs", "use crate::engine::Rounds;"),
        file("src/cells/reference.rs", "use crate::device::Device;"),
        file("src/cells/reference.rs", "use super::{CellModel, gpu::DeviceCells};"),
        file("src/cells/reference.rs", "use crate::cli::Ending;"),
        file("src/cells/fire/model.rs", "use crate::cli::Ending;"),
        file("src/cells/space.rs", "use crate::queueing::Network;"),
        file("src/cells/gpu/mod.rs", "use crate::processes::Phold;"),
        file("src/heap/far.rs", "use crate::cells::Space;"),
        file("src/engine/rounds.rs", "use crate::cells::Space;"),
        file("src/device/program.rs", "use crate::cells::Space;"),
        file("src/random/stream.rs", "use crate::cells::Space;"),
        file("src/statistics/digest.rs", "use crate::cells::Space;"),
        file("src/run/mod.rs", "use crate::device::Device;"),
        file("src/run/digest.rs", "use crate::statistics::Outcome;"),
        file("src/queueing/far.rs", "use crate::cells::Space;"),
        file("src/processes/model.rs", "use crate::cells::Space;"),
        file("src/engine/rounds.rs", "use crate::{queueing};"),
        file("src/engine/rounds.rs", "fn f(x: wgpu::Device) {}"),
        file("src/device/program.rs", "use super::super::engine;"),
        file("src/time.rs", "use crate::random;"),
        file("src/reading.rs", "use crate::cli::CommandError;"),
        file("src/memory.rs", "use crate::device::bytes;"),
        file("src/cli/torus.rs", "use ::wgpu as api;"),
        file("src/cli/backend.rs", "use cudarc::driver::CudaContext;"),
        file("src/engine/rounds.rs", "let library: libloading::Library;"),
        file("src/heap/executive.rs", "use crate::RunError;"),
        file("src/engine/rounds.rs", "use crate::error::RunError;"),
        file("src/queueing/reference.rs", "use crate::{RunError, time::Time};"),
        file("src/cells/mod.rs", "use super::error::RunError;"),
        file("src/cli/utils.rs", ""),
        file("src/engine/common/mod.rs", ""),
    ];
    for wrong in wrong {
        assert_ne!(broken(std::slice::from_ref(&wrong)), Vec::<String>::new(), "{wrong:?}");
    }
    let right = [
        file("src/engine/rounds.rs", "// crate::queueing in a comment is none"),
        file("src/engine/rounds.rs", "use crate::{device::Device, time};\nuse super::Control;"),
        file("src/queueing/reference.rs", "use crate::queueing::NetworkModel;"),
        file("src/queueing/gpu.rs", "use crate::device::Device;"),
        file("src/processes/reference.rs", "use super::{Outcome, ProcessModel};\nuse crate::heap::BucketList;"),
        file("src/device/mod.rs", "use crate::run::KernelTime;"),
        file("src/cells/reference.rs", "use super::{CellModel, Space};\nuse crate::heap::EventList;"),
        file("src/cells/watershed.rs", "use super::gpu::DeviceCells;\nuse crate::device::BufferSpec;"),
        file("src/cli/backend.rs", "use crate::RunError;"),
        file("src/cells/reference.rs", "use super::error::CellError;\nuse crate::cells::error::CellError;"),
        file("src/cli/backend.rs", "use crate::device::wgpu::{OpenOptions, Selection};"),
        file("src/device/wgpu/mod.rs", "pub use ::wgpu as api;"),
        file("src/device/cuda/driver.rs", "use cudarc::driver::sys;"),
        file("src/cli/backend.rs", "use crate::device::cuda::CudaDevice;"),
    ];
    assert_eq!(broken(&right), Vec::<String>::new());
}
