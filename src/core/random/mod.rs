//! Random streams and integer variates: the twins of `shaders/lib/pcg32.wgsl` and `shaders/lib/service.wgsl`.
//!
//! Every entity owns one stream and takes a fixed number of draws per visit, so a draw belongs to an entity and a count
//! of draws, never to a thread. Variates are integers throughout: no platform's `log` decides a time.

mod exponential;
mod law;
mod phases;
mod quantiles;
mod stream;
mod table;

#[doc(hidden)]
pub use exponential::exponential_by;
pub use exponential::{LogarithmRow, exponential, logarithm_table, scale};
pub use law::{EffectiveLaw, LawError, LawKind, ServiceLaw};
pub use stream::{Stream, StreamKey, split_mix_64};
#[doc(hidden)]
pub use table::Table;
