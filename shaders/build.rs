//! Writes down every WGSL file of this folder, so that the crate holds them all by their names.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Adds the WGSL files of a folder and of all folders in it.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "wgsl") {
            files.push(path);
        }
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let root = Path::new(".").canonicalize()?;
    let mut files = vec![];
    println!("cargo::rerun-if-changed=build.rs");
    find(&root, &mut files)?;
    let stem = |file: &Path| {
        let path = file.strip_prefix(&root).expect("a file of this folder").with_extension("");
        path.to_str().expect("a plain name").replace('\\', "/")
    };
    let mut files: Vec<_> = files.iter().map(|file| (stem(file), file)).collect();
    files.sort();
    let target = Path::new(&std::env::var_os("OUT_DIR").expect("cargo says where")).join("shaders.rs");
    let mut target = std::fs::File::create(target)?;
    writeln!(target, "[")?;
    for (stem, file) in files {
        writeln!(target, "    ({stem:?}, include_str!({:?})),", file.display().to_string())?;
    }
    writeln!(target, "]")
}
