//! Structs of the modules in the compiler's layout, for the tests of their mirrors.

#[cfg(feature = "naga")]
use super::{Mounts, link};

/// The members of a struct of a file with their offsets, and its size under an empty name.
#[cfg(feature = "naga")]
pub fn layout(file: &str, name: &str, mounts: &Mounts) -> Vec<(String, u32)> {
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

/// Asserts the layout of a struct of a file, with either form of 64-bit words.
#[track_caller]
#[cfg(feature = "naga")]
pub fn assert_layout(file: &str, name: &str, mounts: &Mounts, expected: &[(&str, usize)]) {
    let expected: Vec<_> = expected.iter().map(|&(name, offset)| (name.to_owned(), offset as u32)).collect();
    for form in ["lib/wide_native", "lib/wide_words"] {
        assert_eq!(layout(file, name, &mounts.clone().with("word64", form)), expected, "{form}");
    }
}

/// Asserts that a struct of a file has these fields, with their sizes in bytes, and is made of the four words of a row in order, as in
/// `Name(row.x, wide(row.y, row.z))`.
#[track_caller]
#[cfg(feature = "naga")]
pub fn assert_row(file: &str, name: &str, fields: &[(&str, usize)]) {
    let (mut offsets, mut words, mut offset) = (vec![], vec![], 0);
    for &(field, bytes) in fields {
        offsets.push((field.to_owned(), offset as u32));
        let word = |place: usize| format!("row.{}", ["x", "y", "z", "w"][offset / 4 + place]);
        words.push(if bytes == 8 { format!("wide({}, {})", word(0), word(1)) } else { word(0) });
        offset += bytes;
    }
    let made = format!("{name}({})", words.join(", "));
    assert!(super::text(file).is_some_and(|text| text.contains(&made)), "{file} takes its words otherwise than {made}");
    for form in ["lib/wide_native", "lib/wide_words"] {
        let mut found = layout(file, name, &Mounts::default().with("word64", form));
        found.pop();
        assert_eq!(found, offsets, "{file}, {form}");
    }
}

/// The fields of a Rust struct with their offsets.
#[doc(hidden)]
#[macro_export]
macro_rules! offsets {
    ($mirror:ty, [$($field:ident),* $(,)?]) => {
        [$((stringify!($field), std::mem::offset_of!($mirror, $field)),)*]
    };
}
#[doc(hidden)]
pub use offsets;

/// Declares structs that are the mirrors of some in `shaders/`, each with the file and the name that the struct has there, and the test that
/// holds them against those.
#[doc(hidden)]
#[macro_export]
macro_rules! mirrors {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident in $file:literal $shader:literal {
        $($(#[$of_field:meta])* $field_vis:vis $field:ident: $kind:ty,)*
    })*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
            #[repr(C)]
            $vis struct $name {
                $($(#[$of_field])* $field_vis $field: $kind,)*
            }
        )*

        #[cfg(test)]
        #[test]
        fn the_mirrors_of_structs_match_the_shaders() {
            $($crate::layout::assert_mirror!($name, $file, $shader, [$($field),*]);)*
        }
    };
}
#[doc(hidden)]
pub use mirrors;

/// Whether a Rust struct is the mirror of one in a file of `shaders/`.
#[doc(hidden)]
#[macro_export]
macro_rules! assert_mirror {
    ($mirror:ty, $file:literal, $name:literal, [$($field:ident),* $(,)?]) => {
        $crate::layout::assert_layout(
            $file,
            $name,
            &$crate::Mounts::default(),
            &[&$crate::layout::offsets!($mirror, [$($field),*])[..], &[("", size_of::<$mirror>())]].concat(),
        )
    };
}
#[doc(hidden)]
pub use assert_mirror;

/// A field that has moved is caught.
#[cfg(test)]
#[test]
#[should_panic = "assertion"]
fn a_moved_field_is_caught() {
    let text = super::text("lib/law").expect("a file");
    let moved = text.replace("offset: Wide,", "").replace("second: Wide,", "second: Wide,\n    offset: Wide,");
    assert_ne!(text, moved);
    let law = [("offset", 0), ("first", 8), ("second", 16), ("kind", 24), ("stages", 28), ("threshold", 32)];
    let mounts = Mounts::default().with("lib/law", super::Source::Text(moved));
    assert_layout("lib/law", "Law", &mounts, &[&law[..], &[("table", 36), ("", 40)]].concat());
}
