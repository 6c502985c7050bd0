//! A band that fronts reach: rounds until nothing changes, and then what others hear has changed times.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::Placed;
use super::border::Border;
use crate::gpu::model::{DeviceCells, FirstPassage};
use crate::gpu::options::CellOptions;
use crate::gpu::passage;
use crate::reference::Area as _;
use crate::{CellError, CellModel as _, CellOutcome, fronts};
use tickless_core::ranks::{Mail, Part, windows};
use tickless_core::run::{Progress, Watch};
use tickless_core::time::Time;
use tickless_device::Device;
use tickless_engine::{ModelParts, Rounds, Stage};

/// Words of a cell that has changed: its time.
const WORDS: usize = 2;

/// The kernels and buffers of a band.
pub(super) fn parts<M: DeviceCells>(placed: &Placed<'_, M>, passage: &FirstPassage, border: &Border<'_>) -> ModelParts {
    let Placed { banded, layout } = placed;
    let first = banded.first_replication();
    let mut parts = passage::parts(banded, layout, &CellOptions::default(), (passage, None), &(first..first + 1));
    let kernel = passage::kernel(banded, layout, passage, "cells/passage_border");
    parts.results = vec![Stage::of_threads(kernel, border.others().max(border.heard.len() as u32))];
    parts.buffers.extend(border.buffers(WORDS));
    parts
}

/// Ends the rounds of a device when it is time to hear of others, and of Ctrl-C.
struct Slice(Instant);

impl Watch for Slice {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        if self.0.elapsed() < windows::ROUND { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// A band at work.
pub(super) struct Passages<'a, M> {
    placed: &'a Placed<'a, M>,
    border: Border<'a>,
    rounds: Rounds,
    /// When others were told that the fronts reach the cells that they hear.
    told: Vec<Time>,
    /// When they reach the cells of others, and which of these have changed.
    others: Vec<Time>,
    changed: Vec<u32>,
    /// The earliest that there is to do.
    first: Time,
}

impl<'a, M: DeviceCells> Passages<'a, M> {
    pub(super) fn begin(
        placed: &'a Placed<'a, M>,
        border: Border<'a>,
        device: &dyn Device,
        watch: &mut dyn Watch,
    ) -> Result<Self, CellError> {
        let banded = &placed.banded;
        let own = banded.first_passage().map(|passage| passage.starts).unwrap_or_default();
        let own = own.iter().filter(|(replication, ..)| *replication == banded.first_replication());
        let first = own.map(|(.., time)| *time).min().unwrap_or(Time::NEVER);
        let mut rounds = Rounds::start(device, placed.parts(&border)?, &CellOptions::default().rounds, watch)?;
        rounds.by_short_phases();
        let (told, others) = (vec![Time::NEVER; border.heard.len()], vec![Time::NEVER; border.others() as usize]);
        Ok(Self { placed, border, rounds, told, others, changed: vec![], first })
    }

    /// Tells others of the cells that they hear whose times have become earlier.
    fn tell(&mut self) -> Result<(), CellError> {
        self.border.read(&mut self.rounds)?;
        for n in 0..self.told.len() {
            let (cell, words) = self.border.export(n);
            let time = time_of(words);
            if time < self.told[n] && time < self.placed.banded.until() {
                self.told[n] = time;
                self.border.tell(n, &[cell.into(), time.ticks()]);
            }
        }
        Ok(())
    }

    /// How long the device has worked on rounds, where it can tell.
    pub(super) fn device(&self) -> Option<Duration> {
        self.rounds.device()
    }

    /// The own cells, in the order of the band. Where the watch has stopped all, nothing is known of any time.
    pub(super) fn end(self, interrupted: bool) -> Result<CellOutcome, CellError> {
        let Self { placed: Placed { banded, layout }, border, mut rounds, .. } = self;
        let mut own = CellOutcome::default();
        rounds.run_last()?;
        passage::times(&mut rounds, &border.order(), banded.until(), &mut own)?;
        let model_fronts = banded.fronts().filter(|_| interrupted);
        if let Some(model_fronts) = model_fronts {
            let whole = (banded.model.space(), model_fronts);
            fronts::at_start(whole, banded.first_replication(), &border.band, (&mut own.state, &mut own.next));
        } else {
            [own.transitions, own.imminent] = passage::counts(&mut rounds, layout, 1)?;
        }
        Ok(own)
    }
}

fn time_of(words: &[u32]) -> Time {
    Time::from_ticks(u64::from(words[1]) << 32 | u64::from(words[0]))
}

impl<M: DeviceCells> Part for Passages<'_, M> {
    type Error = CellError;

    /// What it does takes as long however far a round goes.
    const ROUND: Option<Duration> = None;

    fn next(&mut self) -> Time {
        self.first
    }

    /// A time that comes late is none too late.
    fn promise(&mut self, _: Time) -> Time {
        Time::NEVER
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        Some(&mut self.border.band.mail)
    }

    fn deliver(&mut self) -> Result<u64, CellError> {
        let mut mail = std::mem::take(&mut self.border.band.mail);
        let own = self.border.band.own();
        mail.take(|list| {
            for [cell, ticks] in list.as_chunks().0 {
                let (index, time) = (self.border.band.find(*cell as u32), Time::from_ticks(*ticks));
                let known = &mut self.others[(index - own) as usize];
                if time < *known {
                    *known = time;
                    self.changed.push(index);
                    self.first = self.first.min(time);
                }
            }
        });
        self.border.band.mail = mail;
        Ok(0)
    }

    /// Whatever the bound: no order matters.
    fn advance(&mut self, _: Time) -> Result<u64, CellError> {
        if self.first == Time::NEVER {
            return Ok(0);
        }
        let (own, until) = (self.border.band.own(), self.placed.banded.until());
        // One may have changed more than once.
        self.changed.sort_unstable();
        self.changed.dedup();
        for index in std::mem::take(&mut self.changed) {
            let ticks = self.others[(index - own) as usize].ticks();
            self.border.import(index, &[ticks as u32, (ticks >> 32) as u32]);
        }
        if self.border.has_imports() {
            self.border.write(&mut self.rounds, Time::ZERO)?;
            self.rounds.run_between()?;
        }
        let goes_on = self.rounds.run_until(until, until, &mut Slice(Instant::now()))?;
        self.border.write(&mut self.rounds, Time::ZERO)?;
        self.rounds.run_between()?;
        if !goes_on {
            self.first = Time::NEVER;
        }
        self.tell()?;
        Ok(0)
    }
}
