// queueing/appointment_status: the counts of rounds of appointments. Mirrored in src/queueing/gpu/kernels.rs.

import word64::{Wide};

struct ModelStatus {
    worked: Wide,         // stations that decided visits, summed over rounds
    working: atomic<u32>, // ... and not yet counted there
    drift: atomic<u32>,   // the furthest that a visit lay beyond the earliest arrival, in units of 2^scale ticks
    scale: u32,           // from 1 to 31
    unused: u32,
}
