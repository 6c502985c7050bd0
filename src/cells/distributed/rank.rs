//! One rank of a run of cells over several: its band on a heap, in rounds with the other ranks.
//!
//! An output counts at once for the cells that hear it. So a round ends before the first event of any cell that another rank
//! hears: up to there each rank goes on by itself. At that time all of them are in one cycle together: outputs of imminent
//! cells are exchanged, and then all cells that are imminent or hear an imminent cell have their transitions.

use std::time::{Duration, Instant};

use super::{Band, Ended, RankLog, Share, parts};
use crate::fronts::Correction;
use crate::reference::{Area as _, Simulation};
use crate::replications::Replications;
use crate::{CellError, CellModel};
use tickless_core::heap::Handler;
use tickless_core::ranks::{Failure, Mail, Part, Transport, agree, tally, windows};
use tickless_core::run::{Asking, Whole, unwatched};
use tickless_core::time::Time;

/// Runs one replication on a heap. A watch may end its set-up.
pub(super) fn replication(
    model: &Replications<'_, impl CellModel>,
    share: Share<'_, '_>,
    transport: &mut dyn Transport,
) -> Result<Ended, Failure<CellError>> {
    let begin = Instant::now();
    let Share { band, log, may_end, watch } = share;
    let (space, number, times) = (model.space(), model.first(), [Time::ZERO, model.until()]);
    let (cells, words) = (band.own() as usize, model.output_words());
    let own = parts::zeroed(model, &band).map_err(CellError::from);
    let mut own = agree(transport, own)?;
    let mut nobody = unwatched();
    let mut asking = Asking::new(if may_end { &mut *watch } else { &mut nobody });
    let (summary, setup, counts);
    if let Some(fronts) = model.fronts() {
        let correction = Correction::begin((space, fronts), (number, model.until()), band, &mut own.next, &mut asking);
        let mut correction = agree(transport, correction)?;
        setup = begin.elapsed();
        // If it paused it might begin again for ever, where it takes longer than the time between two pauses.
        let ran = windows::run(&mut correction, times, transport, &mut Whole(watch))?;
        counts = [correction.end(&mut own.state, ran.interrupted); 2];
        summary = windows::Summary { clock: if ran.interrupted { Time::ZERO } else { ran.clock }, ..ran };
        agree(transport, Ok::<_, CellError>(()))?;
    } else {
        let arrays = own.arrays();
        let simulation = Simulation::begin(model, number, band, arrays, &mut asking);
        let simulation = agree(transport, simulation)?;
        setup = begin.elapsed();
        let mut rank = Rank { simulation, log };
        summary = windows::run(&mut rank, times, transport, watch)?;
        let Rank { simulation, log } = rank;
        agree(transport, Ok::<_, CellError>(()))?;
        log.finish(transport)?;
        (_, counts) = simulation.end();
    }
    own.next.truncate(cells);
    own.output.truncate(cells * words);
    Ok(Ended { summary, counts: tally(transport, counts)?, own, setup })
}

/// A band at work, and its share of the log.
pub(super) struct Rank<'a, 'l, M> {
    pub(super) simulation: Simulation<'a, M, Band<'a>>,
    pub(super) log: RankLog<'l>,
}

impl<M: CellModel> Part for Rank<'_, '_, M> {
    type Error = CellError;

    const ROUND: Duration = windows::ROUND;

    const INSTANTS: bool = true;

    fn next(&mut self) -> Time {
        self.simulation.next()
    }

    /// The sender of an output that another rank hears has either planned it already, or hears this rank's next event at the
    /// earliest.
    fn promise(&mut self, next: Time) -> Time {
        if !self.simulation.area.is_heard() {
            return Time::NEVER;
        }
        let [lookahead, _] = self.simulation.times();
        let border = self.simulation.first_of(|simulation| &mut simulation.area.border);
        windows::ahead(next, lookahead).min(border)
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        Some(&mut self.simulation.area.mail)
    }

    fn deliver(&mut self) -> Result<u64, CellError> {
        let mut mail = std::mem::take(&mut self.simulation.area.mail);
        let simulation = &mut self.simulation;
        let taken = self.log.take(&mut mail, |message| {
            let cell = simulation.area.find(message.cell);
            simulation.hear(cell, message.output());
        });
        self.simulation.area.mail = mail;
        taken?;
        let Band { bound, waits, .. } = &mut self.simulation.area;
        let now = *bound;
        if std::mem::take(waits) { self.simulation.change_all(now) } else { Ok(0) }
    }

    fn advance(&mut self, bound: Time) -> Result<u64, CellError> {
        let [_, until] = self.simulation.times();
        self.simulation.area.bound = bound;
        let mut events = 0;
        loop {
            let now = self.simulation.next();
            if now >= bound {
                break;
            }
            events += self.simulation.handle(now)?;
        }
        if bound < until {
            self.simulation.send_all(bound)?;
            self.simulation.area.waits = true;
        }
        let Band { log, mail, .. } = &mut self.simulation.area;
        if let Some(sent) = log {
            self.log.post(mail, sent);
        }
        Ok(events)
    }

    fn stands_still(&self) -> Option<CellError> {
        self.simulation.stands_still()
    }
}
