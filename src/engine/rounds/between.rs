//! What the host does between rounds: it runs half a round by itself, with an exchange in the middle, and adds the time that a run was
//! held up.

use std::time::{Duration, Instant};

use super::{Rounds, split_status};
use crate::Control;
use tickless_core::time::Time;
use tickless_device::{Behind, DeviceError};

impl Rounds {
    /// The run does not end after all; it was held up for so long.
    #[doc(hidden)]
    pub fn goes_on(&mut self, held_up: Duration) {
        self.standing.goes_on();
        self.spend(held_up);
    }

    /// Has the rounds to come, and what is run behind them, end before `limit`.
    ///
    /// # Errors
    /// A lost device.
    #[doc(hidden)]
    pub fn set_limit(&mut self, limit: Time) -> Result<(), DeviceError> {
        let control = self.name("control")?;
        self.control.limit = limit.ticks();
        let offset = std::mem::offset_of!(Control, limit) as u64;
        self.session.write(control, offset, &limit.ticks().to_le_bytes())
    }

    /// Runs [`ModelParts::results`] between rounds, of models that have part of a round there, and reads the status behind it.
    ///
    /// # Errors
    /// A lost device.
    #[doc(hidden)]
    pub fn run_between(&mut self) -> Result<(), DeviceError> {
        let started = Instant::now();
        self.session.run_behind(Behind::Results)?;
        let mut status = vec![0; size_of::<Control>() + self.model.len()];
        self.read_into("control", 0, &mut status)?;
        let (control, model) = split_status(&status);
        self.control = control;
        self.model.copy_from_slice(model);
        self.wall += started.elapsed();
        Ok(())
    }
}
