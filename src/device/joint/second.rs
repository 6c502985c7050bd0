//! A device on which every run is a member of a joint program: so tests compare every kernel's joint form with the others. The run
//! is the second member, since the records of the first lie where those of a single run would.

use super::program::{Joined, join};
use crate::{AdapterDescription, Batch, Behind, BufferId, Device, DeviceError, Program, Session, SetUp};
use tickless_core::run::KernelTime;

/// A device that loads each program twice, as one: the second member is the run, and the first member does nothing. A program
/// without a joint form, or too large for one, runs alone.
pub struct Second<D>(pub D);

impl<D: Device> Device for Second<D> {
    fn adapter(&self) -> &AdapterDescription {
        self.0.adapter()
    }

    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        let (sizes, status) = (program.buffers.iter().map(|buffer| buffer.size).collect(), program.status);
        let Some(Joined { program, gates }) = join(&[&program, &program], self.adapter()) else {
            return self.0.load(program, set_up);
        };
        let mut session = self.0.load(program, set_up)?;
        session.write(gates.buffer, gates.offset, bytemuck::bytes_of(&0_u32))?;
        Ok(Box::new(SecondSession { session, sizes, status }))
    }
}

struct SecondSession {
    session: Box<dyn Session>,
    /// The size of each buffer of a member, in bytes.
    sizes: Vec<u64>,
    status: Option<BufferId>,
}

impl Session for SecondSession {
    fn warm_up(&mut self, set_up: &mut SetUp<'_>) -> Result<(), DeviceError> {
        self.session.warm_up(set_up)
    }

    fn submit(&mut self, rounds: u32) -> Result<(), DeviceError> {
        self.session.submit(rounds)
    }

    fn wait(&mut self) -> Result<Batch, DeviceError> {
        let Batch { mut status, device } = self.session.wait()?;
        let status = status.split_off(self.status.map_or(0, |id| self.sizes[id.0] as usize));
        Ok(Batch { status, device })
    }

    fn run_behind(&mut self, which: Behind) -> Result<(), DeviceError> {
        self.session.run_behind(which)
    }

    fn write(&mut self, buffer: BufferId, offset: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.session.write(buffer, self.size(buffer) + offset, bytes)
    }

    fn clear(&mut self, buffer: BufferId) -> Result<(), DeviceError> {
        self.write(buffer, 0, &vec![0; self.size(buffer) as usize])
    }

    fn size(&self, buffer: BufferId) -> u64 {
        self.sizes[buffer.0]
    }

    fn read_into(&mut self, buffer: BufferId, offset: u64, to: &mut [u8]) -> Result<(), DeviceError> {
        self.session.read_into(buffer, self.size(buffer) + offset, to)
    }

    fn timings(&self) -> Vec<KernelTime> {
        self.session.timings()
    }
}
