//! The adapter that tests run on.

use tickless::device::DeviceError;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};

/// Opens the adapter that `auto` takes. Without one a test fails in CI (where `CI` is set) and says that it is
/// skipped elsewhere.
pub fn open(options: OpenOptions) -> Option<WgpuDevice> {
    match WgpuDevice::open(&Selection::Auto, options) {
        Ok(device) => Some(device),
        Err(DeviceError::NoAdapters) if std::env::var_os("CI").is_none() => {
            eprintln!("SKIPPED: no adapter on this machine");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Every form of the kernels that this adapter can run, by name.
pub fn every_form() -> Vec<(&'static str, WgpuDevice)> {
    let plain = OpenOptions::default();
    let forms = [
        ("native", plain),
        ("words", OpenOptions { without_int64: true, ..plain }),
        ("words, no subgroups", OpenOptions { without_int64: true, without_subgroups: true, ..plain }),
        ("native, no subgroups", OpenOptions { without_subgroups: true, ..plain }),
        ("native, every check", OpenOptions { checked: true, ..plain }),
    ];
    forms.into_iter().filter_map(|(name, options)| open(options).map(|device| (name, device))).collect()
}
