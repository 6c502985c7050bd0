//! How rounds are cut into workgroups.

use super::BatchSize;
use tickless_device::{AdapterDescription, AdapterKind, DeviceError};

/// The blocks that the entities of a GPU are cut into where there are enough: each workgroup reads a word of each.
const BLOCKS: u32 = 512;
/// The same on a software adapter, which pays for every barrier of every thread.
const BLOCKS_IN_SOFTWARE: u32 = 64;
/// Entities of a thread there, of few entities and of many: a kernel takes seconds to compile for each number.
const ELEMENTS_IN_SOFTWARE: [u32; 2] = [4, 128];
/// Threads in a workgroup there.
const WORKGROUP_IN_SOFTWARE: u32 = 64;
/// Threads in a workgroup that selects, on a GPU.
const SELECTING: u32 = 256;

/// How rounds are cut up. None of it changes a result.
///
/// ```
/// # use tickless_engine::facade as tickless;
/// use tickless::engine::{BatchSize, Options};
/// let options = Options { workgroup: 64, batch: BatchSize::Rounds(10), ..Options::default() };
/// assert_eq!(options.elements, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Threads in a workgroup: a power of two from 32 to 1024, or 0 for what suits the adapter.
    pub workgroup: u32,
    /// What each thread of a block has: entities, or what else the model cuts; `None` for what suits their number.
    pub elements: Option<u32>,
    /// Rounds in a submission.
    pub batch: BatchSize,
    /// Rounds after which they are numbered anew, so that their number never overflows; 0 for 2³¹.
    pub renumber: u32,
}

/// How the dispatches of a round are cut: a model decides it, for it knows what a thread has to do.
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
    /// What each thread of a block has, `ELEMENTS` in kernels.
    pub elements: u32,
    /// Blocks of entities, a workgroup each.
    pub blocks: u32,
}

impl Sizes {
    /// Of rounds that select imminent entities by the engine's steps, or that have a thread an entity.
    ///
    /// # Errors
    /// Threads or entities of a block that no kernel can be made with.
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

    /// Of blocks of any size, `block` things in each, for which each thread has `elements`, 1 or more.
    ///
    /// # Errors
    /// None of them.
    #[doc(hidden)]
    pub fn blocks_of(
        things: u32,
        workgroup: u32,
        elements: u32,
        block: u32,
        what: &str,
        adapter: &AdapterDescription,
    ) -> Result<Self, DeviceError> {
        if elements == 0 {
            return Err(refused(what, elements, "1 or more", adapter));
        }
        Ok(Self { workgroup, elements, blocks: things.div_ceil(block).max(1) })
    }
}

/// Threads in a workgroup: what is asked, or what suits a GPU; fewer on a software adapter.
///
/// # Errors
/// A number that no kernel can be made with.
pub fn workgroup(suited: u32, adapter: &AdapterDescription, options: &Options) -> Result<u32, DeviceError> {
    let suited = if adapter.kind == AdapterKind::Software { WORKGROUP_IN_SOFTWARE } else { suited };
    let asked = options.workgroup;
    let workgroup = if asked == 0 { suited.min(adapter.capabilities.workgroup_threads) } else { asked };
    if !workgroup.is_power_of_two() || !(32..=1024).contains(&workgroup) {
        return Err(refused("threads in a workgroup", workgroup, "a power of two from 32 to 1024", adapter));
    }
    Ok(workgroup)
}

/// A size that no kernel can be made with.
pub fn refused(what: &str, asked: u32, available: &str, adapter: &AdapterDescription) -> DeviceError {
    let (what, asked, available) = (what.to_owned(), asked.to_string(), available.to_owned());
    DeviceError::Limit { what, asked, available, adapter: adapter.name.clone(), remedy: String::new() }
}
