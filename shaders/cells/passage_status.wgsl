// cells/passage_status: whether any block has work. The host does not read it.

struct ModelStatus {
    even: atomic<u32>, // in rounds of even numbers: 0 or 1
    odd: atomic<u32>,
    number: u32,       // of this round, while it commits
    before: u32,       // of the round before, while this one relaxes
}
