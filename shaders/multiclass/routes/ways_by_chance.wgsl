// multiclass/routes/ways_by_chance: the route of a token is drawn with its service.

fn way_of(token: u32, class_of: u32, drawn: u32) -> u32 { return drawn; }

// A token comes into the network.
fn forget_visits(token: u32) {}
