//! A simulation as plain as can be: every instant looks at every cell.

use tickless_cells::{Cell, CellError, CellModel, Inputs, Moment};
use tickless_core::time::Time;

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

    fn arrives(&self, n: usize) -> bool {
        self.neighbours[n].is_some_and(|cell| self.sent[cell as usize])
    }

    fn output(&self, n: usize) -> Option<&[u32]> {
        self.neighbours[n].map(|cell| &self.outputs[cell as usize * self.words..][..self.words])
    }
}

/// The last output of every cell at the horizon, and the number of transitions.
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

/// Cells of four dimensions: a millisecond after a neighbour has sent, each becomes the remainder by 5 of its neighbours'
/// values (3 for a missing neighbour) times 1, 2 and so on, plus its plane, twice its layer and the number of its inputs.
#[derive(Debug)]
pub(super) struct FourDimensions {
    pub size: [i64; 4],
    pub is_wrapped: bool,
    pub neighbours: Vec<[i64; 4]>,
    /// By layer, plane, column and row, the first of which changes first.
    pub starts: Vec<i64>,
}

impl FourDimensions {
    fn number(&self, place: [i64; 4]) -> usize {
        place.iter().zip(self.size).fold(0, |number, (at, size)| number * size + at) as usize
    }

    fn place(&self, number: usize) -> [i64; 4] {
        let mut rest = number as i64;
        let [layer, plane, column, row] = [3, 2, 1, 0].map(|axis| {
            let at = rest % self.size[axis];
            rest /= self.size[axis];
            at
        });
        [row, column, plane, layer]
    }

    fn neighbour(&self, place: [i64; 4], offset: [i64; 4]) -> Option<usize> {
        let there: [i64; 4] = std::array::from_fn(|axis| place[axis] + offset[axis]);
        if self.is_wrapped {
            return Some(self.number(std::array::from_fn(|axis| there[axis].rem_euclid(self.size[axis]))));
        }
        let is_cell = there.iter().zip(self.size).all(|(at, size)| (0..size).contains(at));
        is_cell.then(|| self.number(there))
    }

    /// The values after so many milliseconds, by row, column, plane and layer.
    pub fn run(&self, milliseconds: usize) -> impl Iterator<Item = ([i64; 4], i64)> {
        let mut values = self.starts.clone();
        let mut waiting: Vec<Option<i64>> = values.iter().copied().map(Some).collect();
        let mut heard = vec![0; values.len()];
        for _ in 0..=milliseconds {
            let sent = std::mem::replace(&mut waiting, vec![None; values.len()]);
            sent.iter().zip(&mut values).for_each(|(sent, value)| *value = sent.unwrap_or(*value));
            for cell in 0..values.len() {
                let place = self.place(cell);
                let around: Vec<_> = self.neighbours.iter().map(|offset| self.neighbour(place, *offset)).collect();
                if around.iter().flatten().any(|other| sent[*other].is_some()) {
                    heard[cell] += 1;
                    let weighed =
                        (1..).zip(&around).map(|(times, other)| times * other.map_or(3, |other| values[other]));
                    let next = (weighed.sum::<i64>() + place[2] + 2 * place[3] + heard[cell]) % 5;
                    waiting[cell] = (next != values[cell]).then_some(next);
                }
            }
        }
        let places: Vec<_> = (0..values.len()).map(|cell| self.place(cell)).collect();
        places.into_iter().zip(values)
    }
}
