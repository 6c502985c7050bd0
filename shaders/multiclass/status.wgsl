// multiclass/status: how far the replications have come. Mirrored in src/queueing/gpu/multiclass/records.rs.

struct ModelStatus {
    left: atomic<u32>,        // replications that have an event before the limit, of the round under way
    earliest: atomic<u32>,    // whole time units up to the least next event of the round under way
    latest: atomic<u32>,      // whole time units up to the last event of all
    unused: u32,
}
