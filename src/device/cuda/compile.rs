//! Kernels to machine code: translated, compiled in parallel, kept on disk and in memory.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaFunction, CudaModule, DriverError, sys};
use cudarc::nvrtc::Ptx;

use super::nvrtc::{Nvrtc, Target, decimal};
use super::{cache, driver};
use crate::compiled::Compiled;
use crate::set_up::side_by_side;
use crate::{AdapterDescription, DeviceError};

/// A source to compile: one translation unit with the kernel `entry`.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// The kernel's label in errors.
    pub(super) label: String,
    /// CUDA C++.
    pub(super) source: String,
    /// The name of its `__global__` function.
    pub(super) entry: &'static str,
}

/// A kernel on each GPU of a device.
pub(super) type Functions = Vec<CudaFunction>;
/// A translation unit on each GPU of a device.
type Modules = Vec<Arc<CudaModule>>;

/// Compiles for the GPUs of one device, which are of one kind.
#[derive(Debug)]
pub(super) struct Compiler {
    nvrtc: Nvrtc,
    target: Target,
    contexts: Vec<Arc<CudaContext>>,
    modules: Compiled<String, Modules>,
}

impl Compiler {
    /// Loads NVRTC and asks which code the device can run.
    ///
    /// # Errors
    /// No NVRTC, or a version that does not know the device.
    pub(super) fn new(contexts: &[Arc<CudaContext>], adapter: &AdapterDescription) -> Result<Self, DeviceError> {
        let refused = |reason: String| DeviceError::Open { adapter: adapter.name.clone(), reason };
        let driver = driver::version().map_err(|e| refused(driver::message(e)))?;
        let (major, minor) = contexts[0].compute_capability().map_err(|e| refused(driver::message(e)))?;
        let (nvrtc, target) = Nvrtc::load(Some(driver / 1000), 10 * major + minor)?;
        Ok(Self { nvrtc, target, contexts: contexts.to_vec(), modules: Compiled::default() })
    }

    /// The compute capability that code is made for.
    pub(super) fn capability(&self) -> i32 {
        self.target.capability()
    }

    /// Compiles the units in parallel, while `look` is asked whether to go on.
    ///
    /// # Errors
    /// [`DeviceError::Refused`] with the label of the first that the compiler or the driver refuses; the error of
    /// `look`.
    pub(super) fn compile_all(
        compiler: &Arc<Self>,
        units: Vec<Unit>,
        look: impl FnMut() -> Result<(), DeviceError>,
    ) -> Result<Vec<Functions>, DeviceError> {
        let compiler = compiler.clone();
        let panicked = |unit: &Unit| refused(unit, "the compiler panicked".into());
        side_by_side(units, move |unit| compiler.compile(unit), panicked, look)
    }

    fn compile(&self, unit: &Unit) -> Result<Functions, DeviceError> {
        let modules = self.modules.get(unit.source.clone(), || self.load(unit))?;
        let function = |module: &Arc<CudaModule>| module.load_function(unit.entry);
        modules.iter().map(function).collect::<Result<_, _>>().map_err(|e| refused(unit, driver::message(e)))
    }

    fn load(&self, unit: &Unit) -> Result<Modules, DeviceError> {
        let key = cache::key(&unit.source, &self.target.architecture(), self.nvrtc.version);
        let code = match cache::find(&key) {
            Some(code) => code,
            None => {
                let compiled = self.nvrtc.compile(&unit.label, &unit.source, self.target);
                let code = compiled.map_err(|log| refused(unit, log))?;
                cache::store(&key, &code);
                code
            }
        };
        // The driver reads PTX up to a zero byte, which NVRTC writes.
        let load = |context: &Arc<CudaContext>| context.load_module(Ptx::from_binary(code.clone()));
        self.contexts.iter().map(load).collect::<Result<_, _>>().map_err(|e| self.not_loaded(unit, e))
    }

    fn not_loaded(&self, unit: &Unit, error: DriverError) -> DeviceError {
        use sys::CUresult as Result;
        let (major, minor) = self.nvrtc.version;
        let newer = [
            Result::CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
            Result::CUDA_ERROR_NO_BINARY_FOR_GPU,
            Result::CUDA_ERROR_INVALID_IMAGE,
            Result::CUDA_ERROR_INVALID_SOURCE,
        ];
        let message = driver::message(error);
        if !newer.contains(&error.0) {
            return refused(unit, message);
        }
        let capability = decimal(self.capability());
        refused(
            unit,
            format!(
                "the driver does not load what NVRTC {major}.{minor} made for compute capability {capability} \
                 ({message}): update the driver, or install the NVRTC of its CUDA version"
            ),
        )
    }
}

fn refused(unit: &Unit, message: String) -> DeviceError {
    DeviceError::Refused { kernel: unit.label.clone(), message }
}
