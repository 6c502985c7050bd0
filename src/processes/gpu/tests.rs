//! The records against the shaders, by reflection, and their room.

use std::mem::offset_of;

use super::layout::Layout;
use super::records::Process;
use super::*;
use tickless_device::{AdapterDescription, AdapterKind, DeviceError};
use tickless_engine::pending::PendingSet;

#[test]
fn a_process_has_three_words_of_16_bytes() {
    // In the order of the banner of processes/records.
    assert_eq!((offset_of!(Process, state), offset_of!(Process, executed), size_of::<Process>()), (16, 32, 48));
    assert_eq!((offset_of!(Process, count), offset_of!(Process, now), offset_of!(Process, word)), (4, 24, 44));
}

fn adapter(binding_size: u64) -> AdapterDescription {
    let mut adapter = AdapterDescription::imagined(true, 0);
    (adapter.capabilities.binding_size, adapter.capabilities.buffer_size) = (binding_size, binding_size);
    adapter
}

fn phold(processes: u32, population: u32) -> DeviceModel {
    (&crate::Phold::new(processes).population(population).check().expect("a model")).into()
}

fn slots(model: &DeviceModel, options: &ProcessOptions, binding_size: u64) -> Result<u32, ProcessError> {
    Layout::new(model, options, &adapter(binding_size)).map(|layout| layout.slots)
}

#[test]
fn sets_get_the_room_that_is_allowed_and_fits() {
    let (model, options) = (phold(100, 100), ProcessOptions::default());
    let wide = 1 << 30;
    // A heap has three slots more than events.
    assert_eq!(slots(&model, &options, wide).unwrap(), 196);
    assert_eq!(slots(&model, &ProcessOptions { room: Some(7), ..options }, wide).unwrap(), 104);
    assert_eq!(slots(&model, &ProcessOptions { most_pending: Some(120), ..options }, wide).unwrap(), 123);
    // The number that fits: 16 bytes a slot, in a tree 32.
    assert_eq!(slots(&model, &options, 16 * 100 * 130).unwrap(), 130);
    assert_eq!(slots(&model, &ProcessOptions { pending: PendingSet::Splay, ..options }, 32 * 100 * 130).unwrap(), 130);
    let refused = |result: Result<u32, ProcessError>| result.unwrap_err().to_string();
    let few = refused(slots(&model, &ProcessOptions { most_pending: Some(99), ..options }, wide));
    assert!(few.contains("100") && few.contains("99") && few.contains("--max-pending"), "{few}");
    let small = refused(slots(&model, &options, 16 * 100 * 90));
    assert!(small.contains("100 asked, 87 available"), "{small}");
    // A mean of 100 is seldom more than 170, and one of 40 seldom more than 87.
    for part in ["pending events of each of 100 processes", "up to 52 processes with up to 170 events each"] {
        assert!(small.contains(part), "{part}: {small}");
    }
    assert!(small.contains("or up to 40 events each in the mean") && small.ends_with("or --backend heap"), "{small}");
}

#[test]
fn what_does_not_fit_is_refused_with_what_does() {
    let refused = |model: &DeviceModel, pending: PendingSet, binding_size: u64| {
        let options = ProcessOptions { pending, ..ProcessOptions::default() };
        let error = parts(model, &options, &adapter(binding_size)).expect_err("an error").to_string();
        assert!(error.ends_with("or --backend heap"), "{error}");
        error
    };
    let mib = 128 << 20;
    let records = refused(&phold(4 << 20, 1), PendingSet::Heap, mib);
    assert_eq!(
        records,
        "the records of 4194304 processes: 192.0 MiB asked, 128.0 MiB available on imagined: it takes up to 2796202 \
         processes; use fewer, or --backend heap"
    );
    assert_eq!(records, refused(&phold(4 << 20, 1), PendingSet::GlobalHeap, mib));
    let tree = refused(&phold(32_768, 130), PendingSet::Splay, mib);
    assert!(tree.contains("--pending heap, which takes less room,"), "{tree}");
    let heap = refused(&phold(16, 1 << 20), PendingSet::GlobalHeap, mib);
    assert!(
        heap.contains("places of a heap for 16777216 pending events") && heap.contains("use fewer (up to "),
        "{heap}"
    );
    // Under way it says when.
    let model = phold(1000, 10);
    let options = ProcessOptions { pending: PendingSet::Heap, room: Some(10), ..ProcessOptions::default() };
    let layout = Layout::new(&model, &options, &adapter(16 * 1000 * 30)).unwrap();
    let late = layout.grown(&model, 31, 1.5, &adapter(16 * 1000 * 30)).unwrap_err().to_string();
    assert!(late.starts_with("at time 1.500 pending events of each of 1000 processes: 28 asked, 27"), "{late}");
    assert!(late.contains("--pending global-heap, which has room for all of them"), "{late}");
}

#[test]
fn sets_grow_by_more_than_they_need_and_not_beyond_what_is_allowed() {
    let model = phold(100, 10);
    let (pending, room) = (PendingSet::Heap, Some(10));
    let options = ProcessOptions { pending, room, most_pending: Some(40), ..ProcessOptions::default() };
    let adapter = adapter(16 * 100 * 30);
    let layout = Layout::new(&model, &options, &adapter).unwrap();
    assert_eq!(layout.slots, 16);
    let grown = |needed| layout.grown(&model, needed, 1.5, &adapter);
    assert_eq!(grown(17).unwrap().slots, 24);
    assert_eq!(grown(24).unwrap().slots, 30);
    assert!(matches!(grown(31), Err(ProcessError::Device(DeviceError::Limit { .. }))));
    let error = grown(44).unwrap_err();
    assert!(matches!(error, ProcessError::Pending { needed: 41, most: 40, .. }), "{error}");
}

/// Few processes with few events have one workgroup, if the user has not set sizes.
#[test]
fn few_processes_have_one_workgroup() {
    let alone = |model: &DeviceModel, options: ProcessOptions| {
        let parts = parts(model, &options, &adapter(1 << 30)).unwrap();
        assert_eq!(parts.rounds_each == 0, parts.round[0].kernel.label == "processes/alone");
        parts.rounds_each == 0
    };
    let of = |processes, burst| DeviceModel { processes, burst, ..phold(4, 2) };
    let auto = ProcessOptions::default();
    assert!(alone(&of(1024, 0.19), auto) && !alone(&of(1024, 0.2), auto) && !alone(&of(1025, 0.1), auto));
    assert!(alone(&of(4, 40.0), auto), "few processes, each with many events");
    assert!(alone(&of(9, 1.0), ProcessOptions { pending: PendingSet::Splay, ..auto }));
    for pending in [PendingSet::CircularParallel, PendingSet::Unsorted] {
        assert!(!alone(&of(9, 1.0), ProcessOptions { pending, ..auto }));
    }
    let rounds = tickless_engine::Options { workgroup: 64, ..Default::default() };
    assert!(!alone(&of(9, 1.0), ProcessOptions { rounds, ..auto }));
}

/// A workgroup compares at most as many imminent events as a driver waits for.
#[test]
fn too_many_imminent_events_are_refused() {
    let options = ProcessOptions { pending: PendingSet::Unsorted, ..ProcessOptions::default() };
    let model = DeviceModel { burst: 20_000.0, ..phold(4, 30_000) };
    let error = Layout::new(&model, &options, &adapter(1 << 32)).unwrap_err().to_string();
    assert!(error.contains("20000") && error.contains("16384") && error.contains("--pending heap-of-fours"), "{error}");
}

/// An unsorted set where a process executes many events in a round, and a GPU has room for it.
#[test]
fn what_suits_the_model_is_chosen() {
    let chosen = |population, options: ProcessOptions, adapter: &AdapterDescription| {
        let model = DeviceModel { burst: f64::from(population) / 9.0, ..phold(100, population) };
        Layout::new(&model, &options, adapter).unwrap().set
    };
    let (large, auto) = (adapter(1 << 30), ProcessOptions::default());
    assert_eq!(chosen(400, auto, &large), PendingSet::Unsorted);
    assert_eq!(chosen(4, auto, &large), PendingSet::HeapOfFours);
    assert_eq!(chosen(400, ProcessOptions { one_event_a_round: true, ..auto }, &large), PendingSet::HeapOfFours);
    assert_eq!(chosen(400, auto, &adapter(16 * 100 * 1000)), PendingSet::HeapOfFours);
    // So many that comparing each with each takes longer, and so few of those pending.
    assert_eq!(chosen(10_000, auto, &adapter(1 << 32)), PendingSet::HeapOfFours);
    let few = DeviceModel { burst: 30.0, ..phold(100, 400) };
    assert_eq!(Layout::new(&few, &auto, &large).unwrap().set, PendingSet::HeapOfFours);
    let software = AdapterDescription { kind: AdapterKind::Software, ..adapter(1 << 30) };
    assert_eq!(chosen(400, auto, &software), PendingSet::HeapOfFours);
    assert_eq!(chosen(4, ProcessOptions { pending: PendingSet::Unsorted, ..auto }, &software), PendingSet::Unsorted);
}
