//! `tickless._tickless`: models for Python. The Python sources beside this folder say what users see of it.

mod backend;
mod copies;
mod errors;
mod model;
mod network;
mod options;
mod own;
mod process;
mod result;
mod run;
mod simulator;
mod table;
mod watch;

use pyo3::prelude::*;

/// The parts of tickless that are written in Rust.
#[pymodule(gil_used = false)]
fn _tickless(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<network::Network>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<result::Ended>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<run::Figure>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<simulator::Simulator>()?;
    module.add_class::<copies::Copies>()?;
    module.add_class::<own::Acting>()?;
    module.add_class::<own::Processes>()?;
    module.add_class::<own::Cells>()?;
    module.add("TicklessError", module.py().get_type::<errors::TicklessError>())?;
    module.add("ModelError", module.py().get_type::<errors::ModelError>())?;
    module.add("DeviceError", module.py().get_type::<errors::DeviceError>())?;
    module.add("RunError", module.py().get_type::<errors::RunError>())
}
