//! Buckets of equal width for events that are not due soon.

use crate::time::Time;

/// Events in a bucket, about.
const FILL: usize = 256;
/// Words in a chunk.
const CHUNK: usize = 16;
/// Times the number of buckets that the events would fill evenly.
const SPAN: usize = 8;
/// The events that a width is chosen from.
const SAMPLES: usize = 1024;

/// The events after the current bucket.
#[derive(Clone)]
pub struct Far {
    /// A bucket is 2^`shift` ticks wide.
    shift: u32,
    /// The number of the current bucket: ticks shifted. The largest number where there are no buckets.
    current: u64,
    /// The buckets after the current one, at their number modulo the length of the ring, which is a power of two.
    ring: Vec<Bucket>,
    /// Events in the ring.
    within: usize,
    /// Events that the ring did not reach when they came.
    beyond: Vec<u128>,
    /// Buckets passed since the width was chosen.
    passed: usize,
    chunks: Vec<Chunk>,
    /// The next chunk of a bucket or of the list of free ones.
    links: Vec<u32>,
    free: u32,
}

/// Words in chunks; all but the newest chunk are full.
#[derive(Clone, Copy, Default)]
struct Bucket {
    newest: u32,
    len: u32,
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Chunk([u128; CHUNK]);

/// No chunk.
const NONE: u32 = u32::MAX;

impl Default for Far {
    fn default() -> Self {
        Self {
            shift: 0,
            current: u64::MAX,
            ring: Vec::new(),
            within: 0,
            beyond: Vec::new(),
            passed: 0,
            chunks: Vec::new(),
            links: Vec::new(),
            free: NONE,
        }
    }
}

impl Far {
    pub fn len(&self) -> usize {
        self.within + self.beyond.len()
    }

    /// Whether a time lies after the current bucket.
    #[inline]
    pub fn takes(&self, time: Time) -> bool {
        time.ticks() >> self.shift > self.current
    }

    /// Adds a word whose time lies after the current bucket.
    #[inline]
    pub fn push(&mut self, word: u128) {
        let bucket = (word >> 64) as u64 >> self.shift;
        if bucket - self.current >= self.ring.len() as u64 {
            self.beyond.push(word);
            return;
        }
        self.within += 1;
        let index = bucket as usize & (self.ring.len() - 1);
        let mut entry = self.ring[index];
        let place = entry.len as usize % CHUNK;
        if place == 0 {
            entry.newest = self.chunk(entry.newest);
        }
        entry.len += 1;
        self.ring[index] = entry;
        self.chunks[entry.newest as usize].0[place] = word;
    }

    /// A free chunk, linked to `next`.
    #[inline]
    fn chunk(&mut self, next: u32) -> u32 {
        if self.free == NONE {
            self.chunks.push(Chunk([0; CHUNK]));
            self.links.push(next);
            return (self.chunks.len() - 1) as u32;
        }
        let chunk = self.free;
        self.free = std::mem::replace(&mut self.links[chunk as usize], next);
        chunk
    }

    /// Moves the next bucket with events into `out` and makes it the current one. False where the ring is empty.
    pub fn next(&mut self, out: &mut Vec<u128>) -> bool {
        let mask = self.ring.len().wrapping_sub(1);
        while self.within > 0 {
            self.current += 1;
            self.passed += 1;
            if self.current as usize & mask == 0 {
                self.revolve();
            }
            let bucket = std::mem::take(&mut self.ring[self.current as usize & mask]);
            if bucket.len > 0 {
                self.within -= bucket.len as usize;
                self.pour(bucket, out);
                return true;
            }
        }
        false
    }

    /// Whether buckets are far from full, when `events` events were put into them since the width was chosen.
    pub fn is_sparse(&self, events: usize) -> bool {
        self.passed > events / (FILL / 16)
    }

    /// Once a turn of the ring: takes in what it reaches by now. Nothing beyond can come due within a turn.
    fn revolve(&mut self) {
        for word in std::mem::take(&mut self.beyond) {
            self.push(word);
        }
    }

    fn pour(&mut self, bucket: Bucket, out: &mut Vec<u128>) {
        let mut chunk = bucket.newest;
        let mut len = (bucket.len as usize - 1) % CHUNK + 1;
        let mut left = bucket.len as usize;
        while left > 0 {
            out.extend_from_slice(&self.chunks[chunk as usize].0[..len]);
            left -= len;
            len = CHUNK;
            let next = std::mem::replace(&mut self.links[chunk as usize], self.free);
            self.free = chunk;
            chunk = next;
        }
    }

    /// Chooses a width for `words`, which are at least one and all the events; the earliest bucket goes to `out`.
    pub fn spread(&mut self, words: &[u128], out: &mut Vec<u128>) {
        let ticks = |word: &u128| (word >> 64) as u64;
        let first = words.iter().map(ticks).min().unwrap_or(0);
        let mut samples: Vec<u64> = words.iter().step_by(words.len().div_ceil(SAMPLES)).map(ticks).collect();
        let middle = samples.len() / 2;
        let half = *samples.select_nth_unstable(middle).1 - first;
        // Half of the events lie within `half` of the first, so this many ticks hold a bucket's fill.
        let width = (u128::from(half) * 2 * FILL as u128 / words.len() as u128) as u64;
        *self = Self { shift: width.max(1).ilog2(), ..Self::default() };
        self.current = first >> self.shift;
        self.ring = vec![Bucket::default(); (SPAN * words.len() / FILL).next_power_of_two()];
        for word in words {
            if self.takes(Time::from_ticks(ticks(word))) {
                self.push(*word);
            } else {
                out.push(*word);
            }
        }
    }

    /// The words, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = u128> + '_ {
        let words = self.ring.iter().flat_map(move |bucket| {
            let count = (bucket.len as usize).div_ceil(CHUNK);
            let chunks = std::iter::successors(Some(bucket.newest), |&chunk| self.links.get(chunk as usize).copied());
            let newest = (bucket.len as usize).wrapping_sub(1) % CHUNK + 1;
            chunks.take(count).enumerate().flat_map(move |(i, chunk)| {
                let len = if i == 0 { newest } else { CHUNK };
                self.chunks[chunk as usize].0[..len].iter().copied()
            })
        });
        words.chain(self.beyond.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Stream, StreamKey};

    fn word(stream: &mut Stream, after: u64, bits: u32) -> u128 {
        u128::from(after + u64::from(stream.draw() >> (32 - bits))) << 64 | u128::from(stream.draw())
    }

    #[test]
    fn buckets_come_in_order_and_hold_everything() {
        let mut stream = StreamKey::new(6, 0).stream(0);
        for len in [1, 2, 255, 256, 257, 3000] {
            let mut all: Vec<u128> = (0..len).map(|_| word(&mut stream, 0, 20)).collect();
            let (mut far, mut out, mut next) = (Far::default(), Vec::new(), Vec::new());
            far.spread(&all, &mut out);
            out.sort_unstable();
            loop {
                // Arrivals up to several turns of the ring ahead.
                for _ in 0..if all.len() < 50_000 { 20 } else { 0 } {
                    let word = word(&mut stream, (far.current + 1) << far.shift, 25);
                    far.push(word);
                    all.push(word);
                }
                assert_eq!(far.iter().count() + out.len(), all.len());
                if !far.next(&mut next) {
                    let rest: Vec<u128> = far.iter().collect();
                    if rest.is_empty() {
                        break;
                    }
                    far.spread(&rest, &mut next);
                }
                next.sort_unstable();
                assert!(!next.is_empty() && out.last() <= next.first(), "a bucket came too late");
                out.append(&mut next);
            }
            all.sort_unstable();
            assert!(out == all, "{len}: {} of {} words came", out.len(), all.len());
        }
    }
}
