//! Numbered places for records in use.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// Records in numbered places that are used again.
#[derive(Serialize, Deserialize)]
pub(super) struct Slab<T> {
    places: Vec<T>,
    free: Vec<u32>,
}

impl<T: Copy> Slab<T> {
    pub(super) fn new() -> Self {
        Self { places: vec![], free: vec![] }
    }

    /// The same with room for so many records.
    pub(super) fn with_room(count: usize) -> Self {
        Self { places: Vec::with_capacity(count), free: vec![] }
    }

    /// Inlined wherever it is called: so a record is made in its place, and not copied there.
    #[inline(always)]
    pub(super) fn put(&mut self, record: T) -> u32 {
        if let Some(place) = self.free.pop() {
            self.places[place as usize] = record;
            return place;
        }
        self.places.push(record);
        (self.places.len() - 1) as u32
    }

    /// Frees a place; returns its record, which stays until the next one.
    #[inline]
    pub(super) fn take(&mut self, place: u32) -> &T {
        self.free.push(place);
        &self.places[place as usize]
    }

    /// How many records are in use.
    pub(super) fn len(&self) -> u64 {
        (self.places.len() - self.free.len()) as u64
    }

    /// The records in use.
    pub(super) fn used(&self) -> impl Iterator<Item = &T> {
        let mut used = vec![true; self.places.len()];
        self.free.iter().for_each(|place| used[*place as usize] = false);
        self.places.iter().zip(used).filter(|(_, used)| *used).map(|(record, _)| record)
    }
}

impl<T> Index<u32> for Slab<T> {
    type Output = T;

    #[inline]
    fn index(&self, place: u32) -> &T {
        &self.places[place as usize]
    }
}

impl<T> IndexMut<u32> for Slab<T> {
    #[inline]
    fn index_mut(&mut self, place: u32) -> &mut T {
        &mut self.places[place as usize]
    }
}
