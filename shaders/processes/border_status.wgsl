// processes/border_status: what crosses the border of a block of processes. Mirrored in src/processes/gpu/border.rs.

struct ModelStatus {
    exports: atomic<u32>,  // messages for other ranks that the host has not fetched
    waiting: u32,          // ... as the last round left them
    imports: u32,          // messages from other ranks that processes/import takes
    unused: u32,
}
