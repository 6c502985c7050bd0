//! Timestamps between the dispatches of a round.

use std::time::Duration;

use super::{WgpuDevice, api};
use crate::{DeviceError, Program, Step};
use tickless_core::run::KernelTime;

/// The most timestamps of a query set.
const MOST: u32 = 4096;

/// The stamps of one batch at a time, and the sums so far.
pub(super) struct Timings {
    set: api::QuerySet,
    resolved: api::Buffer,
    staging: api::Buffer,
    steps: u32,
    times: Vec<KernelTime>,
}

impl Timings {
    /// Timings of the kernels of a round. `None` where timings are not asked for, or the adapter has no timestamps inside
    /// passes.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn new(device: &WgpuDevice, program: &Program) -> Result<Option<Self>, DeviceError> {
        let inside = device.device.features().contains(api::Features::TIMESTAMP_QUERY_INSIDE_PASSES);
        if !device.options.timings || !inside {
            return Ok(None);
        }
        let time = |step: &Step| KernelTime {
            kernel: program.kernels[step.kernel.0].label.clone(),
            dispatches: 0,
            time: Duration::ZERO,
            bound_bytes: program.bytes_of(step.kernel),
            resources: None,
        };
        let times: Vec<_> = program.round.iter().map(time).collect();
        if times.is_empty() {
            return Ok(None);
        }
        let label = Some("timings");
        let descriptor = api::QuerySetDescriptor { label, ty: api::QueryType::Timestamp, count: MOST };
        let size = u64::from(MOST) * 8;
        let buffer = |usage| {
            device.device.create_buffer(&api::BufferDescriptor { label, size, usage, mapped_at_creation: false })
        };
        let make = || Self {
            set: device.device.create_query_set(&descriptor),
            resolved: buffer(api::BufferUsages::QUERY_RESOLVE | api::BufferUsages::COPY_SRC),
            staging: buffer(api::BufferUsages::MAP_READ | api::BufferUsages::COPY_DST),
            steps: times.len() as u32,
            times,
        };
        device.allocate(3 * size, make).map(Some)
    }

    /// Stamps before step `place` of round `round`, while there is room.
    pub(super) fn stamp(&self, pass: &mut api::ComputePass<'_>, round: u32, place: usize) {
        let index = round * self.steps + place as u32;
        if index < MOST {
            pass.write_timestamp(&self.set, index);
        }
    }

    /// The number of stamps of a batch.
    fn count(&self, rounds: u32) -> u32 {
        (rounds * self.steps).min(MOST)
    }

    pub(super) fn resolve(&self, encoder: &mut api::CommandEncoder, rounds: u32) {
        let count = self.count(rounds);
        encoder.resolve_query_set(&self.set, 0..count, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.staging, 0, u64::from(count) * 8);
    }

    /// Waits for the batch and adds up its steps; a step whose end has no stamp is left out.
    pub(super) fn take(
        &mut self,
        device: &WgpuDevice,
        index: api::SubmissionIndex,
        rounds: u32,
    ) -> Result<(), DeviceError> {
        let size = u64::from(self.count(rounds)) * 8;
        let lost = |reason: String| DeviceError::Lost { reason };
        self.staging.slice(..size).map_async(api::MapMode::Read, |_| {});
        let wait = api::PollType::Wait { submission_index: Some(index), timeout: None };
        device.device.poll(wait).map_err(|e| lost(e.to_string()))?;
        let view = self.staging.slice(..size).get_mapped_range().map_err(|e| lost(e.to_string()))?;
        let stamps: Vec<u64> = view.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect();
        drop(view);
        self.staging.unmap();
        let period = f64::from(device.queue.get_timestamp_period());
        for (place, pair) in stamps.windows(2).enumerate() {
            let time = &mut self.times[place % self.steps as usize];
            time.dispatches += 1;
            time.time += Duration::from_nanos((pair[1].saturating_sub(pair[0]) as f64 * period) as u64);
        }
        Ok(())
    }

    pub(super) fn times(&self) -> Vec<KernelTime> {
        self.times.clone()
    }
}
