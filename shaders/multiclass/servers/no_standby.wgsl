// multiclass/servers/no_standby: servers do not wait until the line is long.

// The servers of a station that are away at time 0.
fn begin_standby(id: u32) -> u32 { return 0u; }

// At the open station a service has ended, and servers may go; below, servers come where many wait.
fn leaves_standby() {}
fn calls_standby() {}

// The servers on standby of the open station come now.
fn comes_from_standby() {}
