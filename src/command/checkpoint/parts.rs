//! What runs the parts of a run that leaves checkpoints: one heap or device, or ranks.

use std::sync::Arc;

use serde_json::Value;

use super::{Resumable, SnapshotOf};
use crate::CommandError;
use crate::backend::Ready;
use crate::case::Case;
use crate::output::OutputFile;
use crate::run::Given;
use crate::warning::Warning;
use tickless_core::archive::{self, ArchiveError, Arrays};
use tickless_core::ranks::{self, Failure, Ranks, Transport, TransportError};
use tickless_core::run::{Run, RunMode, SnapshotWatch, Watch, unwatched};

/// What a part of a run gives back.
pub type PartOf<C> = Run<<C as Resumable>::Checkpoint, <C as Case>::Details>;

/// A model that one run of goes over ranks.
pub trait OverRanks: Resumable {
    /// Refuses options that do not go with ranks, or not with those of other processes.
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
    /// What the heap returns, and what ranks cannot go on with.
    fn run_over(
        &mut self,
        mode: RunMode<'_, Self::Checkpoint>,
        ranks: Ranks<'_>,
        log: Option<&mut OutputFile>,
        watch: &mut dyn Watch,
    ) -> Result<PartOf<Self>, CommandError>;
}

/// What runs the parts of a run.
pub trait Parts<C: Resumable> {
    /// Refuses a model that does not go so.
    ///
    /// # Errors
    /// Which option to leave out.
    fn check(&self, _: &C) -> Result<(), CommandError> {
        Ok(())
    }

    /// How many ranks share the run, where it goes over some.
    fn ranks(&self) -> Option<u32> {
        None
    }

    /// Called once everything is ready, before the first part.
    ///
    /// # Errors
    /// Ranks that are not ready.
    fn begin(&mut self) -> Result<(), CommandError> {
        Ok(())
    }

    /// Runs a part, from a checkpoint or from time 0.
    ///
    /// # Errors
    /// What the backend returns.
    fn run(
        &mut self,
        case: &mut C,
        from: Option<&Arc<C::Checkpoint>>,
        backend: &Ready,
        watch: &mut dyn SnapshotWatch<SnapshotOf<C>>,
    ) -> Result<PartOf<C>, CommandError>;

    /// No further part follows.
    ///
    /// # Errors
    /// A rank that is gone.
    fn end(&mut self) -> Result<(), CommandError> {
        Ok(())
    }

    /// Opens what the parts run on, at the beginning and again, and says what there is to say of that.
    ///
    /// # Errors
    /// Options that do not go together; an adapter that does not open.
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
        case.run_from(from, backend.target(), watch)
    }
}

/// Ranks, of which this process has the first.
pub struct Shared<'a> {
    pub ranks: Ranks<'a>,
    /// Whether all ranks have heard that this one is ready.
    pub ready: &'a mut bool,
}

/// What rank 0 says before a part, and behind the last one.
const ANOTHER: u64 = 1;
const NO_OTHER: u64 = 0;
/// What others say meanwhile.
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

/// What ranks but the first do, whose processes are their own: every part that rank 0 begins.
///
/// # Errors
/// What they alone have met, or that another rank has an error.
pub fn follow<C: OverRanks>(case: &mut C, transport: &mut dyn Transport) -> Result<(), CommandError> {
    while transport.least(ASK)? == ANOTHER {
        let (is_there, arrays) = hear(transport)?;
        let at = (is_there == Value::Bool(true)).then(|| case.checkpoint(arrays)).transpose();
        let at = agree(transport, at.map_err(untold))?;
        case.run_over(RunMode::restartable(at.as_ref()), Ranks::Over(transport), None, &mut unwatched())?;
    }
    Ok(())
}

/// The kind of what ranks are told, which is as a file would be.
const KIND: &str = "message";

/// Tells all other ranks.
///
/// # Errors
/// What there is in place of it; too little memory; a rank that is gone.
pub fn tell(transport: &mut dyn Transport, what: Result<(Value, Arrays), CommandError>) -> Result<(), CommandError> {
    let bytes = what.and_then(|(head, arrays)| archive::write(KIND, &head, &arrays).map_err(untold));
    let bytes = agree(transport, bytes)?;
    let words = in_words(&bytes);
    drop(bytes);
    ranks::spread(transport, words)?;
    Ok(())
}

/// What rank 0 tells.
///
/// # Errors
/// Too little memory; that rank 0 has an error, or is gone.
pub fn hear(transport: &mut dyn Transport) -> Result<(Value, Arrays), CommandError> {
    agree(transport, Ok(()))?;
    let words = ranks::spread(transport, vec![])?;
    archive::read(KIND, &in_bytes(&words)).map_err(untold)
}

/// Bytes as ranks tell them: how many they are, and eight in a word.
fn in_words(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    std::iter::once(bytes.len() as u64).chain(bytes.chunks(8).map(word)).collect()
}

/// The bytes that a rank has told.
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

/// Goes on where every rank can. Of ranks that meet the same error the first says it.
///
/// # Errors
/// That of this rank, or that another one has one.
pub fn agree<T>(transport: &mut dyn Transport, own: Result<T, CommandError>) -> Result<T, CommandError> {
    ranks::agree(transport, own).map_err(|failure| match failure {
        Failure::Part(error) => error,
        Failure::Transport(error) => error.into(),
    })
}
