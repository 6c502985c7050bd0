//! The torus on a device: its records, its kernels, and what their final state says.

use std::time::Instant;

use rayon::prelude::*;

use super::TorusModel;
use crate::device::{AdapterDescription, BufferSpec, BufferUse, Device, DeviceError};
use crate::engine::{Control, FirstKernel, ModelParts, Options, Rounds, StageKernel, library};
use crate::error::RunError;
use crate::random::{EffectiveLaw, logarithm_table};
use crate::run::{Run, Watch};
use crate::statistics::{FacilityRecord, Outcome};
use crate::time::Time;

macro_rules! shader {
    ($stem:literal) => {
        include_str!(concat!("../../shaders/queueing/", $stem, ".wgsl"))
    };
}

/// A facility, as `shaders/queueing/records.wgsl` lays it out.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Facility {
    state: u64,
    service: u64,
    waiting: u64,
    completions: u32,
    left: u32,
    head_time: u64,
    last_departure: u64,
    serving: u32,
    head: u32,
    second: u32,
    tail: u32,
}

/// A token, as `shaders/queueing/records.wgsl` lays it out.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Token {
    time: u64,
    next: u32,
    unused: u32,
}

/// `Law` of `shaders/lib/law.wgsl`.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Law {
    offset: u64,
    first: u64,
    second: u64,
    kind: u32,
    stages: u32,
    threshold: u32,
    unused: u32,
}

/// `Parameters` of `shaders/queueing/records.wgsl`.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Parameters {
    key: u64,
    width: u32,
    height: u32,
    facilities: u32,
    tokens_each: u32,
    tokens: u32,
    unused: u32,
    law: Law,
}

/// The largest round number beside the four direction bits of an `arrived` word.
const MOST_ROUNDS: u32 = u32::MAX >> 4;
/// No token.
const NONE: u32 = u32::MAX;
/// The fault word's bits.
const FAULT_COMPLETIONS: u32 = 1;

impl From<&EffectiveLaw> for Law {
    fn from(law: &EffectiveLaw) -> Self {
        let &EffectiveLaw { kind, stages, threshold, offset, first, second } = law;
        Self { offset, first, second, kind: kind as u32, stages, threshold, unused: 0 }
    }
}

/// The kernels and buffers of a torus.
pub fn parts(model: &TorusModel) -> ModelParts {
    let (facilities, tokens) = (u64::from(model.facilities()), u64::from(model.tokens()));
    let parameters = Parameters {
        law: model.law().into(),
        key: model.key().bits(),
        width: model.width(),
        height: model.height(),
        facilities: model.facilities(),
        tokens_each: model.tokens_each(),
        tokens: model.tokens(),
        unused: 0,
    };
    let service = [
        library::PCG32,
        library::STREAM,
        library::LAW,
        library::SERVICE,
        shader!("records"),
        shader!("facility"),
        shader!("start"),
    ];
    let stage = |label, source: &'static str| {
        let mut sources = service.to_vec();
        sources.extend([shader!("torus"), source]);
        StageKernel { label, sources }
    };
    let mut facilities_sources = service.to_vec();
    facilities_sources.push(shader!("initialize_facilities"));
    let tokens_sources = vec![library::LAW, shader!("records"), shader!("initialize_tokens")];
    ModelParts {
        label: "torus",
        entities: model.facilities(),
        lookahead: model.lookahead(),
        buffers: vec![
            BufferSpec::storage("facilities", facilities, size_of::<Facility>() as u64),
            BufferSpec::storage("tokens", tokens, size_of::<Token>() as u64),
            BufferSpec::storage("departures", facilities, size_of::<Token>() as u64),
            BufferSpec::storage("arrived", facilities, 4),
            BufferSpec::filled("logarithms", BufferUse::Storage, bytemuck::cast_slice(logarithm_table()).to_vec()),
            BufferSpec::filled("parameters", BufferUse::Uniform, bytemuck::bytes_of(&parameters).to_vec()),
        ],
        stamps: (vec!["arrived"], MOST_ROUNDS),
        first: vec![
            FirstKernel {
                label: "queueing/initialize_facilities",
                sources: facilities_sources,
                threads: model.facilities(),
            },
            FirstKernel { label: "queueing/initialize_tokens", sources: tokens_sources, threads: model.tokens() },
        ],
        departure: stage("queueing/departure", shader!("departure")),
        arrival: stage("queueing/arrival", shader!("arrival")),
    }
}

/// Runs the model on a device.
///
/// # Errors
/// A model without lookahead, one that exceeds the adapter's limits (said before anything is allocated), and what
/// can go wrong on a device.
///
/// ```no_run
/// use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
/// use tickless::{engine::Options, queueing::{Torus, gpu}, run::unwatched};
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// let run = gpu::simulate(&Torus::new(64, 64).check()?, &device, &Options::default(), &mut unwatched())?;
/// println!("{}", run.outcome.digest());
/// # Ok::<(), tickless::RunError>(())
/// ```
pub fn simulate(
    model: &TorusModel,
    device: &dyn Device,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Run, RunError> {
    if model.law().offset == 0 {
        return Err(RunError::NoLookahead);
    }
    check_limits(model, device.adapter())?;
    let started = Instant::now();
    let mut rounds = Rounds::start(device, parts(model), options)?;
    let setup = started.elapsed();
    let mut before = None;
    let mut interrupted = false;
    if model.warmup() > Time::ZERO {
        interrupted = rounds.run_until(model.warmup(), model.until(), watch)?;
        before = Some(State::read(&mut rounds)?.totals(model)?);
    }
    if !interrupted {
        interrupted = rounds.run_until(model.until(), model.until(), watch)?;
    }
    let clock = Time::from_ticks(rounds.control().bound);
    let outcome = State::read(&mut rounds)?.outcome(model, before.as_deref())?;
    let control = rounds.control();
    Ok(Run {
        outcome,
        events: control.events,
        rounds: Some(rounds.rounds()),
        clock,
        wall: rounds.wall(),
        device: rounds.device(),
        timings: rounds.timings(),
        setup,
        interrupted,
    })
}

/// Says what fits before anything is allocated.
///
/// # Errors
/// [`DeviceError::Limit`] with what was asked, what there is and the largest torus that the adapter takes.
pub fn check_limits(model: &TorusModel, adapter: &AdapterDescription) -> Result<(), DeviceError> {
    let most = adapter.capabilities.buffer_size.min(adapter.capabilities.binding_size);
    let record = size_of::<Facility>() as u64;
    let tokens = size_of::<Token>() as u64 * u64::from(model.tokens_each());
    let each = record.max(tokens);
    let asked = u64::from(model.facilities()) * each;
    if asked <= most {
        return Ok(());
    }
    let facilities = most / each;
    let side = facilities.isqrt();
    let tokens_each = match model.tokens_each() {
        1 => "1 token".to_owned(),
        tokens => format!("{tokens} tokens"),
    };
    let fits = if facilities > 0 {
        format!("with {tokens_each} each it takes up to {facilities} facilities (side {side})")
    } else {
        format!("one facility takes up to {} tokens", most / size_of::<Token>() as u64)
    };
    let records = if each == record { "facility" } else { "token" };
    Err(DeviceError::Limit {
        what: format!("the {records} records of {} x {} facilities", model.width(), model.height()),
        asked: crate::device::bytes(asked),
        available: crate::device::bytes(most),
        adapter: adapter.name.clone(),
        remedy: format!(": {fits}; use fewer, or --backend heap"),
    })
}

/// What a facility has done up to some time; all sums in ticks.
#[derive(Clone, Copy, Debug)]
struct Totals {
    arrivals: u64,
    starts: u64,
    completions: u64,
    busy: u64,
    waiting: u64,
    service: u64,
    presence: u64,
}

/// Everything that the device knows at a time before which every event has happened.
struct State {
    time: Time,
    facilities: Vec<Facility>,
    next_event: Vec<u64>,
    tokens: Vec<Token>,
}

impl State {
    fn read(rounds: &mut Rounds) -> Result<Self, RunError> {
        let &Control { fault, fault_entity, bound, .. } = rounds.control();
        if fault != 0 {
            let sum = if fault & FAULT_COMPLETIONS != 0 { "number of completions" } else { "sum of waiting times" };
            return Err(RunError::Overflow { sum, facility: fault_entity });
        }
        Ok(Self {
            time: Time::from_ticks(bound),
            facilities: rounds.read("facilities")?,
            next_event: rounds.read("next_event")?,
            tokens: rounds.read("tokens")?,
        })
    }

    /// The arrival times of the tokens that wait, in order.
    fn queue(&self, facility: &Facility) -> impl Iterator<Item = u64> + '_ {
        let head = (facility.head != NONE).then_some((facility.head_time, facility.second));
        std::iter::successors(head, |&(_, next)| {
            (next != NONE).then(|| {
                let Token { time, next, .. } = self.tokens[next as usize];
                (time, next)
            })
        })
        .map(|(time, _)| time)
    }

    fn total(&self, model: &TorusModel, id: usize) -> Result<Totals, RunError> {
        let facility = &self.facilities[id];
        let time = self.time.ticks();
        let serving = u64::from(facility.serving != NONE);
        let present = serving + self.queue(facility).count() as u64;
        let completions = u64::from(facility.completions);
        // A service starts before the time that every event has happened before; what of it lies beyond is cut.
        let beyond = if serving > 0 { self.next_event[id] - time } else { 0 };
        let busy = facility.service - beyond;
        let started = facility.waiting.checked_add(busy);
        let presence =
            self.queue(facility).try_fold(started, |sum, arrival| sum.map(|s| s.checked_add(time - arrival)));
        let overflow = RunError::Overflow { sum: "time integral of the number present", facility: id as u32 };
        Ok(Totals {
            arrivals: completions + present - u64::from(model.tokens_each()),
            starts: completions + serving,
            completions,
            busy,
            waiting: facility.waiting,
            service: facility.service,
            presence: presence.flatten().ok_or(overflow)?,
        })
    }

    fn totals(&self, model: &TorusModel) -> Result<Vec<Totals>, RunError> {
        (0..self.facilities.len()).into_par_iter().map(|id| self.total(model, id)).collect()
    }

    /// The records since `before`, or since time 0.
    fn outcome(&self, model: &TorusModel, before: Option<&[Totals]>) -> Result<Outcome, RunError> {
        let record = |id: usize| -> Result<FacilityRecord, RunError> {
            let now = self.total(model, id)?;
            let zero = Totals { arrivals: 0, starts: 0, completions: 0, busy: 0, waiting: 0, service: 0, presence: 0 };
            let then = before.map_or(zero, |totals| totals[id]);
            let facility = &self.facilities[id];
            Ok(FacilityRecord {
                arrivals: now.arrivals - then.arrivals,
                starts: now.starts - then.starts,
                completions: now.completions - then.completions,
                losses: 0,
                busy: now.busy - then.busy,
                waiting: now.waiting - then.waiting,
                service: now.service - then.service,
                presence: now.presence - then.presence,
                in_service: if facility.serving == NONE { Time::NEVER } else { Time::from_ticks(self.next_event[id]) },
                serving: u64::from(facility.serving != NONE),
                queued: self.queue(facility).count() as u64,
            })
        };
        let facilities = (0..self.facilities.len()).into_par_iter().map(record).collect::<Result<Vec<_>, _>>()?;
        let queue = self.facilities.iter().flat_map(|f| self.queue(f)).map(Time::from_ticks).collect();
        Ok(Outcome { facilities, queue, services: vec![], from: model.warmup().min(self.time), until: self.time })
    }
}

#[cfg(test)]
mod tests;
