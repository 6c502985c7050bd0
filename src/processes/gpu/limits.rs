//! The room of an adapter, and the errors where a model does not fit.

use super::global::shape::fits_global_heap;
use super::model::DeviceModel;
use super::records::Process;
use tickless_core::number::named;
use tickless_device::{self as device, AdapterDescription, DeviceError};
use tickless_engine::pending::PendingSet;

/// Bytes of a word of slots and messages.
pub(super) const WORD: u64 = 16;
/// The most words that 32 bits can number.
const MOST_WORDS: u64 = 1 << 32;

/// The most events of a process in a round, each of which is compared with each.
const MOST_IMMINENT: f64 = 16_384.0;

/// Words of 16 bytes in one buffer.
pub(super) fn most_words(adapter: &AdapterDescription) -> u64 {
    let limits = &adapter.capabilities;
    (limits.buffer_size.min(limits.binding_size) / WORD).min(MOST_WORDS)
}

/// Room for `mean` events in the mean, which come and go independently: seldom does a process have more.
pub(super) fn room_for(mean: u32) -> u32 {
    let mean = f64::from(mean);
    (mean + 6.0 * mean.sqrt() + 10.0).min(f64::from(u32::MAX)) as u32
}

/// The first room of sets for `mean` events: giving them more takes the host as long as a thousand rounds.
pub(super) fn first_room(mean: u32) -> u32 {
    let mean = f64::from(mean);
    (mean + 8.0 * mean.sqrt() + 10.0).min(f64::from(u32::MAX)) as u32
}

/// Refuses more processes than fit the buffer of their records.
pub(super) fn check_processes(model: &DeviceModel, adapter: &AdapterDescription) -> Result<(), DeviceError> {
    let (each, most) = (size_of::<Process>() as u64, most_words(adapter) * WORD);
    let asked = u64::from(model.processes) * each;
    if asked <= most {
        return Ok(());
    }
    let what = format!("the records of {} processes", model.processes);
    let remedy = format!(": it takes up to {} processes; use fewer, or --backend heap", most / each);
    Err(limit(what, device::bytes(asked), device::bytes(most), remedy, adapter))
}

/// Refuses a model whose processes could not even send the messages of one event in a round.
pub(super) fn check_messages(
    model: &DeviceModel,
    each_bytes: u64,
    adapter: &AdapterDescription,
) -> Result<(), DeviceError> {
    let (asked, most) = (u64::from(model.processes) * each_bytes, most_words(adapter) * WORD);
    if asked <= most {
        return Ok(());
    }
    let what = format!("the messages of {} processes", model.processes);
    let remedy = match most / each_bytes {
        0 => ": use fewer messages, or --backend heap".to_owned(),
        fits => format!(": it takes up to {fits} processes; use fewer, or --backend heap"),
    };
    Err(limit(what, device::bytes(asked), device::bytes(most), remedy, adapter))
}

/// Refuses a model whose processes execute more events in a round than a workgroup can compare with each other before a
/// driver's time limit.
pub(super) fn check_imminent(model: &DeviceModel, adapter: &AdapterDescription) -> Result<(), DeviceError> {
    if model.burst <= MOST_IMMINENT {
        return Ok(());
    }
    let what = "events that a process executes in a round, in no order before it".to_owned();
    let [asked, most] = [model.burst, MOST_IMMINENT].map(|events| format!("{events:.0}"));
    Err(limit(what, asked, most, ": use --pending heap-of-fours".to_owned(), adapter))
}

/// Each process needs room for `needed` events, and `fits` fit at most. `clock` is that of a run under way.
pub(super) fn too_many_each(
    model: &DeviceModel,
    set: PendingSet,
    [needed, fits]: [u32; 2],
    clock: Option<f64>,
    adapter: &AdapterDescription,
) -> DeviceError {
    let what = format!("{}pending events of each of {}", at(clock), processes(model.processes));
    // Some processes have more than the mean.
    let room = needed.max(room_for(model.starting));
    let slot_words = set.slots_each() * set.slot_words(model.payload_words > 0);
    let words = u64::from(slot_words) * (u64::from(room) + u64::from(set.spare()));
    let suits = (most_words(adapter) / words).min(u64::from(model.processes));
    let fewer = match (suits as u32, most_suited(fits)) {
        (0, 0) => "use fewer".to_owned(),
        (0, mean) => format!("use fewer (up to {} each in the mean)", events(mean)),
        (suits, 0) => format!("use fewer (up to {} with up to {} each)", processes(suits), events(room)),
        (suits, mean) => format!(
            "use fewer (up to {} with up to {} each, or up to {} each in the mean)",
            processes(suits),
            events(room),
            events(mean)
        ),
    };
    let other = if suits_global_heap(model, clock, adapter) {
        ", --pending global-heap, which has room for all of them,"
    } else if matches!(set, PendingSet::Splay | PendingSet::Unsorted) && fits_heaps(model, room, adapter) {
        ", --pending heap, which takes less room,"
    } else {
        ","
    };
    limit(what, needed.to_string(), fits.to_string(), format!(": {fewer}{other} or --backend heap"), adapter)
}

/// The heap of all processes' events would have `asked` places, and `fits` fit.
pub(super) fn too_many_in_all(
    model: &DeviceModel,
    pending: u64,
    [asked, fits]: [u64; 2],
    clock: Option<f64>,
    adapter: &AdapterDescription,
) -> DeviceError {
    let what = format!("{}places of a heap for {pending} pending events", at(clock));
    let suits = |processes: u32| {
        let model = DeviceModel { processes, ..model.clone() };
        fits_global_heap(&model, adapter)
    };
    let fewer = match greatest(model.processes, suits) {
        0 => "use fewer".to_owned(),
        suits => format!("use fewer (up to {} with {} each)", processes(suits), events(model.starting)),
    };
    let other = if fits_heaps(model, room_for(model.starting), adapter) { ", --pending heap," } else { "," };
    limit(what, asked.to_string(), fits.to_string(), format!(": {fewer}{other} or --backend heap"), adapter)
}

fn processes(number: u32) -> String {
    format!("{number} {}", named(number, "process"))
}

fn events(number: u32) -> String {
    format!("{number} {}", named(number, "event"))
}

fn at(clock: Option<f64>) -> String {
    clock.map(|clock| format!("at time {clock:.3} ")).unwrap_or_default()
}

/// Whether one heap for all has room for the events of the run, now and later.
fn suits_global_heap(model: &DeviceModel, clock: Option<f64>, adapter: &AdapterDescription) -> bool {
    // Where an event sends more than one message, the number of events changes.
    let known = model.most_sent <= 1 || clock.is_none();
    known && fits_global_heap(model, adapter)
}

/// Whether heaps have room for `room` events of each process.
fn fits_heaps(model: &DeviceModel, room: u32, adapter: &AdapterDescription) -> bool {
    let set = PendingSet::Heap;
    let words = u64::from(set.slot_words(model.payload_words > 0)) * (u64::from(room) + u64::from(set.spare()));
    u64::from(model.processes).saturating_mul(words) <= most_words(adapter)
}

/// The most events in the mean with which a process seldom has more than `fits`.
fn most_suited(fits: u32) -> u32 {
    greatest(fits, |mean| room_for(mean) <= fits)
}

/// The greatest number up to `most` that suits, if all smaller ones do; 0 where none does.
fn greatest(most: u32, suits: impl Fn(u32) -> bool) -> u32 {
    let (mut least, mut most) = (0, most);
    while least < most {
        let middle = most - (most - least) / 2;
        if suits(middle) { least = middle } else { most = middle - 1 }
    }
    least
}

fn limit(what: String, asked: String, available: String, remedy: String, adapter: &AdapterDescription) -> DeviceError {
    DeviceError::Limit { what, asked, available, adapter: adapter.name.clone(), remedy }
}
