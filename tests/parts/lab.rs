//! Small programs around one part of the kernels.

use std::fmt::Debug;

use bytemuck::Pod;
use rand_core::Rng;
use rand_pcg::Pcg32;
use tickless::device::{BufferSpec, BufferUse, Device, Dispatch, Kernel, Program, Session, SetUp, Step};
use tickless::kernels::{self, Mounts, Source};
use tickless::run::unwatched;

/// What every kernel is linked with, as the engine does it for this adapter.
pub fn frame(device: &dyn Device, workgroup: u32) -> Mounts {
    let capabilities = &device.adapter().capabilities;
    let subgroup = capabilities.subgroup_size;
    let subgroups = subgroup > 0 && workgroup.is_multiple_of(subgroup);
    Mounts::default()
        .with("constants", text(&format!("const WORKGROUP: u32 = {workgroup}u;\n")))
        .with("word64", if capabilities.int64 { "lib/wide_native" } else { "lib/wide_words" })
        .with("workgroup", if subgroups { "lib/entry_subgroups" } else { "lib/entry_plain" })
}

/// A module of a test's own.
pub fn text(text: &str) -> Source {
    Source::Text(text.to_owned())
}

/// With a fault in a file of `shaders/`.
#[track_caller]
pub fn with_fault(mounts: &Mounts, file: &'static str, right: &str, wrong: &str) -> Mounts {
    let whole = kernels::text(file).unwrap_or_else(|| panic!("there is no shaders/{file}.wgsl"));
    assert!(whole.contains(right), "shaders/{file}.wgsl has no '{right}'");
    mounts.clone().with(file, Source::Text(whole.replace(right, wrong)))
}

/// The kernel of a frame that has a module `kernel`.
pub fn link(mounts: &Mounts) -> Kernel {
    let Some(Source::File(entry)) = mounts.get("workgroup") else { panic!("the frame has no entry point") };
    Kernel::link("parts/part", entry, mounts).unwrap_or_else(|e| panic!("{e}"))
}

/// A program of one kernel that runs once.
pub struct Bench {
    program: Program,
    mounts: Mounts,
}

impl Bench {
    /// Of a module with `run(group, lane)`.
    pub fn new(mounts: Mounts, kernel: &str) -> Self {
        let mounts = mounts.with("kernel", text(kernel));
        Self { program: Program { label: "parts".into(), ..Default::default() }, mounts }
    }

    pub fn input<T: Pod>(mut self, name: &'static str, values: &[T]) -> Self {
        let contents = bytemuck::cast_slice(values).to_vec();
        self.program.buffer(BufferSpec::filled(name, BufferUse::Storage, contents));
        self
    }

    pub fn uniform<T: Pod>(mut self, name: &'static str, values: &[T]) -> Self {
        let contents = bytemuck::cast_slice(values).to_vec();
        self.program.buffer(BufferSpec::filled(name, BufferUse::Uniform, contents));
        self
    }

    pub fn output<T: Pod>(mut self, name: &'static str, count: usize) -> Self {
        self.program.buffer(BufferSpec::storage(name, count as u64, size_of::<T>() as u64));
        self
    }

    pub fn run(mut self, device: &dyn Device, workgroups: u32) -> Answer {
        let kernel = self.program.kernel(link(&self.mounts));
        self.program.first.push(Step { kernel, dispatch: Dispatch::Workgroups(workgroups) });
        let session =
            device.load(self.program.clone(), &mut SetUp::new(&mut unwatched())).unwrap_or_else(|e| panic!("{e}"));
        Answer { program: self.program, session }
    }
}

/// What a program has left in its buffers.
pub struct Answer {
    program: Program,
    session: Box<dyn Session>,
}

impl Answer {
    pub fn read<T: Pod>(&mut self, name: &str) -> Vec<T> {
        let buffer = self.program.buffer_named(name).expect("a buffer of that name");
        let bytes = self.session.read(buffer).expect("what the device wrote");
        bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
    }
}

/// The first place where two lists differ, a missing end included.
pub fn first_difference<T: PartialEq>(expected: &[T], found: &[T]) -> Option<usize> {
    let shared = expected.len().min(found.len());
    let place = expected.iter().zip(found).position(|(a, b)| a != b);
    place.or((expected.len() != found.len()).then_some(shared))
}

#[track_caller]
pub fn assert_equal<T: PartialEq + Debug>(expected: &[T], found: &[T], what: &str) {
    if let Some(place) = first_difference(expected, found) {
        panic!("{what}: place {place}: {:?} expected, {:?} found", expected.get(place), found.get(place));
    }
}

/// Random words of a fixed seed.
pub fn words(seed: u64) -> impl FnMut() -> u32 {
    let mut stream = Pcg32::new(seed, 0);
    move || stream.next_u32()
}

/// Random 64-bit words of every length, so that high words are often small or equal.
pub fn wides(seed: u64) -> impl FnMut() -> u64 {
    let mut stream = Pcg32::new(seed, 1);
    move || stream.next_u64() >> (stream.next_u32() % 64)
}

#[test]
fn one_changed_value_is_caught() {
    let expected: Vec<u64> = (0..100).map(|i| i * i).collect();
    assert_eq!(first_difference(&expected, &expected), None);
    for place in 0..expected.len() {
        let mut wrong = expected.clone();
        wrong[place] ^= 1 << 40;
        assert_eq!(first_difference(&expected, &wrong), Some(place));
    }
    assert_eq!(first_difference(&expected, &expected[..99]), Some(99));
    assert_eq!(first_difference(&expected[..7], &expected), Some(7));
}
