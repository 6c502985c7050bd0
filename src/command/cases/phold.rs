//! `tickless phold`: the benchmark of logical processes that send each other messages.

mod arguments;
mod pictures;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::CommandError;
use crate::arguments::Nothing;
use crate::backend::{Ready, Suits};
use crate::case::{Case, Extent, RunOf, Wanted, Written, interrupted_at};
use crate::checkpoint::OverRanks;
use crate::checkpoint::{Resumable, SnapshotOf};
use crate::figures::{Declared, figures};
use crate::memory::{self, Room};
use crate::output::{OutputFile, write_csv_of};
use crate::page::Picture;
use crate::report::RunReport;
use crate::rounds::OtherRounds;
use crate::text::{Table, counted};
use crate::warning::Warning;
use arguments::{PholdArguments, PholdFiles};
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::ranks::Ranks;
use tickless_core::run::{Difference, Digest, Mapped, Run, SnapshotWatch, Watch, WithoutSnapshots};
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

figures! {
    /// The effective parameters. Times are in time units.
    pub struct PholdParameters(model: &PholdModel) {
        /// How many there are.
        processes: u32 = model.processes(), "processes": "{}";
        /// Events of each at the start.
        population: u32 = model.population(), "at the start": "{event} each";
        /// Their product: so many are pending at any time.
        events_at_start: u32 = model.events_at_start(), "at the start": " = {}";
        /// The least increment, as rounded to ticks.
        lookahead: f64 = model.lookahead().units(), "increment": "{}";
        /// The mean of the exponential part on top of it (1 by `--rate`), as rounded to ticks.
        mean: f64 = model.mean().units(), "increment": " + exponential:{}";
        /// Their sum.
        mean_increment: f64 = model.mean_increment(), "increment": "\nmean {}";
        /// The lookahead by the mean increment.
        lookahead_share: f64 = model.lookahead_share(), "increment": "{%} % of it lookahead";
        /// The probability that an event goes to a process drawn of all, as rounded to 2^-32.
        remote: f64 = model.remote().probability(), "destination": "drawn of all processes with probability {}";
        /// Further draws of an event.
        work: u32 = model.work(), "work": "{+further draw} an event";
        /// The horizon.
        until: f64 = model.until().units(), "until": "{=}";
        /// How many events a run until the horizon executes in the mean: `events_at_start` times `until` by `mean_increment`.
        expected_events: f64 = model.expected_events(model.until().units());
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

figures! {
    /// The figures of the processes.
    pub struct PholdStatistics(of: (&RunOf<PholdCase>, &ProcessStatistics, f64)) {
        /// Events executed, the sum over the processes.
        executed: u64 = of.1.executed;
        /// Messages sent, those at the start included.
        sent: u64 = of.1.sent;
        /// `events` by those expected until `clock`.
        expected_ratio: f64 = of.0.events as f64 / of.2.max(f64::MIN_POSITIVE), "executed": "{} of the events expected";
        /// The share of events that sent their message to another process than their own; `null` where the backend does not count them.
        remote_share: Option<f64> = of.0.details.remote_share(of.0.events),
            "remote share": "{} of the events sent to another process";
        /// Messages pending at the end.
        pending: u64 = of.1.pending, "pending": "{}";
        /// Of a process at the end, in the mean.
        mean_pending: f64 = of.1.mean_pending, "pending": "{} a process in the mean";
        /// The most of a process at the end.
        most_pending: u32 = of.1.most_pending, "pending": "{} at most";
        /// Processes that executed nothing.
        idle: u64 = of.1.idle, "idle": "{+process} executed nothing";
    }
}

impl Case for PholdCase {
    type Arguments = PholdArguments;
    type Options = Nothing;
    type Files = PholdFiles;
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
        target: Target<'_>,
        wanted: Wanted,
        _: Option<&mut OutputFile>,
        watch: &mut dyn Watch,
    ) -> Result<RunOf<Self>, CommandError> {
        let figures_only = wanted == Wanted::Figures;
        let options = ProcessOptions { figures_only, ..self.arguments.rounds.options() };
        let run = self.model.run((None, false), target.into(), options, &mut WithoutSnapshots(watch))?;
        self.set = run.details.pending.or(self.set);
        Ok(run.map(|end| end.outcome))
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
    type Checkpoint = Checkpoint;
    type Counts = ();

    fn run_from(
        &mut self,
        from: Option<&Arc<Checkpoint>>,
        target: Target<'_>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<Run<Checkpoint, ProcessDetails>, CommandError> {
        let course = (from.map(|from| &**from), true);
        let map = |snapshot: Stood| -> SnapshotOf<Self> { Box::new(|| Ok(snapshot()?)) };
        let watch = &mut Mapped { watch, map };
        let run = self.model.run(course, target.into(), self.arguments.rounds.options(), watch)?;
        self.set = run.details.pending.or(self.set);
        Ok(run)
    }

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

    fn outcome(&self, at: Checkpoint) -> Outcome {
        at.outcome
    }
}

impl OverRanks for PholdCase {
    fn check_over_ranks(&self, _: bool) -> Result<(), CommandError> {
        Ok(())
    }

    fn run_over(
        &mut self,
        ranks: Ranks<'_>,
        wanted: Wanted,
        _: Option<&mut OutputFile>,
        watch: &mut dyn Watch,
    ) -> Result<RunOf<Self>, CommandError> {
        let options = ProcessOptions { figures_only: wanted == Wanted::Figures, ..ProcessOptions::default() };
        let run = self.model.run((None, false), ranks.into(), options, &mut WithoutSnapshots(watch))?;
        Ok(run.map(|end| end.outcome))
    }

    fn run_from_over(
        &mut self,
        from: Option<&Checkpoint>,
        ranks: Ranks<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Run<Checkpoint, ProcessDetails>, CommandError> {
        let watch = &mut WithoutSnapshots(watch);
        Ok(self.model.run((from, true), ranks.into(), ProcessOptions::default(), watch)?)
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
