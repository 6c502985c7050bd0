//! What the ranks of a run are on.

use std::time::Duration;

use super::{Compared, Ready};
use crate::CommandError;
use crate::arguments::{DeviceArguments, RankBackend};
use crate::checkpoint::{in_bytes, in_words};
use crate::over::agree;
use crate::warning::Warning;
use tickless_core::ranks::{Transport, TransportError};
use tickless_device::{AdapterDescription, DeviceError, Selection, Target, preferred, wgpu};

/// The name of a backend that differs from rank to rank, in results.
pub const MIXED: &str = "mixed";

/// The ranks of this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// What each is on.
    pub backends: Vec<RankBackend>,
    /// Which number the first has among those of its host.
    pub on_host: u32,
    /// Whether all ranks of the run are on the same, those of other processes too.
    pub alike: bool,
}

impl Ready {
    /// The backends of ranks. Each on a device has an adapter of its own as long as there are as many: one after the other, from the
    /// number of the first rank on its host on; or all have the one that is named.
    ///
    /// # Errors
    /// Options that have no meaning there; an adapter that does not open.
    pub fn over_ranks(places: &Places, device: &DeviceArguments) -> Result<(Self, Vec<Warning>), CommandError> {
        let refuse = |message: &str| Err(CommandError::Usage { message: message.into() });
        if device.threads.is_some() {
            return refuse("--threads is for replications side by side, and one run goes over ranks: leave it out");
        }
        if device.devices.is_some() {
            return refuse(
                "--devices has several GPUs run one model together, and over ranks each has one of its own: leave it out",
            );
        }
        let Places { alike, .. } = *places;
        if alike && places.backends[0] == RankBackend::Heap {
            return Self::on_heap(device, "a run over ranks on heaps");
        }
        let (mut of_ranks, mut opening, mut warnings) = (vec![], Duration::ZERO, vec![]);
        for backend in &places.backends {
            let name = match backend {
                RankBackend::Heap => {
                    of_ranks.push(None);
                    continue;
                }
                RankBackend::Wgpu => Compared::Wgpu,
                RankBackend::Cuda => Compared::Cuda,
            };
            let number = places.on_host as usize + of_ranks.iter().flatten().count();
            let opened = Self::open_on(name, &selection(name, number, device)?, device)?;
            opening += opened.opening;
            of_ranks.push(opened.device);
            for warning in opened.warnings() {
                if !warnings.contains(&warning) {
                    warnings.push(warning);
                }
            }
        }
        // Of ranks that are not alike there is no one adapter to tell.
        let first = of_ranks[0].filter(|_| alike);
        let name = if alike { places.backends[0].name() } else { MIXED };
        let adapters = of_ranks.iter().map(|device| device.map(|device| device.adapter().clone())).collect();
        Ok((Self { name, device: first, opening, most_cores: None, of_ranks, adapters }, warnings))
    }

    /// The adapter of each rank, `None` of one on a heap; nothing where all are on heaps, or there are no ranks.
    pub fn rank_adapters(&self) -> Option<Vec<Option<AdapterDescription>>> {
        Some(&self.adapters).filter(|adapters| !adapters.is_empty()).cloned()
    }

    /// Has rank 0 know the adapters of ranks that are processes, all of which meet here.
    ///
    /// # Errors
    /// A rank that is gone.
    pub fn meet(&mut self, transport: &mut dyn Transport) -> Result<(), CommandError> {
        if !self.is_over_ranks() {
            return Ok(());
        }
        let own = serde_json::to_vec(&self.adapters).map(|bytes| in_words(&bytes)).map_err(untold);
        let words = agree(transport, own)?;
        let all = transport.gather(words)?;
        if transport.rank() == 0 {
            let told = |words: &Vec<u64>| serde_json::from_slice::<Vec<_>>(&in_bytes(words)).map_err(untold);
            self.adapters = all.iter().map(told).collect::<Result<Vec<_>, _>>()?.concat();
        }
        Ok(())
    }

    /// What a rank runs on: one of this process, or the one that is this process.
    pub fn target_of(&self, rank: u32) -> Target<'_> {
        let device = match &self.of_ranks[..] {
            [] => None,
            [own] => *own,
            all => all.get(rank as usize).copied().flatten(),
        };
        device.map_or(Target::Heap, Target::Device)
    }

    /// Whether these are ranks of which some have devices.
    pub fn is_over_ranks(&self) -> bool {
        !self.of_ranks.is_empty()
    }

    /// Whether nothing of a run is on a device, here or on another rank.
    pub fn is_heap(&self) -> bool {
        self.name == Compared::Heap.name()
    }
}

fn untold(error: serde_json::Error) -> CommandError {
    TransportError::Other { what: format!("what ranks tell of their adapters is not whole: {error}") }.into()
}

/// The adapter of the device rank of this number on a host.
fn selection(name: Compared, number: usize, device: &DeviceArguments) -> Result<Selection, CommandError> {
    if device.adapter.is_some() {
        return Ok(super::selection(device));
    }
    let found = if name.cuda() { of_cuda()? } else { alike(wgpu::adapters()?) };
    // Without any, to open one says so.
    Ok(if found.is_empty() { Selection::Auto } else { Selection::Index(found[number % found.len()]) })
}

/// The adapters that are as good as the one that auto takes, and not that one by another interface.
fn alike(adapters: Vec<AdapterDescription>) -> Vec<usize> {
    let Some(best) = preferred(&adapters) else { return vec![] };
    let alike = adapters.iter().filter(|adapter| (adapter.kind, &adapter.backend) == (best.kind, &best.backend));
    alike.map(|adapter| adapter.index).collect()
}

#[cfg(feature = "cuda")]
fn of_cuda() -> Result<Vec<usize>, DeviceError> {
    Ok(tickless_device::cuda::adapters()?.iter().map(|adapter| adapter.index).collect())
}

#[cfg(not(feature = "cuda"))]
fn of_cuda() -> Result<Vec<usize>, DeviceError> {
    Ok(vec![])
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use tickless_core::ranks::{ThreadTransport, side_by_side};
    use tickless_device::AdapterKind;

    /// Rank 0 knows what each process is on, by its rank.
    #[test]
    fn ranks_that_are_processes_tell_their_adapters() {
        let own = |rank: u32| {
            let name = format!("GPU {rank} \"é\"");
            (rank != 1).then(|| AdapterDescription { name, ..AdapterDescription::imagined(rank == 0, 32) })
        };
        let ready = |rank| Ready { adapters: vec![own(rank)], of_ranks: vec![None], ..Ready::heap(None) };
        let meet = |ranks: &mut ThreadTransport<'_>| {
            let mut ready = ready(ranks.rank());
            ready.meet(ranks).map(|()| ready.rank_adapters()).map_err(|error| error.to_string())
        };
        let ends = side_by_side(NonZeroU32::new(3).unwrap(), meet, meet);
        let told: Vec<_> = ends.into_iter().map(|end| end.unwrap().unwrap().unwrap()).collect();
        assert_eq!(told, [vec![own(0), own(1), own(2)], vec![own(1)], vec![own(2)]]);
        assert_eq!(Ready::heap(None).rank_adapters(), None);
    }

    #[test]
    fn ranks_share_out_the_adapters_that_are_alike() {
        let adapter = |index, kind, backend: &str| AdapterDescription {
            index,
            kind,
            backend: backend.into(),
            ..AdapterDescription::imagined(true, 0)
        };
        let (gpu, software) = (AdapterKind::Discrete, AdapterKind::Software);
        let adapters = vec![
            adapter(0, software, "vulkan"),
            adapter(1, gpu, "vulkan"),
            adapter(2, gpu, "vulkan"),
            adapter(3, gpu, "dx12"),
        ];
        assert_eq!(alike(adapters), [1, 2]);
        assert_eq!(alike(vec![adapter(0, software, "vulkan")]), [0]);
        assert_eq!(alike(vec![]), [0; 0]);
    }
}
