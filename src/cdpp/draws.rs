//! Random numbers of a cell: its `Pcg32`, whose state is two words of the cell's state.

use tickless_core::random::{StreamKey, scale, split_mix_64};

/// The weight of one step of SplitMix64.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
/// The factor of the state of `Pcg32`.
const MULTIPLIER: u64 = 0x5851_F42D_4C95_7F2D;

/// The stream of a cell between two draws.
pub(super) struct Draws {
    state: u64,
    increment: u64,
}

impl Draws {
    fn number(key: StreamKey, cell: u32, output: u64) -> u64 {
        split_mix_64(key.bits().wrapping_add((2 * u64::from(cell) + output).wrapping_mul(GOLDEN)))
    }

    fn increment(key: StreamKey, cell: u32) -> u64 {
        Self::number(key, cell, 2) << 1 | 1
    }

    /// The stream of a cell before its first draw.
    pub fn new(key: StreamKey, cell: u32) -> Self {
        let increment = Self::increment(key, cell);
        let mut draws = Self { state: Self::number(key, cell, 1).wrapping_add(increment), increment };
        draws.draw();
        draws
    }

    /// The stream of a cell from its state.
    pub fn resume(key: StreamKey, cell: u32, [low, high]: [u32; 2]) -> Self {
        Self { state: u64::from(high) << 32 | u64::from(low), increment: Self::increment(key, cell) }
    }

    /// The state, low word first.
    pub fn state(&self) -> [u32; 2] {
        [self.state as u32, (self.state >> 32) as u32]
    }

    /// The next 32 uniform bits.
    pub fn draw(&mut self) -> u32 {
        let state = self.state;
        self.state = state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
        let bits = ((state >> 18 ^ state) >> 27) as u32;
        bits.rotate_right((state >> 59) as u32)
    }

    /// A whole number below `count`, or 0: the upper bits of a product with a draw.
    pub fn below(&mut self, count: u64) -> u64 {
        scale(u64::from(self.draw()), count)
    }

    /// Whether something happens that has this chance, in 2^-64.
    pub fn happens(&mut self, chance: u64) -> bool {
        let draw = self.draw();
        // Seldom only a second draw decides.
        draw < (chance >> 32) as u32 || (draw == (chance >> 32) as u32 && self.draw() < chance as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_the_streams_of_the_house() {
        for (seed, cell) in [(0, 0), (7, 3), (u64::MAX, 1 << 30)] {
            let key = StreamKey::new(seed, 2);
            let mut stream = key.stream(cell);
            let mut draws = Draws::new(key, cell);
            for _ in 0..100 {
                assert_eq!(draws.draw(), stream.draw());
                draws = Draws::resume(key, cell, draws.state());
            }
        }
    }
}
