//! The driver: whether it is there, how new it is, and the GPUs that it knows.

use cudarc::driver::result::{self, device};
use cudarc::driver::{DriverError, sys};

use super::super::{AdapterDescription, AdapterKind, Capabilities, DeviceError};

/// The oldest driver that has all that is called: CUDA 12.0, as the driver writes it.
const OLDEST: i32 = 12_000;
/// Parameters of a kernel fill at most 4 KiB; each binding is a pointer.
const BINDINGS: u32 = 256;

/// Every GPU that the driver knows.
///
/// # Errors
/// No driver, one that does not start, or one that is too old.
pub fn adapters() -> Result<Vec<AdapterDescription>, DeviceError> {
    start()?;
    let count = device::get_count().map_err(no_driver)?;
    (0..count).map(|index| describe(index).map_err(no_driver)).collect()
}

/// Loads and starts the driver.
fn start() -> Result<(), DeviceError> {
    // SAFETY: loads the driver's library and looks no function up.
    if !unsafe { sys::is_culib_present() } {
        return Err(DeviceError::NoDriver { reason: "the library of NVIDIA's driver was not found".into() });
    }
    match result::init() {
        Err(DriverError(sys::CUresult::CUDA_ERROR_NO_DEVICE)) => {
            return Err(DeviceError::NoDriver { reason: "the driver sees no GPU".into() });
        }
        started => started.map_err(no_driver)?,
    }
    judge(version().map_err(no_driver)?)
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
        // What the second dimension of a folded dispatch may have; the first may have more.
        workgroups: ask(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
        storage_buffers: BINDINGS,
    };
    Ok(AdapterDescription {
        index: index as usize,
        name: device::get_name(handle)?,
        backend: "cuda".into(),
        kind: if integrated { AdapterKind::Integrated } else { AdapterKind::Discrete },
        driver: format!("CUDA {}", decimal(version()?)),
        capabilities,
    })
}

fn attribute_of(handle: sys::CUdevice, attribute: sys::CUdevice_attribute) -> Result<i32, DriverError> {
    // SAFETY: a device that the driver has given.
    unsafe { device::get_attribute(handle, attribute) }
}

fn no_driver(error: DriverError) -> DeviceError {
    DeviceError::NoDriver { reason: message(error) }
}

/// The driver's own words.
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

    #[test]
    fn the_drivers_errors_have_its_words_where_it_is_there() {
        // Without the driver's library nobody may ask it for words.
        if let Err(error) = adapters() {
            assert!(error.to_string().contains("--backend"), "{error}");
        }
    }
}
