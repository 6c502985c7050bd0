// queueing/unobserved: means only.

fn observe(site: Site, arrived: Time, start: Time, end: Time) {}
