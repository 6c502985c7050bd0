//! The digest of a run: SHA-256 over the number of records and their sums (`sums.rs`), every number little-endian in its full
//! width. Each family states its records, and their numbers in order.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::Sums;

/// The 256 bits that two equal runs share.
///
/// ```
/// use tickless::{device::Target, processes::{self, Phold}, run::unwatched};
/// let model = |seed| Phold::new(16).seed(seed).check().unwrap();
/// let run = |seed| processes::run(&model(seed), Target::Heap, Default::default(), &mut unwatched());
/// assert_eq!(run(1)?.outcome.digest(), run(1)?.outcome.digest());
/// assert_ne!(run(1)?.outcome.digest(), run(2)?.outcome.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of the numbers that `write` passes on, in order.
    #[doc(hidden)]
    pub fn of(write: impl FnOnce(&mut Hashing)) -> Self {
        let mut hashing = Hashing(Sha256::new());
        write(&mut hashing);
        Self(hashing.0.finalize().into())
    }
}

/// A digest that is being made.
pub struct Hashing(Sha256);

/// The bytes of a text.
impl fmt::Write for Hashing {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text);
        Ok(())
    }
}

impl Hashing {
    /// 64 bits.
    #[doc(hidden)]
    pub fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }

    /// 64 bits each; their number is fixed.
    #[doc(hidden)]
    pub fn record<const N: usize>(&mut self, numbers: [u64; N]) {
        self.0.update(numbers.map(u64::to_le_bytes).as_flattened());
    }

    /// 64 bits each.
    #[doc(hidden)]
    pub fn numbers(&mut self, numbers: impl IntoIterator<Item = u64>) {
        numbers.into_iter().for_each(|number| self.number(number));
    }

    /// The number of entries, and 64 bits for each.
    #[doc(hidden)]
    pub fn list(&mut self, numbers: &[u64]) {
        self.number(numbers.len() as u64);
        self.numbers(numbers.iter().copied());
    }

    /// Another digest.
    #[doc(hidden)]
    pub fn digest(&mut self, digest: &Digest) {
        self.0.update(digest.0);
    }

    /// 256 bits.
    #[doc(hidden)]
    pub fn sums(&mut self, sums: Sums) {
        self.0.update(sums.bytes().as_flattened());
    }
}

impl Digest {
    /// Its bits, 64 at a time: the first word stands for it where one number is needed.
    #[doc(hidden)]
    pub fn words(&self) -> [u64; 4] {
        let (words, _) = self.0.as_chunks::<8>();
        std::array::from_fn(|place| u64::from_be_bytes(words[place]))
    }

    /// The digest with these words.
    #[doc(hidden)]
    pub fn from_words(words: [u64; 4]) -> Self {
        let mut bytes = [0; 32];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        Self(bytes)
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
            hashing.record([6]);
            hashing.numbers([7]);
            hashing.list(&[8, 9]);
            hashing.sums(Sums::from([10, 11, 12, 1 << 56]));
        });
        let mut bytes = vec![];
        [6_u64, 7, 2, 8, 9, 10, 11, 12, 1 << 56].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        assert_eq!(digest.0, <[u8; 32]>::from(Sha256::digest(&bytes)));
        // The hash of nothing, as other programs compute it.
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Digest::of(|_| ()).to_string(), nothing);
    }
}
