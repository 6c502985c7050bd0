//! What is decided of a copy of a network during its run: the twin of `shaders/multiclass/control`.

use super::{Event, NOBODY, Oracle, Phase};
use crate::model::control::{ControlRules, Kind, Looked};
use tickless_core::heap::Handler as _;
use tickless_core::time::Time;

/// The last decision.
pub(super) struct Decided {
    words: Vec<u32>,
    /// When it was; never before the first one.
    at: Time,
}

impl Oracle<'_> {
    /// Something is decided from now on.
    pub(in super::super) fn is_controlled(&mut self) {
        let words = self.rules.control.as_ref().map_or(0, |control| control.words);
        self.decided = Some(Box::new(Decided { words: vec![0; words as usize], at: Time::NEVER }));
    }

    /// When something happens next. No copy stops for the end of a service that is interrupted, or of a patience that is not needed.
    pub(in super::super) fn happens_next(&mut self) -> Time {
        let Self { events, tokens, stations, .. } = self;
        events.drop_while(|event| !event.happens(tokens, stations));
        self.next()
    }

    /// Carries out a decision: where servers or ranks are decided, a shift begins.
    pub(in super::super) fn decides(&mut self, words: &[u32], now: Time) {
        let (Some(decided), Some(control)) = (&mut self.decided, &self.rules.control) else { return };
        decided.words.copy_from_slice(words);
        decided.at = now;
        for (entity, station) in (0..).zip(&control.stations) {
            if station.servers.is_some() || station.ranks.is_some() {
                self.events.push(Event { time: now, phase: Phase::Shift, entity, token: NOBODY });
            }
        }
    }

    /// A word of the decision that rules name.
    fn word(&self, number: impl FnOnce(&ControlRules) -> Option<u32>) -> Option<u32> {
        let (decided, control) = (self.decided.as_ref()?, self.rules.control.as_ref()?);
        Some(decided.words[number(control)? as usize])
    }

    /// How many servers are on duty from the shift of a decision on.
    pub(super) fn servers_decided(&self, id: u32) -> Option<u32> {
        self.decided.as_ref().filter(|decided| decided.at != Time::NEVER)?;
        self.word(|control| control.stations[id as usize].servers)
    }

    /// The route of tokens of a station that would take `turn`; below, of a source.
    pub(super) fn turn_decided(&self, id: usize, turn: u32) -> u32 {
        self.word(|control| control.stations[id].route).unwrap_or(turn)
    }

    pub(super) fn turn_of_source_decided(&self, id: u32, turn: u32) -> u32 {
        self.word(|control| control.sources[id as usize]).unwrap_or(turn)
    }

    /// Whether the servers of a station take nobody now: where copies stop behind every event, who is served next is decided when a server is
    /// free.
    pub(super) fn waits_for_decision(&self, id: u32, now: Time) -> bool {
        let (Some(decided), Some(control)) = (&self.decided, &self.rules.control) else { return false };
        control.every.is_none() && control.stations[id as usize].ranks.is_some() && decided.at != now
    }

    /// Takes the token that is served next out of the queue: of the class with the highest rank, of several the first class.
    pub(super) fn next_decided(&mut self, id: u32, now: Time) -> Option<u32> {
        if self.waits_for_decision(id, now) {
            return None;
        }
        let (Some(decided), Some(first)) = (&self.decided, self.rules.ranks_of(id)) else {
            return self.stations[id as usize].next();
        };
        let ranks = &decided.words[first as usize..][..self.rules.classes() as usize];
        let waiting = &mut self.stations[id as usize].waiting;
        let served = (0..self.rules.classes()).filter(|class| ranks[*class as usize] > 0 && waiting.len_of(*class) > 0);
        let class = served.min_by_key(|class| std::cmp::Reverse(ranks[*class as usize]))?;
        let (rank, _) = waiting.first_of(class)?;
        waiting.remove(&rank)
    }

    /// A number of the copy.
    pub(in super::super) fn count_of(&self, looked: &Looked) -> u64 {
        let classes = looked.class.map_or(0..self.rules.classes(), |class| class..class + 1);
        if looked.kind == Kind::Left {
            let sinks = classes.map(|class| &self.sinks[(looked.place * self.rules.classes() + class) as usize]);
            return sinks.map(|sink| sink.tokens).sum();
        }
        let station = &self.stations[looked.place as usize];
        match (looked.kind, looked.class) {
            (Kind::Present, None) => return station.present(),
            (Kind::Waiting, _) => return station.present() - station.serving.len() as u64,
            (Kind::Serving, _) => return station.serving.len() as u64,
            (Kind::Servers, _) => return station.servers(),
            _ => {}
        }
        let of_class = |class: u32| {
            let accounts = &station.accounts[class as usize];
            match looked.kind {
                Kind::Present => accounts.accounts.present(),
                Kind::Lost => accounts.accounts.losses(),
                Kind::Reneged => accounts.reneged,
                _ => accounts.accounts.completions(),
            }
        };
        classes.map(of_class).sum()
    }
}
