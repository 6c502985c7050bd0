//! Structs of the modules as the compiler lays them out, for the tests of their mirrors.

use super::{Mounts, link};

/// The members of a struct of a file with their offsets, and its size under an empty name.
fn layout(file: &str, name: &str, mounts: &Mounts) -> Vec<(String, u32)> {
    let source = link(file, name, mounts).unwrap_or_else(|e| panic!("{e}")).source;
    let module = naga::front::wgsl::parse_str(&source).unwrap_or_else(|e| panic!("{}", e.emit_to_string(&source)));
    let found = module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name));
    match found.map(|(_, t)| &t.inner) {
        Some(naga::TypeInner::Struct { members, span }) => members
            .iter()
            .map(|m| (m.name.clone().unwrap_or_default(), m.offset))
            .chain([(String::new(), *span)])
            .collect(),
        _ => panic!("no struct {name}"),
    }
}

/// Whether a struct of a file is laid out so, with either form of 64-bit words.
#[track_caller]
pub(crate) fn assert_layout(file: &str, name: &str, expected: &[(&str, usize)]) {
    assert_layout_of(file, name, &Mounts::default(), expected);
}

/// The same of a module that is replaced.
#[track_caller]
pub(crate) fn assert_layout_of(file: &str, name: &str, mounts: &Mounts, expected: &[(&str, usize)]) {
    let expected: Vec<_> = expected.iter().map(|&(name, offset)| (name.to_owned(), offset as u32)).collect();
    for form in ["lib/wide_native", "lib/wide_words"] {
        assert_eq!(layout(file, name, &mounts.clone().with("word64", form)), expected, "{form}");
    }
}

/// A text of a file with one place changed, which a mirror must notice.
pub(crate) fn changed(file: &'static str, from: &str, to: &str) -> Mounts {
    let text = super::link::file(file).expect("a file").1;
    assert!(text.contains(from), "{file} has no '{from}'");
    Mounts::default().with(file, super::Source::Text(text.replace(from, to)))
}
