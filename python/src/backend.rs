//! The device of a run, opened once.

use std::sync::OnceLock;

use pyo3::prelude::*;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::device::{AdapterKind, Device, Target};

use crate::errors::{of_argument, of_device};

/// Where a run takes place: the heap, or a device.
#[derive(Clone, Copy)]
pub struct Backend {
    pub name: &'static str,
    device: Option<&'static dyn Device>,
}

/// A device, or why there is none.
type Opened = Result<&'static dyn Device, String>;

static WGPU: OnceLock<Opened> = OnceLock::new();
static CUDA: OnceLock<Opened> = OnceLock::new();

impl Backend {
    const HEAP: Self = Self { name: "heap", device: None };

    /// A backend by its name; of `auto` a GPU where it suits, else the heap.
    ///
    /// # Errors
    /// A name that no backend has; a device that does not open.
    pub fn named(name: &str, suits_a_gpu: impl FnOnce() -> bool) -> PyResult<Self> {
        match name {
            "heap" => Ok(Self::HEAP),
            "wgpu" => wgpu().map_err(of_device),
            "cuda" => cuda().map_err(of_device),
            "auto" if !suits_a_gpu() => Ok(Self::HEAP),
            "auto" => {
                let is_gpu =
                    |backend: &Self| backend.device.is_some_and(|of| of.adapter().kind != AdapterKind::Software);
                Ok(cuda().or_else(|_| wgpu()).ok().filter(is_gpu).unwrap_or(Self::HEAP))
            }
            other => Err(of_argument("backend", format!("'{other}'"), "'auto', 'heap', 'wgpu' or 'cuda'")),
        }
    }

    /// The device, but for the heap.
    pub fn device(&self) -> Option<&'static dyn Device> {
        self.device
    }

    pub fn target(&self) -> Target<'static> {
        self.device.map_or(Target::Heap, Target::Device)
    }

    /// The name of the adapter, if there is one.
    pub fn adapter(&self) -> Option<String> {
        self.device.map(|device| device.adapter().name.clone())
    }
}

/// A device that is opened when it is asked for first, and never closed: the driver does it at the end of the process.
fn opened(
    once: &OnceLock<Opened>,
    open: impl FnOnce() -> Result<Box<dyn Device>, String>,
) -> Result<&'static dyn Device, String> {
    once.get_or_init(|| open().map(|device| &*Box::leak(device))).clone()
}

fn wgpu() -> Result<Backend, String> {
    let open = || {
        let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default()).map_err(|error| error.to_string())?;
        Ok(Box::new(device) as Box<dyn Device>)
    };
    Ok(Backend { name: "wgpu", device: Some(opened(&WGPU, open)?) })
}

#[cfg(feature = "cuda")]
fn cuda() -> Result<Backend, String> {
    use tickless::device::cuda::CudaDevice;
    let open = || {
        let device = CudaDevice::open(&Selection::Auto, OpenOptions::default()).map_err(|error| error.to_string())?;
        Ok(Box::new(device) as Box<dyn Device>)
    };
    Ok(Backend { name: "cuda", device: Some(opened(&CUDA, open)?) })
}

#[cfg(not(feature = "cuda"))]
fn cuda() -> Result<Backend, String> {
    let _ = &CUDA;
    Err("this build has no CUDA".into())
}
