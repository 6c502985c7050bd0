// lib/time: simulated time in ticks of 2^-32 time units. NEVER, all ones, is later than every time of a run.

import word64::{Wide, wide};

alias Time = Wide;

fn never() -> Time { return wide(0xffffffffu, 0xffffffffu); }
