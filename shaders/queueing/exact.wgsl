// queueing/exact: in exact time a visit lasts its service time, and the next event happens when it is due. The twin of
// queueing/approximate and queueing/approximate_visit.

import package::lib::time::{Time};
import topology::{Site};
import word64::{Wide, wide_add};

fn first_token(source: u32, due: Time) -> Time { return due; }
fn next_token(source: u32, time: Time, interval: Wide) -> Time { return wide_add(time, interval); }

fn load_originals(station: u32) {}
fn store_originals(station: u32) {}
fn note_arrival(entity: u32) {}
fn store_original(token: u32) {}
fn duration(site: Site, start: Time, service: Wide) -> Wide { return service; }
fn arrival_after(end: Time, delay: Wide) -> Time { return wide_add(end, delay); }
