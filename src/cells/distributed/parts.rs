//! The ranks' parts of a replication at its end, put together on rank 0.

use super::{Band, Bands};
use crate::reference::Area as _;
use crate::replications::Replications;
use crate::{CellError, CellModel, CellOutcome};
use tickless_core::memory::{self, NoMemory};
use tickless_core::ranks::{Failure, Transport, agree};
use tickless_core::time::Time;

/// The arrays of the cells of a rank, all values 0: for its own cells, and outputs also for the cells that they hear.
pub(super) fn zeroed(model: &impl CellModel, band: &Band<'_>) -> Result<CellOutcome, NoMemory> {
    let (own, cells, what) = (band.own() as usize, band.cells() as usize, "the cells of a rank");
    // Fronts also keep the times of cells that are only heard.
    let times = if model.fronts().is_some() { cells } else { own };
    Ok(CellOutcome {
        state: memory::zeroed(own.saturating_mul(model.state_words()), what)?,
        output: memory::zeroed(cells.saturating_mul(model.output_words()), what)?,
        next: memory::zeroed(times, what)?,
        last: memory::zeroed(if model.elapsed() { own } else { 0 }, what)?,
        ..CellOutcome::default()
    })
}

/// Own cells in words: their states, their outputs, and their times.
fn pack(own: &CellOutcome) -> Vec<u64> {
    let pairs = |words: &[u32]| -> Vec<u64> {
        words.chunks(2).map(|two| u64::from(two[0]) | u64::from(two.get(1).copied().unwrap_or(0)) << 32).collect()
    };
    let ticks = |times: &[Time]| -> Vec<u64> { times.iter().map(|time| time.ticks()).collect() };
    [pairs(&own.state), pairs(&own.output), ticks(&own.next), ticks(&own.last)].concat()
}

/// Puts words back into the arrays of their cells.
fn unpack(whole: &mut CellOutcome, band: &Band<'_>, [states, outputs]: [usize; 2], mut words: &[u64]) {
    let own = band.own() as usize;
    let mut take = |count: usize| words.split_off(..count).unwrap_or_default();
    let ids: Vec<usize> = (0..band.own()).map(|index| band.id(index) as usize).collect();
    for (array, each) in [(&mut whole.state, states), (&mut whole.output, outputs)] {
        let halves = take((own * each).div_ceil(2)).iter().flat_map(|word| [*word as u32, (word >> 32) as u32]);
        let mut halves = halves;
        for id in &ids {
            array[id * each..][..each].iter_mut().zip(&mut halves).for_each(|(own, word)| *own = word);
        }
    }
    for array in [&mut whole.next, &mut whole.last] {
        let times = if array.is_empty() { 0 } else { own };
        ids.iter().zip(take(times)).for_each(|(id, ticks)| array[*id] = Time::from_ticks(*ticks));
    }
}

/// A replication at its clock, on rank 0; nothing on others.
pub(super) fn gather(
    model: &Replications<'_, impl CellModel>,
    bands: &Bands,
    own: CellOutcome,
    transport: &mut dyn Transport,
) -> Result<Option<CellOutcome>, Failure<CellError>> {
    let words = own.state.len().div_ceil(2) + own.output.len().div_ceil(2) + own.next.len() + own.last.len();
    let words = memory::room::<[u64; 2]>(words, "the cells of a rank in words").map(|()| pack(&own));
    drop(own);
    let is_first = transport.rank() == 0;
    let whole = words.and_then(|words| {
        let whole = if is_first { Some(CellOutcome::zeroed(model)?) } else { None };
        Ok((words, whole))
    });
    let (words, whole) = agree(transport, whole.map_err(CellError::from))?;
    let all = transport.gather(words)?;
    Ok(whole.map(|mut whole| {
        let each = [model.state_words(), model.output_words()];
        for (rank, words) in (0..).zip(all) {
            unpack(&mut whole, &Band::of(model.space(), bands, rank), each, &words);
        }
        whole
    }))
}
