//! Writes down every file of `shaders/`, so that the library holds them all by their names.

use std::io::Write as _;
use std::path::Path;

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=shaders");
    let mut files = vec![];
    for room in Path::new("shaders").read_dir()? {
        let room = room?.path();
        println!("cargo::rerun-if-changed={}", room.display());
        for file in room.read_dir()? {
            files.push(file?.path().canonicalize()?);
        }
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "wgsl"));
    let shaders = Path::new("shaders").canonicalize()?;
    let stem = |file: &Path| {
        let path = file.strip_prefix(&shaders).expect("a file of shaders/").with_extension("");
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
