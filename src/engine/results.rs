//! Sums on the device: kernels behind the last round leave sums of each thread in a buffer (`shaders/lib/results.wgsl`), and the
//! host adds up the threads.

use super::{ModelParts, Rounds, Stage, StageKernel, Work};
use tickless_core::run::Sums;
use tickless_device::{AdapterKind, BufferSpec, DeviceError};

/// Threads of a GPU: enough to keep its memory at work, and few enough that their sums are read at once.
const THREADS: u32 = 1 << 15;
/// Threads of a software adapter.
const THREADS_IN_SOFTWARE: u32 = 1 << 10;
/// Items of a thread, where there are few: the sums of many small runs take longer to read than to add up.
const EACH: u32 = 16;

/// Adds these kernels to a model, behind its last round. They pass over `things` items, with at most the usual number of
/// threads and with at least `least` items a thread; each thread leaves `words` words.
pub fn add_results(
    parts: &mut ModelParts,
    kernels: Vec<StageKernel>,
    [things, least]: [u32; 2],
    words: u32,
    kind: AdapterKind,
) {
    let threads = if kind == AdapterKind::Software { THREADS_IN_SOFTWARE } else { THREADS };
    let threads = threads.min(things.div_ceil(EACH)).max(least).max(1).next_multiple_of(parts.sizes.workgroup);
    let constants = format!("const RESULT_THREADS: u32 = {threads}u;\n");
    parts.buffers.push(BufferSpec::storage("results", u64::from(threads) * u64::from(words), 8));
    let work = Work::Workgroups(threads / parts.sizes.workgroup);
    parts.results.extend(kernels.into_iter().map(|kernel| Stage { kernel: kernel.with_constants(&constants), work }));
}

/// The sums of all threads.
pub struct Results {
    words: Vec<u64>,
    threads: usize,
}

impl Results {
    /// Reads the sums of the kernels of [`add_results`], `words` words a thread. [`Rounds::add_up`] has run the kernels.
    ///
    /// # Errors
    /// A lost device.
    #[doc(hidden)]
    pub fn read(rounds: &mut Rounds, words: usize) -> Result<Self, DeviceError> {
        let all: Vec<u64> = rounds.read("results")?;
        Ok(Self { threads: all.len() / words, words: all })
    }

    /// A word of a thread.
    #[doc(hidden)]
    pub fn of(&self, thread: usize, word: usize) -> u64 {
        self.threads(word)[thread]
    }

    /// The number of threads.
    #[doc(hidden)]
    pub fn count(&self) -> usize {
        self.threads
    }

    fn threads(&self, word: usize) -> &[u64] {
        &self.words[word * self.threads..][..self.threads]
    }

    /// The sum of a word, modulo 2^64.
    #[doc(hidden)]
    pub fn sum(&self, word: usize) -> u64 {
        self.threads(word).iter().fold(0, |sum, value| sum.wrapping_add(*value))
    }

    /// The sum of a word whose halves were added up separately.
    #[doc(hidden)]
    pub fn long_sum(&self, word: usize) -> u128 {
        let [low, high] = [word, word + 1].map(|word| self.threads(word).iter().map(|value| u128::from(*value)));
        low.sum::<u128>() + (high.sum::<u128>() << 32)
    }

    /// The largest value of a word.
    #[doc(hidden)]
    pub fn largest(&self, word: usize) -> u64 {
        self.threads(word).iter().copied().max().unwrap_or_default()
    }

    /// Four words that are sums of records.
    #[doc(hidden)]
    pub fn sums(&self, word: usize) -> Sums {
        Sums::from([0, 1, 2, 3].map(|lane| self.sum(word + lane)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_added_up_word_by_word() {
        let high = 3 << 32;
        let words = vec![1, 2, u64::MAX, 7, 8, 9, high, 1, 2, u64::MAX, u64::MAX, 0];
        let results = Results { words, threads: 3 };
        assert_eq!((results.sum(0), results.sum(1), results.largest(1)), (2, 24, 9));
        assert_eq!(results.long_sum(2), u128::from(high + 3) + ((2 * u128::from(u64::MAX)) << 32));
        assert_eq!(results.sums(0), Sums::from([2, 24, high + 3, u64::MAX - 1]));
    }
}
