//! A station with one server.

use std::collections::VecDeque;
use std::ops::Range;

use crate::NetworkModel;
use crate::model::Edge;
use crate::reference::{later, tally::Tally};
use tickless_core::random::{EffectiveLaw, LawKind, LogarithmRow, Stream, exponential_by, logarithm_table, scale};
use tickless_core::time::Time;

/// The data of a token in a queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) arrived: Time,
    /// When it came from a source; never where it was there at time 0.
    pub(super) entered: Time,
}

/// A stream with the next time of a law, drawn ahead of its use.
#[derive(Clone)]
pub(super) struct Ahead {
    stream: Stream,
    pub(super) time: Time,
    /// The mean of an exponential law without an offset; 0 for any other.
    mean: u64,
}

/// A station: two cache lines, the first with the data of its service, the second with its queue and its sums.
#[repr(C, align(64))]
pub(super) struct Station {
    service: Ahead,
    /// When the service in progress ends; never where there is none.
    pub(super) end: Time,
    /// The `entered` of the token in service.
    pub(super) entered: Time,
    /// The target of that token, and the edge.
    pub(super) target: u32,
    pub(super) edge: u32,
    /// The first of its edges.
    first: u32,
    /// How many there are.
    edges: u32,
    pub(super) queue: VecDeque<Token>,
    pub(super) tally: Tally,
}

const _: () = assert!(size_of::<Station>() == 128);

/// A flag of [`Station::edges`]: they share the draws evenly.
const EVEN: u32 = 1 << 31;

type Table = [LogarithmRow; 256];

impl Ahead {
    pub(super) fn new(law: &EffectiveLaw, stream: Stream) -> Self {
        let plain = law.kind == LawKind::Exponential && law.offset == 0;
        let mut ahead = Self { stream, time: Time::ZERO, mean: if plain { law.first } else { 0 } };
        ahead.draw(logarithm_table(), || law);
        ahead
    }

    #[inline(always)]
    pub(super) fn draw<'a>(&mut self, logarithms: &Table, law: impl FnOnce() -> &'a EffectiveLaw) {
        self.time = if self.mean > 0 {
            Time::from_ticks(scale(exponential_by(logarithms, self.stream.draw()), self.mean).max(1))
        } else {
            law().service(&mut self.stream)
        };
    }
}

/// The edge that a draw takes where the edges share the draws evenly: a product in place of a search.
#[inline]
fn share(edges: u32, draw: u32) -> usize {
    // 2^32 draws and half a draw: bounds are rounded to the nearest draw.
    (((u64::from(draw) << 1 | 1) * u64::from(edges)) >> 33) as usize
}

/// Whether [`share`] finds every edge of a row: it does so if it does at every bound, since neither falls as draws grow.
fn even(row: &[Edge]) -> bool {
    let edges = row.len() as u32;
    let meets = |(place, edge): (usize, &Edge)| {
        share(edges, edge.upper) == place && (edge.upper == u32::MAX || share(edges, edge.upper + 1) == place + 1)
    };
    edges < EVEN && row.iter().enumerate().all(meets)
}

impl Station {
    pub(super) fn new(model: &NetworkModel, id: u32, stream: Stream) -> Self {
        let Range { start: first, end } = model.row_of(id);
        let even = even(model.row(id));
        Self {
            service: Ahead::new(model.law(id), stream),
            end: Time::NEVER,
            entered: Time::NEVER,
            target: 0,
            edge: 0,
            first,
            edges: (end - first) | if even { EVEN } else { 0 },
            queue: VecDeque::new(),
            tally: Tally::default(),
        }
    }

    /// Tokens here.
    #[inline]
    pub(super) fn present(&self) -> usize {
        self.queue.len() + usize::from(self.end != Time::NEVER)
    }

    /// Starts the service of a token; returns its end.
    #[inline(always)]
    pub(super) fn start(&mut self, token: Token, now: Time) -> Time {
        self.tally.start(now.ticks() - token.arrived.ticks(), self.service.time);
        self.entered = token.entered;
        self.end = later(now, self.service.time);
        self.end
    }

    /// Draws the target of the token in service, then the next service time: the order of the contract.
    #[inline(always)]
    pub(super) fn draw(&mut self, model: &NetworkModel, logarithms: &Table, id: u32) {
        let draw = self.service.stream.draw();
        self.lead(model, draw);
        self.service.draw(logarithms, || model.law(id));
    }

    /// The token in service takes the edge of a draw.
    #[inline(always)]
    pub(super) fn lead(&mut self, model: &NetworkModel, draw: u32) {
        (self.edge, self.target) = self.way(model, draw);
    }

    /// The edge that a draw takes, and its target.
    #[inline(always)]
    fn way(&self, model: &NetworkModel, draw: u32) -> (u32, u32) {
        let edges = self.edges & !EVEN;
        let row = &model.edges()[self.first as usize..(self.first + edges) as usize];
        let place =
            if self.edges & EVEN != 0 { share(edges, draw) } else { row.partition_point(|edge| edge.upper < draw) };
        (self.first + place as u32, row[place].target)
    }

    /// How long the next services take together, up to the first whose token goes to such a target, but no more than `most` services.
    pub(super) fn until_target(
        &self,
        model: &NetworkModel,
        logarithms: &Table,
        id: u32,
        most: u32,
        is_there: impl Fn(u32) -> bool,
    ) -> Time {
        let (mut service, mut all) = (self.service.clone(), Time::ZERO);
        for _ in 0..most {
            all = later(all, service.time);
            let (_, target) = self.way(model, service.stream.draw());
            if is_there(target) {
                break;
            }
            service.draw(logarithms, || model.law(id));
        }
        all
    }

    /// Resumes after so many services; the next one takes the time drawn ahead.
    pub(super) fn go_on(&mut self, service: Ahead, started: u64) {
        self.service = service;
        self.tally.starts = started;
    }
}
