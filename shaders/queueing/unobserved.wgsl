// queueing/unobserved: no distributions are recorded.

import package::lib::time::{Time};
import topology::{Site};

fn observe(site: Site, arrived: Time, start: Time, end: Time) {}
