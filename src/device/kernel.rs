//! A kernel: WGSL, and the results of reflection.

use std::sync::LazyLock;

use super::DeviceError;
use super::compiled::Compiled;
use super::reflection::{check_own, reflect};
use tickless_kernels::{LinkError, Linked, Mounts, Source, link};

/// The most kernels whose linked texts are kept.
const MOST_LINKED: usize = 256;

/// One compute kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The stem of its file, as in `queueing/departure`: the name in errors and timings.
    pub label: String,
    /// The whole WGSL; the entry point is `main`.
    pub source: String,
    /// Its bindings, in the order of their numbers.
    pub bindings: Vec<Binding>,
    /// Threads in a workgroup.
    pub workgroup: u32,
    /// Whether it needs native 64-bit integers.
    pub int64: bool,
    /// Whether it needs subgroup operations.
    pub subgroups: bool,
    /// The depth of nested blocks once functions are inlined.
    pub nested: u32,
    /// The modules in it, where it was linked from `shaders/`.
    pub modules: Vec<String>,
    /// Threads that a multiprocessor should have at work at once, where its compiler can be told how many registers to use
    /// (CUDA); 0 leaves it to the compiler.
    pub resident_threads: u32,
}

/// A variable to which a kernel binds a buffer; the buffer has the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its number in group 0.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// Whether it is a storage buffer; else it is uniform.
    pub storage: bool,
    /// Whether the kernel declares it read-only.
    pub read_only: bool,
    /// The fewest bytes of a buffer for it: those of its type, with one element of a list of any length.
    pub least: u64,
}

impl Kernel {
    /// A kernel linked from `shaders/`: all that the entry point of a file reaches.
    ///
    /// # Errors
    /// [`DeviceError::Kernel`] with the modules that do not link or parse.
    pub fn link(label: &str, file: &str, mounts: &Mounts) -> Result<Self, DeviceError> {
        // The runs of an experiment ask for the same kernels again and again.
        static LINKED: LazyLock<Compiled<(String, String, Mounts), Kernel>> =
            LazyLock::new(|| Compiled::of_most(MOST_LINKED));
        LINKED.get((label.to_owned(), file.to_owned(), mounts.clone()), || Self::link_new(label, file, mounts))
    }

    fn link_new(label: &str, file: &str, mounts: &Mounts) -> Result<Self, DeviceError> {
        let fail = |error: LinkError| DeviceError::Kernel { kernel: label.to_owned(), message: error.to_string() };
        let Linked { source, modules, origins } = link(file, "main", mounts).map_err(fail)?;
        if mounts.iter().any(|(_, source)| matches!(source, Source::Own { .. })) {
            check_own(label, &source, &origins)?;
        }
        Ok(Self { modules, ..Self::parse(label, source)? })
    }

    /// Whether a device compiles the other kernel to the same code.
    #[doc(hidden)]
    pub fn is_same(&self, other: &Self) -> bool {
        (&self.label, self.resident_threads) == (&other.label, other.resident_threads) && self.source == other.source
    }

    /// A kernel of a whole WGSL text, by reflection.
    ///
    /// # Errors
    /// [`DeviceError::Kernel`] with the kernel's name and the parser's message.
    ///
    /// ```
    /// # use tickless_device::facade as tickless;
    /// let source = "@group(0) @binding(2) var<storage, read> words: array<u32>;
    ///               @compute @workgroup_size(64) fn main() { _ = words[0]; }";
    /// let kernel = tickless::device::Kernel::parse("doc/example", source.into()).unwrap();
    /// assert_eq!((kernel.workgroup, kernel.bindings[0].name.as_str(), kernel.bindings[0].number), (64, "words", 2));
    /// ```
    pub fn parse(label: &str, source: String) -> Result<Self, DeviceError> {
        reflect(label, source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error for a body of a user's model, if any.
    fn said(body: &str) -> String {
        let constants = Source::Text("const WORKGROUP: u32 = 64u;".into());
        let text = format!("var<private> v: vec2<u32>;\nfn run(group: u32, lane: u32) {{\n{body}\n}}");
        let mounts = Mounts::default()
            .with("workgroup", "lib/entry_plain")
            .with("constants", constants)
            .with("outside", "processes/outside")
            .with("kernel", Source::own("own.wgsl", text));
        Kernel::link("test", "lib/entry_plain", &mounts).map_or_else(|e| e.to_string(), |_| String::new())
    }

    /// The compiler's stack is large enough for allowed chains; longer ones are refused.
    #[test]
    fn long_chains_end_no_process() {
        let sum = |terms: usize| format!("_ = 1u{};", " + lane".repeat(terms));
        let branches = |count: usize| format!("if (lane == 1u) {{}}{}", " else if (lane == 2u) {}".repeat(count));
        for allowed in [sum(490), branches(100), format!("_ = {}lane;", "~".repeat(990)), sum(400).repeat(20)] {
            assert_eq!(said(&allowed), "");
        }
        let words = "own.wgsl, line 3: ";
        for (refused, what) in [
            (sum(60_000), "at most 1000 words"),
            (format!("_ = {}lane;", "~".repeat(60_000)), "at most 1000 words"),
            (format!("_ = v{};", ".x".repeat(60_000)), "at most 1000 words"),
            (branches(60_000), "at most 100 'else'"),
        ] {
            let said = said(&refused);
            assert!(said.contains(words) && said.contains(what), "{said}");
        }
    }
}
