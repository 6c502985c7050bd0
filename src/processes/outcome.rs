//! The final record of every process, the figures of a run, and its details.

use rayon::prelude::*;
use serde::Serialize;

use tickless_core::run::Sums;
use tickless_core::time::Time;
use tickless_engine::pending::PendingSet;

/// The counts of one process, and its pending messages.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// let record = tickless::processes::ProcessRecord::default();
/// assert_eq!((record.executed, record.pending), (0, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ProcessRecord {
    /// Events executed.
    pub executed: u64,
    /// Messages sent, its events at the start included.
    pub sent: u32,
    /// The time of the last event executed; 0 where none was.
    pub last: Time,
    /// Messages that the process has not executed.
    pub pending: u32,
}

/// A message that was not executed.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::{processes::PendingMessage, time::Time};
/// let message = PendingMessage { time: Time::UNIT, source: 3, sequence: 7, payload: [0; 3] };
/// assert!(message.key() < (Time::UNIT, 4, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PendingMessage {
    /// When it would happen: at the end of the run or later.
    pub time: Time,
    /// The sender.
    pub source: u32,
    /// The number of messages that its sender had sent before.
    pub sequence: u32,
    /// Its payload; words that its model does not use are 0.
    pub payload: [u32; 3],
}

impl PendingMessage {
    /// The key that orders the messages of a process.
    pub fn key(&self) -> (Time, u32, u32) {
        (self.time, self.source, self.sequence)
    }
}

/// The end of a run: a record for each process, their states, and the messages that are pending.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::{device::Target, processes::{self, Phold}};
/// let model = Phold::new(10).population(3).until(5.0).check()?;
/// let outcome = processes::run(&model, Target::Heap, Default::default(), &mut tickless::run::unwatched())?.outcome;
/// assert_eq!(outcome.pending.len(), 30);
/// assert_eq!((outcome.state.len(), outcome.state_words()), (10, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// One record a process, in id order.
    pub processes: Vec<ProcessRecord>,
    /// The words of the states: process after process, with the same number each.
    pub state: Vec<u32>,
    /// The pending messages: process after process, in the order in which each would execute them.
    pub pending: Vec<PendingMessage>,
    /// How many words of a payload the model uses, 0 to 3.
    pub payload_words: usize,
    /// Where the run ended: every event before this time was executed, and no other event.
    pub until: Time,
    /// Set instead of the records where the caller did not ask for records and a device or ranks have added them up; the
    /// three lists are empty then.
    pub added_up: Option<AddedUp>,
}

/// The sums of the records of all processes, added up on a device: enough for the figures and for the digest.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::processes::Outcome;
/// fn executed(outcome: &Outcome) -> u64 {
///     outcome.added_up.map_or_else(|| outcome.totals().executed, |added_up| added_up.totals.executed)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddedUp {
    /// The base of the figures.
    pub totals: Totals,
    /// The base of the digest.
    #[doc(hidden)]
    pub sums: Sums,
}

/// The totals of the records of all processes.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// assert_eq!(tickless::processes::Totals::default().executed, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of processes.
    pub processes: u64,
    /// The words of the state of a process.
    pub state_words: usize,
    /// Events executed.
    pub executed: u64,
    /// Messages sent, those at the start included.
    pub sent: u64,
    /// Messages pending.
    pub pending: u64,
    /// The most messages pending at one process.
    pub most_pending: u32,
    /// Processes that executed nothing.
    pub idle: u64,
}

/// The figures of a run.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// # use tickless::{device::Target, processes::{self, Phold}};
/// let model = Phold::new(10).population(3).check()?;
/// let figures = processes::run(&model, Target::Heap, Default::default(), &mut tickless::run::unwatched())?.outcome.statistics();
/// assert_eq!(figures.sent, figures.executed + 30);
/// assert_eq!((figures.pending, figures.mean_pending), (30, 3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ProcessStatistics {
    /// Events executed.
    pub executed: u64,
    /// Messages sent, those at the start included.
    pub sent: u64,
    /// Messages pending at the end.
    pub pending: u64,
    /// The mean number of pending messages of a process.
    pub mean_pending: f64,
    /// The most messages pending at one process.
    pub most_pending: u32,
    /// Processes that executed nothing.
    pub idle: u64,
}

impl Outcome {
    /// The words of the state of a process.
    pub fn state_words(&self) -> usize {
        self.added_up.map_or(self.state.len() / self.processes.len().max(1), |added_up| added_up.totals.state_words)
    }

    /// The totals of the records, on all cores.
    pub fn totals(&self) -> Totals {
        let sum = |field: fn(&ProcessRecord) -> u64| self.processes.par_iter().map(field).sum::<u64>();
        let all = || Totals {
            processes: self.processes.len() as u64,
            state_words: self.state_words(),
            executed: sum(|record| record.executed),
            sent: sum(|record| record.sent.into()),
            pending: sum(|record| record.pending.into()),
            most_pending: self.processes.iter().map(|record| record.pending).max().unwrap_or(0),
            idle: sum(|record| u64::from(record.executed == 0)),
        };
        self.added_up.map_or_else(all, |added_up| added_up.totals)
    }

    /// The figures. A mean over nothing is 0.
    pub fn statistics(&self) -> ProcessStatistics {
        let Totals { processes, executed, sent, pending, most_pending, idle, .. } = self.totals();
        let mean_pending = pending as f64 / processes.max(1) as f64;
        ProcessStatistics { executed, sent, pending, mean_pending, most_pending, idle }
    }
}

/// The details of a run of logical processes beside its records.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::{device::Target, processes::{self, Phold}};
/// let run = processes::run(&Phold::new(100).until(20.0).check()?, Target::Heap, Default::default(), &mut tickless::run::unwatched())?;
/// assert_eq!(run.events, run.outcome.statistics().executed);
/// assert!(run.details.remote.unwrap() > 0 && run.details.pending.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProcessDetails {
    /// Messages from events to another process than their own, where the backend counts them.
    pub remote: Option<u64>,
    /// How pending events were kept, on a device.
    pub pending: Option<PendingSet>,
    /// Events of a node of [`PendingSet::GlobalHeap`] at the end of the run; `None` with any other set.
    pub node: Option<u32>,
}

impl ProcessDetails {
    /// The ratio of the messages to another process than their sender's to the events that the run has executed; `None`
    /// where the backend does not count them. Where every event sends one message, as in PHOLD, it is the share of these
    /// messages.
    pub fn remote_share(&self, events: u64) -> Option<f64> {
        self.remote.map(|remote| remote as f64 / events.max(1) as f64)
    }
}
