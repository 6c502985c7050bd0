//! The band of one rank on its device, in rounds with the bands of others.

mod border;
mod cycles;
mod passages;

use std::time::Instant;

use super::band::Banded;
use super::layout::{Layout, Scheme};
use super::model::DeviceCells;
use super::options::CellOptions;
use crate::over::{Band, Ended, Share};
use crate::{Bands, CellError, CellModel as _};
use border::Border;
use cycles::Cycles;
use passages::Passages;
use tickless_core::ranks::{Failure, Transport, agree, tally, windows};
use tickless_core::run::{Watch, Whole, unwatched};
use tickless_core::time::Time;
use tickless_device::{AdapterDescription, Device};
use tickless_engine::ModelParts;

/// A model in the box of a band, and how it lies on an adapter.
struct Placed<'a, M> {
    banded: Banded<'a, M>,
    layout: Layout,
}

impl<'a, M: DeviceCells> Placed<'a, M> {
    /// # Errors
    /// A model that does not fit the adapter, or does not go over ranks there.
    fn new(model: &'a M, band: &Band<'_>, adapter: &AdapterDescription, logged: bool) -> Result<Self, CellError> {
        if let Some(why) = model.heap_only() {
            return Err(CellError::HeapOnly { why });
        }
        let scheme = if model.fronts().is_some() { Scheme::FirstPassages } else { Scheme::InOrder { logged } };
        let banded = Banded::new(model, band)?;
        let layout = Layout::new(&banded, &CellOptions::default(), adapter, scheme)?;
        let layout = Layout { band: Some(banded.parameters()), ..layout };
        Ok(Self { banded, layout })
    }

    /// The kernels and buffers, with those of the border.
    ///
    /// # Errors
    /// What the model says of its start.
    fn parts(&self, border: &Border<'_>) -> Result<ModelParts, CellError> {
        // First passages that are no fronts come in order, as on heaps.
        match self.banded.fronts().and_then(|_| self.banded.first_passage()) {
            Some(passage) => Ok(passages::parts(self, &passage, border)),
            None => cycles::parts(self, border),
        }
    }
}

/// The kernels and buffers of the band of one of so many ranks, with a log or without.
///
/// # Errors
/// A model that does not fit the adapter, does not start, or does not go over ranks.
pub fn parts_of_band(
    model: &impl DeviceCells,
    [rank, ranks]: [u32; 2],
    adapter: &AdapterDescription,
    logged: bool,
) -> Result<ModelParts, CellError> {
    let (space, bands) = (model.space(), Bands::even(model.space(), ranks));
    let band = Band::of(space, &bands, rank);
    let placed = Placed::new(model, &band, adapter, logged)?;
    placed.parts(&Border::new(band, &placed)?)
}

/// Runs a model of one replication. A watch may end its set-up.
pub(crate) fn replication(
    model: &impl DeviceCells,
    device: &dyn Device,
    share: Share<'_, '_>,
    transport: &mut dyn Transport,
) -> Result<Ended, Failure<CellError>> {
    let (begin, times) = (Instant::now(), [Time::ZERO, model.until()]);
    let Share { band, log, may_end, watch } = share;
    let is_fronts = model.fronts().is_some();
    let placed = Placed::new(model, &band, device.adapter(), log.is_wanted());
    let placed = placed.and_then(|placed| Ok((Border::new(band, &placed)?, placed)));
    let (border, placed) = agree(transport, placed)?;
    let mut nobody = unwatched();
    let set_up: &mut dyn Watch = if may_end { &mut *watch } else { &mut nobody };
    let (summary, setup, own, time);
    if is_fronts {
        let passages = Passages::begin(&placed, border, device, set_up);
        let mut passages = agree(transport, passages)?;
        setup = begin.elapsed();
        let ran = windows::run(&mut passages, times, transport, &mut Whole(watch))?;
        summary = windows::Summary { clock: if ran.interrupted { Time::ZERO } else { ran.clock }, ..ran };
        time = passages.device();
        own = agree(transport, passages.end(ran.interrupted))?;
    } else {
        let cycles = Cycles::begin(&placed, (border, log), device, set_up);
        let mut cycles = agree(transport, cycles)?;
        setup = begin.elapsed();
        summary = windows::run(&mut cycles, times, transport, watch)?;
        // What runs between rounds is not timed.
        time = None;
        let log;
        (own, log) = agree(transport, cycles.end())?;
        log.finish(transport)?;
    }
    let counts = tally(transport, [own.transitions, own.imminent])?;
    Ok(Ended { summary, counts, own, setup, device: time })
}
