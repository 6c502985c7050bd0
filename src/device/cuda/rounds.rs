//! How a batch of rounds gets onto the device: replayed from graphs.
//!
//! Between two steps of a round every workgroup must have ended; a graph ensures this by the order of its launches.
//! Where workgroups are few, a launch takes about as long as its work: there the blocks of the next launch are placed
//! while the last launch still runs, and wait for its end on the device. (A kernel that stays on the device and waits
//! at a barrier of its own between steps measured the same, and was slower where workgroups are many.)

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUresult, CUstreamCaptureMode};
use cudarc::driver::{CudaGraph, DriverError};

use super::launch::{Launches, Streams};

/// Rounds in a graph, descending: a batch is replayed from as few graphs as possible.
const SIZES: [u32; 3] = [64, 8, 1];

/// A prepared round.
pub(super) struct Rounds {
    graphs: Vec<CudaGraph>,
    /// The launches of the graphs, which do not keep the code of their kernels loaded.
    _steps: Vec<Launches>,
}

impl Rounds {
    /// Captures a graph of each size.
    ///
    /// # Errors
    /// The driver's error.
    pub(super) fn new(streams: &Streams, steps: Vec<Launches>) -> Result<Self, DriverError> {
        let sizes = if steps.is_empty() { &[][..] } else { &SIZES };
        let graphs = sizes.iter().map(|rounds| capture(streams, &steps, *rounds)).collect::<Result<_, _>>()?;
        Ok(Self { graphs, _steps: steps })
    }

    /// Queues a batch.
    ///
    /// # Errors
    /// The driver's error.
    pub(super) fn enqueue(&self, mut rounds: u32) -> Result<(), DriverError> {
        for (graph, size) in self.graphs.iter().zip(SIZES) {
            while rounds >= size {
                graph.launch()?;
                rounds -= size;
            }
        }
        Ok(())
    }
}

/// The other streams join the capture by the work that they wait for, and every step ends where all have joined.
fn capture(streams: &Streams, steps: &[Launches], rounds: u32) -> Result<CudaGraph, DriverError> {
    let stream = streams.first();
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
    let each = || steps.iter().try_for_each(|step| step.enqueue(streams));
    let queued = streams.fork().and_then(|()| (0..rounds).try_for_each(|_| each()));
    stream.context().bind_to_thread()?;
    // A capture is ended even where it failed: the stream takes no other work before.
    let graph = stream.end_capture(CUgraphInstantiate_flags(0));
    queued?;
    let graph = graph?.ok_or(DriverError(CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED))?;
    graph.upload()?;
    Ok(graph)
}
