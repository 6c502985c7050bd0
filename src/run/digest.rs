//! The digest of a run: SHA-256 over its records in their order, every number little-endian in its full width. There is no
//! header: which records there are, and which numbers of them in which order, each family says.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::time::Time;

/// The 256 bits that two equal runs share.
///
/// ```
/// use tickless::{device::Target, processes::{self, Phold}, run::unwatched};
/// let model = |seed| Phold::new(16).seed(seed).check().unwrap();
/// let run = |seed| processes::run(&model(seed), Target::Heap, Default::default(), &mut unwatched());
/// assert_eq!(run(1)?.outcome.digest(), run(1)?.outcome.digest());
/// assert_ne!(run(1)?.outcome.digest(), run(2)?.outcome.digest());
/// # Ok::<(), tickless::RunError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// That of what `write` gives on, in this order.
    pub(crate) fn of(write: impl FnOnce(&mut Hashing)) -> Self {
        let mut hashing = Hashing(Sha256::new());
        write(&mut hashing);
        Self(hashing.0.finalize().into())
    }
}

/// A digest that is being made.
pub(crate) struct Hashing(Sha256);

impl Hashing {
    /// 32 bits.
    pub(crate) fn word(&mut self, word: u32) {
        self.0.update(word.to_le_bytes());
    }

    /// 32 bits each.
    pub(crate) fn words<'a>(&mut self, words: impl IntoIterator<Item = &'a u32>) {
        words.into_iter().for_each(|word| self.word(*word));
    }

    /// 64 bits.
    pub(crate) fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }

    /// 64 bits each, of which there are always as many.
    pub(crate) fn record<const N: usize>(&mut self, numbers: [u64; N]) {
        self.0.update(numbers.map(u64::to_le_bytes).as_flattened());
    }

    /// 64 bits each.
    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item = u64>) {
        numbers.into_iter().for_each(|number| self.number(number));
    }

    /// 64 bits each.
    pub(crate) fn times<'a>(&mut self, times: impl IntoIterator<Item = &'a Time>) {
        self.numbers(times.into_iter().map(|time| time.ticks()));
    }

    /// How many there are, and 64 bits each.
    pub(crate) fn list(&mut self, numbers: &[u64]) {
        self.number(numbers.len() as u64);
        self.numbers(numbers.iter().copied());
    }

    /// What others have hashed.
    pub(crate) fn digest(&mut self, digest: &Digest) {
        self.0.update(digest.0);
    }

    /// Records that are written already.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_the_bytes() {
        let digest = Digest::of(|hashing| {
            hashing.words(&[0x0403_0201, 5]);
            hashing.record([6]);
            hashing.times(&[Time::from_ticks(7)]);
            hashing.list(&[8, 9]);
            hashing.bytes(&[10]);
        });
        let bytes = [
            &[1, 2, 3, 4, 5, 0, 0, 0][..],
            &[6, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0],
            &[2, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0],
            &[10],
        ];
        assert_eq!(digest, Digest::of(|hashing| hashing.bytes(&bytes.concat())));
        // As any other program hashes nothing.
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Digest::of(|_| ()).to_string(), nothing);
        let hashed: [u8; 32] = Sha256::digest(nothing.as_bytes()).into();
        assert_eq!(Digest::of(|hashing| hashing.bytes(nothing.as_bytes())).0, hashed);
    }
}
