// queueing/share_status: what crosses between the stations of a device and other ranks. Mirrored in
// src/queueing/gpu/network/crossing.rs.

struct ModelStatus {
    exports: atomic<u32>,  // messages for other ranks that the host has not fetched
    free: atomic<u32>,     // slots that are free for tokens of other ranks
    imports: u32,          // messages from other ranks that queueing/import takes
    unused: u32,
}
