//! The model: docs/cells.md shows it.

use tickless::cells::gpu::{CellKernels, DeviceCells};
use tickless::cells::{Cell, CellError, CellModel, Inputs, Moment, Space};
use tickless::device::{BufferSpec, BufferUse};
use tickless::kernels::Source;
use tickless::time::Time;

/// Cells that fire a while after a neighbour has, and are deaf for a while after that.
pub struct Wave {
    pub space: Space,
    pub until: Time,
    pub delay: Time,
    pub rest: Time,
}

/// The word of a state.
pub const READY: u32 = 0;
pub const FIRING: u32 = 1;
pub const RESTING: u32 = 2;

impl CellModel for Wave {
    fn space(&self) -> &Space {
        &self.space
    }

    fn until(&self) -> Time {
        self.until
    }

    fn lookahead(&self) -> Time {
        self.delay
    }

    fn state_words(&self) -> usize {
        1
    }

    fn output_words(&self) -> usize {
        0
    }

    fn initialize(&self, cell: Cell, state: &mut [u32], _: &mut [u32]) -> Result<Time, CellError> {
        let first = cell.id == 0;
        state[0] = if first { FIRING } else { READY };
        Ok(if first { Time::ZERO } else { Time::NEVER })
    }

    fn output(&self, _: Cell, _: Time, state: &[u32], _: &mut [u32]) -> Result<bool, CellError> {
        Ok(state[0] == FIRING)
    }

    fn transition(
        &self,
        _: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        let after = |time: Time| Time::from_ticks(moment.now.ticks() + time.ticks());
        if moment.imminent {
            if state[0] == FIRING {
                state[0] = RESTING;
                return Ok(after(self.rest));
            }
            state[0] = READY;
        }
        let heard = (0..self.space.offsets().len()).any(|n| inputs.arrives(n));
        if state[0] == READY && heard {
            state[0] = FIRING;
            return Ok(after(self.delay));
        }
        Ok(if moment.imminent { Time::NEVER } else { next })
    }
}

impl DeviceCells for Wave {
    fn kernels(&self) -> Option<CellKernels> {
        let words = [self.delay, self.rest].map(|time| time.ticks().to_le_bytes()).concat();
        let buffer = BufferSpec::filled("wave", BufferUse::Uniform, words);
        let source = Source::own("wave.wgsl", include_str!("wave.wgsl"));
        Some(CellKernels { buffers: vec![buffer], ..CellKernels::of("wave", source) })
    }
}
