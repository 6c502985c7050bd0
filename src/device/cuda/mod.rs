//! The same programs on NVIDIA without Vulkan: the WGSL of `shaders/` as CUDA.
//!
//! Built with the cargo feature `cuda`, which needs no CUDA to build: NVIDIA's driver and its run-time compiler NVRTC
//! are loaded when a device is opened. Kernels are translated from WGSL (`translate`), compiled to
//! machine code for the device at hand and kept on disk (`cache`). A batch of rounds is replayed from CUDA graphs.

#![allow(unsafe_code)] // the driver's API

mod cache;
mod compile;
mod driver;
mod launch;
mod load;
mod memory;
mod nvrtc;
mod rounds;
mod session;
mod several;
mod shared_memory;
mod timings;
mod translate;

use std::sync::Arc;

use cudarc::driver::{CudaContext, DriverError, sys};

use super::bytes;
use super::given_up::GivenUp;
use super::{
    AdapterDescription, BufferSpec, BufferUse, Device, DeviceError, Dispatch, Kernel, OpenOptions, Program, Selection,
    Session, SetUp, Step, opening,
};
pub use driver::adapters;
use session::CudaSession;
use tickless_core::run::unwatched;
use tickless_kernels::Mounts;

/// An opened NVIDIA GPU, or several of one host that run every program together: each has its share of the workgroups of every
/// step, and of the memory of their entities; memory of another GPU is read and written over the link between them. No result
/// depends on the number of GPUs.
///
/// ```no_run
/// # use tickless_device::facade as tickless;
/// use tickless::device::{Device, OpenOptions, Selection, cuda::CudaDevice};
/// let device = CudaDevice::open(&Selection::Auto, OpenOptions::default())?;
/// println!("{}", device.adapter().name);
/// # Ok::<(), tickless::device::DeviceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CudaDevice {
    contexts: Vec<Arc<CudaContext>>,
    description: AdapterDescription,
    options: OpenOptions,
    compiler: Arc<compile::Compiler>,
    given_up: GivenUp,
    #[doc(hidden)]
    pub shortage: Arc<crate::shortage::Shortage>,
}

impl CudaDevice {
    /// Opens a GPU of [`adapters`].
    ///
    /// # Errors
    /// No driver, no compiler, no such GPU, or a GPU that does not open or fails the self-test.
    pub fn open(selection: &Selection, options: OpenOptions) -> Result<Self, DeviceError> {
        let found = adapters()?;
        let chosen = found[selection.choose(found.iter())?].clone();
        Self::open_described(&[chosen.index], chosen, options)
    }

    /// Opens several GPUs of [`adapters`], by their numbers there, as one device: all GPUs where none is named. A GPU named
    /// twice counts as two, each with half of its work.
    ///
    /// # Errors
    /// As [`CudaDevice::open`]; GPUs of different kinds, or that do not reach each other's memory.
    ///
    /// ```no_run
    /// # use tickless_device::facade as tickless;
    /// use tickless::device::{Device, OpenOptions, cuda::CudaDevice};
    /// let device = CudaDevice::open_several(&[0, 1], OpenOptions::default())?;
    /// assert_eq!(device.adapter().gpus, 2);
    /// # Ok::<(), tickless::device::DeviceError>(())
    /// ```
    pub fn open_several(indices: &[usize], options: OpenOptions) -> Result<Self, DeviceError> {
        let found = adapters()?;
        let all: Vec<usize> = (0..found.len()).collect();
        let indices = if indices.is_empty() { &all } else { indices };
        let description = several::description(&found, indices)?;
        Self::open_described(indices, description, options)
    }

    fn open_described(
        indices: &[usize],
        mut description: AdapterDescription,
        options: OpenOptions,
    ) -> Result<Self, DeviceError> {
        description.capabilities.int64 &= !options.without_int64;
        if options.without_subgroups {
            description.capabilities.subgroup_size = 0;
        }
        let refused =
            |e: DriverError| DeviceError::Open { adapter: description.name.clone(), reason: driver::message(e) };
        let contexts: Vec<Arc<CudaContext>> = {
            let _alone = opening();
            indices.iter().map(|index| CudaContext::new(*index)).collect::<Result<_, _>>().map_err(refused)?
        };
        several::check_links(&contexts, &description)?;
        // SAFETY: each session uses its buffers on streams of its own, and waits for them before it drops them.
        contexts.iter().for_each(|context| unsafe { context.disable_event_tracking() });
        let compiler = compile::Compiler::new(&contexts, &description)?;
        let (compiler, given_up) = (Arc::new(compiler), GivenUp::default());
        let device = Self { contexts, description, options, compiler, given_up, shortage: Arc::default() };
        device.self_test()?;
        Ok(device)
    }

    /// Compiles, captures and runs a small program, so that a GPU that cannot run is known before it is chosen.
    fn self_test(&self) -> Result<(), DeviceError> {
        const ITERATIONS: u32 = 1000;
        let mut program = Program { label: "self-test".into(), ..Default::default() };
        let words = [ITERATIONS, 0];
        let words = BufferSpec::filled("words", BufferUse::Storage, bytemuck::bytes_of(&words).to_vec());
        let words = program.buffer(words);
        let kernel = Kernel::link("engine/self_test", "engine/self_test", &Mounts::default())?;
        let kernel = program.kernel(kernel);
        program.round.push(Step { kernel, dispatch: Dispatch::Workgroups(1) });
        program.status = Some(words);
        let mut session = CudaSession::new(self, program, &mut SetUp::new(&mut unwatched()))?;
        session.submit(1)?;
        let [_, ran]: [u32; 2] = bytemuck::pod_read_unaligned(&session.wait()?.status);
        if ran == ITERATIONS {
            return Ok(());
        }
        let reason = format!("a loop of {ITERATIONS} iterations made {ran}");
        Err(DeviceError::Open { adapter: self.description.name.clone(), reason })
    }

    /// Makes something that takes memory.
    fn allocate<T>(&self, make: impl FnOnce() -> Result<T, DriverError>) -> Result<T, DriverError> {
        if self.shortage.comes() {
            return Err(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY));
        }
        make()
    }

    fn out_of_memory(&self, asked: u64) -> DeviceError {
        DeviceError::OutOfMemory { adapter: self.description.name.clone(), asked: bytes(asked) }
    }

    /// The driver's error while a program is made.
    fn refused(&self, error: DriverError, asked: u64) -> DeviceError {
        match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => self.out_of_memory(asked),
            _ => DeviceError::Open { adapter: self.description.name.clone(), reason: driver::message(error) },
        }
    }

    /// The driver's error while a program runs.
    fn failed(&self, error: DriverError, asked: u64) -> DeviceError {
        match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => self.out_of_memory(asked),
            _ => DeviceError::Lost { reason: driver::message(error) },
        }
    }

    /// Refuses a program that does not fit into the free memory of each GPU.
    fn check_memory(&self, program: &Program) -> Result<(), DeviceError> {
        let asked = self.demand(program).map_err(|e| self.refused(e, program.bytes()))?;
        for (context, asked) in self.contexts.iter().zip(asked) {
            let (free, _) = context.mem_get_info().map_err(|e| self.refused(e, asked))?;
            if asked > free as u64 {
                let of = if self.contexts.len() > 1 { format!(", GPU {}", context.ordinal()) } else { String::new() };
                return Err(DeviceError::Limit {
                    what: format!("memory of the device{of}"),
                    asked: bytes(asked),
                    available: bytes(free as u64),
                    adapter: self.description.name.clone(),
                    remedy: ": use a smaller model or another adapter".into(),
                });
            }
        }
        Ok(())
    }

    /// The bytes of each GPU that a program takes; for a GPU named twice, of both together.
    fn demand(&self, program: &Program) -> Result<Vec<u64>, DriverError> {
        if self.contexts.len() == 1 {
            return Ok(vec![program.bytes()]);
        }
        let constants = load::constants(program);
        let buffers = program.buffers.iter().zip(constants);
        let each = memory::demand(buffers, self.contexts.len(), memory::page(&self.contexts[0])?);
        let same = |place: usize| {
            let own = self.contexts[place].ordinal();
            self.contexts.iter().zip(&each).filter(|(other, _)| other.ordinal() == own).map(|(_, bytes)| bytes).sum()
        };
        Ok((0..each.len()).map(same).collect())
    }
}

/// The CUDA C++ of a kernel, for one GPU or for one of several: the latter also takes the number of its first workgroup, and
/// sends the other GPUs the words that it has written into the first buffer that the kernel writes.
///
/// # Errors
/// [`DeviceError::Refused`] for features without a translation: floating-point numbers, images, planes of threads.
///
/// ```
/// # use tickless_device::facade as tickless;
/// use tickless::device::{Kernel, cuda};
/// let source = "@group(0) @binding(2) var<storage, read_write> words: array<u32>;
///     @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { words[i] += 1u; }";
/// let kernel = Kernel::parse("doc/example", source.into())?;
/// assert!(cuda::source(&kernel, 1)?.contains("__launch_bounds__(64) kernel(void* __b0)"));
/// # Ok::<(), tickless::device::DeviceError>(())
/// ```
pub fn source(kernel: &Kernel, gpus: u32) -> Result<String, DeviceError> {
    let told = || kernel.bindings.iter().position(|binding| !binding.read_only);
    let several = (gpus > 1).then(|| translate::Several { told: told(), status: told() });
    let translated = translate::Translated::new(kernel, |binding| !binding.storage, several)?;
    Ok(translated.source().to_owned())
}

/// The machine code of a kernel for a compute capability (as in 90), or PTX where NVRTC does not know so new a capability. Needs
/// NVRTC, and neither a driver nor a GPU.
///
/// # Errors
/// No NVRTC; a kernel that does not translate or compile.
pub fn compile(kernel: &Kernel, gpus: u32, capability: i32) -> Result<Vec<u8>, DeviceError> {
    let refused = |message| DeviceError::Refused { kernel: kernel.label.clone(), message };
    let (nvrtc, target) = nvrtc::Nvrtc::load(None, capability)?;
    nvrtc.compile(&kernel.label, &source(kernel, gpus)?, target).map_err(refused)
}

/// Whether a kernel compiles as far as the front end of NVRTC tells, types included: a hundredth of the time of
/// [`compile`].
///
/// # Errors
/// As [`compile`].
pub fn read(kernel: &Kernel, gpus: u32, capability: i32) -> Result<(), DeviceError> {
    let refused = |message| DeviceError::Refused { kernel: kernel.label.clone(), message };
    let (nvrtc, target) = nvrtc::Nvrtc::load(None, capability)?;
    nvrtc.read(&kernel.label, &source(kernel, gpus)?, target).map_err(refused)
}

impl Device for CudaDevice {
    fn adapter(&self) -> &AdapterDescription {
        &self.description
    }

    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        program.check(&self.description)?;
        self.given_up.check(&self.description.name)?;
        self.check_memory(&program)?;
        Ok(Box::new(CudaSession::new(self, program, set_up)?))
    }

    fn times_kernels(&self) -> bool {
        self.options.timings
    }
}
