//! A device that goes away under a run.

use std::ops::ControlFlow;

use tickless::device::wgpu::{OpenOptions, WgpuDevice, api};
use tickless::device::{DeviceError, Target};
use tickless::engine::{BatchSize, Options};
use tickless::processes::gpu::ProcessOptions;
use tickless::processes::{self, Phold, ProcessError};
use tickless::run::{Pause, Progress, Restartable, Watch, unwatched};

/// Of its own, so that nothing else is lost with it. Without an adapter a test fails in CI and is skipped elsewhere.
fn own_device() -> Option<(api::Device, WgpuDevice)> {
    let instance = api::Instance::new(api::InstanceDescriptor::new_without_display_handle());
    let adapter = match pollster::block_on(instance.request_adapter(&api::RequestAdapterOptions::default())) {
        Ok(adapter) => adapter,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            eprintln!("SKIPPED: {error}");
            return None;
        }
    };
    let descriptor = api::DeviceDescriptor { required_limits: api::Limits::default(), ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).expect("a device");
    let own =
        WgpuDevice::from_existing(&adapter, device.clone(), queue, OpenOptions::default()).expect("limits that do");
    Some((device, own))
}

/// Destroys the device at the n-th look.
struct Destroying<'a> {
    device: &'a api::Device,
    looks: u32,
}

impl Watch for Destroying<'_> {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        self.looks -= 1;
        if self.looks == 0 {
            self.device.destroy();
        }
        assert!(self.looks < 1000, "the run goes on without its device");
        ControlFlow::Continue(())
    }
}

/// Pauses a run, from whose end another goes on.
struct Pausing;

impl Watch for Pausing {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn pause(&mut self, _: Pause) -> bool {
        true
    }
}

/// The run ends with an error that says so, and goes on elsewhere from what it was before.
#[test]
fn a_device_that_is_destroyed_under_a_run_is_an_error() {
    let model = Phold::new(2000).population(4).until(40.0).check().expect("a model");
    let options = || ProcessOptions {
        rounds: Options { batch: BatchSize::Rounds(3), ..Options::default() },
        ..ProcessOptions::default()
    };
    let Some((device, own)) = own_device() else { return };
    let before =
        processes::run(Restartable { model: &model, from: None }, Target::Device(&own), options(), &mut Pausing)
            .expect("a part");
    assert!(before.interrupted && before.events > 0);
    for looks in [1, 2, 5] {
        let Some((device, own)) = own_device() else { return };
        let mut destroying = Destroying { device: &device, looks };
        let from = Some(&before.outcome);
        let error =
            processes::run(Restartable { model: &model, from }, Target::Device(&own), options(), &mut destroying).err();
        let lost = matches!(error, Some(ProcessError::Device(DeviceError::Lost { .. })));
        assert!(lost, "after {looks} looks: {error:?}");
    }
    drop((device, own));
    let rest = processes::run(
        Restartable { model: &model, from: Some(&before.outcome) },
        Target::Heap,
        options(),
        &mut unwatched(),
    );
    let whole = processes::run(&model, Target::Heap, options(), &mut unwatched()).expect("a run");
    assert_eq!(rest.expect("a run").outcome.outcome.digest(), whole.outcome.digest());
}
