//! A model's own WGSL: any text is linked, or refused with a reason.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tickless::device::Kernel;
use tickless::kernels::{Mounts, Source};

fuzz_target!(|text: &str| {
    let mounts = Mounts::default()
        .with("word64", "lib/wide_words")
        .with("workgroup", "lib/entry_plain")
        .with("constants", Source::Text("const WORKGROUP: u32 = 64u;".into()))
        .with("outside", "processes/outside")
        .with("kernel", Source::own("fuzz.wgsl", text.to_owned()));
    let _ = Kernel::link("fuzz", "lib/entry_plain", &mounts);
});
