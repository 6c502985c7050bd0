//! The kernels and buffers of a torus by window and, station by station, by appointments.

use super::model::TorusModel;
use crate::gpu::kernels::{QueueingKernels, appoint, buffers, shared_mounts};
use crate::gpu::records::{self, Parameters, ShortStation};
use crate::torus::Torus;
use tickless_core::random::logarithm_table;
use tickless_device::laws::{self, Law};
use tickless_device::{AdapterDescription, AdapterKind, BufferSpec, BufferUse, DeviceError};
use tickless_engine::{ModelParts, ModelStatus, Options, Sizes, first_summaries};

/// Rounds that share a bound.
pub(super) fn window(
    torus: TorusModel<'_>,
    adapter: &AdapterDescription,
    options: &Options,
) -> Result<ModelParts, DeviceError> {
    let sizes = Sizes::selecting(torus.model.tokens(), adapter, &suited(torus, adapter, options))?;
    let (kernels, mut parts) = shared(torus, 1, sizes);
    parts.first.push(first_summaries());
    parts.round = kernels.window(0);
    Ok(parts)
}

/// Threads of a workgroup where a round has many events.
const MANY_THREADS: u32 = 512;
/// Blocks that [`Sizes::selecting`] makes on a GPU by default.
const BLOCKS: u32 = 512;

/// Larger workgroups where a block has more events in a round than a workgroup has threads: each event waits for memory several
/// times, and the second event of a thread begins when its first one has ended. Through Vulkan larger workgroups pay only with
/// more events (measured: docs/notebook/torus.md). The user's choice stays.
fn suited(torus: TorusModel<'_>, adapter: &AdapterDescription, options: &Options) -> Options {
    // About half of the servers work where each station has a token.
    let events = torus.model.events_per_unit() / 2.0 * torus.model.lookahead().units();
    let each = (events / f64::from(BLOCKS)) as u32;
    let many = if adapter.backend == "cuda" { MANY_THREADS / 2 } else { MANY_THREADS };
    let uncut = options.workgroup == 0 && options.elements.is_none() && adapter.kind != AdapterKind::Software;
    if !uncut || adapter.capabilities.workgroup_threads < MANY_THREADS || each <= many {
        return *options;
    }
    let elements = (each > MANY_THREADS).then(|| {
        let threads = torus.model.tokens().div_ceil(2 * BLOCKS).div_ceil(MANY_THREADS);
        threads.next_power_of_two().clamp(4, 128)
    });
    Options { workgroup: MANY_THREADS, elements, ..*options }
}

/// Bytes of a station for its spans ahead.
pub(super) const SPANS: u64 = 48;

/// Appointments, station by station.
pub(super) fn appointed(
    torus: TorusModel<'_>,
    adapter: &AdapterDescription,
    options: &Options,
) -> Result<ModelParts, DeviceError> {
    let count = torus.torus.stations();
    let (kernels, mut parts) = shared(torus, 4, Sizes::selecting(count, adapter, options)?);
    parts.first.push(kernels.first("queueing/initialize_appointments", count));
    appoint(&mut parts, kernels.appointments("queueing/appoint"), torus.model.until());
    for stations in parts.buffers.iter_mut().filter(|buffer| buffer.name == "stations") {
        stations.size += u64::from(count) * SPANS;
    }
    parts.buffers.push(BufferSpec::storage("appointments", 8 * u64::from(count), 8));
    Ok(parts)
}

/// The part common to all three ways, with so many words of links for each station before those of the entities.
pub(super) fn shared(torus: TorusModel<'_>, words: u32, sizes: Sizes) -> (QueueingKernels, ModelParts) {
    let TorusModel { model, torus: Torus { width, height }, .. } = torus;
    let parameters = Parameters {
        key: torus.key().bits(),
        until: model.until().ticks(),
        stations: model.stations(),
        entities: model.tokens(),
        cells: 0,
        cell: 1,
        links: words * model.stations(),
        unused: 0,
    };
    let tokens_each = torus.tokens_each();
    let tables: Vec<_> = torus.law().table.iter().flat_map(|table| table.words()).collect();
    let law = Law::new(torus.law(), logarithm_table().len() as u32);
    let torus = records::Torus { width, height, tokens_each, unused: 0, law };
    let mounts = shared_mounts()
        .with("topology", "queueing/torus")
        .with("first_tokens", "queueing/torus")
        .with("destinations", "queueing/torus_destination")
        .with("edges", "queueing/torus_appointments")
        .with("appointed_start", "queueing/torus_appointments")
        .with("answers", "queueing/torus_turn")
        .and(&laws::mounts(!tables.is_empty(), !tables.is_empty()))
        .with("station_record", "queueing/station_short")
        .with("exits", "queueing/torus")
        .with("leaving", "queueing/closed")
        .with("admission", "queueing/closed")
        .with("inbox_order", "queueing/order_few");
    let kernels = QueueingKernels { mounts };
    let mut buffers = buffers(&parameters, size_of::<ShortStation>());
    buffers.push(BufferSpec::filled("torus", BufferUse::Uniform, bytemuck::bytes_of(&torus).to_vec()));
    buffers.push(laws::logarithms(&tables));
    let parts = ModelParts {
        label: "torus",
        entities: model.tokens(),
        lookahead: model.lookahead(),
        buffers,
        sizes,
        first: vec![kernels.first("queueing/initialize_stations", model.stations())],
        round: vec![],
        rounds_each: 1,
        status: ModelStatus::default(),
        last: vec![],
        results: vec![],
    };
    (kernels, parts)
}
