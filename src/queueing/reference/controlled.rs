//! Copies of a network under control, each on a heap of its own.

use rayon::prelude::*;

use super::oracle::Oracle;
use crate::QueueingError;
use crate::control::{ControlledModel, Copies, Seen, SeenSizes};
use crate::model::control::ControlRules;
use tickless_core::heap::Handler;
use tickless_core::memory;
use tickless_core::random::StreamKey;
use tickless_core::run::{Asking, unwatched};
use tickless_core::time::Time;

/// Copies of a network, at their decisions.
pub(in super::super) struct HeapCopies<'a> {
    common: Common<'a>,
    copies: Vec<HeapCopy<'a>>,
    seen: Seen,
    /// Whether they have ended with an error: some have gone on, and others not.
    has_stopped: bool,
}

/// A copy.
struct HeapCopy<'a> {
    oracle: Oracle<'a>,
    /// How often it has begun anew since the reset.
    episode: u32,
    /// Of its last decision.
    clock: Time,
    /// What counts were then.
    counts: Vec<u64>,
    ended: bool,
}

/// What copies have in common.
#[derive(Clone, Copy)]
struct Common<'a> {
    model: &'a ControlledModel,
    count: u32,
    seed: u64,
}

/// What a copy has earned, and where it stands.
struct Stop {
    observed: Vec<u32>,
    earned: Vec<u64>,
    clock: Time,
    ended: bool,
}

impl<'a> HeapCopies<'a> {
    /// Copies at time 0.
    ///
    /// # Errors
    /// Too little memory; an error of a copy.
    pub(in super::super) fn start(
        model: &'a ControlledModel,
        (count, seed): (u32, u64),
    ) -> Result<Self, QueueingError> {
        let seen = Seen::new(SeenSizes::new(model.control(), count))?;
        let mut all = Self { common: Common { model, count, seed }, copies: vec![], seen, has_stopped: false };
        all.reset(Some(seed))?;
        Ok(all)
    }

    fn sees(&mut self, stops: Vec<Stop>) -> &Seen {
        for (place, stop) in stops.into_iter().enumerate() {
            self.seen.note(place, &stop.observed, &stop.earned, (stop.clock.ticks(), stop.ended));
        }
        &self.seen
    }
}

impl<'a> Common<'a> {
    /// A copy at time 0, behind the events of that time.
    fn begin(self, number: u32, episode: u32) -> Result<(HeapCopy<'a>, Stop), QueueingError> {
        let model = &self.model.model;
        let replication = number.wrapping_add(episode.wrapping_mul(self.count));
        let key = StreamKey::new(self.seed, replication.into());
        let mut oracle = Oracle::new(model, key, None);
        oracle.is_controlled();
        oracle.begin(&mut Asking::new(&mut unwatched()))?;
        while oracle.happens_next() == Time::ZERO {
            oracle.handle(Time::ZERO).map_err(|error| of_copy(error, number))?;
        }
        let mut copy = HeapCopy { oracle, episode, clock: Time::ZERO, counts: vec![], ended: false };
        let control = self.model.control();
        let stop = copy.stops(control, Time::ZERO, vec![0; control.earned.len()]);
        Ok((copy, stop))
    }
}

impl HeapCopy<'_> {
    /// Goes on from a decision to the next one.
    fn goes_on(&mut self, control: &ControlRules, until: Time, words: &[u32]) -> Result<Stop, QueueingError> {
        let mut now = self.clock;
        self.oracle.decides(words, now);
        let limit = control.every.and_then(|every| now.checked_add(every)).map_or(until, |next| next.min(until));
        let mut earned = vec![0_u64; control.earned.len()];
        let mut earn = |oracle: &Oracle<'_>, span: u64| {
            for (sum, looked) in earned.iter_mut().zip(&control.earned).filter(|(_, looked)| looked.kind.is_over_time())
            {
                *sum = sum.wrapping_add(oracle.count_of(looked).wrapping_mul(span));
            }
        };
        loop {
            let next = self.oracle.happens_next();
            if next >= limit {
                break;
            }
            earn(&self.oracle, next.ticks() - now.ticks());
            now = next;
            self.oracle.handle(now)?;
            if control.every.is_none() && now > self.clock && self.oracle.happens_next() > now {
                return Ok(self.stops(control, now, earned));
            }
        }
        earn(&self.oracle, limit.ticks() - now.ticks());
        self.ended = limit == until;
        Ok(self.stops(control, limit, earned))
    }

    /// What is seen at a decision.
    fn stops(&mut self, control: &ControlRules, clock: Time, mut earned: Vec<u64>) -> Stop {
        let is_first = self.counts.is_empty();
        let counts: Vec<u64> = control.earned.iter().map(|looked| self.oracle.count_of(looked)).collect();
        for (place, looked) in control.earned.iter().enumerate().filter(|_| !is_first) {
            if !looked.kind.is_over_time() {
                earned[place] = counts[place] - self.counts[place];
            }
        }
        (self.clock, self.counts) = (clock, counts);
        let observed = control.observed.iter().map(|looked| self.oracle.count_of(looked) as u32).collect();
        Stop { observed, earned, clock, ended: self.ended }
    }
}

/// Of all copies, or the error of the first that has one: which it is does not depend on threads.
fn of_all<T>(copies: Vec<Result<T, QueueingError>>) -> Result<Vec<T>, QueueingError> {
    copies.into_iter().collect()
}

fn of_copy(error: QueueingError, copy: u32) -> QueueingError {
    QueueingError::InCopy { copy, error: Box::new(error) }
}

impl<'a> Copies for HeapCopies<'a> {
    fn reset(&mut self, seed: Option<u64>) -> Result<&Seen, QueueingError> {
        let Common { model, count, .. } = self.common;
        let each = Oracle::bytes(&model.model);
        memory::room_of(each.saturating_mul(count.into()), "the copies of the network")?;
        self.common.seed = seed.unwrap_or(self.common.seed);
        // The copies before go first: there is room for one of each.
        let before = std::mem::take(&mut self.copies).into_iter().map(|copy| copy.episode).collect::<Vec<_>>();
        let next = |number: u32| before.get(number as usize).map_or(0, |episode| episode.wrapping_add(1));
        let next = |number: u32| if seed.is_some() { 0 } else { next(number) };
        let common = self.common;
        self.has_stopped = true;
        let begun: Vec<_> = (0..count).into_par_iter().map(|number| common.begin(number, next(number))).collect();
        let (copies, stops) = of_all(begun)?.into_iter().unzip();
        (self.copies, self.has_stopped) = (copies, false);
        Ok(self.sees(stops))
    }

    fn seen(&self) -> &Seen {
        &self.seen
    }

    fn step(&mut self, decided: &[u32]) -> Result<&Seen, QueueingError> {
        let common = self.common;
        common.model.check(common.count as usize, decided)?;
        if self.has_stopped {
            return Err(QueueingError::Stopped);
        }
        let (control, until) = (common.model.control(), common.model.model.until());
        let words = control.words as usize;
        let step = |(number, copy): (usize, &mut HeapCopy<'a>)| {
            if copy.ended {
                let (begun, stop) = common.begin(number as u32, copy.episode.wrapping_add(1))?;
                *copy = begun;
                return Ok(stop);
            }
            let of_copy_alone = &decided[number * words..][..words];
            copy.goes_on(control, until, of_copy_alone).map_err(|error| of_copy(error, number as u32))
        };
        let stops = of_all(self.copies.par_iter_mut().enumerate().map(step).collect());
        self.has_stopped = stops.is_err();
        Ok(self.sees(stops?))
    }
}
