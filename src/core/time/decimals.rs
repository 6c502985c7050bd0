//! Times with ten decimals at most, by which every tick is another one.

use super::Time;

const DECIMALS: u32 = 10;
const SCALE: u64 = 10_u64.pow(DECIMALS);

/// Whole time units, and the rest in units of the last decimal.
#[inline]
fn parts(time: Time) -> [u64; 2] {
    // A tick is longer than two of the last decimals, so that nothing is rounded up to a whole unit.
    let rest = (u128::from(time.ticks() as u32) * u128::from(SCALE) + (1 << 31)) >> 32;
    [time.ticks() >> 32, rest as u64]
}

/// Writes a number behind a text.
pub fn push_number(mut number: u64, text: &mut Vec<u8>) {
    let (mut digits, mut first) = ([b'0'; 20], 20);
    while first == 20 || number > 0 {
        first -= 1;
        digits[first] += (number % 10) as u8;
        number /= 10;
    }
    text.extend_from_slice(&digits[first..]);
}

/// Writes a number of so many digits, with zeros before it.
pub fn push_padded(number: u64, digits: usize, text: &mut Vec<u8>) {
    let (begin, mut rest) = (text.len(), number);
    text.resize(begin + digits, b'0');
    for place in (begin..begin + digits).rev() {
        text[place] += (rest % 10) as u8;
        rest /= 10;
    }
}

/// Writes a time in time units.
pub fn push_time(time: Time, text: &mut Vec<u8>) {
    let [whole, mut part] = parts(time);
    push_number(whole, text);
    if part == 0 {
        return;
    }
    let mut digits = DECIMALS as usize;
    while part.is_multiple_of(10) {
        part /= 10;
        digits -= 1;
    }
    text.push(b'.');
    push_padded(part, digits, text);
}

/// The number that is nearest to the text of a time, which is what a reader of the text gets.
pub fn nearest(time: Time) -> f64 {
    // Both numbers are exact up to here, so their quotient is rounded once.
    const EXACT: u128 = 1 << 53;
    /// Bits behind the point in each of two steps of a division.
    const BITS: u32 = 29;
    let [whole, part] = parts(time);
    let scaled = u128::from(whole) * u128::from(SCALE) + u128::from(part);
    if scaled <= EXACT {
        return scaled as f64 / SCALE as f64;
    }
    // More than 53 bits of the quotient, the last of which says whether there is a rest.
    let [first, rest] = [(part << BITS) / SCALE, (part << BITS) % SCALE];
    let [second, rest] = [(rest << BITS) / SCALE, (rest << BITS) % SCALE];
    let behind = first << BITS | second | u64::from(rest != 0);
    let quotient = u128::from(whole) << (2 * BITS) | u128::from(behind);
    quotient as f64 / (1_u64 << (2 * BITS)) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(ticks: u64) -> String {
        let mut text = vec![];
        push_time(Time::from_ticks(ticks), &mut text);
        String::from_utf8(text).expect("digits")
    }

    #[test]
    fn times_have_the_digits_that_tell_ticks_apart() {
        assert_eq!([0, 1 << 32, 3 << 31, 10 << 32].map(shown), ["0", "1", "1.5", "10"]);
        assert_eq!([1, 2, 3].map(shown), ["0.0000000002", "0.0000000005", "0.0000000007"]);
        assert_eq!(shown((7 << 32) - 1), "6.9999999998");
        assert_eq!(shown(u64::MAX), "4294967295.9999999998");
        let next = |ticks: u64| shown(ticks) != shown(ticks + 1);
        assert!((0..10_000).map(|place| place * 429_497).all(next));
    }

    #[test]
    fn numbers_are_those_that_a_reader_makes_of_the_text() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> (state >> 59)
        };
        // Behind 900,719 units the number of last decimals has more than 53 bits.
        let edges = (0..40).flat_map(|at| [(900_719_u64 << 32) + at, (1 << 52) + at, (1 << 53) + at, u64::MAX - at]);
        for ticks in edges.chain((0..50_000).map(|_| random())).chain(0..100) {
            let read: f64 = shown(ticks).parse().expect("a number");
            assert_eq!(nearest(Time::from_ticks(ticks)).to_bits(), read.to_bits(), "{ticks}");
        }
    }
}
