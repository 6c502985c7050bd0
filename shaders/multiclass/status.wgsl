// multiclass/status: the progress of the replications. Mirrored in src/queueing/gpu/multiclass/records.rs.

struct ModelStatus {
    left: atomic<u32>,        // replications with an event before the limit, in the round under way
    earliest: atomic<u32>,    // whole time units up to the least next event of the round under way
    latest: atomic<u32>,      // whole time units up to the last event of all
    step: u32,                // of copies under control: the number of the step under way
}
