//! Uniform random numbers of a cell: the twin of `shaders/cells/draws.wgsl`.

use tickless_core::random::{Stream, scale};

/// A whole number below `count`, or 0: the upper bits of a product with a draw.
pub(super) fn below(stream: &mut Stream, count: u64) -> u64 {
    scale(u64::from(stream.draw()), count)
}

/// Whether something happens that has this chance, in 2^-64.
pub(super) fn happens(stream: &mut Stream, chance: u64) -> bool {
    let draw = stream.draw();
    // Seldom only a second draw decides.
    draw < (chance >> 32) as u32 || (draw == (chance >> 32) as u32 && stream.draw() < chance as u32)
}
