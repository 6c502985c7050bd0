//! Parallel DEVS as defined, one instant after the other: the simulator of the model in these tests.

use crate::FireModel;
use crate::model::ignited;
use tickless_cells::{Cell, CellModel, Inputs, Moment, Space};
use tickless_core::time::Time;

/// The inputs of a cell from the cells that send now.
struct Heard<'a> {
    space: &'a Space,
    cell: u32,
    sends: &'a [bool],
}

impl Inputs for Heard<'_> {
    fn own_output(&self) -> &[u32] {
        &[]
    }

    fn arrives(&self, n: usize) -> bool {
        self.space.neighbour(self.cell, n).is_some_and(|there| self.sends[there as usize])
    }

    /// Outputs have no words.
    fn output(&self, n: usize) -> Option<&[u32]> {
        self.space.neighbour(self.cell, n).map(|_| &[][..])
    }
}

/// A run to its end.
pub struct Run {
    pub states: Vec<[u32; 2]>,
    /// The least time from an input to the event that it plans.
    pub shortest_answer: Time,
}

pub fn run(model: &FireModel, replication: u32) -> Run {
    let (space, cells) = (model.space(), model.space().cells());
    let name = |id| Cell { id, replication };
    let mut states = vec![[0; 2]; cells as usize];
    let mut next: Vec<Time> =
        states.iter_mut().zip(0..).map(|(state, id)| model.initialize(name(id), state, &mut []).unwrap()).collect();
    let mut shortest_answer = Time::NEVER;
    loop {
        let now = next.iter().copied().min().unwrap();
        if now >= model.until() {
            return Run { states, shortest_answer };
        }
        let imminent: Vec<bool> = next.iter().map(|time| *time == now).collect();
        let sends: Vec<bool> = (0..cells)
            .map(|id| imminent[id as usize] && model.output(name(id), now, &states[id as usize], &mut []).unwrap())
            .collect();
        for cell in 0..cells {
            let (inputs, place) = (Heard { space, cell, sends: &sends }, cell as usize);
            if imminent[place] || (0..8).any(|n| inputs.arrives(n)) {
                let moment = Moment { now, elapsed: Time::ZERO, imminent: imminent[place] };
                let planned = model.transition(name(cell), moment, next[place], &mut states[place], &inputs).unwrap();
                if planned != next[place] && planned != Time::NEVER {
                    shortest_answer = shortest_answer.min(Time::from_ticks(planned.ticks() - now.ticks()));
                }
                next[place] = planned;
            }
        }
    }
}

pub fn arrivals(model: &FireModel, replication: u32) -> Vec<Time> {
    run(model, replication).states.into_iter().map(ignited).collect()
}
