// engine/schedule: what departures and arrivals share: the status block, the future event list, and how a model's
// kernels schedule an event.
// Afterwards: `scheduled` is at or before every event time that this thread has set.

import package::lib::time::{Time};
import package::lib::wide::{wide_minimum};

var<storage, read_write> next_event: array<Time>;

var<private> scheduled: Time;

// Sets the time of an entity's next event.
fn schedule(entity: u32, time: Time) {
    next_event[entity] = time;
    scheduled = wide_minimum(scheduled, time);
}
