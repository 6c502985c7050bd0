//! Service laws as kernels read them: rows of 16 bytes. Those of the logarithm come first in the buffer of that name, behind them the
//! tables of laws, and of a model of one's own behind these its laws.

use std::collections::HashMap;

use super::BufferSpec;
use tickless_core::random::{EffectiveLaw, Table, logarithm_table};
use tickless_kernels::layout::mirrors;
use tickless_kernels::{Mounts, Source};

mirrors! {
    /// `Law` of `shaders/lib/law.wgsl`.
    pub struct Law in "lib/law" "Law" {
        offset: u64,
        first: u64,
        second: u64,
        kind: u32,
        stages: u32,
        threshold: u32,
        table: u32,
    }
}

impl Law {
    /// The law, whose table, if any, begins at this row from the first row of the logarithm.
    pub fn new(law: &EffectiveLaw, table: u32) -> Self {
        let &EffectiveLaw { kind, stages, threshold, offset, first, second, .. } = law;
        Self { offset, first, second, kind: kind as u32, stages, threshold, table }
    }

    /// Its rows.
    fn rows(&self) -> [[u32; 4]; 3] {
        let mut rows = [[0; 4]; 3];
        rows.as_flattened_mut()[..10].copy_from_slice(bytemuck::cast_slice(bytemuck::bytes_of(self)));
        rows
    }
}

/// The different laws, each once.
#[derive(Default)]
pub struct Laws {
    numbers: HashMap<[[u32; 4]; 3], u32>,
    /// Three rows each.
    pub words: Vec<[u32; 4]>,
    /// The rows of their tables.
    pub tables: Vec<[u32; 4]>,
    /// The places of these from the first row of the logarithm on.
    places: HashMap<*const Table, u32>,
    /// Rows of the tables of other models, which come before these.
    before: usize,
}

impl Laws {
    /// No laws yet; their tables come behind so many rows of others.
    pub fn behind(before: usize) -> Self {
        Self { before, ..Self::default() }
    }

    /// The number of a law, which lives as long as all of them.
    pub fn number(&mut self, law: &EffectiveLaw) -> u32 {
        let rows = self.rows(law);
        let (next, words) = (self.numbers.len() as u32, &mut self.words);
        *self.numbers.entry(rows).or_insert_with(|| {
            words.extend(rows);
            next
        })
    }

    fn rows(&mut self, law: &EffectiveLaw) -> [[u32; 4]; 3] {
        let table = law.table.as_deref().map_or(0, |table| self.place(table));
        Law::new(law, table).rows()
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

/// The buffer of the rows of the logarithm, with others behind them.
pub fn logarithms(behind: &[[u32; 4]]) -> BufferSpec {
    let mut rows: Vec<[u32; 4]> = bytemuck::cast_slice(logarithm_table()).to_vec();
    rows.extend_from_slice(behind);
    BufferSpec::words("logarithms", rows.as_flattened())
}

/// The modules for that buffer, by whether there are other rows, and whether laws have tables.
pub fn mounts(has_others: bool, has_tables: bool) -> Mounts {
    let rows = if has_others { "lib/longer_logarithms" } else { "lib/logarithms" };
    Mounts::default()
        .with("logarithm_rows", rows)
        .with("tables", if has_tables { "lib/tables" } else { "lib/no_tables" })
}

/// The modules and the buffer for the laws of a model of one's own, each by its place in the list.
pub fn of_model(laws: &[EffectiveLaw]) -> (Mounts, BufferSpec) {
    let mut all = Laws::default();
    let rows: Vec<_> = laws.iter().flat_map(|law| all.rows(law)).collect();
    let mounts = mounts(!laws.is_empty(), !all.tables.is_empty());
    let first = logarithm_table().len() + all.tables.len();
    let numbers = format!("const LAWS: u32 = {}u;\nconst FIRST_LAW: u32 = {first}u;\n", laws.len());
    let buffer = logarithms(&[all.tables, rows].concat());
    (if laws.is_empty() { mounts } else { mounts.with("law_rows", Source::Text(numbers)) }, buffer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::random::ServiceLaw;

    fn law(text: &str) -> EffectiveLaw {
        text.parse::<ServiceLaw>().expect("a law").effective(None)
    }

    /// The n-th law of a model is the n-th, however many are alike; a network has each once.
    #[test]
    fn laws_keep_their_places_and_share_tables() {
        let laws = ["gamma:2.5,10", "constant:3", "gamma:2.5,20", "constant:3"].map(law);
        let (mounts, buffer) = of_model(&laws);
        assert_eq!(buffer.size, 16 * (256 + 2048 + 3 * 4));
        assert_eq!(mounts.get("tables"), Some(&Source::File("lib/tables".into())));
        let words: &[u32] = bytemuck::cast_slice(buffer.contents.as_deref().expect("contents"));
        let rows = &words[4 * (256 + 2048)..];
        assert_eq!(rows[12..24], rows[36..48]);
        assert_eq!((rows[0], rows[9], rows[24], rows[33]), (0, 256, 0, 256));
        let mut once = Laws::behind(7);
        assert_eq!(laws.each_ref().map(|law| once.number(law)), [0, 1, 2, 1]);
        assert_eq!((once.words.len(), once.tables.len(), once.words[2][1]), (9, 2048, 256 + 7));
        let (none, buffer) = of_model(&[]);
        assert_eq!((none.get("law_rows"), buffer.size), (None, 16 * 256));
    }
}
