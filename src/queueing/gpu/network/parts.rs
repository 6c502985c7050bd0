//! The kernels and buffers of a network in lists.

use std::ops::Range;

use super::appointments::FURTHEST;
use super::layout::Layout;
use super::levels::Levels;
use crate::NetworkModel;
use crate::gpu::kernels::{QueueingKernels, appoint, buffers, shared_mounts};
use crate::gpu::records::Station;
use crate::options::Synchronization;
use tickless_core::time::Time;
use tickless_device::{AdapterDescription, BufferSpec, BufferUse, DeviceError};
use tickless_engine::{ModelParts, ModelStatus, Options, Sizes, first_summaries};
use tickless_kernels::Mounts;

/// Mean number of tokens that a station's sources may send in a round, which keeps a round short where nothing else
/// bounds it.
const BURST: f64 = 1024.0;

/// The kernels and buffers of replications of a network in lists, before any event.
pub(in crate::gpu) fn parts(
    model: &NetworkModel,
    replications: Range<u32>,
    synchronization: Synchronization,
    adapter: &AdapterDescription,
    options: &Options,
) -> Result<ModelParts, DeviceError> {
    let levels = model.scale().map(|_| Levels::first(model));
    parts_of(model, &first_layout((synchronization, adapter.gpus), model, replications, levels)?, adapter, options)
}

/// With the pool with which a run begins, for rounds of this kind on so many GPUs.
pub(super) fn first_layout(
    rounds: (Synchronization, u32),
    model: &NetworkModel,
    replications: Range<u32>,
    levels: Option<Levels>,
) -> Result<Layout, DeviceError> {
    let chunks = first_chunks(model, &replications);
    Layout::new(model, replications, (model.tokens(), chunks), levels, rounds)
}

/// The first chunks of the pool, without the cells of the sources.
pub(super) fn first_chunks(model: &NetworkModel, replications: &Range<u32>) -> u64 {
    (replications.len() as u64 * u64::from(model.sources())).div_ceil(8)
}

pub(super) fn parts_of(
    model: &NetworkModel,
    layout: &Layout,
    adapter: &AdapterDescription,
    options: &Options,
) -> Result<ModelParts, DeviceError> {
    let (kernels, parameters) = (QueueingKernels { mounts: mounts(layout) }, &layout.parameters);
    let (stations, by_appointments) = (parameters.stations, layout.appointed.is_some());
    let first = vec![
        kernels.first("queueing/initialize_sources", parameters.entities),
        kernels.first("queueing/initialize_stations", stations),
    ];
    let mut parts = ModelParts {
        label: "network",
        entities: parameters.entities,
        lookahead: lookahead(model),
        sizes: Sizes::selecting(if by_appointments { stations } else { parameters.entities }, adapter, options)?,
        buffers: buffers_of(layout),
        first,
        round: vec![],
        rounds_each: 1,
        status: ModelStatus::default(),
        last: vec![],
        results: vec![],
    };
    if by_appointments {
        parts.first.push(kernels.first("queueing/initialize_appointments", stations));
        appoint(&mut parts, kernels.appointments("queueing/appoint"), model.until());
    } else {
        parts.first.push(first_summaries());
        parts.round = kernels.window(layout.places.crowds_all);
    }
    Ok(parts)
}

/// The mounts of a network for the variants of its kernels.
fn mounts(layout: &Layout) -> Mounts {
    let mut mounts = shared_mounts()
        .with("topology", "queueing/network")
        .with("first_tokens", "queueing/network")
        .with("destinations", "queueing/network_destination")
        .with("edges", "queueing/network_appointments")
        .with("appointed_start", "queueing/network_gone")
        .with("answers", "queueing/network_turn")
        .with("logarithm_rows", "queueing/network")
        .with("station_record", "queueing/station_full")
        .with("exits", "queueing/exits")
        .with("leaving", if layout.appointed.is_some() { "queueing/network_turn" } else { "queueing/gone" })
        .with("admission", "queueing/open")
        .with("inbox_order", "queueing/order_many");
    if layout.approximation.is_some() {
        mounts = mounts
            .with("clock", "queueing/approximate")
            .with("visit_clock", "queueing/approximate_visit")
            .with("precedence", "queueing/precedence_approximate")
            .with("servers", "queueing/servers_approximate")
            .with("room", "queueing/room");
    } else if !layout.single {
        mounts = mounts.with("servers", "queueing/servers").with("room", "queueing/room");
    }
    if let Some(of_classes) = &layout.of_classes {
        mounts = mounts.and(of_classes);
    }
    if layout.tabled {
        mounts = mounts.with("tables", "lib/tables");
    }
    if layout.levels.is_some() {
        mounts = mounts.with("observation", "queueing/observed").with("stays", "queueing/stays");
    }
    if layout.places.crowds_all > 0 {
        let decision = if layout.fronts { "queueing/front" } else { "queueing/crowd" };
        mounts = mounts.with("crowd_lists", "queueing/crowds").with("group_arrivals", decision);
    }
    mounts
}

fn buffers_of(layout: &Layout) -> Vec<BufferSpec> {
    let Layout { parameters, places, model_table, annex, approximation, appointed, .. } = layout;
    let mut buffers = buffers(parameters, size_of::<Station>());
    for links in buffers.iter_mut().filter(|buffer| buffer.name == "links") {
        links.size += 4 * u64::from(places.scratch_size + u32::from(places.crowds_all > 0));
    }
    buffers.push(BufferSpec::filled("places", BufferUse::Uniform, bytemuck::bytes_of(places).to_vec()));
    buffers.push(BufferSpec::words("model_table", bytemuck::cast_slice(model_table)));
    buffers.push(BufferSpec::storage("annex", *annex, 8));
    if let Some(approximation) = approximation {
        let contents = bytemuck::bytes_of(approximation).to_vec();
        buffers.push(BufferSpec::filled("approximation", BufferUse::Uniform, contents));
    }
    if let Some(appointed) = appointed {
        let contents = bytemuck::bytes_of(appointed).to_vec();
        buffers.push(BufferSpec::filled("appointed", BufferUse::Uniform, contents));
    }
    buffers
}

/// How far a round goes: as far as the model allows, and no further than stations take in about a thousand tokens from
/// their sources; in approximate time, one instant.
pub(super) fn lookahead(model: &NetworkModel) -> Time {
    if let Some(interval) = model.approximate() {
        return interval;
    }
    if model.inflows.is_empty() {
        return Time::from_ticks(model.lookahead().ticks().min(FURTHEST));
    }
    let mut rates = vec![0.0; model.stations() as usize];
    for (inflow, source) in model.inflows.iter().zip(&model.description.sources) {
        rates[inflow.target as usize] += source.mean_batch() / (source.interval.mean() * Time::UNIT.ticks() as f64);
    }
    let fastest = rates.into_iter().fold(0.0, f64::max);
    let burst = if fastest > 0.0 { (BURST / fastest) as u64 } else { FURTHEST };
    Time::from_ticks(model.lookahead().ticks().min(burst.max(1)).min(FURTHEST))
}
