//! Results that `tickless rerun` reads: all of it up to the run, for no adapter has the name that is asked.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tickless::cli;

fuzz_target!(|text: &str| {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(&file, text).expect("a text is written");
    let path = file.path().to_str().expect("a path");
    cli::run(["tickless", "rerun", path, "--backend", "wgpu", "--adapter", "none of this name"])
        .expect_err("no adapter");
});
