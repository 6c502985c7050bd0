// multiclass/blocking/no_stops: services go on whatever room there is behind them.

// Whether the guest of the open station, whose service is drawn, waits in its server for room where it goes.
fn waits_in_server(token: u32) -> bool { return false; }

// A station may be full now; or it may have room, at which those go on that wait for that.
fn fills(id: u32) {}
fn has_room_now(id: u32) {}

// Stops the next service for that, or lets the next one go on, at its station, which it opens. Returns whether there is one; and who is
// served then, or NONE.
fn stop_or_go_on() -> bool { return false; }
fn goes_on_served() -> u32 { return 0xffffffffu; }
