//! The stations, and a list of those that may be able to grant units to a token: of all that seize units, those that have changed since units
//! were granted last. Where units come back, the stations that are short of them are put into the list, too.

use std::ops::{Deref, Index, IndexMut};

use super::station::Station;

/// Whoever may change a station that seizes units puts it into the list, as a change goes through [`IndexMut`].
pub(super) struct Stations {
    all: Vec<Station>,
    /// Whether a station seizes units and is not in the list; empty where none seizes.
    untouched: Vec<bool>,
    touched: Vec<u32>,
}

impl Stations {
    /// `seizing` has the numbers of the stations that seize units.
    pub(super) fn new(all: Vec<Station>, seizing: &[u32]) -> Self {
        let mut untouched = vec![false; if seizing.is_empty() { 0 } else { all.len() }];
        seizing.iter().for_each(|id| untouched[*id as usize] = true);
        Self { all, untouched, touched: vec![] }
    }

    /// Other stations in place of these; none has changed.
    pub(super) fn replace(&mut self, all: Vec<Station>) {
        self.all = all;
    }

    /// Puts a station into the list, if it seizes units.
    pub(super) fn touch(&mut self, id: u32) {
        if let Some(untouched @ true) = self.untouched.get_mut(id as usize) {
            *untouched = false;
            self.touched.push(id);
        }
    }

    /// The list, in no order.
    pub(super) fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// The list, in order of the numbers. Until the list is put back no change adds one of its stations again.
    pub(super) fn take_touched(&mut self) -> Vec<u32> {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched
    }

    /// Empties the list. Nothing may have changed since but stations of the list.
    pub(super) fn put_back(&mut self, mut touched: Vec<u32>) {
        debug_assert!(self.touched.is_empty(), "{:?} have changed while {touched:?} were looked at", self.touched);
        touched.drain(..).for_each(|id| self.untouched[id as usize] = true);
        self.touched = touched;
    }

    /// A station that does not seize units.
    #[inline]
    pub(super) fn simple(&mut self, id: u32) -> &mut Station {
        debug_assert!(self.untouched.get(id as usize) != Some(&true), "station {id} seizes units");
        &mut self.all[id as usize]
    }

    /// All stations, for what they have counted: none is put into the list.
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
