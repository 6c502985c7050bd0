//! Simulation on a wgpu device that the program has opened for itself, beside whatever else it does there.
//!
//! Shows `WgpuDevice::from_existing`. `tickless::device::wgpu::api` is the wgpu that its types come from. Asserts
//! that the digest is that of a device that tickless opened.

use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice, api};
use tickless::device::{Device, DeviceError, Target};
use tickless::queueing::{self, Network, Station, Topology, combined_digest};
use tickless::run::unwatched;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let instance = api::Instance::new(api::InstanceDescriptor::new_without_display_handle());
    let preference = api::PowerPreference::HighPerformance;
    let request = api::RequestAdapterOptions { power_preference: preference, ..Default::default() };
    let Ok(adapter) = pollster::block_on(instance.request_adapter(&request)) else {
        return Err(DeviceError::NoAdapters.into());
    };
    // No feature is needed. Native 64-bit integers and subgroups are used where the device was opened with them,
    // subgroups not on NVIDIA's adapters.
    let wanted = api::Features::SHADER_INT64 | api::Features::SUBGROUP;
    let descriptor = api::DeviceDescriptor {
        label: Some("the program's own"),
        required_features: adapter.features() & wanted,
        // The defaults allow 128 MiB a binding; the adapter's own limits allow larger models.
        required_limits: api::Limits::default(),
        ..Default::default()
    };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;

    let own = WgpuDevice::from_existing(&adapter, device.clone(), queue.clone(), OpenOptions::default())?;
    let each = Station::new("s", "exponential:10".parse()?).tokens(1);
    let torus = Network::generate(&Topology::Torus { width: 64, height: 64 }, &each, 0.0)?;
    let model = torus.window(1.0).until(200.0).check()?;
    let run = queueing::run(&model, 0..1, Target::Device(&own), Default::default(), &mut unwatched())?;
    println!("{}: {} completions, {}", own.adapter().name, run.events, combined_digest(&run.outcome));

    let opened = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
    let same = queueing::run(&model, 0..1, Target::Device(&opened), Default::default(), &mut unwatched())?;
    assert_eq!(combined_digest(&run.outcome), combined_digest(&same.outcome));

    // The program's handles work on.
    let index = queue.submit([device.create_command_encoder(&api::CommandEncoderDescriptor::default()).finish()]);
    device.poll(api::PollType::Wait { submission_index: Some(index), timeout: None })?;
    Ok(())
}
