//! Every error of the library as one type, for callers: each room has errors of its own.

use tickless_cdpp::RuleError;
use tickless_cells::CellError;
use tickless_cells::log::LogError;
use tickless_core::memory::NoMemory;
use tickless_core::ranks::TransportError;
use tickless_device::DeviceError;
#[cfg(feature = "experiments")]
use tickless_experiments::PointError;
#[cfg(feature = "fire")]
use tickless_fire::FireError;
#[cfg(feature = "fire")]
use tickless_fire::watershed::WatershedError;
use tickless_pathfinding::{InputError, MapError, PathfindingError, SearchError};
use tickless_processes::{PholdError, ProcessError};
use tickless_queueing::{NetworkError, QueueingError};

/// The error of a run.
///
/// ```
/// # use tickless_error::facade as tickless;
/// use tickless::{RunError, queueing::Network};
/// let error = RunError::from(Network::new().check().unwrap_err());
/// assert_eq!(error.to_string(), "the network has no station; it needs at least 1");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The network is wrong; nothing was allocated.
    #[error(transparent)]
    Network(Box<NetworkError>),
    /// The run of a queueing network ended without a result.
    #[error(transparent)]
    Queueing(#[from] QueueingError),
    /// A point of an experiment ended without a result.
    #[cfg(feature = "experiments")]
    #[error(transparent)]
    Point(#[from] PointError),
    /// PHOLD's parameters are wrong; nothing was allocated.
    #[error(transparent)]
    Phold(#[from] PholdError),
    /// The run of logical processes ended without a result.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A watershed is wrong; nothing was allocated.
    #[cfg(feature = "fire")]
    #[error(transparent)]
    Watershed(#[from] WatershedError),
    /// A file of rules is wrong; nothing was allocated.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// A fire is wrong; nothing was allocated.
    #[cfg(feature = "fire")]
    #[error(transparent)]
    Fire(#[from] FireError),
    /// A model of cells is wrong, or its run ended without a result.
    #[error(transparent)]
    Cell(#[from] CellError),
    /// A log of cells is not written or read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A map is wrong; nothing was allocated.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A batch of searches is wrong; nothing was allocated.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A file of a map, of the costs of its letters, or of searches is wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The run of searches ended without a result.
    #[error(transparent)]
    Pathfinding(#[from] PathfindingError),
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// Ranks that cannot go on together.
    #[error(transparent)]
    Ranks(#[from] TransportError),
    /// No device could be opened.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl From<NetworkError> for RunError {
    fn from(error: NetworkError) -> Self {
        Self::Network(Box::new(error))
    }
}

impl RunError {
    /// Whether a watch ended the set-up: nothing has been simulated.
    pub fn is_interrupted(&self) -> bool {
        let on_the_heap = matches!(
            self,
            Self::Queueing(QueueingError::Interrupted(_))
                | Self::Process(ProcessError::Interrupted(_))
                | Self::Cell(CellError::Interrupted(_))
        );
        #[cfg(feature = "experiments")]
        let at_a_point = matches!(self, Self::Point(point) if point.error.is_interrupted());
        #[cfg(not(feature = "experiments"))]
        let at_a_point = false;
        on_the_heap || at_a_point || self.device() == Some(&DeviceError::Interrupted)
    }

    /// Whether the run does not take the checkpoint that it was to resume from: to try again with that checkpoint is no use.
    pub fn refuses_checkpoint(&self) -> bool {
        matches!(
            self,
            Self::Queueing(QueueingError::Checkpoint { .. } | QueueingError::Unreadable { .. })
                | Self::Process(ProcessError::Checkpoint { .. })
                | Self::Cell(CellError::Checkpoint { .. })
                | Self::Pathfinding(PathfindingError::Checkpoint { .. })
        )
    }

    /// The error of ranks, if it ended the run.
    pub fn ranks(&self) -> Option<&TransportError> {
        match self {
            Self::Ranks(error)
            | Self::Queueing(QueueingError::Ranks(error))
            | Self::Process(ProcessError::Ranks(error))
            | Self::Cell(CellError::Ranks(error)) => Some(error),
            _ => None,
        }
    }

    /// The error of a device, if one refused, failed or went away.
    pub fn device(&self) -> Option<&DeviceError> {
        match self {
            #[cfg(feature = "experiments")]
            Self::Point(point) => match &*point.error {
                QueueingError::Device(error) => Some(error),
                _ => None,
            },
            Self::Device(error)
            | Self::Queueing(QueueingError::Device(error))
            | Self::Process(ProcessError::Device(error))
            | Self::Cell(CellError::Device(error))
            | Self::Pathfinding(PathfindingError::Device(error)) => Some(error),
            _ => None,
        }
    }
}

/// The crate that examples call `tickless`.
#[doc(hidden)]
pub mod facade {
    pub use crate::RunError;
    pub use tickless_core::{archive, heap, memory, random, ranks, run, statistics, time};
    pub use tickless_device as device;
    pub use tickless_pathfinding as pathfinding;
    pub use tickless_processes as processes;
    pub use tickless_queueing as queueing;
}
