//! How ranks communicate.

use super::signal::Signal;
use super::{MOST_THREADS, Mail};

/// Why ranks cannot go on together.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::ranks::TransportError;
/// let error = TransportError::Gone { rank: 2 };
/// assert!(error.to_string().starts_with("rank 2 is gone"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// A rank has an error, which it reports itself.
    #[error("rank {rank} has ended with an error, so the run has no result")]
    Failed {
        /// The rank.
        rank: u32,
    },
    /// A rank has ended without a word.
    #[error("rank {rank} is gone in the midst of the run, which has no result: look for what it said last")]
    Gone {
        /// The rank.
        rank: u32,
    },
    /// Nothing was heard for too long.
    #[error(
        "rank {rank} has waited {seconds} s for another one: one of them is gone, or has far more to do in a round"
    )]
    Late {
        /// The rank.
        rank: u32,
        /// The longest wait.
        seconds: u64,
    },
    /// A thread did not start.
    #[error("the thread of rank {rank} does not start: use fewer ranks")]
    NoThread {
        /// The rank.
        rank: u32,
    },
    /// More threads than one process has room for.
    #[error(
        "{ranks} ranks are asked for as threads of one process; at most {MOST_THREADS} are allowed: use fewer ranks, or ranks of several \
         processes"
    )]
    TooManyThreads {
        /// The ranks.
        ranks: u32,
    },
    /// An error of the layer below.
    #[error("{what}")]
    Other {
        /// Its message.
        what: String,
    },
}

/// Communication between the ranks of a run. All ranks call every function but the first two in the same order. A function
/// returns when all ranks have come, or with an error within a stated time where a rank does not come.
///
/// ```
/// use tickless::ranks::{Mail, Transport, TransportError};
///
/// /// The only rank.
/// struct Alone;
///
/// impl Transport for Alone {
///     fn rank(&self) -> u32 {
///         0
///     }
///
///     fn ranks(&self) -> u32 {
///         1
///     }
///
///     fn least(&mut self, word: u64) -> Result<u64, TransportError> {
///         Ok(word)
///     }
///
///     fn exchange(&mut self, _: &mut Mail) -> Result<(), TransportError> {
///         Ok(())
///     }
///
///     fn gather(&mut self, words: Vec<u64>) -> Result<Vec<Vec<u64>>, TransportError> {
///         Ok(vec![words])
///     }
/// }
///
/// # use tickless::{device::Target, processes::{self, Phold}, ranks::Ranks, run::unwatched};
/// let model = Phold::new(9).check()?;
/// let run = processes::run(&model, Ranks::Over(&mut Alone), Default::default(), &mut unwatched())?;
/// let alone = processes::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.outcome.digest(), alone.outcome.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Transport {
    /// The number of this rank, from 0 on.
    fn rank(&self) -> u32;

    /// How many there are.
    fn ranks(&self) -> u32;

    /// The least of the words of all ranks.
    ///
    /// # Errors
    /// [`TransportError`].
    fn least(&mut self, word: u64) -> Result<u64, TransportError>;

    /// Takes the list for each rank of [`Mail::to`] and leaves it empty; brings a list from each rank of [`Mail::from`].
    ///
    /// # Errors
    /// [`TransportError`].
    fn exchange(&mut self, mail: &mut Mail) -> Result<(), TransportError>;

    /// On rank 0 the words of every rank, in rank order; on others nothing.
    ///
    /// # Errors
    /// [`TransportError`].
    fn gather(&mut self, words: Vec<u64>) -> Result<Vec<Vec<u64>>, TransportError>;
}

/// The error that ends the part of a rank.
#[derive(Debug)]
pub enum Failure<E> {
    /// An error of the part itself.
    Part(E),
    /// An error of another rank, or of the transport.
    Transport(TransportError),
}

impl<E> From<TransportError> for Failure<E> {
    fn from(error: TransportError) -> Self {
        Self::Transport(error)
    }
}

impl<E: From<TransportError>> Failure<E> {
    /// As an error of the family.
    #[doc(hidden)]
    pub fn into_error(self) -> E {
        match self {
            Self::Part(error) => error,
            Self::Transport(error) => error.into(),
        }
    }
}

/// Goes on where no rank has an error.
///
/// # Errors
/// The error of this rank where no lower rank has one, or the error that another rank failed.
pub fn agree<T, E>(transport: &mut dyn Transport, own: Result<T, E>) -> Result<T, Failure<E>> {
    let signal = if own.is_ok() { Signal::Done } else { Signal::Failed(transport.rank()) };
    match (transport.least(signal.word()).map(Signal::of), own) {
        // Of several errors the lowest rank's is reported: they may be the same.
        (Ok(Signal::Failed(rank)), own) if own.is_ok() || rank != transport.rank() => {
            Err(TransportError::Failed { rank }.into())
        }
        (_, Err(error)) => Err(Failure::Part(error)),
        (heard, Ok(own)) => heard.map(|_| own).map_err(Failure::Transport),
    }
}

/// On rank 0 the sums of the counts of all ranks; on others their own counts.
///
/// # Errors
/// [`TransportError`].
pub fn tally<const N: usize>(transport: &mut dyn Transport, own: [u64; N]) -> Result<[u64; N], TransportError> {
    let all = transport.gather(own.to_vec())?;
    if transport.rank() > 0 {
        return Ok(own);
    }
    Ok(std::array::from_fn(|place| all.iter().map(|words| words.get(place).copied().unwrap_or(0)).sum()))
}

/// The words of rank 0, on every rank. They are sent to one rank after the other, so that rank 0 has one copy at a
/// time.
///
/// # Errors
/// [`TransportError`].
pub fn spread(transport: &mut dyn Transport, words: Vec<u64>) -> Result<Vec<u64>, TransportError> {
    let (own, ranks) = (transport.rank(), transport.ranks());
    let mut heard = words;
    for rank in 1..ranks {
        let to = Some(rank).filter(|_| own == 0);
        let from = Some(0).filter(|_| own == rank);
        let mut mail = Mail::new(ranks, to, from);
        if own == 0 {
            mail.send(rank, &heard);
        }
        transport.exchange(&mut mail)?;
        if own == rank {
            heard = std::mem::take(mail.incoming_mut(0));
        }
    }
    Ok(heard)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranks::{ThreadTransport, side_by_side};

    #[test]
    fn every_rank_hears_what_the_first_says() {
        let say = |ranks: &mut ThreadTransport<'_>| {
            let own = if ranks.rank() == 0 { vec![7, u64::MAX, 9] } else { vec![] };
            spread(ranks, own)
        };
        let ends = side_by_side(std::num::NonZeroU32::new(4).unwrap(), say, say);
        assert_eq!(ends, vec![Ok(Ok(vec![7, u64::MAX, 9])); 4]);
    }
}
