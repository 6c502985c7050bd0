// queueing/no_stays: no distribution of the time in the network, or no token that could have left yet.

import topology::{Site};
import word64::{Wide};

fn observe_stay(site: Site, way: u32, stay: Wide) {}
