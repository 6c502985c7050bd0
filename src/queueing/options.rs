//! How networks run on a device, and details of runs beside their records.

use tickless_core::run::Appointments;
use tickless_engine as engine;

/// How far a round may go. None of it changes a result.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Station, Topology, gpu::{DevicePath::Rounds, Synchronization, path}};
/// let torus = |law: &str| -> Result<Network, Box<dyn std::error::Error>> {
///     let each = Station::new("s", law.parse()?).tokens(1);
///     Ok(Network::generate(&Topology::Torus { width: 8, height: 8 }, &each, 0.0)?)
/// };
/// // Without a window the exponential law stays as it is, and may be as short as it likes.
/// assert_eq!(path(&torus("exponential:10")?.check()?, 1)?, Rounds(Synchronization::Appointments));
/// assert_eq!(path(&torus("exponential:10")?.window(1.0).check()?, 1)?, Rounds(Synchronization::Window));
/// // A law may have a shortest time of its own.
/// assert_eq!(path(&torus("uniform:5,15")?.check()?, 1)?, Rounds(Synchronization::Window));
/// assert_eq!(path(&torus("uniform:0.01,20")?.check()?, 1)?, Rounds(Synchronization::Appointments));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Synchronization {
    /// All stations up to the earliest event plus the shortest service time (Sang et al. 2019).
    Window,
    /// Each as far as its neighbours promise that no token comes from them (Nicol 1988): needs no shortest time.
    Appointments,
    /// The same in tiles of a torus, whose stations see each other several times in a round; without tiles, as for other networks and
    /// several replications of a torus, stations make their appointments one by one.
    AppointmentsInTiles,
}

/// Details of a run of queueing networks beside its records.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Network, Station, Topology}, run::unwatched};
/// let each = Station::new("s", "exponential:10".parse()?).tokens(1);
/// let model = Network::generate(&Topology::Torus { width: 4, height: 4 }, &each, 0.0)?.check()?;
/// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!((run.details.completions, run.details.appointments), (run.events, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NetworkDetails {
    /// Ends of services over the whole run, the warm-up included. Tokens from sources are events too, but not counted
    /// here.
    pub completions: u64,
    /// Statistics of appointments, if the run made any.
    pub appointments: Option<Appointments>,
}

impl NetworkDetails {
    /// Adds the details of another part of a run. `rounds` and `more` are the numbers of rounds of both parts.
    #[doc(hidden)]
    pub fn add(&mut self, rounds: u64, other: &Self, more: u64) {
        self.completions += other.completions;
        match (&mut self.appointments, &other.appointments) {
            (Some(own), Some(other)) => own.join(rounds, other, more),
            (own, other) => *own = own.or(*other),
        }
    }
}

/// How queueing networks run on a device, and what is wanted. None of it changes a result, and the heap needs none of it.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{NetworkOptions, gpu::Synchronization};
/// let options = NetworkOptions { synchronization: Some(Synchronization::Appointments), ..Default::default() };
/// assert_eq!(options.most_tokens, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetworkOptions {
    /// How far rounds go; `None` for the best choice for the model.
    pub synchronization: Option<Synchronization>,
    /// The most places for tokens, over all replications; `None` for as many as fit the device.
    ///
    /// The places at the beginning are always allowed: the tokens at time 0 and, for each source, 11 to 95 places. The
    /// pool doubles when it runs out, the last time up to the limit. Parts of it belong to sources, so a few places may be
    /// left free. By appointments some stations are ahead of others, and so more places are needed.
    pub most_tokens: Option<u64>,
    /// Whether figures of all stations together and the digest are enough: the outcome has
    /// [`added_up`](tickless_core::statistics::Outcome::added_up) in place of records then. A device adds them up for one replication of a
    /// torus ([`Network::generate`](super::Network::generate)), which takes a fraction of the time; a sum of a station that passes 64 bits
    /// from time 0 on is an error then, whatever the warm-up. Several ranks send a few words in place of records. Every other run, and each
    /// that gives a checkpoint, has its records all the same.
    pub figures_only: bool,
    /// How rounds are cut up.
    pub rounds: engine::Options,
}
