//! The stations of a rank on its device. What has come for them waits on the host for the window that reaches its first arrival.

use std::time::Duration;

use super::layout::{CHUNK, Layout};
use super::parts::{first_chunks, parts_of};
use super::restoration;
use super::simulation::Simulation;
use super::state::{NetworkState, Sums};
use crate::checkpoint::{OnTheWay, State, Transit};
use crate::gpu::restoration::Inside;
use crate::gpu::state::fault;
use crate::gpu::synchronization::Synchronization;
use crate::post::{self, Announcement, WORDS, Words};
use crate::rank::{Rank, Stations};
use crate::share::Share;
use crate::{NetworkOutcome, QueueingError};
use tickless_core::random::StreamKey;
use tickless_core::ranks::{Mail, Part, windows};
use tickless_core::run::{Watch, unwatched};
use tickless_core::time::Time;
use tickless_device::{AdapterDescription, Device, DeviceError};
use tickless_engine::{DeviceRun, ModelParts, Options};

/// Parts of a token that counts of tokens are guessed in.
const PARTS: u64 = 1 << 10;

/// The stations of a rank, at work.
pub(crate) struct DeviceStations<'a> {
    simulation: Simulation<'a>,
    share: &'a Share,
    mail: Mail,
    /// What has come and is not yet on the device, and when the first of it arrives.
    coming: Vec<Words>,
    first_coming: Time,
    /// What there was at the end of the warm-up, once that is over.
    opening: Option<Opening>,
    /// What there is where the run has stopped.
    end: Option<(NetworkState, Sums)>,
    /// When the run goes on, and ends of services and tokens from sources before that.
    begin: Time,
    before: [u64; 2],
    /// Rounds of the device in the last window.
    rounds: u64,
}

/// What had happened when the counting began.
struct Opening {
    sums: Sums,
    /// Tokens in the network that count as those of this rank.
    tokens: u64,
}

impl<'a> DeviceStations<'a> {
    pub(in crate::gpu) fn begin(
        rank: Rank<'a>,
        device: &'a dyn Device,
        ranks: u32,
        watch: &mut dyn Watch,
    ) -> Result<Self, QueueingError> {
        let (share, options, own) = (rank.share, rank.asked.options, rank.from());
        let of_share = (&share.model, Some(share));
        let layout = |tokens| layout(share, rank.asked.replication, tokens);
        let mut simulation = match &own {
            None => Simulation::start(of_share, layout(share.model.tokens())?, device, options, watch)?,
            Some(own) => {
                let tokens = own.state.services.len() + own.state.queue.len() + own.state.transits.len();
                let inside = [Inside::of_rank(own, share)];
                Simulation::start_from(of_share, (layout(tokens as u32)?, &inside), device, options, watch)?
            }
        };
        simulation.rounds.by_short_phases();
        let coming: Vec<Words> =
            own.iter().flat_map(|own| &own.coming).map(|token| Announcement::from(*token).pack()).collect();
        let mut stations = Self {
            simulation,
            share,
            mail: Mail::new(ranks, share.to.iter().copied(), share.from.iter().copied()),
            first_coming: coming.iter().map(post::arrives).min().unwrap_or(Time::NEVER),
            coming,
            opening: None,
            end: None,
            begin: rank.asked.begin,
            before: own.map_or([0; 2], |own| own.state.ended_and_sent()),
            rounds: 0,
        };
        // It finds out when the first event is, and tells others of what is decided.
        stations.run_until(Time::ZERO)?;
        stations.send();
        Ok(stations)
    }

    /// Executes every event before a time, however often there must be more room for that.
    fn run_until(&mut self, limit: Time) -> Result<(), QueueingError> {
        self.simulation.run_until(limit, &mut unwatched())?;
        let found = fault(self.simulation.rounds.control(), self.share.model.stations());
        found.map_err(|error| self.of_whole(error))
    }

    /// Takes what has come into slots, as much at once as there is room for.
    fn take_in(&mut self) -> Result<(), QueueingError> {
        let (coming, first) =
            (std::mem::take(&mut self.coming), std::mem::replace(&mut self.first_coming, Time::NEVER));
        self.simulation.take_in(&coming, first)?;
        // With its memory.
        self.coming = coming;
        self.coming.clear();
        Ok(())
    }

    /// Leaves in the mail what goes to other ranks.
    fn send(&mut self) {
        for mut words in self.simulation.exports.drain(..) {
            let (rank, target) = self.share.abroad[post::target(&words) as usize];
            post::set_target(&mut words, target);
            self.mail.send(rank, &words);
        }
    }

    /// Looks at what there is at the end of the warm-up, where the run has come there or will not come further.
    fn open(&mut self, clock: Time) -> Result<(), QueueingError> {
        let warmup = self.share.model.warmup();
        if self.opening.is_some() || warmup == Time::ZERO {
            return Ok(());
        }
        self.run_until(warmup.min(clock))?;
        let (state, sums) = self.simulation.sums().map_err(|error| self.of_whole(error))?;
        let tokens = state.tokens(&self.share.model) + self.departed(&state).count() as u64;
        self.opening = Some(Opening { sums, tokens });
        Ok(())
    }

    /// Tokens that come from other ranks and have departed there, on the device and here.
    fn departed<'s>(&'s self, state: &'s NetworkState) -> impl Iterator<Item = Announcement> + 's {
        let (here, time) = (self.coming.iter().map(Announcement::unpack), state.time());
        state.coming.iter().copied().chain(here).filter(move |token| token.departed < time)
    }

    /// An error that names a station by its number in the whole network.
    fn of_whole(&self, error: QueueingError) -> QueueingError {
        match error {
            QueueingError::Overflow { sum, facility } => {
                QueueingError::Overflow { sum, facility: self.share.numbers[facility as usize] }
            }
            error => error,
        }
    }
}

/// The kernels and buffers of a share, before anything has happened.
pub(in crate::gpu) fn parts(
    share: &Share,
    adapter: &AdapterDescription,
    options: &Options,
) -> Result<ModelParts, DeviceError> {
    parts_of(&share.model, &layout(share, 0, share.model.tokens())?, adapter, options)
}

/// With places for so many tokens, and some for others.
fn layout(share: &Share, replication: u32, tokens: u32) -> Result<Layout, DeviceError> {
    let (model, replications) = (&share.model, replication..replication.saturating_add(1));
    let places = (tokens.max(1), first_chunks(model, &replications) + chunks_of_coming(share));
    Layout::new(model, replications, places, None, (Synchronization::Window, 1), Some(share))
}

/// Chunks of the pool to begin with for tokens of other ranks. It is a guess: as many tokens as this rank sends, and some for what
/// a rank wins of the others. Too few of them cost a copy of all records to the host and back.
fn chunks_of_coming(share: &Share) -> u64 {
    let model = &share.model;
    let leaving = (0..model.stations()).map(|station| {
        let row = model.row(station);
        let abroad = row.iter().filter(|edge| model.is_abroad(edge.target)).count();
        // In parts of a token: of the few at a station most go elsewhere.
        PARTS * u64::from(model.tokens_at(station)) * abroad as u64 / row.len() as u64
    });
    let sent = leaving.sum::<u64>() / PARTS;
    let tokens = sent * 3 / 2 + share.abroad.len() as u64 / 4 + u64::from(model.tokens()) / 32;
    tokens.div_ceil(CHUNK.into()).max(1)
}

impl Part for DeviceStations<'_> {
    type Error = QueueingError;

    const ROUND: Option<Duration> = Some(windows::ROUND);

    fn next(&mut self) -> Time {
        // The last round that was submitted has found nothing before the limit.
        Time::from_ticks(self.simulation.rounds.control().minimum).min(self.first_coming)
    }

    fn promise(&mut self, next: Time) -> Time {
        windows::ahead(next, self.share.lookahead)
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        Some(&mut self.mail)
    }

    fn deliver(&mut self) -> Result<u64, QueueingError> {
        let (coming, first) = (&mut self.coming, &mut self.first_coming);
        self.mail.take(|list| {
            let list = list.as_chunks::<WORDS>().0;
            *first = list.iter().map(post::arrives).min().unwrap_or(Time::NEVER).min(*first);
            coming.extend_from_slice(list);
        });
        Ok(0)
    }

    fn advance(&mut self, bound: Time) -> Result<u64, QueueingError> {
        self.rounds = 0;
        if self.next() >= bound {
            return Ok(0);
        }
        if bound > self.share.model.warmup() {
            self.open(bound)?;
        }
        let before = (self.simulation.rounds.control().events, self.simulation.rounds.rounds());
        if self.first_coming < bound {
            self.take_in()?;
        }
        self.run_until(bound)?;
        self.send();
        self.rounds = self.simulation.rounds.rounds() - before.1;
        Ok(self.simulation.rounds.control().events - before.0)
    }

    fn could_be_shorter(&self) -> bool {
        self.rounds > 1
    }
}

impl Stations for DeviceStations<'_> {
    fn stop(&mut self, clock: Time) -> Result<(), QueueingError> {
        self.open(clock)?;
        self.run_until(clock)?;
        self.end = Some(self.simulation.sums().map_err(|error| self.of_whole(error))?);
        Ok(())
    }

    fn counts(&self, _: u64) -> [u64; 2] {
        let [ended, sent] = self.before;
        let Some((_, sums)) = &self.end else { return [0; 2] };
        let completions = sums.completions() - ended;
        [completions, completions + sums.sent() - sent]
    }

    fn device(&self) -> Option<Duration> {
        self.simulation.rounds.device()
    }

    fn state(&mut self, _: StreamKey, _: Time) -> Result<(State, Vec<OnTheWay>), QueueingError> {
        let Some((network, sums)) = &self.end else { return Ok(Default::default()) };
        let model = &self.share.model;
        let mut states = restoration::states(network, sums, model, &self.simulation.layout);
        let Some((mut state, visits)) = states.pop() else { return Ok(Default::default()) };
        let number = |place: u32| self.share.numbers[place as usize];
        let stations = model.stations();
        let own = std::mem::take(&mut state.transits).into_iter().zip(visits);
        let mut on_the_way: Vec<_> = own
            .map(|(Transit { from, target, arrival, entered }, (departed, visit))| {
                let target = if target < stations { number(target) } else { target - stations + self.share.whole };
                // Of one that left before the run went on that is a guess, and its number says it.
                let departed = if departed < self.begin { Time::ZERO } else { departed };
                OnTheWay { from: number(from), target, arrival, entered, departed, visit }
            })
            .collect();
        on_the_way.extend(self.departed(network).map(|token| {
            let Announcement { from, target, visit, entered, departed, arrives } = token;
            OnTheWay { from, target: number(target), arrival: arrives, entered, departed, visit }
        }));
        Ok((state, on_the_way))
    }

    fn outcome(mut self, _: Time) -> Result<NetworkOutcome, QueueingError> {
        let Some((state, sums)) = self.end.take() else { return Err(QueueingError::NoReplication) };
        let model = &self.share.model;
        let opening = self.opening.take();
        let tokens = opening.as_ref().map_or(model.tokens().into(), |opening| opening.tokens);
        let before = opening.as_ref().map(|opening| &opening.sums);
        let outcomes = state.outcomes(model, &sums, before, Some(tokens)).map_err(|error| self.of_whole(error))?;
        let outcome = outcomes.into_iter().next().ok_or(QueueingError::NoReplication)?;
        Ok(NetworkOutcome { in_transit: outcome.in_transit + self.departed(&state).count() as u64, ..outcome })
    }
}
