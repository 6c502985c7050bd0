//! Messages between ranks, in words.

use super::{Message, Payload};
use tickless_core::time::Time;

/// Words of a message in memory: time; destination and source; sequence and the first word of the payload; the others.
pub(super) const MOST_WORDS: usize = 4;

/// The words of a message between ranks, with `payload` words of payload.
pub(super) const fn words(payload: usize) -> usize {
    if payload > 1 { MOST_WORDS } else { 3 }
}

fn pair(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

pub(super) fn pack<P: Payload>(message: &Message<P>) -> [u64; MOST_WORDS] {
    let &Message { time, destination, source, sequence, ref payload } = message;
    let word = |place: usize| payload.as_ref().get(place).copied().unwrap_or(0);
    [time.ticks(), pair(destination, source), pair(sequence, word(0)), pair(word(1), word(2))]
}

pub(super) fn unpack<P: Payload>(words: &[u64]) -> Message<P> {
    let halves = |place: usize| {
        let word = words.get(place).copied().unwrap_or(0);
        ((word >> 32) as u32, word as u32)
    };
    let ((destination, source), (sequence, first), (second, third)) = (halves(1), halves(2), halves(3));
    let mut payload = P::ZERO;
    payload.as_mut().copy_from_slice(&[first, second, third][..P::WORDS]);
    Message { time: time(words), destination, source, sequence, payload }
}

/// The arrival time of a message in words.
pub(super) fn time(words: &[u64]) -> Time {
    Time::from_ticks(words[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comes_out<P: Payload>(payload: P) {
        let message = Message {
            time: Time::from_ticks(u64::MAX - 1),
            destination: u32::MAX,
            source: 7,
            sequence: u32::MAX - 2,
            payload,
        };
        let packed = pack(&message);
        assert_eq!(unpack::<P>(&packed[..words(P::WORDS)]), message);
        assert_eq!(time(&packed), message.time);
    }

    #[test]
    fn what_goes_in_comes_out() {
        comes_out([]);
        comes_out([u32::MAX]);
        comes_out([1, u32::MAX]);
        comes_out([u32::MAX, 2, 3]);
    }
}
