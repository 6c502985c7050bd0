//! Compiled kernels on disk, by a hash of everything that makes them.
//!
//! A file is the code behind its own hash: a file that was cut short or changed is compiled anew. Where the folder
//! cannot be written, each run compiles again.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use sha2::{Digest, Sha256};

/// Bytes of the hash in front of the code.
const HASH: usize = 32;

/// The name of the code of a source.
pub(super) fn key(source: &str, architecture: &str, compiler: (i32, i32)) -> String {
    let mut hash = Sha256::new();
    let (version, options) = (env!("CARGO_PKG_VERSION"), super::nvrtc::OPTIONS);
    hash.update(format!("{version} {architecture} {}.{} {options:?}\n", compiler.0, compiler.1));
    hash.update(source);
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The folder: `TICKLESS_CACHE`, else `tickless` in the user's cache.
fn folder() -> Option<PathBuf> {
    match std::env::var_os("TICKLESS_CACHE") {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(folder.into()),
        None => dirs::cache_dir().map(|folder| folder.join("tickless")),
    }
}

/// The code, if it is there and complete.
pub(super) fn find(key: &str) -> Option<Vec<u8>> {
    whole(fs::read(folder()?.join(key)).ok()?)
}

fn whole(mut file: Vec<u8>) -> Option<Vec<u8>> {
    if file.len() < HASH {
        return None;
    }
    let code = file.split_off(HASH);
    (file[..] == Sha256::digest(&code)[..]).then_some(code)
}

/// Writes the code beside its name and moves it there, so that no reader sees half a file.
pub(super) fn store(key: &str, code: &[u8]) {
    let write = || -> Option<()> {
        let folder = folder()?;
        fs::create_dir_all(&folder).ok()?;
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let own = folder.join(format!("{key}.{}.{number}", std::process::id()));
        let mut file = fs::File::create(&own).ok()?;
        let written = file.write_all(&Sha256::digest(code)).and_then(|()| file.write_all(code));
        drop(file);
        if written.and_then(|()| fs::rename(&own, folder.join(key))).is_err() {
            fs::remove_file(&own).ok()?;
        }
        Some(())
    };
    let _ = write();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(code: &[u8]) -> Vec<u8> {
        [&Sha256::digest(code)[..], code].concat()
    }

    #[test]
    fn only_whole_files_are_taken() {
        let right = file(b"code");
        assert_eq!(whole(right.clone()), Some(b"code".to_vec()));
        for length in [0, 31, 32, right.len() - 1] {
            assert_eq!(whole(right[..length].to_vec()), None, "{length}");
        }
        let mut changed = right;
        changed[34] ^= 1;
        assert_eq!(whole(changed), None);
    }

    #[test]
    fn everything_that_makes_the_code_is_in_its_name() {
        let base = key("source", "sm_90", (12, 9));
        assert_eq!(base, key("source", "sm_90", (12, 9)));
        for other in [key("sourc", "sm_90", (12, 9)), key("source", "sm_80", (12, 9)), key("source", "sm_90", (13, 0))]
        {
            assert_ne!(base, other);
        }
    }
}
