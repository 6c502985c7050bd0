//! The stations, and which of those that seize units have changed since units were granted last: nobody else's token can have got all that it
//! waits for.

use std::ops::{Deref, Index, IndexMut};

use super::station::Station;

pub(super) struct Stations {
    all: Vec<Station>,
    /// Whether a station seizes units and is not in the list; empty where none seizes.
    untouched: Vec<bool>,
    touched: Vec<u32>,
}

impl Stations {
    /// Of these some seize units.
    pub(super) fn new(all: Vec<Station>, seizing: &[u32]) -> Self {
        let mut untouched = vec![false; if seizing.is_empty() { 0 } else { all.len() }];
        seizing.iter().for_each(|id| untouched[*id as usize] = true);
        Self { all, untouched, touched: vec![] }
    }

    /// A station that seizes units may go on.
    pub(super) fn touch(&mut self, id: u32) {
        if let Some(untouched @ true) = self.untouched.get_mut(id as usize) {
            *untouched = false;
            self.touched.push(id);
        }
    }

    /// Those that have been touched, in no order.
    pub(super) fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// The same, in order. Until they are put back nothing that happens to them adds them again.
    pub(super) fn take_touched(&mut self) -> Vec<u32> {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched
    }

    pub(super) fn put_back(&mut self, mut touched: Vec<u32>) {
        touched.drain(..).for_each(|id| self.untouched[id as usize] = true);
        self.touched = touched;
    }

    /// Each, to count what it has done.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Station> {
        self.all.iter_mut()
    }
}

impl Deref for Stations {
    type Target = [Station];

    fn deref(&self) -> &[Station] {
        &self.all
    }
}

impl Index<usize> for Stations {
    type Output = Station;

    fn index(&self, id: usize) -> &Station {
        &self.all[id]
    }
}

impl IndexMut<usize> for Stations {
    fn index_mut(&mut self, id: usize) -> &mut Station {
        self.touch(id as u32);
        &mut self.all[id]
    }
}
