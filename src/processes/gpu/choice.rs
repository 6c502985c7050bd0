//! How a set of pending events is picked, and what is said of it afterwards.

use std::time::Duration;

use super::{Pending, PendingSet};

/// When sets are tried, where [`Pending::Auto`] is to pick one. It changes no result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calibration {
    /// Those that may be the fastest, in runs that are long enough for it.
    #[default]
    WherePaid,
    /// All that can take each other's place, whatever it costs and however short the run.
    Always,
    /// All of them, each for so many rounds, to the end: none is picked. For tests.
    InTurns(u32),
}

/// Why a run ended with the set that it ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It was asked for.
    Asked,
    /// By a rule of thumb: the run was too short to try others.
    Brief,
    /// By a rule of thumb: on a software adapter kernels take longer to compile than most runs.
    Software,
    /// No other may be faster for so many processes and events.
    Only,
    /// The run ended, or was interrupted, before others had been tried.
    Unfinished,
    /// It was the fastest of those tried, or no other was faster by more than what measurements differ.
    Measured,
    /// Each had its turn.
    InTurns,
}

impl Reason {
    /// Its name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Brief => "brief",
            Self::Software => "software",
            Self::Only => "only",
            Self::Unfinished => "unfinished",
            Self::Measured => "measured",
            Self::InTurns => "in_turns",
        }
    }
}

/// A set that was tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriedSet {
    /// The set.
    pub set: PendingSet,
    /// Events that it was measured by, in the last calibration that tried it.
    pub events: u64,
    /// Their rate: by time of the device where it can tell, else by wall-clock time.
    pub events_per_second: f64,
}

/// Which set of pending events a run had, and why.
///
/// ```
/// use tickless::processes::gpu::{Pending, PendingReport, PendingSet, Reason};
/// let report = PendingReport::asked(PendingSet::Splay);
/// assert_eq!((report.asked, report.set, report.reason), (PendingSet::Splay.into(), PendingSet::Splay, Reason::Asked));
/// assert!(report.tried.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PendingReport {
    /// What was asked.
    pub asked: Pending,
    /// The set at the end of the run.
    pub set: PendingSet,
    /// Events of a node of [`PendingSet::GlobalHeap`] at the end of the run; `None` with any other set.
    pub node: Option<u32>,
    /// Why it was that one.
    pub reason: Reason,
    /// Those that were tried; empty where nothing was measured.
    pub tried: Vec<TriedSet>,
    /// How often another set was picked than the one before.
    pub switches: u32,
    /// How often sets were tried.
    pub calibrations: u32,
    /// How much longer that took than the same rounds with the set picked.
    pub cost: Duration,
}

impl PendingReport {
    /// Of a run with a set that was asked for.
    pub fn asked(set: PendingSet) -> Self {
        Self {
            asked: set.into(),
            set,
            node: None,
            reason: Reason::Asked,
            tried: vec![],
            switches: 0,
            calibrations: 0,
            cost: Duration::ZERO,
        }
    }
}
