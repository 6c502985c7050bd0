//! The interface of a model of logical processes.

use std::fmt::Debug;
use std::hash::Hash;

use super::ProcessError;
use super::gpu::DeviceModel;
use tickless_core::random::{Stream, StreamKey};
use tickless_core::time::Time;

mod sealed {
    pub trait Sealed {}
}

/// The words that a message carries: `[u32; 0]` to `[u32; 3]`.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// fn words<P: tickless::processes::Payload>(payload: P) -> usize {
///     payload.as_ref().len()
/// }
/// assert_eq!(words([7, 8]), 2);
/// ```
pub trait Payload:
    sealed::Sealed + Copy + Ord + Hash + Debug + AsRef<[u32]> + AsMut<[u32]> + Send + Sync + 'static
{
    /// The number of words.
    const WORDS: usize;
    /// Every word 0.
    const ZERO: Self;
}

macro_rules! payloads {
    ($($words:literal)*) => {$(
        impl sealed::Sealed for [u32; $words] {}
        impl Payload for [u32; $words] {
            const WORDS: usize = $words;
            const ZERO: Self = [0; $words];
        }
    )*};
}
payloads!(0 1 2 3);

/// A message, which is an event of its destination.
///
/// A process executes its messages in the order of (time, source, sequence), which is unique.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::{processes::Message, time::Time};
/// let message = Message { time: Time::UNIT, destination: 4, source: 2, sequence: 0, payload: [9] };
/// assert_eq!(message.key(), (Time::UNIT, 2, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message<P> {
    /// When it happens.
    pub time: Time,
    /// The process that executes it.
    pub destination: u32,
    /// The sender; for an event at the start the process itself.
    pub source: u32,
    /// The number of messages that its sender had sent before.
    pub sequence: u32,
    /// Its words.
    pub payload: P,
}

impl<P> Message<P> {
    /// The key that orders the messages of a process.
    pub fn key(&self) -> (Time, u32, u32) {
        (self.time, self.source, self.sequence)
    }
}

/// The messages that a process sends while it executes an event.
///
/// A test of a model can bring an outbox of its own:
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::processes::{Outbox, ProcessError};
/// use tickless::time::Time;
///
/// struct Kept(Vec<(u32, Time)>);
///
/// impl Outbox<[u32; 0]> for Kept {
///     fn send(&mut self, destination: u32, delay: Time, _: [u32; 0]) -> Result<(), ProcessError> {
///         self.0.push((destination, delay));
///         Ok(())
///     }
/// }
///
/// let mut outbox = Kept(vec![]);
/// outbox.send(3, Time::UNIT, [])?;
/// assert_eq!(outbox.0, [(3, Time::UNIT)]);
/// # Ok::<(), ProcessError>(())
/// ```
pub trait Outbox<P> {
    /// Sends a message, which arrives `delay` from now.
    ///
    /// # Errors
    /// A delay below the lookahead of the model, an unknown process, a time or a number of messages out of range. The
    /// run ends with the error.
    fn send(&mut self, destination: u32, delay: Time, payload: P) -> Result<(), ProcessError>;
}

/// A model of logical processes, numbered from 0 on.
///
/// An event may depend only on the state and the random stream of its process and on the message: then every backend
/// gives the same run.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::{device::Target, processes::{self, Message, Outbox, ProcessError, ProcessModel}};
/// use tickless::random::{Stream, StreamKey};
/// use tickless::time::Time;
///
/// /// A token goes round a ring of processes and is counted where it comes by.
/// struct Ring;
///
/// impl ProcessModel for Ring {
///     type State = [u32; 1];
///     type Payload = [u32; 1];
///
///     fn processes(&self) -> u32 {
///         5
///     }
///
///     fn lookahead(&self) -> Time {
///         Time::UNIT
///     }
///
///     fn until(&self) -> Time {
///         Time::from_ticks(100 << 32)
///     }
///
///     fn key(&self) -> StreamKey {
///         StreamKey::new(1, 0)
///     }
///
///     fn initialize(
///         &self,
///         process: u32,
///         _: &mut Stream,
///         first: &mut Vec<(Time, [u32; 1])>,
///     ) -> Result<[u32; 1], ProcessError> {
///         if process == 0 {
///             first.push((Time::ZERO, [0]));
///         }
///         Ok([0])
///     }
///
///     fn execute(
///         &self,
///         message: &Message<[u32; 1]>,
///         state: &mut [u32; 1],
///         _: &mut Stream,
///         outbox: &mut impl Outbox<[u32; 1]>,
///     ) -> Result<(), ProcessError> {
///         state[0] += 1;
///         let [hops] = message.payload;
///         outbox.send((message.destination + 1) % self.processes(), Time::UNIT, [hops + 1])
///     }
/// }
///
/// let run = processes::run(&Ring, Target::Heap, Default::default(), &mut tickless::run::unwatched())?;
/// assert_eq!(run.outcome.state, [20; 5]);
/// assert_eq!(run.outcome.pending[0].payload[0], 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ProcessModel {
    /// The state of a process. Its words are part of the digest, and all that a checkpoint keeps of it; every process has
    /// the same number of words.
    type State: AsRef<[u32]> + AsMut<[u32]>;
    /// The words of a message.
    type Payload: Payload;

    /// The number of processes.
    fn processes(&self) -> u32;

    /// The least time between an event and the arrival of a message that it sends; a tick or more.
    fn lookahead(&self) -> Time;

    /// The horizon: every event before it happens.
    fn until(&self) -> Time;

    /// The key of the processes' streams.
    fn key(&self) -> StreamKey;

    /// Its kernels; `None` where it has none, and no device runs it.
    fn device_model(&self) -> Option<DeviceModel> {
        None
    }

    /// The state of a process at time 0. Its first events, which are messages to itself, are pushed to `first`: when
    /// each happens (0 is allowed), and its payload. Draws from the stream stay drawn.
    ///
    /// # Errors
    /// Whatever ends the run without a result.
    fn initialize(
        &self,
        process: u32,
        stream: &mut Stream,
        first: &mut Vec<(Time, Self::Payload)>,
    ) -> Result<Self::State, ProcessError>;

    /// Executes an event of the process `message.destination`, whose state and stream are given.
    ///
    /// # Errors
    /// The error of [`Outbox::send`], and whatever else ends the run without a result.
    fn execute(
        &self,
        message: &Message<Self::Payload>,
        state: &mut Self::State,
        stream: &mut Stream,
        outbox: &mut impl Outbox<Self::Payload>,
    ) -> Result<(), ProcessError>;
}
