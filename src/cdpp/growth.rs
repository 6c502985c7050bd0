//! More room, or larger numbers, for a model of rules: where a run has ended for want of them, and for a checkpoint that it has left
//! before.

use super::fixed::Fixed;
use super::inputs::NoPlace;
use super::interpreter::RuleFault;
use super::layout::Layout;
use super::model::RuleModel;
use tickless_cells::{CellError, CellModel as _, CellOutcome, Checkpoint};
use tickless_core::memory::{self, NoMemory};

impl RuleModel {
    /// With numbers of two words where a value that comes in needs them.
    pub(super) fn fitting(self) -> Self {
        if !matches!(self.inputs, Err(NoPlace::Wide)) {
            return self;
        }
        self.widened().unwrap_or(self)
    }

    /// The same with numbers of two words, unless it has them already or a cell cannot have them.
    fn widened(&self) -> Option<Self> {
        if self.file.is_wide {
            return None;
        }
        let model = self.file.clone().wide().model(self.until, self.seed).with_replications(self.replications);
        let room = self.max_waiting().min(model.most_waiting());
        model.with_max_waiting(room).ok()
    }

    /// The same with twice the room, where a run has ended for want of room and a cell may have more.
    pub fn with_more_room(&self, error: &CellError) -> Option<Self> {
        let is_full = matches!(error, CellError::Rule { what, .. } if *what == self.said(RuleFault::Room));
        let room = (2 * self.max_waiting()).min(self.most_waiting());
        if is_full && room > self.max_waiting() { self.clone().with_max_waiting(room).ok() } else { None }
    }

    /// The same with numbers of two words, where a run has ended because one word is too short for a number.
    pub fn with_wide_numbers(&self, error: &CellError) -> Option<Self> {
        let has_left = matches!(error, CellError::Rule { what, .. } if *what == self.said(RuleFault::Word));
        if has_left { self.widened() } else { None }
    }

    /// The checkpoint of this model that corresponds to a checkpoint of a model with less room, or with numbers of one word: the
    /// cells as this model would have them. `None` where the checkpoint fits as it is, or belongs to another model.
    ///
    /// # Errors
    /// Too little memory.
    pub fn grown(&self, from: &Checkpoint) -> Result<Option<Checkpoint>, NoMemory> {
        let CellOutcome { state, output, next, last, .. } = &from.outcome;
        let cells = next.len();
        if cells == 0 || !state.len().is_multiple_of(cells) || !output.len().is_multiple_of(cells) {
            return Ok(None);
        }
        let before = self.layout.that_has(state.len() / cells, output.len() / cells);
        let Some(before) = before.filter(|before| *before != self.layout) else { return Ok(None) };
        let (words, outputs) = (self.state_words(), self.output_words());
        let bytes = 4 * cells * (words + outputs) + 8 * (next.len() + last.len());
        memory::room_of(bytes as u64, "a checkpoint whose cells have more room")?;
        let mut grown = CellOutcome {
            state: vec![0; cells * words],
            output: vec![0; cells * outputs],
            next: next.clone(),
            last: last.clone(),
            added_up: None,
            ..from.outcome
        };
        let states = state.chunks_exact(before.words()).zip(grown.state.chunks_exact_mut(words));
        states.for_each(|(state, grown)| self.layout.take_over(&before, state, grown));
        let numbers = output.chunks_exact(before.width).zip(grown.output.chunks_exact_mut(self.layout.width));
        numbers.for_each(|(number, grown)| Fixed::read(number, 0, before.width).write(grown, 0, self.layout.width));
        Ok(Some(Checkpoint { outcome: grown, clocks: from.clocks.clone() }))
    }
}

impl Layout {
    /// The layout of the same cells before they had this room and width, by the words of a state and an output.
    fn that_has(&self, words: usize, outputs: usize) -> Option<Self> {
        let width = outputs / self.ports;
        if outputs == 0 || !outputs.is_multiple_of(self.ports) || width > self.width {
            return None;
        }
        let other = self.with_width(width);
        let room = words.checked_sub(other.with_max_waiting(0).words())? / other.entry();
        let other = other.with_max_waiting(if other.waits_for_transport() { room } else { self.room });
        (other.words() == words && other.room <= self.room).then_some(other)
    }

    /// Writes a state of the same cell in another layout, with at most as much room and as many words a number.
    fn take_over(&self, before: &Self, state: &[u32], to: &mut [u32]) {
        let mut numbers = |[from, at]: [usize; 2], count: usize| {
            for n in 0..count {
                Fixed::read(&state[from..], n, before.width).write(&mut to[at..], n, self.width);
            }
        };
        numbers([0, 0], self.ports);
        numbers([before.variables, self.variables], self.count_of_variables());
        if !self.waits_for_transport() {
            numbers([before.waiting, self.waiting], self.ports);
        }
        let places = if self.waits_for_transport() { before.room } else { 0 };
        for place in 0..places {
            numbers([before, self].map(|layout| layout.values_at(place)), self.ports);
        }
        let mut words =
            |[from, at]: [usize; 2], count: usize| to[at..at + count].copy_from_slice(&state[from..from + count]);
        if let Some(places) = before.stream.zip(self.stream) {
            words(places.into(), 2);
        }
        if let Some((from, at)) = before.cursor.zip(self.cursor) {
            words([from, at], self.variables - at);
        }
        for place in 0..places {
            let [from, at] = [before, self].map(|layout| layout.at(place));
            words([from, at], before.values_at(place) - from);
        }
        if self.waits_for_transport() {
            words([before.waiting, self.waiting], 1);
        }
    }
}
