//! A loaded program: its buffers and pipelines, and the batches under way.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::pipeline::Pipeline;
use super::timings::Timings;
use super::{WgpuDevice, api};
use crate::copy_all;
use crate::set_up::EVERY;
use crate::{
    AdapterKind, Batch, Behind, BufferId, BufferSpec, BufferUse, Device, DeviceError, Dispatch, Program, Session,
    SetUp, Step,
};
use tickless_core::run::KernelTime;

/// Bytes of one read-back copy.
const CHUNK: u64 = 64 << 20;
/// The status buffer is read together with two timestamps behind it.
const TIMES: u64 = 16;
/// The first pause of a waiting set-up; short beside the shortest set-up.
const FIRST_PAUSE: Duration = Duration::from_micros(20);

/// One prepared dispatch.
struct Ready {
    pipeline: api::ComputePipeline,
    group: api::BindGroup,
    grid: [u32; 3],
}

/// The buffer for the answer of a batch.
struct Answer {
    staging: api::Buffer,
    queries: Option<(api::QuerySet, api::Buffer)>,
}

pub(super) struct WgpuSession {
    device: WgpuDevice,
    buffers: Vec<api::Buffer>,
    round: Vec<Ready>,
    last: Vec<Ready>,
    results: Vec<Ready>,
    status: Option<BufferId>,
    free: Vec<Answer>,
    under_way: VecDeque<(Answer, api::SubmissionIndex)>,
    timings: Option<Timings>,
}

impl WgpuSession {
    pub(super) fn new(device: &WgpuDevice, program: Program, set_up: &mut SetUp<'_>) -> Result<Self, DeviceError> {
        // The bytes asked for are those of all buffers.
        let asked = program.bytes();
        let buffer = |spec| device.allocate(asked, || buffer(device, spec));
        let buffers = program.buffers.iter().map(buffer).collect::<Result<Vec<_>, _>>()?;
        let pipelines = device.compile_all(&program.kernels, set_up)?;
        let ready = |step: &Step| ready(device, &program, &pipelines, &buffers, step);
        let all_ready = |steps: &[Step]| steps.iter().map(ready).collect::<Result<Vec<_>, _>>();
        let (first, round) = (all_ready(&program.first)?, all_ready(&program.round)?);
        let (last, results) = (all_ready(&program.last)?, all_ready(&program.results)?);
        let answers = (0..2).map(|_| answer(device, &buffers, program.status)).collect::<Result<_, _>>()?;
        let timings = Timings::new(device, &program)?;
        let session = Self {
            device: device.clone(),
            buffers,
            round,
            last,
            results,
            status: program.status,
            free: answers,
            under_way: VecDeque::new(),
            timings,
        };
        session.set_up(&first, set_up)?;
        Ok(session)
    }

    fn enqueue(&self, steps: &[Ready]) -> api::SubmissionIndex {
        let mut encoder = self.device.device.create_command_encoder(&Default::default());
        encode(&mut encoder, None, None, steps, 1);
        self.device.queue.submit([encoder.finish()])
    }

    fn run_once(&self, steps: &[Ready]) -> Result<(), DeviceError> {
        self.device.check_idle()?;
        self.poll(self.enqueue(steps))
    }

    /// The same before the first event: a software adapter compiles code when it first runs it. Where threads share a
    /// device, a wait with a limit of wgpu 30 may panic at its limit while another thread sees the work end
    /// (<https://github.com/gfx-rs/wgpu/pull/9958>), so this function asks, in pauses that double.
    fn set_up(&self, steps: &[Ready], set_up: &mut SetUp<'_>) -> Result<(), DeviceError> {
        self.enqueue(steps);
        let ended = Arc::new(AtomicBool::new(false));
        let end = ended.clone();
        self.device.queue.on_submitted_work_done(move || end.store(true, Ordering::Release));
        let mut pause = FIRST_PAUSE;
        loop {
            let polled = self.device.device.poll(api::PollType::Poll);
            self.fault()?;
            polled.map_err(|error| DeviceError::Lost { reason: error.to_string() })?;
            if ended.load(Ordering::Acquire) {
                return self.device.look(set_up);
            }
            self.device.look(set_up).inspect_err(|_| self.abandon())?;
            thread::sleep(pause);
            pause = (pause * 2).min(EVERY);
        }
    }

    /// Leaves submitted work to itself. Dropping a queue waits for its work, so a thread keeps it until then.
    fn abandon(&self) {
        let device = self.device.clone();
        // Where no thread starts, it is kept for good.
        let kept = self.device.clone();
        match thread::Builder::new().spawn(move || wait_for_all(&device)) {
            Ok(_) => {}
            Err(_) => std::mem::forget(kept),
        }
    }

    fn poll(&self, index: api::SubmissionIndex) -> Result<(), DeviceError> {
        let limit = self.device.options.batch_limit;
        let wait = api::PollType::Wait { submission_index: Some(index), timeout: Some(limit) };
        let polled = self.device.device.poll(wait);
        self.fault()?;
        match polled {
            Ok(_) => Ok(()),
            Err(api::PollError::Timeout) => {
                self.device.given_up.set(true);
                self.abandon();
                let (adapter, seconds) = (self.device.description.name.clone(), limit.as_secs_f64());
                Err(DeviceError::BatchLimit { adapter, seconds })
            }
            Err(error) => Err(DeviceError::Lost { reason: error.to_string() }),
        }
    }

    /// The error that a callback has left, if any.
    fn fault(&self) -> Result<(), DeviceError> {
        match self.device.fault.lock() {
            Ok(mut place) => place.take().map_or(Ok(()), Err),
            Err(_) => Err(DeviceError::Lost { reason: "its error handler panicked".into() }),
        }
    }

    /// Copies out the contents of a mappable buffer.
    fn copy_mapped(
        &self,
        staging: &api::Buffer,
        index: api::SubmissionIndex,
        to: &mut [u8],
    ) -> Result<(), DeviceError> {
        let part = staging.slice(..to.len() as u64);
        part.map_async(api::MapMode::Read, |_| {});
        self.poll(index)?;
        let view = part.get_mapped_range();
        let copied = view.map(|view| copy_all(&view, to)).map_err(|e| DeviceError::Lost { reason: e.to_string() });
        staging.unmap();
        copied
    }
}

impl Session for WgpuSession {
    fn warm_up(&mut self, set_up: &mut SetUp<'_>) -> Result<(), DeviceError> {
        if self.device.adapter().kind == AdapterKind::Software {
            self.set_up(&self.round, set_up)?;
        }
        Ok(())
    }

    fn submit(&mut self, rounds: u32) -> Result<(), DeviceError> {
        self.device.check_idle()?;
        // Lavapipe accepts no batch before the one under way has ended, and waits for that without a limit.
        let software = self.device.adapter().kind == AdapterKind::Software;
        if let Some((_, index)) = self.under_way.back().filter(|_| software) {
            self.poll(index.clone())?;
        }
        let answer = match self.free.pop() {
            Some(answer) => answer,
            None => answer(&self.device, &self.buffers, self.status)?,
        };
        let mut encoder = self.device.device.create_command_encoder(&Default::default());
        let queries = answer.queries.as_ref().map(|(set, _)| set);
        encode(&mut encoder, queries, self.timings.as_ref(), &self.round, rounds);
        if let Some(timings) = &self.timings {
            timings.resolve(&mut encoder, rounds);
        }
        let size = self.status.map_or(0, |id| self.buffers[id.0].size());
        if let Some(BufferId(id)) = self.status {
            encoder.copy_buffer_to_buffer(&self.buffers[id], 0, &answer.staging, 0, size);
        }
        if let Some((set, resolved)) = &answer.queries {
            encoder.resolve_query_set(set, 0..2, resolved, 0);
            encoder.copy_buffer_to_buffer(resolved, 0, &answer.staging, size, TIMES);
        }
        let index = self.device.queue.submit([encoder.finish()]);
        self.under_way.push_back((answer, index.clone()));
        if let Some(timings) = &mut self.timings {
            timings.take(&self.device, index, rounds)?;
        }
        self.fault()
    }

    fn run_behind(&mut self, which: Behind) -> Result<(), DeviceError> {
        self.run_once(match which {
            Behind::End => &self.last,
            Behind::Results => &self.results,
        })
    }

    fn wait(&mut self) -> Result<Batch, DeviceError> {
        let none = || DeviceError::Lost { reason: "no batch is under way".into() };
        let (answer, index) = self.under_way.pop_front().ok_or_else(none)?;
        let mut status = vec![0; answer.staging.size() as usize];
        self.copy_mapped(&answer.staging, index, &mut status)?;
        let times = status.split_off(status.len() - TIMES as usize);
        let device = answer.queries.as_ref().map(|_| {
            let stamps: [u64; 2] = bytemuck::pod_read_unaligned(&times);
            let nanoseconds =
                stamps[1].saturating_sub(stamps[0]) as f64 * f64::from(self.device.queue.get_timestamp_period());
            Duration::from_nanos(nanoseconds as u64)
        });
        self.free.push(answer);
        Ok(Batch { status, device })
    }

    fn write(&mut self, buffer: BufferId, offset: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.device.check_idle()?;
        // The write takes a copy.
        let write = || self.device.queue.write_buffer(&self.buffers[buffer.0], offset, bytes);
        self.device.allocate(bytes.len() as u64, write)?;
        self.fault()
    }

    fn clear(&mut self, buffer: BufferId) -> Result<(), DeviceError> {
        self.device.check_idle()?;
        let mut encoder = self.device.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&self.buffers[buffer.0], 0, None);
        self.device.queue.submit([encoder.finish()]);
        self.fault()
    }

    fn size(&self, buffer: BufferId) -> u64 {
        self.buffers[buffer.0].size()
    }

    fn read_into(&mut self, buffer: BufferId, offset: u64, to: &mut [u8]) -> Result<(), DeviceError> {
        self.device.check_idle()?;
        let size = (to.len() as u64).min(CHUNK);
        let staging = api::BufferDescriptor {
            label: Some("read-back"),
            size,
            usage: api::BufferUsages::MAP_READ | api::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        };
        let staging = self.device.allocate(size, || self.device.device.create_buffer(&staging))?;
        let mut begin = offset;
        for part in to.chunks_mut(CHUNK as usize) {
            let mut encoder = self.device.device.create_command_encoder(&Default::default());
            let size = part.len() as u64;
            encoder.copy_buffer_to_buffer(&self.buffers[buffer.0], begin, &staging, 0, size);
            let index = self.device.queue.submit([encoder.finish()]);
            self.copy_mapped(&staging, index, part)?;
            begin += size;
        }
        Ok(())
    }

    fn timings(&self) -> Vec<KernelTime> {
        self.timings.as_ref().map(Timings::times).unwrap_or_default()
    }
}

/// Waits outside wgpu, since a wait within would keep others from dropping buffers.
fn wait_for_all(device: &WgpuDevice) {
    while device.device.poll(api::PollType::Poll).is_ok_and(|status| !status.is_queue_empty()) {
        thread::sleep(EVERY);
    }
    device.given_up.set(false);
}

fn buffer(device: &WgpuDevice, spec: &BufferSpec) -> api::Buffer {
    let usage = match spec.usage {
        BufferUse::Storage => api::BufferUsages::STORAGE,
        BufferUse::Uniform => api::BufferUsages::UNIFORM,
    };
    let buffer = device.device.create_buffer(&api::BufferDescriptor {
        label: Some(spec.name),
        size: spec.size,
        usage: usage | api::BufferUsages::COPY_SRC | api::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    if let Some(contents) = &spec.contents {
        device.queue.write_buffer(&buffer, 0, contents);
    }
    buffer
}

fn answer(device: &WgpuDevice, buffers: &[api::Buffer], status: Option<BufferId>) -> Result<Answer, DeviceError> {
    let create = |size, usage| {
        let label = Some("answer");
        device.device.create_buffer(&api::BufferDescriptor { label, size, usage, mapped_at_creation: false })
    };
    let size = status.map_or(0, |id| buffers[id.0].size());
    device.allocate(size + 2 * TIMES, || answer_of(device, size, create))
}

fn answer_of(device: &WgpuDevice, size: u64, create: impl Fn(u64, api::BufferUsages) -> api::Buffer) -> Answer {
    let queries = device.description.capabilities.timestamps.then(|| {
        let descriptor = api::QuerySetDescriptor { label: Some("batch"), ty: api::QueryType::Timestamp, count: 2 };
        let set = device.device.create_query_set(&descriptor);
        (set, create(TIMES, api::BufferUsages::QUERY_RESOLVE | api::BufferUsages::COPY_SRC))
    });
    Answer { staging: create(size + TIMES, api::BufferUsages::MAP_READ | api::BufferUsages::COPY_DST), queries }
}

/// Binds each variable of the kernel to the buffer of its name.
fn ready(
    device: &WgpuDevice,
    program: &Program,
    pipelines: &[Pipeline],
    buffers: &[api::Buffer],
    step: &Step,
) -> Result<Ready, DeviceError> {
    let (kernel, pipeline) = (&program.kernels[step.kernel.0], &pipelines[step.kernel.0]);
    let mut entries = Vec::new();
    for binding in &kernel.bindings {
        let BufferId(id) = program.buffer_named(&binding.name).ok_or_else(|| DeviceError::Kernel {
            kernel: kernel.label.clone(),
            message: format!("the program has no buffer named '{}'", binding.name),
        })?;
        entries.push(api::BindGroupEntry { binding: binding.number, resource: buffers[id].as_entire_binding() });
    }
    let layout = &pipeline.layout;
    let label = Some(kernel.label.as_str());
    let group = device.device.create_bind_group(&api::BindGroupDescriptor { label, layout, entries: &entries });
    let Dispatch::Workgroups(workgroups) = step.dispatch;
    Ok(Ready { pipeline: pipeline.pipeline.clone(), group, grid: program.grid(workgroups) })
}

/// One pass with all steps of all rounds: wgpu puts a barrier between dispatches that share a buffer.
fn encode(
    encoder: &mut api::CommandEncoder,
    queries: Option<&api::QuerySet>,
    timings: Option<&Timings>,
    steps: &[Ready],
    rounds: u32,
) {
    let timestamp_writes = queries.map(|query_set| api::ComputePassTimestampWrites {
        query_set,
        beginning_of_pass_write_index: Some(0),
        end_of_pass_write_index: Some(1),
    });
    let mut pass = encoder.begin_compute_pass(&api::ComputePassDescriptor { label: Some("rounds"), timestamp_writes });
    for round in 0..rounds {
        for (place, step) in steps.iter().enumerate() {
            if let Some(timings) = timings {
                timings.stamp(&mut pass, round, place);
            }
            pass.set_pipeline(&step.pipeline);
            pass.set_bind_group(0, &step.group, &[]);
            let [x, y, z] = step.grid;
            pass.dispatch_workgroups(x, y, z);
        }
    }
}
