//! How a device is opened.

use std::time::Duration;

/// How long a driver may compile the kernels of a program by default: [`OpenOptions::compile_limit`].
pub const COMPILE_LIMIT: Duration = Duration::from_secs(300);
/// How long a device may take for a batch of rounds by default: [`OpenOptions::batch_limit`].
pub const BATCH_LIMIT: Duration = Duration::from_secs(120);

/// How kernels are compiled and launched, and which features are left unused. No result depends on it.
///
/// ```
/// # use tickless_device::facade as tickless;
/// use tickless::device::OpenOptions;
/// let words = OpenOptions { without_int64: true, ..OpenOptions::default() };
/// assert!(!words.without_subgroups && !words.checked && !words.timings);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenOptions {
    /// Leave native 64-bit integers unused: times are two words, with the same bits.
    pub without_int64: bool,
    /// Leave subgroup operations (in CUDA, those of warps) unused.
    pub without_subgroups: bool,
    /// Keep wgpu's bounds checks and loop bounds in every kernel. CUDA has none.
    pub checked: bool,
    /// Time every dispatch, through wgpu the dispatches of the first rounds of each batch: see
    /// [`crate::Session::timings`].
    pub timings: bool,
    /// How long the driver may compile the kernels of a run: [`DeviceError::CompileLimit`](super::DeviceError::CompileLimit).
    pub compile_limit: Duration,
    /// How long the device may take for a batch of rounds, or for a read:
    /// [`DeviceError::BatchLimit`](super::DeviceError::BatchLimit). Batches are made to take some 30 ms.
    pub batch_limit: Duration,
    /// Whether CUDA prepares a launch while the one before it still runs.
    #[doc(hidden)]
    pub overlap: Overlap,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            without_int64: false,
            without_subgroups: false,
            checked: false,
            timings: false,
            compile_limit: COMPILE_LIMIT,
            batch_limit: BATCH_LIMIT,
            overlap: Overlap::default(),
        }
    }
}

/// Whether the blocks of a launch are placed while the launch ahead of it still runs, where the GPU can do so (compute
/// capability 9.0 and newer).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlap {
    /// Where a launch has at most as many workgroups as the GPU has multiprocessors.
    #[default]
    Auto,
    /// Never.
    Off,
    /// Always.
    On,
}
