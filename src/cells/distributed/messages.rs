//! Outputs of cells, in the words of messages between ranks.

use crate::model::MOST_OUTPUT;
use tickless_core::time::Time;

/// The most words of a message: the cell and the first word of its output, then two words in each.
const MOST: usize = 1 + MOST_OUTPUT.div_ceil(2);
/// Set in the time before a message for the log. No time that a run reaches has this bit, and no message for cells.
const LOG: u64 = 1 << 63;

/// Words of a message with `words` words of output.
const fn length(words: usize) -> usize {
    1 + words.saturating_sub(1).div_ceil(2)
}

fn pair(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// A message on its way.
pub(crate) struct Words {
    words: [u64; MOST],
    length: usize,
}

impl Words {
    /// The message of an output of a cell.
    #[inline]
    pub(crate) fn of(cell: u32, output: &[u32]) -> Self {
        let mut words = [0; MOST];
        let (first, rest) = output.split_first().unwrap_or((&0, &[]));
        words[0] = pair(cell, *first);
        for (word, two) in words[1..].iter_mut().zip(rest.chunks(2)) {
            *word = pair(two[0], two.get(1).copied().unwrap_or(0));
        }
        Self { words, length: length(output.len()) }
    }

    pub(crate) fn as_slice(&self) -> &[u64] {
        &self.words[..self.length]
    }

    /// The same for the log.
    pub(crate) fn logged(&self, time: Time) -> impl Iterator<Item = u64> {
        std::iter::once(LOG | time.ticks()).chain(self.as_slice().iter().copied())
    }
}

/// A received message.
pub(crate) struct Message {
    /// When it was sent, if it is for the log.
    pub(crate) time: Option<Time>,
    pub(crate) cell: u32,
    output: [u32; MOST_OUTPUT],
    words: usize,
}

impl Message {
    pub(crate) fn output(&self) -> &[u32] {
        &self.output[..self.words]
    }
}

/// The messages of a list, each with `words` words of output.
pub(crate) fn messages(mut list: &[u64], words: usize) -> impl Iterator<Item = Message> {
    std::iter::from_fn(move || {
        let time = list.first().filter(|word| *word & LOG > 0).map(|word| Time::from_ticks(word & !LOG));
        list = &list[usize::from(time.is_some())..];
        let message = list.split_off(..length(words))?;
        let mut output = [0; MOST_OUTPUT];
        let halves = message.iter().flat_map(|word| [(word >> 32) as u32, *word as u32]).skip(1);
        output.iter_mut().zip(halves).for_each(|(own, word)| *own = word);
        Some(Message { time, cell: (message[0] >> 32) as u32, output, words })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        let time = Time::from_ticks((1 << 63) - 1);
        for words in 0..=MOST_OUTPUT {
            let output: Vec<u32> = (0..words as u32).map(|word| u32::MAX - word).collect();
            let sent = [Words::of((1 << 31) - 1, &output), Words::of(0, &output)];
            let mut list = sent[0].as_slice().to_vec();
            list.extend(sent[1].logged(time));
            list.extend(sent[0].as_slice());
            let came: Vec<_> = messages(&list, words).map(|m| (m.time, m.cell, m.output().to_vec())).collect();
            let last = (None, (1 << 31) - 1, output.clone());
            assert_eq!(came, [last.clone(), (Some(time), 0, output), last]);
        }
        assert_eq!(messages(&[], 3).count(), 0);
    }
}
