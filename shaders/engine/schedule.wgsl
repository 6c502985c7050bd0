// engine/schedule: what departures and arrivals share: the status block, the future event list, and how a model's
// kernels schedule an event.
// Afterwards: `scheduled` is at or before every event time that this thread has set.

@group(0) @binding(0) var<storage, read_write> control: Control;
@group(0) @binding(1) var<storage, read_write> next_event: array<Time>;
@group(0) @binding(2) var<storage, read_write> summaries: array<Wide>;

var<private> scheduled: Time;

// Sets the time of an entity's next event.
fn schedule(entity: u32, time: Time) {
    next_event[entity] = time;
    scheduled = wide_minimum(scheduled, time);
}
