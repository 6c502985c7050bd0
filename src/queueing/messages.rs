//! Messages between ranks, in words.

use super::checkpoint::OnTheWay;
use tickless_core::time::Time;

/// Words of a message.
pub(super) const WORDS: usize = 6;

/// A message in words: the station that the token comes from, by its number in the whole network, and the one that it goes to, by
/// its place on the rank there; then its class, the number of its visit and three times.
pub(super) type Words = [u64; WORDS];

/// A token that will come to another rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Announcement {
    pub(super) from: u32,
    pub(super) target: u32,
    /// What it is from then on.
    pub(super) class: u32,
    /// The number of its visit or, where it is told when it leaves, of its departure: of two tokens that leave a station at one instant the
    /// first comes first.
    pub(super) visit: u64,
    /// When it came from a source; never where it was there at time 0.
    pub(super) entered: Time,
    pub(super) departed: Time,
    pub(super) arrives: Time,
}

/// A token that was on its way at a checkpoint.
impl From<OnTheWay> for Announcement {
    fn from(OnTheWay { from, target, arrival, entered, departed, visit }: OnTheWay) -> Self {
        Self { from, target, class: 0, visit, entered, departed, arrives: arrival }
    }
}

impl Announcement {
    pub(super) fn pack(&self) -> Words {
        let Self { from, target, class, visit, entered, departed, arrives } = *self;
        let ends = u64::from(from) << 32 | u64::from(target);
        [ends, class.into(), visit, entered.ticks(), departed.ticks(), arrives.ticks()]
    }

    pub(super) fn unpack(&[ends, class, visit, entered, departed, arrives]: &Words) -> Self {
        let [entered, departed, arrives] = [entered, departed, arrives].map(Time::from_ticks);
        Self { from: (ends >> 32) as u32, target: ends as u32, class: class as u32, visit, entered, departed, arrives }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        let time = Time::from_ticks;
        let first = Announcement {
            from: u32::MAX - 3,
            target: u32::MAX - 1,
            class: u32::MAX - 2,
            visit: 1 << 40,
            entered: Time::NEVER,
            departed: time(1 << 62),
            arrives: time((1 << 62) + 7),
        };
        assert_eq!(Announcement::unpack(&first.pack()), first);
    }
}
