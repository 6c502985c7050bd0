//! Sources: when their tokens come, and how many at a time.

use super::events::{Event, Phase};
use super::routes::drawn;
use super::{NOBODY, Oracle, Token};
use crate::describe::{Coming, PhaseStanding, Routing, Standing, number_of};
use crate::model::{AttributeRules, MOST_ATTRIBUTES, SourceRules};
use crate::reference::later;
use serde::{Deserialize, Serialize};
use tickless_core::random::Stream;
use tickless_core::time::Time;

#[derive(Serialize, Deserialize)]
pub(super) struct Source {
    pub(super) stream: Stream,
    pub(super) sent: u64,
    pub(super) counted: u64,
    /// When the next token comes; in approximate time its original time.
    pub(super) next: Time,
    intensity_state: Standing,
    phase_state: PhaseStanding,
    /// The next row of its trace.
    row: usize,
}

impl Source {
    /// Before its first token, which comes after `start`.
    pub(super) fn new(stream: Stream, start: Time) -> Self {
        Self {
            stream,
            sent: 0,
            counted: 0,
            next: start,
            intensity_state: Standing::default(),
            phase_state: PhaseStanding::default(),
            row: 0,
        }
    }
}

impl Oracle<'_> {
    /// Draws the next interval of a source that has tokens left.
    #[inline(always)]
    pub(super) fn schedule_source(&mut self, id: u32) {
        let (source, inflow) = (&mut self.sources[id as usize], self.model.inflow(id));
        if source.sent < inflow.limit {
            let rules = &self.rules.sources[id as usize];
            let behind = |row: &Coming| inflow.start.checked_add(row.after).filter(|time| time.ticks() < 1 << 63);
            let next = match (&rules.intensity, &rules.phases, &rules.trace) {
                (Some(intensity), ..) => intensity.next(inflow.start, &mut source.intensity_state, &mut source.stream),
                (_, Some(phases), _) => phases.next(source.next, &mut source.phase_state, &mut source.stream),
                (.., Some(trace)) => trace.get(source.row).and_then(behind),
                _ => Some(later(source.next, inflow.law.service(&mut source.stream))),
            };
            let Some(next) = next else { return };
            source.next = next;
            let entity = self.entity(self.stations.len() as u32 + id);
            let time = self.approximation.as_ref().map_or(next, |approximation| approximation.executed(next));
            self.events.push(Event { time, phase: Phase::Arrival, entity, token: NOBODY });
        }
    }

    /// Tokens of a source come; how many, and how many of them balk. Or its phase changes without any. Most sources send one token at a time.
    pub(super) fn send(&mut self, id: u32, now: Time) -> u64 {
        let SourceRules { batch, phases, trace, choice, .. } = &self.rules.sources[id as usize];
        let is_further = phases.is_some() || trace.is_some() || !batch.is_empty() || choice.is_some();
        if is_further || self.collects || !self.rules.attributes.is_empty() {
            return self.send_any(id, now);
        }
        let (counted, class) = (self.counted(now), self.rules.source_classes[id as usize]);
        let source = &mut self.sources[id as usize];
        source.row += 1;
        source.sent += 1;
        source.counted += counted;
        self.came(now, 1);
        self.numbers(class, now, 1);
        self.schedule_source(id);
        let token = self.tokens.put(Token::new(class, now, self.model.inflow(id).target));
        1 + self.arrive(token, now)
    }

    /// The same of any source.
    fn send_any(&mut self, id: u32, now: Time) -> u64 {
        let (counted, SourceRules { batch, phases, trace, values, .. }) =
            (self.counted(now), &self.rules.sources[id as usize]);
        if phases.is_some() && !self.sources[id as usize].phase_state.brings {
            self.schedule_source(id);
            return 1;
        }
        let (source, inflow) = (&mut self.sources[id as usize], self.model.inflow(id));
        let row = trace.as_ref().and_then(|trace| trace.get(source.row));
        let known = values.get(source.row).copied().unwrap_or([Time::NEVER; MOST_ATTRIBUTES]);
        source.row += 1;
        let class = row.map_or(self.rules.source_classes[id as usize], |row| row.class);
        let size = match row {
            Some(row) => row.tokens.into(),
            None if batch.is_empty() => 1,
            None => number_of(batch, source.stream.draw()),
        };
        let size = size.min(inflow.limit - source.sent);
        let first = source.sent;
        let original = if self.approximation.is_some() { source.next } else { Time::ZERO };
        source.sent += size;
        source.counted += counted * size;
        self.came(now, size as i64);
        self.numbers(class, now, size as i64);
        self.schedule_source(id);
        let mut balked = 0;
        for number in first..first + size {
            let token = Token::new(class, now, self.goal(id, class, number));
            if self.collects {
                let token = Token { number: first, original, ..token };
                let place = self.tokens.put(token);
                self.collect(place, self.model.stations() + id);
                continue;
            }
            let token = self.tokens.put(token);
            if !self.rules.attributes.is_empty() {
                let stream = &mut self.sources[id as usize].stream;
                self.tokens[token].values = AttributeRules::values(&self.rules.attributes, class, known, stream);
            }
            balked += self.arrive(token, now);
        }
        size + balked
    }

    /// Where the token of a number goes, counted from 0, of a source.
    fn goal(&mut self, id: u32, class: u32, number: u64) -> u32 {
        let Some(choice) = self.rules.sources[id as usize].choice else { return self.model.inflow(id).target };
        let (edges, stream) = (choice.edges(class), &mut self.sources[id as usize].stream);
        let edge = match choice.routing {
            Routing::Random => drawn(&edges, stream),
            Routing::RoundRobin => {
                edges.start + self.turn_of_source_decided(id, (number % u64::from(choice.count)) as u32)
            }
            Routing::ShortestOf(of) => {
                let drawn: Vec<u32> = (0..of).map(|_| drawn(&edges, stream)).collect();
                self.shortest(drawn)
            }
            routing => self.chosen(routing, edges),
        };
        self.rules.edges[edge as usize].target
    }
}
