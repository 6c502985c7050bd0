//! The adapters of this machine: listing, choosing and opening them.

use std::sync::LazyLock;

use super::api;
use crate::device::{AdapterDescription, AdapterKind, Capabilities, DeviceError, Selection, opening};

/// One for the whole process, which is never dropped: where the last one goes, Vulkan's loader unloads the drivers, and
/// NVIDIA's leaves functions behind that a thread which used it calls when it ends.
static INSTANCE: LazyLock<api::Instance> = LazyLock::new(|| {
    let mut descriptor = api::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = api::Backends::VULKAN | api::Backends::METAL | api::Backends::DX12;
    // Without debug layers: they are wgpu's default in debug builds and slow every dispatch.
    descriptor.flags = api::InstanceFlags::empty();
    api::Instance::new(descriptor)
});

fn all() -> Vec<(api::Adapter, AdapterDescription)> {
    let _alone = opening();
    let found = pollster::block_on(INSTANCE.enumerate_adapters(api::Backends::all()));
    let describe = |(index, adapter)| {
        let description = describe(index, &adapter);
        (adapter, description)
    };
    found.into_iter().enumerate().map(describe).collect()
}

/// Every adapter of this machine.
pub fn adapters() -> Vec<AdapterDescription> {
    all().into_iter().map(|(_, description)| description).collect()
}

pub(super) fn select(selection: &Selection) -> Result<(api::Adapter, AdapterDescription), DeviceError> {
    let mut found = all();
    if found.is_empty() {
        return Err(DeviceError::NoAdapters);
    }
    let place = selection.choose(found.iter().map(|(_, description)| description))?;
    Ok(found.swap_remove(place))
}

pub(super) fn describe(index: usize, adapter: &api::Adapter) -> AdapterDescription {
    let info = adapter.get_info();
    let kind = match info.device_type {
        api::DeviceType::DiscreteGpu => AdapterKind::Discrete,
        api::DeviceType::IntegratedGpu => AdapterKind::Integrated,
        api::DeviceType::VirtualGpu => AdapterKind::Virtual,
        api::DeviceType::Cpu => AdapterKind::Software,
        api::DeviceType::Other => AdapterKind::Other,
    };
    let driver = format!("{} {}", info.driver, info.driver_info).trim().to_owned();
    let capabilities = capabilities(adapter.features(), &adapter.limits(), &info);
    let backend = info.backend.to_string();
    AdapterDescription { index, name: info.name, backend, kind, driver, capabilities }
}

pub(super) fn capabilities(features: api::Features, limits: &api::Limits, info: &api::AdapterInfo) -> Capabilities {
    let one_size = info.subgroup_min_size == info.subgroup_max_size;
    let subgroups = features.contains(api::Features::SUBGROUP) && one_size;
    Capabilities {
        int64: features.contains(api::Features::SHADER_INT64),
        subgroup_size: if subgroups { info.subgroup_min_size } else { 0 },
        timestamps: features.contains(api::Features::TIMESTAMP_QUERY),
        binding_size: limits.max_storage_buffer_binding_size,
        buffer_size: limits.max_buffer_size,
        workgroup_threads: limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x),
        workgroups: limits.max_compute_workgroups_per_dimension,
        storage_buffers: limits.max_storage_buffers_per_shader_stage,
    }
}

/// Opens an adapter with all that it has of what matters here.
pub(super) fn open(
    adapter: &api::Adapter,
    description: &AdapterDescription,
) -> Result<(api::Device, api::Queue), DeviceError> {
    let wanted = api::Features::SHADER_INT64
        | api::Features::SUBGROUP
        | api::Features::TIMESTAMP_QUERY
        | api::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS
        | api::Features::TIMESTAMP_QUERY_INSIDE_PASSES;
    let descriptor = api::DeviceDescriptor {
        label: Some("tickless"),
        required_features: adapter.features() & wanted,
        required_limits: adapter.limits(),
        memory_hints: api::MemoryHints::Performance,
        ..Default::default()
    };
    let _alone = opening();
    pollster::block_on(adapter.request_device(&descriptor))
        .map_err(|e| DeviceError::Open { adapter: description.name.clone(), reason: e.to_string() })
}
