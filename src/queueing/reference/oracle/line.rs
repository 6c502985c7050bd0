//! Tokens in the order of service.

use std::collections::BTreeMap;

use super::blocks::Blocks;
use super::ring::Ring;
use super::station::Rank;
use crate::describe::Order;
use serde::{Deserialize, Serialize};

/// More priorities than these are looked up in a tree.
const FEW: usize = 4;

/// Tokens by their ranks.
#[derive(Serialize, Deserialize)]
pub(super) struct Line {
    kind: Kind,
    len: usize,
}

#[derive(Serialize, Deserialize)]
enum Kind {
    /// First come, first served, and one priority.
    Ring(Ring),
    /// The same and few priorities: a ring of each, the first priority first.
    Rings(Vec<(u32, Ring)>),
    /// Any other order.
    Tree(BTreeMap<Rank, u32>),
    /// Those of each class by themselves, for groups of servers that choose by class.
    OfClasses(Vec<BTreeMap<Rank, u32>>),
    /// The next one is drawn among those of the first priority.
    Drawn(BTreeMap<Rank, u32>, Blocks),
}

impl Line {
    /// Of a station, in a network of so many different priorities.
    pub(super) fn new(order: Order, levels: usize) -> Self {
        let kind = match order {
            Order::Random => Kind::Drawn(BTreeMap::new(), Blocks::default()),
            Order::FirstCome if levels == 1 => Kind::Ring(Ring::default()),
            Order::FirstCome if levels <= FEW => Kind::Rings(vec![]),
            _ => Kind::Tree(BTreeMap::new()),
        };
        Self { kind, len: 0 }
    }

    /// Of a station that looks for tokens by class, or by the group that has begun to serve them.
    pub(super) fn of_classes(classes: u32) -> Self {
        Self { kind: Kind::OfClasses(vec![BTreeMap::new(); classes as usize]), len: 0 }
    }

    /// The first token of a class, with its rank, where tokens are looked for by class.
    pub(super) fn first_of(&self, class: u32) -> Option<(Rank, u32)> {
        let Kind::OfClasses(classes) = &self.kind else { return None };
        classes[class as usize].first_key_value().map(|(rank, place)| (*rank, *place))
    }

    /// How many of a class wait, where tokens are looked for by class.
    pub(super) fn len_of(&self, class: u32) -> usize {
        let Kind::OfClasses(classes) = &self.kind else { return 0 };
        classes[class as usize].len()
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A token of a priority joins with this number of its arrival, as most do; its rank, where it has to be known.
    #[inline]
    pub(super) fn join(&mut self, (level, arrival): (u32, u64), place: u32, rank: impl FnOnce() -> Rank) {
        let ring = match &mut self.kind {
            Kind::Ring(ring) => ring,
            Kind::Rings(rings) => ring_of(rings, level),
            _ => return self.insert(rank(), 0, place),
        };
        self.len += 1;
        ring.insert(arrival, place);
    }

    /// A token of a class joins with its rank.
    pub(super) fn insert(&mut self, rank: Rank, class: u32, place: u32) {
        self.len += 1;
        let (level, _, arrival) = rank;
        let before = match &mut self.kind {
            Kind::Ring(ring) => {
                ring.insert(arrival, place);
                None
            }
            Kind::Rings(rings) => {
                ring_of(rings, level).insert(arrival, place);
                None
            }
            Kind::Tree(tokens) => tokens.insert(rank, place),
            Kind::OfClasses(classes) => classes[class as usize].insert(rank, place),
            Kind::Drawn(tokens, blocks) => {
                blocks.insert(rank);
                tokens.insert(rank, place)
            }
        };
        debug_assert!(before.is_none(), "two tokens of rank {rank:?}");
    }

    pub(super) fn remove(&mut self, rank: &Rank) -> Option<u32> {
        let place = match &mut self.kind {
            Kind::Ring(ring) => ring.remove(rank.2),
            Kind::Rings(rings) => rings.iter_mut().find(|ring| ring.0 == rank.0)?.1.remove(rank.2),
            Kind::Tree(tokens) => tokens.remove(rank),
            Kind::OfClasses(classes) => classes.iter_mut().find_map(|tokens| tokens.remove(rank)),
            Kind::Drawn(tokens, blocks) => {
                let place = tokens.remove(rank)?;
                blocks.remove(rank);
                Some(place)
            }
        };
        self.len -= usize::from(place.is_some());
        place
    }

    #[inline]
    pub(super) fn take_first(&mut self) -> Option<u32> {
        let first = match &mut self.kind {
            Kind::Ring(ring) => ring.take_first(),
            Kind::Rings(rings) => rings.iter_mut().find_map(|ring| ring.1.take_first()),
            Kind::Tree(tokens) => tokens.pop_first().map(|(_, place)| place),
            // A group takes the first of a class.
            Kind::OfClasses(_) => None,
            Kind::Drawn(tokens, _) => {
                let first = *tokens.first_key_value()?.0;
                return self.remove(&first);
            }
        };
        self.len -= usize::from(first.is_some());
        first
    }

    /// The token with this number in the order of service, by what draws a number below how many have the first priority of those here.
    /// Nothing is drawn where nobody waits, or where the first is served.
    pub(super) fn take_drawn(&mut self, draw: impl FnOnce(u64) -> u64) -> Option<u32> {
        let Kind::Drawn(tokens, blocks) = &self.kind else { return self.take_first() };
        let ((level, ..), _) = tokens.first_key_value()?;
        let chosen = blocks.nth(draw(blocks.up_to(*level) as u64) as usize)?;
        self.remove(&chosen)
    }

    /// The places of the tokens, in the order of service; of each class by itself, where they are looked for by class.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        let (ring, rings, trees): (_, &[_], &[_]) = match &self.kind {
            Kind::Ring(ring) => (Some(ring), &[], &[]),
            Kind::Rings(rings) => (None, rings, &[]),
            Kind::OfClasses(classes) => (None, &[], classes),
            Kind::Tree(tokens) | Kind::Drawn(tokens, _) => (None, &[], std::slice::from_ref(tokens)),
        };
        let rings = ring.into_iter().chain(rings.iter().map(|of_level| &of_level.1));
        rings.flat_map(Ring::places).chain(trees.iter().flat_map(|tree| tree.values().copied()))
    }

    pub(super) fn first(&self) -> Option<u32> {
        self.places().next()
    }
}

/// The ring of a priority.
#[inline]
fn ring_of(rings: &mut Vec<(u32, Ring)>, level: u32) -> &mut Ring {
    let at = rings.iter().position(|ring| ring.0 >= level).unwrap_or(rings.len());
    if rings.get(at).is_none_or(|ring| ring.0 != level) {
        rings.insert(at, (level, Ring::default()));
    }
    &mut rings[at].1
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::time::Time;

    /// A map tells what is right, for every kind of line and with tokens that go from the middle and come back.
    #[test]
    fn a_line_is_a_map_by_rank() {
        for (order, levels) in [
            (Order::FirstCome, 1),
            (Order::FirstCome, 3),
            (Order::FirstCome, 5),
            (Order::LastCome, 3),
            (Order::Random, 3),
        ] {
            let mut stream = tickless_core::random::StreamKey::new(5, 0).stream(0);
            let mut draw = |choices: u32| ((u64::from(stream.draw()) * u64::from(choices)) >> 32) as u32;
            let (mut line, mut model) = (Line::new(order, levels), BTreeMap::new());
            let mut gone: Vec<Rank> = vec![];
            for number in 0..12_000_u64 {
                let more = [3, 1, 3, 0][number as usize / 3000];
                if draw(4) < more {
                    let rank = crate::model::rank(order, draw(levels.min(3) as u32), number, Time::ZERO);
                    // Now and then one comes back that was here.
                    let rank = if draw(8) == 0 { gone.pop().unwrap_or(rank) } else { rank };
                    line.insert(rank, 0, number as u32);
                    model.insert(rank, number as u32);
                } else if let Some((rank, _)) = model.iter().nth(draw(model.len() as u32) as usize) {
                    let rank = if draw(2) == 0 { *rank } else { *model.first_key_value().unwrap().0 };
                    assert_eq!(line.remove(&rank), model.remove(&rank));
                    assert!(line.remove(&rank).is_none());
                    gone.push(rank);
                } else {
                    assert_eq!(line.take_first(), None);
                }
                assert_eq!((line.len(), line.first()), (model.len(), model.values().next().copied()));
                if number % 100 == 0 {
                    assert!(line.places().eq(model.values().copied()));
                }
            }
            while let Some((rank, place)) = model.pop_first() {
                assert_eq!(line.take_first(), Some(place), "{rank:?}");
            }
            assert!(line.is_empty());
        }
    }
}
