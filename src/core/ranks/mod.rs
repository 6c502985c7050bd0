//! One large run over several ranks: each has a part of the entities and its own event list, and rounds end at a time that all
//! agree on.
//!
//! A rank is a thread of this process ([`Ranks::Threads`]), or a process of its own behind a [`Transport`] of the user's
//! ([`Ranks::Over`]). The digest is that of the run on one heap, whatever the number of ranks.

mod mail;
mod neighbours;
mod signal;
mod threads;
mod transport;
#[doc(hidden)]
pub mod windows;

use std::num::NonZeroU32;

use crate::run::{Watch, unwatched};

pub use mail::Mail;
pub use threads::{MOST_THREADS, ThreadTransport, side_by_side};
#[doc(hidden)]
pub use transport::{Failure, agree, spread, tally};
pub use transport::{Transport, TransportError};
#[doc(hidden)]
pub use windows::{HeapPart, Part};

/// The ranks of a run.
///
/// ```
/// use std::num::NonZeroU32;
/// use tickless::processes::{self, Phold};
/// use tickless::{device::Target, ranks::Ranks, run::unwatched};
/// let model = Phold::new(64).population(2).until(50.0).check()?;
/// let four = Ranks::Threads(NonZeroU32::new(4).unwrap());
/// let run = processes::run(&model, four, Default::default(), &mut unwatched())?;
/// let alone = processes::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.outcome.digest(), alone.outcome.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub enum Ranks<'a> {
    /// Threads of this process, at most [`MOST_THREADS`].
    Threads(NonZeroU32),
    /// This process and others, all of which call the same function with the same model. Rank 0 alone gets the result.
    Over(&'a mut dyn Transport),
}

impl Ranks<'_> {
    /// How many there are.
    pub fn count(&self) -> u32 {
        match self {
            Self::Threads(count) => count.get(),
            Self::Over(transport) => transport.ranks(),
        }
    }

    /// The same ranks, for one of several runs.
    #[doc(hidden)]
    pub fn again(&mut self) -> Ranks<'_> {
        match self {
            Self::Threads(count) => Ranks::Threads(*count),
            Self::Over(transport) => Ranks::Over(&mut **transport),
        }
    }

    /// Whether rank 0 is in this process.
    #[doc(hidden)]
    pub fn has_first(&self) -> bool {
        match self {
            Self::Threads(_) => true,
            Self::Over(transport) => transport.rank() == 0,
        }
    }

    /// Goes on where there are not too many ranks and none has an error.
    #[doc(hidden)]
    pub fn agree<T, E>(&mut self, own: impl FnOnce() -> Result<T, E>) -> Result<T, Failure<E>> {
        match self {
            Self::Threads(count) => {
                threads::check(*count).map_err(Failure::Transport)?;
                own().map_err(Failure::Part)
            }
            Self::Over(transport) => agree(*transport, own()),
        }
    }

    /// Runs a part on every rank of this process; the result of rank 0, or the error of the lowest rank with one of its own.
    #[doc(hidden)]
    pub fn run<T: Send, E: Send>(
        self,
        part: impl Fn(&mut dyn Transport, &mut dyn Watch) -> Result<Option<T>, Failure<E>> + Sync,
        watch: &mut dyn Watch,
    ) -> Result<Option<T>, Failure<E>> {
        self.run_giving((), |transport, _, watch| part(transport, watch), watch)
    }

    /// The same with a value that only the caller's rank is given: the first thread, or this process.
    #[doc(hidden)]
    pub fn run_giving<G, T: Send, E: Send>(
        self,
        given: G,
        part: impl Fn(&mut dyn Transport, Option<G>, &mut dyn Watch) -> Result<Option<T>, Failure<E>> + Sync,
        watch: &mut dyn Watch,
    ) -> Result<Option<T>, Failure<E>> {
        let count = match self {
            Self::Over(transport) => return part(transport, Some(given), watch),
            Self::Threads(count) => count,
        };
        let first = |transport: &mut ThreadTransport<'_>| part(transport, Some(given), watch);
        let mut ends = side_by_side(count, first, |transport| part(transport, None, &mut unwatched())).into_iter();
        let first = ends.next().unwrap_or(Ok(Ok(None)));
        let mut of_transport = None;
        let mut given = None;
        for (rank, end) in std::iter::once(first).chain(ends).enumerate() {
            match end {
                Ok(Ok(value)) if rank == 0 => given = value,
                Ok(Ok(_)) => {}
                Ok(Err(Failure::Part(error))) => return Err(Failure::Part(error)),
                // A thread's own error says more than the errors of others that miss it.
                Err(error) => of_transport = Some(error),
                Ok(Err(Failure::Transport(error))) => of_transport = of_transport.or(Some(error)),
            }
        }
        of_transport.map_or(Ok(given), |error| Err(Failure::Transport(error)))
    }
}
