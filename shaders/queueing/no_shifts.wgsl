// queueing/no_shifts: stations have the same servers all the time. The twin of queueing/shifts.

import package::lib::time::{Time};
import package::lib::wide::{wide_maximum};
import package::queueing::records::{Station};
import room::{free_from};
import topology::{Site};

// When the service of an arriving token begins.
fn begins(site: Site, station: ptr<function, Station>, arrived: Time) -> Time {
    return wide_maximum(arrived, free_from(site, station));
}
