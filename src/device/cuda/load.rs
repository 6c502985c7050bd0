//! From the steps of a program to launches: kernels translated and compiled, and bound to buffers by name.

use std::collections::HashSet;
use std::sync::LazyLock;

use cudarc::driver::DriverError;
use rayon::prelude::*;

use super::CudaDevice;
use super::compile::{Compiler, Functions, Unit};
use super::launch::{Argument, Launch, Launches, Streams};
use super::memory::Memory;
use super::shared_memory;
use super::translate::{Several, Translated};
use crate::compiled::Compiled;
use crate::{
    Binding, BufferId, BufferSpec, BufferUse, DeviceError, Dispatch, Kernel, Overlap, Placement, Program, SetUp, Step,
};

/// The buffers of a program, in its order.
#[derive(Default)]
pub(super) struct Buffers {
    pub(super) all: Vec<Memory>,
    /// The addresses of the copies of each buffer whose words the GPUs send each other.
    copies: Vec<Option<Memory>>,
}

/// The buffers that no kernel of a program writes.
pub(super) fn constants(program: &Program) -> Vec<bool> {
    let bindings = program.kernels.iter().flat_map(|kernel| &kernel.bindings);
    let written: HashSet<&str> = bindings.filter(|b| !b.read_only).map(|b| &b.name[..]).collect();
    program.buffers.iter().map(|buffer| !written.contains(buffer.name)).collect()
}

impl Buffers {
    /// Allocates the buffers.
    ///
    /// # Errors
    /// The driver's error.
    pub(super) fn new(
        device: &CudaDevice,
        program: &Program,
        constants: &[bool],
        streams: &Streams,
    ) -> Result<Self, DriverError> {
        let specs = program.buffers.iter().zip(constants);
        let all = specs.map(|(spec, constant)| device.allocate(|| Memory::new(&streams.all, spec, *constant)));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        let copies = |(memory, spec): (&Memory, &BufferSpec)| {
            let is_told = streams.all.len() > 1 && rows_of(spec).is_some();
            let addresses: Vec<u64> = (0..streams.all.len()).map(|gpu| memory.address(gpu)).collect();
            let bytes = bytemuck::cast_slice(&addresses).to_vec();
            let list = || Memory::new(&streams.all, &BufferSpec::filled("copies", BufferUse::Uniform, bytes), true);
            is_told.then(list).transpose()
        };
        let copies = all.iter().zip(&program.buffers).map(copies).collect::<Result<_, _>>()?;
        Ok(Self { all, copies })
    }
}

/// The rows of a buffer with a copy on each GPU: their number, and the words of 64 bits of each.
fn rows_of(spec: &BufferSpec) -> Option<[u32; 2]> {
    if let Placement::Rows { rows, words } = spec.placement { Some([rows, words]) } else { None }
}

/// Refuses a program whose workgroups share more rows than several GPUs allow.
fn check_rows(program: &Program) -> Result<(), DeviceError> {
    let is_more = |spec: &&BufferSpec| {
        rows_of(spec).is_some_and(|[rows, words]| spec.size > 8 * u64::from(rows) * u64::from(words))
    };
    match program.buffers.iter().find(is_more) {
        Some(spec) => Err(DeviceError::Kernel {
            kernel: program.label.clone(),
            message: format!("workgroups beside those of blocks write '{}', which one GPU alone runs", spec.name),
        }),
        None => Ok(()),
    }
}

/// A program whose kernels are compiled.
pub(super) struct Loader<'a> {
    program: &'a Program,
    translated: Vec<Translated>,
    functions: Vec<Functions>,
    buffers: &'a Buffers,
    /// For each kernel, its parameters on several GPUs.
    several: Vec<Option<Several>>,
    gpus: usize,
    /// Launches of at most this many workgroups begin early.
    early: u32,
}

impl<'a> Loader<'a> {
    pub(super) fn new(
        device: &CudaDevice,
        program: &'a Program,
        buffers: &'a Buffers,
        constants: &[bool],
        set_up: &mut SetUp<'_>,
    ) -> Result<Self, DeviceError> {
        let gpus = device.contexts.len();
        if gpus > 1 {
            check_rows(program)?;
        }
        let of = |binding: &Binding| program.buffer_named(&binding.name).map(|BufferId(id)| id);
        let constant = |binding: &Binding| of(binding).is_some_and(|id| constants[id]);
        let is_told = |b: &Binding| !b.read_only && of(b).is_some_and(|id| rows_of(&program.buffers[id]).is_some());
        let is_status = |b: &Binding| of(b).map(BufferId) == program.status && program.status.is_some();
        let own = |kernel: &Kernel| Several {
            told: kernel.bindings.iter().position(is_told),
            status: kernel.bindings.iter().position(is_status),
        };
        let several: Vec<_> = program.kernels.iter().map(|kernel| (gpus > 1).then(|| own(kernel))).collect();
        let kernels = program.kernels.par_iter().zip(&several);
        let translated = kernels.map(|(kernel, several)| translated(kernel, constant, *several));
        let translated = translated.collect::<Result<Vec<_>, _>>()?;
        let units: Vec<Unit> = translated.iter().zip(&program.kernels).map(|(t, k)| t.unit(k)).collect();
        let (limit, name) = (device.options.compile_limit, &device.description.name);
        let functions = Compiler::compile_all(&device.compiler, units, || set_up.look(limit, name))?;
        // A GPU does not see the work left on another.
        let early = if gpus > 1 { 0 } else { most_early(device) };
        Ok(Self { program, translated, functions, buffers, several, gpus, early })
    }

    /// Sets how much of the memory of a multiprocessor is for workgroups, for each kernel.
    ///
    /// # Errors
    /// The driver's error.
    pub(super) fn share_memory(&self, device: &CudaDevice) -> Result<(), DriverError> {
        shared_memory::share(&self.functions, self.program, &device.description)
    }

    /// The launches of the steps.
    ///
    /// # Errors
    /// A kernel with a binding that the program does not have.
    pub(super) fn launches(&self, steps: &[Step]) -> Result<Vec<Launches>, DeviceError> {
        let each = |step: &Step| (0..self.gpus).map(|gpu| self.launch(step, gpu)).collect::<Result<_, _>>();
        steps.iter().map(|step| each(step).map(Launches)).collect()
    }

    /// The launch of a step on a GPU.
    fn launch(&self, step: &Step, gpu: usize) -> Result<Launch, DeviceError> {
        let kernel = &self.program.kernels[step.kernel.0];
        let Dispatch::Workgroups(all) = step.dispatch;
        let find = |binding: &Binding| {
            let found = self.program.buffer_named(&binding.name).map(|BufferId(id)| id);
            found.ok_or_else(|| DeviceError::Kernel {
                kernel: kernel.label.clone(),
                message: format!("the program has no buffer named '{}'", binding.name),
            })
        };
        let buffers = kernel.bindings.iter().map(find).collect::<Result<Vec<usize>, _>>()?;
        let translated = &self.translated[step.kernel.0];
        let argument = |(place, id): (usize, &usize)| match translated.passed(place) {
            Some(bytes) => self.record(&kernel.label, *id, bytes),
            // Valid while the session keeps the buffers.
            None => Ok(Argument::Word(self.buffers.all[*id].address(gpu))),
        };
        let mut arguments = buffers.iter().enumerate().map(argument).collect::<Result<Vec<_>, _>>()?;
        for place in translated.lengths() {
            arguments.push(Argument::Word(self.size(&kernel.label, buffers[*place])?));
        }
        let [first, end] = [gpu, gpu + 1].map(|gpu| share(all, gpu, self.gpus));
        if let Some(Several { told, .. }) = self.several[step.kernel.0] {
            arguments.extend([first, end - first].map(|number| Argument::Word(number.into())));
            let told = told.and_then(|place| self.told(buffers[place], gpu));
            arguments.extend(told.into_iter().flatten().map(Argument::Word));
        }
        Ok(Launch {
            function: self.functions[step.kernel.0][gpu].clone(),
            grid: if end > first { self.program.grid(end - first) } else { [0; 3] },
            block: kernel.workgroup,
            arguments,
            early: all.saturating_mul(self.program.members.max(1)) <= self.early,
        })
    }

    /// The arguments by which a kernel sends the other GPUs the words that it has written into a buffer.
    fn told(&self, buffer: usize, gpu: usize) -> Option<[u64; 4]> {
        let [rows, words] = rows_of(&self.program.buffers[buffer])?;
        let copies = self.buffers.copies[buffer].as_ref()?.address(gpu);
        Some([copies, self.gpus as u64, words.into(), rows.into()])
    }

    /// The first bytes of a buffer of parameters, which never change.
    fn record(&self, kernel: &str, buffer: usize, bytes: usize) -> Result<Argument, DeviceError> {
        let spec = &self.program.buffers[buffer];
        if spec.size < bytes as u64 {
            let message = format!("it reads {bytes} bytes of '{}', which has {}", spec.name, spec.size);
            return Err(DeviceError::Kernel { kernel: kernel.to_owned(), message });
        }
        let record = spec.contents.as_ref().map_or_else(|| vec![0; bytes].into(), |contents| contents[..bytes].into());
        Ok(Argument::Record(record))
    }

    /// Bytes of a buffer for a kernel that asks for the length of an array.
    fn size(&self, kernel: &str, buffer: usize) -> Result<u64, DeviceError> {
        let spec = &self.program.buffers[buffer];
        if u32::try_from(spec.size).is_ok() {
            return Ok(spec.size);
        }
        let message = format!("it asks for the length of '{}', whose bytes 32 bits do not count", spec.name);
        Err(DeviceError::Kernel { kernel: kernel.to_owned(), message })
    }
}

/// The most kernels whose translations are kept.
const MOST_TRANSLATED: usize = 256;

/// A kernel in CUDA, translated when it is first needed.
fn translated(
    kernel: &Kernel,
    constant: impl Fn(&Binding) -> bool,
    several: Option<Several>,
) -> Result<Translated, DeviceError> {
    type Texts = Compiled<(String, u32, Vec<bool>, Option<Several>), Translated>;
    static TEXTS: LazyLock<Texts> = LazyLock::new(|| Compiled::of_most(MOST_TRANSLATED));
    let constants = kernel.bindings.iter().map(&constant).collect();
    let key = (kernel.source.clone(), kernel.resident_threads, constants, several);
    TEXTS.get(key, || Translated::new(kernel, constant, several))
}

/// The number of the first workgroup of a GPU, of `all` workgroups. The first GPU has number 0, and the status of the
/// run.
fn share(all: u32, gpu: usize, gpus: usize) -> u32 {
    (u64::from(all) * gpu as u64).div_ceil(gpus as u64) as u32
}

/// The most workgroups of a launch that begins while the launch before it runs.
fn most_early(device: &CudaDevice) -> u32 {
    let processors = device.description.multiprocessors.unwrap_or_default();
    early(device.options.overlap, device.compiler.capability(), processors)
}

/// A launch may begin early only where its code waits itself, as the prelude makes it for capability 9.0 and newer: the
/// target of the compilation counts, not the GPU.
fn early(overlap: Overlap, made_for: i32, processors: u32) -> u32 {
    match overlap {
        _ if made_for < 90 => 0,
        Overlap::Off => 0,
        Overlap::On => u32::MAX,
        Overlap::Auto => processors,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_behind_rows_are_for_one_gpu() {
        let program = |words| Program {
            buffers: vec![BufferSpec::storage("summaries", words, 8).placed(Placement::Rows { rows: 4, words: 2 })],
            ..Program::default()
        };
        assert_eq!(check_rows(&program(8)), Ok(()));
        assert!(check_rows(&program(9)).unwrap_err().to_string().contains("'summaries'"));
    }

    #[test]
    fn every_workgroup_is_one_gpus_and_the_first_has_number_0() {
        for (all, gpus) in [(1, 2), (2, 2), (7, 2), (8, 3), (100_001, 8), (0, 4)] {
            let begins: Vec<u32> = (0..=gpus).map(|gpu| share(all, gpu, gpus)).collect();
            assert!(begins.is_sorted() && (begins[0], begins[gpus]) == (0, all), "{all} {gpus}");
            assert!(all == 0 || begins[1] > 0, "{all} {gpus}");
        }
    }

    #[test]
    fn code_that_does_not_wait_is_never_launched_early() {
        for overlap in [Overlap::Auto, Overlap::Off, Overlap::On] {
            assert_eq!(early(overlap, 87, 132), 0);
        }
        assert_eq!([Overlap::Auto, Overlap::Off, Overlap::On].map(|o| early(o, 90, 132)), [132, 0, u32::MAX]);
    }
}
