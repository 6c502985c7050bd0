//! What a device refuses.

use super::parts::parts;
use super::*;
use crate::QueueingError;
use crate::gpu::records::Station;
use crate::gpu::state::fault;
use crate::{Network, Station as Described, Topology};
use tickless_core::run::unwatched;
use tickless_core::time::Time;
use tickless_device::DeviceError;
use tickless_device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless_engine::Options;
use tickless_engine::Rounds;

#[test]
fn a_pool_that_passes_a_limit_says_when_and_what_to_do() {
    let text = |what: &str| what.to_owned();
    let (what, asked, available) = (text("buffer 'tokens'"), text("256.0 MiB"), text("128.0 MiB"));
    let limit = DeviceError::Limit { what, asked, available, adapter: text("a device"), remedy: String::new() };
    let said = super::simulation::outgrown(limit.into(), Time::UNIT).to_string();
    let begin =
        "buffer 'tokens': 256.0 MiB asked, 128.0 MiB available on a device: at time 1.000 the network has more tokens";
    assert!(said.starts_with(begin) && said.ends_with("offered more than it serves"), "{said}");
    // Errors other than limits stay unchanged.
    let other = super::simulation::outgrown(QueueingError::NoLookahead, Time::UNIT);
    assert!(matches!(other, QueueingError::NoLookahead));
}

/// The one that would overflow at its second visit is never reached.
#[test]
fn a_count_that_overflows_is_named() {
    let each = Described::new("s", "exponential:10".parse().expect("a law")).tokens(2);
    let network = Network::generate(&Topology::Torus { width: 9, height: 9 }, &each, 0.0).expect("a size");
    let model = network.window(1.0).until(200.0).check().expect("a model");
    let model = model.in_lists().expect("a small torus");
    let device = match WgpuDevice::open(&Selection::Auto, OpenOptions::default()) {
        Ok(device) => device,
        Err(DeviceError::NoAdapters) if std::env::var_os("CI").is_none() => {
            eprintln!("SKIPPED: no adapter on this machine");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    for synchronization in [Synchronization::Window, Synchronization::Appointments] {
        let options = Options::default();
        let parts = parts(&model, 0..1, synchronization, device.adapter(), &options).expect("a small network");
        let mut rounds = Rounds::start(&device, parts, &options, &mut unwatched()).expect("a loaded model");
        let mut stations: Vec<Station> = rounds.read("stations").expect("records");
        for (id, station) in stations.iter_mut().enumerate() {
            station.visits = if id == 50 { u32::MAX } else { u32::MAX / 2 };
        }
        rounds.write("stations", 0, &stations).expect("records");
        rounds.run_until(model.until(), model.until(), &mut unwatched()).expect("a run");
        let control = rounds.control();
        assert!(control.running == 0 && control.bound < model.until().ticks());
        let error = fault(control, model.stations()).expect_err("a fault");
        assert!(matches!(error, QueueingError::Overflow { sum: "number of completions", facility: 50 }), "{error}");
    }
}
