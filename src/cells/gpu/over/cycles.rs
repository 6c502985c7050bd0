//! A band whose events have an order. Up to the bound of a round of all ranks it goes on by itself, in the rounds of any run. At the
//! bound cells send, what others hear goes to them, and then what has come is taken in and cells make their transitions.

use std::time::Duration;

use super::Placed;
use super::border::Border;
use crate::gpu::Batch;
use crate::gpu::band::Banded;
use crate::gpu::log::Intake;
use crate::gpu::model::DeviceCells;
use crate::gpu::options::CellOptions;
use crate::gpu::start;
use crate::gpu::state::{self, CellStatus};
use crate::over::RankLog;
use crate::over::post::{Sent, Words};
use crate::{CellError, CellModel as _, CellOutcome};
use tickless_core::ranks::{Mail, Part, windows};
use tickless_core::run::{FEW_CYCLES, Watch, unwatched};
use tickless_core::time::Time;
use tickless_device::Device;
use tickless_engine::{DeviceRun as _, ModelParts, Rounds, Stage, Work};

/// The kernels and buffers of a band.
///
/// # Errors
/// What the model says of its start.
pub(super) fn parts<M: DeviceCells>(placed: &Placed<'_, M>, border: &Border<'_>) -> Result<ModelParts, CellError> {
    let Placed { banded, layout } = placed;
    let first = banded.first_replication();
    let mut parts = layout.parts(banded, first..first + 1)?;
    let own = banded.kernels().mounts;
    let kernel = |label| layout.kernel(banded, &own, label);
    let [departure, arrival] = [0, 1].map(|place| parts.round[place].clone());
    let next = Stage { kernel: kernel("cells/border_next"), work: Work::Workgroups(1) };
    parts.last = vec![departure, Stage::of_threads(kernel("cells/border_out"), border.heard.len() as u32)];
    parts.results = vec![Stage::of_threads(kernel("cells/border_in"), border.others()), arrival, next];
    parts.buffers.extend(border.buffers(banded.output_words()));
    Ok(parts)
}

/// A band at work.
pub(super) struct Cycles<'a, 'l, M> {
    batch: Batch<'a, Banded<'a, M>, Sent>,
    border: Border<'a>,
    log: RankLog<'l>,
    /// How far time goes on from an input to an output at least.
    lookahead: Time,
    next: Time,
    /// The first event of a cell that other ranks hear.
    heard: Time,
    /// The bound of the round, and how many there were at that time before it.
    bound: Time,
    cycles: u64,
    /// Whether it has gone on since the last look at what is next, and whether cells have sent what they send at the bound.
    moved: bool,
    sent: bool,
}

impl<'a, 'l, M: DeviceCells> Cycles<'a, 'l, M> {
    pub(super) fn begin(
        placed: &'a Placed<'a, M>,
        (border, log): (Border<'a>, RankLog<'l>),
        device: &dyn Device,
        watch: &mut dyn Watch,
    ) -> Result<Self, CellError> {
        let Placed { banded, layout } = placed;
        let (first, most_cycles) = (banded.first_replication(), banded.model.space().most_cycles());
        let mut rounds = Rounds::start(device, placed.parts(&border)?, &CellOptions::default().rounds, watch)?;
        rounds.by_short_phases();
        rounds.may_stand_still(most_cycles);
        if banded.elapsed() {
            start::write_last(&mut rounds, banded, layout, first..first + 1)?;
        }
        let intake = layout.log.map(|room| Intake::new(room, first, Sent::default()));
        let batch = Batch { model: banded, layout, replications: first..first + 1, most_cycles, log: intake, rounds };
        let (lookahead, bound) = (layout.reach.lookahead, Time::NEVER);
        let (next, heard, cycles, moved, sent) = (Time::NEVER, Time::NEVER, 0, false, false);
        let mut all = Self { batch, border, log, lookahead, next, heard, bound, cycles, moved, sent };
        all.change(Time::ZERO)?;
        Ok(all)
    }

    /// Transitions so far.
    fn events(&self) -> u64 {
        let control = self.batch.rounds.control();
        control.events + u64::from(control.selected)
    }

    /// Has the cells whose events are at a time send, and others hear of it.
    fn send(&mut self, now: Time) -> Result<(), CellError> {
        let rounds = &mut self.batch.rounds;
        rounds.set_limit(Time::from_ticks(now.ticks() + 1))?;
        rounds.run_last()?;
        self.sent = true;
        self.border.read(rounds)?;
        for n in 0..self.border.heard.len() {
            if let (cell, [1, output @ ..]) = self.border.export(n) {
                let words = Words::of(cell, output);
                self.border.tell(n, words.as_slice());
            }
        }
        Ok(())
    }

    /// The transitions of the cells that have sent or hear something at a time, and what is next.
    fn change(&mut self, now: Time) -> Result<(), CellError> {
        let Batch { model, rounds, .. } = &mut self.batch;
        self.border.write(rounds, now)?;
        rounds.run_between()?;
        state::fault_at(now, rounds, *model)?;
        let CellStatus { next, heard, .. } = rounds.model_status();
        (self.next, self.heard) = (Time::from_ticks(next), Time::from_ticks(heard));
        (self.moved, self.sent) = (false, false);
        Ok(())
    }

    /// What own cells have sent since this was asked last. All of it is before what they send next, or at the same time.
    fn logged(&mut self) -> Result<Vec<u64>, CellError> {
        let Some(intake) = &mut self.batch.log else { return Ok(vec![]) };
        intake.take(&mut self.batch.rounds)?;
        intake.finish()?;
        Ok(std::mem::take(&mut intake.log.0))
    }

    /// The own cells, in the order of the band, and the log with what it has not been told yet.
    pub(super) fn end(mut self) -> Result<(CellOutcome, RankLog<'l>), CellError> {
        let (transitions, mut rest) = (self.events(), self.logged()?);
        self.log.rest(&mut rest);
        let Self { log, batch: Batch { model, layout, mut rounds, .. }, border, .. } = self;
        let mut own = CellOutcome::default();
        state::outcome(&mut rounds, model, layout.slots(1) as usize, &border.order(), &mut own)?;
        Ok((CellOutcome { transitions, ..own }, log))
    }
}

impl<M: DeviceCells> Part for Cycles<'_, '_, M> {
    type Error = CellError;

    const ROUND: Option<Duration> = Some(windows::ROUND);

    const INSTANTS: bool = true;

    fn next(&mut self) -> Time {
        self.next
    }

    /// As on a heap; the lookahead is the one that transitions are held to.
    fn promise(&mut self, next: Time) -> Time {
        if !self.border.band.is_heard() {
            return Time::NEVER;
        }
        windows::ahead(next, self.lookahead).min(self.heard)
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        Some(&mut self.border.band.mail)
    }

    fn deliver(&mut self) -> Result<u64, CellError> {
        let mut mail = std::mem::take(&mut self.border.band.mail);
        let border = &mut self.border;
        let taken = self.log.take(&mut mail, |message| {
            let index = border.band.find(message.cell);
            border.import(index, message.output());
        });
        self.border.band.mail = mail;
        taken?;
        let before = self.events();
        if self.border.has_imports() && !self.sent {
            // Nothing sends, and no mark of an earlier cycle is left.
            self.send(self.bound)?;
        }
        if self.moved || self.sent {
            self.change(self.bound)?;
        }
        Ok(self.events() - before)
    }

    fn advance(&mut self, bound: Time) -> Result<u64, CellError> {
        let (before, until) = (self.events(), self.batch.model.until());
        if self.next < bound {
            self.batch.run_until(bound, &mut unwatched())?;
            self.moved = true;
        }
        // Before cells send at the bound, for which there must be room.
        let mut logged = self.logged()?;
        self.log.post(&mut self.border.band.mail, &mut logged);
        if bound < until {
            self.cycles = if self.bound == bound { self.cycles + 1 } else { 0 };
            if self.cycles > self.batch.most_cycles {
                return Err(self.batch.model.illegitimate(bound, self.cycles));
            }
            if self.moved || self.next == bound {
                self.send(bound)?;
            }
        }
        self.bound = bound;
        Ok(self.events() - before)
    }

    fn stands_still(&self) -> Option<CellError> {
        (self.cycles > FEW_CYCLES).then(|| self.batch.model.illegitimate(self.bound, self.cycles))
    }
}
