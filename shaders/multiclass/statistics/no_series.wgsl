// multiclass/statistics/no_series: numbers of tokens over time are not noted.

fn open_series() {}
fn close_series() {}

// Time has come to mine.now.
fn moves_on() {}

// The number of tokens of a class changes in the network; below, at the open station, and of those in service there.
fn notes_in_network(class_of: u32, change: u32) {}
fn notes_at_station(class_of: u32, change: u32) {}
fn notes_served(class_of: u32, change: u32) {}
