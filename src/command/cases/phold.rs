//! `tickless phold`: the benchmark of logical processes that send each other messages.

mod arguments;
mod pictures;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::CommandError;
use crate::arguments::Nothing;
use crate::backend::{Ready, Suits};
use crate::case::{Case, Extent, PartOf, RunOf, SnapshotOf, Wanted, Written, interrupted_at};
use crate::checkpoint::{OverRanks, Resumable};
use crate::figures::{Declared, result_fields};
use crate::memory::{self, Room};
use crate::output::{OutputFile, write_csv_of};
use crate::page::Picture;
use crate::report::RunReport;
use crate::rounds::OtherRounds;
use crate::text::{Table, counted, grouped, share, short};
use crate::warning::Warning;
use arguments::{PholdArguments, PholdFiles};
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::ranks::Ranks;
use tickless_core::run::{Difference, Digest, Mapped, RunMode, SnapshotWatch, Watch, WithoutSnapshots};
use tickless_device::Target;
use tickless_engine::pending::PendingSet;
use tickless_processes::gpu::ProcessOptions;
use tickless_processes::{Checkpoint, Outcome, PholdModel, ProcessDetails, ProcessRecord, ProcessStatistics, Stood};

/// PHOLD that is to run.
pub struct PholdCase {
    arguments: PholdArguments,
    /// The pending event set of the last run on a device.
    set: Option<PendingSet>,
    model: PholdModel,
}

result_fields! {
    /// The effective parameters. Times are in time units.
    pub struct PholdParameters(model: &PholdModel) {
        /// How many there are.
        processes: u32 = model.processes();
        /// Events of each at the start.
        population: u32 = model.population();
        /// Their product: so many are pending at any time.
        events_at_start: u32 = model.events_at_start();
        /// The least increment, as rounded to ticks.
        lookahead: f64 = model.lookahead().units();
        /// The mean of the exponential part on top of it (1 by `--rate`), as rounded to ticks.
        mean: f64 = model.mean().units();
        /// Their sum.
        mean_increment: f64 = model.mean_increment();
        /// The lookahead by the mean increment.
        lookahead_share: f64 = model.lookahead_share();
        /// The probability that an event goes to a process drawn of all, as rounded to 2^-32.
        remote: f64 = model.remote().probability();
        /// Further draws of an event.
        work: u32 = model.work();
        /// The horizon.
        until: f64 = model.until().units();
        /// How many events a run until the horizon executes in the mean: `events_at_start` times `until` by `mean_increment`.
        expected_events: f64 = model.expected_events(model.until().units());
    } printed(of) {
        "processes": grouped(of.processes.into());
        "at the start": format!("{} each = {}", counted(of.population.into(), "event"), grouped(of.events_at_start.into()));
        "increment": format!("{} + exponential:{}", short(of.lookahead), short(of.mean));
        "": format!("mean {}, {} % of it lookahead", short(of.mean_increment), short(100.0 * of.lookahead_share));
        "destination": match of.remote {
            0.0 => "its own process".to_owned(),
            1.0 => "drawn of all processes".to_owned(),
            remote => format!("drawn of all processes with probability {}, else its own", share(remote)),
        };
        "work": (of.work > 0).then(|| format!("{} an event", counted(of.work.into(), "further draw")));
        "until": of.until.to_string();
    }
}

/// What a run gave. How pending events were kept is `null` on the heap.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PholdFigures {
    /// The set of pending events that the run had on a device, a name of `--pending`; `null` on the heap.
    pending_set: Option<&'static str>,
    /// What `--per-round` was on a device; `null` on the heap.
    per_round: Option<&'static str>,
    /// Events of a node at the end of the run, with `--pending global-heap`: a power of two; `null` with any other set and on the heap. A
    /// round is what takes out one root of the heap then (so many events at most), so `rounds` may be more than with another set.
    node_size: Option<u32>,
    /// The figures of the processes.
    statistics: PholdStatistics,
}

result_fields! {
    /// The figures of the processes.
    pub struct PholdStatistics(of: (&RunOf<PholdCase>, &ProcessStatistics, f64)) {
        /// Events executed, the sum over the processes.
        executed: u64 = of.1.executed;
        /// Messages sent, those at the start included.
        sent: u64 = of.1.sent;
        /// `events` by those expected until `clock`.
        expected_ratio: f64 = of.0.events as f64 / of.2.max(f64::MIN_POSITIVE);
        /// The share of events that sent their message to another process than their own; `null` where the backend does not count them.
        remote_share: Option<f64> = of.0.details.remote_share(of.0.events);
        /// Messages pending at the end.
        pending: u64 = of.1.pending;
        /// Of a process at the end, in the mean.
        mean_pending: f64 = of.1.mean_pending;
        /// The most of a process at the end.
        most_pending: u32 = of.1.most_pending;
        /// Processes that executed nothing.
        idle: u64 = of.1.idle;
    } printed(of) {
        "executed": format!("{} of the events expected", share(of.expected_ratio));
        "remote share": of.remote_share.map(|remote| format!("{} of the events sent to another process", share(remote)));
        "pending": {
            let (pending, most) = (grouped(of.pending), grouped(of.most_pending.into()));
            format!("{pending}, {} a process in the mean, {most} at most", short(of.mean_pending))
        };
        "idle": (of.idle > 0).then(|| format!("{} executed nothing", counted(of.idle, "process")));
    }
}

impl Case for PholdCase {
    type Arguments = PholdArguments;
    type Options = Nothing;
    type Files = PholdFiles;
    type Checkpoint = Checkpoint;
    type Outcome = Outcome;
    type Details = ProcessDetails;
    type Parameters = PholdParameters;
    type Figures = PholdFigures;

    const SIDE_BY_SIDE: bool = false;
    const NAME: &'static str = "phold";
    const ABOUT: &'static str = "PHOLD, the benchmark of logical processes that send each other messages";

    fn prepare(arguments: PholdArguments, _: &Nothing, _: &PholdFiles) -> Result<Self, CommandError> {
        let model = arguments.check()?;
        arguments.rounds.check()?;
        Ok(Self { arguments, set: None, model })
    }

    fn arguments(&self) -> PholdArguments {
        let mut arguments = self.arguments.clone();
        arguments.rounds.repeat_with(self.set);
        arguments
    }

    fn seed(&self) -> Option<u64> {
        Some(self.model.seed())
    }

    fn remarks(&self) -> Vec<Warning> {
        let (until, lookahead) = (self.model.until(), self.model.lookahead());
        let idle = Warning::NothingHappens { until: until.units(), lookahead: lookahead.units() };
        if until <= lookahead { vec![idle] } else { vec![] }
    }

    fn suits(&self) -> Suits {
        // In a round time goes on by the lookahead or more.
        let events = f64::from(self.model.events_at_start()) * self.model.lookahead_share();
        Suits::by_events(events, "model", Suits::Messages)
    }

    fn check_options(&self, backend: &Ready) -> Result<(), CommandError> {
        if backend.is_heap() { self.arguments.rounds.check_unused() } else { Ok(()) }
    }

    fn check_size(&self, room: &Room<'_>, wanted: Wanted) -> Result<(), CommandError> {
        let added_up = wanted == Wanted::Figures && self.arguments.rounds.options().pending.tells_by_slot();
        let checkpoint = memory::of_phold_checkpoint(&self.model);
        let available = memory::beside(checkpoint, wanted, room.available());
        memory::check_phold(&self.model, added_up, room.kind(), available)
    }

    fn run(
        &mut self,
        mode: RunMode<'_, Arc<Checkpoint>>,
        target: Target<'_>,
        _: Option<&mut OutputFile>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<PartOf<Self>, CommandError> {
        let figures_only = mode.wanted == Wanted::Figures;
        let options = ProcessOptions { figures_only, ..self.arguments.rounds.options() };
        let map = |snapshot: Stood| -> SnapshotOf<Self> { Box::new(|| Ok(snapshot()?)) };
        let run = self.model.run(mode.unshared(), target.into(), options, &mut Mapped { watch, map })?;
        self.set = run.details.pending.or(self.set);
        Ok(run)
    }

    fn outcome(&self, at: Checkpoint) -> Outcome {
        at.outcome
    }

    fn digest(outcome: &Outcome) -> Digest {
        outcome.digest()
    }

    fn difference(&self, first: &Outcome, other: &Outcome) -> Option<Difference> {
        first.first_difference(other)
    }

    fn parameters(&self) -> PholdParameters {
        PholdParameters::new(&self.model)
    }

    fn figures(&self, run: &RunOf<Self>, _: Extent) -> PholdFigures {
        let pending = run.details.pending;
        // An interrupted run is compared with the events expected up to its clock.
        let expected = self.model.expected_events(run.clock.units());
        PholdFigures {
            pending_set: pending.map(PendingSet::name),
            per_round: pending.map(|_| self.arguments.rounds.events_a_round().name()),
            node_size: run.details.node,
            statistics: PholdStatistics::new((run, &run.outcome.statistics(), expected)),
        }
    }

    fn pictures(&self, run: &RunOf<Self>, _: &PholdFigures) -> Vec<Picture> {
        pictures::picture(&run.outcome).into_iter().collect()
    }

    fn files(files: &PholdFiles) -> Vec<Written<'_, Self>> {
        let processes = Written::asked("--processes-csv", files.processes_csv.as_ref(), |_: &Self, run, _, out| {
            write_csv_of(out, run.outcome.processes.len(), lines(&run.outcome))
        });
        processes.into_iter().collect()
    }

    fn describe(&self, parameters: &PholdParameters, table: &mut Table) {
        parameters.tell(table);
    }

    /// How pending events were kept on a device.
    fn method(figures: &PholdFigures) -> Vec<String> {
        let nodes = figures.node_size.map(|size| format!(", nodes of {}", counted(size.into(), "event")));
        let kept = figures.pending_set.zip(figures.per_round);
        let line = |(set, events)| format!("{set}, {events} of a process in a round{}", nodes.unwrap_or_default());
        kept.map(line).into_iter().collect()
    }

    fn interruption(&self, parameters: &PholdParameters, run: &RunReport<PholdFigures>) -> String {
        interrupted_at(run.clock, parameters.until)
    }

    fn tell(&self, run: &RunReport<PholdFigures>, table: &mut Table) {
        run.figures.statistics.tell(table);
    }
}

impl Resumable for PholdCase {
    type Counts = ();

    fn arrays(at: &Checkpoint) -> Result<Arrays, ArchiveError> {
        at.arrays()
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<Checkpoint, ArchiveError> {
        Checkpoint::from_arrays(self.model.processes(), arrays)
    }

    fn run_otherwise(arguments: &mut PholdArguments, others: &OtherRounds) -> Result<(), CommandError> {
        others.check(Self::NAME, &["--pending", "--max-pending"])?;
        arguments.rounds.run_otherwise(others);
        Ok(())
    }
}

impl OverRanks for PholdCase {
    fn run_over(
        &mut self,
        mode: RunMode<'_, Checkpoint>,
        ranks: Ranks<'_>,
        _: Option<&mut OutputFile>,
        watch: &mut dyn Watch,
    ) -> Result<PartOf<Self>, CommandError> {
        Ok(self.model.run(mode, ranks.into(), ProcessOptions::default(), &mut WithoutSnapshots(watch))?)
    }
}

/// A line of `--processes-csv`. `docs/json.md` describes each column. Times are in time units.
#[derive(Serialize)]
struct Line {
    process: usize,
    executed: u64,
    sent: u32,
    last_event: Option<f64>,
    pending: u32,
    next_event: Option<f64>,
    checksum: u32,
}

fn lines(outcome: &Outcome) -> impl Fn(usize) -> Line + Sync {
    let begin = |end: &mut usize, record: &ProcessRecord| {
        let begin = *end;
        *end += record.pending as usize;
        Some(begin)
    };
    let begins: Vec<usize> = outcome.processes.iter().scan(0, begin).collect();
    move |process| {
        let record = &outcome.processes[process];
        let first = outcome.pending.get(begins[process]).filter(|_| record.pending > 0);
        Line {
            process,
            executed: record.executed,
            sent: record.sent,
            last_event: (record.executed > 0).then(|| record.last.units()),
            pending: record.pending,
            next_event: first.map(|message| message.time.units()),
            checksum: outcome.state[process],
        }
    }
}
