//! The adapters of this machine: listing, choosing and opening them.

use std::sync::LazyLock;
use std::thread::available_parallelism;

use super::api;
use crate::{AdapterDescription, AdapterKind, Capabilities, DeviceError, Selection, bytes, opening};
use tickless_core::memory;

/// One for the whole process, which is never dropped: when the last instance goes, Vulkan's loader unloads the drivers,
/// and NVIDIA's leaves functions behind that are called at the end of a thread which used it.
static INSTANCE: LazyLock<api::Instance> = LazyLock::new(|| {
    let mut descriptor = api::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = api::Backends::VULKAN | api::Backends::METAL | api::Backends::DX12;
    // Without debug layers: they are wgpu's default in debug builds and slow every dispatch. The flag DEBUG would also have FXC skip
    // optimization: FXC then takes half the time, and refuses two kernels.
    descriptor.flags = api::InstanceFlags::empty();
    api::Instance::new(descriptor)
});

/// Bytes of address space that a software driver takes on two cores, with the memory it maps while it compiles: with
/// less, Mesa and LLVM write to unmapped addresses. Each further core, up to those that Mesa uses, has a stack and an
/// arena.
const DRIVER: u64 = 1400 << 20;
const CORE: u64 = 144 << 20;
const MOST_CORES: usize = 32;

/// Refuses to load a driver into a process that has too little room for it.
fn check_address_space(left: Option<u64>, cores: usize) -> Result<(), DeviceError> {
    let needed = DRIVER + CORE * cores.clamp(2, MOST_CORES).saturating_sub(2) as u64;
    match left {
        Some(left) if left < needed => Err(DeviceError::Limit {
            what: "address space of the process for a driver and its threads".into(),
            asked: bytes(needed),
            available: bytes(left),
            adapter: "this machine".into(),
            remedy: ": raise its limit (ulimit -v), or run with --backend heap".into(),
        }),
        _ => Ok(()),
    }
}

/// Bytes of the unnamed files in which a software driver keeps shared memory: with less, Mesa is ended by a signal.
const FILES: u64 = 96 << 20;

/// Refuses to load a driver into a process whose files may not be long enough for it.
fn check_file_size(most: Option<u64>) -> Result<(), DeviceError> {
    match most {
        Some(most) if most < FILES => Err(DeviceError::Limit {
            what: "files of a driver".into(),
            asked: bytes(FILES),
            available: bytes(most),
            adapter: "this machine".into(),
            remedy: ": raise the limit (ulimit -f), or run with --backend heap".into(),
        }),
        _ => Ok(()),
    }
}

fn all() -> Result<Vec<(api::Adapter, AdapterDescription)>, DeviceError> {
    let _alone = opening();
    if LazyLock::get(&INSTANCE).is_none() {
        check_file_size(memory::file_size())?;
        check_address_space(memory::address_space(), available_parallelism().map_or(2, usize::from))?;
    }
    let found = pollster::block_on(INSTANCE.enumerate_adapters(api::Backends::all()));
    let describe = |(index, adapter)| {
        let description = describe(index, &adapter);
        (adapter, description)
    };
    Ok(found.into_iter().enumerate().map(describe).collect())
}

/// Every adapter of this machine.
///
/// # Errors
/// A process without room for a driver.
pub fn adapters() -> Result<Vec<AdapterDescription>, DeviceError> {
    Ok(all()?.into_iter().map(|(_, description)| description).collect())
}

pub(super) fn select(selection: &Selection) -> Result<(api::Adapter, AdapterDescription), DeviceError> {
    let mut found = all()?;
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
    let compiler = compiler(info.backend, adapter.features()).to_owned();
    AdapterDescription {
        index,
        name: info.name,
        backend,
        kind,
        driver,
        compiler,
        gpus: 1,
        multiprocessors: None,
        multiprocessor_memory: None,
        capabilities,
    }
}

/// The compiler of kernels. With DXC wgpu offers DX12 for shader model 6 only, which has 64-bit integers or wave operations
/// everywhere.
fn compiler(backend: api::Backend, features: api::Features) -> &'static str {
    match backend {
        api::Backend::Dx12 if features.intersects(api::Features::SHADER_INT64 | api::Features::SUBGROUP) => "dxc",
        api::Backend::Dx12 => "fxc",
        _ => "driver",
    }
}

/// The number of NVIDIA among vendors on PCI.
const NVIDIA: u32 = 0x10de;

/// Subgroups count where they have one size. NVIDIA's driver for Vulkan lets lanes that have left a loop at different turns go on apart, in
/// spite of barriers: operations of subgroups then lose values (580.159, H200, November 2026). Reductions by memory have 0.94 to 1.05 of the
/// rate there.
pub(super) fn capabilities(features: api::Features, limits: &api::Limits, info: &api::AdapterInfo) -> Capabilities {
    let one_size = info.subgroup_min_size == info.subgroup_max_size;
    let subgroups = features.contains(api::Features::SUBGROUP) && one_size && info.vendor != NVIDIA;
    Capabilities {
        int64: features.contains(api::Features::SHADER_INT64),
        subgroup_size: if subgroups { info.subgroup_min_size } else { 0 },
        timestamps: features.contains(api::Features::TIMESTAMP_QUERY),
        binding_size: limits.max_storage_buffer_binding_size,
        buffer_size: limits.max_buffer_size,
        workgroup_threads: limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x),
        workgroup_memory: limits.max_compute_workgroup_storage_size,
        workgroups: limits.max_compute_workgroups_per_dimension,
        storage_buffers: limits.max_storage_buffers_per_shader_stage,
    }
}

/// Opens an adapter with all its features that programs need.
pub(super) fn open(
    adapter: &api::Adapter,
    description: &AdapterDescription,
) -> Result<(api::Device, api::Queue), DeviceError> {
    let wanted = api::Features::SHADER_INT64
        | api::Features::SUBGROUP
        | api::Features::PASSTHROUGH_SHADERS
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_dx12_the_compiler_is_told_by_what_it_can() {
        use api::{Backend, Features};
        assert_eq!(compiler(Backend::Dx12, Features::TIMESTAMP_QUERY), "fxc");
        assert_eq!(compiler(Backend::Dx12, Features::SHADER_INT64), "dxc");
        assert_eq!(compiler(Backend::Vulkan, Features::SHADER_INT64), "driver");
    }

    #[test]
    fn subgroups_of_one_size_count_but_not_nvidias() {
        let size = |features, vendor, sizes: [u32; 2]| {
            let mut info = api::AdapterInfo::new(api::DeviceType::DiscreteGpu, api::Backend::Vulkan);
            info.vendor = vendor;
            [info.subgroup_min_size, info.subgroup_max_size] = sizes;
            capabilities(features, &api::Limits::default(), &info).subgroup_size
        };
        let amd = 0x1002;
        assert_eq!(size(api::Features::SUBGROUP, amd, [32, 32]), 32);
        assert_eq!(size(api::Features::SUBGROUP, 0x10de, [32, 32]), 0);
        assert_eq!(size(api::Features::SUBGROUP, amd, [32, 64]), 0);
        assert_eq!(size(api::Features::empty(), amd, [32, 32]), 0);
    }

    #[test]
    fn a_driver_needs_room() {
        assert!(check_file_size(None).is_ok() && check_file_size(Some(FILES)).is_ok());
        let error = check_file_size(Some(1 << 20)).unwrap_err().to_string();
        assert!(error.starts_with("files of a driver: 96.0 MiB asked, 1.0 MiB available"), "{error}");
        assert!(check_address_space(None, 2).is_ok() && check_address_space(Some(DRIVER), 1).is_ok());
        assert!(check_address_space(Some(DRIVER), 3).is_err() && check_address_space(Some(DRIVER + CORE), 3).is_ok());
        let error = check_address_space(Some(600 << 20), 2).unwrap_err().to_string();
        assert_eq!(
            error,
            "address space of the process for a driver and its threads: 1.4 GiB asked, 600.0 MiB available on this \
             machine: raise its limit (ulimit -v), or run with --backend heap"
        );
    }
}
