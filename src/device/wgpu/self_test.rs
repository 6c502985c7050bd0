//! The start-up test of software adapters: some Mesa versions end every loop after 65,535 iterations in all.

use super::WgpuDevice;
use super::session::WgpuSession;
use crate::device::{
    AdapterKind, BufferId, BufferSpec, BufferUse, DeviceError, Dispatch, Program, Session, Step, compose,
};

/// More than 2¹⁶ iterations, in nested loops as kernels have them.
const ITERATIONS: u32 = 70_000;

impl WgpuDevice {
    pub(super) fn self_test(&self) -> Result<(), DeviceError> {
        if self.description.kind != AdapterKind::Software {
            return Ok(());
        }
        judge(self.iterate(ITERATIONS)?, self)
    }

    /// How many of `asked` iterations a loop on the device makes.
    fn iterate(&self, asked: u32) -> Result<u32, DeviceError> {
        let mut program = Program { label: "self-test".into(), ..Default::default() };
        let words = BufferSpec::filled("words", BufferUse::Storage, bytemuck::bytes_of(&[asked, 0]).to_vec());
        let words = program.buffer(words);
        let source = include_str!("../../../shaders/engine/self_test.wgsl");
        let kernel = program.kernel(compose("engine/self_test", &[source])?);
        program.first.push(Step { kernel, dispatch: Dispatch::Workgroups(1) });
        let mut session = WgpuSession::new(self, program)?;
        let read: [u32; 2] = bytemuck::pod_read_unaligned(&session.read(BufferId(words.0))?);
        Ok(read[1])
    }
}

fn judge(ran: u32, device: &WgpuDevice) -> Result<(), DeviceError> {
    if ran == ITERATIONS {
        return Ok(());
    }
    let (adapter, driver) = (device.description.name.clone(), device.description.driver.clone());
    Err(DeviceError::SelfTest { adapter, driver, asked: ITERATIONS, ran })
}
