//! Small programs around one part of the kernels.

use std::fmt::Debug;

use bytemuck::Pod;
use rand_core::Rng;
use rand_pcg::Pcg32;
use tickless::device::{BufferSpec, BufferUse, Device, Dispatch, Program, Session, Step, compose};

macro_rules! shader {
    ($stem:literal) => {
        include_str!(concat!("../../shaders/", $stem, ".wgsl"))
    };
}
pub(crate) use shader;

/// What every kernel is composed with, as the engine does it for this adapter.
pub fn frame(device: &dyn Device, workgroup: u32) -> Vec<String> {
    let capabilities = &device.adapter().capabilities;
    let subgroup = capabilities.subgroup_size;
    let subgroups = subgroup > 0 && workgroup.is_multiple_of(subgroup);
    let wide = if capabilities.int64 { shader!("lib/wide_native") } else { shader!("lib/wide_words") };
    let entry = if subgroups { shader!("lib/entry_subgroups") } else { shader!("lib/entry_plain") };
    let constants = format!("const WORKGROUP: u32 = {workgroup}u;");
    [&constants, wide, shader!("lib/wide"), shader!("lib/time"), shader!("lib/dispatch"), entry]
        .map(str::to_owned)
        .to_vec()
}

/// A program of one kernel that runs once.
pub struct Bench {
    program: Program,
    parts: Vec<String>,
}

impl Bench {
    pub fn new(parts: Vec<String>, sources: &[&str]) -> Self {
        let mut parts = parts;
        parts.extend(sources.iter().map(|s| (*s).to_owned()));
        Self { program: Program { label: "parts".into(), ..Default::default() }, parts }
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
        let parts: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        let kernel = self.program.kernel(compose("parts/part", &parts).unwrap_or_else(|e| panic!("{e}")));
        self.program.first.push(Step { kernel, dispatch: Dispatch::Workgroups(workgroups) });
        let session = device.load(self.program.clone()).unwrap_or_else(|e| panic!("{e}"));
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
