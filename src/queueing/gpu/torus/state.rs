//! Results from the records of a torus.

use rayon::prelude::*;

use super::model::TorusModel;
use super::tiles::AHEAD;
use crate::checkpoint::End;
use crate::gpu::records::{ShortStation, Token};
use crate::gpu::state::{Decided, State, Totals};
use crate::{NetworkOutcome, QueueingError};
use tickless_core::time::Time;
use tickless_device::DeviceError;
use tickless_engine::Rounds;

/// The records as they lie on the device; they differ where appointments are made in tiles.
pub(super) struct Records {
    stations: Vec<ShortStation>,
    tokens: Vec<Token>,
    /// The next arrival of each token; in tiles its record has it.
    next_event: Option<Vec<u64>>,
    time: Time,
}

impl Records {
    /// Bytes of all records.
    pub(super) fn bytes(torus: TorusModel<'_>, in_tiles: bool) -> u64 {
        let token = size_of::<Token>() as u64 + if in_tiles { 0 } else { 8 };
        size_of::<ShortStation>() as u64 * u64::from(torus.model.stations()) + token * u64::from(torus.model.tokens())
    }

    /// Reads the records.
    pub(super) fn read(rounds: &mut Rounds, torus: TorusModel<'_>, in_tiles: bool) -> Result<Self, DeviceError> {
        Ok(Self {
            // Other words may follow these records.
            stations: rounds.read_part("stations", 0, torus.model.stations() as usize)?,
            tokens: rounds.read("tokens")?,
            next_event: (!in_tiles).then(|| rounds.read("next_event")).transpose()?,
            time: rounds.clock(),
        })
    }

    /// The state from the records.
    fn state(self, torus: TorusModel<'_>) -> Result<State, QueueingError> {
        let (key, draws) = (torus.key(), u64::from(torus.law().draws()) + 1);
        let ahead = if self.next_event.is_some() { 0 } else { AHEAD };
        let decided = |(id, station): (usize, &ShortStation)| Decided {
            service: station.service.into(),
            waiting: station.waiting.into(),
            started: key.draws(id as u32, station.state) / draws - ahead,
            losses: 0,
        };
        let stations = self.stations.par_iter().enumerate().map(decided).collect();
        let in_records = || self.tokens.par_iter().map(Token::arrival).collect();
        let arrivals = self.next_event.unwrap_or_else(in_records);
        State::new(self.time, stations, self.tokens, arrivals, |_, _, arrival| arrival)
    }

    /// The records since `before`; without `before` since time 0, or since the end of a warm-up. With the state of the torus where
    /// another run is to resume.
    pub(super) fn end(
        self,
        torus: TorusModel<'_>,
        before: Option<&[Totals]>,
        keeps: bool,
    ) -> Result<End, QueueingError> {
        let model = torus.model;
        let state = self.state(torus)?;
        let (totals, all) = (state.totals(|_| torus.tokens_each()), 0..model.stations() as usize);
        let left = keeps.then(|| state.at(all.clone(), &totals, |_| Time::NEVER, |_, started| started - 1));
        // A warm-up that has not ended has measured nothing.
        let before = before.or((model.warmup() > Time::ZERO).then_some(&totals[..]));
        let stations = state.outcome(all, &totals, before, model.warmup());
        Ok(End { outcome: NetworkOutcome::closed(stations, model.tokens().into()), state: left })
    }
}

/// Reads the records of a torus.
pub(in crate::gpu) fn read_state(
    rounds: &mut Rounds,
    torus: TorusModel<'_>,
    in_tiles: bool,
) -> Result<State, QueueingError> {
    Records::read(rounds, torus, in_tiles)?.state(torus)
}
