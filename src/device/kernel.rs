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
        let has_own = mounts.iter().any(|(_, source)| matches!(source, Source::Own { .. }));
        let source = if has_own { check_own(label, source, &origins)? } else { source };
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

    /// The kernel of a body of a user's model.
    fn linked(declarations: &str, body: &str) -> Result<Kernel, DeviceError> {
        let constants = Source::Text("const WORKGROUP: u32 = 64u;".into());
        let outside = "fn index_of(index: u32, length: u32, line: u32) -> u32 { return min(index, length - line); }";
        let text = format!("{declarations}\nfn run(group: u32, lane: u32) {{\n{body}\n}}");
        let mounts = Mounts::default()
            .with("workgroup", "lib/entry_plain")
            .with("constants", constants)
            .with("outside", Source::Text(outside.into()))
            .with("kernel", Source::own("own.wgsl", text));
        Kernel::link("test", "lib/entry_plain", &mounts)
    }

    /// Its error, if any.
    fn said(body: &str) -> String {
        linked("var<private> v: vec2<u32>;", body).map_or_else(|e| e.to_string(), |_| String::new())
    }

    #[test]
    fn every_index_that_may_lie_outside_is_looked_at() {
        let declarations = "alias Few = array<u32, 5>; struct Box { few: Few, at: vec3<u32> } struct Tail { head: u32, words: array<u32> }\
                            var<private> few: Few; var<private> rows: array<array<u32, 4>, 2>; var<private> own: Box;\
                            var<storage> list: array<vec4<u32>>; var<storage, read_write> tail: Tail;\
                            fn pair() -> vec2<u32> { return vec2<u32>(); } fn first(a: ptr<function, Few>) -> u32 { return (*a)[own.at.x]; }";
        let cases = [
            ("few[lane] = 1u;", "few[index_of(u32(lane), 5u, 3u)] = 1u;"),
            ("few[lane] += few[group];", "few[index_of(u32(lane), 5u, 3u)] += few[index_of(u32(group), 5u, 3u)];"),
            ("rows[1u][lane + 1u] = 1u;", "rows[1u][index_of(u32(lane + 1u), 4u, 3u)] = 1u;"),
            ("rows[lane][(group)] = 1u;", "rows[index_of(u32(lane), 2u, 3u)][index_of(u32((group)), 4u, 3u)] = 1u;"),
            (
                "rows[rows[1][lane]][0] = 1u;",
                "rows[index_of(u32(rows[1][index_of(u32(lane), 4u, 3u)]), 2u, 3u)][0] = 1u;",
            ),
            (
                "own.few[lane] = own.at[lane];",
                "own.few[index_of(u32(lane), 5u, 3u)] = own.at[index_of(u32(lane), 3u, 3u)];",
            ),
            ("let p = &rows[1]; (*p)[lane] = 1u;", "(*p)[index_of(u32(lane), 4u, 3u)] = 1u;"),
            ("var words = array<u32, 3>(); words[lane] = 1u;", "words[index_of(u32(lane), 3u, 3u)] = 1u;"),
            ("var few = array<u32, 3>(); few[i32(lane)]++;", "few[index_of(u32(i32(lane)), 3u, 3u)]++;"),
            ("_ = array<u32, 2>(1u, lane)[lane];", "array<u32, 2>(1u, lane)[index_of(u32(lane), 2u, 3u)];"),
            ("_ = pair()[lane];", "pair()[index_of(u32(lane), 2u, 3u)];"),
            (
                "_ = mat3x2<f32>()[lane][group];",
                "mat3x2<f32>()[index_of(u32(lane), 3u, 3u)][index_of(u32(group), 2u, 3u)];",
            ),
            ("_ = list[40].x;", "list[index_of(u32(40), tickless_length_"),
            ("tail.words[lane] = 1u;", "tail.words[index_of(u32(lane), tickless_length_"),
            ("var tail = 1u; _ = list[lane /* ] */ ][tail];", "list[index_of(u32(lane /* ] */ ), tickless_length_"),
            ("var few: Few; _ = first(&few);", "return (*a)[index_of(u32(own.at.x), 5u, 1u)];"),
        ];
        for (body, expected) in cases {
            let source = linked(declarations, body).map_or_else(|e| e.to_string(), |kernel| kernel.source);
            assert!(source.contains(expected), "{body}: {source}");
            assert_eq!(source.contains("arrayLength(&tail.words)"), body.contains("tail.words"), "{body}: {source}");
        }
        assert!(!linked(declarations, "few[4] = own.at[2];").expect("a kernel").source.contains("[index_of(u32(4"));
        assert!(linked(declarations, "few[5] = 1u;").is_err());
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
