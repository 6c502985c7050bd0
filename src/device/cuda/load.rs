//! From the steps of a program to launches: kernels translated and compiled, and bound to buffers by name.

use std::collections::HashSet;
use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute;
use cudarc::driver::{CudaFunction, CudaSlice, CudaStream, DevicePtr as _};
use rayon::prelude::*;

use super::compile::{Compiler, Unit};
use super::launch::Launch;
use super::translate::Translated;
use super::{CudaDevice, driver};
use crate::device::{Binding, BufferId, DeviceError, Dispatch, Overlap, Program, SetUp, Step};

/// A program whose kernels are compiled.
pub(super) struct Loader<'a> {
    program: &'a Program,
    translated: Vec<Translated>,
    functions: Vec<CudaFunction>,
    buffers: &'a [CudaSlice<u8>],
    stream: &'a Arc<CudaStream>,
    /// Launches of up to so many workgroups begin early.
    early: u32,
}

impl<'a> Loader<'a> {
    pub(super) fn new(
        device: &CudaDevice,
        program: &'a Program,
        buffers: &'a [CudaSlice<u8>],
        stream: &'a Arc<CudaStream>,
        set_up: &mut SetUp<'_>,
    ) -> Result<Self, DeviceError> {
        let bindings = || program.kernels.iter().flat_map(|kernel| &kernel.bindings);
        let written: HashSet<&str> = bindings().filter(|b| !b.read_only).map(|b| &b.name[..]).collect();
        let constant = |binding: &Binding| !written.contains(&binding.name[..]);
        let translated = program
            .kernels
            .par_iter()
            .map(|kernel| Translated::new(kernel, constant))
            .collect::<Result<Vec<_>, _>>()?;
        let units: Vec<Unit> = translated.iter().zip(&program.kernels).map(|(t, k)| t.unit(k)).collect();
        let (limit, name) = (device.options.compile_limit, &device.description.name);
        let functions = Compiler::compile_all(&device.compiler, units, || set_up.look(limit, name))?;
        let early = most_early(device)?;
        Ok(Self { program, translated, functions, buffers, stream, early })
    }

    /// The launches of the steps.
    ///
    /// # Errors
    /// A kernel that binds what the program does not have.
    pub(super) fn launches(&self, steps: &[Step]) -> Result<Vec<Launch>, DeviceError> {
        steps.iter().map(|step| self.launch(step)).collect()
    }

    fn launch(&self, step: &Step) -> Result<Launch, DeviceError> {
        let kernel = &self.program.kernels[step.kernel.0];
        let Dispatch::Workgroups(count) = step.dispatch;
        let find = |binding: &Binding| {
            let found = self.program.buffer_named(&binding.name).map(|BufferId(id)| id);
            found.ok_or_else(|| DeviceError::Kernel {
                kernel: kernel.label.clone(),
                message: format!("the program has no buffer named '{}'", binding.name),
            })
        };
        let buffers = kernel.bindings.iter().map(find).collect::<Result<Vec<usize>, _>>()?;
        // Valid while the session keeps the buffers.
        let mut arguments: Vec<u64> = buffers.iter().map(|b| self.buffers[*b].device_ptr(self.stream).0).collect();
        for place in self.translated[step.kernel.0].lengths() {
            arguments.push(self.size(&kernel.label, buffers[*place])?);
        }
        Ok(Launch {
            function: self.functions[step.kernel.0].clone(),
            grid: Dispatch::fold(count),
            block: kernel.workgroup,
            arguments,
            early: count <= self.early,
        })
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

/// Launches of up to how many workgroups begin while the one ahead runs.
fn most_early(device: &CudaDevice) -> Result<u32, DeviceError> {
    let open = |e| DeviceError::Open { adapter: device.description.name.clone(), reason: driver::message(e) };
    let processors = device.context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    let processors = processors.map_err(open)?.unsigned_abs();
    Ok(early(device.options.overlap, device.compiler.capability(), processors))
}

/// A launch may begin early only where its code waits itself, which the prelude writes for capability 9.0 and newer: what
/// the code is made for counts, not what the GPU is.
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
    fn code_that_does_not_wait_is_never_launched_early() {
        for overlap in [Overlap::Auto, Overlap::Off, Overlap::On] {
            assert_eq!(early(overlap, 87, 132), 0);
        }
        assert_eq!([Overlap::Auto, Overlap::Off, Overlap::On].map(|o| early(o, 90, 132)), [132, 0, u32::MAX]);
    }
}
