//! The laws of a network, as its kernels read them.

use std::collections::HashMap;

use super::records::Law;
use tickless_core::random::{EffectiveLaw, Table, logarithm_table};

/// The different laws, each once.
#[derive(Default)]
pub(super) struct Laws {
    numbers: HashMap<[u32; 12], u32>,
    /// Three rows each.
    pub(super) words: Vec<[u32; 4]>,
    /// The rows of their tables, and the places of these from the first row of the logarithm on.
    pub(super) tables: Vec<[u32; 4]>,
    places: HashMap<*const Table, u32>,
    /// Rows of the tables of other networks, which come before these.
    before: usize,
}

impl Laws {
    /// No laws yet; their tables come behind so many rows of others.
    pub(super) fn behind(before: usize) -> Self {
        Self { before, ..Self::default() }
    }

    /// The number of a law.
    pub(super) fn number(&mut self, law: &EffectiveLaw) -> u32 {
        let mut key = [0; 12];
        let table = law.table.as_deref().map_or(0, |table| self.place(table));
        key[..10].copy_from_slice(bytemuck::cast_slice(bytemuck::bytes_of(&Law::new(law, table))));
        let next = self.numbers.len() as u32;
        let words = &mut self.words;
        *self.numbers.entry(key).or_insert_with(|| {
            words.extend(key.chunks_exact(4).map(|row| [row[0], row[1], row[2], row[3]]));
            next
        })
    }

    fn place(&mut self, table: &Table) -> u32 {
        let (rows, before) = (&mut self.tables, self.before);
        *self.places.entry(table).or_insert_with(|| {
            let place = (logarithm_table().len() + before + rows.len()) as u32;
            rows.extend(table.words());
            place
        })
    }
}
