//! Models of a user's own: kernels in WGSL for devices, callables of Python for the heap. `tickless/_processes.py` and `tickless/_cells.py` say what users see.

mod acting;
mod cells;
mod parts;
mod processes;

pub use acting::Acting;
pub use cells::Cells;
pub use processes::Processes;
