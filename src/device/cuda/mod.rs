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
mod nvrtc;
mod rounds;
mod session;
mod timings;
mod translate;

use std::sync::Arc;

use cudarc::driver::{CudaContext, DriverError, sys};

use super::bytes;
use super::{
    AdapterDescription, BufferSpec, BufferUse, Device, DeviceError, Dispatch, Kernel, OpenOptions, Program, Selection,
    Session, SetUp, Step, opening,
};
use crate::kernels::Mounts;
use crate::run::unwatched;
pub use driver::adapters;
use session::CudaSession;

/// An opened NVIDIA GPU.
///
/// ```no_run
/// use tickless::device::{Device, OpenOptions, Selection, cuda::CudaDevice};
/// let device = CudaDevice::open(&Selection::Auto, OpenOptions::default())?;
/// println!("{}", device.adapter().name);
/// # Ok::<(), tickless::device::DeviceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CudaDevice {
    context: Arc<CudaContext>,
    description: AdapterDescription,
    options: OpenOptions,
    compiler: Arc<compile::Compiler>,
}

impl CudaDevice {
    /// Opens a GPU of [`adapters`].
    ///
    /// # Errors
    /// No driver, no compiler, no such GPU, or one that does not open or fails the self-test.
    pub fn open(selection: &Selection, options: OpenOptions) -> Result<Self, DeviceError> {
        let found = adapters()?;
        let mut description = found[selection.choose(found.iter())?].clone();
        description.capabilities.int64 &= !options.without_int64;
        if options.without_subgroups {
            description.capabilities.subgroup_size = 0;
        }
        let refused =
            |e: DriverError| DeviceError::Open { adapter: description.name.clone(), reason: driver::message(e) };
        let context = {
            let _alone = opening();
            CudaContext::new(description.index).map_err(refused)?
        };
        // SAFETY: each session uses its buffers on one stream of its own, and waits for it before it drops them.
        unsafe { context.disable_event_tracking() };
        let compiler = compile::Compiler::new(&context, &description)?;
        let device = Self { context, description, options, compiler: Arc::new(compiler) };
        device.self_test()?;
        Ok(device)
    }

    /// Compiles, captures and runs a small program, so that what cannot run is known before it is chosen.
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

    fn out_of_memory(&self, asked: u64) -> DeviceError {
        DeviceError::OutOfMemory { adapter: self.description.name.clone(), asked: bytes(asked) }
    }

    /// What the driver says while a program is made.
    fn refused(&self, error: DriverError, asked: u64) -> DeviceError {
        match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => self.out_of_memory(asked),
            _ => DeviceError::Open { adapter: self.description.name.clone(), reason: driver::message(error) },
        }
    }

    /// What the driver says while a program runs.
    fn failed(&self, error: DriverError, asked: u64) -> DeviceError {
        match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => self.out_of_memory(asked),
            _ => DeviceError::Lost { reason: driver::message(error) },
        }
    }

    /// Refuses what does not fit into the memory that is free now.
    fn check_memory(&self, asked: u64) -> Result<(), DeviceError> {
        let (free, _) = self.context.mem_get_info().map_err(|e| self.refused(e, asked))?;
        if asked <= free as u64 {
            return Ok(());
        }
        Err(DeviceError::Limit {
            what: "memory of the device".into(),
            asked: bytes(asked),
            available: bytes(free as u64),
            adapter: self.description.name.clone(),
            remedy: ": use a smaller model or another adapter".into(),
        })
    }
}

/// The CUDA C++ that a kernel becomes.
///
/// # Errors
/// [`DeviceError::Kernel`] for what the translation does not cover: floating-point numbers, images, planes of threads.
///
/// ```
/// use tickless::device::{Kernel, cuda};
/// let source = "@group(0) @binding(2) var<storage, read_write> words: array<u32>;
///     @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { words[i] += 1u; }";
/// let kernel = Kernel::parse("doc/example", source.into())?;
/// assert!(cuda::source(&kernel)?.contains("__launch_bounds__(64) kernel(void* __b0)"));
/// # Ok::<(), tickless::device::DeviceError>(())
/// ```
pub fn source(kernel: &Kernel) -> Result<String, DeviceError> {
    translate::Translated::new(kernel, |binding| !binding.storage).map(|translated| translated.source().to_owned())
}

/// The machine code of a kernel for a compute capability (as in 90), or PTX where NVRTC does not know so new a one.
/// Needs NVRTC, and neither a driver nor a GPU.
///
/// # Errors
/// No NVRTC; a kernel that does not translate or compile.
pub fn compile(kernel: &Kernel, capability: i32) -> Result<Vec<u8>, DeviceError> {
    let refused = |message| DeviceError::Kernel { kernel: kernel.label.clone(), message };
    let (nvrtc, target) = nvrtc::Nvrtc::load(None, capability)?;
    nvrtc.compile(&kernel.label, &source(kernel)?, target).map_err(refused)
}

impl Device for CudaDevice {
    fn adapter(&self) -> &AdapterDescription {
        &self.description
    }

    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        program.check(&self.description)?;
        self.check_memory(program.bytes())?;
        Ok(Box::new(CudaSession::new(self, program, set_up)?))
    }
}
