//! Kernel launches with their arguments: a step is a launch on each GPU.

use std::ffi::{c_uint, c_void};
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaEvent, CudaFunction, CudaStream, DriverError, sys};

/// The streams of a session, one on each GPU of its device.
#[derive(Clone)]
pub(super) struct Streams {
    pub(super) all: Vec<Arc<CudaStream>>,
    /// The progress of each stream, where there are several.
    reached: Vec<Arc<CudaEvent>>,
}

impl Streams {
    /// New streams.
    ///
    /// # Errors
    /// The driver's error.
    pub(super) fn new(contexts: &[Arc<CudaContext>]) -> Result<Self, DriverError> {
        let all = contexts.iter().map(CudaContext::new_stream).collect::<Result<Vec<_>, _>>()?;
        let event = |context: &Arc<CudaContext>| context.new_event(None).map(Arc::new);
        let several = if contexts.len() > 1 { contexts } else { &[] };
        Ok(Self { all, reached: several.iter().map(event).collect::<Result<_, _>>()? })
    }

    /// The stream of the first GPU, at which joint work begins and ends.
    pub(super) fn first(&self) -> &Arc<CudaStream> {
        &self.all[0]
    }

    /// Lets all streams wait for the work queued on the first.
    ///
    /// # Errors
    /// The driver's error.
    pub(super) fn fork(&self) -> Result<(), DriverError> {
        let Some(reached) = self.reached.first() else { return Ok(()) };
        reached.record(&self.all[0])?;
        self.all[1..].iter().try_for_each(|stream| stream.wait(reached))
    }

    /// Lets all streams wait for the work queued on any of them.
    ///
    /// # Errors
    /// The driver's error.
    fn join(&self) -> Result<(), DriverError> {
        self.reached.iter().zip(&self.all).try_for_each(|(reached, stream)| reached.record(stream))?;
        for (own, stream) in self.all.iter().enumerate() {
            let others = self.reached.iter().enumerate().filter(|(other, _)| *other != own);
            others.map(|(_, reached)| reached).try_for_each(|reached| stream.wait(reached))?;
        }
        Ok(())
    }
}

/// A step: its launches on all GPUs.
#[derive(Clone, Debug)]
pub(super) struct Launches(pub(super) Vec<Launch>);

impl Launches {
    /// Queues the step; the next step begins when all of it has ended.
    ///
    /// # Errors
    /// The driver's error.
    pub(super) fn enqueue(&self, streams: &Streams) -> Result<(), DriverError> {
        if let ([launch], [stream]) = (&self.0[..], &streams.all[..]) {
            return launch.enqueue(stream);
        }
        for (launch, stream) in self.0.iter().zip(&streams.all) {
            // A GPU may have no workgroup of a step.
            if launch.grid[0] > 0 {
                stream.context().bind_to_thread()?;
                launch.enqueue(stream)?;
            }
        }
        streams.join()
    }
}

/// An argument of a kernel.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    /// A device address, or a number of up to 64 bits.
    Word(u64),
    /// A record, with as many bytes as the kernel takes.
    Record(Arc<[u8]>),
}

/// A kernel, its size and its arguments.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    pub(super) function: CudaFunction,
    pub(super) grid: [u32; 3],
    pub(super) block: u32,
    pub(super) arguments: Vec<Argument>,
    /// Whether its blocks may be placed before the launch ahead has ended; its kernel waits for that end itself.
    pub(super) early: bool,
}

impl Launch {
    /// Queues the launch.
    ///
    /// # Errors
    /// The driver's error.
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
            gridDimZ: self.grid[2],
            blockDimX: self.block,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            hStream: stream.cu_stream(),
            attrs: &mut early,
            numAttrs: c_uint::from(self.early),
        };
        let place = |argument: &Argument| match argument {
            Argument::Word(word) => std::ptr::from_ref(word).cast::<c_void>().cast_mut(),
            Argument::Record(bytes) => bytes.as_ptr().cast::<c_void>().cast_mut(),
        };
        let mut places: Vec<*mut c_void> = self.arguments.iter().map(place).collect();
        // SAFETY: a loaded function; the driver reads, now, as many bytes of each argument as the kernel declares: at most eight of a
        // word, and those of a record; the session that made the launch waits for the stream before it drops a buffer.
        unsafe {
            sys::cuLaunchKernelEx(&config, self.function.cu_function(), places.as_mut_ptr(), std::ptr::null_mut())
        }
        .result()
    }
}
