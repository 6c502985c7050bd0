//! A heap of packed events whose groups of children fill cache lines.

use super::Key;

/// Children of a node.
const ARITY: usize = 8;
/// The place of the first word. The places before it stay empty, so that every group of children is aligned.
const ROOT: usize = ARITY - 1;
/// The children of one node, in whole cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Group<K>([K; ARITY]);

impl<K: Key> Group<K> {
    const EMPTY: Self = Self([K::EMPTY; ARITY]);

    /// The smallest entry and its place, by pairs: a short chain of comparisons without a branch.
    #[inline]
    fn smallest(&self) -> (K, usize) {
        let mut best: [(K, usize); ARITY] = std::array::from_fn(|place| (self.0[place], place));
        let mut half = ARITY / 2;
        while half > 0 {
            for i in 0..half {
                let (a, b) = (best[i], best[i + half]);
                best[i] = if b.0 < a.0 { b } else { a };
            }
            half /= 2;
        }
        best[0]
    }
}

/// A priority queue of words below [`Key::EMPTY`], the smallest first.
///
/// A removal walks the empty place from the root down to a leaf and leaves it open there; the next insertion takes
/// that place and rises from it. So an event that schedules another costs one walk, which does not depend on the
/// new word and overlaps with the work that finds it.
#[derive(Clone)]
pub struct Heap<K> {
    /// Place `i` is entry `i % ARITY` of group `i / ARITY`. Beyond the last word entries are empty.
    groups: Vec<Group<K>>,
    /// The place behind the last one in use.
    end: usize,
    /// The leaf that the last removal left open, or `end` where there is none.
    hole: usize,
}

impl<K: Key> Default for Heap<K> {
    fn default() -> Self {
        Self { groups: vec![Group::EMPTY], end: ROOT, hole: ROOT }
    }
}

impl<K: Key> Heap<K> {
    #[inline]
    pub fn len(&self) -> usize {
        self.end - ROOT - usize::from(self.hole < self.end)
    }

    /// The smallest word, or [`Key::EMPTY`].
    #[inline]
    pub fn first(&self) -> K {
        self.groups[0].0[ROOT]
    }

    #[inline]
    pub fn push(&mut self, word: K) {
        let place = self.hole;
        if place == self.end {
            self.append(K::EMPTY);
        }
        self.hole = self.end;
        self.rise(place, word);
    }

    /// Adds a place at the end.
    #[inline]
    fn append(&mut self, word: K) {
        let place = self.end % ARITY;
        if place == 0 {
            self.groups.push(Group::EMPTY);
        }
        self.groups[self.end / ARITY].0[place] = word;
        self.end += 1;
    }

    /// Removes the smallest word, if there is one.
    #[inline]
    pub fn pop(&mut self) {
        self.fill_hole();
        if self.end == ROOT {
            return;
        }
        let (mut group, mut place, mut below) = (0, ROOT, 1);
        while let Some(children) = self.groups.get(below) {
            let (word, child) = children.smallest();
            self.groups[group].0[place % ARITY] = word;
            (group, place) = (below, child);
            below = group * ARITY + place - ROOT + 1;
        }
        self.groups[group].0[place % ARITY] = K::EMPTY;
        self.hole = group * ARITY + place;
    }

    /// The words, in no particular order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.groups.iter().flat_map(|group| group.0).filter(|&word| word != K::EMPTY)
    }

    /// Moves the last word to the open place, if there is one.
    #[inline]
    fn fill_hole(&mut self) {
        let place = self.hole;
        if place == self.end {
            return;
        }
        self.end -= 1;
        let last = &mut self.groups[self.end / ARITY].0[self.end % ARITY];
        let word = std::mem::replace(last, K::EMPTY);
        if self.end.is_multiple_of(ARITY) {
            self.groups.pop();
        }
        self.hole = self.end;
        if place != self.end {
            self.rise(place, word);
        }
    }

    /// Moves a word from an open place towards the root, up to where its parent is smaller.
    #[inline]
    fn rise(&mut self, mut place: usize, word: K) {
        while place != ROOT {
            let parent = place / ARITY + ROOT - 1;
            let above = self.groups[parent / ARITY].0[parent % ARITY];
            if above < word {
                break;
            }
            self.groups[place / ARITY].0[place % ARITY] = above;
            place = parent;
        }
        self.groups[place / ARITY].0[place % ARITY] = word;
    }

    /// Moves a word down from a place, to where its children are larger.
    fn sink(&mut self, mut place: usize, word: K) {
        while let Some(children) = self.groups.get(place - ROOT + 1) {
            let (least, child) = children.smallest();
            if word <= least {
                break;
            }
            self.groups[place / ARITY].0[place % ARITY] = least;
            place = (place - ROOT + 1) * ARITY + child;
        }
        self.groups[place / ARITY].0[place % ARITY] = word;
    }
}

impl<K: Key> FromIterator<K> for Heap<K> {
    /// Builds the heap in linear time.
    fn from_iter<I: IntoIterator<Item = K>>(words: I) -> Self {
        let mut heap = Self::default();
        words.into_iter().for_each(|word| heap.append(word));
        heap.hole = heap.end;
        // Places whose children exist, from the last to the root; each becomes the top of a heap.
        for place in (ROOT..heap.groups.len() + ROOT - 1).rev() {
            let word = heap.groups[place / ARITY].0[place % ARITY];
            heap.sink(place, word);
        }
        heap
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use super::*;
    use crate::random::StreamKey;

    const EMPTY: u128 = <u128 as Key>::EMPTY;

    /// Takes both heaps through the same removals and insertions, then empties them.
    fn compare(words: &[u128], operations: u32) {
        let mut heap: Heap<u128> = words.iter().copied().collect();
        let mut model: BinaryHeap<Reverse<u128>> = words.iter().copied().map(Reverse).collect();
        let mut stream = StreamKey::new(5, 0).stream(0);
        for _ in 0..operations {
            if stream.draw() & 1 == 0 {
                let word = u128::from(stream.draw()) << 60;
                heap.push(word);
                model.push(Reverse(word));
            } else {
                heap.pop();
                model.pop();
            }
            assert_eq!(heap.first(), model.peek().map_or(EMPTY, |word| word.0));
            assert_eq!(heap.len(), model.len());
        }
        assert_eq!(heap.iter().count(), model.len());
        while let Some(Reverse(word)) = model.pop() {
            assert_eq!(heap.first(), word);
            heap.pop();
        }
        heap.pop();
        assert_eq!((heap.first(), heap.len()), (EMPTY, 0));
    }

    #[test]
    fn the_smallest_word_comes_first() {
        let mut stream = StreamKey::new(5, 0).stream(1);
        for len in (0..70).chain([255, 256, 257, 4099]) {
            let random: Vec<u128> = (0..len).map(|_| u128::from(stream.draw()) << 60).collect();
            let ascending: Vec<u128> = (0..len).map(|i| u128::from(i as u32)).collect();
            let descending: Vec<u128> = ascending.iter().rev().copied().collect();
            for words in [random, ascending, descending, vec![7; len]] {
                compare(&words, 0);
                compare(&words, 500);
            }
        }
    }
}
