//! PHOLD: the user's description, the checked model made from it, and its processes.

use super::gpu::DeviceModel;
use super::{Message, Outbox, PholdError, ProcessError, ProcessModel};
use tickless_core::random::{Stream, StreamKey, exponential, scale};
use tickless_core::time::Time;

/// The most events at once: their places are numbered in 32 bits, and one number stays free.
pub const MOST_EVENTS: u32 = u32::MAX - 1;
/// The shortest mean, in time units: 4,295 ticks, so that rounding to ticks stays below 0.03 %.
const SHORTEST_MEAN: f64 = 1e-6;
/// The longest mean, in time units (2²⁶): an exponential variate is 23 means at most.
const LONGEST_MEAN: f64 = 67_108_864.0;
/// The lookahead is below this, in time units (2²⁹).
const LONGEST_LOOKAHEAD: f64 = 536_870_912.0;
/// The most draws of work: with so many an event takes milliseconds.
const MOST_WORK: u32 = 1 << 20;
/// 2³².
const DRAWS: f64 = 4_294_967_296.0;

/// PHOLD as the user describes it (Fujimoto 1990): the benchmark of parallel simulators. All times are in the model's
/// time unit.
///
/// Each process has some events at the start. An event that a process executes sends exactly one message, to a process
/// drawn uniformly, after an increment of the lookahead plus an exponential time. So the number of events never changes.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::processes::Phold;
/// let model = Phold::new(1024).population(16).lookahead(0.1).mean(0.9).until(50.0).check()?;
/// assert_eq!((model.processes(), model.events_at_start()), (1024, 16_384));
/// assert!((model.mean_increment() - 1.0).abs() < 1e-9);
/// assert!((model.expected_events(50.0) - 819_200.0).abs() < 0.01);
/// # Ok::<(), tickless::processes::PholdError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Phold {
    processes: u32,
    population: u32,
    lookahead: f64,
    mean: f64,
    remote: f64,
    work: u32,
    until: f64,
    seed: u64,
}

impl Phold {
    /// `processes` processes (1 or more) with one event each at the start, a lookahead of 0.1, an exponential part of
    /// mean 1, destinations drawn of all processes, no further work, until time 100, seed 1.
    pub fn new(processes: u32) -> Self {
        Self { processes, population: 1, lookahead: 0.1, mean: 1.0, remote: 1.0, work: 0, until: 100.0, seed: 1 }
    }

    /// Events of each process at the start: 1 or more; of all processes together at most 2³² - 2.
    #[must_use]
    pub fn population(mut self, population: u32) -> Self {
        self.population = population;
        self
    }

    /// The least increment: a tick (2⁻³²) or more, below 2²⁹.
    #[must_use]
    pub fn lookahead(mut self, lookahead: f64) -> Self {
        self.lookahead = lookahead;
        self
    }

    /// The mean of the exponential part of an increment: from 10⁻⁶ to 2²⁶. The mean increment is this plus the
    /// lookahead.
    #[must_use]
    pub fn mean(mut self, mean: f64) -> Self {
        self.mean = mean;
        self
    }

    /// The probability, from 0 to 1, that an event goes to a process drawn of all (the sender itself among them); else
    /// it stays at its process.
    #[must_use]
    pub fn remote(mut self, probability: f64) -> Self {
        self.remote = probability;
        self
    }

    /// The further draws of an event, at most 2²⁰; their exclusive or is the state of its process.
    #[must_use]
    pub fn work(mut self, draws: u32) -> Self {
        self.work = draws;
        self
    }

    /// The horizon: events before it happen.
    #[must_use]
    pub fn until(mut self, until: f64) -> Self {
        self.until = until;
        self
    }

    /// One seed, one sample path.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Checks everything and computes the model of the backends.
    ///
    /// # Errors
    /// [`PholdError`], which names the value that was wrong and what is allowed.
    pub fn check(self) -> Result<PholdModel, PholdError> {
        self.check_sizes()?;
        let lookahead = Time::from_units(self.lookahead).filter(|_| self.lookahead < LONGEST_LOOKAHEAD);
        let least = Time::from_ticks(1).units();
        let wrong = PholdError::Lookahead { lookahead: self.lookahead, least, most: LONGEST_LOOKAHEAD };
        let lookahead = lookahead.filter(|time| *time > Time::ZERO).ok_or(wrong)?;
        let mean = Time::from_units(self.mean).filter(|_| (SHORTEST_MEAN..=LONGEST_MEAN).contains(&self.mean));
        let wrong = PholdError::Mean { mean: self.mean, least: SHORTEST_MEAN, most: LONGEST_MEAN };
        let mean = mean.ok_or(wrong)?;
        let remote = self.check_remote()?;
        // An event happens before the horizon, so no time passes horizon + longest increment.
        let most = Time::from_ticks((1 << 63) - lookahead.ticks() - scale(exponential(0), mean.ticks()));
        let until = Time::from_units(self.until).filter(|t| (Time::from_ticks(1)..=most).contains(t));
        let until = until.ok_or(PholdError::Until { until: self.until, most: most.units() })?;
        Ok(PholdModel { lookahead, mean, remote, until, key: StreamKey::new(self.seed, 0), description: self })
    }

    fn check_sizes(&self) -> Result<(), PholdError> {
        let &Self { processes, population, .. } = self;
        if processes == 0 {
            return Err(PholdError::Processes { processes });
        }
        if population == 0 {
            return Err(PholdError::Population { population });
        }
        match processes.checked_mul(population) {
            Some(events) if events <= MOST_EVENTS => {}
            _ => return Err(PholdError::Events { processes, population, most: MOST_EVENTS }),
        }
        match self.work {
            0..=MOST_WORK => Ok(()),
            work => Err(PholdError::Work { work, most: MOST_WORK }),
        }
    }

    fn check_remote(&self) -> Result<Remote, PholdError> {
        match self.remote {
            0.0 => Ok(Remote::Never),
            1.0 => Ok(Remote::Always),
            // A probability strictly between 0 and 1 stays so, however close to either.
            p if (0.0..1.0).contains(&p) => Ok(Remote::Below((p * DRAWS).round().clamp(1.0, DRAWS - 1.0) as u32)),
            remote => Err(PholdError::Remote { remote }),
        }
    }
}

/// The events that go to a process drawn of all.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::processes::{Phold, Remote};
/// let remote = |probability| Ok(Phold::new(9).remote(probability).check()?.remote());
/// assert_eq!([remote(0.0)?, remote(0.25)?, remote(1.0)?], [Remote::Never, Remote::Below(1 << 30), Remote::Always]);
/// # Ok::<(), tickless::processes::PholdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remote {
    /// No event: no destination is drawn.
    Never,
    /// Every event: no decision is drawn.
    Always,
    /// Events whose decision, a draw of 32 bits, is below this.
    Below(u32),
}

impl Remote {
    /// The probability that an event goes to a drawn process.
    ///
    /// ```
    /// # use tickless_processes::facade as tickless;
    /// assert_eq!(tickless::processes::Remote::Below(1 << 30).probability(), 0.25);
    /// ```
    pub fn probability(self) -> f64 {
        match self {
            Self::Never => 0.0,
            Self::Always => 1.0,
            Self::Below(threshold) => f64::from(threshold) / DRAWS,
        }
    }
}

/// A checked [`Phold`], in ticks, which every backend runs.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::processes::{Phold, Remote};
/// let model = Phold::new(8).remote(0.5).check()?;
/// assert_eq!(model.remote(), Remote::Below(1 << 31));
/// assert!(model.lookahead_share() < 0.1);
/// # Ok::<(), tickless::processes::PholdError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PholdModel {
    description: Phold,
    lookahead: Time,
    mean: Time,
    remote: Remote,
    until: Time,
    key: StreamKey,
}

impl PholdModel {
    /// The user's description.
    pub fn description(&self) -> &Phold {
        &self.description
    }

    /// The number of processes.
    pub fn processes(&self) -> u32 {
        self.description.processes
    }

    /// Events of each process at the start.
    pub fn population(&self) -> u32 {
        self.description.population
    }

    /// Events at the start and at any time after it.
    pub fn events_at_start(&self) -> u32 {
        self.processes() * self.population()
    }

    /// The least increment.
    pub fn lookahead(&self) -> Time {
        self.lookahead
    }

    /// The mean of the exponential part of an increment.
    pub fn mean(&self) -> Time {
        self.mean
    }

    /// The events that go to a process drawn of all.
    pub fn remote(&self) -> Remote {
        self.remote
    }

    /// Further draws of an event.
    pub fn work(&self) -> u32 {
        self.description.work
    }

    /// The horizon.
    pub fn until(&self) -> Time {
        self.until
    }

    /// The seed of the run.
    pub fn seed(&self) -> u64 {
        self.description.seed
    }

    /// The key of the processes' streams.
    pub fn key(&self) -> StreamKey {
        self.key
    }

    /// The mean increment in time units: the lookahead and the mean of the exponential part.
    pub fn mean_increment(&self) -> f64 {
        self.lookahead.units() + self.mean.units()
    }

    /// The lookahead as a share of the mean increment.
    pub fn lookahead_share(&self) -> f64 {
        self.lookahead.units() / self.mean_increment()
    }

    /// The mean number of events that a run executes until `clock` (in time units), up to less than one for each event
    /// at the start: half a one or less where `clock` is many increments.
    pub fn expected_events(&self, clock: f64) -> f64 {
        f64::from(self.events_at_start()) * clock / self.mean_increment()
    }

    /// The increment from a draw.
    #[inline]
    fn increment(&self, draw: u32) -> Time {
        // The model's limits keep the sum in range.
        Time::from_ticks(self.lookahead.ticks() + scale(exponential(draw), self.mean.ticks()))
    }

    /// The process from a draw.
    #[inline]
    fn destination(&self, draw: u32) -> u32 {
        ((u64::from(draw) * u64::from(self.processes())) >> 32) as u32
    }
}

impl ProcessModel for PholdModel {
    type State = [u32; 1];
    type Payload = [u32; 0];

    fn processes(&self) -> u32 {
        self.processes()
    }

    fn lookahead(&self) -> Time {
        self.lookahead
    }

    fn until(&self) -> Time {
        self.until
    }

    fn key(&self) -> StreamKey {
        self.key
    }

    fn device_model(&self) -> Option<DeviceModel> {
        Some(self.into())
    }

    fn initialize(
        &self,
        _: u32,
        stream: &mut Stream,
        first: &mut Vec<(Time, [u32; 0])>,
    ) -> Result<[u32; 1], ProcessError> {
        first.extend((0..self.population()).map(|_| (self.increment(stream.draw()), [])));
        Ok([0])
    }

    #[inline]
    fn execute(
        &self,
        message: &Message<[u32; 0]>,
        state: &mut [u32; 1],
        stream: &mut Stream,
        outbox: &mut impl Outbox<[u32; 0]>,
    ) -> Result<(), ProcessError> {
        let own = message.destination;
        let increment = self.increment(stream.draw());
        let destination = match self.remote {
            Remote::Never => own,
            Remote::Always => self.destination(stream.draw()),
            Remote::Below(threshold) => {
                let drawn = self.destination(stream.draw());
                if stream.draw() < threshold { drawn } else { own }
            }
        };
        state[0] = (0..self.work()).fold(state[0], |word, _| word ^ stream.draw());
        outbox.send(destination, increment, [])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_checked() {
        let wrong = |phold: Phold| phold.check().unwrap_err();
        assert!(matches!(wrong(Phold::new(0)), PholdError::Processes { processes: 0 }));
        assert!(matches!(wrong(Phold::new(1).population(0)), PholdError::Population { population: 0 }));
        for (processes, population) in [(1 << 16, 1 << 16), (u32::MAX, 1), (3, u32::MAX), (1, u32::MAX)] {
            let phold = Phold::new(processes).population(population);
            assert!(matches!(wrong(phold), PholdError::Events { .. }), "{processes} x {population}");
        }
        for work in [MOST_WORK + 1, u32::MAX] {
            assert_eq!(wrong(Phold::new(1).work(work)), PholdError::Work { work, most: MOST_WORK });
        }
        for bad in [0.0, -1.0, 1e-11, f64::NAN, f64::INFINITY, LONGEST_LOOKAHEAD] {
            assert!(matches!(wrong(Phold::new(1).lookahead(bad)), PholdError::Lookahead { .. }), "{bad}");
        }
        for bad in [0.0, -1.0, 9e-7, f64::NAN, f64::INFINITY, 7e7] {
            assert!(matches!(wrong(Phold::new(1).mean(bad)), PholdError::Mean { .. }), "{bad}");
        }
        for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(matches!(wrong(Phold::new(1).remote(bad)), PholdError::Remote { .. }), "{bad}");
        }
        for bad in [0.0, -1.0, 1e-11, f64::NAN, f64::INFINITY, 2_147_483_648.0] {
            assert!(matches!(wrong(Phold::new(1).until(bad)), PholdError::Until { .. }), "{bad}");
        }
    }

    #[test]
    fn limits_themselves_are_allowed() {
        let longest = Phold::new(1).mean(LONGEST_MEAN).lookahead(LONGEST_LOOKAHEAD - 1.0).until(1000.0);
        assert!(longest.check().is_ok());
        assert!(Phold::new(1).work(MOST_WORK).check().is_ok());
        assert!(Phold::new(u32::MAX - 1).lookahead(2.0_f64.powi(-32)).mean(SHORTEST_MEAN).check().is_ok());
    }

    #[test]
    fn a_share_between_none_and_all_stays_between() {
        let remote = |p| Phold::new(2).remote(p).check().unwrap().remote();
        let shares = [0.0, 1e-300, 0.25, 1.0 - 1e-16, 1.0].map(remote);
        let expected =
            [Remote::Never, Remote::Below(1), Remote::Below(1 << 30), Remote::Below(u32::MAX), Remote::Always];
        assert_eq!(shares, expected);
    }
}
