//! The kernels and buffers of a torus by window and, each station for itself, by appointments.

use super::model::TorusModel;
use crate::device::{AdapterDescription, BufferSpec, BufferUse, DeviceError};
use crate::engine::{ModelParts, ModelStatus, Options, Sizes, first_summaries};
use crate::queueing::gpu::kernels::{QueueingKernels, appoint, buffers, shared_mounts};
use crate::queueing::gpu::records::{self, Parameters, ShortStation};
use crate::queueing::torus::Torus;
use crate::random::logarithm_table;

/// Rounds that share a bound.
pub(super) fn window(
    torus: TorusModel<'_>,
    adapter: &AdapterDescription,
    options: &Options,
) -> Result<ModelParts, DeviceError> {
    let (kernels, mut parts) = shared(torus, 1, Sizes::selecting(torus.model.tokens(), adapter, options)?);
    parts.first.push(first_summaries());
    parts.round = kernels.window(0);
    Ok(parts)
}

/// Bytes of a station for how far it looks ahead.
pub(super) const SPANS: u64 = 48;

/// Appointments, each station for itself.
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

/// What all three have, with so many words of links for each station before those of the entities.
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
    let (tokens_each, law) = (torus.tokens_each(), torus.law().into());
    let torus = records::Torus { width, height, tokens_each, unused: 0, law };
    let mounts = shared_mounts()
        .with("topology", "queueing/torus")
        .with("destinations", "queueing/torus_destination")
        .with("edges", "queueing/torus_appointments")
        .with("appointed_start", "queueing/torus_appointments")
        .with("answers", "queueing/torus_turn")
        .with("logarithm_rows", "lib/logarithms")
        .with("station_record", "queueing/station_short")
        .with("exits", "queueing/torus")
        .with("leaving", "queueing/closed")
        .with("admission", "queueing/closed")
        .with("inbox_order", "queueing/order_few");
    let kernels = QueueingKernels { mounts };
    let mut buffers = buffers(&parameters, size_of::<ShortStation>());
    buffers.push(BufferSpec::filled("torus", BufferUse::Uniform, bytemuck::bytes_of(&torus).to_vec()));
    let table = bytemuck::cast_slice(logarithm_table()).to_vec();
    buffers.push(BufferSpec::filled("logarithms", BufferUse::Storage, table));
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
