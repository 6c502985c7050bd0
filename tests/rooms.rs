//! Who imports whom within a crate, as ARCHITECTURE.md says: the `use` lines and paths of every source file hold it. And what
//! files are called, and how long they are.

use std::collections::{BTreeMap, BTreeSet};
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

/// The modules of a large crate in their order: one imports only those before it. `uphill` are the known exceptions, to be removed.
struct Order {
    room: &'static str,
    modules: &'static [&'static str],
    uphill: &'static [(&'static str, &'static str)],
}

const ORDERS: [Order; 2] = [
    Order {
        room: "src/queueing/",
        modules: &[
            "traffic",
            "error",
            "options",
            "torus",
            "describe",
            "model",
            "control",
            "capability",
            "partition",
            "share",
            "outcome",
            "member",
            "shard",
            "checkpoint",
            "messages",
            "costs",
            "parts",
            "rank",
            "reference",
            "visits",
            "batch_means",
            "gpu",
            "controlled",
            "warmup",
            "going",
            "distributed",
            "run",
            "figures",
            "ensemble",
            "warnings",
            "check",
            "computed",
            "theory",
            "flows",
            "generators",
            "file",
            "jmt",
        ],
        uphill: &[],
    },
    Order {
        room: "src/command/",
        modules: &[
            "ending",
            "terminal",
            "text",
            "figures",
            "version",
            "error",
            "output",
            "interrupt",
            "stored",
            "arguments",
            "warning",
            "backend",
            "inputs",
            "progress",
            "rounds",
            "shape",
            "report",
            "page",
            "replications",
            "case",
            "memory",
            "shard",
            "report_text",
            "limits",
            "kernels",
            "files",
            "foreign",
            "merge",
            "manual",
            "run",
            "checkpoint",
            "distributed",
            "resume",
            "profile",
            "compare",
            "reproduce",
            "rerun",
            "embedded",
            "conversion",
            "convert",
            "paths",
            "log",
            "cases",
            "devices",
            "schema",
            "commands",
        ],
        uphill: &[],
    },
];

/// Where names that the root of a crate passes on come from.
fn passed_on(root: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (place, _) in root.match_indices("use ") {
        for end in ends(&root[place + "use ".len()..]) {
            if let [module, .., name] = end.split("::").collect::<Vec<_>>()[..] {
                found.insert(name.to_owned(), module.to_owned());
            }
        }
    }
    found
}

/// The imports of a crate's modules that go up, as (who, whom).
fn uphill(order: &Order, files: &[(String, String)]) -> BTreeSet<(String, String)> {
    let own = files.iter().filter(|(name, _)| name.starts_with(order.room));
    let (root, rest): (Vec<_>, Vec<_>) =
        own.partition(|(name, _)| name.ends_with("/lib.rs") && module(name).is_empty());
    let passed_on = root.iter().map(|(_, text)| passed_on(text)).next().unwrap_or_default();
    let place = |module: &str| order.modules.iter().position(|known| *known == module);
    let mut found = BTreeSet::new();
    for (name, text) in rest.into_iter().filter(|(name, _)| !name.contains("/tests/")) {
        let who = module(name)[0];
        let from = place(who).unwrap_or_else(|| panic!("{}{who} has no place in the order of its crate", order.room));
        for path in named(name, text) {
            let first = path.split("::").next().unwrap_or_default();
            let whom = passed_on.get(first).map_or(first, String::as_str);
            if place(whom).is_some_and(|to| to > from) {
                found.insert((who.to_owned(), whom.to_owned()));
            }
        }
    }
    found
}

#[test]
fn modules_import_downhill() {
    let files = all();
    for order in &ORDERS {
        let known = order.uphill.iter().map(|&(who, whom)| (who.to_owned(), whom.to_owned())).collect();
        assert_eq!(uphill(order, &files), known, "{}", order.room);
    }
}

#[test]
fn an_import_uphill_is_caught() {
    let order = Order { room: "src/room/", modules: &["low", "high"], uphill: &[] };
    let file = |name: &str, text: &str| (name.to_owned(), code(text));
    let root = file("src/room/lib.rs", "mod low;\nmod high;\npub use high::{Tower, tall};\npub use low::Cellar;");
    for wrong in ["use crate::high::Tower;", "use super::{Cellar, tall};", "fn f() { crate::Tower::new(); }"] {
        let found = uphill(&order, &[root.clone(), file("src/room/low.rs", wrong)]);
        assert_eq!(found, BTreeSet::from([("low".to_owned(), "high".to_owned())]), "{wrong}");
    }
    let right =
        [root, file("src/room/high/roof.rs", "use crate::Cellar;"), file("src/room/low.rs", "use crate::Cellar;")];
    assert_eq!(uphill(&order, &right), BTreeSet::new());
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

/// The crates in the order of ARCHITECTURE's table, by their folders below `src/`, with their manifests.
fn crates() -> Vec<(String, String)> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let table = read("ARCHITECTURE.md");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `src/")?.split_once("/` |"));
    let crates: Vec<_> = rows.map(|(name, _)| (name.to_owned(), read(&format!("src/{name}/Cargo.toml")))).collect();
    let folders = fs::read_dir("src").expect("a folder").flatten();
    let with_manifest = folders.filter(|folder| folder.path().join("Cargo.toml").exists()).count();
    assert_eq!(crates.len(), with_manifest, "crates in the table, and below src/");
    crates
}

const FAMILIES: [&str; 6] = ["queueing", "processes", "cells", "fire", "cdpp", "pathfinding"];
/// `cells` is the only family that other families build on, and these do.
const BELOW: (&str, [&str; 2]) = ("cells", ["fire", "cdpp"]);

/// The dependencies of a crate that are not above it in the table, or are another family.
fn misplaced(crates: &[(String, String)]) -> Vec<String> {
    let mut faults = vec![];
    for (place, (name, manifest)) in crates.iter().enumerate() {
        let section = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
        let own = section.split("\n[").next().unwrap_or_default().lines();
        let ours = own.filter_map(|line| line.strip_prefix("tickless-")?.split(['.', ' ']).next());
        for other in ours.filter(|other| *other != "shaders") {
            let above = crates[..place].iter().any(|(before, _)| before == other);
            let both = FAMILIES.contains(&name.as_str()) && FAMILIES.contains(&other);
            if !above || (both && !(other == BELOW.0 && BELOW.1.contains(&name.as_str()))) {
                faults.push(format!("{name}: {other}"));
            }
        }
    }
    faults
}

#[test]
fn crates_depend_on_those_above_them() {
    assert_eq!(misplaced(&crates()), Vec::<String>::new());
}

#[test]
fn a_misplaced_dependency_is_caught() {
    let with = |room: &str, dependency: &str| {
        let mut crates = crates();
        let (_, manifest) = crates.iter_mut().find(|(name, _)| name == room).expect("a crate");
        *manifest = manifest.replacen("\n[dependencies]\n", &format!("\n[dependencies]\n{dependency}\n"), 1);
        misplaced(&crates)
    };
    assert_eq!(with("cells", "tickless-queueing.workspace = true"), ["cells: queueing"]);
    assert_eq!(with("core", "tickless-device = { workspace = true }"), ["core: device"]);
    assert_eq!(with("fire", "serde.workspace = true"), Vec::<String>::new());
}

/// Crates that spend little of a run's time.
const COMPILED_SOON: [&str; 3] = ["command", "error", "experiments"];

/// What simulates is compiled for speed: a crate that the profile leaves out would not be.
#[test]
fn simulators_are_compiled_for_speed() {
    let root = fs::read_to_string("Cargo.toml").expect("a manifest");
    let profile =
        root.split("[profile.release.package]").nth(1).expect("a profile").split("\n[").next().expect("its lines");
    for (name, _) in crates() {
        let fast = profile.contains(&format!("\ntickless-{name} = {{ opt-level = 3"));
        assert_ne!(fast, COMPILED_SOON.contains(&name.as_str()), "{name} in [profile.release.package]");
    }
}
