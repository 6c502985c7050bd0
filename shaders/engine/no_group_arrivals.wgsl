// engine/no_group_arrivals: models whose arrivals are all decided by single threads.

fn extra_groups() -> u32 { return 0u; }
fn arrive_together(extra: u32, lane: u32) {}
