//! A loaded program: its buffers, and the batches under way.

use std::collections::VecDeque;
use std::mem::take;
use std::time::{Duration, Instant};

use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaEvent, DriverError, PinnedHostSlice, result};

use super::CudaDevice;
use super::launch::{Launches, Streams};
use super::load::{Buffers, Loader, constants};
use super::rounds::Rounds;
use super::timings::Timings;
use crate::set_up::EVERY;
use crate::{Batch, Behind, BufferId, BufferUse, DeviceError, Program, Session, SetUp, copy_all};
use tickless_core::run::KernelTime;

/// How long a thread spins before it sleeps.
const AWAKE: Duration = Duration::from_millis(1);

/// Bytes in a part of a read.
const PART: usize = 8 << 20;

/// The memory for the answer of a batch.
struct Answer {
    begun: CudaEvent,
    ended: CudaEvent,
    copied: CudaEvent,
    status: PinnedHostSlice<u8>,
}

impl Answer {
    fn new(device: &CudaDevice, size: usize) -> Result<Self, DriverError> {
        let event = || device.contexts[0].new_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
        let status = pinned(device, size.max(1))?;
        Ok(Self { begun: event()?, ended: event()?, copied: event()?, status })
    }
}

/// Memory of the host that the device can write by itself.
fn pinned(device: &CudaDevice, size: usize) -> Result<PinnedHostSlice<u8>, DriverError> {
    // SAFETY: read only after a copy from the device has filled it.
    device.allocate(|| unsafe { device.contexts[0].alloc_pinned_with_flags::<u8>(size, 0) })
}

/// Work on the device comes before the memory that it needs: fields are dropped in this order.
pub(super) struct CudaSession {
    rounds: Rounds,
    last: Vec<Launches>,
    results: Vec<Launches>,
    timings: Option<Timings>,
    under_way: VecDeque<Answer>,
    free: Vec<Answer>,
    /// Two parts for reading back, used in turn.
    parts: Vec<PinnedHostSlice<u8>>,
    buffers: Buffers,
    streams: Streams,
    status: Option<BufferId>,
    /// Buffers of parameters: their contents have been passed with the launches.
    parameters: Vec<BufferId>,
    asked: u64,
    device: CudaDevice,
}

// SAFETY: what is not `Send` are graphs, which the driver lets any thread use, one at a time: all calls take the session by `&mut`. Every call
// binds the context to its thread.
unsafe impl Send for CudaSession {}

/// No memory is freed that the device may still use: cudarc waits for nothing where it tracks no events.
impl Drop for CudaSession {
    fn drop(&mut self) {
        if self.device.given_up.is_set() {
            // Giving back memory that the device uses would wait for the device.
            std::mem::forget((take(&mut self.buffers), take(&mut self.under_way), take(&mut self.free)));
            std::mem::forget((take(&mut self.parts), self.streams.clone(), self.device.clone()));
            return;
        }
        self.wait_for_all();
        // Buffers are given back on the stream; then the next session finds their memory free. (Waiting for the whole
        // device would break a capture of another thread.)
        drop(take(&mut self.buffers));
        self.wait_for_all();
    }
}

impl CudaSession {
    pub(super) fn new(device: &CudaDevice, program: Program, set_up: &mut SetUp<'_>) -> Result<Self, DeviceError> {
        let asked = program.bytes();
        let failed = |e: DriverError| device.refused(e, asked);
        let streams = Streams::new(&device.contexts).map_err(failed)?;
        let constants = constants(&program);
        let buffers = Buffers::new(device, &program, &constants, &streams).map_err(failed)?;
        let loader = Loader::new(device, &program, &buffers, &constants, set_up)?;
        loader.share_memory(device).map_err(failed)?;
        let first = loader.launches(&program.first)?;
        let round = loader.launches(&program.round)?;
        let last = loader.launches(&program.last)?;
        let results = loader.launches(&program.results)?;
        let rounds = Rounds::new(&streams, round.clone()).map_err(failed)?;
        let size = program.status.map_or(0, |id| buffers.all[id.0].len());
        let free = (0..2).map(|_| Answer::new(device, size)).collect::<Result<_, _>>().map_err(failed)?;
        let timings = device.options.timings.then(|| Timings::new(&device.contexts[0], &program, round));
        let is_uniform = |id: &usize| program.buffers[*id].usage == BufferUse::Uniform;
        let session = Self {
            device: device.clone(),
            parameters: (0..program.buffers.len()).filter(is_uniform).map(BufferId).collect(),
            rounds,
            last,
            results,
            status: program.status,
            free,
            parts: vec![],
            under_way: VecDeque::new(),
            timings: timings.transpose().map_err(failed)?,
            asked,
            streams,
            buffers,
        };
        session.run_all(&first).map_err(failed)?;
        session.streams.first().synchronize().map_err(failed)?;
        Ok(session)
    }

    /// Refuses to change what launches have been given once for all.
    fn check_no_parameters(&self, buffer: BufferId) -> Result<(), DeviceError> {
        let fixed =
            || DeviceError::Lost { reason: "the parameters of a program cannot change while it is loaded".into() };
        if self.parameters.contains(&buffer) { Err(fixed()) } else { Ok(()) }
    }

    /// Queues steps, each behind the one before on all GPUs.
    fn run_all(&self, steps: &[Launches]) -> Result<(), DriverError> {
        self.streams.fork()?;
        steps.iter().try_for_each(|step| step.enqueue(&self.streams))
    }

    /// Waits for the streams, whatever has gone wrong on them: the next call reports the error.
    fn wait_for_all(&self) {
        for stream in &self.streams.all {
            // SAFETY: the session keeps the contexts and the streams.
            unsafe {
                let _ = result::ctx::set_current(stream.context().cu_ctx());
                let _ = result::stream::synchronize(stream.cu_stream());
            }
        }
    }

    fn queue(&mut self, mut rounds: u32) -> Result<(), DriverError> {
        let mut answer = match self.free.pop() {
            Some(answer) => answer,
            None => Answer::new(&self.device, self.status.map_or(0, |id| self.buffers.all[id.0].len()))?,
        };
        let stream = self.streams.first();
        answer.begun.record(stream)?;
        if let Some(timings) = &mut self.timings {
            self.streams.fork()?;
            rounds -= timings.enqueue(&self.streams, rounds)?;
        }
        self.rounds.enqueue(rounds)?;
        answer.ended.record(stream)?;
        if let Some(BufferId(id)) = self.status {
            let memory = &self.buffers.all[id];
            let to = &mut answer.status.as_mut_slice()?[..memory.len()];
            // SAFETY: the answer is kept until the device has copied it, whatever becomes of the batch.
            unsafe { memory.read(0, to, stream)? };
        }
        answer.copied.record(stream)?;
        self.under_way.push_back(answer);
        Ok(())
    }

    fn finish(&mut self, answer: Answer) -> Result<Batch, DriverError> {
        let mut status = answer.status.as_slice()?.to_vec();
        status.truncate(self.status.map_or(0, |id| self.buffers.all[id.0].len()));
        let milliseconds = answer.begun.elapsed_ms(&answer.ended)?;
        self.free.push(answer);
        Ok(Batch { status, device: Some(Duration::from_secs_f64(f64::from(milliseconds) / 1e3)) })
    }

    /// Waits for an event, for as long as a batch may take.
    fn await_event(&self, event: &CudaEvent) -> Result<(), DeviceError> {
        let (begun, limit) = (Instant::now(), self.device.options.batch_limit);
        while !event.try_is_complete().map_err(|e| self.failed(e))? {
            match begun.elapsed() {
                waited if waited > limit => {
                    self.give_up();
                    let (adapter, seconds) = (self.device.description.name.clone(), limit.as_secs_f64());
                    return Err(DeviceError::BatchLimit { adapter, seconds });
                }
                waited if waited > AWAKE => std::thread::sleep(AWAKE / 20),
                _ => std::hint::spin_loop(),
            }
        }
        Ok(())
    }

    /// No other work is begun until the streams have ended: a thread waits for that, without the driver's own waits, which have no limit.
    fn give_up(&self) {
        let given_up = self.device.given_up.clone();
        given_up.set(true);
        let Ok(ends) = self.streams.all.iter().map(|stream| stream.record_event(None)).collect::<Result<Vec<_>, _>>()
        else {
            return;
        };
        let wait = move || {
            while ends.iter().any(|end| !matches!(end.try_is_complete(), Ok(true))) {
                std::thread::sleep(EVERY);
            }
            given_up.set(false);
        };
        // Without a thread the device is given up for good.
        drop(std::thread::Builder::new().spawn(wait));
    }

    fn check_idle(&self) -> Result<(), DeviceError> {
        self.device.given_up.check(&self.device.description.name)
    }

    /// Reads part by part over memory that the device can write by itself: while a part comes, the part before goes to its
    /// place.
    fn read_parts(&mut self, buffer: BufferId, offset: usize, to: &mut [u8]) -> Result<(), DriverError> {
        let (source, stream) = (&self.buffers.all[buffer.0], self.streams.first());
        if to.len() <= PART {
            // SAFETY: it is waited for here, whether all of it was queued or not.
            let queued = unsafe { source.read(offset, to, stream) };
            return stream.synchronize().and(queued);
        }
        if self.parts.is_empty() {
            self.parts = (0..2).map(|_| pinned(&self.device, PART)).collect::<Result<_, _>>()?;
        }
        let parts = &mut self.parts;
        let take = |(number, copied, place): (usize, CudaEvent, &mut [u8]), parts: &[PinnedHostSlice<u8>]| {
            // The events of these slices are not kept, see `disable_event_tracking`.
            copied.synchronize()?;
            copy_all(parts[number % 2].as_slice()?, place);
            Ok(())
        };
        let mut under_way = None;
        for (number, place) in to.chunks_mut(PART).enumerate() {
            let begin = offset + number * PART;
            // The length of the place, not of the source, says how many bytes are copied.
            let part = &mut parts[number % 2].as_mut_slice()?[..place.len()];
            // SAFETY: the session keeps these parts, and waits for its streams before it drops them.
            unsafe { source.read(begin, part, stream)? };
            let copied = stream.record_event(None)?;
            if let Some(before) = under_way.replace((number, copied, place)) {
                take(before, parts)?;
            }
        }
        under_way.map_or(Ok(()), |last| take(last, parts))
    }

    fn failed(&self, error: DriverError) -> DeviceError {
        self.device.failed(error, self.asked)
    }
}

impl Session for CudaSession {
    /// Everything has been compiled already.
    fn warm_up(&mut self, _: &mut SetUp<'_>) -> Result<(), DeviceError> {
        Ok(())
    }

    fn submit(&mut self, rounds: u32) -> Result<(), DeviceError> {
        self.check_idle()?;
        self.queue(rounds).map_err(|e| self.failed(e))
    }

    fn run_behind(&mut self, which: Behind) -> Result<(), DeviceError> {
        self.check_idle()?;
        let steps = match which {
            Behind::End => &self.last,
            Behind::Results => &self.results,
        };
        self.run_all(steps).map_err(|e| self.failed(e))?;
        let ended = self.streams.first().record_event(None).map_err(|e| self.failed(e))?;
        self.await_event(&ended)
    }

    fn wait(&mut self) -> Result<Batch, DeviceError> {
        let none = || DeviceError::Lost { reason: "no batch is under way".into() };
        let answer = self.under_way.pop_front().ok_or_else(none)?;
        if let Err(error) = self.await_event(&answer.copied) {
            self.under_way.push_front(answer);
            return Err(error);
        }
        self.finish(answer).map_err(|e| self.failed(e))
    }

    fn write(&mut self, buffer: BufferId, offset: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.check_idle()?;
        let (start, memory) = (offset as usize, &self.buffers.all[buffer.0]);
        if start.checked_add(bytes.len()).is_none_or(|end| end > memory.len()) {
            return Err(DeviceError::Lost { reason: format!("bytes {start} and on lie outside of the buffer") });
        }
        self.check_no_parameters(buffer)?;
        memory.write(start, bytes, &self.streams.all).map_err(|e| self.failed(e))
    }

    fn clear(&mut self, buffer: BufferId) -> Result<(), DeviceError> {
        self.check_idle()?;
        self.check_no_parameters(buffer)?;
        self.buffers.all[buffer.0].clear(&self.streams.all).map_err(|e| self.failed(e))
    }

    fn size(&self, buffer: BufferId) -> u64 {
        self.buffers.all[buffer.0].len() as u64
    }

    fn address(&self, buffer: BufferId) -> Option<u64> {
        let memory = &self.buffers.all[buffer.0];
        (self.streams.all.len() == 1).then(|| memory.address(0))
    }

    fn read_into(&mut self, buffer: BufferId, offset: u64, to: &mut [u8]) -> Result<(), DeviceError> {
        self.check_idle()?;
        self.read_parts(buffer, offset as usize, to).map_err(|e| self.failed(e))
    }

    fn timings(&self) -> Vec<KernelTime> {
        self.timings.as_ref().map(Timings::times).unwrap_or_default()
    }
}
