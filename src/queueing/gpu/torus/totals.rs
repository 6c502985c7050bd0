//! What the kernels behind the last round add up of a torus, where nobody asks for the records of its stations
//! (`shaders/queueing/add_stations.wgsl` and `add_tokens.wgsl`).

use super::model::TorusModel;
use super::state::read_state;
use super::tiles::AHEAD;
use crate::device::AdapterDescription;
use crate::engine::{ModelParts, Results, Rounds, StageKernel, add_results};
use crate::kernels::Mounts;
use crate::queueing::QueueingError;
use crate::run::Sums;
use crate::statistics::{AddedUp, Outcome, Totals};

/// What each thread leaves: words 0 to 9 are of stations, the others of tokens.
const WORDS: u32 = 29;

/// Has a device add up what there is of a torus.
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

/// What all stations have done up to some time.
pub(super) struct TorusTotals {
    /// Busy times and the like can be those of visits that go beyond.
    totals: Totals,
    of_stations: Sums,
    of_times: Sums,
    /// No station has a larger sum than this.
    most: u128,
}

impl TorusTotals {
    /// Of the time to which the rounds have come.
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
        let most = u128::from(results.largest(9)) + waits;
        Ok(Self { totals, of_stations, of_times: results.sums(14), most })
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

/// What there is at the end of a run, since `before` or since time 0.
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
    if now.most > u64::MAX.into() {
        read_state(rounds, torus, in_tiles)?.check(|_| torus.tokens_each())?;
    }
    let added_up = Some(now.since(before));
    Ok(Outcome { facilities: vec![], queue: vec![], services: vec![], from: from.min(until), until, added_up })
}
