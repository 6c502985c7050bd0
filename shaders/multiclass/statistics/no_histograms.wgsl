// multiclass/statistics/no_histograms: no distributions are recorded.

import package::lib::time::{Time};
import word64::{Wide};

// The open station has one token of a class more or fewer.
fn sees_present(class_of: u32, change: u32) {}

// A service begins for the first time; below, ends and has taken so long; a token goes.
fn sees_start(class_of: u32, arrived: Time, service: Time) {}
fn sees_end(class_of: u32, arrived: Time, taken: Time) {}
fn sees_leave(class_of: u32, arrived: Time) {}

// A service has ended, and its token was blocked for so long; below, a token has waited for its siblings for so long.
fn sees_blocked(class_of: u32, time: Time) {}
fn sees_joined(class_of: u32, time: Time) {}

// A token from a source leaves by a sink, after the warm-up.
fn sees_stay(sink: u32, class_of: u32, stay: Wide) {}
