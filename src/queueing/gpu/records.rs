//! The records of the kernels of queueing networks, mirrored from `shaders/queueing/`.

use tickless_device::laws::Law;
use tickless_kernels::layout::mirrors;

/// No station: a slot of the pool that holds no token.
pub(crate) const NONE: u32 = u32::MAX;
/// Beyond the stations: a way out.
pub(crate) const OUTSIDE: u32 = 1 << 31;
/// The bits of the fault word.
pub(crate) const FAULT_VISITS: u32 = 1;
pub(crate) const FAULT_POOL: u32 = 2;
pub(crate) const FAULT_SERVICE: u32 = 4;
pub(crate) const FAULT_WAITING: u32 = 8;
pub(crate) const FAULT_LEVELS: u32 = 16;
pub(crate) const FAULT_STAYS: u32 = 32;

/// A station of a torus whose edges are computed, `shaders/queueing/station_short.wgsl`.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct ShortStation {
    pub(crate) state: u64,
    pub(crate) free: u64,
    pub(crate) service: u64,
    pub(crate) waiting: u64,
}

/// A station, `shaders/queueing/station_full.wgsl`.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Station {
    pub(crate) state: u64,
    pub(crate) free: u64,
    pub(crate) service: u64,
    pub(crate) waiting: u64,
    pub(crate) visits: u32,
    pub(crate) losses: u32,
    pub(crate) service_top: u32,
    pub(crate) waiting_top: u32,
}

/// A token and its last visit.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Token {
    pub(crate) arrived: u64,
    pub(crate) start: u64,
    pub(crate) station: u32,
    pub(crate) edge: u32,
    pub(crate) number: u32,
    pub(crate) unused: u32,
}

impl Token {
    /// The time of its next arrival, if its record has it: `shaders/queueing/token_links.wgsl`.
    pub(super) fn arrival(&self) -> u64 {
        u64::from(self.unused) << 32 | u64::from(self.number)
    }
}

mirrors! {
    /// `Parameters` of `shaders/queueing/records.wgsl`.
    pub(crate) struct Parameters in "queueing/records" "Parameters" {
        pub(crate) key: u64,
        pub(crate) until: u64,
        pub(crate) stations: u32,
        pub(crate) entities: u32,
        pub(crate) cells: u32,
        pub(crate) cell: u32,
        pub(crate) links: u32,
        pub(crate) unused: u32,
    }

    /// `Torus` of `shaders/queueing/torus.wgsl`.
    pub struct Torus in "queueing/torus" "Torus" {
        #[doc(hidden)]
        pub width: u32,
        #[doc(hidden)]
        pub height: u32,
        pub(super) tokens_each: u32,
        pub(super) unused: u32,
        pub(super) law: Law,
    }
}
