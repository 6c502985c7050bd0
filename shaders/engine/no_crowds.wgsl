// engine/no_crowds: models whose arrivals are all decided by single threads.

fn crowds() -> u32 { return 0u; }
fn arrive_together(crowd: u32, lane: u32) {}
