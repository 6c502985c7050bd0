// multiclass/blocking/no_stops: services go on whether or not there is room behind them.

// Whether the guest of the open station, whose service is drawn, waits in its server for room where it goes.
fn waits_in_server(token: u32) -> bool { return false; }

// A station may be full now; below, it may have room, at which tokens that wait for it go on.
fn fills(id: u32) {}
fn has_room_now(id: u32) {}

// Stops the next service for want of room, or lets the next one go on, at its station, which it opens. Returns whether there is one;
// below, the token that is served then, or NONE.
fn stop_or_go_on() -> bool { return false; }
fn goes_on_served() -> u32 { return 0xffffffffu; }
