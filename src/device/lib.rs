//! Devices: the interface that rounds need, and the rooms that provide it.
//!
//! A run is a [`Program`]: buffers, kernels and steps as data. A [`Device`] loads it; the [`Session`] it
//! gives back executes batches of rounds. Nothing outside [`wgpu`] names that crate, and nothing outside `cuda` (with the
//! feature of that name) names CUDA.

mod compiled;
#[cfg(feature = "cuda")]
pub mod cuda;
mod error;
#[cfg(feature = "naga")]
mod given_up;
#[cfg(feature = "naga")]
mod indices;
pub mod joint;
mod kernel;
#[doc(hidden)]
pub mod laws;
#[cfg(feature = "naga")]
mod nesting;
mod options;
mod program;
#[cfg_attr(not(feature = "naga"), path = "no_reflection.rs")]
mod reflection;
mod selection;
mod set_up;
#[doc(hidden)]
pub mod shortage;
#[cfg(feature = "wgpu")]
pub mod wgpu;

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rayon::prelude::*;
#[cfg(feature = "files")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use error::{DeviceError, driver_advice};
#[doc(hidden)]
pub use kernel::{Binding, Kernel};
#[doc(hidden)]
pub use options::Overlap;
pub use options::{BATCH_LIMIT, COMPILE_LIMIT, OpenOptions};
#[doc(hidden)]
pub use program::{Behind, BufferId, Dispatch, KernelId, PAGE_OF_SEVERAL, Placement, Program, Step};
pub use program::{BufferSpec, BufferUse};
pub use selection::{Selection, by_preference, preferred};
#[doc(hidden)]
pub use set_up::SetUp;
#[doc(hidden)]
pub use tickless_core::number::bytes;

use tickless_core::memory;
use tickless_core::ranks::Ranks;
use tickless_core::run::KernelTime;

/// What an adapter is and can do, as far as it matters here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "files", derive(JsonSchema))]
pub struct AdapterDescription {
    /// Its number in the list of `tickless devices`, which `--adapter` takes.
    pub index: usize,
    /// Its name; `--adapter` takes a part of it, too.
    pub name: String,
    /// The interface: `vulkan`, `metal`, `dx12` or `cuda`.
    pub backend: String,
    /// What kind of device it is; the order is that in which `auto` takes them.
    pub kind: AdapterKind,
    /// The driver and its version.
    pub driver: String,
    /// What compiles kernels: `driver`; of CUDA `nvrtc`; of DX12 `dxc`, for shader model 6, or `fxc`, for 5.1.
    #[serde(default)]
    pub compiler: String,
    /// How many GPUs it is: more than 1 where several run every program together.
    pub gpus: u32,
    /// Multiprocessors of each GPU, where the interface tells: CUDA does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiprocessors: Option<u32>,
    /// Bytes that the workgroups of a multiprocessor share, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiprocessor_memory: Option<u32>,
    /// What programs may ask of it.
    pub capabilities: Capabilities,
}

impl AdapterDescription {
    /// An imagined graphics card with the limits that every WebGPU adapter has, for kernels that are assembled but not run.
    ///
    /// ```
    /// # use tickless_device::facade as tickless;
    /// let adapter = tickless::device::AdapterDescription::imagined(false, 0);
    /// assert_eq!(adapter.capabilities.storage_buffers, 8);
    /// ```
    pub fn imagined(int64: bool, subgroup_size: u32) -> Self {
        Self {
            index: 0,
            name: "imagined".into(),
            backend: "none".into(),
            kind: AdapterKind::Discrete,
            driver: String::new(),
            compiler: String::new(),
            gpus: 1,
            multiprocessors: None,
            multiprocessor_memory: None,
            capabilities: Capabilities {
                int64,
                subgroup_size,
                timestamps: false,
                binding_size: 1 << 27,
                buffer_size: 1 << 28,
                workgroup_threads: 256,
                workgroup_memory: 16_384,
                workgroups: 65_535,
                storage_buffers: 8,
            },
        }
    }
}

/// The kinds of adapter in the order in which `auto` takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "files", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AdapterKind {
    /// A graphics card.
    Discrete,
    /// Part of the processor.
    Integrated,
    /// A share of a card in a virtual machine.
    Virtual,
    /// Something else.
    Other,
    /// The processor itself.
    Software,
}

/// Limits and features that decide what runs and which kernels are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "files", derive(JsonSchema))]
pub struct Capabilities {
    /// Native 64-bit integers in kernels.
    pub int64: bool,
    /// The size of subgroups where kernels use them: they have one size, and through wgpu the adapter is not NVIDIA's; else 0.
    pub subgroup_size: u32,
    /// Whether the device can time itself.
    pub timestamps: bool,
    /// The most bytes of one binding.
    pub binding_size: u64,
    /// The most bytes of one buffer.
    pub buffer_size: u64,
    /// The most threads of a workgroup.
    pub workgroup_threads: u32,
    /// The most bytes of a workgroup's memory.
    pub workgroup_memory: u32,
    /// The most workgroups a dimension.
    pub workgroups: u32,
    /// The most storage buffers of a kernel.
    pub storage_buffers: u32,
}

/// Held while a driver is asked for its devices or opens one. In 2 of some 25 runs of eight threads that opened devices of
/// Vulkan and CUDA all at once, tests crashed or hung on an H200. The cause is unknown; the interfaces allow such calls.
pub fn opening() -> MutexGuard<'static, ()> {
    static OPENING: Mutex<()> = Mutex::new(());
    OPENING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a model runs: on the sequential simulator, or on a device. No result depends on it.
///
/// ```
/// use tickless::{device::Target, processes::{self, Phold}, run::unwatched};
/// let model = Phold::new(64).until(20.0).check()?;
/// let run = processes::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.rounds, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub enum Target<'a> {
    /// The sequential simulator, with a future event list on a heap. Each replication, and each search, has a core of its own:
    /// as many run at once as there are cores.
    Heap,
    /// The same on at most this many cores.
    HeapOn(NonZeroUsize),
    /// Rounds on this device.
    Device(&'a dyn Device),
}

impl Target<'_> {
    /// The most cores of the heap, where a limit is given.
    #[doc(hidden)]
    pub fn most_cores(self) -> Option<NonZeroUsize> {
        if let Self::HeapOn(cores) = self { Some(cores) } else { None }
    }
}

/// Where a run takes place: on a heap or a device, or on ranks, among which `P` says how the model is shared. The `run` of a family takes a
/// [`Target`], [`Ranks`], or ranks and their parts for it.
///
/// ```
/// # use tickless_device::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::{device::{On, Target}, ranks::Ranks};
/// let two = || Ranks::Threads(NonZeroU32::new(2).unwrap());
/// assert!(matches!(On::<u32>::from(Target::Heap), On::Target(Target::Heap)));
/// assert!(matches!(On::<u32>::from(two()), On::Ranks(_, None)));
/// assert!(matches!(On::from((two(), 7)), On::Ranks(_, Some(7))));
/// ```
pub enum On<'a, P> {
    /// A heap, or a device.
    Target(Target<'a>),
    /// Ranks, and the part of each where the caller gives it.
    Ranks(Ranks<'a>, Option<P>),
}

impl<'a, P> From<Target<'a>> for On<'a, P> {
    fn from(target: Target<'a>) -> Self {
        Self::Target(target)
    }
}

impl<'a, P> From<Ranks<'a>> for On<'a, P> {
    fn from(ranks: Ranks<'a>) -> Self {
        Self::Ranks(ranks, None)
    }
}

impl<'a, P> From<(Ranks<'a>, P)> for On<'a, P> {
    fn from((ranks, parts): (Ranks<'a>, P)) -> Self {
        Self::Ranks(ranks, Some(parts))
    }
}

/// Something that runs programs. Threads may share it, each with programs of its own.
pub trait Device: Sync {
    /// Its description.
    fn adapter(&self) -> &AdapterDescription;

    /// Creates the buffers, compiles the kernels and runs the program's first steps.
    ///
    /// # Errors
    /// A limit that the program exceeds (checked before anything is allocated), a kernel that does not compile or not in
    /// time, a watch that ends the set-up, too little memory, a lost device.
    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError>;

    /// Whether it was opened to time kernels: [`OpenOptions::timings`].
    fn times_kernels(&self) -> bool {
        false
    }
}

impl<D: Device + ?Sized> Device for Box<D> {
    fn adapter(&self) -> &AdapterDescription {
        (**self).adapter()
    }

    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        (**self).load(program, set_up)
    }

    fn times_kernels(&self) -> bool {
        (**self).times_kernels()
    }
}

/// A loaded program.
#[doc(hidden)]
pub trait Session: Send {
    /// Lets a software adapter compile the code that it compiles at the first run, by a round, which must do nothing.
    ///
    /// # Errors
    /// As [`Device::load`].
    fn warm_up(&mut self, set_up: &mut SetUp<'_>) -> Result<(), DeviceError>;

    /// Queues `rounds` rounds as one submission; up to two may be under way.
    ///
    /// # Errors
    /// A lost device.
    fn submit(&mut self, rounds: u32) -> Result<(), DeviceError>;

    /// Waits for the oldest batch under way.
    ///
    /// # Errors
    /// A lost device, or no batch.
    fn wait(&mut self) -> Result<Batch, DeviceError>;

    /// Runs steps of the program behind everything that was submitted, and waits for them.
    ///
    /// # Errors
    /// A lost device.
    fn run_behind(&mut self, which: Behind) -> Result<(), DeviceError>;

    /// Overwrites part of a buffer, before the next batch: of any but [`BufferUse::Uniform`].
    ///
    /// # Errors
    /// A lost device.
    fn write(&mut self, buffer: BufferId, offset: u64, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Zeroes a buffer, before the next batch: any but [`BufferUse::Uniform`].
    ///
    /// # Errors
    /// A lost device.
    fn clear(&mut self, buffer: BufferId) -> Result<(), DeviceError>;

    /// The size of a buffer in bytes.
    fn size(&self, buffer: BufferId) -> u64;

    /// Where a buffer lies in the memory of a CUDA device that is alone.
    fn address(&self, _: BufferId) -> Option<u64> {
        None
    }

    /// The contents of a buffer from `offset` on after everything that was submitted: offset and length are multiples of 4, and
    /// within the buffer.
    ///
    /// # Errors
    /// A lost device.
    fn read_into(&mut self, buffer: BufferId, offset: u64, to: &mut [u8]) -> Result<(), DeviceError>;

    /// The whole contents of a buffer after everything that was submitted.
    ///
    /// # Errors
    /// A lost device, or too little memory for the copy.
    fn read(&mut self, buffer: BufferId) -> Result<Vec<u8>, DeviceError> {
        let mut bytes = memory::zeroed(self.size(buffer) as usize, "what is read back")?;
        self.read_into(buffer, 0, &mut bytes)?;
        Ok(bytes)
    }

    /// The device time of each kernel of a round, where the session was asked to time kernels and the adapter can.
    fn timings(&self) -> Vec<KernelTime>;
}

/// Copies data that was read back, or is to be uploaded, on all cores: the pages of a fresh list are made when they are first
/// written.
fn copy_all(from: &[u8], to: &mut [u8]) {
    const PART: usize = 1 << 18;
    // Starting other cores would take longer: the status of every batch is copied here.
    if to.len() <= PART {
        return to.copy_from_slice(&from[..to.len()]);
    }
    to.par_chunks_mut(PART).zip(from.par_chunks(PART)).for_each(|(to, from)| to.copy_from_slice(&from[..to.len()]));
}

/// A finished batch.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Batch {
    /// The status buffer of the program after the batch.
    pub status: Vec<u8>,
    /// The device time of the batch, where the device can tell.
    pub device: Option<Duration>,
}

/// The name `tickless` for the examples of this crate.
#[doc(hidden)]
pub mod facade {
    pub use crate as device;
    pub use tickless_core::{archive, heap, memory, random, ranks, run, statistics, time};
    pub use tickless_kernels as kernels;
}
