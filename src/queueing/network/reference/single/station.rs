//! A station with one server.

use std::collections::VecDeque;

use crate::queueing::network::NetworkModel;
use crate::queueing::network::reference::{later, tally::Tally};
use crate::random::{LawKind, Stream, exponential, scale};
use crate::time::Time;

/// What a token remembers in a queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) arrived: Time,
    /// When it came from a source; never where it was there at time 0.
    pub(super) entered: Time,
}

/// A station: two cache lines, the first with what its service needs, the second with its queue and its sums.
#[repr(C, align(64))]
pub(super) struct Station {
    stream: Stream,
    /// The next service time.
    ahead: Time,
    /// When the service in progress ends; never where there is none.
    pub(super) end: Time,
    /// The `entered` of the token in service.
    pub(super) entered: Time,
    /// Where that token goes, and by which edge.
    pub(super) target: u32,
    pub(super) edge: u32,
    /// The mean of an exponential law without an offset; 0 for any other.
    mean: u64,
    /// Its edges.
    first: u32,
    edges: u32,
    pub(super) queue: VecDeque<Token>,
    pub(super) tally: Tally,
}

const _: () = assert!(size_of::<Station>() == 128);

impl Station {
    pub(super) fn new(model: &NetworkModel, id: u32, stream: Stream) -> Self {
        let law = model.law(id);
        let plain = law.kind == LawKind::Exponential && law.offset == 0;
        let first = model.first[id as usize];
        let mut station = Self {
            stream,
            ahead: Time::ZERO,
            end: Time::NEVER,
            entered: Time::NEVER,
            target: 0,
            edge: 0,
            mean: if plain { law.first } else { 0 },
            first,
            edges: model.first[id as usize + 1] - first,
            queue: VecDeque::new(),
            tally: Tally::default(),
        };
        station.draw_service(model, id);
        station
    }

    /// Tokens here.
    #[inline]
    pub(super) fn present(&self) -> usize {
        self.queue.len() + usize::from(self.end != Time::NEVER)
    }

    /// Starts the service of a token; when it ends.
    #[inline]
    pub(super) fn start(&mut self, token: Token, now: Time) -> Time {
        self.tally.start(now.ticks() - token.arrived.ticks(), self.ahead);
        self.entered = token.entered;
        self.end = later(now, self.ahead);
        self.end
    }

    /// Draws where the token in service goes, then the next service time: the order of the contract.
    #[inline]
    pub(super) fn draw(&mut self, model: &NetworkModel, id: u32) {
        let draw = self.stream.draw();
        let row = &model.edges[self.first as usize..(self.first + self.edges) as usize];
        let place = row.partition_point(|edge| edge.upper < draw);
        self.target = row[place].target;
        self.edge = self.first + place as u32;
        self.draw_service(model, id);
    }

    #[inline]
    fn draw_service(&mut self, model: &NetworkModel, id: u32) {
        self.ahead = if self.mean > 0 {
            Time::from_ticks(scale(exponential(self.stream.draw()), self.mean).max(1))
        } else {
            model.law(id).service(&mut self.stream)
        };
    }
}
