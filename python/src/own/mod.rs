//! Models of a user's own: kernels in WGSL for devices, callables of Python for the heap. `tickless/_own` says what users see of them.

mod acting;
mod cells;
mod parts;
mod processes;

pub use acting::Acting;
pub use cells::Cells;
pub use processes::Processes;
