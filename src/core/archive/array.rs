//! Arrays with names.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::ArchiveError;
use crate::memory::{self, NoMemory};

/// Words in rows and columns, as `shape` says; the last index runs fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    pub(super) shape: Vec<usize>,
    pub(super) words: Vec<u64>,
}

/// Arrays by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrays(pub(super) BTreeMap<String, Array>);

impl Arrays {
    /// Adds an array of `rows` rows, whose words are in order.
    pub fn add(&mut self, name: &str, rows: usize, words: Vec<u64>) {
        let shape = vec![rows, words.len() / rows.max(1)];
        self.0.insert(name.to_owned(), Array { shape, words });
    }

    /// Adds an array of one row of any length.
    pub fn add_list(&mut self, name: &str, words: Vec<u64>) {
        self.0.insert(name.to_owned(), Array { shape: vec![words.len()], words });
    }

    /// Adds a list of words of 32 bits, two in a word of 64, the first in the lower half.
    pub fn add_halves(&mut self, name: &str, words: &[u32]) {
        let pair = |pair: &[u32]| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or_default()) << 32;
        self.add_list(name, words.chunks(2).map(pair).collect());
    }

    /// Takes `count` words that [`Arrays::add_halves`] was given.
    ///
    /// # Errors
    /// [`ArchiveError::Array`] where there is no such list, or a longer or a shorter one; too little memory.
    pub fn take_halves(&mut self, name: &str, count: usize) -> Result<Vec<u32>, ArchiveError> {
        let pairs = self.take_list(name)?;
        if pairs.len() != count.div_ceil(2) {
            return Err(wrong(name, format!("has {} pairs of words, and {count} words were expected", pairs.len())));
        }
        let mut words = memory::with_room(2 * pairs.len(), "the arrays of the file")?;
        words.extend(pairs.iter().flat_map(|pair| [*pair as u32, (pair >> 32) as u32]));
        words.truncate(count);
        Ok(words)
    }

    /// Takes an array of `rows` rows and `columns` columns.
    ///
    /// # Errors
    /// [`ArchiveError::Array`] where there is no such array, or it has another shape.
    pub fn take(&mut self, name: &str, rows: usize, columns: usize) -> Result<Vec<u64>, ArchiveError> {
        let array = self.array(name)?;
        let (found, expected) = (array.shape, [rows, columns]);
        if found == expected {
            return Ok(array.words);
        }
        Err(wrong(name, format!("has the shape {found:?}, and {expected:?} was expected")))
    }

    /// Takes an array of one row of any length.
    ///
    /// # Errors
    /// [`ArchiveError::Array`] where there is no such array.
    pub fn take_list(&mut self, name: &str) -> Result<Vec<u64>, ArchiveError> {
        self.array(name).map(|array| array.words)
    }

    fn array(&mut self, name: &str) -> Result<Array, ArchiveError> {
        self.0.remove(name).ok_or_else(|| wrong(name, "is missing".into()))
    }
}

/// The words of rows that lie in lists one behind the other, made on all cores.
///
/// # Errors
/// [`NoMemory`], with `what` as the message names it.
pub fn rows<T: Sync, const COLUMNS: usize>(
    lists: &[&[T]],
    row: impl Fn(&T) -> [u64; COLUMNS] + Sync,
    what: &str,
) -> Result<Vec<u64>, NoMemory> {
    let count: usize = lists.iter().map(|list| list.len()).sum();
    let mut words = memory::zeroed::<u64>(COLUMNS * count, what)?;
    let mut rest = words.as_chunks_mut::<COLUMNS>().0;
    for list in lists {
        let own;
        (own, rest) = std::mem::take(&mut rest).split_at_mut(list.len());
        own.par_iter_mut().zip(list.par_iter()).for_each(|(words, value)| *words = row(value));
    }
    Ok(words)
}

/// An array that is not what it should be.
pub fn wrong(name: &str, fault: String) -> ArchiveError {
    ArchiveError::Array { name: name.to_owned(), fault }
}
