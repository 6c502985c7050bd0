//! One `Pcg32` stream per entity, seeded by SplitMix64.

use serde::{Deserialize, Serialize};

/// The weight of one step of SplitMix64 (Steele, Lea and Flood 2014): 2⁶⁴ divided by the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
/// The factor of the state of `Pcg32`.
const MULTIPLIER: u64 = 0x5851_F42D_4C95_7F2D;

/// The output function of SplitMix64: a bijection of 64-bit words without visible structure.
///
/// ```
/// # use tickless_core::facade as tickless;
/// // The first output of the published generator seeded with 0.
/// assert_eq!(tickless::random::split_mix_64(0x9E37_79B9_7F4A_7C15), 0xE220_A839_7B1D_CDAF);
/// ```
pub const fn split_mix_64(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// The key of a run, from a seed and a replication: the root of all its streams.
///
/// Entity e takes outputs 2e and 2e + 1 of the SplitMix64 generator that starts at the key as the state and the
/// stream number of its `Pcg32`.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::random::StreamKey;
/// let (mut a, mut b) = (StreamKey::new(7, 0).stream(3), StreamKey::new(7, 0).stream(4));
/// assert_ne!(a.draw(), b.draw());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamKey(u64);

impl StreamKey {
    /// The key of one replication (0 for a single run) under one seed.
    pub const fn new(seed: u64, replication: u64) -> Self {
        Self(split_mix_64(Self::base(seed) ^ replication.wrapping_mul(GOLDEN)))
    }

    /// The part of the keys of all replications that depends on the seed.
    #[doc(hidden)]
    pub const fn base(seed: u64) -> u64 {
        split_mix_64(seed.wrapping_add(GOLDEN))
    }

    /// The 64 bits from which the device derives every stream.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// How many draws an entity's stream has given, from the state of its `Pcg32` (Brown 1994: a bit of the number at a
    /// time, the lowest first).
    #[doc(hidden)]
    pub fn draws(self, entity: u32, state: u64) -> u64 {
        let Stream { state: mut here, mut increment } = self.stream(entity);
        let mut multiplier = MULTIPLIER;
        let (mut draws, mut bit) = (0, 1);
        while here != state {
            if (here ^ state) & bit != 0 {
                here = step(here, multiplier, increment);
                draws |= bit;
            }
            (multiplier, increment) = twice(multiplier, increment);
            bit <<= 1;
        }
        draws
    }

    /// The stream of an entity, from a state of [`Stream::state`].
    #[doc(hidden)]
    #[inline]
    pub const fn stream_at(self, entity: u32, state: u64) -> Stream {
        Stream { state, increment: self.seed_word(entity, 2) << 1 | 1 }
    }

    /// The stream of an entity, from the words of [`Stream::words`]: cells keep them in their states.
    ///
    /// ```
    /// # use tickless_core::facade as tickless;
    /// use tickless::random::StreamKey;
    /// let key = StreamKey::new(7, 0);
    /// let mut stream = key.stream(3);
    /// stream.draw();
    /// let mut again = key.stream_from(3, stream.words());
    /// assert_eq!(again.draw(), stream.draw());
    /// ```
    #[inline]
    pub const fn stream_from(self, entity: u32, [low, high]: [u32; 2]) -> Stream {
        self.stream_at(entity, (high as u64) << 32 | low as u64)
    }

    /// The state of an entity's `Pcg32` after a number of draws, as kernels keep it.
    #[doc(hidden)]
    #[inline]
    pub fn state_behind(self, entity: u32, draws: u64) -> u64 {
        self.stream_behind(entity, draws).state()
    }

    /// The stream of an entity after a number of draws.
    #[doc(hidden)]
    pub fn stream_behind(self, entity: u32, mut draws: u64) -> Stream {
        let mut stream = self.stream(entity);
        let (mut multiplier, mut increment) = (MULTIPLIER, stream.increment);
        while draws != 0 {
            if draws & 1 == 1 {
                stream.state = step(stream.state, multiplier, increment);
            }
            (multiplier, increment) = twice(multiplier, increment);
            draws >>= 1;
        }
        stream
    }

    /// The stream of one entity.
    #[inline]
    pub const fn stream(self, entity: u32) -> Stream {
        let Stream { increment, .. } = self.stream_at(entity, 0);
        Stream { state: step(self.seed_word(entity, 1).wrapping_add(increment), MULTIPLIER, increment), increment }
    }

    /// The first (1) or the second (2) word that SplitMix64 gives for an entity.
    #[inline]
    const fn seed_word(self, entity: u32, output: u64) -> u64 {
        split_mix_64(self.0.wrapping_add((2 * entity as u64 + output).wrapping_mul(GOLDEN)))
    }
}

/// A step of `Pcg32`, or of so many at once.
#[inline]
const fn step(state: u64, multiplier: u64, increment: u64) -> u64 {
    state.wrapping_mul(multiplier).wrapping_add(increment)
}

/// Twice as many steps at once.
const fn twice(multiplier: u64, increment: u64) -> (u64, u64) {
    (multiplier.wrapping_mul(multiplier), multiplier.wrapping_add(1).wrapping_mul(increment))
}

/// The random stream of one entity.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::random::StreamKey;
/// let mut stream = StreamKey::new(1, 0).stream(0);
/// let draws: Vec<u32> = (0..4).map(|_| stream.draw()).collect();
/// assert_ne!(draws[0], draws[1]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream {
    state: u64,
    increment: u64,
}

impl Stream {
    /// The next 32 uniform bits: the output function of the old state of `Pcg32`, then one step.
    #[inline]
    pub const fn draw(&mut self) -> u32 {
        let state = self.state;
        self.state = step(state, MULTIPLIER, self.increment);
        let bits = ((state >> 18 ^ state) >> 27) as u32;
        bits.rotate_right((state >> 59) as u32)
    }

    /// The 64 bits from which the next draws follow, as kernels keep them.
    #[doc(hidden)]
    #[inline]
    pub const fn state(&self) -> u64 {
        self.state
    }

    /// The same as two words, the low one first: the stream goes on from them by [`StreamKey::stream_from`].
    #[inline]
    pub const fn words(&self) -> [u32; 2] {
        [self.state as u32, (self.state >> 32) as u32]
    }
}

#[cfg(test)]
mod tests {
    use rand_core::Rng;
    use rand_pcg::Pcg32;

    use super::*;

    #[test]
    fn draws_are_counted_from_the_state() {
        for (seed, entity) in [(0, 0), (1, 7), (u64::MAX, u32::MAX >> 2)] {
            let key = StreamKey::new(seed, 3);
            let Stream { mut state, increment } = key.stream(entity);
            for draws in 0..1000 {
                assert_eq!(key.draws(entity, state), draws);
                state = step(state, MULTIPLIER, increment);
            }
        }
    }

    /// The generator of the contract, of another hand.
    #[test]
    fn draws_are_those_of_rand_pcg() {
        for (key, entity) in [(StreamKey::new(0, 0), 0), (StreamKey::new(u64::MAX, 3), 1 << 30)] {
            let [state, number] = [1, 2].map(|output| key.seed_word(entity, output));
            let (mut stream, mut generator) = (key.stream(entity), Pcg32::new(state, number));
            assert!((0..1000).all(|_| stream.draw() == generator.next_u32()));
            // Checkpoints have either of them.
            let texts = [serde_json::to_string(&stream), serde_json::to_string(&generator)];
            assert_eq!(texts[0].as_ref().expect("a text"), texts[1].as_ref().expect("a text"));
        }
    }

    #[test]
    fn a_stream_goes_on_from_its_state() {
        let key = StreamKey::new(5, 2);
        for entity in [0, 9, u32::MAX >> 1] {
            let mut stream = key.stream(entity);
            for draws in 0..100 {
                assert_eq!(key.stream_at(entity, stream.state()), stream);
                assert_eq!(key.stream_from(entity, stream.words()), stream);
                assert_eq!(key.state_behind(entity, draws), stream.state());
                stream.draw();
            }
        }
    }

    #[test]
    fn streams_differ_by_seed_replication_and_entity() {
        let first = |seed, replication, entity| StreamKey::new(seed, replication).stream(entity).draw();
        let draws = [first(1, 0, 0), first(2, 0, 0), first(1, 1, 0), first(1, 0, 1)];
        for (i, a) in draws.iter().enumerate() {
            for b in &draws[i + 1..] {
                assert_ne!(a, b);
            }
        }
    }
}
