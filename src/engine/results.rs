//! What a device has added up: kernels behind the last round leave sums of each thread in a buffer (`shaders/lib/results.wgsl`),
//! and the host adds up the threads.

use super::{ModelParts, Rounds, Stage, StageKernel, Work};
use tickless_core::run::Sums;
use tickless_device::{AdapterKind, BufferSpec, DeviceError};

/// Threads of a GPU: enough that memory is kept at work, and few enough that what they leave is read at once.
const THREADS: u32 = 1 << 15;
/// In software.
const THREADS_IN_SOFTWARE: u32 = 1 << 10;
/// Things of a thread, where there are few: what many small runs leave takes longer to read than to add up.
const EACH: u32 = 16;

/// Adds what these kernels do to a model, behind its last round. They pass over so many `things`, with no more threads than
/// these and with so many at the `least`; each thread leaves so many words.
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

/// What all threads have left.
pub struct Results {
    words: Vec<u64>,
    threads: usize,
}

impl Results {
    /// Reads what the kernels of [`add_results`] have left, of threads that leave so many words. [`Rounds::add_up`] has run
    /// them.
    ///
    /// # Errors
    /// A lost device.
    #[doc(hidden)]
    pub fn read(rounds: &mut Rounds, words: usize) -> Result<Self, DeviceError> {
        let all: Vec<u64> = rounds.read("results")?;
        Ok(Self { threads: all.len() / words, words: all })
    }

    /// Of a thread: the value of a word.
    #[doc(hidden)]
    pub fn of(&self, thread: usize, word: usize) -> u64 {
        self.threads(word)[thread]
    }

    /// How many threads there are.
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

    /// The sum of a word whose halves were added up in two.
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
