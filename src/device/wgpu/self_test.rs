//! The start-up test of software adapters: some Mesa versions end every loop after 65,535 iterations in all.

use super::WgpuDevice;
use super::session::WgpuSession;
use crate::{
    AdapterDescription, AdapterKind, BufferId, BufferSpec, BufferUse, DeviceError, Dispatch, Kernel, Program, Session,
    SetUp, Step,
};
use tickless_core::run::unwatched;
use tickless_kernels::Mounts;

/// More than 2¹⁶ iterations, in nested loops as kernels have them.
const ITERATIONS: u32 = 70_000;

impl WgpuDevice {
    pub(super) fn self_test(&self) -> Result<(), DeviceError> {
        if self.description.kind != AdapterKind::Software {
            return Ok(());
        }
        judge(self.iterate(ITERATIONS)?, &self.description)
    }

    /// How many of `asked` iterations a loop on the device makes.
    fn iterate(&self, asked: u32) -> Result<u32, DeviceError> {
        let mut program = Program { label: "self-test".into(), ..Default::default() };
        let words = BufferSpec::filled("words", BufferUse::Storage, bytemuck::bytes_of(&[asked, 0]).to_vec());
        let words = program.buffer(words);
        let kernel = program.kernel(Kernel::link("engine/self_test", "engine/self_test", &Mounts::default())?);
        program.first.push(Step { kernel, dispatch: Dispatch::Workgroups(1) });
        let mut session = WgpuSession::new(self, program, &mut SetUp::new(&mut unwatched()))?;
        let read: [u32; 2] = bytemuck::pod_read_unaligned(&session.read(BufferId(words.0))?);
        Ok(read[1])
    }
}

fn judge(ran: u32, adapter: &AdapterDescription) -> Result<(), DeviceError> {
    if ran == ITERATIONS {
        return Ok(());
    }
    let (adapter, driver) = (adapter.name.clone(), adapter.driver.clone());
    Err(DeviceError::SelfTest { adapter, driver, asked: ITERATIONS, ran })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Capabilities;

    #[test]
    fn a_loop_that_was_cut_off_is_refused() {
        let capabilities = Capabilities {
            int64: true,
            subgroup_size: 8,
            timestamps: true,
            binding_size: 1 << 27,
            buffer_size: 1 << 31,
            workgroup_threads: 1024,
            workgroup_memory: 32_768,
            workgroups: 65_535,
            storage_buffers: 8,
        };
        let (name, backend, driver) = ("llvmpipe".into(), "vulkan".into(), "Mesa 22.3.6".into());
        let adapter = AdapterDescription {
            name,
            backend,
            kind: AdapterKind::Software,
            driver,
            capabilities,
            ..AdapterDescription::imagined(true, 0)
        };
        assert_eq!(judge(ITERATIONS, &adapter), Ok(()));
        for ran in [0, 65_535, ITERATIONS - 1, ITERATIONS + 1] {
            let message = judge(ran, &adapter).unwrap_err().to_string();
            for part in ["llvmpipe (Mesa 22.3.6)", "70000", &ran.to_string(), "--backend heap"] {
                assert!(message.contains(part), "'{part}' is not in: {message}");
            }
        }
    }
}
