//! The buffers of a torus that resumes.

use rayon::prelude::*;

use super::model::TorusModel;
use crate::QueueingError;
use crate::checkpoint::State;
use crate::gpu::records::ShortStation;
use crate::gpu::restoration::{self, Tokens, fill, free};
use tickless_core::memory;
use tickless_core::time::Time;
use tickless_engine::ModelParts;

/// Fills the buffers with the state of a torus; returns the next event of each token.
pub(super) fn restore(parts: &mut ModelParts, torus: TorusModel<'_>, state: &State) -> Result<Vec<u64>, QueueingError> {
    let TorusModel { model, .. } = torus;
    let bytes = 100 * u64::from(model.stations()) + 64 * u64::from(model.tokens());
    memory::room_of(bytes, "what is on the torus")?;
    let (key, draws) = (torus.key(), u64::from(torus.law().draws()) + 1);
    let mut tokens = Tokens::default();
    tokens.add((state, model, key), (0, 0), |_, draw| (draw >> 30, Time::ZERO), |_, _| 0);
    let services: Vec<_> = state.stations().map(|here| (here.started, free(here.services))).collect();
    let station = |(id, &(started, free)): (usize, &(u64, u64))| ShortStation {
        state: key.state_behind(id as u32, started * draws),
        free,
        // As if the service had begun at time 0: the results are differences.
        service: free,
        waiting: 0,
    };
    let stations: Vec<ShortStation> = services.par_iter().enumerate().map(station).collect();
    fill(parts, "stations", &stations);
    fill(parts, "tokens", &tokens.tokens);
    restoration::restore(parts, &tokens.ranges, false);
    Ok(tokens.next_event)
}
