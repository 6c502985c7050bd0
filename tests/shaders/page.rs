//! docs/wgsl.md: what a model of one's own may import, as the shaders say it, and how many buffers kernels leave to it.

use std::collections::{BTreeMap, BTreeSet};

use tickless::cells::gpu::DeviceCells as _;
use tickless::cells::{Border, Space};
use tickless::device::AdapterDescription;
use tickless::engine::{ModelParts, round_program};
use tickless::kernels::{CHOICES, Source, text};
use tickless::pending::PendingSet;
use tickless::processes::gpu::{DeviceModel, ProcessOptions};
use tickless::processes::{self, Phold};

use crate::gossip::Gossip;
use crate::kernels::{KERNELS, parts_of_cells_by};

const PAGE: &str = include_str!("../../docs/wgsl.md");

/// Files all of whose functions the page lists.
const WHOLE: [&str; 9] = [
    "lib/wide_words",
    "lib/wide",
    "lib/time",
    "lib/pcg32",
    "lib/laws",
    "lib/long",
    "processes/message",
    "cells/stream",
    "lib/faults",
];

/// The rows of the tables of a page, by the modules under whose headings they stand ("" of the table of buffers): the cells of each.
fn rows(page: &str) -> Vec<(&str, Vec<&str>)> {
    let mut heading = "";
    let mut rows = vec![];
    for line in page.lines() {
        heading = if line.starts_with("## ") { "" } else { heading };
        heading = line.strip_prefix("### `").and_then(|rest| rest.strip_suffix('`')).unwrap_or(heading);
        let cells = line.strip_prefix("| `").and_then(|rest| rest.strip_suffix(" |"));
        rows.extend(cells.map(|cells| (heading, cells.split(" | ").collect())));
    }
    rows
}

/// The texts of the modules that may stand for what a model imports from: a file, or one of a choice.
fn texts(from: &str) -> Vec<String> {
    if let Some(path) = from.strip_prefix("package::") {
        return text(&path.replace("::", "/")).map(str::to_owned).into_iter().collect();
    }
    let choice = CHOICES.iter().find(|choice| choice.name == from);
    let files = choice.map_or(&[][..], |choice| choice.modules).iter().filter_map(|stem| text(stem));
    let files: Vec<_> = files.map(str::to_owned).collect();
    // What the host writes stands in kernels.
    if files.is_empty() { KERNELS.iter().map(|listed| listed.kernel.source.clone()).collect() } else { files }
}

/// What is declared in a text: functions up to their bodies, constants and variables up to their values, other names alone.
fn declared(text: &str) -> BTreeSet<String> {
    let signature = |line: &str| {
        let ends: &[char] = match line.split([' ', '<']).next()? {
            "fn" => &['{'],
            "const" => &['='],
            "var" => &['=', ';'],
            "struct" | "alias" => &['{', '='],
            _ => return None,
        };
        Some(line.split(ends).next()?.trim().to_owned())
    };
    text.lines().filter_map(signature).collect()
}

/// What a page says of modules that is not so, and what it leaves out.
fn wrong(page: &str) -> Vec<String> {
    let mut listed: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut wrong = vec![];
    for (from, cells) in rows(page).into_iter().filter(|(from, _)| !from.is_empty()) {
        match cells[..] {
            [name, _] => _ = listed.entry(from).or_default().insert(name.trim_end_matches('`')),
            _ => wrong.push(format!("{from} has a row of {} cells", cells.len())),
        }
    }
    for (from, names) in &listed {
        let texts: Vec<_> = texts(from).iter().map(|text| declared(text)).collect();
        // Constants of the host are in some kernels only.
        let is_there = |name: &str| match name.starts_with("const ") {
            true => texts.iter().any(|text| text.contains(name)),
            false => !texts.is_empty() && texts.iter().all(|text| text.contains(name)),
        };
        wrong.extend(names.iter().filter(|name| !is_there(name)).map(|name| format!("{from} has no '{name}'")));
    }
    let all: BTreeSet<&str> = listed.values().flatten().copied().collect();
    for file in WHOLE {
        let functions = declared(text(file).expect("a file")).into_iter().filter(|name| name.starts_with("fn "));
        wrong.extend(functions.filter(|name| !all.contains(&**name)).map(|name| format!("{file} has '{name}', too")));
    }
    wrong
}

#[test]
fn the_page_says_what_shaders_declare() {
    let [names, buffers] = [2, 4].map(|cells| rows(PAGE).iter().filter(|(_, row)| row.len() == cells).count());
    assert!(names > 60 && buffers > 8, "{:?}", rows(PAGE));
    assert_eq!(wrong(PAGE), Vec::<String>::new());
}

#[test]
fn a_page_that_is_wrong_is_caught() {
    let caught = |right: &str, wrong_text: &str, said: &str| {
        let page = PAGE.replacen(right, wrong_text, 1);
        assert!(page != PAGE && wrong(&page).iter().any(|wrong| wrong.contains(said)), "{said}: {:?}", wrong(&page));
    };
    caught("fn send(destination: u32,", "fn send(to: u32,", "processes::send has no 'fn send(to");
    caught("`fn draw(stream", "`fn drew(stream", "pcg32 has no 'fn drew(");
    caught("`fn draw(stream", "`fn drew(stream", "lib/pcg32 has 'fn draw(");
    caught("const NEIGHBOURS: u32", "const NEIGHBOURS: i32", "constants has no 'const NEIGHBOURS: i32'");
    caught("| the number of the cell |", "| the number | of the cell |", "package::cells::space has a row of 3 cells");
    caught("### `package::lib::time`", "### `package::lib::tide`", "package::lib::tide has no 'fn never");
}

/// A model of processes that does no more than it must.
const LEAST: &str = "
import package::lib::pcg32::{Stream};
import package::processes::send::{plan, send};
import events::{Event, carried_by};
import word64::{wide};
fn start(id: u32, stream: ptr<function, Stream>) { plan(wide(id, 0u), vec4<u32>()); }
fn execute(event: Event, stream: ptr<function, Stream>) { send(0u, wide(0u, 1u), carried_by(event)); }
";

/// The most storage buffers of each kernel with a module.
fn most(kernels: &mut BTreeMap<String, usize>, parts: ModelParts, module: &str) {
    let program = round_program(parts, &AdapterDescription::imagined(false, 0)).unwrap_or_else(|e| panic!("{e}"));
    for kernel in program.kernels.iter().filter(|kernel| kernel.modules.iter().any(|own| own == module)) {
        let bound = kernel.bindings.iter().filter(|binding| binding.storage).count();
        let known = kernels.entry(format!("`{}`", kernel.label)).or_default();
        *known = bound.max(*known);
    }
}

#[test]
fn the_page_says_how_many_buffers_are_left() {
    let mut kernels = BTreeMap::new();
    let adapter = AdapterDescription::imagined(false, 0);
    let phold = DeviceModel::from(&Phold::new(1 << 15).population(16).check().expect("a model"));
    let least = DeviceModel { source: Source::own("least.wgsl", LEAST), payload_words: 3, buffers: vec![], ..phold };
    let few = DeviceModel { processes: 9, burst: 1.0, ..least.clone() };
    for (model, pending) in
        PendingSet::ALL.map(|set| (&least, set)).into_iter().chain([(&few, PendingSet::HeapOfFours)])
    {
        let options = ProcessOptions { pending, ..ProcessOptions::default() };
        let parts = processes::gpu::parts(model, &options, &adapter).unwrap_or_else(|e| panic!("{e}"));
        most(&mut kernels, parts, "least.wgsl");
    }
    let gossip = Gossip::new(Space::new([9, 9, 1], Border::Open, Space::moore()).expect("a space"));
    assert!(gossip.kernels().is_some());
    for (uneven, logged) in [(false, false), (true, true)] {
        let mut all = BTreeMap::new();
        most(&mut all, parts_of_cells_by((&Gossip { uneven, ..gossip.clone() }, 1), logged, &adapter), "gossip.wgsl");
        let more = if logged { ", with lookaheads of cells and a log" } else { "" };
        kernels.extend(all.into_iter().map(|(label, bound)| (label + more, bound)));
    }
    let found: Vec<_> = kernels
        .iter()
        .map(|(label, bound)| format!("| {label} | {bound} | {} | {} |", 8 - bound, 10 - bound))
        .collect();
    let table: Vec<_> =
        PAGE.lines().skip_while(|line| *line != "## Buffers").filter(|line| line.starts_with("| `")).collect();
    assert_eq!(found, table, "docs/wgsl.md says otherwise");
}
