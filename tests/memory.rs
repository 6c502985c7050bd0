//! What a run takes on the device, and what is refused before anything is allocated.

mod torus;

use tickless::device::{AdapterDescription, Capabilities, DeviceError, Program};
use tickless::engine::{Options, round_program};
use tickless::pathfinding::gpu::SearchOptions;
use tickless::pathfinding::{self, Map, Query, Searches};
use tickless::queueing::gpu::{self, Synchronization};
use tickless::queueing::{Network, NetworkOptions};
use torus::plain;

/// A discrete GPU with 2 GiB a binding; no machine is needed to plan for it.
fn adapter() -> AdapterDescription {
    let capabilities = Capabilities {
        int64: true,
        subgroup_size: 32,
        timestamps: true,
        binding_size: (2 << 30) - 1,
        buffer_size: 4 << 30,
        workgroup_threads: 1024,
        workgroup_memory: 32_768,
        workgroups: 65_535,
        storage_buffers: 8,
    };
    let (name, backend, driver) = ("planned".into(), "vulkan".into(), "none".into());
    AdapterDescription { name, backend, driver, capabilities, ..AdapterDescription::imagined(true, 32) }
}

fn program(torus: Network, options: &Options) -> Program {
    let model = torus.check().expect("a model");
    let options = NetworkOptions { rounds: *options, ..NetworkOptions::default() };
    let parts = gpu::parts(&[(&model, 0..1)], Synchronization::Window, &adapter(), &options).expect("sizes that suit");
    round_program(parts, &adapter()).expect("a program")
}

#[test]
fn a_facility_with_its_token_takes_at_most_128_bytes() {
    for side in [64_u32, 256, 1024, 2048, 4096] {
        let program = program(plain(side, side), &Options::default());
        // Tables and block summaries are shared by all facilities: 16 KiB and 32 bytes for 1,024 facilities or more.
        let shared = 16 << 10;
        let facilities = u64::from(side * side);
        let each = (program.bytes() - shared.min(program.bytes())) as f64 / facilities as f64;
        assert!(each <= 88.1, "side {side}: {each} bytes a facility");
        assert!(program.check(&adapter()).is_ok(), "side {side}");
    }
}

/// The paper's GPU held 128 of them in 6 GB.
#[test]
fn a_thousand_searches_of_1024_cells_a_side_take_less_than_6_gb() {
    let mut adapter = adapter();
    // As CUDA has it: 2 GiB a binding are costs of 511 searches.
    adapter.capabilities.binding_size = u64::MAX;
    adapter.capabilities.buffer_size = u64::MAX;
    let model = Searches::new(Map::free(1024, 1024).expect("a map")).expand(8).queries(vec![Query::default(); 5000]);
    let options = SearchOptions { at_once: Some(1000), ..SearchOptions::default() };
    let parts = pathfinding::gpu::parts(&model.check().expect("searches"), &options, &adapter).expect("parts");
    let bytes = round_program(parts, &adapter).expect("a program").bytes();
    assert!((4_096_000_000..4_400_000_000).contains(&bytes), "{bytes}");
}

/// A map that a binding has no room for is refused with the side of one that it has room for.
#[test]
fn the_side_of_a_map_that_fits_is_named() {
    let mut adapter = adapter();
    adapter.capabilities.binding_size = 1 << 20;
    let refusal = |side: u32| {
        let model = Searches::new(Map::free(side, side).expect("a map")).queries(vec![Query::default()]);
        pathfinding::gpu::parts(&model.check().expect("searches"), &SearchOptions::default(), &adapter).err()
    };
    let said = refusal(600).expect("a refusal").to_string();
    assert!(said.contains("600 x 600 cells") && said.contains("some 512 x 512 cells"), "{said}");
    assert!(refusal(512).is_none());
}

#[test]
fn a_buffer_over_the_limit_is_refused_with_both_sizes() {
    let program = program(plain(10_000, 10_000), &Options::default());
    match program.check(&adapter()) {
        Err(DeviceError::Limit { asked, available, what, .. }) => {
            assert_eq!((asked.as_str(), available.as_str()), ("3.0 GiB", "2.0 GiB"), "{what}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn options_that_no_kernel_can_have_are_refused() {
    let refused = |how, options: Options, asked: u32| {
        let model = plain(8, 8).check().expect("a model");
        let options = NetworkOptions { rounds: options, ..NetworkOptions::default() };
        let message = gpu::parts(&[(&model, 0..1)], how, &adapter(), &options).expect_err("a refusal").to_string();
        assert!(message.contains(&format!("{asked} asked")), "{message}");
    };
    let windows = |options, asked| refused(Synchronization::Window, options, asked);
    let tiles = |options, asked| refused(Synchronization::AppointmentsInTiles, options, asked);
    for workgroup in [1, 16, 48, 2048] {
        windows(Options { workgroup, ..Options::default() }, workgroup);
        tiles(Options { workgroup, ..Options::default() }, workgroup);
    }
    // Workgroup memory holds no larger tile.
    tiles(Options { workgroup: 512, ..Options::default() }, 512);
    for elements in [0, 3, 260] {
        windows(Options { elements: Some(elements), ..Options::default() }, elements);
    }
    tiles(Options { elements: Some(0), ..Options::default() }, 0);
}

/// A program is data: it can be read without a device.
#[test]
fn a_program_can_be_printed() {
    let text = program(plain(64, 64), &Options::default()).to_string();
    for expected in ["program torus", "buffer stations: 128.0 KiB", "queueing/departure x 4:", "queueing/arrival x 4:"]
    {
        assert!(text.contains(expected), "'{expected}' is not in\n{text}");
    }
}
