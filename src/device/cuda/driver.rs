//! The driver: whether it is there, how new it is, and the GPUs that it knows.

use std::sync::LazyLock;

use cudarc::driver::result::{self, device};
use cudarc::driver::{DriverError, sys};

use super::super::{AdapterDescription, AdapterKind, Capabilities, DeviceError, opening};

/// The oldest driver with all functions that are called: CUDA 12.0, as the driver writes it.
const OLDEST: i32 = 12_000;
/// The most bindings: parameters of a kernel fill at most 4 KiB, and each binding is a pointer, with the length of its array.
const BINDINGS: u32 = 248;

/// Whether the driver's library is there; it stays loaded, since looking for it again would load and unload it.
static LOADED: LazyLock<bool> = LazyLock::new(|| {
    // SAFETY: loads the driver's library and looks no function up.
    let there = unsafe { sys::is_culib_present() };
    if there {
        // SAFETY: the same.
        let _stays = unsafe { sys::culib() };
    }
    there
});

/// The functions called before the driver's version is known.
const FIRST: [&str; 4] = ["cuInit", "cuDriverGetVersion", "cuGetErrorName", "cuGetErrorString"];
/// The functions called of a driver that is new enough. cudarc panics on a missing function.
const CALLED: [&str; 52] = [
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuDeviceCanAccessPeer",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
    "cuDeviceTotalMem_v2",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventElapsedTime",
    "cuEventQuery",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuFuncGetAttribute",
    "cuFuncSetAttribute",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "cuGraphInstantiateWithFlags",
    "cuGraphLaunch",
    "cuGraphUpload",
    "cuLaunchKernelEx",
    "cuMemAddressFree",
    "cuMemAddressReserve",
    "cuMemAllocAsync",
    "cuMemAlloc_v2",
    "cuMemCreate",
    "cuMemFreeAsync",
    "cuMemFreeHost",
    "cuMemFree_v2",
    "cuMemGetAllocationGranularity",
    "cuMemGetInfo_v2",
    "cuMemHostAlloc",
    "cuMemMap",
    "cuMemRelease",
    "cuMemSetAccess",
    "cuMemUnmap",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemsetD8Async",
    "cuModuleGetFunction",
    "cuModuleLoadData",
    "cuModuleUnload",
    "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cuStreamBeginCapture_v2",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamEndCapture",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
];

/// Every GPU that the driver knows and can describe.
///
/// # Errors
/// No driver, no GPU, a driver that does not work, or a driver that is too old.
pub fn adapters() -> Result<Vec<AdapterDescription>, DeviceError> {
    let _alone = opening();
    start()?;
    let count = device::get_count().map_err(driver_failed)?;
    let described: Vec<_> = (0..count).map(describe).collect();
    match described.iter().find_map(|d| d.as_ref().err()) {
        Some(error) if described.iter().all(Result::is_err) => Err(driver_failed(*error)),
        _ if count == 0 => Err(no_gpu()),
        _ => Ok(described.into_iter().flatten().collect()),
    }
}

fn no_gpu() -> DeviceError {
    DeviceError::NoDriver { reason: "the driver sees no GPU".into() }
}

/// Loads and starts the driver.
fn start() -> Result<(), DeviceError> {
    if !*LOADED {
        return Err(DeviceError::NoDriver { reason: "the library of NVIDIA's driver was not found".into() });
    }
    has_all(&FIRST)?;
    match result::init() {
        Err(DriverError(sys::CUresult::CUDA_ERROR_NO_DEVICE)) => return Err(no_gpu()),
        // The toolkit's stand-in for building on machines without a driver.
        Err(DriverError(sys::CUresult::CUDA_ERROR_STUB_LIBRARY)) => {
            return Err(DeviceError::NoDriver { reason: "the library found is a stub of the CUDA toolkit".into() });
        }
        started => started.map_err(driver_failed)?,
    }
    judge(version().map_err(driver_failed)?)?;
    has_all(&CALLED)
}

/// Refuses a library that lacks one of the functions.
fn has_all(names: &[&str]) -> Result<(), DeviceError> {
    let missing = |name: &&&str| {
        // SAFETY: the library is there; the function is looked up and not called.
        unsafe { sys::culib().get::<unsafe extern "C" fn()>(format!("{name}\0").as_bytes()) }.is_err()
    };
    match names.iter().find(missing) {
        Some(name) => Err(DeviceError::DriverFailed { reason: format!("its library has no function {name}") }),
        None => Ok(()),
    }
}

fn judge(version: i32) -> Result<(), DeviceError> {
    if version < OLDEST {
        return Err(DeviceError::OldDriver { found: decimal(version), needed: decimal(OLDEST) });
    }
    Ok(())
}

/// The CUDA version of the driver, as in 12040 for 12.4.
pub(super) fn version() -> Result<i32, DriverError> {
    let mut version = 0;
    // SAFETY: an integer to write to.
    unsafe { sys::cuDriverGetVersion(&mut version) }.result()?;
    Ok(version)
}

/// As in 12.4 for 12040.
fn decimal(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

fn describe(index: i32) -> Result<AdapterDescription, DriverError> {
    let handle = device::get(index)?;
    // SAFETY: a device that the driver has just given.
    let memory = unsafe { device::total_mem(handle) }? as u64;
    let ask = |attribute| attribute_of(handle, attribute).map(i32::unsigned_abs);
    let integrated = ask(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_INTEGRATED)? != 0;
    let capabilities = Capabilities {
        int64: true,
        subgroup_size: ask(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
        timestamps: true,
        binding_size: memory,
        buffer_size: memory,
        workgroup_threads: ask(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        workgroup_memory: ask(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?,
        // The most for the second dimension of a folded dispatch; the first may have more.
        workgroups: ask(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
        storage_buffers: BINDINGS,
    };
    Ok(AdapterDescription {
        index: index as usize,
        name: device::get_name(handle)?,
        backend: "cuda".into(),
        kind: if integrated { AdapterKind::Integrated } else { AdapterKind::Discrete },
        driver: format!("CUDA {}", decimal(version()?)),
        compiler: "nvrtc".into(),
        gpus: 1,
        multiprocessors: Some(ask(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?),
        multiprocessor_memory: Some(ask(
            sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
        )?),
        capabilities,
    })
}

fn attribute_of(handle: sys::CUdevice, attribute: sys::CUdevice_attribute) -> Result<i32, DriverError> {
    // SAFETY: a device that the driver has given.
    unsafe { device::get_attribute(handle, attribute) }
}

fn driver_failed(error: DriverError) -> DeviceError {
    DeviceError::DriverFailed { reason: message(error) }
}

/// The driver's message.
pub(super) fn message(error: DriverError) -> String {
    let name = error.error_name().map(|n| n.to_string_lossy().into_owned());
    let text = error.error_string().map(|t| t.to_string_lossy().into_owned());
    match (name, text) {
        (Ok(name), Ok(text)) => format!("{name}: {text}"),
        _ => format!("{:?}", error.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_driver_is_refused_with_what_is_needed() {
        assert_eq!(judge(OLDEST), Ok(()));
        assert_eq!(judge(13_010), Ok(()));
        let text = judge(11_080).unwrap_err().to_string();
        assert!(text.contains("CUDA 11.8") && text.contains("12.0 is needed"), "{text}");
    }
}
