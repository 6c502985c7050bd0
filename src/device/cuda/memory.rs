//! The buffers of a program: plain memory of a single GPU, or one range of addresses that all GPUs see and whose pages lie
//! with the GPUs that work on their entries.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUdeviceptr};
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DevicePtr as _, DriverError, result};

use crate::{BufferSpec, BufferUse, Placement};

/// A buffer.
pub(super) enum Memory {
    /// On the only GPU.
    Plain { slice: CudaSlice<u8>, address: CUdeviceptr },
    /// Cut among the GPUs, or on the first of them.
    Shared { pages: Pages, size: usize },
    /// The same on each GPU.
    Copies { pages: Vec<Pages>, size: usize },
}

/// A range of addresses, backed by pages of some GPUs.
pub(super) struct Pages {
    address: CUdeviceptr,
    reserved: usize,
    chunks: Vec<Chunk>,
    context: Arc<CudaContext>,
}

/// Pages of one GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chunk {
    /// The place of the pages in the buffer.
    bytes: Range<usize>,
    handle: sys::CUmemGenericAllocationHandle,
}

/// Whether a buffer has a copy on each GPU: buffers that never change, and rows that GPUs send each other.
fn is_copied(spec: &BufferSpec, is_constant: bool) -> bool {
    is_constant || spec.usage == BufferUse::Uniform || matches!(spec.placement, Placement::Rows { .. })
}

impl Memory {
    /// Allocates a buffer with its contents, or zeros.
    ///
    /// # Errors
    /// The driver's error.
    pub(super) fn new(streams: &[Arc<CudaStream>], spec: &BufferSpec, is_constant: bool) -> Result<Self, DriverError> {
        let size = spec.size.max(1) as usize;
        if let [stream] = streams {
            let slice = match &spec.contents {
                Some(contents) => stream.clone_htod(contents)?,
                None => stream.alloc_zeros(size)?,
            };
            let address = slice.device_ptr(stream).0;
            return Ok(Self::Plain { slice, address });
        }
        let memory = if is_copied(spec, is_constant) {
            let on = |gpu| Pages::new(streams, size, |page| vec![(gpu, 0..size.next_multiple_of(page))]);
            Self::Copies { pages: (0..streams.len()).map(on).collect::<Result<_, _>>()?, size }
        } else {
            let lists = lists_of(spec);
            Self::Shared { pages: Pages::new(streams, size, |page| cut(size, lists, streams.len(), page))?, size }
        };
        match &spec.contents {
            Some(contents) => memory.write(0, contents, streams)?,
            None => memory.clear(streams)?,
        }
        Ok(memory)
    }

    /// The size in bytes.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Plain { slice, .. } => slice.len(),
            Self::Shared { size, .. } | Self::Copies { size, .. } => *size,
        }
    }

    /// The address of the buffer for a GPU.
    pub(super) fn address(&self, gpu: usize) -> CUdeviceptr {
        match self {
            Self::Plain { address, .. } => *address,
            Self::Shared { pages, .. } => pages.address,
            Self::Copies { pages, .. } => pages[gpu].address,
        }
    }

    /// Overwrites bytes from `offset` on, in every copy. Work of other streams that reads them must have ended.
    ///
    /// # Errors
    /// The driver's error.
    pub(super) fn write(&self, offset: usize, bytes: &[u8], streams: &[Arc<CudaStream>]) -> Result<(), DriverError> {
        for (address, own) in self.runs(offset..offset + bytes.len()) {
            let bytes = &bytes[own.start - offset..own.end - offset];
            streams[0].context().bind_to_thread()?;
            // SAFETY: the addresses lie within the buffer, which the session keeps until its streams are idle, and the bytes are
            // waited for below, whether all of them were queued or not.
            let queued = unsafe { result::memcpy_htod_async(address, bytes, streams[0].cu_stream()) };
            // Where a GPU reads pageable memory itself, the driver may return before the copy has ended.
            streams[0].synchronize()?;
            queued?;
        }
        Ok(())
    }

    /// Zeroes the whole buffer.
    ///
    /// # Errors
    /// The driver's error.
    pub(super) fn clear(&self, streams: &[Arc<CudaStream>]) -> Result<(), DriverError> {
        for (address, own) in self.runs(0..self.len()) {
            streams[0].context().bind_to_thread()?;
            // SAFETY: the addresses lie within the buffer, which the session keeps until its streams are idle.
            unsafe { result::memset_d8_async(address, 0, own.len(), streams[0].cu_stream())? };
        }
        Ok(())
    }

    /// Copies bytes from `offset` on to the host behind the work queued on a stream; where there are copies, those of
    /// the first GPU.
    ///
    /// # Errors
    /// The driver's error.
    ///
    /// # Safety
    /// `to` stays where it is, and is read or dropped only when the stream has come to the end of the copy.
    pub(super) unsafe fn read(&self, offset: usize, to: &mut [u8], stream: &CudaStream) -> Result<(), DriverError> {
        let bytes = offset..offset + to.len();
        let runs = match self {
            Self::Copies { pages, .. } => pages[0].runs(&bytes),
            _ => self.runs(bytes),
        };
        stream.context().bind_to_thread()?;
        for (address, run) in runs {
            let to = &mut to[run.start - offset..run.end - offset];
            // SAFETY: the addresses lie within the buffer; the caller keeps `to`.
            unsafe { result::memcpy_dtoh_async(to, address, stream.cu_stream())? };
        }
        Ok(())
    }

    /// The addresses of some bytes, in every copy, each run of bytes on one GPU.
    fn runs(&self, bytes: Range<usize>) -> Vec<(CUdeviceptr, Range<usize>)> {
        match self {
            Self::Plain { address, .. } => vec![(address + bytes.start as u64, bytes)],
            Self::Shared { pages, .. } => pages.runs(&bytes),
            Self::Copies { pages, .. } => pages.iter().flat_map(|pages| pages.runs(&bytes)).collect(),
        }
    }
}

/// The relative lengths of the lists in a buffer.
fn lists_of(spec: &BufferSpec) -> &'static [u32] {
    if let Placement::Lists(lists) = spec.placement { lists } else { &[1] }
}

/// The pages of each GPU in a buffer of lists of these relative lengths: each list is cut into as many parts as there are GPUs. A
/// buffer too small for this lies on the first.
fn cut(size: usize, lists: &[u32], gpus: usize, page: usize) -> Vec<(usize, Range<usize>)> {
    let pages = size.div_ceil(page);
    if size < lists.len() * gpus * page {
        return vec![(0, 0..pages * page)];
    }
    let all: u64 = lists.iter().copied().map(u64::from).sum();
    // Where lists end, in bytes.
    let end = |sum: &mut u64, list: &u32| {
        *sum += u64::from(*list);
        Some((size as u128 * u128::from(*sum) / u128::from(all)) as usize)
    };
    let ends: Vec<usize> = lists.iter().scan(0, end).collect();
    let mut found: Vec<(usize, Range<usize>)> = vec![];
    for number in 0..pages {
        let middle = (number * page + page / 2).min(size - 1);
        let list = ends.partition_point(|end| *end <= middle);
        let begin = if list == 0 { 0 } else { ends[list - 1] };
        let gpu = ((middle - begin) as u128 * gpus as u128 / (ends[list] - begin) as u128) as usize;
        let bytes = number * page..(number + 1) * page;
        match found.last_mut().filter(|(last, _)| *last == gpu) {
            Some((_, run)) => run.end = bytes.end,
            None => found.push((gpu, bytes)),
        }
    }
    found
}

/// The bytes of each GPU that the buffers take.
pub(super) fn demand<'a>(buffers: impl Iterator<Item = (&'a BufferSpec, bool)>, gpus: usize, page: usize) -> Vec<u64> {
    let mut all = vec![0; gpus];
    for (spec, is_constant) in buffers {
        let size = spec.size.max(1) as usize;
        if is_copied(spec, is_constant) {
            all.iter_mut().for_each(|bytes| *bytes += size.next_multiple_of(page) as u64);
        } else {
            cut(size, lists_of(spec), gpus, page).into_iter().for_each(|(gpu, bytes)| all[gpu] += bytes.len() as u64);
        }
    }
    all
}

/// The place of a GPU, in the driver's form.
fn location(context: &CudaContext) -> sys::CUmemLocation {
    sys::CUmemLocation { type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE, id: context.ordinal() as i32 }
}

/// Memory of a GPU that is mapped, not allocated at an address.
fn properties(context: &CudaContext) -> sys::CUmemAllocationProp {
    sys::CUmemAllocationProp {
        type_: sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
        location: location(context),
        win32HandleMetaData: std::ptr::null_mut(),
        allocFlags: sys::CUmemAllocationProp_st__bindgen_ty_1 {
            compressionType: 0,
            gpuDirectRDMACapable: 0,
            usage: 0,
            reserved: [0; 4],
        },
    }
}

/// The page size of a GPU, in bytes.
///
/// # Errors
/// The driver's error.
pub(super) fn page(context: &CudaContext) -> Result<usize, DriverError> {
    use sys::CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_RECOMMENDED as RECOMMENDED;
    let mut page = 0;
    context.bind_to_thread()?;
    // SAFETY: a number to write to, and a description that the driver only reads.
    unsafe { sys::cuMemGetAllocationGranularity(&mut page, &properties(context), RECOMMENDED) }.result()?;
    Ok(page)
}

impl Pages {
    /// The addresses of some bytes: a copy stays within the pages of one GPU.
    fn runs(&self, bytes: &Range<usize>) -> Vec<(CUdeviceptr, Range<usize>)> {
        let within = |chunk: &Chunk| bytes.start.max(chunk.bytes.start)..bytes.end.min(chunk.bytes.end);
        let runs = self.chunks.iter().map(within).filter(|run| !run.is_empty());
        runs.map(|run| (self.address + run.start as u64, run)).collect()
    }

    /// Maps pages for all GPUs to read and write; `owners` says which GPU has them.
    fn new(
        streams: &[Arc<CudaStream>],
        size: usize,
        owners: impl FnOnce(usize) -> Vec<(usize, Range<usize>)>,
    ) -> Result<Self, DriverError> {
        let context = streams[0].context();
        let page = page(context)?;
        let reserved = size.next_multiple_of(page);
        let mut address = 0;
        // SAFETY: an address to write to.
        unsafe { sys::cuMemAddressReserve(&mut address, reserved, 0, 0, 0) }.result()?;
        // From here on an error gives back all that has been reserved.
        let mut pages = Self { address, reserved, chunks: vec![], context: context.clone() };
        for (gpu, bytes) in owners(page) {
            let mut handle = 0;
            let properties = properties(streams[gpu].context());
            // SAFETY: a handle to write to, and a description that the driver only reads.
            unsafe { sys::cuMemCreate(&mut handle, bytes.len(), &properties, 0) }.result()?;
            // SAFETY: the range lies within the one reserved, where nothing is mapped yet.
            let mapped = unsafe { sys::cuMemMap(address + bytes.start as u64, bytes.len(), 0, handle, 0) }.result();
            if mapped.is_err() {
                // SAFETY: the handle has just been made, and nothing is mapped by it.
                let _ = unsafe { sys::cuMemRelease(handle) };
                mapped?;
            }
            pages.chunks.push(Chunk { bytes, handle });
        }
        let access = |stream: &Arc<CudaStream>| sys::CUmemAccessDesc {
            location: location(stream.context()),
            flags: sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        };
        let mut all: Vec<sys::CUmemAccessDesc> = streams.iter().map(access).collect();
        all.sort_by_key(|access| access.location.id);
        all.dedup_by_key(|access| access.location.id);
        // SAFETY: all of the range is mapped, and the descriptions are only read.
        unsafe { sys::cuMemSetAccess(address, reserved, all.as_ptr(), all.len()) }.result()?;
        Ok(pages)
    }
}

impl Drop for Pages {
    /// The session has waited for all work that may use the pages.
    fn drop(&mut self) {
        let _ = self.context.bind_to_thread();
        for Chunk { bytes, handle } in &self.chunks {
            // SAFETY: mapped by `new` and by nothing else; no kernel is at work with it any more.
            unsafe {
                let _ = sys::cuMemUnmap(self.address + bytes.start as u64, bytes.len());
                let _ = sys::cuMemRelease(*handle);
            }
        }
        // SAFETY: reserved by `new`, and nothing is mapped there any more.
        let _ = unsafe { sys::cuMemAddressFree(self.address, self.reserved) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: usize = 16;

    #[test]
    fn every_list_is_cut_into_as_many_parts_as_there_are_gpus() {
        let on = |gpu: usize, from: usize, to: usize| (gpu, from * PAGE..to * PAGE);
        assert_eq!(cut(8 * PAGE, &[1], 2, PAGE), [on(0, 0, 4), on(1, 4, 8)]);
        assert_eq!(cut(8 * PAGE - 5, &[1], 4, PAGE), [on(0, 0, 2), on(1, 2, 4), on(2, 4, 6), on(3, 6, 8)]);
        assert_eq!(cut(12 * PAGE, &[1; 3], 2, PAGE), [0, 2, 4, 6, 8, 10].map(|from| on(from / 2 % 2, from, from + 2)));
        let unequal = [on(0, 0, 2), on(1, 2, 4), on(0, 4, 8), on(1, 8, 12)];
        assert_eq!(cut(12 * PAGE, &[1, 2], 2, PAGE), unequal);
    }

    #[test]
    fn pages_follow_each_other_and_hold_all() {
        for size in (1..3000).step_by(37) {
            for (lists, gpus) in [(&[1][..], 2), (&[1, 1, 1], 2), (&[1, 1, 2], 4), (&[1], 8), (&[3, 1], 3)] {
                let found = cut(size, lists, gpus, PAGE);
                let ends = found.iter().map(|(_, bytes)| bytes.end);
                let begins = found.iter().map(|(_, bytes)| bytes.start);
                assert!(begins.eq(std::iter::once(0).chain(ends).take(found.len())), "{size}");
                assert_eq!(found.last().map(|(_, bytes)| bytes.end), Some(size.next_multiple_of(PAGE)));
                assert!(found.iter().all(|(gpu, _)| *gpu < gpus));
                let used = (0..gpus).all(|gpu| found.iter().any(|(owner, _)| *owner == gpu));
                assert_eq!(used, size >= lists.len() * gpus * PAGE, "{size} {lists:?} {gpus}");
            }
        }
    }

    #[test]
    fn what_is_copied_counts_on_each_gpu() {
        let large = BufferSpec::storage("large", 100, 16);
        let rows = BufferSpec::storage("rows", 1, 8).placed(Placement::Rows { rows: 1, words: 1 });
        let constant = BufferSpec::storage("table", 3, PAGE as u64);
        let all = [(&large, false), (&rows, false), (&constant, true)];
        assert_eq!(demand(all.into_iter(), 2, PAGE), [50 * 16 + 16 + 48; 2]);
    }
}
