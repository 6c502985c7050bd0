//! Errors of models of logical processes, before and during a run.

use super::phold::MOST_EVENTS;
use tickless_core::memory::NoMemory;
use tickless_core::number::{Written, named};
use tickless_core::ranks::TransportError;
use tickless_core::run::Interrupted;
use tickless_core::time::Time;
use tickless_device::DeviceError;

/// A PHOLD that cannot run, found before anything is allocated.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::processes::{Phold, PholdError};
/// let error = Phold::new(0).check().unwrap_err();
/// assert!(matches!(error, PholdError::Processes { .. }));
/// assert_eq!(error.to_string(), "there are 0 processes; it must be from 1 to 4294967294");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PholdError {
    /// No process.
    #[error("there are {processes} processes; it must be from 1 to {MOST_EVENTS}")]
    Processes {
        /// The number of processes.
        processes: u32,
    },
    /// No event at the start: nothing would ever happen.
    #[error(
        "the population is {population}; each process needs from 1 to {MOST_EVENTS} events at the start, or nothing ever happens"
    )]
    Population {
        /// The events of each process at the start.
        population: u32,
    },
    /// More events than 32-bit numbers of places.
    #[error(
        "{processes} {} with {population} {} each are asked; at most {most} events in all can be numbered: use fewer",
        named(*.processes, "process"), named(*.population, "event")
    )]
    Events {
        /// The number of processes.
        processes: u32,
        /// The events of each process at the start.
        population: u32,
        /// The most events in all.
        most: u32,
    },
    /// A lookahead that is not allowed.
    #[error(
        "the lookahead is {}; it must be at least {least} time units (a tick, 2^-32) and below {most}",
        Written(*.lookahead)
    )]
    Lookahead {
        /// The lookahead, in time units.
        lookahead: f64,
        /// The shortest, in time units.
        least: f64,
        /// An exclusive upper bound, in time units.
        most: f64,
    },
    /// A mean with which increments hardly differ from the lookahead, or pass the range of times.
    #[error(
        "the mean of the exponential part of an increment is {}; it must lie between {least} and {most} time units \
             (as a rate, between {} and {}): shorter ones round to the same few ticks",
        Written(*.mean), Written(1.0 / most), Written(1.0 / least)
    )]
    Mean {
        /// The mean, in time units.
        mean: f64,
        /// The shortest, in time units.
        least: f64,
        /// The longest, in time units.
        most: f64,
    },
    /// A share of remote events that is not allowed.
    #[error("the probability of a remote event is {}; it must lie between 0 and 1", Written(*.remote))]
    Remote {
        /// The probability.
        remote: f64,
    },
    /// More work than an interruption or a watchdog should wait for.
    #[error("the work is {work} draws an event; at most {most} are allowed, with which one event takes milliseconds")]
    Work {
        /// The draws.
        work: u32,
        /// The most.
        most: u32,
    },
    /// A horizon that is not allowed.
    #[error(
        "until is {}; it must be at least a tick (2^-32 time units) and at most {most} time units, so that no time can \
             overflow",
        Written(*.until)
    )]
    Until {
        /// The horizon, in time units.
        until: f64,
        /// The latest horizon that these increments allow, in time units.
        most: f64,
    },
}

/// An error that ended a run of logical processes without a result.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::{processes::ProcessError, time::Time};
/// let error = ProcessError::Lookahead { process: 3, delay: Time::ZERO, lookahead: Time::UNIT };
/// assert!(error.to_string().starts_with("process 3 sends a message with a delay of 0 time units"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// The device refused, failed or went away.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A watch ended the set-up on the heap.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// A model without kernels on a device.
    #[error("the model has no kernels: run it on the heap, or let ProcessModel::device_model give them")]
    NoKernels,
    /// A number of kernels out of its range.
    #[error("DeviceModel::{field} is {}; it must be from {} to {}", Written(*.value), Written(*.least), Written(*.most))]
    DeviceModel {
        /// The field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The least allowed.
        least: f64,
        /// The most allowed.
        most: f64,
    },
    /// Kernels of another model.
    #[error(
        "DeviceModel::{field} is {device}, and the model of the processes says {model}: both describe one model, so let \
         DeviceModel::of take it from there"
    )]
    Disagree {
        /// The field.
        field: &'static str,
        /// Its value for a device.
        device: String,
        /// What the model of the processes says.
        model: String,
    },
    /// A checkpoint of another model.
    #[error("the checkpoint has {found} {what}, and this model has {expected}: go on with the model that left it")]
    Checkpoint {
        /// The quantity that differs.
        what: &'static str,
        /// Its value in the checkpoint.
        found: u64,
        /// Its value in the model.
        expected: u64,
    },
    /// Ranks that cannot go on together.
    #[error(transparent)]
    Ranks(#[from] TransportError),
    /// Blocks of processes that do not fit the ranks.
    #[error(
        "{blocks} {} with {processes} {} in all are given, for {ranks} {} and a model with {expected}: give each rank a \
             block of 1 or more, and all of them together the processes that there are",
        named(*.blocks, "block"), named(*.processes, "process"), named(*.ranks, "rank")
    )]
    Blocks {
        /// The blocks given.
        blocks: u64,
        /// The processes in them.
        processes: u64,
        /// The ranks.
        ranks: u64,
        /// The processes of the model.
        expected: u64,
    },
    /// A horizon too late for a run over ranks.
    #[error("until is {until} time units; over ranks it must be at most {most}: use a shorter horizon, or one rank")]
    Horizon {
        /// The horizon of the model.
        until: Time,
        /// The latest.
        most: Time,
    },
    /// More ranks than processes.
    #[error("{ranks} ranks are asked for a model with {processes} processes: use as many or fewer")]
    TooManyRanks {
        /// The ranks.
        ranks: u32,
        /// The processes.
        processes: u32,
    },
    /// A model without lookahead.
    #[error("the model's lookahead is 0; it must be a tick (2^-32 time units) or more")]
    NoLookahead,
    /// A message that arrives sooner than the model's lookahead allows.
    #[error(
        "process {process} sends a message with a delay of {delay} time units, and the model's lookahead is {lookahead}: \
             send it with a delay of that or more, or give the model a shorter lookahead"
    )]
    Lookahead {
        /// The sender.
        process: u32,
        /// The delay of the message.
        delay: Time,
        /// The lookahead of the model.
        lookahead: Time,
    },
    /// A message to a process that does not exist.
    #[error("process {process} sends a message to process {destination}; there are {processes}, from 0 on")]
    Destination {
        /// The sender.
        process: u32,
        /// The destination.
        destination: u32,
        /// The number of processes.
        processes: u32,
    },
    /// A message with a time out of range.
    #[error(
        "process {process} sends a message at time {now} with a delay of {delay}: its time passes the range of 2^32 time \
             units; use a shorter horizon or a larger time unit"
    )]
    Time {
        /// The sender.
        process: u32,
        /// When it sends.
        now: Time,
        /// The delay of the message.
        delay: Time,
    },
    /// More messages than sequence numbers of 32 bits.
    #[error("process {process} sends more than {} messages: use a shorter horizon or more processes", u32::MAX)]
    Messages {
        /// The sender.
        process: u32,
    },
    /// More messages of one event than the model announces: a device has no place for them.
    #[error(
        "process {process} sends message {} of one event at time {now}, and its model announces {most} at most: announce as \
             many as an event may send (DeviceModel::most_sent)",
        u64::from(*most) + 1
    )]
    MostSent {
        /// The sender.
        process: u32,
        /// When it sends.
        now: Time,
        /// [`DeviceModel::most_sent`](super::gpu::DeviceModel::most_sent).
        most: u32,
    },
    /// More events at the start than the model announces.
    #[error(
        "process {process} plans more than the {most} events at the start that its model announces: announce as many as a \
             process may have (DeviceModel::starting)"
    )]
    Starting {
        /// The process.
        process: u32,
        /// [`DeviceModel::starting`](super::gpu::DeviceModel::starting).
        most: u32,
    },
    /// States of another length than the model announces.
    #[error(
        "the state of a process has {words} words, and its model announces {announced}: announce as many as there are \
             (DeviceModel::state_words)"
    )]
    StateWords {
        /// The words of the state.
        words: usize,
        /// [`DeviceModel::state_words`](super::gpu::DeviceModel::state_words).
        announced: u32,
    },
    /// A word of state beyond those of a device.
    #[error(
        "process {process} reads or writes word {word} of its state, and it has {words}, from 0 on: announce as many as there \
             are (DeviceModel::state_words)"
    )]
    StateWord {
        /// The process.
        process: u32,
        /// The word.
        word: u32,
        /// [`DeviceModel::state_words`](super::gpu::DeviceModel::state_words).
        words: u32,
    },
    /// An index outside of an array in the user's own WGSL.
    #[error(
        "process {process} at time {now}: {file}, line {line}: the index {index} lies outside of the array: {text}"
    )]
    Outside {
        /// The process of the event.
        process: u32,
        /// The time of the event.
        now: Time,
        /// The name of the text: [`Source::own`](tickless_kernels::Source::own).
        file: String,
        /// Its line, from 1 on.
        line: u32,
        /// The text of that line.
        text: String,
        /// The index.
        index: u32,
    },
    /// States of different lengths.
    #[error("the state of process {process} has {words} words and that of process 0 has {expected}: give all the same")]
    State {
        /// The first process that differs.
        process: u32,
        /// The words of its state.
        words: usize,
        /// The words of the state of process 0.
        expected: usize,
    },
    /// An error that the model reports.
    #[error(transparent)]
    Model(#[from] Box<dyn std::error::Error + Send + Sync>),
    /// More pending events of a process than allowed.
    #[error(
        "at time {clock:.3} a process has {needed} pending events, and may have {most}: allow at least {needed} \
             (--max-pending; more if it goes on growing), or use a shorter horizon"
    )]
    Pending {
        /// Every event before this time has happened, in time units.
        clock: f64,
        /// The most pending events of a process.
        needed: u32,
        /// The most allowed.
        most: u32,
    },
    /// More pending events of all processes than allowed in the mean, with one heap for all.
    #[error(
        "at time {clock:.3} processes have {needed} pending events in the mean (rounded up), and may have {most}: allow at \
             least {needed} (--max-pending; more if they go on growing), or use a shorter horizon"
    )]
    MeanPending {
        /// Every event before this time has happened, in time units.
        clock: f64,
        /// The pending events of a process in the mean.
        needed: u32,
        /// The most allowed.
        most: u32,
    },
    /// A size of nodes of the heap of all processes that is not allowed.
    #[error("a node of the global heap has {node} events; it may have 1 to {most} (--node-size)")]
    Node {
        /// The events asked for.
        node: u32,
        /// The most.
        most: u32,
    },
}
