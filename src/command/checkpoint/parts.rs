//! The runners of the parts of a run that leaves checkpoints: one heap or device, or ranks.

use std::sync::Arc;

use serde_json::Value;

use super::Resumable;
use crate::CommandError;
use crate::backend::Ready;
use crate::case::{PartOf, SnapshotOf};
use crate::output::OutputFile;
use crate::run::Given;
use crate::warning::Warning;
use tickless_core::archive::{self, ArchiveError, Arrays};
use tickless_core::ranks::{self, Failure, Ranks, Transport, TransportError};
use tickless_core::run::{RunMode, SnapshotWatch, Watch, unwatched};

/// A model whose single runs can go over ranks.
pub trait OverRanks: Resumable {
    /// Refuses options that exclude ranks, or ranks of other processes.
    ///
    /// # Errors
    /// [`CommandError::Usage`], which names the option.
    fn check_over_ranks(&self, _of_processes: bool) -> Result<(), CommandError> {
        Ok(())
    }

    /// Runs it until the watch stops it or the horizon; on ranks of other processes than that of rank 0, which alone has a log, the outcome is
    /// empty. What goes on from a checkpoint has none.
    ///
    /// # Errors
    /// As the heap, and errors of ranks.
    fn run_over(
        &mut self,
        mode: RunMode<'_, Self::Checkpoint>,
        ranks: Ranks<'_>,
        log: Option<&mut OutputFile>,
        watch: &mut dyn Watch,
    ) -> Result<PartOf<Self>, CommandError>;
}

/// A runner of the parts of a run.
pub trait Parts<C: Resumable> {
    /// Refuses a model that cannot run this way.
    ///
    /// # Errors
    /// The option to leave out.
    fn check(&self, _: &C) -> Result<(), CommandError> {
        Ok(())
    }

    /// The number of ranks that share the run, if there are ranks.
    fn ranks(&self) -> Option<u32> {
        None
    }

    /// Called once all is ready, before the first part.
    ///
    /// # Errors
    /// Ranks that are not ready.
    fn begin(&mut self) -> Result<(), CommandError> {
        Ok(())
    }

    /// Runs a part, from a checkpoint or from time 0.
    ///
    /// # Errors
    /// As the backend.
    fn run(
        &mut self,
        case: &mut C,
        from: Option<&Arc<C::Checkpoint>>,
        backend: &Ready,
        watch: &mut dyn SnapshotWatch<SnapshotOf<C>>,
    ) -> Result<PartOf<C>, CommandError>;

    /// Called after the last part.
    ///
    /// # Errors
    /// A rank that is gone.
    fn end(&mut self) -> Result<(), CommandError> {
        Ok(())
    }

    /// Opens the backend of the parts, at the beginning and again, and returns its warnings.
    ///
    /// # Errors
    /// Options that exclude each other; an adapter that does not open.
    fn open(&self, case: &C, given: Given<'_>) -> Result<(Ready, Vec<Warning>), CommandError> {
        Ready::choose(given.backend, given.device, case.suits_in_parts())
    }
}

/// One heap or one device.
pub struct Alone;

impl<C: Resumable> Parts<C> for Alone {
    fn run(
        &mut self,
        case: &mut C,
        from: Option<&Arc<C::Checkpoint>>,
        backend: &Ready,
        watch: &mut dyn SnapshotWatch<SnapshotOf<C>>,
    ) -> Result<PartOf<C>, CommandError> {
        case.run(RunMode::restartable(from), backend.target(), None, watch)
    }
}

/// Ranks, of which this process has the first.
pub struct Shared<'a> {
    pub ranks: Ranks<'a>,
    /// Whether all ranks have heard that this one is ready.
    pub ready: &'a mut bool,
}

/// The message of rank 0 before a part, and after the last one.
const ANOTHER: u64 = 1;
const NO_OTHER: u64 = 0;
/// The message of the other ranks meanwhile.
const ASK: u64 = u64::MAX;

impl<C: OverRanks> Parts<C> for Shared<'_> {
    fn check(&self, case: &C) -> Result<(), CommandError> {
        case.check_over_ranks(matches!(self.ranks, Ranks::Over(_)))
    }

    fn ranks(&self) -> Option<u32> {
        Some(self.ranks.count())
    }

    fn begin(&mut self) -> Result<(), CommandError> {
        let Ranks::Over(transport) = &mut self.ranks else { return Ok(()) };
        *self.ready = true;
        agree(*transport, Ok(()))
    }

    fn run(
        &mut self,
        case: &mut C,
        from: Option<&Arc<C::Checkpoint>>,
        _: &Ready,
        watch: &mut dyn SnapshotWatch<SnapshotOf<C>>,
    ) -> Result<PartOf<C>, CommandError> {
        let from = from.map(|from| &**from);
        if let Ranks::Over(transport) = &mut self.ranks {
            transport.least(ANOTHER)?;
            let arrays = from.map_or_else(|| Ok(Arrays::default()), C::arrays).map_err(untold);
            tell(*transport, arrays.map(|arrays| (Value::Bool(from.is_some()), arrays)))?;
            agree(*transport, Ok(()))?;
        }
        case.run_over(RunMode::restartable(from), self.ranks.again(), None, watch)
    }

    fn end(&mut self) -> Result<(), CommandError> {
        if let Ranks::Over(transport) = &mut self.ranks {
            transport.least(NO_OTHER)?;
        }
        Ok(())
    }

    fn open(&self, _: &C, given: Given<'_>) -> Result<(Ready, Vec<Warning>), CommandError> {
        Ready::over_ranks(given.backend, given.device)
    }
}

/// The work of all ranks but the first, in processes of their own: every part that rank 0 begins.
///
/// # Errors
/// An error of this rank, or a note that another rank has an error.
pub fn follow<C: OverRanks>(case: &mut C, transport: &mut dyn Transport) -> Result<(), CommandError> {
    while transport.least(ASK)? == ANOTHER {
        let (is_there, arrays) = hear(transport)?;
        let at = (is_there == Value::Bool(true)).then(|| case.checkpoint(arrays)).transpose();
        let at = agree(transport, at.map_err(untold))?;
        case.run_over(RunMode::restartable(at.as_ref()), Ranks::Over(transport), None, &mut unwatched())?;
    }
    Ok(())
}

/// The kind of messages to ranks, which have the form of a file.
const KIND: &str = "message";

/// Sends a message to all other ranks.
///
/// # Errors
/// The error in place of a message; too little memory; a rank that is gone.
pub fn tell(transport: &mut dyn Transport, what: Result<(Value, Arrays), CommandError>) -> Result<(), CommandError> {
    let bytes = what.and_then(|(head, arrays)| archive::write(KIND, &head, &arrays).map_err(untold));
    let bytes = agree(transport, bytes)?;
    let words = in_words(&bytes);
    drop(bytes);
    ranks::spread(transport, words)?;
    Ok(())
}

/// Receives a message of rank 0.
///
/// # Errors
/// Too little memory; an error of rank 0, or its absence.
pub fn hear(transport: &mut dyn Transport) -> Result<(Value, Arrays), CommandError> {
    agree(transport, Ok(()))?;
    let words = ranks::spread(transport, vec![])?;
    archive::read(KIND, &in_bytes(&words)).map_err(untold)
}

/// Bytes as messages of ranks: their number, and eight in a word.
fn in_words(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    std::iter::once(bytes.len() as u64).chain(bytes.chunks(8).map(word)).collect()
}

/// The bytes of a message.
fn in_bytes(words: &[u64]) -> Vec<u8> {
    let (&[length], words) = words.split_first_chunk().unwrap_or((&[0], &[]));
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(length as usize);
    bytes
}

fn untold(error: ArchiveError) -> CommandError {
    match error {
        ArchiveError::Memory(error) => error.into(),
        error => TransportError::Other { what: format!("what rank 0 tells the others is not whole: {error}") }.into(),
    }
}

/// Goes on if every rank can. If ranks meet the same error the first reports it.
///
/// # Errors
/// The error of this rank, or a note that another one has an error.
pub fn agree<T>(transport: &mut dyn Transport, own: Result<T, CommandError>) -> Result<T, CommandError> {
    ranks::agree(transport, own).map_err(|failure| match failure {
        Failure::Part(error) => error,
        Failure::Transport(error) => error.into(),
    })
}
