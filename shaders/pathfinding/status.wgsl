// pathfinding/status: the progress of a batch of searches. Mirrored in src/pathfinding/gpu/records.rs.

struct ModelStatus {
    next: atomic<u32>,        // the first search that no thread has begun
    ended: atomic<u32>,       // searches that have ended, whether or not they found a path
    path_words: atomic<u32>,  // words of paths in use
    longest: atomic<u32>,     // the most words of a path for which there was no room
    searches: u32,            // of this pass
    twice_least: u32,         // twice the least cost of a cell
}
