//! The WGSL modules of tickless as texts. `tickless-kernels` links them.

/// Every module: the stem of its file, as in `lib/time`, and its text, in the order of the stems.
///
/// ```
/// let (_, text) = tickless_shaders::FILES.iter().find(|(stem, _)| *stem == "lib/time").unwrap();
/// assert!(text.contains("fn never()"));
/// ```
pub static FILES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/shaders.rs"));
