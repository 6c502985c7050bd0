//! Some replications of a model: what simulators and devices run.

use std::ops::Range;

use crate::gpu::{CellKernels, DeviceCells, FirstPassage};
use crate::{Cell, CellError, CellModel, CellOutcome, Fronts, Inputs, Moment, Space};
use tickless_core::time::Time;

/// Some replications of a model, which may begin at a checkpoint.
pub(crate) struct Replications<'a, M> {
    model: &'a M,
    pub(crate) numbers: Range<u32>,
    from: Option<&'a CellOutcome>,
}

impl<'a, M> Replications<'a, M> {
    /// Replications from time 0 on.
    ///
    /// # Errors
    /// [`CellError::NoReplications`] of an empty range.
    pub(crate) fn new(model: &'a M, numbers: Range<u32>) -> Result<Self, CellError> {
        if numbers.is_empty() { Err(CellError::NoReplications) } else { Ok(Self { model, numbers, from: None }) }
    }

    /// Some of these replications, by their places among them, from where a checkpoint has left them.
    pub(crate) fn part(&self, places: Range<u32>, from: Option<&'a CellOutcome>) -> Self {
        let first = self.numbers.start;
        Self { model: self.model, numbers: first + places.start..first + places.end, from }
    }

    /// The number of the first replication.
    pub(crate) fn first(&self) -> u32 {
        self.numbers.start
    }

    /// How many replications there are.
    pub(crate) fn count(&self) -> u32 {
        self.numbers.len() as u32
    }

    /// Where a cell lies in the arrays of the checkpoint.
    fn place(&self, cell: Cell) -> Option<(&CellOutcome, usize)> {
        let from = self.from?;
        Some((from, (cell.replication - from.first_replication) as usize * from.cells() + cell.id as usize))
    }
}

impl<M: CellModel> CellModel for Replications<'_, M> {
    fn space(&self) -> &Space {
        self.model.space()
    }

    fn illegitimate(&self, now: Time, cycles: u64) -> CellError {
        self.model.illegitimate(now, cycles)
    }

    fn until(&self) -> Time {
        self.model.until()
    }

    fn lookahead(&self) -> Time {
        self.model.lookahead()
    }

    fn lookahead_of(&self, cell: u32) -> Time {
        self.model.lookahead_of(cell)
    }

    /// A fire that has not ended begins again.
    fn fronts(&self) -> Option<&dyn Fronts> {
        self.model.fronts()
    }

    fn seed(&self) -> u64 {
        self.model.seed()
    }

    fn state_words(&self) -> usize {
        self.model.state_words()
    }

    fn output_words(&self) -> usize {
        self.model.output_words()
    }

    fn elapsed(&self) -> bool {
        self.model.elapsed()
    }

    fn initialize(&self, cell: Cell, state: &mut [u32], output: &mut [u32]) -> Result<Time, CellError> {
        let Some((from, place)) = self.place(cell) else { return self.model.initialize(cell, state, output) };
        state.copy_from_slice(&from.state[place * state.len()..][..state.len()]);
        output.copy_from_slice(&from.output[place * output.len()..][..output.len()]);
        Ok(from.next[place])
    }

    fn last_transition(&self, cell: Cell) -> Time {
        self.place(cell).map_or(Time::ZERO, |(from, place)| from.last[place])
    }

    fn output(&self, cell: Cell, now: Time, state: &[u32], output: &mut [u32]) -> Result<bool, CellError> {
        self.model.output(cell, now, state, output)
    }

    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        self.model.transition(cell, moment, next, state, inputs)
    }
}

impl<M: DeviceCells> DeviceCells for Replications<'_, M> {
    fn kernels(&self) -> Option<CellKernels> {
        self.model.kernels()
    }

    fn starting_otherwise(&self, replication: u32) -> Option<Vec<u32>> {
        if self.from.is_some() { None } else { self.model.starting_otherwise(replication) }
    }

    fn first_passage(&self) -> Option<FirstPassage> {
        // Known times come in order.
        if self.from.is_some() && self.fronts().is_none() { None } else { self.model.first_passage() }
    }

    fn fault(&self, bits: u32) -> String {
        self.model.fault(bits)
    }

    fn failure(&self, cell: u32, now: Time, bits: u32) -> CellError {
        self.model.failure(cell, now, bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Border;
    use tickless_core::random::StreamKey;

    const SEED: u64 = 0x1234_5678_9abc_def0;

    /// Cells that begin with a draw under the seed that their model says.
    struct Drawing(Space);

    impl CellModel for Drawing {
        fn space(&self) -> &Space {
            &self.0
        }

        fn until(&self) -> Time {
            Time::UNIT
        }

        fn lookahead(&self) -> Time {
            Time::UNIT
        }

        fn seed(&self) -> u64 {
            SEED
        }

        fn state_words(&self) -> usize {
            1
        }

        fn output_words(&self) -> usize {
            0
        }

        fn initialize(&self, cell: Cell, state: &mut [u32], _: &mut [u32]) -> Result<Time, CellError> {
            state[0] = cell.stream(self.seed()).draw();
            Ok(Time::NEVER)
        }

        fn output(&self, _: Cell, _: Time, _: &[u32], _: &mut [u32]) -> Result<bool, CellError> {
            Ok(false)
        }

        fn transition(
            &self,
            _: Cell,
            _: Moment,
            next: Time,
            _: &mut [u32],
            _: &impl Inputs,
        ) -> Result<Time, CellError> {
            Ok(next)
        }
    }

    /// Devices know the seed of a model from its replications, and each of these has streams of its own.
    #[test]
    fn replications_have_the_seed_of_their_model() {
        let model = Drawing(Space::new([1, 1, 1], Border::Open, Space::moore()).unwrap());
        let all = Replications::new(&model, 3..6).unwrap();
        assert_eq!([all.seed(), all.part(1..2, None).seed()], [SEED; 2]);
        for replication in all.numbers.clone() {
            let mut state = [0];
            all.initialize(Cell { id: 0, replication }, &mut state, &mut []).unwrap();
            assert_eq!(state[0], StreamKey::new(SEED, replication.into()).stream(0).draw());
        }
    }
}
