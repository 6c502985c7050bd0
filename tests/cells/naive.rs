//! Parallel DEVS as it is written down: at every instant all cells are looked at, bags are lists of messages.

use tickless::cells::{Cell, CellModel, Inputs, Moment};
use tickless::time::Time;

/// The messages that have come to a cell, and the last of each neighbour.
struct Bag<'a> {
    there: &'a [Option<usize>],
    messages: &'a [(usize, Vec<u32>)],
    known: &'a [Vec<u32>],
    own: &'a [u32],
}

impl Inputs for Bag<'_> {
    fn arrives(&self, n: usize) -> bool {
        self.messages.iter().any(|(port, _)| *port == n)
    }

    fn output(&self, n: usize) -> Option<&[u32]> {
        let message = self.messages.iter().find(|(port, _)| *port == n);
        message.map_or_else(|| self.there[n].map(|cell| &self.known[cell][..]), |(_, words)| Some(words))
    }

    fn own_output(&self) -> &[u32] {
        self.own
    }
}

/// What is left of a cell: state, last output, next event, last transition.
pub type End = (Vec<u32>, Vec<u32>, Time, Time);

/// Runs one replication; also the transitions and those of imminent cells.
pub fn simulate(model: &impl CellModel, replication: u32) -> (Vec<End>, u64, u64) {
    let space = model.space();
    let count = space.cells() as usize;
    let [width, height, depth] = space.size().map(i64::from);
    let wraps = space.border() == tickless::cells::Border::Wrapped;
    let coupled: Vec<Vec<Option<usize>>> = (0..count as i64)
        .map(|id| {
            let own = [id % width, id / width % height, id / width / height];
            let there = |offset: &[i32; 3]| {
                let mut place = 0;
                for axis in [2, 1, 0] {
                    let size = [width, height, depth][axis];
                    let along = own[axis] + i64::from(offset[axis]);
                    if !wraps && (along < 0 || along >= size) {
                        return None;
                    }
                    place = place * size + along.rem_euclid(size);
                }
                Some(place as usize)
            };
            space.offsets().iter().map(there).collect()
        })
        .collect();
    let mut ends: Vec<End> = (0..count)
        .map(|id| {
            let (mut state, mut output) = (vec![0; model.state_words()], vec![0; model.output_words()]);
            let cell = Cell { id: id as u32, replication };
            let next = model.initialize(cell, &mut state, &mut output).expect("a start");
            (state, output, next, Time::ZERO)
        })
        .collect();
    let (mut transitions, mut internal) = (0, 0);
    loop {
        let now = ends.iter().map(|end| end.2).min().expect("cells");
        if now >= model.until() {
            return (ends, transitions, internal);
        }
        let imminent: Vec<bool> = ends.iter().map(|end| end.2 == now).collect();
        let mut sent: Vec<Option<Vec<u32>>> = vec![None; count];
        for id in (0..count).filter(|&id| imminent[id]) {
            let mut output = ends[id].1.clone();
            let cell = Cell { id: id as u32, replication };
            if model.output(cell, now, &ends[id].0, &mut output).expect("an output") {
                sent[id] = Some(output);
            }
        }
        let known: Vec<Vec<u32>> = ends.iter().map(|end| end.1.clone()).collect();
        for id in 0..count {
            let arrives = |(port, from): (usize, &Option<usize>)| Some((port, sent[(*from)?].clone()?));
            let messages: Vec<_> = coupled[id].iter().enumerate().filter_map(arrives).collect();
            if !imminent[id] && messages.is_empty() {
                continue;
            }
            transitions += 1;
            internal += u64::from(imminent[id]);
            let elapsed = if model.elapsed() { now.ticks() - ends[id].3.ticks() } else { 0 };
            let moment = Moment { now, elapsed: Time::from_ticks(elapsed), imminent: imminent[id] };
            let own = sent[id].as_ref().unwrap_or(&known[id]);
            let bag = Bag { there: &coupled[id], messages: &messages, known: &known, own };
            let cell = Cell { id: id as u32, replication };
            let (state, _, next, last) = &mut ends[id];
            *next = model.transition(cell, moment, *next, state, &bag).expect("a transition");
            *last = now;
        }
        for (end, output) in ends.iter_mut().zip(sent) {
            end.1 = output.unwrap_or_else(|| end.1.clone());
        }
    }
}
