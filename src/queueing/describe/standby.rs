//! Servers that come when the line is long, and go when it is short.

use super::Station;
use tickless_core::random::ServiceLaw;

/// Servers of a station that are away until many tokens wait.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Network, Source, Standby, Station}, run::unwatched};
/// let mut network = Network::new().until(20.0);
/// let standby = Standby { servers: 1, comes_at: 2, goes_at: 0 };
/// let desk = network.station(Station::new("desk", "constant:4".parse()?).servers(2).standby(standby));
/// let exit = network.sink("exit");
/// network.source(Source::new("in", "constant:1".parse()?, desk).limit(3));
/// network.route(desk, exit, 1.0, 0.0);
/// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// // One is served from 1 on; at 3 two wait, and the second server takes the first of these. It goes when a service ends and nobody waits: at 7.
/// assert_eq!((run.outcome[0].stations.facilities[0].waiting >> 32, run.outcome[0].absent[0] >> 32), (1 + 2, 3 + 13));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standby {
    /// How many of the station's servers these are.
    pub servers: u32,
    /// They come once so many tokens wait, 1 or more.
    pub comes_at: u32,
    /// They go when a service ends there and at most so many wait, fewer than `comes_at`; whom they serve then is served to the end.
    pub goes_at: u32,
}

impl Station {
    /// Some of its servers are on standby: away at time 0, and there while the line is long (two thresholds).
    #[must_use]
    pub fn standby(mut self, standby: Standby) -> Self {
        self.further().standby = Some(standby);
        self
    }

    /// Servers on standby come a time of this law after they are called, together, even if the line is short by then. Without this call they come at once.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, Source, Standby, Station}, run::unwatched};
    /// let mut network = Network::new().until(20.0);
    /// let standby = Standby { servers: 1, comes_at: 2, goes_at: 0 };
    /// let desk = Station::new("desk", "constant:1".parse()?).standby(standby).standby_starts_in("constant:5".parse()?);
    /// let desk = network.station(desk);
    /// let exit = network.sink("exit");
    /// network.source(Source::new("in", "constant:2".parse()?, desk).limit(2));
    /// network.route(desk, exit, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // Called at 4, there at 9, and gone at 11.
    /// assert_eq!((run.outcome[0].absent[0] >> 32, run.outcome[0].sinks[0].sojourn >> 32), (9 + 9, 8 + 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn standby_starts_in(mut self, law: ServiceLaw) -> Self {
        self.further().standby_start = Some(law);
        self
    }
}
