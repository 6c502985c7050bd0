//! Programs on any Vulkan, Metal or DX12 adapter, through wgpu. No other room names that crate.

mod adapter;
mod allocation;
mod pipeline;
mod self_test;
mod session;
mod spirv;
mod timings;

use std::sync::{Arc, Mutex};

/// The crate of the types of [`WgpuDevice::from_existing`].
pub use ::wgpu as api;

pub use super::{OpenOptions, Selection};
pub use adapter::adapters;

use super::given_up::GivenUp;
use super::{AdapterDescription, Device, DeviceError, Program, Session, SetUp};
use session::WgpuSession;

/// The first error that the driver reported outside a call that could return it.
type Fault = Arc<Mutex<Option<DeviceError>>>;

/// An opened adapter.
///
/// ```no_run
/// # use tickless_device::facade as tickless;
/// use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
/// use tickless::device::Device;
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// println!("{}", device.adapter().name);
/// # Ok::<(), tickless::device::DeviceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WgpuDevice {
    device: api::Device,
    queue: api::Queue,
    description: AdapterDescription,
    options: OpenOptions,
    pipelines: pipeline::Pipelines,
    fault: Fault,
    given_up: GivenUp,
    #[doc(hidden)]
    pub shortage: Arc<crate::shortage::Shortage>,
}

impl WgpuDevice {
    /// Opens an adapter; a software adapter must pass the self-test.
    ///
    /// # Errors
    /// No such adapter, an adapter that refuses to open, or one that fails the self-test.
    pub fn open(selection: &Selection, options: OpenOptions) -> Result<Self, DeviceError> {
        let (adapter, description) = adapter::select(selection)?;
        let (device, queue) = adapter::open(&adapter, &description)?;
        let opened = Self::from_parts(device, queue, description, options);
        opened.self_test()?;
        Ok(opened)
    }

    /// Takes over a wgpu device that the caller has opened, with its features and limits.
    ///
    /// # Errors
    /// A software adapter that fails the self-test.
    pub fn from_existing(
        adapter: &api::Adapter,
        device: api::Device,
        queue: api::Queue,
        options: OpenOptions,
    ) -> Result<Self, DeviceError> {
        let mut description = adapter::describe(0, adapter);
        description.capabilities = adapter::capabilities(device.features(), &device.limits(), &adapter.get_info());
        let opened = Self::from_parts(device, queue, description, options);
        opened.self_test()?;
        Ok(opened)
    }

    fn from_parts(
        device: api::Device,
        queue: api::Queue,
        mut description: AdapterDescription,
        options: OpenOptions,
    ) -> Self {
        description.capabilities.int64 &= !options.without_int64;
        if options.without_subgroups {
            description.capabilities.subgroup_size = 0;
        }
        let fault = Fault::default();
        let (lost, other, name) = (fault.clone(), fault.clone(), description.name.clone());
        device.set_device_lost_callback(move |reason, message| {
            if reason != api::DeviceLostReason::Destroyed {
                note_first(&lost, DeviceError::Lost { reason: format!("{reason:?}: {message}") });
            }
        });
        device.on_uncaptured_error(Arc::new(move |error: api::Error| {
            note_first(
                &other,
                match error {
                    api::Error::OutOfMemory { .. } => {
                        DeviceError::OutOfMemory { adapter: name.clone(), asked: "an unknown amount".into() }
                    }
                    error => DeviceError::Lost { reason: error.to_string() },
                },
            );
        }));
        Self {
            device,
            queue,
            description,
            options,
            pipelines: pipeline::Pipelines::default(),
            fault,
            given_up: GivenUp::default(),
            shortage: Arc::default(),
        }
    }

    /// Refuses a device that is at work on what a run gave up: some drivers take no other work before it ends, and wait for that without a
    /// limit.
    fn check_idle(&self) -> Result<(), DeviceError> {
        self.given_up.check(&self.description.name)
    }

    /// Whether to go on with a set-up.
    fn look(&self, set_up: &mut SetUp<'_>) -> Result<(), DeviceError> {
        set_up.look(self.options.compile_limit, &self.description.name)
    }
}

/// Notes the first error only: others follow from it.
fn note_first(fault: &Fault, error: DeviceError) {
    if let Ok(mut place) = fault.lock() {
        place.get_or_insert(error);
    }
}

impl Device for WgpuDevice {
    fn adapter(&self) -> &AdapterDescription {
        &self.description
    }

    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        program.check(&self.description)?;
        self.check_idle()?;
        Ok(Box::new(WgpuSession::new(self, program, set_up)?))
    }

    fn times_kernels(&self) -> bool {
        self.options.timings
    }
}
