//! Writes down every WGSL file of this folder, so that the crate holds them all by their names.

use std::io::Write as _;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let root = Path::new(".").canonicalize()?;
    let mut files = vec![];
    println!("cargo::rerun-if-changed=build.rs");
    for room in root.read_dir()? {
        let room = room?.path();
        if room.is_dir() {
            println!("cargo::rerun-if-changed={}", room.display());
            for file in room.read_dir()? {
                files.push(file?.path());
            }
        }
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "wgsl"));
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
