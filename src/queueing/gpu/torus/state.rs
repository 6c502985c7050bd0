//! What the records of a torus say.

use rayon::prelude::*;

use super::model::TorusModel;
use super::tiles::AHEAD;
use crate::engine::Rounds;
use crate::queueing::QueueingError;
use crate::queueing::gpu::records::{ShortStation, Token};
use crate::queueing::gpu::state::{Decided, State};

/// Reads the records of a torus, which differ where appointments are made in tiles.
pub(in crate::queueing::gpu) fn read_state(
    rounds: &mut Rounds,
    torus: TorusModel<'_>,
    in_tiles: bool,
) -> Result<State, QueueingError> {
    let mut stations: Vec<ShortStation> = rounds.read("stations")?;
    // Behind the records may be more.
    stations.truncate(torus.model.stations() as usize);
    let tokens: Vec<Token> = rounds.read("tokens")?;
    let (key, draws) = (torus.key(), u64::from(torus.law().draws()) + 1);
    let ahead = if in_tiles { AHEAD } else { 0 };
    let decided = |(id, station): (usize, &ShortStation)| Decided {
        service: station.service.into(),
        waiting: station.waiting.into(),
        started: key.draws(id as u32, station.state) / draws - ahead,
        losses: 0,
    };
    let arrivals = match in_tiles {
        true => tokens.iter().map(Token::arrival).collect(),
        false => rounds.read("next_event")?,
    };
    let stations = stations.par_iter().enumerate().map(decided).collect();
    State::new(rounds, stations, tokens, arrivals, |_, _, arrival| arrival)
}
