//! The files of `shaders/`: each is named on its first line, short, and all that it declares is used.

use std::collections::BTreeMap;
use std::path::Path;

use crate::kernels::{KERNELS, Listed};

const LONGEST_FILE: usize = 130;

/// Every file of `shaders/` by its stem.
fn files() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let mut files = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for path in folder.read_dir().expect("a folder of shaders").map(|entry| entry.expect("a file").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if folder != root {
                // Beside the rooms is what makes a crate of them.
                let stem = path.strip_prefix(&root).expect("a path in shaders/").with_extension("");
                let stem = stem.to_str().expect("a plain name").replace('\\', "/");
                files.insert(stem, std::fs::read_to_string(&path).expect("a shader"));
            }
        }
    }
    files
}

/// What is wrong with a file, if anything.
fn fault(stem: &str, text: &str) -> Option<String> {
    let banner = text.lines().next().unwrap_or_default();
    let named = banner.strip_prefix("// ").and_then(|rest| rest.strip_prefix(stem));
    let lines = text.lines().count();
    let of_file =
        || KERNELS.iter().map(|listed| &listed.kernel).filter(|kernel| kernel.modules.iter().any(|m| m == stem));
    if !named.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ' '])) {
        Some(format!("its first line is '{banner}', not '// {stem}'"))
    } else if lines > LONGEST_FILE {
        Some(format!("it has {lines} lines; at most {LONGEST_FILE} are wanted"))
    } else if let Some(line) = text.lines().find(|line| is_taken_wrongly(line)) {
        Some(format!("drivers take the difference of a maximum and one of its words wrongly: '{}'", line.trim()))
    } else if of_file().next().is_none() {
        Some("no kernel uses it".into())
    } else {
        let unreached = declarations(text).filter(|start| !of_file().any(|kernel| kernel.source.contains(start)));
        let unreached: Vec<String> = unreached.map(|start| format!("'{start}'")).collect();
        (!unreached.is_empty()).then(|| format!("no kernel reaches {}", unreached.join(", ")))
    }
}

/// `wide_sub(wide_maximum(a, b), b)`: with native words of 64 bits an H100 (driver 580.159) had other sums than the heap where a kernel had
/// it, and the same without it.
fn is_taken_wrongly(line: &str) -> bool {
    line.match_indices("wide_sub(wide_maximum(").any(|(begin, call)| {
        let rest = &line[begin + call.len()..];
        let mut depth = 1;
        let end = rest.char_indices().find(|(_, sign)| {
            depth += i32::from(*sign == '(') - i32::from(*sign == ')');
            depth == 0
        });
        let Some((end, _)) = end else { return false };
        let word = rest[end + 1..].trim_start_matches(", ").split([')', ',']).next().unwrap_or_default();
        rest[..end].ends_with(&format!(", {word}")) || rest[..end].starts_with(&format!("{word}, "))
    })
}

/// How each declaration of a file begins, up to the sign behind its name.
fn declarations(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        // The linker may make a buffer read-only.
        let name = if line.starts_with("var<") { line.find('>')? } else { 0 };
        let declares = ["fn ", "struct ", "alias ", "const ", "var<"].iter().any(|word| line.starts_with(word));
        let end = name + line[name..].find(['(', ':', '{', '='])?;
        declares.then(|| &line[name..=end])
    })
}

#[test]
fn every_file_is_used_short_and_named() {
    let files = files();
    assert!(files.len() > 150, "{:?}", files.keys());
    let faults: Vec<_> = files.iter().filter_map(|(stem, text)| Some((stem, fault(stem, text)?))).collect();
    assert_eq!(faults, [], "files of shaders/");
    // Each label is the stem of a file.
    for Listed { name, kernel, .. } in KERNELS.iter() {
        assert!(files.contains_key(&kernel.label), "{name}");
    }
}

#[test]
fn a_file_out_of_order_is_caught() {
    let files = files();
    let text = &files["lib/wide"];
    let caught = |stem: &str, text: &str| fault(stem, text).unwrap_or_default();
    assert!(caught("lib/wider", text).contains("first line"));
    assert!(caught("lib/wid", text).contains("first line"));
    assert!(caught("lib/wide", &format!("{text}{}", "\n".repeat(130))).contains("lines"));
    let difference = "wide_sub(wide_maximum(wide_sub(now, since), service), service)";
    assert!(caught("lib/wide", &format!("{text}// {difference}")).contains("wrongly"));
    assert_eq!(fault("lib/wide", &format!("{text}// wide_sub(wide_maximum(now, since), service)")), None);
    assert!(caught("lib/unused", "// lib/unused: nothing").contains("no kernel uses it"));
    assert!(caught("lib/wide", &format!("{text}fn wide_cube(a: Wide) -> Wide {{}}")).contains("'fn wide_cube('"));
    let [buffer, word] = ["var<storage, read_write> cubes: u32;", "const CUBE: u32 = 8u;"];
    assert!(caught("lib/wide", &format!("{text}{buffer}")).contains("'> cubes:'"));
    assert!(caught("lib/wide", &format!("{text}{word}")).contains("'const CUBE:'"));
}
