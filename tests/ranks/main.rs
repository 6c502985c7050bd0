//! One run over several ranks: the records and the digest of the run on one heap, whatever the cut; and what ends it.

mod failures;
mod networks;
mod processes;

use std::num::NonZeroU32;

use tickless::ranks::Ranks;

fn threads(count: u32) -> Ranks<'static> {
    Ranks::Threads(NonZeroU32::new(count).expect("a rank or more"))
}
