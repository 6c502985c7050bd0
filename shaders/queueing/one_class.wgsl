// queueing/one_class: all tokens are alike: a station has one law and its own routes, and its record has the sums. The twin of
// queueing/classes.

import package::lib::time::{Time};
import package::queueing::records::{Station};
import package::queueing::visit::{add_sums};
import topology::{Site};

fn station_of(target_place: u32) -> u32 { return target_place; }
fn site_for(site: Site, entity: u32) -> Site { return site; }
fn first_site(site: Site, token: u32) -> Site { return site; }
fn count_admission(site: Site) {}
fn count_service(site: Site, station: ptr<function, Station>, service: Time, waiting: Time) {
    add_sums(station, service, waiting);
}
fn count_loss(site: Site, station: ptr<function, Station>) { (*station).losses += 1u; }
