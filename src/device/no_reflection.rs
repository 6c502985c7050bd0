//! Replaces the parser of kernels in a build without devices: there every kernel is an error, which no run on the heap meets.

use super::{DeviceError, Kernel};
use tickless_kernels::Origins;

pub(super) fn reflect(label: &str, _: String) -> Result<Kernel, DeviceError> {
    let message = "tickless was built without devices: build it with the feature `wgpu` or `cuda`".to_owned();
    Err(DeviceError::Kernel { kernel: label.to_owned(), message })
}

pub(super) fn joint_text(_: &str, _: &[(&'static str, u64)]) -> Option<String> {
    None
}

pub(super) fn check_own(_: &str, source: String, _: &Origins) -> Result<String, DeviceError> {
    Ok(source)
}
