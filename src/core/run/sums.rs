//! Sums of records that do not depend on the order of addition: the base of a digest
//! (docs/semantics.md, "Digest"). The twin on the devices is `shaders/lib/sums.wgsl`.

use std::ops::{Add, AddAssign, Sub};

use rayon::prelude::*;

/// The number of sums to which every record adds, each in its own way.
const LANES: usize = 4;
/// The start of a record in each lane: the first digits of pi.
const START: [u64; LANES] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89];
/// The factor of each lane: odd, with bits everywhere; those of splitmix64 and of MurmurHash3.
const FACTORS: [u64; LANES] =
    [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53];
/// The shift of each lane: records that differ in the highest bit alone then differ in every lane.
const SHIFTS: [u32; LANES] = [31, 29, 27, 25];
/// Records that a core adds up at a time.
const RECORDS: usize = 1 << 12;

/// The kind of a record: equal words of two kinds are two records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum RecordKind {
    /// A station of a network.
    Station = 1,
    /// A token that waits.
    WaitingToken = 2,
    /// A service under way.
    Service = 3,
    /// A logical process.
    Process = 4,
    /// A message on its way.
    Message = 5,
    /// A cell.
    Cell = 6,
    /// A search.
    Search = 7,
}

/// A record to which words are added one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record([u64; LANES]);

impl Record {
    /// A record of this kind without words.
    #[inline]
    #[doc(hidden)]
    pub fn of(kind: RecordKind) -> Self {
        Self(START).word(kind as u64)
    }

    /// Adds a word. For every earlier record, and for every word, this is a bijection of each lane.
    #[inline]
    #[doc(hidden)]
    pub fn word(mut self, word: u64) -> Self {
        for lane in 0..LANES {
            let product = (self.0[lane] ^ word).wrapping_mul(FACTORS[lane]);
            self.0[lane] = product ^ product >> SHIFTS[lane];
        }
        self
    }

    /// Adds words.
    #[inline]
    #[doc(hidden)]
    pub fn words(self, words: impl IntoIterator<Item = u64>) -> Self {
        words.into_iter().fold(self, Self::word)
    }

    /// The record's sums.
    #[inline]
    #[doc(hidden)]
    pub fn sums(self) -> Sums {
        Sums(self.word(0).word(0).0)
    }
}

/// Four sums of 64 bits, which wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums([u64; LANES]);

impl Sums {
    /// The sums of the `numbers` of a place, which may come in parts: the sums of parts add up to those of the whole.
    #[inline]
    #[doc(hidden)]
    pub fn weighed<const N: usize>(place: Record, numbers: [u64; N]) -> Self {
        let key = place.sums().0;
        Self(std::array::from_fn(|lane| {
            let weigh = |sum: u64, number: u64| sum.wrapping_mul(FACTORS[lane]).wrapping_add(number);
            (key[lane] | 1).wrapping_mul(numbers.into_iter().fold(0, weigh))
        }))
    }

    /// All records of places from 0 on, on all cores.
    #[doc(hidden)]
    pub fn of_all(records: usize, sums: impl Fn(usize) -> Self + Send + Sync) -> Self {
        if records <= RECORDS {
            return (0..records).map(sums).fold(Self::default(), Self::add);
        }
        (0..records).into_par_iter().with_min_len(RECORDS).map(sums).reduce(Self::default, Self::add)
    }

    /// The sums of all records of a list in consecutive parts, on all cores: `length` is the length of a place's part, and
    /// `sums` gets a place and the start of its part.
    #[doc(hidden)]
    pub fn of_parts(
        records: usize,
        length: impl Fn(usize) -> usize + Send + Sync,
        sums: impl Fn(usize, usize) -> Self + Send + Sync,
    ) -> Self {
        let chunk = |number: usize| number * RECORDS..records.min((number + 1) * RECORDS);
        let chunks = records.div_ceil(RECORDS);
        let of_lengths = |number: usize| chunk(number).map(&length).sum::<usize>();
        let mut begins: Vec<usize> = match chunks {
            0 | 1 => vec![0; chunks],
            _ => (0..chunks).into_par_iter().map(of_lengths).collect(),
        };
        let mut end = 0;
        for begin in &mut begins {
            (end, *begin) = (end + *begin, end);
        }
        let of_chunk = |(number, begin): (usize, usize)| {
            let each = |(sum, begin): (Self, usize), place: usize| (sum + sums(place, begin), begin + length(place));
            chunk(number).fold((Self::default(), begin), each).0
        };
        if begins.len() <= 1 {
            return begins.into_iter().enumerate().map(of_chunk).fold(Self::default(), Self::add);
        }
        begins.into_par_iter().enumerate().map(of_chunk).reduce(Self::default, Self::add)
    }

    /// Lane by lane.
    #[doc(hidden)]
    pub fn lanes(self) -> [u64; LANES] {
        self.0
    }

    /// Little-endian, lane after lane.
    pub(super) fn bytes(self) -> [[u8; 8]; LANES] {
        self.0.map(u64::to_le_bytes)
    }
}

impl From<[u64; LANES]> for Sums {
    /// The sums as a device has them.
    fn from(lanes: [u64; LANES]) -> Self {
        Self(lanes)
    }
}

impl Add for Sums {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane].wrapping_add(other.0[lane])))
    }
}

impl AddAssign for Sums {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Sums {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane].wrapping_sub(other.0[lane])))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    /// Words without a pattern.
    fn words(place: u64) -> [u64; 3] {
        [1, 2, 3].map(|word: u64| (3 * place + word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
    }

    fn record(place: u64, words: [u64; 3]) -> Sums {
        Record::of(RecordKind::Message).word(place).words(words).sums()
    }

    fn all(records: &[(u64, [u64; 3])]) -> Sums {
        records.iter().map(|(place, words)| record(*place, *words)).fold(Sums::default(), Sums::add)
    }

    fn records() -> Vec<(u64, [u64; 3])> {
        (0..40).map(|place| (place, words(place))).collect()
    }

    #[test]
    fn any_order_and_any_parts_give_the_same() {
        let records = records();
        let forth = all(&records);
        assert_eq!(all(&records.iter().rev().copied().collect::<Vec<_>>()), forth);
        assert_eq!(all(&records[..17]) + all(&records[17..]), forth);
        assert_eq!(forth - all(&records[17..]), all(&records[..17]));
        assert_eq!(Sums::of_all(40, |place| record(place as u64, words(place as u64))), forth);
    }

    /// Checked in every lane: each is needed.
    #[test]
    fn every_changed_bit_every_swap_and_every_moved_record_changes_every_lane() {
        let records = records();
        let base = all(&records);
        let differs = |changed: Sums| (0..LANES).for_each(|lane| assert_ne!(changed.0[lane], base.0[lane]));
        for place in 0..records.len() {
            for bit in 0..4 * 64 {
                let mut changed = records.clone();
                match bit / 64 {
                    0 => changed[place].0 ^= 1 << (bit % 64),
                    word => changed[place].1[word - 1] ^= 1 << (bit % 64),
                }
                differs(all(&changed));
            }
            for other in 0..place {
                let mut swapped = records.clone();
                (swapped[place].1, swapped[other].1) = (swapped[other].1, swapped[place].1);
                differs(all(&swapped));
            }
            let mut moved = records.clone();
            moved[place].0 = 99;
            differs(all(&moved));
            let mut twice = records.clone();
            twice.push(records[place]);
            differs(all(&twice));
            twice.retain(|record| *record != records[place]);
            differs(all(&twice));
        }
    }

    /// Two differences within a record that cancel in one lane do not cancel in the others.
    #[test]
    fn what_cancels_in_one_lane_is_seen_by_the_others() {
        let [first, second, third] = words(1);
        for (lane, shift) in SHIFTS.into_iter().enumerate() {
            // After a difference in the highest bit these two bits, and no others, differ in this lane.
            let cancels = 1 << 63 | 1 << (63 - shift);
            let changed = record(1, [first ^ 1 << 63, second ^ cancels, third]);
            let base = record(1, [first, second, third]);
            let equal: Vec<bool> = (0..LANES).map(|lane| changed.0[lane] == base.0[lane]).collect();
            assert_eq!(equal, (0..LANES).map(|other| other == lane).collect::<Vec<_>>());
        }
    }

    #[test]
    fn few_bits_that_differ_give_no_sums_twice() {
        let mut seen: [HashMap<u64, [usize; 2]>; LANES] = Default::default();
        for first in 0..192 {
            for second in 0..first {
                let mut words = [0; 3];
                words[first / 64] ^= 1 << (first % 64);
                words[second / 64] ^= 1 << (second % 64);
                let lanes = record(1, words).0;
                let before: Vec<_> =
                    (0..LANES).filter_map(|lane| seen[lane].insert(lanes[lane], [first, second])).collect();
                // As above, in one lane; two of these differ in every lane.
                let different: HashSet<_> = before.iter().collect();
                assert_eq!(before.len(), different.len(), "{first} and {second}");
            }
        }
    }

    #[test]
    fn numbers_that_are_weighed_may_come_in_parts() {
        let station = |place| Record::of(RecordKind::Station).word(place);
        let whole = Sums::weighed(station(5), [7, 0, u64::MAX, 1 << 40]);
        let parts = Sums::weighed(station(5), [10, 1, 5, 0])
            + Sums::weighed(station(5), [3, 1, 6, 1 << 40].map(u64::wrapping_neg));
        let rest = Sums::weighed(station(5), [0, 0, 0, 1 << 41]);
        assert_eq!(parts + rest, Sums::weighed(station(5), [7, 0, u64::MAX, 1 << 40]));
        assert_ne!(whole, Sums::weighed(station(6), [7, 0, u64::MAX, 1 << 40]));
        for bit in 0..64 {
            for place in 0..4 {
                let mut changed = [7, 0, u64::MAX, 1 << 40];
                changed[place] ^= 1 << bit;
                let changed = Sums::weighed(station(5), changed);
                (0..LANES).for_each(|lane| assert_ne!(changed.0[lane], whole.0[lane]));
            }
        }
    }

    #[test]
    fn parts_of_a_list_are_found() {
        let lengths = |place: usize| place * 7 % 5;
        let records = 3 * RECORDS + 11;
        let mut begin = 0;
        let mut in_order = Sums::default();
        for place in 0..records {
            in_order += record(place as u64, words(begin as u64));
            begin += lengths(place);
        }
        let found = Sums::of_parts(records, lengths, |place, begin| record(place as u64, words(begin as u64)));
        assert_eq!(found, in_order);
        assert_eq!(Sums::of_parts(0, lengths, |_, _| unreachable!()), Sums::default());
    }

    /// A change of the constants is seen here first.
    #[test]
    fn known_records_have_known_sums() {
        let sums = record(1, [2, 3, u64::MAX]);
        assert_eq!(
            sums.0.map(|lane| format!("{lane:016x}")).join(" "),
            "bcf70c200627c441 e9d37434836c7ae3 dd34f15171726ff8 2861c3600d5d4cdd"
        );
    }
}
