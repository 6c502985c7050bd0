//! Totals that kernels behind the last round add up for a torus, where the records of its stations are not asked for
//! (`shaders/queueing/add_stations.wgsl` and `add_tokens.wgsl`, whose banners number the words). For visits that have not
//! ended the same is subtracted as in `State::total` (`src/queueing/gpu/state.rs`).

use super::model::TorusModel;
use super::state::read_state;
use super::tiles::AHEAD;
use crate::QueueingError;
use crate::gpu::records::{NONE, Token};
use tickless_core::memory;
use tickless_core::run::Sums;
use tickless_core::statistics::{AddedUp, Outcome, Totals};
use tickless_core::time::Time;
use tickless_device::{AdapterDescription, DeviceError};
use tickless_engine::{ModelParts, Results, Rounds, StageKernel, add_results};
use tickless_kernels::Mounts;

/// The words of each thread: words 0 to 9 are of stations, the others of tokens.
const WORDS: u32 = 29;

/// Adds the kernels that add up a torus on the device.
pub(super) fn add_up(parts: &mut ModelParts, torus: TorusModel<'_>, in_tiles: bool, adapter: &AdapterDescription) {
    let ahead = if in_tiles { AHEAD } else { 0 };
    let constants = format!(
        "const AHEAD: u32 = {ahead}u;\nconst DRAWS: u32 = {}u;\nconst ARRIVALS_IN_RECORDS: bool = {in_tiles};\n",
        u64::from(torus.law().draws()) + 1
    );
    let mounts = Mounts::default()
        .with("station_record", "queueing/station_short")
        .with("visit_clock", "queueing/exact")
        .with("faults", "lib/no_faults");
    let kernel = |label| StageKernel::new(label, &mounts).with_constants(&constants);
    let kernels = vec![kernel("queueing/add_stations"), kernel("queueing/add_tokens")];
    let things = torus.model.stations().max(torus.model.tokens());
    add_results(parts, kernels, [things, 1], WORDS, adapter.kind);
}

/// The totals of all stations up to some time.
pub(super) struct TorusTotals {
    /// Without visits after that time.
    totals: Totals,
    of_stations: Sums,
    of_times: Sums,
    /// The largest sum of service and waiting times of one station, over all decided visits.
    longest: u64,
    /// How long all waiting tokens have waited so far.
    waits: u128,
}

impl TorusTotals {
    /// The totals at the time that the rounds have reached.
    pub(super) fn read(rounds: &mut Rounds, torus: TorusModel<'_>) -> Result<Self, QueueingError> {
        rounds.add_up()?;
        let results = Results::read(rounds, WORDS as usize)?;
        let [began, serving, queued, undecided] = [4, 18, 19, 20].map(|word| results.sum(word));
        let [service, waiting] = [5, 7].map(|word| results.long_sum(word));
        let [beyond, to_serve, to_wait, waits] = [21, 23, 25, 27].map(|word| results.long_sum(word));
        let visits = began + undecided;
        let service = service - to_serve;
        let (busy, waiting) = (service - beyond, waiting - to_wait);
        let totals = Totals {
            facilities: torus.model.stations().into(),
            arrivals: visits - u64::from(torus.model.tokens()),
            starts: visits - queued,
            completions: visits - queued - serving,
            losses: 0,
            busy,
            waiting,
            service,
            presence: waiting + busy + waits,
            serving,
            queued,
        };
        let of_stations = results.sums(0) + results.sums(10);
        Ok(Self { totals, of_stations, of_times: results.sums(14), longest: results.largest(9), waits })
    }

    /// Since an earlier time, or since time 0.
    fn since(&self, before: Option<&Self>) -> AddedUp {
        let then = before.map_or_else(Totals::default, |before| before.totals);
        let totals = Totals {
            arrivals: self.totals.arrivals - then.arrivals,
            starts: self.totals.starts - then.starts,
            completions: self.totals.completions - then.completions,
            busy: self.totals.busy - then.busy,
            waiting: self.totals.waiting - then.waiting,
            service: self.totals.service - then.service,
            presence: self.totals.presence - then.presence,
            ..self.totals
        };
        let before = before.map_or_else(Sums::default, |before| before.of_stations);
        AddedUp { totals, sums: self.of_stations - before + self.of_times }
    }
}

/// Tokens read at a time.
const TOKENS: usize = 1 << 20;

/// The longest time that the waiting tokens of one station have waited together: an upper bound if all stations are known to
/// be short enough, else computed for the station with the longest, from the records of the tokens.
fn longest_waits(
    rounds: &mut Rounds,
    torus: TorusModel<'_>,
    now: &TorusTotals,
    until: Time,
) -> Result<u64, QueueingError> {
    if let Ok(waits) = u64::try_from(now.waits)
        && now.longest.checked_add(waits).is_some_and(|sum| sum < u64::MAX)
    {
        return Ok(waits);
    }
    let count = torus.model.stations() as usize;
    let mut waits: Vec<u64> =
        memory::zeroed(count, "how long tokens have waited at each station").map_err(DeviceError::from)?;
    for first in (0..torus.model.tokens() as usize).step_by(TOKENS) {
        let tokens: Vec<Token> =
            rounds.read_part("tokens", first, TOKENS.min(torus.model.tokens() as usize - first))?;
        for token in tokens.iter().filter(|token| token.station != NONE && token.start >= until.ticks()) {
            let sum = &mut waits[token.station as usize];
            *sum = sum.saturating_add(until.ticks().saturating_sub(token.arrived));
        }
    }
    Ok(waits.into_iter().max().unwrap_or_default())
}

/// The outcome at the end of a run, since `before` or since time 0.
///
/// # Errors
/// [`QueueingError::Overflow`] where a sum of a station passes 64 bits, from time 0 on.
pub(super) fn outcome(
    rounds: &mut Rounds,
    torus: TorusModel<'_>,
    in_tiles: bool,
    before: Option<&TorusTotals>,
) -> Result<Outcome, QueueingError> {
    let (from, until) = (torus.model.warmup(), rounds.clock());
    let now = TorusTotals::read(rounds, torus)?;
    if now.longest.saturating_add(longest_waits(rounds, torus, &now, until)?) == u64::MAX {
        read_state(rounds, torus, in_tiles)?.check(|_| torus.tokens_each())?;
    }
    let added_up = Some(now.since(before));
    Ok(Outcome { facilities: vec![], queue: vec![], services: vec![], from: from.min(until), until, added_up })
}
