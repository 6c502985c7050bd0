// pathfinding/status: how far a batch of searches has come. Mirrored in src/pathfinding/gpu/records.rs.

struct ModelStatus {
    next: atomic<u32>,        // the search that no thread has begun
    ended: atomic<u32>,       // searches that have ended, whether or not they found a path
    path_words: atomic<u32>,  // words of paths that are taken
    longest: atomic<u32>,     // the most words of a path that found no room
    searches: u32,            // of this pass
    twice_least: u32,         // twice the least cost of a cell
}
