//! One kernel launch with its arguments.

use std::ffi::{c_uint, c_void};

use cudarc::driver::{CudaFunction, CudaStream, DriverError, sys};

/// A kernel, its size and its arguments: device addresses, or numbers up to 64 bits.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    pub(super) function: CudaFunction,
    pub(super) grid: [u32; 2],
    pub(super) block: u32,
    pub(super) arguments: Vec<u64>,
    /// Whether its blocks may be placed before the launch ahead has ended; its kernel waits for that end itself.
    pub(super) early: bool,
}

impl Launch {
    /// Queues it.
    ///
    /// # Errors
    /// What the driver says.
    pub(super) fn enqueue(&self, stream: &CudaStream) -> Result<(), DriverError> {
        let mut early = sys::CUlaunchAttribute {
            id: sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
            pad: [0; 4],
            value: sys::CUlaunchAttributeValue { pad: [0; 64] },
        };
        early.value.programmaticStreamSerializationAllowed = 1;
        let config = sys::CUlaunchConfig {
            gridDimX: self.grid[0],
            gridDimY: self.grid[1],
            gridDimZ: 1,
            blockDimX: self.block,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            hStream: stream.cu_stream(),
            attrs: &mut early,
            numAttrs: c_uint::from(self.early),
        };
        let mut arguments = self.arguments.clone();
        let mut places: Vec<*mut c_void> = arguments.iter_mut().map(|a| std::ptr::from_mut(a).cast()).collect();
        // SAFETY: a loaded function; the driver copies as many bytes of each argument as the kernel declares, at most
        // eight; the session that made the launch waits for the stream before it drops a buffer.
        unsafe {
            sys::cuLaunchKernelEx(&config, self.function.cu_function(), places.as_mut_ptr(), std::ptr::null_mut())
        }
        .result()
    }
}
