//! The modules of `shaders/`, and refusals of the linker.

use super::link::{parsed, stems};
use super::module::Origin;
use super::*;

fn words() -> Mounts {
    Mounts::default().with("word64", "lib/wide_words")
}

fn own(text: &str) -> Mounts {
    words().with("kernel", Source::Text(text.into())).with("workgroup", "lib/entry_plain")
}

fn refusal(text: &str) -> String {
    let constants = Source::Text("const WORKGROUP: u32 = 64u;".into());
    let refused = link("lib/entry_plain", "main", &own(text).with("constants", constants));
    refused.expect_err("it does not link").to_string()
}

/// Faults in the names of a file: imported and not used, imported from a file without it, taken from a choice that is
/// in no table, or used without an import although another file declares it.
fn faults(module: &super::module::Module) -> Vec<String> {
    let unused = module.unused().into_iter().map(|name| format!("{name} is not used"));
    let wrong = module.imports.iter().filter_map(|(name, origin)| match origin {
        Origin::File(stem) => match parsed(stem) {
            Ok(other) if other.find(name).is_some() => None,
            Ok(_) => Some(format!("{stem} has no {name}")),
            Err(error) => Some(error.to_string()),
        },
        Origin::Choice(choice) => {
            let known = CHOICES.iter().find(|other| other.name == choice);
            let declares = |stem: &&&str| parsed(stem).is_ok_and(|other| other.find(name).is_some());
            match known {
                None => Some(format!("there is no choice '{choice}'")),
                Some(known) if known.open || known.modules.iter().any(|stem| declares(&stem)) => None,
                Some(_) => Some(format!("no module of '{choice}' has {name}")),
            }
        }
    });
    let uses = module.items.iter().flat_map(|item| &item.uses);
    let unknown = uses.filter(|name| module.find(name).is_none() && !module.imports.contains_key(*name));
    let declared = |name: &str| stems().find(|stem| parsed(stem).is_ok_and(|other| other.find(name).is_some()));
    let missing = unknown.filter_map(|name| declared(name).map(|owner| format!("{name} of {owner} is not imported")));
    unused.chain(wrong).chain(missing).collect()
}

#[test]
fn every_import_of_a_file_is_there_and_used() {
    assert!(stems().count() > 150);
    for stem in stems() {
        let module = parsed(stem).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(faults(&module), Vec::<String>::new(), "shaders/{stem}.wgsl");
    }
}

#[test]
fn a_wrong_import_is_found() {
    let module = |text: &str| super::module::Module::parse("test", text).expect("a module");
    let found = |text: &str| faults(&module(text)).join("; ");
    assert_eq!(found("import package::lib::time::{Time}; alias A = Time;"), "");
    assert!(found("import package::lib::time::{Time}; alias A = u32;").contains("not used"));
    assert!(found("import package::lib::time::{Tide}; alias A = Tide;").contains("lib/time has no Tide"));
    assert!(found("import package::lib::tide::{Time}; alias A = Time;").contains("no file shaders/lib/tide.wgsl"));
    assert!(found("import server::{occupy}; alias A = occupy;").contains("no choice 'server'"));
    assert!(found("fn f() { _ = never(); }").contains("never of lib/time is not imported"));
    assert!(found("import servers::{occupied}; alias A = occupied;").contains("no module of 'servers'"));
}

#[test]
fn every_file_of_the_table_is_there() {
    for choice in CHOICES {
        for stem in choice.modules {
            assert!(parsed(stem).is_ok(), "{}: {stem}", choice.name);
        }
        assert!(choice.open || choice.modules.len() > 1, "{} leaves nothing to choose", choice.name);
    }
    let runs = stems().filter(|stem| parsed(stem).is_ok_and(|module| module.find("run").is_some()));
    let listed = CHOICES.iter().find(|choice| choice.name == "kernel").expect("the kernels");
    assert!(runs.eq(listed.modules.iter().copied()));
}

#[test]
fn only_what_is_reached_goes_in() {
    let linked = link("lib/wide", "wide_scale", &words()).expect("it links");
    assert_eq!(linked.modules, ["lib/wide", "lib/wide_words"]);
    assert!(linked.source.contains("fn wide_product(") && !linked.source.contains("fn wide_xor("));
}

#[test]
fn declarations_may_share_a_line() {
    let text = "const A = 1u; const B = 2u; const C = 3u; // three\nfn run(group: u32, lane: u32) { _ = A; _ = C; }";
    let constants = Source::Text("const WORKGROUP: u32 = 64u;".into());
    let linked = link("lib/entry_plain", "main", &own(text).with("constants", constants)).expect("it links").source;
    assert_eq!((linked.matches("const A").count(), linked.matches("const C = 3u; // three").count()), (1, 1));
    assert!(!linked.contains("const B"), "{linked}");
}

#[test]
fn buffers_are_numbered_and_as_read_only_as_they_are_used() {
    let text = "var<storage, read_write> b: array<u32>;\nvar<storage, read_write> a: array<u32>; // of a\n\
                var<storage, read_write> c: array<u32>;\nfn run(group: u32, lane: u32) { b[lane] = a[lane]; }";
    let constants = Source::Text("const WORKGROUP: u32 = 64u;".into());
    let linked = link("lib/entry_plain", "main", &own(text).with("constants", constants)).expect("it links");
    assert!(
        linked.source.contains("@group(0) @binding(0) var<storage, read> a: array<u32>; // of a"),
        "{}",
        linked.source
    );
    assert!(linked.source.contains("@group(0) @binding(1) var<storage, read_write> b"));
    assert!(!linked.source.contains(" c:"));
}

/// The language refuses it; until then it comes to the linker, as any text does.
#[test]
fn a_type_may_be_made_of_itself() {
    let text = "struct A { b: B }\nstruct B { a: A }\nvar<storage, read_write> a: A;\nfn run() { _ = a; }";
    let constants = Source::Text("const WORKGROUP: u32 = 64u;".into());
    let linked = link("lib/entry_plain", "main", &own(text).with("constants", constants)).expect("it links");
    assert!(linked.source.contains("var<storage, read> a: A;"));
}

/// A buffer that becomes read-only gets shorter.
#[test]
fn a_place_behind_a_read_only_buffer_is_that_of_its_module() {
    let text = "var<storage, read_write> a:\n\u{1d400};\nfn run() { _ = a; }";
    let mounts = own("").with("kernel", Source::own("own.wgsl", text)).with("outside", "processes/outside");
    let constants = Source::Text("const WORKGROUP: u32 = 64u;".into());
    let linked = link("lib/entry_plain", "main", &mounts.with("constants", constants)).expect("it links");
    let place = linked.source.find('\u{1d400}').expect("the type");
    assert_eq!(linked.origins.said(place, "a").as_deref(), Some("own.wgsl, line 2: a: \u{1d400};"));
}

/// A user's own names may be those of the library, of the language, and of what it does not import.
#[test]
fn names_of_ones_own_are_free() {
    let text = "import package::lib::time::{never};\nstruct FOLD { main: u32, at: u32 }\nvar<private> wide: FOLD;\n\
                fn min(a: u32, b: u32) -> u32 { return a + b; }\nfn main(lane: u32) -> u32 { wide.main = min(lane, wide.at); return lane; }\n\
                fn run(group: u32, lane: u32) { let wide_low = main(lane); _ = wide_low + wide.at; _ = never(); }";
    let mounts = own("").with("kernel", Source::own("own.wgsl", text)).and(&words());
    let constants =
        Source::Text("const WORKGROUP: u32 = 64u;\nfn before(lane: u32) -> u32 { return min(lane, 3u); }".into());
    let uses =
        "import constants::{before};\n".to_owned() + &text.replace("_ = never()", "_ = never(); _ = before(lane)");
    let linked = |text: &str, constants: &Source| {
        let mounts = mounts
            .clone()
            .with("kernel", Source::own("own.wgsl", text.to_owned()))
            .with("constants", constants.clone());
        link("lib/entry_plain", "main", &mounts)
    };
    let linked_text = linked(&uses, &constants).expect("it links").source;
    for part in [
        "struct own_FOLD { main: u32, at: u32 }",
        "var<private> own_wide: own_FOLD;",
        "fn own_min(a: u32, b: u32)",
        "fn own_main(lane: u32) -> u32 { own_wide.main = own_min(lane, own_wide.at); return lane; }",
        "fn run(group: u32, lane: u32) { let wide_low = own_main(lane); _ = wide_low + own_wide.at; _ = never();",
        "return min(lane, 3u);",
    ] {
        assert!(linked_text.contains(part), "{part}: {linked_text}");
    }
    // A buffer keeps its name, by which it is bound; of two buffers of one name neither can.
    let buffer = "import package::lib::time::{never};\nvar<storage> wide: array<u32>;\nfn run(group: u32, lane: u32) { _ = wide[lane]; _ = never(); }";
    let mounts = mounts
        .with("outside", Source::Text("fn index_of(index: u32, length: u32, line: u32) -> u32 { return 0u; }".into()));
    let linked_text = link(
        "lib/entry_plain",
        "main",
        &mounts.with("kernel", Source::own("own.wgsl", buffer)).with("constants", constants),
    );
    let linked_text = linked_text.expect("it links").source;
    assert!(linked_text.contains("wide: array<u32>;") && linked_text.contains("fn own_wide("), "{linked_text}");
}

#[test]
fn a_file_may_be_replaced() {
    let changed = words().with("lib/time", Source::Text("fn never() -> u32 { return 7u; }".into()));
    let linked = link("lib/time", "never", &changed).expect("it links");
    assert!(linked.source.contains("return 7u") && linked.modules == ["<lib/time>"]);
    // Also where it stands for a choice.
    let words = text("lib/wide_words").expect("a file").replace("a.y < b.y", "a.y > b.y");
    let changed = self::words().with("lib/wide_words", Source::Text(words));
    let linked = link("lib/wide", "wide_minimum", &changed).expect("it links");
    assert!(linked.source.contains("a.y > b.y") && linked.modules == ["<lib/wide_words>", "lib/wide"]);
}

#[test]
fn what_does_not_link_is_said() {
    let run = "fn run(group: u32, lane: u32) { _ = never(); }";
    assert_eq!(
        refusal(&format!("import package::lib::tim::{{never}};\n{run}")),
        "there is no file shaders/lib/tim.wgsl"
    );
    assert!(
        refusal(&format!("import package::lib::wide::{{never}};\n{run}")).contains("imports 'never' from lib/wide")
    );
    assert!(refusal(&format!("import topology::{{never}};\n{run}")).contains("'topology', stations, their laws"));
    let hidden =
        "import package::lib::time::{never};\nfn run(group: u32, lane: u32) { _ = never(); _ = wide(0u, 0u); }";
    assert_eq!(refusal(hidden), "<kernel> uses 'wide' of lib/wide_words without importing it");
    let twice = "const FOLD = 1u;\nfn run(group: u32, lane: u32) { _ = FOLD; }";
    assert_eq!(refusal(twice), "'FOLD' is declared twice, in <kernel> and in lib/dispatch");
    assert!(refusal("fn a() {}\nfn a() {}").contains("'a' is declared twice"));
    let numbered = "@group(0) @binding(0) var<storage> a: array<u32>;\nfn run(group: u32, lane: u32) {}";
    assert!(refusal(numbered).contains("line 1: '@' where a buffer without a number"));
    assert!(refusal("import a::b::{c};").contains("line 1: 'a' where package::folder"));
    assert!(refusal("while").contains("line 1: 'while'"));
    assert!(refusal("fn").contains("where a name is expected"));
}
