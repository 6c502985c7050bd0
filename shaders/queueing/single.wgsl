// queueing/single: stations of one server each with unlimited room.

import package::lib::time::{Time};
import package::queueing::records::{Station};
import topology::{Site};

fn free_from(site: Site, station: ptr<function, Station>) -> Time { return (*station).free; }

fn occupy(site: Site, station: ptr<function, Station>, start: Time, end: Time) { (*station).free = end; }

fn is_full(site: Site, station: ptr<function, Station>, time: Time) -> bool { return false; }
