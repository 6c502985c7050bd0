//! Messages as words of the event list.

use std::cmp::Ordering;

use crate::{Message, Payload};
use tickless_core::heap::Key;
use tickless_core::time::Time;

/// A message as a word of the event list: the order of words is that in which a process executes its messages.
pub trait Entry<P>: Key {
    /// The layout needed to read a word.
    type Layout: Copy;

    /// The word of a message that happens before the horizon.
    fn new(layout: Self::Layout, message: &Message<P>) -> Self;

    /// The message of a word other than [`Key::EMPTY`].
    fn message(self, layout: Self::Layout) -> Message<P>;
}

/// A message without payload in 128 bits: time, destination, source and sequence, the time in the upper 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Packed(u128);

/// The number of bits of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    process: u32,
    time_shift: u32,
    mask: u32,
}

impl Bits {
    /// The layout for a number of processes, if every time before the horizon fits with it.
    pub fn new(processes: u32, until: Time) -> Option<Self> {
        let process = u32::BITS - processes.saturating_sub(1).leading_zeros();
        let time_shift = (u32::BITS + 2 * process).max(64);
        // The last time in range is left out, so that no rank is that of the empty word.
        let fits = time_shift == 64 || until.ticks() < 1 << (u128::BITS - time_shift);
        let mask = ((1_u64 << process) - 1) as u32;
        fits.then_some(Self { process, time_shift, mask })
    }
}

impl Key for Packed {
    const EMPTY: Self = Self(u128::MAX);

    #[inline]
    fn rank(self) -> u64 {
        self.0.rank()
    }
}

impl<P: Payload> Entry<P> for Packed {
    type Layout = Bits;

    #[inline]
    fn new(bits: Bits, message: &Message<P>) -> Self {
        let upper = u128::from(message.time.ticks()) << bits.time_shift;
        let processes = u64::from(message.destination) << bits.process | u64::from(message.source);
        Self(upper | u128::from(processes) << u32::BITS | u128::from(message.sequence))
    }

    #[inline]
    fn message(self, bits: Bits) -> Message<P> {
        let processes = (self.0 >> u32::BITS) as u64;
        Message {
            time: Time::from_ticks((self.0 >> bits.time_shift) as u64),
            destination: (processes >> bits.process) as u32 & bits.mask,
            source: processes as u32 & bits.mask,
            sequence: self.0 as u32,
            payload: P::ZERO,
        }
    }
}

/// Any message: time, source and sequence as one word, which is unique, and the rest, which does not order.
#[derive(Clone, Copy)]
pub struct Wide<P> {
    key: u128,
    destination: u32,
    payload: P,
}

impl<P> PartialEq for Wide<P> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<P> Eq for Wide<P> {}

impl<P> PartialOrd for Wide<P> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<P> Ord for Wide<P> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

impl<P: Payload> Key for Wide<P> {
    const EMPTY: Self = Self { key: u128::MAX, destination: 0, payload: P::ZERO };

    #[inline]
    fn rank(self) -> u64 {
        self.key.rank()
    }
}

impl<P: Payload> Entry<P> for Wide<P> {
    type Layout = ();

    #[inline]
    fn new((): (), message: &Message<P>) -> Self {
        let lower = u64::from(message.source) << u32::BITS | u64::from(message.sequence);
        let key = u128::from(message.time.ticks()) << u64::BITS | u128::from(lower);
        Self { key, destination: message.destination, payload: message.payload }
    }

    #[inline]
    fn message(self, (): ()) -> Message<P> {
        Message {
            time: Time::from_ticks((self.key >> u64::BITS) as u64),
            destination: self.destination,
            source: (self.key >> u32::BITS) as u32,
            sequence: self.key as u32,
            payload: self.payload,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        for (processes, until) in [(1, u64::MAX), (2, 77), (1 << 16, u64::MAX), (100_000, 1 << 50), (1 << 30, 15)] {
            let bits = Bits::new(processes, Time::from_ticks(until)).unwrap();
            let last = processes - 1;
            for (destination, source) in [(0, last), (last, 0), (last / 2, last / 3)] {
                for sequence in [0, 1, u32::MAX - 1] {
                    let time = Time::from_ticks(until - 1);
                    let message = Message { time, destination, source, sequence, payload: [] };
                    let packed = <Packed as Entry<[u32; 0]>>::new(bits, &message);
                    assert_eq!(Entry::<[u32; 0]>::message(packed, bits), message);
                    assert!(packed.rank() < Packed::EMPTY.rank());
                    let wide = Wide::new((), &message);
                    assert_eq!(wide.message(()), message);
                    assert!(wide.rank() < Wide::<[u32; 0]>::EMPTY.rank());
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_not_packed() {
        assert_eq!(Bits::new(1 << 17, Time::from_ticks(1 << 62)), None);
        assert!(Bits::new(1 << 17, Time::from_ticks((1 << 62) - 1)).is_some());
        assert_eq!(Bits::new(u32::MAX, Time::UNIT), None);
    }

    /// At one process packed messages have the order of their keys.
    #[test]
    fn packed_messages_order_by_time_source_and_sequence() {
        let bits = Bits::new(1000, Time::NEVER).unwrap();
        let packed = |(time, source, sequence)| {
            let message =
                Message { time: Time::from_ticks(time), destination: 5, source, sequence, payload: [0_u32; 0] };
            <Packed as Entry<[u32; 0]>>::new(bits, &message)
        };
        let keys = [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 999, 7), (1, 0, 0), (1, 2, u32::MAX), (1 << 60, 3, 0)];
        assert!(keys.map(packed).is_sorted());
    }
}
