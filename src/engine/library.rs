//! The files of `shaders/lib/` that models share.

/// The status block.
pub const CONTROL: &str = include_str!("../../shaders/lib/control.wgsl");
/// 32-bit draws.
pub const PCG32: &str = include_str!("../../shaders/lib/pcg32.wgsl");
/// The stream of an entity.
pub const STREAM: &str = include_str!("../../shaders/lib/stream.wgsl");
/// The parameters of a service law.
pub const LAW: &str = include_str!("../../shaders/lib/law.wgsl");
/// The rows of the logarithm in a buffer of their own.
pub const LOGARITHMS: &str = include_str!("../../shaders/lib/logarithms.wgsl");
/// The state of a stream some draws ahead.
pub const JUMP: &str = include_str!("../../shaders/lib/jump.wgsl");
/// Bins of times.
pub const SCALE: &str = include_str!("../../shaders/lib/scale.wgsl");
/// Multiples of an interval.
pub const INTERVAL: &str = include_str!("../../shaders/lib/interval.wgsl");
/// Service times; they read rows of the logarithm.
pub const SERVICE: &str = include_str!("../../shaders/lib/service.wgsl");
