//! How rounds are cut into workgroups.

use super::BatchSize;
use tickless_device::{AdapterDescription, AdapterKind, DeviceError};

/// The most blocks into which the entities of a GPU are cut: each workgroup reads a word of each block.
const BLOCKS: u32 = 512;
/// The same on a software adapter, which pays for every barrier of every thread.
const BLOCKS_IN_SOFTWARE: u32 = 64;
/// The entities of a thread there, where entities are few and where they are many: each number costs seconds of
/// compilation.
const ELEMENTS_IN_SOFTWARE: [u32; 2] = [4, 128];
/// The most entities of a thread: with a workgroup's threads they are numbered in 32 bits.
const MOST_ELEMENTS: u32 = 1 << 16;
/// Threads in a workgroup there.
const WORKGROUP_IN_SOFTWARE: u32 = 64;
/// Threads in a workgroup that selects, on a GPU.
const SELECTING: u32 = 256;

/// How rounds are cut up. No result depends on it.
///
/// ```
/// # use tickless_engine::facade as tickless;
/// use tickless::engine::{BatchSize, Options};
/// let options = Options { workgroup: 64, batch: BatchSize::Rounds(10), ..Options::default() };
/// assert_eq!(options.elements, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Threads in a workgroup: a power of two from 32 to 1024, or 0 for the adapter's default.
    pub workgroup: u32,
    /// Entities, or other items of the model, for each thread of a block; `None` for a default by their number.
    pub elements: Option<u32>,
    /// Rounds in a submission.
    pub batch: BatchSize,
    /// Rounds after which they are numbered anew, so that their number never overflows; 0 for 2³¹.
    pub renumber: u32,
}

/// How the dispatches of a round are cut: the model decides, since it knows the work of a thread.
///
/// ```
/// # use tickless_engine::facade as tickless;
/// use tickless::device::AdapterDescription;
/// use tickless::engine::{Options, Sizes};
/// let sizes = Sizes::selecting(1 << 20, &AdapterDescription::imagined(true, 0), &Options::default())?;
/// assert_eq!(sizes, Sizes { workgroup: 256, elements: 8, blocks: 512 });
/// # Ok::<(), tickless::device::DeviceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Threads in a workgroup, `WORKGROUP` in kernels.
    pub workgroup: u32,
    /// Entities, or other items, for each thread of a block, `ELEMENTS` in kernels.
    pub elements: u32,
    /// Blocks of entities, a workgroup each.
    pub blocks: u32,
}

impl Sizes {
    /// Sizes for rounds that select imminent entities by the engine's steps, or that have a thread an entity.
    ///
    /// # Errors
    /// Numbers of threads or entities of a block that are not allowed.
    pub fn selecting(threads: u32, adapter: &AdapterDescription, options: &Options) -> Result<Self, DeviceError> {
        let workgroup = workgroup(SELECTING, adapter, options)?;
        let of_blocks = |most: u32| threads.div_ceil(most).div_ceil(workgroup).next_power_of_two().clamp(4, 128);
        let suited = || match adapter.kind {
            AdapterKind::Software => ELEMENTS_IN_SOFTWARE[usize::from(of_blocks(BLOCKS_IN_SOFTWARE) > 4)],
            _ => of_blocks(BLOCKS.saturating_mul(adapter.gpus)),
        };
        let elements = options.elements.unwrap_or_else(suited);
        if !elements.is_multiple_of(4) || !(4..=256).contains(&elements) {
            return Err(refused("entities of a block per thread", elements, "a multiple of 4 up to 256", adapter));
        }
        Ok(Self { workgroup, elements, blocks: threads.div_ceil(workgroup * elements).max(1) })
    }

    /// Sizes for blocks of `block` items each, with `elements` items a thread, from 1 to 65,536.
    ///
    /// # Errors
    /// As [`Sizes::selecting`].
    #[doc(hidden)]
    pub fn blocks_of(
        things: u32,
        workgroup: u32,
        elements: u32,
        block: u32,
        what: &str,
        adapter: &AdapterDescription,
    ) -> Result<Self, DeviceError> {
        if !(1..=MOST_ELEMENTS).contains(&elements) {
            return Err(refused(what, elements, "from 1 to 65536", adapter));
        }
        Ok(Self { workgroup, elements, blocks: things.div_ceil(block).max(1) })
    }
}

/// Threads in a workgroup: the number asked for, or `suited` on a GPU; fewer on a software adapter.
///
/// # Errors
/// A number that is not allowed.
pub fn workgroup(suited: u32, adapter: &AdapterDescription, options: &Options) -> Result<u32, DeviceError> {
    let suited = if adapter.kind == AdapterKind::Software { WORKGROUP_IN_SOFTWARE } else { suited };
    let asked = options.workgroup;
    let workgroup = if asked == 0 { suited.min(adapter.capabilities.workgroup_threads) } else { asked };
    if !workgroup.is_power_of_two() || !(32..=1024).contains(&workgroup) {
        return Err(refused("threads in a workgroup", workgroup, "a power of two from 32 to 1024", adapter));
    }
    Ok(workgroup)
}

/// The error for a size that is not allowed.
pub fn refused(what: &str, asked: u32, available: &str, adapter: &AdapterDescription) -> DeviceError {
    let (what, asked, available) = (what.to_owned(), asked.to_string(), available.to_owned());
    DeviceError::Limit { what, asked, available, adapter: adapter.name.clone(), remedy: String::new() }
}
