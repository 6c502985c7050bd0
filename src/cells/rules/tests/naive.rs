//! A simulation as plain as can be: every instant looks at every cell.

use crate::cells::{Cell, CellError, CellModel, Inputs, Moment};
use crate::time::Time;

/// The outputs around a cell.
struct Around<'a> {
    neighbours: Vec<Option<u32>>,
    outputs: &'a [u32],
    /// Words of an output.
    words: usize,
    sent: &'a [bool],
}

impl Inputs for Around<'_> {
    fn own_output(&self) -> &[u32] {
        &[]
    }

    fn exists(&self, n: usize) -> bool {
        self.neighbours[n].is_some()
    }

    fn arrives(&self, n: usize) -> bool {
        self.neighbours[n].is_some_and(|cell| self.sent[cell as usize])
    }

    fn word(&self, n: usize, word: usize) -> u32 {
        self.neighbours[n].map_or(0, |cell| self.outputs[cell as usize * self.words + word])
    }
}

/// What every cell sent last, at the horizon; and how many transitions there were.
pub(super) fn run(model: &impl CellModel, replication: u32) -> Result<(Vec<u32>, u64), CellError> {
    let (space, words, sends) = (model.space(), model.state_words(), model.output_words());
    let cells = space.cells();
    let mut states = vec![0; cells as usize * words];
    let mut outputs = vec![0; cells as usize * sends];
    let mut next = vec![];
    for (id, (state, output)) in (0..).zip(states.chunks_mut(words).zip(outputs.chunks_mut(sends))) {
        next.push(model.initialize(Cell { id, replication }, state, output)?);
    }
    let mut transitions = 0;
    while let Some(now) = next.iter().copied().min().filter(|now| *now < model.until()) {
        let mut sent = vec![false; cells as usize];
        for (id, state) in (0..).zip(states.chunks(words)) {
            let at = id as usize;
            if next[at] == now {
                sent[at] = model.output(Cell { id, replication }, now, state, &mut outputs[at * sends..][..sends])?;
            }
        }
        for (id, state) in (0..).zip(states.chunks_mut(words)) {
            let neighbours = (0..space.offsets().len()).map(|n| space.neighbour(id, n)).collect();
            let around = Around { neighbours, outputs: &outputs, words: sends, sent: &sent };
            let heard = (0..space.offsets().len()).any(|n| around.arrives(n));
            let imminent = next[id as usize] == now;
            if heard || imminent {
                let moment = Moment { now, elapsed: Time::ZERO, imminent };
                let cell = Cell { id, replication };
                next[id as usize] = model.transition(cell, moment, next[id as usize], state, &around)?;
                transitions += 1;
            }
        }
    }
    Ok((outputs, transitions))
}
