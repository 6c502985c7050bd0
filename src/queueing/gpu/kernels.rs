//! The kernels and buffers that every queueing network has, whatever its topology.

use rayon::prelude::*;

use super::records::{NONE, Parameters, Token};
use tickless_core::memory;
use tickless_core::run::Appointments;
use tickless_core::time::Time;
use tickless_device::{BufferSpec, BufferUse, DeviceError, Placement};
use tickless_engine::{ModelParts, ModelStatus, Rounds, Stage, StageKernel, Work, shared_bound};
use tickless_kernels::Mounts;
use tickless_kernels::layout::mirrors;

/// The mounts of every queueing network, whatever its topology.
pub(crate) fn shared_mounts() -> Mounts {
    Mounts::default()
        .with("faults", "lib/faults")
        .with("tables", "lib/no_tables")
        .with("clock", "queueing/exact")
        .with("visit_clock", "queueing/exact")
        .with("precedence", "queueing/precedence")
        .with("servers", "queueing/single")
        .with("room", "queueing/single")
        .with("classes", "queueing/one_class")
        .with("comings", "queueing/comings_by_law")
        .with("routes", "queueing/routes_by_chance")
        .with("shifts", "queueing/no_shifts")
        .with("observation", "queueing/unobserved")
        .with("stays", "queueing/no_stays")
        .with("crowd_lists", "queueing/scattered")
        .with("group_arrivals", "engine/no_group_arrivals")
}

/// The kernels of a topology, which differ in their mounts.
pub(crate) struct QueueingKernels {
    pub(crate) mounts: Mounts,
}

impl QueueingKernels {
    /// The kernel before the first round, with one thread a station or entity: there are no faults yet, and no token
    /// has left.
    pub(crate) fn first(&self, label: &'static str, threads: u32) -> Stage {
        let mounts = self.mounts.clone().with("faults", "lib/no_faults").with("stays", "queueing/no_stays");
        // Tokens sent at time 0 are for the first round, of parity 0.
        Stage::of_threads(StageKernel::new(label, &mounts).with_constants(PARITIES[1]), threads)
    }

    /// The two dispatches of a round that shares a bound.
    pub(crate) fn window(&self, crowds: u32) -> Vec<Stage> {
        let [departure, arrival] =
            ["queueing/departure", "queueing/arrival"].map(|label| StageKernel::new(label, &self.mounts));
        shared_bound(departure, arrival, crowds)
    }

    /// A pair of rounds of appointments, of one dispatch each: one reads what the other writes.
    pub(crate) fn appointments(&self, label: &'static str) -> Vec<Stage> {
        let stage = |parity| Stage {
            kernel: StageKernel::new(label, &self.mounts).with_constants(parity),
            work: Work::Blocks(0),
        };
        PARITIES.map(stage).into()
    }
}

/// The constant that tells the rounds of a pair apart.
const PARITIES: [&str; 2] = ["const PARITY: u32 = 0u;\n", "const PARITY: u32 = 1u;\n"];

mirrors! {
    /// `ModelStatus` of `shaders/queueing/appointment_status.wgsl`.
    #[derive(Default)]
    pub(super) struct AppointmentStatus in "queueing/appointment_status" "ModelStatus" {
        pub(super) worked: u64,
        pub(super) working: u32,
        pub(super) drift: u32,
        pub(super) scale: u32,
        pub(super) unused: u32,
    }
}

impl AppointmentStatus {
    /// With this scale every time up to the horizon fits the word for the drift.
    fn until(until: Time) -> Self {
        let scale = (u64::BITS - until.ticks().leading_zeros()).saturating_sub(u32::BITS).clamp(1, 31);
        Self { scale, ..Self::default() }
    }
}

/// Makes rounds of appointments of a pair of stages.
pub(crate) fn appoint(parts: &mut ModelParts, pair: Vec<Stage>, until: Time) {
    parts.rounds_each = 2;
    parts.round = pair;
    parts.status = ModelStatus::new("queueing/appointment_status", &AppointmentStatus::until(until));
}

/// The statistics of rounds of appointments, for this number of stations.
pub(crate) fn appointments_of(rounds: &Rounds, stations: u64) -> Appointments {
    let AppointmentStatus { worked, drift, scale, .. } = rounds.model_status();
    let looks = (rounds.rounds() * stations).max(1) as f64;
    Appointments { working: worked as f64 / looks, drift: Time::from_ticks(u64::from(drift) << scale) }
}

/// The buffers that every queueing network has, for station records of this many bytes.
pub(crate) fn buffers(parameters: &Parameters, station: usize) -> Vec<BufferSpec> {
    let entities = u64::from(parameters.entities);
    // Where each station has one token, inboxes, links and slots of a round lie in the same order.
    let alike = parameters.links == parameters.stations && parameters.entities == parameters.stations;
    let lists = if alike { Placement::Lists(&[1, 1, 2]) } else { Placement::ONE_LIST };
    vec![
        BufferSpec::storage("stations", parameters.stations.into(), station as u64),
        BufferSpec::storage("tokens", entities, size_of::<Token>() as u64),
        BufferSpec::storage("links", u64::from(parameters.links) + 3 * entities, 4).placed(lists),
        BufferSpec::filled("parameters", BufferUse::Uniform, bytemuck::bytes_of(parameters).to_vec()),
    ]
}

/// Tokens read at a time.
const TOKENS: usize = 1 << 20;

/// The first time after every arrival that has been decided and left a record.
pub(crate) fn furthest(rounds: &mut Rounds) -> Result<Time, DeviceError> {
    let count = rounds.count::<Token>("tokens")?;
    let mut part: Vec<Token> = memory::zeroed(count.min(TOKENS), "what is read back")?;
    let mut furthest = 0;
    for first in (0..count).step_by(TOKENS) {
        let part = &mut part[..TOKENS.min(count - first)];
        rounds.read_into("tokens", first, part)?;
        let times = part.par_iter().filter(|token| token.station != NONE).map(|token| token.arrived + 1);
        furthest = furthest.max(times.max().unwrap_or(0));
    }
    Ok(Time::from_ticks(furthest))
}
