// multiclass/statistics/no_fold: nothing is added up by the bin of a period. Starts and ends of services are passed on to the series, as the
// fold does.

import package::lib::time::{Time};
import series::{notes_served};

fn open_fold() {}
fn close_fold() {}

// Time has come to mine.now.
fn moves_to_bin() {}

// At the open station a token of a class comes from elsewhere, or is not served; its service starts, or goes on, that has waited since
// `since`.
fn folds_arrival(class_of: u32) {}
fn folds_unserved(class_of: u32) {}
fn folds_start(class_of: u32, since: Time, starts: u32) { notes_served(class_of, 1u); }

// A service ends or is interrupted.
fn folds_end(class_of: u32) { notes_served(class_of, 0xffffffffu); }

// There is one more token of a class at the open station, or one fewer; below, units of a resource are taken, or given back.
fn folds_present(class_of: u32, is_more: bool) {}
fn folds_units(kind: u32, units: u32, is_more: bool) {}
