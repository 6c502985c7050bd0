//! The future event list against the standard library's binary heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use proptest::prelude::*;
use tickless::heap::{Event, EventList};
use tickless::random::{Stream, StreamKey};
use tickless::time::Time;

/// Both lists, kept in step.
#[derive(Default)]
struct Pair {
    list: EventList,
    model: BinaryHeap<Reverse<Event>>,
}

impl Pair {
    fn of(events: &[Event]) -> Self {
        Self { list: events.iter().copied().collect(), model: events.iter().copied().map(Reverse).collect() }
    }

    fn push(&mut self, event: Event) {
        self.list.push(event);
        self.model.push(Reverse(event));
        self.compare();
    }

    fn pop(&mut self) -> Option<Event> {
        let (left, right) = (self.list.pop(), self.model.pop().map(|Reverse(event)| event));
        assert_eq!(left, right);
        self.compare();
        left
    }

    fn compare(&self) {
        assert_eq!(self.list.first(), self.model.peek().map(|Reverse(event)| *event));
        assert_eq!(self.list.is_empty(), self.model.is_empty());
    }

    /// The contents, then the order of everything that is left.
    fn drain(mut self) {
        assert_eq!(self.list.len(), self.model.len());
        let mut left: Vec<Event> = self.list.iter().collect();
        let mut right: Vec<Event> = self.model.iter().map(|Reverse(event)| *event).collect();
        left.sort_unstable();
        right.sort_unstable();
        assert!(left == right, "the lists hold different events");
        while self.pop().is_some() {}
        assert_eq!((self.list.len(), self.list.pop(), self.list.iter().count()), (0, None, 0));
    }
}

fn event(ticks: u64, entity: u32) -> Event {
    Event { time: Time::from_ticks(ticks), entity, payload: entity.wrapping_mul(7) }
}

fn stream() -> Stream {
    StreamKey::new(11, 0).stream(0)
}

/// Sizes around the groups of the heap and beyond.
const SIZES: [u32; 14] = [0, 1, 2, 3, 4, 5, 6, 21, 255, 256, 257, 512, 513, 5000];

#[test]
fn every_shape_of_input_comes_out_in_order() {
    type Shape = fn(u32, u32, &mut Stream) -> u64;
    let shapes: [(&str, Shape); 8] = [
        ("random", |_, _, s| u64::from(s.draw()) << 20),
        ("ascending", |i, _, _| u64::from(i) << 30),
        ("descending", |i, n, _| u64::from(n - i) << 30),
        ("all equal", |_, _, _| 77),
        ("alternating", |i, n, _| u64::from(if i % 2 == 0 { i } else { 2 * n - i }) << 10),
        ("few values", |_, _, s| u64::from(s.draw() >> 30) << 40),
        ("one far away", |i, _, s| if i == 0 { 1 << 62 } else { u64::from(s.draw()) }),
        ("every scale", |_, _, s| 1u64 << (s.draw() >> 26).min(62)),
    ];
    for (name, shape) in shapes {
        for size in SIZES {
            let mut stream = stream();
            let events: Vec<Event> = (0..size).map(|i| event(shape(i, size, &mut stream), i)).collect();
            println!("{name}, {size} events");
            Pair::of(&events).drain();
            let mut one_by_one = Pair::default();
            events.iter().for_each(|&event| one_by_one.push(event));
            one_by_one.drain();
        }
    }
}

/// Each event taken schedules `next` after its own time, as in a simulation.
fn hold(size: u32, steps: u32, next: fn(u32, &mut Stream) -> u64) {
    let mut stream = stream();
    let events: Vec<Event> = (0..size).map(|id| event(next(0, &mut stream), id)).collect();
    let mut pair = Pair::of(&events);
    for step in 0..steps {
        let now = pair.pop().unwrap();
        let later = |span| event(now.time.ticks() + span, now.entity);
        match stream.draw() >> 30 {
            // What is scheduled keeps its number on average, as in a network: none, two, or one twice as often.
            0 if pair.list.len() > 1 => {}
            1 => {
                pair.push(later(next(step, &mut stream)));
                pair.push(event(now.time.ticks() + next(step, &mut stream), now.entity + size));
            }
            _ => pair.push(later(next(step, &mut stream))),
        }
    }
    pair.drain();
}

#[test]
fn a_simulation_keeps_the_order() {
    for size in [1, 50, 512, 600, 4096, 20_000] {
        hold(size, 60_000, |_, s| (1 << 32) + tickless::random::exponential(s.draw()) * 9);
        hold(size, 20_000, |_, _| 10 << 32);
        hold(size, 20_000, |_, s| if s.draw() >> 24 == 0 { 1 << 50 } else { u64::from(s.draw()) });
    }
}

#[test]
fn the_scale_of_time_may_change() {
    hold(4096, 120_000, |step, s| {
        u64::from(s.draw()) << if step < 40_000 { 20 } else { 2 } >> if step > 80_000 { 14 } else { 0 }
    });
    hold(4096, 60_000, |step, s| u64::from(s.draw()) << if step < 20_000 { 0 } else { 18 });
}

#[test]
fn a_list_may_grow_from_nothing_and_shrink_to_nothing() {
    let (mut pair, mut stream) = (Pair::default(), stream());
    for _ in 0..3 {
        for id in 0..10_000 {
            pair.push(event(u64::from(stream.draw()), id));
        }
        while pair.pop().is_some() {}
    }
    pair.drain();
}

#[test]
fn never_is_no_event() {
    let never = Event { time: Time::NEVER, entity: 1, payload: 2 };
    let mut list: EventList = [never, event(5, 1)].into_iter().collect();
    list.push(never);
    assert_eq!((list.len(), list.pop(), list.pop()), (1, Some(event(5, 1)), None));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_operations_agree(
        start in prop::collection::vec((0..1u64 << 40, 0..9u32), 0..1500),
        scale in 0..22u32,
        operations in prop::collection::vec(prop::option::weighted(0.5, (0..1u64 << 40, 0..9u32)), 0..3000),
    ) {
        let start: Vec<Event> = start.into_iter().map(|(ticks, id)| event(ticks, id)).collect();
        let mut pair = Pair::of(&start);
        for operation in operations {
            match operation {
                // Insertions may lie before what was taken last.
                Some((ticks, id)) => pair.push(event(ticks << scale >> (scale / 2), id)),
                None => {
                    pair.pop();
                }
            }
        }
        pair.drain();
    }
}
