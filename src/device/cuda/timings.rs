//! Events between the launches of a round, where a session is asked to time them.

use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::sys::{CUdevice_attribute, CUevent_flags};
use cudarc::driver::{CudaContext, CudaEvent, DriverError};

use super::launch::{Launch, Launches, Streams};
use crate::{Program, Step};
use tickless_core::run::{KernelResources, KernelTime};

/// The most rounds of a batch that are timed.
const MOST: u32 = 64;

/// The steps of a round, launched one by one with an event before each, and the sums so far.
pub(super) struct Timings {
    steps: Vec<Launches>,
    events: Vec<CudaEvent>,
    times: Vec<KernelTime>,
}

impl Timings {
    pub(super) fn new(
        context: &Arc<CudaContext>,
        program: &Program,
        steps: Vec<Launches>,
    ) -> Result<Self, DriverError> {
        let count = MOST as usize * steps.len() + 1;
        let event = |_| context.new_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
        let most = context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?;
        let time = |(step, launches): (&Step, &Launches)| {
            Ok(KernelTime {
                kernel: program.kernels[step.kernel.0].label.clone(),
                dispatches: 0,
                time: Duration::ZERO,
                bound_bytes: program.bytes_of(step.kernel),
                resources: launches.0.first().map(|launch| resources(launch, most)).transpose()?,
            })
        };
        let events = (0..count).map(event).collect::<Result<_, _>>()?;
        let times = program.round.iter().zip(&steps).map(time).collect::<Result<_, _>>()?;
        Ok(Self { steps, events, times })
    }

    /// Queues the first rounds of a batch with events between them, waits, and adds their times up; returns the number
    /// of timed rounds.
    ///
    /// # Errors
    /// The driver's error.
    pub(super) fn enqueue(&mut self, streams: &Streams, rounds: u32) -> Result<u32, DriverError> {
        let rounds = rounds.min(MOST);
        let launches = rounds as usize * self.steps.len();
        for place in 0..launches {
            self.events[place].record(streams.first())?;
            self.steps[place % self.steps.len()].enqueue(streams)?;
        }
        self.events[launches].record(streams.first())?;
        for (place, pair) in self.events[..=launches].windows(2).enumerate() {
            let time = &mut self.times[place % self.steps.len()];
            time.dispatches += 1;
            time.time += Duration::from_secs_f64(f64::from(pair[0].elapsed_ms(&pair[1])?) / 1e3);
        }
        Ok(rounds)
    }

    pub(super) fn times(&self) -> Vec<KernelTime> {
        self.times.clone()
    }
}

/// The resources that a launch takes of a multiprocessor with at most `most` threads.
fn resources(launch: &Launch, most: i32) -> Result<KernelResources, DriverError> {
    let function = &launch.function;
    let blocks = function.occupancy_max_active_blocks_per_multiprocessor(launch.block, 0, None)?;
    Ok(KernelResources {
        registers: function.num_regs()? as u32,
        spilled_bytes: function.local_size_bytes()? as u32,
        resident_share: f64::from(blocks * launch.block) / f64::from(most),
    })
}
